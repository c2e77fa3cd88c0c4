//! Measures bodies: root motion, the seam of a loop, slide of the feet, depth below the ground.
//!
//! | file | what it does |
//! |---|---|
//! | `feet` | finds the joints that are feet |
//! | `samples` | samples the joints of a body, frame by frame |
//! | `seam` | measures how well the last pose of a loop leads to the first |
//! | `measure` | computes the measures of a body over a range |

mod feet;
pub(crate) mod measure;
mod samples;
mod seam;

pub(crate) use feet::find_feet;
pub(crate) use samples::{BodySamples, find_joints, to_ground_plane};
