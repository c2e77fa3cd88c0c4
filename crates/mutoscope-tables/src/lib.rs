//! Exports motion recordings as Parquet and Arrow tables and as MCAP logs, and reads them. This is
//! a separate crate because of its large dependencies.
//!
//! | module | what it does |
//! |---|---|
//! | `tables` | exports Parquet and Arrow |
//! | `mcap` | exports MCAP |
//! | `read` | reads Parquet, Arrow and MCAP |
//! | `column` | describes columns: names, types, units |
//! | `file` | writes a Parquet or Arrow file batch by batch |
//! | `row_group` | encodes rows on any thread |

mod column;
mod file;
mod mcap;
mod read;
mod row_group;
mod tables;

pub use column::{Column, ColumnType, schema};
pub use file::{TableFile, TableFormat};
pub use read::CODES;

use mutoscope_core::{export::ExportTarget, formats::FormatSet};

static TARGETS: [ExportTarget; 3] = [tables::PARQUET, tables::ARROW, mcap::TARGET];

/// Returns Parquet and Arrow as further encodings of tables, MCAP, and the export targets.
pub fn formats() -> FormatSet {
    FormatSet { formats: &read::FORMATS, codes: CODES, ..FormatSet::default() }
}

/// Returns the export targets.
pub fn targets() -> &'static [ExportTarget] {
    &TARGETS
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use mutoscope_core::export::Targets;

    use super::*;

    #[test]
    fn extra_tables_are_named_after_the_file() {
        let targets = Targets::default().with(targets());
        let files = |id: &str, path: &str| -> Vec<PathBuf> {
            targets.target(id).unwrap().output_paths(Path::new(path))
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
