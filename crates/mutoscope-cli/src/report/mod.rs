//! `report`: the measures of recordings, as tables, as JSON and as a page.
//!
//! | file | what it does |
//! |---|---|
//! | `target` | the format of the output, and its files |
//! | `sources` | where the labels of each recording are |
//! | `recordings` | the reports of the recordings of one file |
//! | `run` | all files on all cores |
//! | `output` | writing, whole or not at all |
//! | `parquet` | tables as Parquet |

mod output;
mod parquet;
mod recordings;
mod run;
mod sources;
mod target;

pub(super) use run::run;
pub(super) use target::TARGETS;
