//! The annotations of Maya's curves: the types of tangents.

use super::Tangent;
use crate::clip::{Annotations, TrackId};

/// The keywords of the types of tangents, by [`Tangent::keyword_index`].
pub(super) const TANGENT_KEYWORDS: [&str; 15] = [
    "global",
    "fixed",
    "linear",
    "flat",
    "spline",
    "step",
    "stepnext",
    "slow",
    "fast",
    "clamped",
    "plateau",
    "auto",
    "autoease",
    "automix",
    "autocustom",
];

/// The types of the in and out tangents of the keys of a curve, as indices of keywords. An index
/// takes one byte, because files have millions of keys.
pub(super) type TangentTypes = Box<[[u8; 2]]>;

#[derive(Clone, Debug)]
pub(super) struct MayaAnnotations {
    /// By track.
    pub(super) tangents: Vec<TangentTypes>,
}

impl Annotations for MayaAnnotations {
    fn tangent_types(&self, track: TrackId, key: usize) -> Option<[&'static str; 2]> {
        let types = self.tangents.get(track.index())?.get(key)?;
        Some(types.map(|index| TANGENT_KEYWORDS[usize::from(index)]))
    }
}

impl Tangent {
    /// Returns the index of the keyword in [`TANGENT_KEYWORDS`].
    pub(super) fn keyword_index(self) -> u8 {
        match self {
            Self::Global => 0,
            Self::Fixed { .. } => 1,
            Self::Linear => 2,
            Self::Flat => 3,
            Self::Spline => 4,
            Self::Step => 5,
            Self::StepNext => 6,
            Self::Slow => 7,
            Self::Fast => 8,
            Self::Clamped => 9,
            Self::Plateau => 10,
            Self::Auto => 11,
            Self::AutoEase => 12,
            Self::AutoMix => 13,
            Self::AutoCustom => 14,
        }
    }
}
