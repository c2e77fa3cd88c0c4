//! Comparing recordings, and measuring within one.
//!
//! Everything here works on positions in the viewer's space, in metres and double precision, taken
//! from poses; so the two recordings may be of any format and at any rate.
//!
//! | file | what it does |
//! |---|---|
//! | `timing` | two recordings on one clock |
//! | `joints`, `matching` | matched joints of two recordings: by name, by choice |
//! | `placement` | where a recording is shown relative to another, and how they relate |
//! | `path` | positions of a joint at even times, its velocity and acceleration |
//! | `kinematics` | velocity and acceleration of one joint over a recording, sampled where needed |
//! | `joint_distance` | the distance and angle between two joints |
//! | `deviation` | the distances of matched joints |
//! | `comparison` | the same for as long as both play, and all of it together |
//! | `align` | the offset at which two recordings move alike |

mod align;
mod comparison;
mod deviation;
mod joint_distance;
mod joints;
mod kinematics;
mod matching;
mod path;
mod placement;
mod timing;

pub use align::{Alignment, Unaligned, align};
pub use comparison::{Comparison, NeverTogether};
pub use deviation::{Deviation, deviations};
pub use joint_distance::{JointDistance, joint_distance};
pub use joints::{JointPair, pair_joints};
pub use kinematics::{Change, Detail, Kinematics, Movement, Part};
pub use matching::JointMatching;
pub use path::Path;
pub(crate) use path::Places;
pub use placement::{CompareOptions, Placement, Relation, color_of};
pub use timing::Timing;
