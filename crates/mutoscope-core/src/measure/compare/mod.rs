//! Compares recordings, and measures distances and velocities within a recording.
//!
//! All measurements use positions from poses, in the viewer's space, in metres and double
//! precision. Therefore the recordings may have any format and any rate.
//!
//! | file | what it does |
//! |---|---|
//! | `timing` | maps the times of two recordings to one clock |
//! | `joints`, `matching` | matches the joints of two recordings, by name and by choice |
//! | `placement` | places a recording relative to another |
//! | `path` | samples positions, velocities and accelerations of joints at evenly spaced times |
//! | `kinematics` | samples the velocity and acceleration of one joint where they are needed |
//! | `joint_distance` | measures the distance and angle between two joints |
//! | `deviation` | measures the distances of matched joints |
//! | `comparison` | compares recordings over the time in which both play |
//! | `align` | finds the offset at which two recordings move alike |

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

pub use align::{AlignError, Alignment, align};
pub use comparison::{Comparison, NoCommonTime};
pub use deviation::{Deviation, deviations};
pub use joint_distance::{JointDistance, joint_distance};
pub use joints::{JointPair, pair_joints};
pub(super) use kinematics::finest_spacing;
pub use kinematics::{
    DetailLevel, KinematicQuantity, KinematicSample, Kinematics, VectorComponent,
};
pub use matching::JointMatching;
pub(crate) use path::JointSampler;
pub use path::Path;
pub use placement::{CompareOptions, Placement, Relation, ValueCountError, comparison_color};
pub use timing::Timing;
