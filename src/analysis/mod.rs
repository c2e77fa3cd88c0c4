//! What researchers ask of gaze and hands: fixations, dwell on areas of interest, episodes, how far and
//! how fast a joint moves.
//!
//! Everything works on poses, in the viewer's space: metres, seconds, radians. So it is the same for
//! recordings of any format and rate.
//!
//! | file | what it does |
//! |---|---|
//! | `gaze` | a node's ray at many times |
//! | `fixation` | fixations by dispersion (I-DT) and by velocity (I-VT) |
//! | `area` | areas of interest, and whether a ray hits them |
//! | `dwell` | when a gaze rests on which area |
//! | `episode` | from when to when a signal is on |
//! | `motion` | path length and speed of a joint |
//! | `summary` | what is worth knowing of a recording among thousands |

mod area;
mod dwell;
mod episode;
mod fixation;
mod gaze;
mod motion;
mod summary;

pub use area::{Area, Shape};
pub use dwell::{Dwell, dwells};
pub use episode::{Episode, episodes};
pub use fixation::{
    DispersionOptions, Fixation, VelocityOptions, fixations_by_dispersion, fixations_by_velocity,
};
pub use gaze::{GazeSample, Ray, gaze};
pub use motion::{JointMotion, joint_motion};
pub use summary::{HandSummary, Summary, summary};
