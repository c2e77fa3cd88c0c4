//! Tables for data frames and databases (Parquet, Arrow): a row for each time and node; in files of
//! their own, a row for each time and signal, and for each event.
//!
//! | file | what it writes |
//! |---|---|
//! | `poses` | poses of nodes, in the viewer's space |
//! | `signals` | values of signals, in the file's own units |
//! | `events` | events |
//! | `facts` | the metadata |

mod events;
mod facts;
mod poses;
mod signals;

use mutoscope_core::export::{ExportError, ExportTarget, Job, TableBeside, WriteMotion, breaks};

use crate::TableFormat;

/// Tables in Parquet.
pub(super) const PARQUET: ExportTarget = ExportTarget::of_tables(
    "parquet",
    "Parquet tables",
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
    "Arrow tables",
    "arrow",
    |job, out, watch| poses::write(job, TableFormat::Arrow, out, watch),
    BESIDE_ARROW,
);

const BESIDE_ARROW: &[TableBeside] = &beside(
    |job, out, watch| signals::write(job, TableFormat::Arrow, out, watch),
    |job, out, watch| events::write(job, TableFormat::Arrow, out, watch),
);

/// The tables besides `poses`.
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

/// The rows of a batch, unless one time has more.
const ROWS_AT_A_TIME: usize = 1 << 15;

/// The times of the rows, the same for poses and signals.
fn times(job: &Job<'_>) -> Result<Vec<f64>, ExportError> {
    match job.rate {
        Some(rate) => breaks::regular(job, rate),
        None => breaks::of_all(job),
    }
}

/// How many times make a batch.
fn times_at_a_time(rows_of_a_time: usize) -> usize {
    (ROWS_AT_A_TIME / rows_of_a_time.max(1)).max(1)
}
