//! The mapping file: what the columns of a table mean, where they do not say it, or say it wrongly.

mod change;
mod exchange;
mod file;
mod parse;
mod write;

pub(crate) use write::{quoted, write};

mod log;

pub use change::{ColumnRole, MappingChange, changed_mapping};
pub use exchange::{mapping_as_json, mapping_file, mapping_of_json};
pub use log::{LogSpace, log_space};

/// The first lines of mapping files that are printed: of tables, and of logs.
pub(crate) const TITLES: [&str; 2] = [
    "# What the columns of the table mean. Edit it, and read the table with --columns, or keep it\n",
    "# The axes and the unit of the log.\n",
];

use mutoscope_core::clip::{EulerOrder, ReadMapping, SourceAxes};

use crate::names::Numbering;

/// The meanings of a table's columns. Members that are left out are recognised.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping {
    /// The name of the file in messages; empty where there is none.
    pub(crate) name: String,
    /// The file itself, if there is one.
    pub(crate) read_by: Option<ReadMapping>,
    pub(crate) table: TableOptions,
    pub(crate) time: TimeOptions,
    pub(crate) space: SpaceOptions,
    pub(crate) long: Option<LongOptions>,
    /// The only nodes that there are.
    pub(crate) nodes: Option<Vec<MappedNode>>,
    /// The names of the only signals that there are, with their columns.
    pub(crate) signals: Option<Vec<(String, Named)>>,
    /// The only column of events, if there is any.
    pub(crate) events: Option<EventOptions>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct EventOptions {
    pub(crate) column: Option<Named>,
}

impl Mapping {
    /// The same, read from this file.
    pub(crate) fn read_by(self, name: &str, text: &str, is_beside: bool) -> Self {
        let (name, text) = (name.to_owned(), text.to_owned());
        Self { read_by: Some(ReadMapping { name, text, is_beside }), ..self }
    }
}

/// How a text is divided into cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TableOptions {
    pub(crate) delimiter: Option<u8>,
    pub(crate) decimal: Option<u8>,
    /// The lines before the header.
    pub(crate) skip: Option<usize>,
    pub(crate) header: Option<bool>,
    /// Texts that stand for missing values, besides those that always do.
    pub(crate) missing: Vec<String>,
}

impl TableOptions {
    /// The numbers that stand for missing values.
    pub(crate) fn missing_numbers(&self) -> Vec<f64> {
        self.missing.iter().filter_map(|text| text.trim().parse().ok()).collect()
    }
}

/// A unit of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeUnit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    /// 100 ns.
    Ticks,
    Frames,
}

impl TimeUnit {
    pub(crate) const ALL: [Self; 6] = [
        Self::Seconds,
        Self::Milliseconds,
        Self::Microseconds,
        Self::Nanoseconds,
        Self::Ticks,
        Self::Frames,
    ];

    /// Its word in a mapping file.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
            Self::Nanoseconds => "ns",
            Self::Ticks => "ticks",
            Self::Frames => "frames",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.word() == word)
    }

    /// How many of it are a second; 1 of frames.
    pub(crate) fn per_second(self) -> f64 {
        match self {
            Self::Seconds | Self::Frames => 1.0,
            Self::Milliseconds => 1e3,
            Self::Microseconds => 1e6,
            Self::Nanoseconds => 1e9,
            Self::Ticks => 1e7,
        }
    }
}

/// The origin of times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Zero {
    /// The first row.
    First,
    /// As in the file.
    File,
    /// This time, in the file's unit.
    At(f64),
    /// This time, exactly.
    AtInteger(i64),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TimeOptions {
    pub(crate) column: Option<Named>,
    pub(crate) unit: Option<TimeUnit>,
    /// Frames a second.
    pub(crate) rate: Option<f64>,
    pub(crate) zero: Option<Zero>,
}

/// The order of Euler angles: the matrix product from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EulerProduct([u8; 3]);

impl EulerProduct {
    /// Unity's: Ry · Rx · Rz.
    pub(crate) const UNITY: Self = Self(*b"YXZ");

    /// The product with these letters.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        let letters: [u8; 3] = word.as_bytes().try_into().ok()?;
        let mut sorted = letters;
        sorted.sort_unstable();
        (sorted == *b"XYZ").then_some(Self(letters))
    }

    /// All of them, Unity's first.
    pub(crate) const ALL: [Self; 6] =
        [Self::UNITY, Self(*b"XYZ"), Self(*b"XZY"), Self(*b"YZX"), Self(*b"ZXY"), Self(*b"ZYX")];

    pub(crate) fn word(self) -> String {
        self.0.iter().map(|letter| char::from(*letter)).collect()
    }

    /// The same by which rotation is applied first: the last of the product.
    pub(crate) fn order(self) -> EulerOrder {
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

/// The meaning of three numbers of a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreeAngles {
    /// Angles about the axes.
    Product(EulerProduct),
    /// A rotation vector: the axis times the angle in radians.
    Vector,
}

impl ThreeAngles {
    /// The word for rotation vectors in a mapping file.
    pub(crate) const VECTOR: &str = "vector";

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        if word == Self::VECTOR {
            return Some(Self::Vector);
        }
        EulerProduct::of_word(word).map(Self::Product)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SpaceOptions {
    pub(crate) axes: Option<SourceAxes>,
    /// Metres in one unit.
    pub(crate) unit: Option<f64>,
    /// Whether W comes first in lists, and in columns without names of their own.
    pub(crate) is_w_first: Option<bool>,
    pub(crate) euler: Option<ThreeAngles>,
    /// Radians in one unit of angle.
    pub(crate) angles: Option<f64>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct LongOptions {
    pub(crate) node: Option<Named>,
    pub(crate) side: Option<Named>,
    pub(crate) numbering: Option<Numbering>,
}

/// The name of a column, with its line in the mapping file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) column: String,
    pub(crate) line: usize,
}

/// The columns of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct MappedNode {
    pub(crate) name: String,
    pub(crate) position: Option<Vec<Named>>,
    pub(crate) rotation: Option<Vec<Named>>,
    pub(crate) euler: Option<Vec<Named>>,
    pub(crate) rotation_vector: Option<Vec<Named>>,
    pub(crate) direction: Option<Vec<Named>>,
    pub(crate) scale: Option<Vec<Named>>,
    pub(crate) yaw: Option<Named>,
    pub(crate) pitch: Option<Named>,
    pub(crate) tracked: Option<Named>,
    pub(crate) radius: Option<Named>,
    pub(crate) parent: Option<Named>,
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

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
            let order = EulerProduct::of_word(word).map(EulerProduct::order);
            let turned = order.unwrap_or_default().rotation(angles);
            assert!(turned.angle_between(expected) < 1e-7, "{word}");
        }
        assert_eq!(EulerProduct::of_word("XXZ"), None);
    }
}
