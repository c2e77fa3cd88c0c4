//! Tables of typed columns as files that data frames and databases read: Parquet and Arrow.
//!
//! A table is written in batches of rows; only one batch (in Parquet: a row group) is in memory.
//!
//! | file | what it does |
//! |---|---|
//! | `column` | columns: names, types, units |
//! | `file` | writing a table to a file of either format |

mod column;
mod file;

pub(crate) use column::{Column, ColumnType, schema};
pub(crate) use file::{TableFile, TableFormat};
