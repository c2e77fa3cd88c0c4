//! Curves over time, evaluated exactly as their format defines.
//!
//! A [`ScalarCurve`] consists of key times, one value for each key, the [`Shapes`] of the segments
//! between keys, and one [`Extrapolation`] for each side. Curves that are keyed together share
//! their [`KeyTimes`], so that one search finds the key for all of them.
//!
//! A [`TypedCurve`] consists of one scalar curve for each component. Its keys are whole values, and
//! rotations are interpolated by a [`Blend`]. A [`TextCurve`] has strings as values.

mod blend;
mod cubic;
mod extrapolation;
mod key_times;
mod packed;
mod scalar;
mod search;
mod segment;
mod shape_at_key;
mod text;
mod typed;
mod unity;
mod values;

pub use blend::Blend;
pub use extrapolation::{Extrapolation, TimeResolution};
pub use key_times::{KeyTimes, KeyTimesError, KeyTimesPool};
pub(crate) use packed::{KeySet, PackedKeys, PackedRows, SampleCursor, SeekRound};
pub use scalar::{Key, ScalarCurve, Shapes, Tangents};
pub use search::Hint;
pub use segment::{Handle, Segment};
pub use shape_at_key::{HandleEnd, Handles, Interpolation, ValuesAroundKey};
pub use text::TextCurve;
pub use typed::TypedCurve;
pub use values::Values;
