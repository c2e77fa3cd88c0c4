//! Computes the shape in which a recording is drawn: the thickness of its joints, the surface of
//! its hands, and the points that a camera should keep in view.
//!
//! | file | what it does |
//! |---|---|
//! | `proportions` | derives the radii of joints and bones from the lengths of the bones |
//! | `palm`, `palm_surface` | finds the joints around a palm, and the surface between them |
//! | `hand_skin` | creates a smooth skin around the joints of a hand, and bends it with them |
//! | `hand_bones`, `hand_volume`, `surface_nets` | derives the bones of a hand, the volume around them, and its surface |
//! | `mannequin` | creates the mannequins of human bodies, and lets their parts follow the joints |
//! | `mannequin_body`, `mannequin_parts`, `mannequin_hands` | the reference pose of a body, and the solids of its mannequin |
//! | `markers` | finds the sticks between markers |
//! | `solid` | smooth unions of round cones |
//! | `facing` | finds the direction that a body faces |
//! | `moving` | finds the moving parts of a recording, and where parts are parked |
//! | `outliers` | rejects positions that are implausibly far away |

mod facing;
mod hand_bones;
mod hand_skin;
mod hand_volume;
mod mannequin;
mod mannequin_body;
mod mannequin_hands;
mod mannequin_parts;
#[cfg(test)]
mod mannequin_tests;
mod markers;
mod moving;
mod outliers;
mod palm;
mod palm_surface;
mod proportions;
mod solid;
mod surface_nets;
#[cfg(test)]
mod testing;

pub use facing::BodySides;
pub use hand_bones::{FingerJoints, HandJoints};
pub use hand_skin::HandSkin;
pub use mannequin::{Attachment, MannequinPart, Mannequins, PartDirection};
pub use markers::{STICK_RATIO, find_marker_sticks};
pub use moving::{MovingParts, PartPositions, Parts};
pub use outliers::inlier_filter;
pub use palm::{Palm, PalmFinger, find_palms};
pub use palm_surface::{PalmEdge, PalmSurface};
pub use proportions::{BONE_RADIUS, BoneLengths, MAX_JOINT_RADIUS, Proportions};
