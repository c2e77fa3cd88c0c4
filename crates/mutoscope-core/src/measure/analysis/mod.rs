//! Analysis of gaze and hands: fixations, dwell on areas of interest, episodes of signals, path length and
//! speed of joints.
//!
//! Everything works on poses, in the viewer's space: metres, seconds, radians. So it is the same for
//! recordings of any format and rate.
//!
//! | file | what it does |
//! |---|---|
//! | `gaze` | the gaze ray of a node at many times |
//! | `fixation` | fixations by dispersion (I-DT) and by velocity (I-VT) |
//! | `area` | areas of interest, and whether a ray hits them |
//! | `named_area` | areas apart from any recording, as text |
//! | `dwell` | dwells of a gaze on areas |
//! | `episode` | episodes in which a signal is on |
//! | `hand` | the joints and signals of a hand |
//! | `motion` | path length and speed of a joint |
//! | `summary` | the key figures of a recording |

mod area;
mod dwell;
mod episode;
mod fixation;
mod gaze;
mod hand;
mod motion;
mod named_area;
mod summary;

pub use area::{Area, Shape};
pub use dwell::{Dwell, dwells, dwells_of_hits, nearest_area};
pub use episode::{Episode, episodes};
pub use fixation::{
    DispersionOptions, Fixation, VelocityOptions, fixations_by_dispersion, fixations_by_velocity,
};
pub use gaze::{GazeSample, Ray, gaze};
pub use hand::{hand_joint, hand_signal};
pub use motion::{JointMotion, joint_motion};
pub use named_area::NamedArea;
pub use summary::{HandSummary, Summary, summary};
