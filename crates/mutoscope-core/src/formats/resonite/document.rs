//! The content of an AnimJ or AnimX file.

use std::sync::Arc;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::types::TypeInfo;
use crate::{
    clip::{TrackLocation, Values},
    diagnostics::SourceLocation,
};

/// An animation of Resonite.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// The name, or an empty string if the animation has none.
    pub name: String,
    /// The declared duration, in seconds, if the file has one.
    pub global_duration: Option<f64>,
    /// The location of the declared duration.
    pub duration_location: SourceLocation,
    /// The tracks, in file order.
    pub tracks: Vec<Track>,
}

/// A track: the keys of one property.
#[derive(Clone, Debug)]
pub struct Track {
    /// The name of the slot that the track drives. It may be empty or mean something else to the
    /// author.
    pub node: String,
    /// The name of the slot's field. It may be empty.
    pub property: String,
    /// The layout of the keys.
    pub track_type: TrackType,
    /// The type of the values.
    pub value_type: &'static TypeInfo,
    /// The keys, in file order.
    pub keys: Keys,
    /// The index of the track in the file.
    pub index: usize,
    /// `true` if the track was read from JSON. Messages then name it by its JSON path.
    pub is_json: bool,
    /// The location of the track and its keys, in file order.
    pub source: TrackLocation,
}

impl Track {
    /// Returns the name of the track in messages, for example `tracks[3] (Arm.Rotation)`.
    pub fn name(&self) -> String {
        let path = if self.is_json {
            format!("tracks[{}]", self.index)
        } else {
            format!("track {}", self.index)
        };
        format!("{path} ({}.{})", self.node, self.property)
    }

    /// Returns the name of a key in messages, for example `tracks[3].data.keyframes[7]`. `key` is
    /// the index in the file.
    pub fn key_name(&self, key: usize) -> String {
        let index = self.index;
        if self.is_json {
            format!("tracks[{index}].data.keyframes[{key}]")
        } else {
            format!("track {index}, key {key}")
        }
    }

    /// Returns the time of the last key in seconds, but at least 0.
    pub fn last_key_time(&self) -> f64 {
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

/// The layout of a track's keys, in the order of the numbers in AnimX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
pub enum TrackType {
    /// Evenly spaced keys that are interpolated linearly.
    Raw,
    /// Keys with times, each held until the next.
    Discrete,
    /// Keys with times and an interpolation to the next key.
    Curve,
    /// A type of which only the name is known. It is read as a curve.
    Bezier,
}

impl TrackType {
    /// Returns the name in AnimJ.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The interpolation from a key to the next, in the order of the numbers in AnimX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(ascii_case_insensitive)]
#[repr(u8)]
pub enum Interpolation {
    /// The value is held.
    #[default]
    Hold,
    /// The value changes linearly.
    Linear,
    /// The tangents of both keys shape the curve, by a formula that is not public.
    Tangent,
    /// A Bézier curve whose inner control values are the tangents of both keys.
    CubicBezier,
}

impl Interpolation {
    /// Returns the name in AnimJ.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns `true` if the interpolation uses tangents.
    pub fn has_tangents(self) -> bool {
        matches!(self, Self::Tangent | Self::CubicBezier)
    }
}

/// The keys of a track, stored as columns.
///
/// # Invariants
/// All columns that exist have the same length.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// The times.
    pub times: Times,
    /// The values.
    pub values: Columns,
    /// The interpolations. They are used only for tracks of type [`TrackType::Curve`] or
    /// [`TrackType::Bezier`].
    pub interpolations: Interpolations,
    /// The tangents, if any key has one.
    pub tangents: Option<Box<Tangents>>,
}

/// The times of keys, in seconds.
#[derive(Clone, Debug)]
pub enum Times {
    /// Evenly spaced times from 0.
    Even {
        /// The interval in seconds, if the file states one.
        interval: Option<f64>,
    },
    /// A time for each key. Tracks that were keyed together may share the same array.
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
    /// Strings, or `None` for a null string.
    Texts(Vec<Option<Arc<str>>>),
}

impl Default for Columns {
    fn default() -> Self {
        Self::Texts(Vec::new())
    }
}

impl Columns {
    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match self {
            Self::Components(columns) => columns.first().map_or(0, Values::len),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// Returns `true` if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The interpolations of keys.
#[derive(Clone, Debug)]
pub enum Interpolations {
    /// All keys have this interpolation.
    All(Interpolation),
    /// Each key has its own interpolation.
    Each(Vec<Interpolation>),
}

impl Default for Interpolations {
    fn default() -> Self {
        Self::All(Interpolation::Hold)
    }
}

impl Interpolations {
    /// Returns the interpolation of the key at `index`.
    pub fn interpolation_at(&self, index: usize) -> Interpolation {
        match self {
            Self::All(one) => *one,
            Self::Each(each) => each[index],
        }
    }
}

/// The tangents of keys, with a column for each component.
#[derive(Clone, Debug, Default)]
pub struct Tangents {
    /// The tangents before the keys. 0 if the file has none.
    pub left: Vec<Vec<f64>>,
    /// The tangents after the keys. 0 if the file has none.
    pub right: Vec<Vec<f64>>,
    /// For each key, `true` if the file has the left and the right tangent. If this is empty, the
    /// file has all tangents.
    pub given: Vec<[bool; 2]>,
}
