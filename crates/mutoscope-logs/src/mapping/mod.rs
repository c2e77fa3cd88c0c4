//! The mapping file, which states what the columns of a table mean if their names do not, or are
//! wrong.

mod answer;
mod change;
mod exchange;
mod file;
mod parse;
mod time_unit;
mod write;

pub(crate) use file::FromColumns;
pub(crate) use time_unit::TimeUnit;

pub(crate) use write::{lists_nodes, quote, quote_axes, write_mapping};

mod log;

pub use answer::{ReadingNumber, choose_readings, format_questions};
pub(crate) use change::state_reading;
pub use change::{ColumnRole, MappingChange, change_mapping};
pub use exchange::{mapping_from_json, mapping_to_json, read_mapping_file};
pub use log::{LogSpace, log_space};

pub(crate) const TITLES: [&str; 2] = [
    "# What the columns of the table mean. Edit it, and read the table with --columns, or keep it\n",
    "# The axes and the unit of the log.\n",
];

use std::collections::BTreeMap;

use mutoscope_core::clip::{AppliedMapping, EulerOrder, SourceAxes};

use crate::numbering::Numbering;

/// The meanings of a table's columns. If a field is `None`, its meaning is recognised from the
/// table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping {
    pub(crate) name: String,
    pub(crate) read_by: Option<AppliedMapping>,
    pub(crate) table: TableOptions,
    pub(crate) time: TimeOptions,
    pub(crate) space: SpaceOptions,
    pub(crate) long: Option<LongOptions>,
    /// All nodes. If this is `Some`, no other nodes are recognised.
    pub(crate) nodes: Option<Vec<MappedNode>>,
    /// The values of all flags that have no rule of their own.
    pub(crate) flags: Option<FlagRule>,
    /// Nodes, each with the node at which its bone begins. If several people have such nodes, each has
    /// such bones.
    pub(crate) bones: Vec<(String, String)>,
    /// All signals, with their names. If this is `Some`, no other signals are recognised.
    pub(crate) signals: Option<Vec<(String, NamedColumn)>>,
    /// Columns that stay signals by the user's choice. If this is `Some`, columns that are not in
    /// `nodes` may still be asked about.
    pub(crate) settled_signals: Option<Vec<NamedColumn>>,
    /// The column of events, which may be no column. If this is `Some`, no other column of events is
    /// recognised.
    pub(crate) events: Option<EventOptions>,
    /// Placeholders whose names come from the table's columns.
    pub(crate) open_placeholders: Vec<(String, FromColumns)>,
    /// The program that writes such tables, in an entry of the catalogue.
    pub(crate) logger: Option<Logger>,
}

/// A program that writes tables with documented columns.
#[derive(Clone, Debug)]
pub(crate) struct Logger {
    pub(crate) name: String,
    /// The page that documents the columns.
    pub(crate) source: String,
    /// Sets of columns. A table of the program has all columns of one of these sets.
    pub(crate) headers: Vec<Vec<String>>,
    /// Strings that the first lines of the file contain.
    pub(crate) lines: Vec<String>,
    /// The name of the file, in which `*` stands for any text.
    pub(crate) file: Option<String>,
    /// The number of columns of a table without a header.
    pub(crate) column_count: Option<usize>,
    /// The meaning of the columns, if only their values show it: times that increase, and
    /// quaternions of length 1, in cells that blanks separate.
    pub(crate) assumed_columns: Option<String>,
    /// `true` if the table must not have any other column.
    pub(crate) has_no_other_columns: bool,
    /// The frame of reference of the positions, if it moves.
    pub(crate) frame: Option<String>,
    /// `true` if the gaze is relative to the head, so that it looks forward on average.
    pub(crate) looks_forward: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct EventOptions {
    pub(crate) column: Option<NamedColumn>,
}

impl Mapping {
    pub(crate) fn with_file(self, name: &str, text: &str, is_beside: bool) -> Self {
        let (name, text) = (name.to_owned(), text.to_owned());
        Self { read_by: Some(AppliedMapping { name, text, is_sidecar: is_beside }), ..self }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TableOptions {
    pub(crate) delimiter: Option<u8>,
    pub(crate) decimal: Option<u8>,
    pub(crate) skip: Option<usize>,
    pub(crate) header: Option<bool>,
    pub(crate) missing: Vec<String>,
}

impl TableOptions {
    pub(crate) fn missing_numbers(&self) -> Vec<f64> {
        self.missing.iter().filter_map(|text| text.trim().parse().ok()).collect()
    }
}

/// The time that becomes time 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TimeZero {
    /// The time of the first row.
    First,
    /// The zero of the file's own times.
    File,
    /// This time, in the file's unit.
    At(f64),
    /// This time, in the file's unit, as an integer, so that nanoseconds are exact.
    AtInteger(i64),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TimeOptions {
    pub(crate) column: Option<NamedColumn>,
    /// The second of two time columns: the part of a second if `column` holds whole seconds, or the
    /// time of day if `column` holds dates.
    pub(crate) finer_column: Option<NamedColumn>,
    pub(crate) date_order: Option<DateOrder>,
    pub(crate) unit: Option<TimeUnit>,
    pub(crate) rate_hz: Option<f64>,
    pub(crate) zero: Option<TimeZero>,
}

/// The order of day and month in dates that do not begin with the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateOrder {
    DayFirst,
    MonthFirst,
}

impl DateOrder {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::DayFirst => "day/month/year",
            Self::MonthFirst => "month/day/year",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Self> {
        [Self::DayFirst, Self::MonthFirst].into_iter().find(|order| order.as_str() == word)
    }
}

/// The letters of a rotation matrix product, from left to right. The last rotation is applied
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EulerProduct([u8; 3]);

impl EulerProduct {
    /// Unity uses Ry · Rx · Rz.
    pub(crate) const UNITY: Self = Self(*b"YXZ");

