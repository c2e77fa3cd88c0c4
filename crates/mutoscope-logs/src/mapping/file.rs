//! The mapping file as TOML has it.

use std::{collections::BTreeMap, fmt};

use mutoscope_core::clip::{AxisDirection, SourceAxes};
use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};
use toml::Spanned;

use super::{ThreeAngles, TimeUnit, Zero};
use crate::names::{Numbering, length_of};

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MappingToml {
    pub(super) table: TableToml,
    pub(super) time: TimeToml,
    pub(super) space: SpaceToml,
    pub(super) long: Option<LongToml>,
    pub(super) nodes: Option<BTreeMap<String, NodeToml>>,
    pub(super) signals: Option<BTreeMap<String, Spanned<String>>>,
    pub(super) events: Option<EventsToml>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TableToml {
    #[serde(deserialize_with = "delimiter")]
    pub(super) delimiter: Option<u8>,
    #[serde(deserialize_with = "decimal")]
    pub(super) decimal: Option<u8>,
    pub(super) skip: Option<u32>,
    pub(super) header: Option<bool>,
    pub(super) missing: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TimeToml {
    pub(super) column: Option<Spanned<String>>,
    #[serde(deserialize_with = "time_unit")]
    pub(super) unit: Option<TimeUnit>,
    #[serde(deserialize_with = "rate")]
    pub(super) rate: Option<f64>,
    #[serde(deserialize_with = "zero")]
    pub(super) zero: Option<Zero>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SpaceToml {
    #[serde(deserialize_with = "axes")]
    pub(super) axes: Option<SourceAxes>,
    #[serde(deserialize_with = "length")]
    pub(super) unit: Option<f64>,
    #[serde(deserialize_with = "w_first")]
    pub(super) quaternion: Option<bool>,
    #[serde(deserialize_with = "euler")]
    pub(super) euler: Option<ThreeAngles>,
    #[serde(deserialize_with = "angles")]
    pub(super) angles: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LongToml {
    pub(super) node: Option<Spanned<String>>,
    pub(super) side: Option<Spanned<String>>,
    #[serde(deserialize_with = "numbering")]
    pub(super) numbering: Option<Numbering>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NodeToml {
    pub(super) position: Option<Spanned<Names<3>>>,
    pub(super) rotation: Option<Spanned<Names<4>>>,
    pub(super) euler: Option<Spanned<Names<3>>>,
    pub(super) rotation_vector: Option<Spanned<Names<3>>>,
    pub(super) direction: Option<Spanned<Names<3>>>,
    pub(super) yaw: Option<Spanned<String>>,
    pub(super) pitch: Option<Spanned<String>>,
    pub(super) scale: Option<Spanned<Names<3>>>,
    pub(super) tracked: Option<Spanned<String>>,
    pub(super) radius: Option<Spanned<String>>,
    pub(super) parent: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsToml {
    pub(super) column: Option<Spanned<String>>,
}

/// The names of `N` columns, or of one that holds a list.
#[derive(Debug)]
pub(super) struct Names<const N: usize>(pub(super) Vec<String>);

impl<'de, const N: usize> Deserialize<'de> for Names<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ListOrName<const N: usize>;
        impl<'de, const N: usize> Visitor<'de> for ListOrName<N> {
            type Value = Names<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the names of {N} columns, or of one that holds a list")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Names<N>, E> {
                Ok(Names(vec![name.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Names<N>, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = list.next_element::<String>()? {
                    names.push(name);
                }
                match names.len() {
                    1 => Ok(Names(names)),
                    count if count == N => Ok(Names(names)),
                    count => Err(A::Error::invalid_length(count, &self)),
                }
            }
        }
        from.deserialize_any(ListOrName)
    }
}

/// A word, or a number.
enum WordOrNumber {
    Word(String),
    Integer(i64),
    Number(f64),
}

impl<'de> Deserialize<'de> for WordOrNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = WordOrNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word or a number")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<WordOrNumber, E> {
                Ok(WordOrNumber::Word(word.to_owned()))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<WordOrNumber, E> {
                Ok(WordOrNumber::Integer(number))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<WordOrNumber, E> {
                Ok(WordOrNumber::Number(number))
            }
        }
        from.deserialize_any(Any)
    }
}

/// A word of a list, or an error that names those that there are.
fn word_of<'de, T, D: Deserializer<'de>>(
    from: D,
    words: &str,
    of: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, D::Error> {
    let word = String::deserialize(from)?;
    match of(&word) {
        Some(value) => Ok(Some(value)),
        None => Err(D::Error::custom(format!("expected {words}, found {word:?}"))),
    }
}

fn delimiter<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
    word_of(from, "one of \",\" \";\" \"\\t\" \" \"", |word| match word.as_bytes() {
        [only @ (b',' | b';' | b'\t' | b' ')] => Some(*only),
        _ => None,
    })
}

fn decimal<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
    word_of(from, "\".\" or \",\"", |word| match word.as_bytes() {
        [only @ (b'.' | b',')] => Some(*only),
        _ => None,
    })
}

fn time_unit<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimeUnit>, D::Error> {
    let words = TimeUnit::ALL.map(|unit| format!("{:?}", unit.word())).join(" ");
    word_of(from, &format!("one of {words}"), TimeUnit::of_word)
}

fn rate<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    positive(f64::deserialize(from)?, "frames a second")
}

/// A number above 0.
fn positive<E: Error>(number: f64, what: &str) -> Result<Option<f64>, E> {
    match number.is_finite() && number > 0.0 {
        true => Ok(Some(number)),
        false => Err(E::custom(format!("expected {what} above 0, found {number}"))),
    }
}

fn zero<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Zero>, D::Error> {
    match WordOrNumber::deserialize(from)? {
        WordOrNumber::Integer(number) => Ok(Some(Zero::AtInteger(number))),
        WordOrNumber::Number(number) if number.is_finite() => Ok(Some(Zero::At(number))),
        WordOrNumber::Word(word) if word == "first" => Ok(Some(Zero::First)),
        WordOrNumber::Word(word) if word == "file" => Ok(Some(Zero::File)),
        _ => Err(D::Error::custom("expected \"first\", \"file\" or a time in the file's unit")),
    }
}

fn axes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SourceAxes>, D::Error> {
    let words = Vec::<String>::deserialize(from)?;
    let error = || {
        let message = format!(
            "expected where x, y and z point, each along another axis: right or left, up or down, \
             forward or back; found {words:?}"
        );
        D::Error::custom(message)
    };
    let directions: Option<Vec<_>> =
        words.iter().map(|word| AxisDirection::of_word(word)).collect();
    let directions: Option<[AxisDirection; 3]> = directions.and_then(|it| it.try_into().ok());
    directions.and_then(SourceAxes::new).map(Some).ok_or_else(error)
}

fn length<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    match WordOrNumber::deserialize(from)? {
        WordOrNumber::Integer(number) => positive(number as f64, "metres"),
        WordOrNumber::Number(number) => positive(number, "metres"),
        WordOrNumber::Word(word) => length_of(&word).map(Some).ok_or_else(|| {
            let words = "\"mm\" \"cm\" \"m\" \"in\" \"ft\"";
            D::Error::custom(format!("expected one of {words}, or metres, found {word:?}"))
        }),
    }
}

fn w_first<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    word_of(from, "\"xyzw\" or \"wxyz\"", |word| match word {
        "xyzw" => Some(false),
        "wxyz" => Some(true),
        _ => None,
    })
}

fn euler<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ThreeAngles>, D::Error> {
    word_of(from, "an order of X, Y and Z, such as \"YXZ\", or \"vector\"", ThreeAngles::of_word)
}

fn angles<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    word_of(from, "\"degrees\" or \"radians\"", |word| match word {
        "degrees" => Some(1f64.to_radians()),
        "radians" => Some(1.0),
        _ => None,
    })
}

fn numbering<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Numbering>, D::Error> {
    let words = Numbering::ALL.map(|one| format!("{:?}", one.word())).join(" ");
    word_of(from, &format!("one of {words}"), |word| {
        Numbering::ALL.into_iter().find(|one| one.word() == word)
    })
}
