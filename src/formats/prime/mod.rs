//! Metroid Prime's animations and skeletons, ANIM and CINF, of Metroid Prime, of Metroid Prime 2:
//! Echoes and of the latter's demo.
//!
//! `docs/formats/prime.md` describes the formats as they are, and what is assumed.
//!
//! [`decode()`] turns bytes into a [`Document`], and finds out which game they are of;
//! [`decode_skeleton`] does so for a skeleton. `convert` makes a clip of an animation, and `rig`
//! puts it on a skeleton.

mod arrays;
mod bitstream;
mod decode;
mod document;
mod skeleton;

pub use arrays::{ArrayChannel, Arrays, KeyArray};
pub use bitstream::{Attribute, Bitmap, Bitstream, Channel, RawKey, Stream};
pub use decode::decode;
pub use document::{Body, Document, Game};
pub use skeleton::{Bone, Skeleton, Tree, decode_skeleton};
