//! `index`: a table with a row for each recording below folders.
//!
//! | file | what it does |
//! |---|---|
//! | `recordings` | the recordings of one file, each as a row |
//! | `row`, `stamp` | what there is to know about a recording; whether its file has changed |
//! | `file` | indices as Parquet, CSV and JSON lines |
//! | `known` | rows that need not be made again |
//! | `run` | all files on all cores, and what is left where that is stopped |

mod file;
mod known;
mod recordings;
mod row;
mod run;
mod stamp;

pub(super) use run::run;
