//! What the columns of a table are called, and what is in them.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Metadata, Schema, SchemaRef};

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: &'static str,
    /// What is in it.
    pub(crate) of: ColumnType,
    /// What its numbers count: `m`.
    pub(crate) unit: Option<&'static str>,
    /// Whether a row may have nothing in it.
    pub(crate) is_nullable: bool,
}

/// What is in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    /// Yes or no.
    Bool,
    /// A whole number of 32 bits.
    Index,
    /// A whole number of 64 bits.
    Integer,
    /// A number of which few rows have the same.
    Number,
    /// A number that many rows share.
    SharedNumber,
    /// Words.
    Text,
    /// Words that many rows share.
    SharedText,
}

impl Column {
    /// A column that has something in every row.
    pub(crate) const fn new(name: &'static str, of: ColumnType) -> Self {
        Self { name, of, unit: None, is_nullable: false }
    }

    /// The same if its numbers count this.
    pub(crate) const fn in_unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }

    /// The same if a row may have nothing in it.
    pub(crate) const fn nullable(self) -> Self {
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

/// The schema of a table of these columns, with what there is to know about the table.
pub(crate) fn schema(columns: &[Column], metadata: impl Into<Metadata>) -> SchemaRef {
    let fields: Vec<_> = columns.iter().map(Column::field).collect();
    Arc::new(Schema::new(fields).with_metadata(metadata))
}
