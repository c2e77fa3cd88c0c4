//! `index`: writes a table with a row for each recording below folders.
//!
//! | file | what it does |
//! |---|---|
//! | `source_files` | the files to index, each once |
//! | `recordings` | the recordings in a file, each as a row |
//! | `row`, `stamp` | the measures of a recording; whether its file has changed |
//! | `file` | indices as Parquet, CSV and JSON lines |
//! | `previous_rows` | the rows of earlier runs |
//! | `run` | work on all cores; stopping and resuming |

mod file;
mod previous_rows;
mod recordings;
mod row;
mod run;
pub(super) mod source_files;
mod stamp;

pub(super) use run::run;
