//! Curves over time, evaluated exactly as their format defines.
//!
//! A [`ScalarCurve`] is key times, one value a key, the [`Shapes`] of the segments between keys
//! and an [`Extrapolation`] for either side. Curves that were keyed together share their
//! [`KeyTimes`], so that one search serves them all.

#[cfg(test)]
#[path = "../../../tests/support/chance.rs"]
mod chance;
mod cubic;
mod extrapolation;
mod key_times;
mod packed;
mod scalar;
mod search;
mod segment;
mod shape_at_key;
mod unity;
mod values;

pub use extrapolation::{Counting, Extrapolation};
pub use key_times::{KeyTimes, KeyTimesError, KeyTimesPool};
pub(crate) use packed::{Moment, PackedKeys};
pub use scalar::{Key, ScalarCurve, Shapes, Tangents};
pub use search::Hint;
pub use segment::{Handle, Segment};
pub use shape_at_key::{HandleEnd, Handles, Sides};
pub use values::Values;
