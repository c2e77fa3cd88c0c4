//! Retargeting: the motion of one body on another, whatever their nodes are called and however they rest.
//!
//! The bones of both are found ([`HumanBone`](crate::clip::HumanBone)), and the character turns each as the motion does,
//! counted from a reference pose of both. The hips go as far as its height is in proportion.
//!
//! | file | what it does |
//! |---|---|
//! | `names` | the part of a body that a node's name says |
//! | `tree` | which nodes are below which |
//! | `find` | the bones among nodes |
//! | `hands` | recorded hands without a body |
//! | `map` | maps of bones that people edit |
//! | `body` | a body in its reference pose |
//! | `fit` | turn, hip scale and alignment |
//! | `attach` | makes one clip of a motion and a character |
//! | `retargeting` | plays it |

mod attach;
mod body;
mod find;
mod fit;
mod hands;
mod map;
mod names;
mod retargeting;
mod tree;

pub use attach::{are_bodies, bone_map, retarget};
pub use map::BoneMap;
pub use retargeting::{MappedBone, Retargeting};
