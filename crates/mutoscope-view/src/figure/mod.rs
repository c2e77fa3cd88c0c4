//! Computes the shape in which a recording is drawn: the thickness of its joints, the surface of
//! its hands, and the points that a camera should keep in view.
//!
//! | file | what it does |
//! |---|---|
//! | `proportions` | derives the radii of joints and bones from the lengths of the bones |
//! | `palm`, `palm_surface` | finds the joints around a palm, and the surface between them |
//! | `hand_skin` | creates a smooth skin around the joints of a hand, and bends it with them |
//! | `hand_bones`, `hand_volume`, `surface_nets` | derives the bones of a hand, the volume around them, and its surface |
//! | `facing` | finds the direction that a body faces |
//! | `moving` | finds the moving parts of a recording, and where parts are parked |
//! | `outliers` | rejects positions that are implausibly far away |

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

pub use facing::BodySides;
pub use hand_bones::{FingerJoints, HandJoints};
pub use hand_skin::HandSkin;
pub use moving::{MovingParts, PartPositions, Parts};
pub use outliers::inlier_filter;
pub use palm::{Palm, PalmFinger, find_palms};
pub use palm_surface::{PalmEdge, PalmSurface};
pub use proportions::{BONE_RADIUS, BoneLengths, MAX_JOINT_RADIUS, Proportions};
