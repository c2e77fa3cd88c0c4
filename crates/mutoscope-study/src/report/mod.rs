//! Reports of recordings: JSON, tables, and one page.
//!
//! | file | what it does |
//! |---|---|
//! | `measuring` | the report of one recording with its labels |
//! | `model` | a report and its recordings; JSON |
//! | `method` | every threshold and filter that was used, in sentences |
//! | `limits` | what devices and formats cannot tell, with sources |
//! | `tables` | the tables of a report, column by column |
//! | `csv` | tables as text |
//! | `format`, `files` | the formats of reports, and writing their files |
//! | `link` | links to a moment of a recording |
//! | `motion` | the motion of recordings, for the player of a page |
//! | `page` | one self-contained page |

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
pub use files::{WriteTable, Writing};
pub use format::ReportFormat;
pub use link::LinkTarget;
pub use measuring::{BrokenLabels, LabelSource, Measuring, Recording};
pub use model::{Issue, RecordingReport, Report};
pub use motion::{MOTION_BYTES, MakeMotion, Motion, MotionMaker};
pub use page::{
    MOST_PLOTTED, MeasureWords, PageOptions, PagePlayer, Short, measure_words, unknown_reason,
    write_page,
};
pub use tables::{Cells, ReportTable, TableColumn, tables};
