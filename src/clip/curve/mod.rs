//! Curves over time, evaluated exactly as their format defines.
//!
//! A [`ScalarCurve`] is key times, one value a key, the [`Shapes`] of the segments between keys
//! and an [`Extrapolation`] for either side. Curves that were keyed together share their
//! [`KeyTimes`], so that one search serves them all.

mod cubic;
mod extrapolation;
mod key_times;
mod scalar;
mod segment;
mod unity;
mod values;

pub use extrapolation::{Counting, Extrapolation};
pub use key_times::{Hint, KeyTimes, KeyTimesError, KeyTimesPool, Spot};
pub use scalar::{Key, ScalarCurve, Shapes, Tangents};
pub use segment::{Handle, Segment};
pub use values::Values;
