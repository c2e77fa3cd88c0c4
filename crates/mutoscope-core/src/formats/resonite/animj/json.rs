//! Any JSON, read without a fixed schema.

use std::{borrow::Cow, fmt};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A JSON value that is neither an array nor an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'de> {
    Null,
    Bool(bool),
    Unsigned(u64),
    /// A whole number below 0.
    Signed(i64),
    /// A number with a point or an exponent, or one that no other holds.
    Float(f64),
    Text(Cow<'de, str>),
    /// An array or an object, which was skipped.
    Other(&'static str),
}

impl Scalar<'_> {
    /// The word for what it is.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Unsigned(_) | Self::Signed(_) => "a whole number",
            Self::Float(_) => "a number with a point",
            Self::Text(_) => "text",
            Self::Other(word) => word,
        }
    }

    /// The number that it is.
    pub(super) fn number(&self) -> Option<f64> {
        match *self {
            Self::Unsigned(number) => Some(number as f64),
            Self::Signed(number) => Some(number as f64),
            Self::Float(number) => Some(number),
            _ => None,
        }
    }
}

/// A consumer of one JSON value of any kind.
pub(super) trait Take<'de>: Sized {
    /// Of an object. Every member has to be taken.
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.scalar(Scalar::Other("an object"));
        Ok(())
    }

    /// Of an array. Every element has to be taken.
    fn array<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        self.scalar(Scalar::Other("an array"));
        Ok(())
    }

    /// Of anything else.
    fn scalar(self, scalar: Scalar<'de>);
}

/// Takes a scalar into a place for one.
impl<'de> Take<'de> for &mut Scalar<'de> {
    #[inline]
    fn scalar(self, scalar: Scalar<'de>) {
        *self = scalar;
    }
}

/// Lets serde read for a [`Take`].
pub(super) struct Reading<T>(pub(super) T);

impl<'de, T: Take<'de>> DeserializeSeed<'de> for Reading<T> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Take<'de>> Visitor<'de> for Reading<T> {
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

/// Reads the name of a member. One without escapes is a part of the text.
pub(super) struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
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
