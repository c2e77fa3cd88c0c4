//! `report`: the measures of recordings, as tables, as JSON and as a page.
//!
//! | file | what it does |
//! |---|---|
//! | `run` | the subcommand |
//! | `sources` | where its arguments say that labels are |
//! | `files` | measuring files and folders on all cores, also for other programs |
//! | `recordings` | the recordings of one file |
//! | `motion` | what the page plays |
//! | `parquet` | tables as Parquet |

mod files;
mod motion;
mod parquet;
mod recordings;
mod run;
mod sources;

pub use files::ReportedFiles;
pub use motion::{motion_maker, page_player};
pub use parquet::write as write_parquet;
pub use recordings::{FailedRecording, MeasuredFile, Skipped};
pub(super) use run::run;
