//! Curves over time, evaluated exactly as their format defines.
//!
//! A [`ScalarCurve`] is key times, one value a key, the [`Shapes`] of the segments between keys
//! and an [`Extrapolation`] for either side. Curves that were keyed together share their
//! [`KeyTimes`], so that one search serves them all.
//!
//! A [`TypedCurve`] is made of such, one a component: its keys are whole values, and rotations
//! among them [blend](Blend). A [`TextCurve`] has words for values.

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
pub use extrapolation::{Counting, Extrapolation};
pub use key_times::{KeyTimes, KeyTimesError, KeyTimesPool};
pub use packed::PackedColumn;
pub(crate) use packed::{KeySet, PackedKeys, Round, SampleCursor};
pub use scalar::{Key, ScalarCurve, Shapes, Tangents};
pub use search::Hint;
pub use segment::{Handle, Segment};
pub use shape_at_key::{HandleEnd, Handles, Interpolation, Sides};
pub use text::TextCurve;
pub use typed::TypedCurve;
pub use values::Values;
