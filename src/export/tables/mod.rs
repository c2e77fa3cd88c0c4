//! Tables for data frames and databases (Parquet, Arrow): a row for each time and node, in a file beside
//! it one for each time and signal, and in another one for each event.
//!
//! | file | what it writes |
//! |---|---|
//! | `poses` | where nodes stand, in the viewer's space |
//! | `signals` | what signals say, in the file's own units |
//! | `events` | what happens when |
//! | `facts` | what there is to know about the recording, in the files' metadata |

mod events;
mod facts;
mod poses;
mod signals;

use super::{
    ExportError, ExportTarget, Job, breaks,
    target::{TableBeside, WriteMotion},
};
use crate::tables::TableFormat;

/// Tables in Parquet.
pub(super) const PARQUET: ExportTarget = ExportTarget::of_tables(
    "parquet",
    "tables (Parquet)",
    "parquet",
    |job, out, watch| poses::write(job, TableFormat::Parquet, out, watch),
    BESIDE_PARQUET,
);

const BESIDE_PARQUET: &[TableBeside] = &beside(
    |job, out, watch| signals::write(job, TableFormat::Parquet, out, watch),
    |job, out, watch| events::write(job, TableFormat::Parquet, out, watch),
);

/// Tables in Arrow.
pub(super) const ARROW: ExportTarget = ExportTarget::of_tables(
    "arrow",
    "tables (Arrow)",
    "arrow",
    |job, out, watch| poses::write(job, TableFormat::Arrow, out, watch),
    BESIDE_ARROW,
);

const BESIDE_ARROW: &[TableBeside] = &beside(
    |job, out, watch| signals::write(job, TableFormat::Arrow, out, watch),
    |job, out, watch| events::write(job, TableFormat::Arrow, out, watch),
);

/// The tables beside that of poses, which is called `poses` itself.
const fn beside(signals: WriteMotion, events: WriteMotion) -> [TableBeside; 2] {
    [
        TableBeside {
            name: "signals",
            write: signals,
            report_skipped: |job, report| job.report_signals(report),
        },
        TableBeside {
            name: "events",
            write: events,
            report_skipped: |job, report| job.report_events(report),
        },
    ]
}

/// So many rows are written at a time, if no time has more.
const ROWS_AT_A_TIME: usize = 1 << 15;

/// The times of which there are rows, the same for poses and signals.
fn times(job: &Job<'_>) -> Result<Vec<f64>, ExportError> {
    match job.rate {
        Some(rate) => breaks::regular(job, rate),
        None => breaks::of_all(job),
    }
}

/// At so many times there are as many rows as are written at a time.
fn times_at_a_time(rows_of_a_time: usize) -> usize {
    (ROWS_AT_A_TIME / rows_of_a_time.max(1)).max(1)
}
