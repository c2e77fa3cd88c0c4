//! Curves that their format evaluates itself.

use std::fmt::Debug;

use super::{KeyTimes, Value};

/// A curve that a format computes. A format uses such a curve if a value depends on more than the
/// two keys around it. A player's step, for example, depends on all earlier steps.
pub trait ComputedCurve: Debug + Send + Sync {
    /// Returns the format's name for the value type: `float3`.
    fn type_name(&self) -> &'static str;

    /// Returns the times, in seconds, at which the file stores a value. Empty if it stores none.
    fn times(&self) -> &KeyTimes;

    /// Returns the value that the file stores at the time with index `index`.
    ///
    /// # Panics
    /// If there is no such time.
    fn key_value(&self, index: usize) -> Value;

    /// Computes the value at `time`, in seconds. Returns [`Value::Null`] if there is none at that
    /// time.
    ///
    /// An implementation must not allocate memory, because the viewer calls this in every frame.
    fn value(&self, time: f64) -> Value;
}
