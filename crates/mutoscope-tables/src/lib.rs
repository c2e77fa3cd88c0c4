//! Motion recordings as tables that data frames and databases read, Parquet and Arrow, and as logs of
//! transforms, MCAP: targets for [`mutoscope_core::export`], in a crate of their own because of what
//! they depend on.
//!
//! | module | what it does |
//! |---|---|
//! | `tables` | the targets Parquet and Arrow |
//! | `mcap` | the target MCAP |
//! | `column` | columns: names, types, units |
//! | `file` | writing a table to a file of either format, batch by batch of rows |

mod column;
mod file;
mod mcap;
mod tables;

pub use column::{Column, ColumnType, schema};
pub use file::{TableFile, TableFormat};

use mutoscope_core::export::{self, ExportTarget};

static TARGETS: [ExportTarget; 3] = [tables::PARQUET, tables::ARROW, mcap::TARGET];

/// Registers the targets, so that recordings can be exported as these.
pub fn register() {
    export::register(&TARGETS);
}
