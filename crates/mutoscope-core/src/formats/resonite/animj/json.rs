//! Reads JSON of any shape through serde, so that unexpected values can be reported and skipped.

use std::{borrow::Cow, fmt};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'de> {
    Null,
    Bool(bool),
    Unsigned(u64),
    /// A negative integer.
    Signed(i64),
    /// A number with a decimal point or an exponent, or one that is too large for 64 bits.
    Float(f64),
    Text(Cow<'de, str>),
    /// An array or an object, which was skipped. The string names it in messages: `an array`.
    Other(&'static str),
}

impl Scalar<'_> {
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Unsigned(_) | Self::Signed(_) => "an integer",
            Self::Float(_) => "a decimal number",
            Self::Text(_) => "a string",
            Self::Other(word) => word,
        }
    }

    pub(super) fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::Unsigned(number) => Some(number as f64),
            Self::Signed(number) => Some(number as f64),
            Self::Float(number) => Some(number),
            _ => None,
        }
    }
}

pub(super) trait JsonSink<'de>: Sized {
    /// Receives an object. Implementations must read every member, because serde fails otherwise.
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.scalar(Scalar::Other("an object"));
        Ok(())
    }

    /// Receives an array. Implementations must read every element, because serde fails otherwise.
    fn array<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        self.scalar(Scalar::Other("an array"));
        Ok(())
    }

    /// Receives any other value. An array or object arrives here as [`Scalar::Other`] unless its
    /// own method is overridden.
    fn scalar(self, scalar: Scalar<'de>);
}

impl<'de> JsonSink<'de> for &mut Scalar<'de> {
    #[inline]
    fn scalar(self, scalar: Scalar<'de>) {
        *self = scalar;
    }
}

pub(super) struct SinkSeed<T>(pub(super) T);

impl<'de, T: JsonSink<'de>> DeserializeSeed<'de> for SinkSeed<T> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: JsonSink<'de>> Visitor<'de> for SinkSeed<T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("anything")
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        self.0.object(members)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<(), A::Error> {
        self.0.array(elements)
    }

    #[inline]
    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.scalar(Scalar::Null);
        Ok(())
    }

    #[inline]
    fn visit_bool<E>(self, is_true: bool) -> Result<(), E> {
        self.0.scalar(Scalar::Bool(is_true));
        Ok(())
    }

    #[inline]
    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.0.scalar(Scalar::Unsigned(number));
        Ok(())
    }

    #[inline]
    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.0.scalar(Scalar::Signed(number));
        Ok(())
    }

    #[inline]
    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.0.scalar(Scalar::Float(number));
        Ok(())
    }

    #[inline]
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.0.scalar(Scalar::Text(Cow::Borrowed(text)));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.scalar(Scalar::Text(Cow::Owned(text.to_owned())));
        Ok(())
    }
}

/// Reads the name of a member. A name without escapes is borrowed from the text, so that the caller
/// can compute the offset of the name.
pub(super) struct NameSeed;

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Cow<'de, str>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameSeed {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name")
    }

    #[inline]
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}
