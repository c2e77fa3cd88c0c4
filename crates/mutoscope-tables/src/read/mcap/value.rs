//! The values of a message. All encodings are decoded to these.

use std::borrow::Cow;

use super::error::{MessageError, Result};

/// Messages nest at most this deep.
pub(super) const MAX_DEPTH: usize = 32;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// A field that the schema declares, but that the message does not have.
    Missing,
    Integer(i64),
    Number(f64),
    Text(Cow<'a, str>),
    /// An array of values of one byte each.
    Bytes(&'a [u8]),
    Numbers(Vec<f64>),
    List(Vec<Value<'a>>),
    Record(Vec<(Cow<'a, str>, Value<'a>)>),
}

/// The number of values that a message may still have. Schemas with nested arrays of empty
/// messages, and FlatBuffers that refer to one table several times, would otherwise yield far more
/// values than the message has bytes.
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn for_message(data: &[u8]) -> Self {
        Self(data.len().saturating_mul(64).saturating_add(4096))
    }

    pub(super) fn spend(&mut self, values: usize) -> Result<()> {
        self.0 = self.0.checked_sub(values).ok_or(MessageError::TooManyValues)?;
        Ok(())
    }
}

impl Value<'_> {
    /// Returns a field of a record, or `None` if the record does not declare it. Case and
    /// underscores are ignored, because Protobuf's JSON has `frameId` for `frame_id`.
    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        let Self::Record(fields) = self else { return None };
        let exact = fields.iter().find(|(key, _)| key == name);
        exact.or_else(|| fields.iter().find(|(key, _)| is_same_name(key, name))).map(|(_, it)| it)
    }

    pub(super) fn require(&self, name: &str) -> Result<&Self> {
        self.field(name)
            .ok_or_else(|| MessageError::unexpected(format!("a field {name:?}"), self.describe()))
    }

    pub(super) fn is_missing(&self) -> bool {
        *self == Self::Missing
    }

    pub(super) fn number(&self) -> Result<f64> {
        match self {
            Self::Missing => Ok(0.0),
            Self::Integer(integer) => Ok(*integer as f64),
            Self::Number(number) => Ok(*number),
            other => Err(MessageError::unexpected("a number", other.describe())),
        }
    }

    pub(super) fn integer(&self) -> Result<i64> {
        match self {
            Self::Missing => Ok(0),
            Self::Integer(integer) => Ok(*integer),
            // JSON has only one kind of numbers.
            Self::Number(number) if number.fract() == 0.0 => Ok(*number as i64),
            // Protobuf's JSON has strings for integers of 64 bits.
            Self::Text(text) => text
                .parse()
                .map_err(|_| MessageError::unexpected("an integer", format!("{text:?}"))),
            other => Err(MessageError::unexpected("an integer", other.describe())),
        }
    }

    pub(super) fn is_true(&self) -> Result<bool> {
        Ok(self.number()? != 0.0)
    }

    pub(super) fn text(&self) -> Result<&str> {
        match self {
            Self::Missing => Ok(""),
            Self::Text(text) => Ok(text),
            other => Err(MessageError::unexpected("a string", other.describe())),
        }
    }

    pub(super) fn list(&self) -> Result<&[Self]> {
        match self {
            Self::Missing => Ok(&[]),
            Self::List(list) => Ok(list),
            Self::Numbers(numbers) if numbers.is_empty() => Ok(&[]),
            other => Err(MessageError::unexpected("a list", other.describe())),
        }
    }

    /// Returns the numbers of an array.
    pub(super) fn numbers(&self) -> Result<Cow<'_, [f64]>> {
        match self {
            Self::Numbers(numbers) => Ok(numbers.into()),
            Self::Bytes(bytes) => Ok(bytes.iter().copied().map(f64::from).collect()),
            other => other.list()?.iter().map(Self::number).collect(),
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Missing => "no value".to_owned(),
            Self::Integer(integer) => integer.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(_) => "a string".to_owned(),
            Self::Bytes(_) | Self::Numbers(_) => "an array of numbers".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Record(fields) if fields.is_empty() => "no fields".to_owned(),
            Self::Record(fields) => {
                let names: Vec<_> = fields.iter().take(8).map(|(name, _)| &**name).collect();
                format!("the fields {}", names.join(", "))
            }
        }
    }
}

fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| {
        let bytes: Vec<u8> = name.bytes().filter(|byte| *byte != b'_').collect();
        bytes.to_ascii_lowercase()
    };
    letters(one) == letters(other)
}

impl From<serde_json::Value> for Value<'_> {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match value {
            Json::Null => Self::Missing,
            Json::Bool(is_true) => Self::Integer(i64::from(is_true)),
            Json::Number(number) => match number.as_i64() {
                Some(integer) => Self::Integer(integer),
                None => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => Self::Text(text.into()),
            Json::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Json::Object(fields) => {
                let fields = fields.into_iter().map(|(name, value)| (name.into(), value.into()));
                Self::Record(fields.collect())
            }
        }
    }
}
