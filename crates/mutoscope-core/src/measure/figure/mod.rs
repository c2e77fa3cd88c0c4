//! The figure that a recording is drawn as, as numbers: how thick its joints are, where its palms
//! are, and which of its places a camera should have in view.
//!
//! | file | what it does |
//! |---|---|
//! | `proportions` | the radii of joints and bones, from the lengths of the bones |
//! | `palm`, `palm_surface` | which joints enclose a palm, and the surface between them |
//! | `hand_skin` | a smooth skin around the joints of a hand, bent with them |
//! | `hand_bones`, `hand_volume`, `surface_nets` | the bones of a hand, the volume around them, and the surface of that |
//! | `facing` | the direction that a body faces, by the joints of its two sides |
//! | `moving` | which parts of a recording move, and where they are parked |
//! | `outliers` | places that are too far away to be meant |

mod facing;
mod hand_bones;
mod hand_skin;
mod hand_volume;
mod moving;
mod outliers;
mod palm;
mod palm_surface;
mod proportions;
mod surface_nets;
#[cfg(test)]
mod testing;

pub use facing::Sides;
pub use hand_bones::{FingerJoints, HandJoints};
pub use hand_skin::HandSkin;
pub use moving::{MovingParts, PartPlaces, Parts};
pub use outliers::near_most;
pub use palm::{Palm, PalmFinger, palms};
pub use palm_surface::{PalmEdge, PalmSurface};
pub use proportions::{BONE_RADIUS, BoneLengths, LARGEST_JOINT, Proportions};
