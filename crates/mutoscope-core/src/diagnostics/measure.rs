//! The measured value of a problem.

use serde::Serialize;

/// The measured value of a problem, and the threshold that the value crosses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The name of the measure, such as `speed`.
    pub name: &'static str,
    /// The value.
    pub value: f64,
    /// The threshold.
    pub threshold: f64,
    /// The unit of both. `1` for numbers without a unit.
    pub unit: &'static str,
}
