//! Exports tables for data frames and databases as Parquet and Arrow. The main file has a row for
//! each time and node. Two more files have a row for each time and signal, and a row for each
//! event.
//!
//! | file | what it does |
//! |---|---|
//! | `poses` | writes the poses of nodes, in the viewer's space |
//! | `signals` | writes the values of signals, in the recording's own units |
//! | `events` | writes events |
//! | `facts` | builds the metadata |

mod events;
mod facts;
mod poses;
mod signals;

use mutoscope_core::clip::Content;
use mutoscope_core::export::{ExportTarget, SideTable, WriteMotion};

use crate::TableFormat;

const CONTENTS: &[Content] = &[
    Content::Motion,
    Content::Hierarchy,
    Content::Visibility,
    Content::Scales,
    Content::Signals,
    Content::Events,
];

pub(super) const PARQUET: ExportTarget = ExportTarget::for_motion_with_tables(
    "parquet",
    "Parquet tables",
    "parquet",
    |job, out, progress| poses::write(job, TableFormat::Parquet, out, progress),
    PARQUET_TABLES_BESIDE,
)
.keeping(CONTENTS)
.with_free_axes();

const PARQUET_TABLES_BESIDE: &[SideTable] = &tables_beside(
    |job, out, progress| signals::write(job, TableFormat::Parquet, out, progress),
    |job, out, progress| events::write(job, TableFormat::Parquet, out, progress),
);

pub(super) const ARROW: ExportTarget = ExportTarget::for_motion_with_tables(
    "arrow",
    "Arrow tables",
    "arrow",
    |job, out, progress| poses::write(job, TableFormat::Arrow, out, progress),
    ARROW_TABLES_BESIDE,
)
.keeping(CONTENTS)
.with_free_axes();

const ARROW_TABLES_BESIDE: &[SideTable] = &tables_beside(
    |job, out, progress| signals::write(job, TableFormat::Arrow, out, progress),
    |job, out, progress| events::write(job, TableFormat::Arrow, out, progress),
);

const fn tables_beside(signals: WriteMotion, events: WriteMotion) -> [SideTable; 2] {
    [
        SideTable {
            name: "signals",
            write: signals,
            report_skipped: |job, report| job.report_signals(report),
        },
        SideTable {
            name: "events",
            write: events,
            report_skipped: |job, report| job.report_events(report),
        },
    ]
}

const BATCH_ROWS: usize = 1 << 15;

fn times_per_batch(rows_of_a_time: usize) -> usize {
    (BATCH_ROWS / rows_of_a_time.max(1)).max(1)
}