    pub(crate) fn parse(word: &str) -> Option<Self> {
        let letters: [u8; 3] = word.as_bytes().try_into().ok()?;
        let mut sorted = letters;
        sorted.sort_unstable();
        (sorted == *b"XYZ").then_some(Self(letters))
    }

    /// All products. Unity's product is the first, so that the choice lists it first.
    pub(crate) const ALL: [Self; 6] =
        [Self::UNITY, Self(*b"XYZ"), Self(*b"XZY"), Self(*b"YZX"), Self(*b"ZXY"), Self(*b"ZYX")];

    pub(crate) fn letters(self) -> String {
        self.0.iter().map(|letter| char::from(*letter)).collect()
    }

    pub(crate) fn to_euler_order(self) -> EulerOrder {
        match &self.0 {
            b"ZYX" => EulerOrder::Xyz,
            b"XZY" => EulerOrder::Yzx,
            b"YXZ" => EulerOrder::Zxy,
            b"YZX" => EulerOrder::Xzy,
            b"ZXY" => EulerOrder::Yxz,
            _ => EulerOrder::Zyx,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreeAngles {
    /// Angles about the three axes.
    Product(EulerProduct),
    /// A rotation vector, which is the axis times the angle.
    Vector,
}

impl ThreeAngles {
    pub(crate) const VECTOR: &str = "vector";

    pub(crate) fn parse(word: &str) -> Option<Self> {
        if word == Self::VECTOR {
            return Some(Self::Vector);
        }
        EulerProduct::parse(word).map(Self::Product)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SpaceOptions {
    pub(crate) axes: Option<SourceAxes>,
    /// The columns of a vector that points down. They determine the axes if `axes` is `None`.
    pub(crate) gravity: Option<Vec<NamedColumn>>,
    pub(crate) metres_per_unit: Option<f64>,
    /// `true` if lists store W first. Columns that name their components are not affected.
    pub(crate) is_w_first: Option<bool>,
    pub(crate) euler: Option<ThreeAngles>,
    pub(crate) radians_per_unit: Option<f64>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct LongOptions {
    pub(crate) node: Option<NamedColumn>,
    pub(crate) side: Option<NamedColumn>,
    /// The column of the person or the object to which the node of a row belongs.
    pub(crate) group: Option<NamedColumn>,
    pub(crate) numbering: Option<Numbering>,
    /// The names of nodes, by their labels or numbers in the file.
    pub(crate) names: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedColumn {
    pub(crate) column: String,
    pub(crate) line: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct MappedNode {
    pub(crate) name: String,
    pub(crate) position: Option<Vec<NamedColumn>>,
    pub(crate) rotation: Option<Vec<NamedColumn>>,
    pub(crate) euler: Option<Vec<NamedColumn>>,
    pub(crate) rotation_vector: Option<Vec<NamedColumn>>,
    pub(crate) direction: Option<Vec<NamedColumn>>,
    pub(crate) scale: Option<Vec<NamedColumn>>,
    pub(crate) yaw: Option<NamedColumn>,
    pub(crate) pitch: Option<NamedColumn>,
    /// Two angles a and b of a direction: tan a = x / z and tan b = y / z, in the file's axes.
    pub(crate) tangents: Option<Vec<NamedColumn>>,
    pub(crate) tracked: Option<NamedColumn>,
    /// The values of the column `tracked`. `None` if `[flags]` or the known words apply.
    pub(crate) flag_rule: Option<FlagRule>,
    /// A column that is negative if the pose is invalid.
    pub(crate) confidence: Option<NamedColumn>,
    pub(crate) radius: Option<NamedColumn>,
    pub(crate) parent: Option<NamedColumn>,
    pub(crate) length_units: Option<[f64; 3]>,
    pub(crate) radians_per_unit: Option<f64>,
    /// The directions of x, y and z, if they are not those of the other nodes.
    pub(crate) axes: Option<SourceAxes>,
    /// `true` if the rotation turns from the world to the node, instead of from the node to the world.
    pub(crate) has_inverse_rotation: bool,
}

/// The values of a column that states if a pose is valid. A missing value means that it is not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FlagRule {
    /// The only values of valid poses. If this is empty, all values except those in `no` are valid.
    pub(crate) yes: Vec<FlagValue>,
    pub(crate) no: Vec<FlagValue>,
    /// The bits of an integer that are all set if the pose is valid.
    pub(crate) bits: Option<u32>,
    /// The smallest number of a valid pose.
    pub(crate) min: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FlagValue {
    Text(String),
    Number(f64),
}

impl FlagRule {
    /// Returns `true` if a cell with this text or number means that the pose is valid.
    pub(crate) fn allows(&self, text: Option<&str>, number: f64) -> bool {
        if text.is_none() && number.is_nan() {
            return false;
        }
        let is_value = |value: &FlagValue| match (value, text) {
            (FlagValue::Text(value), Some(text)) => value.to_lowercase() == text.to_lowercase(),
            (FlagValue::Number(value), None) => *value == number,
            _ => false,
        };
        let bits = self.bits.map_or(0, u64::from);
        (self.yes.is_empty() || self.yes.iter().any(is_value))
            && !self.no.iter().any(is_value)
            && (bits == 0 || number >= 0.0 && number as u64 & bits == bits)
            && self.min.is_none_or(|min| number >= min)
    }
}

impl MappedNode {
    /// Returns the properties that have several columns or a column of lists, and those that have
    /// one column.
    pub(crate) fn properties_mut(
        &mut self,
    ) -> ([&mut Option<Vec<NamedColumn>>; 7], [&mut Option<NamedColumn>; 5]) {
        let vectors = [
            &mut self.position,
            &mut self.rotation,
            &mut self.euler,
            &mut self.rotation_vector,
            &mut self.direction,
            &mut self.scale,
            &mut self.tangents,
        ];
        let singles = [
            &mut self.yaw,
            &mut self.pitch,
            &mut self.tracked,
            &mut self.confidence,
            &mut self.radius,
        ];
        (vectors, singles)
    }

    /// Returns all columns.
    pub(crate) fn columns_mut(&mut self) -> Vec<&mut NamedColumn> {
        let (vectors, singles) = self.properties_mut();
        vectors.into_iter().flatten().flatten().chain(singles.into_iter().flatten()).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

    #[test]
    fn flag_rules_compare_words_numbers_and_bits() {
        let word = |word: &str| FlagValue::Text(word.to_owned());
        let valid =
            FlagRule { yes: vec![word("Valid"), FlagValue::Number(2.0)], ..FlagRule::default() };
        let not_lost = FlagRule { no: vec![word("lost")], ..FlagRule::default() };
        let bits = FlagRule { bits: Some(3), ..FlagRule::default() };
        let min = FlagRule { min: Some(0.5), ..FlagRule::default() };
        let cases = [
            (&valid, Some("valid"), f64::NAN, true),
            (&valid, Some("Invalid"), f64::NAN, false),
            (&valid, None, 2.0, true),
            (&valid, None, 1.0, false),
            (&valid, None, f64::NAN, false),
            (&not_lost, Some("Lost"), f64::NAN, false),
            (&not_lost, Some("held"), f64::NAN, true),
            (&bits, None, 31.0, true),
            (&bits, None, 8.0, false),
            (&bits, None, -1.0, false),
            (&min, None, 0.5, true),
            (&min, None, 0.4, false),
        ];
        for (rule, text, number, expected) in cases {
            assert_eq!(rule.allows(text, number), expected, "{rule:?} {text:?} {number}");
        }
    }

    #[test]
    fn euler_products_are_applied_from_the_right() {
        let angles = DVec3::new(0.3, -1.1, 0.8);
        let x = DQuat::from_rotation_x(angles.x);
        let y = DQuat::from_rotation_y(angles.y);
        let z = DQuat::from_rotation_z(angles.z);
        let cases = [
            ("XYZ", x * y * z),
            ("XZY", x * z * y),
            ("YXZ", y * x * z),
            ("YZX", y * z * x),
            ("ZXY", z * x * y),
            ("ZYX", z * y * x),
        ];
        for (word, expected) in cases {
            let order = EulerProduct::parse(word).map(EulerProduct::to_euler_order);
            let turned = order.unwrap_or_default().rotation_from_angles(angles);
            assert!(turned.angle_between(expected) < 1e-7, "{word}");
        }
        assert_eq!(EulerProduct::parse("XXZ"), None);
    }
}
