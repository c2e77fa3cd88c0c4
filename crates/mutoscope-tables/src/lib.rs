//! Motion recordings as tables that data frames and databases read, Parquet and Arrow, and as logs of
//! transforms, MCAP: targets for [`mutoscope_core::export`] and formats that are read, in a crate of
//! their own because of what they depend on.
//!
//! | module | what it does |
//! |---|---|
//! | `tables` | the targets Parquet and Arrow |
//! | `mcap` | the target MCAP |
//! | `read` | Parquet, Arrow and MCAP as recordings |
//! | `column` | columns: names, types, units |
//! | `file` | writing a table to a file of either format, batch by batch of rows |

mod column;
mod file;
mod mcap;
mod read;
mod tables;

pub use column::{Column, ColumnType, schema};
pub use file::{TableFile, TableFormat};

use mutoscope_core::export::{self, ExportTarget};

static TARGETS: [ExportTarget; 3] = [tables::PARQUET, tables::ARROW, mcap::TARGET];

/// Registers the targets, so that recordings can be exported as these, and the readers, so that they
/// are opened.
pub fn register() {
    export::register(&TARGETS);
    read::register();
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn files_beside_are_called_like_the_file() {
        register();
        let files = |id: &str, path: &str| -> Vec<PathBuf> {
            ExportTarget::of_id(id).expect("it is registered").files(Path::new(path))
        };
        assert_eq!(files("csv", "a/take.csv"), [Path::new("a/take.csv")]);
        let three = |paths: [&str; 3]| paths.map(PathBuf::from);
        assert_eq!(
            files("parquet", "a.b/take.1.parquet"),
            three([
                "a.b/take.1.parquet",
                "a.b/take.1.signals.parquet",
                "a.b/take.1.events.parquet"
            ])
        );
        assert_eq!(files("arrow", "take"), three(["take", "take.signals", "take.events"]));
    }
}
