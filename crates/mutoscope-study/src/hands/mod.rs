//! Hands: movements, their smoothness, pinches, and both hands together.
//!
//! | file | what it does |
//! |---|---|
//! | `kinematics` | filtered places, speed and jerk of a hand, stretch by stretch |
//! | `movements` | movements of a wrist, by speed |
//! | `smoothness` | spectral arc length and log dimensionless jerk |
//! | `tremor` | the tremor of a posture that is held |
//! | `pinches` | pinches, their apertures, and the reaches before them |
//! | `gaze_lead` | by how much the gaze is on a target before the hand |
//! | `measure` | the measures of one hand over a range |
//! | `both` | the measures of both hands over a range |

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
