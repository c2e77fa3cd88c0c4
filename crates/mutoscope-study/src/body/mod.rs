//! Bodies: root motion, the seam of a loop, slide of the feet, the ground.
//!
//! | file | what it does |
//! |---|---|
//! | `feet` | which joints are feet |
//! | `samples` | the joints of a body, frame by frame |
//! | `seam` | how well the last pose of a loop leads to the first |
//! | `measure` | the measures of a body over a range |

mod feet;
pub(crate) mod measure;
mod samples;
mod seam;

pub(crate) use samples::BodySamples;
