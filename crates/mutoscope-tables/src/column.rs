//! The columns of tables: names, types, units.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Metadata, Schema, SchemaRef};

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub of: ColumnType,
    /// The unit of its numbers: `m`.
    pub unit: Option<&'static str>,
    /// Whether it may be null.
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
    /// A number that rarely repeats.
    Number,
    /// A number that often repeats.
    SharedNumber,
    /// Text.
    Text,
    /// Text that often repeats.
    SharedText,
}

impl Column {
    /// A column that is never null.
    pub const fn new(name: &'static str, of: ColumnType) -> Self {
        Self { name, of, unit: None, is_nullable: false }
    }

    /// The same with a unit.
    pub const fn in_unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }

    /// The same, nullable.
    pub const fn nullable(self) -> Self {
        Self { is_nullable: true, ..self }
    }

    fn field(&self) -> Field {
        let field = Field::new(self.name, self.of.data_type(), self.is_nullable);
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

/// The schema of a table of these columns, with metadata.
pub fn schema(columns: &[Column], metadata: impl Into<Metadata>) -> SchemaRef {
    let fields: Vec<_> = columns.iter().map(Column::field).collect();
    Arc::new(Schema::new(fields).with_metadata(metadata))
}
