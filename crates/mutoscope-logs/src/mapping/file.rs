//! The structure of the mapping file in TOML.

use std::{collections::BTreeMap, fmt};

use mutoscope_core::clip::{AxisDirection, SourceAxes};
use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};
use toml::Spanned;

use super::{DateOrder, FlagValue, ThreeAngles, TimeUnit, TimeZero};
use crate::{names::parse_length_unit, numbering::Numbering};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MappingToml {
    pub(super) table: TableToml,
    pub(super) time: TimeToml,
    pub(super) space: SpaceToml,
    pub(super) long: Option<LongToml>,
    pub(super) nodes: Option<BTreeMap<String, NodeToml>>,
    /// The joint at which the bone of a node begins.
    pub(super) bones: BTreeMap<String, String>,
    /// The values of all flags that have no rule of their own.
    pub(super) flags: Option<FlagsToml>,
    pub(super) signals: Option<BTreeMap<String, Spanned<String>>>,
    pub(super) questions: Option<QuestionsToml>,
    pub(super) events: Option<EventsToml>,
    pub(super) logger: Option<LoggerToml>,
    /// The meaning of each placeholder in node names and column names.
    pub(super) names: BTreeMap<String, PlaceholderToml>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected names with their texts, or \"*\" or \"#\"")]
