//! `report`: writes the measures of recordings as tables, as JSON or as a page.
//!
//! | file | what it does |
//! |---|---|
//! | `run` | the subcommand |
//! | `sources` | the labels that the arguments name |
//! | `files` | measures files and folders on all cores; other programs can use it |
//! | `recordings` | the recordings in a file |
//! | `motion` | the motion that the page plays |
//! | `parquet` | tables as Parquet |

mod files;
mod motion;
mod parquet;
mod recordings;
mod run;
mod sources;

pub use files::ReportedFiles;
pub use motion::{motion_maker, page_player};
pub use parquet::write_parquet;
pub use recordings::{FailedRecording, MeasuredFile, SkipReason};
pub(super) use run::run;
