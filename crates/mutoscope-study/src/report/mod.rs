//! Reports of recordings: JSON, tables, and a page.
//!
//! | file | what it does |
//! |---|---|
//! | `measuring` | measures a recording with its labels and builds its report |
//! | `model` | the data of a report; JSON |
//! | `method` | describes every threshold and filter that was used |
//! | `limits` | lists the limits of devices and formats, with sources |
//! | `tables` | the tables of a report, column by column |
//! | `csv` | writes tables as CSV |
//! | `format`, `files` | the formats of reports, and writing their files |
//! | `link` | creates links to a moment of a recording |
//! | `motion` | the motion of recordings, for the player of a page |
//! | `page` | writes a self-contained page |

mod csv;
mod files;
mod format;
mod limits;
mod link;
mod measuring;
mod method;
mod model;
mod motion;
mod page;
mod tables;

pub use csv::write_csv;
pub use files::{WriteOptions, WriteTable};
pub use format::ReportFormat;
pub use link::{InvalidAddress, LinkTarget};
pub use measuring::{BrokenLabels, LabelSource, MeasureOptions, Recording};
pub use model::{CheckTally, RecordingReport, Report, ReportDiagnostic};
pub use motion::{DEFAULT_MOTION_BYTES, Motion, MotionPacker, PackMotion};
pub use page::{
    MAX_PLOTTED_RECORDINGS, MeasureDescription, PageOptions, PagePlayer, ShortNumber,
    describe_measure, unknown_reason, write_page,
};
pub use tables::{Cells, ReportTable, TableColumn, build_tables};
