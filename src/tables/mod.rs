//! Tables of typed columns as files that data frames and databases read: Parquet and Arrow.
//!
//! A table is written some rows at a time, so that only those are in memory (in Parquet: a row group).
//!
//! | file | what it does |
//! |---|---|
//! | `column` | what the columns of a table are called, and what is in them |
//! | `file` | writing a table to a file of either format |

mod column;
mod file;

pub(crate) use column::{Column, ColumnType, schema};
pub(crate) use file::{TableFile, TableFormat};
