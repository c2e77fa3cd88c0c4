//! The reasons why messages, their schemas and robot descriptions cannot be read.

use std::fmt::Display;

use super::value::MAX_DEPTH;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum MessageError {
    #[error("expected {expected}, found {found}")]
    Unexpected { expected: String, found: String },
    /// An error in a field, or in an item of a list.
    #[error("{part}: {error}")]
    Within { part: String, error: Box<MessageError> },
    /// JSON or XML with a syntax error.
    #[error("{0}")]
    Syntax(String),
    #[error("the message is too short for its schema")]
    TooShort,
    #[error("the message is {0} bytes longer than its schema says")]
    TooLong(usize),
    #[error("the message ends within a field")]
    EndsWithinField,
    #[error("an offset of the FlatBuffer is outside of it")]
    OffsetOutside,
    #[error("the message has too many values")]
    TooManyValues,
    #[error("{0} are nested deeper than {MAX_DEPTH}")]
    TooDeep(&'static str),
    #[error("the field has another type than in the schema")]
    OtherType,
    #[error("wide strings are not supported")]
    WideString,
    #[error("the schema is missing")]
    NoSchema,
    #[error("the schema is not UTF-8")]
    SchemaNotUtf8,
    #[error("the names of the schema are too long")]
    NamesTooLong,
    #[error("unsupported {what} {name:?}")]
    Unsupported { what: &'static str, name: String },
    #[error("the schema does not define {0:?}")]
    UndefinedRoot(String),
    #[error("the type {0:?} is not defined")]
    UndefinedType(String),
    #[error("the type {kind:?} of the field {field:?} is not defined")]
    UndefinedFieldType { kind: String, field: String },
}

pub(super) type Result<T> = std::result::Result<T, MessageError>;

impl MessageError {
    pub(super) fn unexpected(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Unexpected { expected: expected.into(), found: found.into() }
    }

    pub(super) fn syntax(error: impl Display) -> Self {
        Self::Syntax(error.to_string())
    }

    /// Says in which part of the message the error is.
    pub(super) fn within(self, part: impl Display) -> Self {
        Self::Within { part: part.to_string(), error: Box::new(self) }
    }
}
