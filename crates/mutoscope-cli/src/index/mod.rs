//! `index`: a table with a row for each recording below folders.
//!
//! | file | what it does |
//! |---|---|
//! | `found` | the files to index, each once |
//! | `recordings` | the recordings of one file, each as a row |
//! | `row`, `stamp` | the facts about a recording; whether its file has changed |
//! | `file` | indices as Parquet, CSV and JSON lines |
//! | `known` | rows of earlier runs |
//! | `run` | all files on all cores; stopping and resuming |

mod file;
pub(super) mod found;
mod known;
mod recordings;
mod row;
mod run;
mod stamp;

pub(super) use run::run;
