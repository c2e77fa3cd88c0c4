//! Measures hands: movements, their smoothness, pinches, and both hands together.
//!
//! | file | what it does |
//! |---|---|
//! | `kinematics` | filters positions and computes speed and jerk, for each tracked stretch |
//! | `movements` | detects movements of a wrist by their speed |
//! | `smoothness` | computes spectral arc length and log dimensionless jerk |
//! | `tremor` | measures the tremor of a held posture |
//! | `pinches` | measures pinches, their apertures, and the reaches before them |
//! | `gaze_lead` | finds when the gaze reaches the target of a pinch |
//! | `measure` | computes the measures of one hand over a range |
//! | `both` | computes the measures of both hands over a range |

pub(crate) mod both;
mod gaze_lead;
pub(crate) mod kinematics;
pub(crate) mod measure;
pub(crate) mod movements;
pub(crate) mod pinches;
pub(crate) mod smoothness;
mod tremor;

pub use movements::{Movement, movements};
pub use pinches::Pinch;
pub use smoothness::{Smoothness, smoothness, spectral_arc_length};
