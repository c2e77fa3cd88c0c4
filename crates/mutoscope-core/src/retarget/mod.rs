//! Retargeting: transfers the motion of one body to another, with any node names and any rest
//! poses.
//!
//! The bones of both bodies are found ([`HumanBone`](crate::clip::HumanBone)). Each bone of the
//! character then rotates like the bone of the motion, relative to a reference pose of both bodies.
//! The movement of the hips is scaled by the ratio of the heights.
//!
//! | file | what it does |
//! |---|---|
//! | `names` | recognises parts of a body in node names |
//! | `tree` | answers which nodes are below a node |
//! | `find` | finds the bones among nodes |
//! | `hands` | recorded hands without a body |
//! | `map` | bone maps, which users edit |
//! | `body` | a body in its reference pose |
//! | `fit` | facing, hip scale and alignment |
//! | `t_pose_motion` | transfers a motion to a body of its own size in VRM's T-pose |
//! | `attach` | joins a motion and a character to one clip |
//! | `retargeting` | plays the joined clip |
//! | `t_pose` | the T-pose of a body |
//! | `error`, `codes` | errors, and codes of diagnostics |

mod attach;
mod body;
pub(crate) mod codes;
mod error;
mod find;
mod fit;
mod hands;
mod map;
mod names;
mod retargeting;
mod t_pose;
mod t_pose_motion;
mod tree;

pub use attach::{are_bodies, bone_map, retarget};
pub use body::find_bodies;
pub use error::RetargetError;
pub use find::find_body_without_parents;
pub use map::BoneMap;
pub use retargeting::{MappedBone, Retargeting};
pub use t_pose::t_pose;
pub(crate) use t_pose_motion::{TPoseError, TPoseMotion, to_t_pose};
