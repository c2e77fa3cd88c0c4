//! Tables as text: RFC 4180, numbers with the fewest digits that read back as the same number.

use std::io;

use mutoscope_core::{clip::Value, export::table::Table};

use super::{Cells, ReportTable};

/// Writes a table as CSV, with a row of names. Unknown values are empty.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_csv(table: &ReportTable, out: &mut dyn io::Write) -> io::Result<()> {
    let mut csv = Table::verbatim(out);
    table.columns.iter().try_for_each(|column| csv.text(&column.name))?;
    csv.end_row()?;
    let rows = table.columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        for column in &table.columns {
            csv.value(&cell(&column.cells, row))?;
        }
        csv.end_row()?;
    }
    Ok(())
}

fn cell(cells: &Cells, row: usize) -> Value {
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
