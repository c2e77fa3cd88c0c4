//! Describes the columns of tables: names, types and units.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Metadata, Schema, SchemaRef};

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub column_type: ColumnType,
    /// The unit of the numbers, such as `m`.
    pub unit: Option<&'static str>,
    /// `true` if the column may contain null.
    pub is_nullable: bool,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A boolean.
    Bool,
    /// A 32-bit integer.
    Index,
    /// A 64-bit integer.
    Integer,
    /// An f64 column whose values rarely repeat. Parquet stores them without a dictionary.
    Number,
    /// An f64 column whose values often repeat.
    SharedNumber,
    /// A string.
    Text,
    /// A string column whose values often repeat. Arrow stores them in a dictionary.
    SharedText,
}

impl Column {
    /// Creates a column that is never null.
    pub const fn new(name: &'static str, column_type: ColumnType) -> Self {
        Self { name, column_type, unit: None, is_nullable: false }
    }

    /// Sets the unit.
    pub const fn with_unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }

    /// Allows null.
    pub const fn nullable(self) -> Self {
        Self { is_nullable: true, ..self }
    }

    fn field(&self) -> Field {
        let field = Field::new(self.name, self.column_type.data_type(), self.is_nullable);
        match self.unit {
            Some(unit) => field.with_metadata([("unit", unit)]),
            None => field,
        }
    }
}

impl ColumnType {
    fn data_type(self) -> DataType {
        match self {
            Self::Bool => DataType::Boolean,
            Self::Index => DataType::Int32,
            Self::Integer => DataType::Int64,
            Self::Number | Self::SharedNumber => DataType::Float64,
            Self::Text => DataType::Utf8,
            Self::SharedText => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
        }
    }
}

/// Returns the schema of a table with these columns and metadata.
pub fn schema(columns: &[Column], metadata: impl Into<Metadata>) -> SchemaRef {
    let fields: Vec<_> = columns.iter().map(Column::field).collect();
    Arc::new(Schema::new(fields).with_metadata(metadata))
}
