//! Limits the size that the contents of a Parquet or Arrow file may have in memory.
//!
//! Both formats store a repeated number once. A column of 200 million equal numbers takes 30 bytes,
//! so the size of the file does not limit the memory for its contents.

use std::sync::atomic::{AtomicU64, Ordering};

use arrow_schema::DataType;
use mutoscope_core::diagnostics::{Error, SourceLocation, format_count};

/// Every file may have this many cells: an hour at 1 kHz in nine columns, even if all of them are
/// constant.
const MIN_CELL_LIMIT: u64 = 1 << 25;
const CELLS_PER_FILE_BYTE: u64 = 16;
/// The size of an f64. Pages and strings are limited by bytes, and tables by cells.
const BYTES_PER_CELL: u64 = 8;

/// Counts the cells and bytes that are unpacked from a file.
pub(super) struct Budget {
    file_bytes: usize,
    max_cells: u64,
    cells: AtomicU64,
    bytes: AtomicU64,
}

impl Budget {
    pub(super) fn for_file(file_bytes: usize) -> Self {
        let max_cells = MIN_CELL_LIMIT + CELLS_PER_FILE_BYTE * file_bytes as u64;
        Self { file_bytes, max_cells, cells: 0.into(), bytes: 0.into() }
    }

    /// Checks the size of the whole table.
    ///
    /// # Errors
    /// If the table has more cells than a file of this size may have.
    pub(super) fn check_rows(&self, rows: u64, cells_per_row: u64) -> Result<(), Error> {
        match rows.saturating_mul(cells_per_row.max(1)) <= self.max_cells {
            true => Ok(()),
            false => {
                let rows = format_count(rows as usize, "row");
                let columns = format_count(cells_per_row as usize, "column");
                Err(self.excess(self.max_cells, "cell", &format!("{rows} of {columns}")))
            }
        }
    }

    /// Counts cells of columns whose pages or lists state their own number of values.
    ///
    /// # Errors
    /// If the file has more cells than a file of this size may have.
    pub(super) fn add_cells(&self, count: u64) -> Result<(), Error> {
        match add(&self.cells, count) <= self.max_cells {
            true => Ok(()),
            false => Err(self.excess(self.max_cells, "cell", "more in its pages and lists")),
        }
    }

    /// Counts unpacked bytes: pages, buffers and strings.
    ///
    /// # Errors
    /// If the file unpacks to more bytes than the cells of a file of this size may have.
    pub(super) fn add_bytes(&self, count: u64) -> Result<(), Error> {
        match add(&self.bytes, count) <= self.max_bytes() {
            true => Ok(()),
            false => Err(self.excess(self.max_bytes(), "unpacked byte", "more")),
        }
    }

    pub(super) fn max_bytes(&self) -> u64 {
        self.max_cells * BYTES_PER_CELL
    }

    fn excess(&self, limit: u64, what: &str, found: &str) -> Error {
        let message = format!(
            "expected at most {} in a file of {}, found {found}. Split the recording into several files",
            format_count(limit as usize, what),
            format_count(self.file_bytes, "byte"),
        );
        Error::unsupported(SourceLocation::File, message)
    }
}

/// Adds to a count, which stays at the largest integer if it would overflow. Returns the sum.
fn add(count: &AtomicU64, more: u64) -> u64 {
    let sum = |count: u64| Some(count.saturating_add(more));
    let before = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
    before.unwrap_or(u64::MAX).saturating_add(more)
}

/// Returns the number of cells that a value takes in memory. A list of any length has at least one,
/// because its items are counted when they are read.
pub(super) fn cells_per_value(data_type: &DataType) -> u64 {
    match data_type {
        DataType::Struct(fields) => {
            let cells = fields.iter().map(|field| cells_per_value(field.data_type()));
            cells.fold(0, u64::saturating_add).max(1)
        }
        DataType::FixedSizeList(item, length) => {
            let length = u64::try_from(*length).unwrap_or(0).max(1);
            length.saturating_mul(cells_per_value(item.data_type()))
        }
        DataType::FixedSizeBinary(length) => {
            u64::try_from(*length).unwrap_or(0).div_ceil(BYTES_PER_CELL).max(1)
        }
        DataType::Dictionary(_, value) => cells_per_value(value),
        DataType::RunEndEncoded(_, value) => cells_per_value(value.data_type()),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_grows_with_the_file_and_allows_an_hour_of_constants() {
        assert!(Budget::for_file(300).check_rows(3_600_000, 9).is_ok());
        let error = Budget::for_file(550).check_rows(200_000_000, 4).unwrap_err();
        assert_eq!(
            error.message(),
            "expected at most 33563232 cells in a file of 550 bytes, found 200000000 rows of 4 columns. \
             Split the recording into several files"
        );
        assert!(Budget::for_file(50_000_000).check_rows(200_000_000, 4).is_ok());
        let budget = Budget::for_file(0);
        assert!(budget.add_cells(MIN_CELL_LIMIT).is_ok() && budget.add_cells(1).is_err());
        assert!(budget.add_bytes(u64::MAX).is_err() && budget.add_bytes(u64::MAX).is_err());
    }
}