pub(super) enum PlaceholderToml {
    /// The names that replace the placeholder in node names. The value of a name replaces it in
    /// column names.
    Listed(BTreeMap<String, String>),
    /// The names come from the table's columns: any text (`*`) or digits (`#`).
    FromColumns(FromColumns),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum FromColumns {
    #[serde(rename = "*")]
    AnyText,
    #[serde(rename = "#")]
    Digits,
}

/// The program that writes tables with these columns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoggerToml {
    pub(super) name: String,
    /// The page that documents the columns.
    pub(super) source: String,
    #[serde(default)]
    pub(super) headers: Vec<Vec<String>>,
    #[serde(default)]
    pub(super) lines: Vec<String>,
    pub(super) file: Option<String>,
    pub(super) columns: Option<usize>,
    pub(super) assumed_columns: Option<String>,
    #[serde(default)]
    pub(super) only: bool,
    pub(super) frame: Option<String>,
    #[serde(default)]
    pub(super) looks_forward: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TableToml {
    #[serde(deserialize_with = "deserialize_delimiter")]
    pub(super) delimiter: Option<u8>,
    #[serde(deserialize_with = "deserialize_decimal")]
    pub(super) decimal: Option<u8>,
    pub(super) skip: Option<u32>,
    pub(super) header: Option<bool>,
    pub(super) missing: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TimeToml {
    pub(super) column: Option<Spanned<Names<2>>>,
    #[serde(deserialize_with = "deserialize_date_order")]
    pub(super) dates: Option<DateOrder>,
    #[serde(deserialize_with = "deserialize_time_unit")]
    pub(super) unit: Option<TimeUnit>,
    #[serde(deserialize_with = "deserialize_rate")]
    pub(super) rate: Option<f64>,
    #[serde(deserialize_with = "deserialize_zero")]
    pub(super) zero: Option<TimeZero>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SpaceToml {
    #[serde(deserialize_with = "deserialize_axes")]
    pub(super) axes: Option<SourceAxes>,
    pub(super) gravity: Option<Spanned<Names<3>>>,
    #[serde(deserialize_with = "deserialize_length")]
    pub(super) unit: Option<f64>,
    #[serde(deserialize_with = "deserialize_w_first")]
    pub(super) quaternion: Option<bool>,
    #[serde(deserialize_with = "deserialize_euler")]
    pub(super) euler: Option<ThreeAngles>,
    #[serde(deserialize_with = "deserialize_angles")]
    pub(super) angles: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LongToml {
    pub(super) node: Option<Spanned<String>>,
    pub(super) side: Option<Spanned<String>>,
    pub(super) group: Option<Spanned<String>>,
    #[serde(deserialize_with = "deserialize_numbering")]
    pub(super) numbering: Option<Numbering>,
    pub(super) names: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NodeToml {
    pub(super) position: Option<Spanned<Names<3>>>,
    pub(super) rotation: Option<Spanned<Names<4>>>,
    pub(super) euler: Option<Spanned<Names<3>>>,
    pub(super) rotation_vector: Option<Spanned<Names<3>>>,
    pub(super) inverse_rotation: bool,
    pub(super) direction: Option<Spanned<Names<3>>>,
    pub(super) yaw: Option<Spanned<String>>,
    pub(super) pitch: Option<Spanned<String>>,
    pub(super) tangents: Option<Spanned<Names<2>>>,
    pub(super) scale: Option<Spanned<Names<3>>>,
    pub(super) tracked: Option<Spanned<FlagToml>>,
    pub(super) confidence: Option<Spanned<String>>,
    pub(super) radius: Option<Spanned<String>>,
    pub(super) parent: Option<Spanned<String>>,
    #[serde(deserialize_with = "deserialize_lengths")]
    pub(super) unit: Option<[f64; 3]>,
    #[serde(deserialize_with = "deserialize_angles")]
    pub(super) angles: Option<f64>,
    #[serde(deserialize_with = "deserialize_axes")]
    pub(super) axes: Option<SourceAxes>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a column, or a table with column and yes, no, bits or min")]
pub(super) enum FlagToml {
    Column(String),
    WithRule(FlagWithRuleToml),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FlagWithRuleToml {
    pub(super) column: String,
    #[serde(default)]
    pub(super) yes: Vec<FlagValue>,
    #[serde(default)]
    pub(super) no: Vec<FlagValue>,
    pub(super) bits: Option<u32>,
    pub(super) min: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FlagsToml {
    #[serde(default)]
    pub(super) yes: Vec<FlagValue>,
    #[serde(default)]
    pub(super) no: Vec<FlagValue>,
}

impl<'de> Deserialize<'de> for FlagValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match WordOrNumber::deserialize(from)? {
            WordOrNumber::Word(word) => Self::Text(word),
            WordOrNumber::Integer(number) => Self::Number(number as f64),
            WordOrNumber::Number(number) => Self::Number(number),
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsToml {
    pub(super) column: Option<Spanned<String>>,
}

/// Answers to questions about columns.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct QuestionsToml {
    /// Columns that stay signals.
    pub(super) signals: Vec<Spanned<String>>,
}

/// The names of `N` columns, or the name of one column that holds lists.
#[derive(Debug)]
pub(super) struct Names<const N: usize>(pub(super) Vec<String>);

impl<'de, const N: usize> Deserialize<'de> for Names<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ListOrName<const N: usize>;
        impl<'de, const N: usize> Visitor<'de> for ListOrName<N> {
            type Value = Names<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the names of {N} columns, or the name of one column of lists")
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
                f.write_str("a string or a number")
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

fn parse_word<'de, T, D: Deserializer<'de>>(
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

fn deserialize_delimiter<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
    parse_word(from, "one of \",\" \";\" \"\\t\" \" \"", |word| match word.as_bytes() {
        [only @ (b',' | b';' | b'\t' | b' ')] => Some(*only),
        _ => None,
    })
}

fn deserialize_decimal<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
    parse_word(from, "\".\" or \",\"", |word| match word.as_bytes() {
        [only @ (b'.' | b',')] => Some(*only),
        _ => None,
    })
}

fn deserialize_time_unit<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimeUnit>, D::Error> {
    let words = TimeUnit::ALL.map(|unit| format!("{:?}", unit.as_str())).join(" ");
    parse_word(from, &format!("one of {words}"), TimeUnit::parse)
}

fn deserialize_date_order<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<DateOrder>, D::Error> {
    parse_word(from, "\"day/month/year\" or \"month/day/year\"", DateOrder::parse)
}

fn deserialize_rate<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    require_positive(f64::deserialize(from)?, "frames a second")
}

fn require_positive<E: Error>(number: f64, what: &str) -> Result<Option<f64>, E> {
    match number.is_finite() && number > 0.0 {
        true => Ok(Some(number)),
        false => Err(E::custom(format!("expected {what} above 0, found {number}"))),
    }
}

fn deserialize_zero<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimeZero>, D::Error> {
    match WordOrNumber::deserialize(from)? {
        WordOrNumber::Integer(number) => Ok(Some(TimeZero::AtInteger(number))),
        WordOrNumber::Number(number) if number.is_finite() => Ok(Some(TimeZero::At(number))),
        WordOrNumber::Word(word) if word == "first" => Ok(Some(TimeZero::First)),
        WordOrNumber::Word(word) if word == "file" => Ok(Some(TimeZero::File)),
        _ => Err(D::Error::custom("expected \"first\", \"file\" or a time in the file's unit")),
    }
}

fn deserialize_axes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SourceAxes>, D::Error> {
    let words = Vec::<String>::deserialize(from)?;
    let error = || {
        let message = format!(
            "expected the directions of x, y and z, each on a different axis: right or left, up or \
             down, forward or back; found {words:?}"
        );
        D::Error::custom(message)
    };
    let directions: Option<Vec<_>> =
        words.iter().map(|word| AxisDirection::from_name(word)).collect();
    let directions: Option<[AxisDirection; 3]> = directions.and_then(|it| it.try_into().ok());
    directions.and_then(SourceAxes::new).map(Some).ok_or_else(error)
}

fn deserialize_length<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    match WordOrNumber::deserialize(from)? {
        WordOrNumber::Integer(number) => require_positive(number as f64, "metres"),
        WordOrNumber::Number(number) => require_positive(number, "metres"),
        WordOrNumber::Word(word) => parse_length_unit(&word).map(Some).ok_or_else(|| {
            let words = "\"mm\" \"cm\" \"m\" \"in\" \"ft\"";
            D::Error::custom(format!("expected one of {words}, or metres, found {word:?}"))
        }),
    }
}

/// Reads one unit for x, y and z, or a unit for each.
fn deserialize_lengths<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 3]>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a unit of length, or a unit for each of x, y and z")]
    enum OneOrThree {
        One(#[serde(deserialize_with = "deserialize_length")] Option<f64>),
        Three(Vec<Length>),
    }
    #[derive(Deserialize)]
    struct Length(#[serde(deserialize_with = "deserialize_length")] Option<f64>);
    match OneOrThree::deserialize(from)? {
        OneOrThree::One(metres) => Ok(metres.map(|metres| [metres; 3])),
        OneOrThree::Three(lengths) => {
            let metres: Option<Vec<f64>> = lengths.iter().map(|length| length.0).collect();
            let metres = metres.and_then(|metres| metres.try_into().ok());
            let error = || D::Error::invalid_length(lengths.len(), &"three units of length");
            metres.map(Some).ok_or_else(error)
        }
    }
}

fn deserialize_w_first<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    parse_word(from, "\"xyzw\" or \"wxyz\"", |word| match word {
        "xyzw" => Some(false),
        "wxyz" => Some(true),
        _ => None,
    })
}

fn deserialize_euler<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ThreeAngles>, D::Error> {
    parse_word(from, "an order of X, Y and Z, such as \"YXZ\", or \"vector\"", ThreeAngles::parse)
}

fn deserialize_angles<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    parse_word(from, "\"degrees\" or \"radians\"", |word| match word {
        "degrees" => Some(1f64.to_radians()),
        "radians" => Some(1.0),
        _ => None,
    })
}

fn deserialize_numbering<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Numbering>, D::Error> {
    let words: Vec<_> = Numbering::all().map(|one| format!("{:?}", one.as_str())).collect();
    parse_word(from, &format!("one of {}", words.join(" ")), Numbering::from_name)
}
