//! Writes tables as CSV (RFC 4180), with the fewest digits that read back as the same number.

use std::io;

use mutoscope_core::{clip::Value, export::table::TableWriter};

use super::{Cells, ReportTable};

/// Writes a table as CSV with a header row. Unknown values become empty cells.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_csv(table: &ReportTable, out: &mut dyn io::Write) -> io::Result<()> {
    let mut csv = TableWriter::verbatim(out);
    table.columns.iter().try_for_each(|column| csv.write_string(&column.name))?;
    csv.end_row()?;
    let rows = table.columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        for column in &table.columns {
            csv.write_value(&cell_value(&column.cells, row))?;
        }
        csv.end_row()?;
    }
    Ok(())
}

fn cell_value(cells: &Cells, row: usize) -> Value {
    match cells {
        Cells::Text(texts) => {
            texts[row].as_deref().map_or(Value::Null, |text| Value::Text(text.into()))
        }
        Cells::Numbers(numbers) => numbers[row].map_or(Value::Null, Value::Number),
        Cells::Counts(counts) => {
            counts[row].map_or(Value::Null, |count| Value::Integer(count.into()))
        }
        Cells::Flags(flags) => Value::Bool(flags[row]),
    }
}
