//! Analyses gaze and hands: fixations, dwells on areas of interest, episodes of signals, path
//! lengths and speeds of joints.
//!
//! All measurements use poses in the viewer's space, in metres, seconds and radians. Therefore
//! recordings of any format and rate give comparable results.
//!
//! | file | what it does |
//! |---|---|
//! | `gaze` | samples the gaze ray of a node |
//! | `fixation` | finds fixations by dispersion (I-DT) and by velocity (I-VT) |
//! | `area` | areas of interest, and the intersection of rays with them |
//! | `named_area` | areas that any recording can use, and their text form |
//! | `dwell` | finds dwells of a gaze on areas |
//! | `episode` | finds episodes in which a signal is on |
//! | `hand` | finds the joints and signals of a hand |
//! | `motion` | measures the path length and speed of a joint |
//! | `summary` | collects the key figures of a recording |

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
pub use dwell::{Dwell, dwells_from_hits, find_dwells, nearest_area};
pub use episode::{Episode, find_episodes};
pub use fixation::{
    DispersionOptions, Fixation, VelocityOptions, fixations_by_dispersion, fixations_by_velocity,
};
pub use gaze::{GazeSample, Ray, sample_gaze};
pub use hand::{hand_joint, hand_signal};
pub use motion::{JointMotion, joint_motion};
pub use named_area::{NamedArea, ParseAreaError};
pub use summary::{HandSummary, Summary, summarise};
