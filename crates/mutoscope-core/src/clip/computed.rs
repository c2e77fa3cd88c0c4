//! Curves that their format evaluates itself.

use std::fmt::Debug;

use super::{KeyTimes, Value};

/// A property that a format computes, because a value depends on more than the keys around it: a
/// player's steps on all those before.
pub trait ComputedCurve: Debug + Send + Sync {
    /// The format's own word for the type of its values: `float3`.
    fn type_name(&self) -> &'static str;

    /// The times in seconds at which the file itself has a value; empty if it never does.
    fn times(&self) -> &KeyTimes;

    /// The file's value at the time with this index.
    ///
    /// # Panics
    /// If there are not as many.
    fn key_value(&self, index: usize) -> Value;

    /// Its value at `time`, in seconds; [`Value::Null`] where there is none. Nothing is allocated.
    fn value(&self, time: f64) -> Value;
}
