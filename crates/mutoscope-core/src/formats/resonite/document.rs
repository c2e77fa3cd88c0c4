//! The content of a file of either format.

use std::sync::Arc;

use super::types::TypeInfo;
use crate::{
    clip::{Provenance, Values},
    diagnostics::SourceLocation,
};

/// An animation.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// Its name; empty if it has none.
    pub name: String,
    /// The declared duration, in seconds, if the file has one.
    pub global_duration: Option<f64>,
    /// Where the file declares it.
    pub duration_place: SourceLocation,
    /// Its tracks, in file order.
    pub tracks: Vec<Track>,
}

/// One timeline of values.
#[derive(Clone, Debug)]
pub struct Track {
    /// The slot that it is meant for, or whatever its author meant; may be empty.
    pub node: String,
    /// The field of the slot; may be empty.
    pub property: String,
    /// How its keys are laid out.
    pub track_type: TrackType,
    /// The type of its values.
    pub value_type: &'static TypeInfo,
    /// Its keys, in file order.
    pub keys: Keys,
    /// Its index in the file.
    pub index: usize,
    /// Whether it was read from JSON, where notices name it by its path.
    pub is_json: bool,
    /// Where the file has it and its keys, in file order.
    pub source: Provenance,
}

impl Track {
    /// Its name in notices: `tracks[3] (Arm.Rotation)`.
    pub fn name(&self) -> String {
        let path = if self.is_json {
            format!("tracks[{}]", self.index)
        } else {
            format!("track {}", self.index)
        };
        format!("{path} ({}.{})", self.node, self.property)
    }

    /// The name in notices of its key with this index in the file: `tracks[3].data.keyframes[7]`.
    pub fn key_name(&self, key: usize) -> String {
        let index = self.index;
        if self.is_json {
            format!("tracks[{index}].data.keyframes[{key}]")
        } else {
            format!("track {index}, key {key}")
        }
    }

    /// The time of its last key in seconds; 0 if it has none after that.
    pub fn end(&self) -> f64 {
        match &self.keys.times {
            Times::Even { interval } => {
                let gaps = self.keys.values.len().saturating_sub(1) as f64;
                interval.map_or(0.0, |interval| interval * gaps).max(0.0)
            }
            Times::Each(times) => {
                times.iter().copied().filter(|time| time.is_finite()).fold(0.0, f64::max)
            }
        }
    }
}

/// How the keys of a track are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackType {
    /// At even distances, in straight lines.
    Raw,
    /// Each at its time, held until the next.
    Discrete,
    /// Each at its time, with an interpolation to the next.
    Curve,
    /// Known by name only: read as a curve.
    Bezier,
}

impl TrackType {
    /// All of them, at the index that AnimX numbers them with.
    pub const ALL: [Self; 4] = [Self::Raw, Self::Discrete, Self::Curve, Self::Bezier];

    /// Its name, as AnimJ writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "Raw",
            Self::Discrete => "Discrete",
            Self::Curve => "Curve",
            Self::Bezier => "Bezier",
        }
    }
}

/// How a value runs from its key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Interpolation {
    /// It holds.
    #[default]
    Hold,
    /// In a straight line.
    Linear,
    /// By the tangents of both keys, in a way that is not public.
    Tangent,
    /// As a Bezier by the tangents of both keys, which are control values.
    CubicBezier,
}

impl Interpolation {
    /// All of them, at the index that AnimX numbers them with.
    pub const ALL: [Self; 4] = [Self::Hold, Self::Linear, Self::Tangent, Self::CubicBezier];

    /// Its name, as AnimJ writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hold => "Hold",
            Self::Linear => "Linear",
            Self::Tangent => "Tangent",
            Self::CubicBezier => "CubicBezier",
        }
    }

    /// Whether it goes by tangents.
    pub fn has_tangents(self) -> bool {
        matches!(self, Self::Tangent | Self::CubicBezier)
    }
}

/// The keys of a track, column by column.
///
/// # Invariants
/// All columns that are there are of the same length.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// Their times.
    pub times: Times,
    /// Their values.
    pub values: Columns,
    /// How they run on, on a track of the type [`TrackType::Curve`] or [`TrackType::Bezier`].
    pub interpolations: Interpolations,
    /// Their tangents, if any key has one.
    pub tangents: Option<Box<Tangents>>,
}

/// The times of keys, in seconds.
#[derive(Clone, Debug)]
pub enum Times {
    /// At even distances from 0.
    Even {
        /// The distance, if the file states one.
        interval: Option<f64>,
    },
    /// Each has its own; tracks that were keyed together may hold clones of the same.
    Each(Arc<[f64]>),
}

impl Default for Times {
    fn default() -> Self {
        Self::Each(Arc::default())
    }
}

/// The values of keys.
#[derive(Clone, Debug)]
pub enum Columns {
    /// A column for each component.
    Components(Vec<Values>),
    /// Words, or none.
    Texts(Vec<Option<Arc<str>>>),
}

impl Default for Columns {
    fn default() -> Self {
        Self::Texts(Vec::new())
    }
}

impl Columns {
    /// How many keys there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Components(columns) => columns.first().map_or(0, Values::len),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How keys run on to the next.
#[derive(Clone, Debug)]
pub enum Interpolations {
    /// All in the same way.
    All(Interpolation),
    /// Each in its own.
    Each(Vec<Interpolation>),
}

impl Default for Interpolations {
    fn default() -> Self {
        Self::All(Interpolation::Hold)
    }
}

impl Interpolations {
    /// The one of the key with this index.
    pub fn at(&self, index: usize) -> Interpolation {
        match self {
            Self::All(one) => *one,
            Self::Each(each) => each[index],
        }
    }
}

/// The tangents of keys, a column for each component.
#[derive(Clone, Debug, Default)]
pub struct Tangents {
    /// The in tangents; 0 where the file has none.
    pub left: Vec<Vec<f64>>,
    /// The out tangents; 0 where the file has none.
    pub right: Vec<Vec<f64>>,
    /// For each key, whether the file has the left and the right one; all of them if this is empty.
    pub given: Vec<[bool; 2]>,
}
