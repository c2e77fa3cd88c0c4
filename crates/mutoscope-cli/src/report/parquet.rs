//! Writes tables as Parquet.

use std::{
    io::{self, Write},
    sync::Arc,
};

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use mutoscope_study::report::{Cells, ReportTable, TableColumn};
use mutoscope_tables::{TableFile, TableFormat};

/// Writes a table of a report as Parquet.
///
/// # Errors
/// Returns the error if `out` cannot be written.
pub fn write_parquet(table: &ReportTable, out: &mut dyn Write) -> io::Result<()> {
    let name = if table.name.is_empty() { "ranges" } else { table.name };
    let metadata = [
        ("mutoscope.table".to_owned(), format!("report {name}")),
        (
            "mutoscope.writer".to_owned(),
            concat!("mutoscope ", env!("CARGO_PKG_VERSION")).to_owned(),
        ),
    ];
    let fields: Vec<Field> = table.columns.iter().map(to_field).collect();
    let schema = Arc::new(Schema::new(fields).with_metadata(metadata));
    let arrays = table.columns.iter().map(|column| to_array(&column.cells)).collect();
    let rows = RecordBatch::try_new(schema.clone(), arrays).map_err(io::Error::other)?;
    let mut file = TableFile::begin(TableFormat::Parquet, &[], &schema, out)?;
    file.write(&rows)?;
    file.finish().map(drop)
}

fn to_field(column: &TableColumn) -> Field {
    let data_type = match column.cells {
        Cells::Text(_) => DataType::Utf8,
        Cells::Numbers(_) => DataType::Float64,
        Cells::Counts(_) => DataType::Int64,
        Cells::Flags(_) => DataType::Boolean,
    };
    Field::new(&column.name, data_type, true)
}

fn to_array(cells: &Cells) -> ArrayRef {
    match cells {
        Cells::Text(texts) => Arc::new(texts.iter().map(Option::as_deref).collect::<StringArray>()),
        Cells::Numbers(numbers) => Arc::new(numbers.iter().copied().collect::<Float64Array>()),
        Cells::Counts(counts) => {
            let to_i64 = |count: &Option<u64>| count.and_then(|count| i64::try_from(count).ok());
            Arc::new(counts.iter().map(to_i64).collect::<Int64Array>())
        }
        Cells::Flags(flags) => Arc::new(flags.iter().copied().map(Some).collect::<BooleanArray>()),
    }
}
