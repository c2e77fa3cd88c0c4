//! The formats that are read, and distinguishing them.
//!
//! A format is one folder here and one row in [`FORMATS`]; Resonite's two, which say the same, share a
//! folder. Formats never import each other. [`decode`] is the one way from bytes to a clip.
//! Recognition goes by content; the extension only breaks ties, because extensions lie: `.anim`
//! is Maya's, Unity's and Metroid Prime's.
//!
//! Kinds of files that skeletons are read from are rows likewise: [`SKELETON_FORMATS`].

pub mod bvh;
mod decode;
mod foreign_formats;
mod format;
mod gltf;
pub mod maya;
pub mod mcmocap;
pub mod mrtk;
pub mod prime;
mod recognition;
mod request;
pub mod resonite;
mod skeletons;

pub use crate::clip::FormatId;
pub use decode::{Failure, decode, find, is_recognised};
pub(crate) use decode::{decode_async, reads_pieces};
pub use format::{Decode, Decoding, Format, ListAnimations, NamedAnimation, Unpack};
pub use recognition::{Recognition, recognise};
pub use request::{DecodeContext, DecodeRequest, extension_of};
pub use skeletons::{
    DecodeSkeleton, SKELETON_FORMATS, SkeletonFormat, decode_skeleton, recognise_skeleton,
    skeleton_format,
};

/// Every format that is read.
pub static FORMATS: [Format; 8] = [
    mrtk::FORMAT,
    maya::FORMAT,
    resonite::animj::FORMAT,
    resonite::animx::FORMAT,
    prime::FORMAT,
    mcmocap::FORMAT,
    gltf::FORMAT,
    bvh::FORMAT,
];

/// The row of this format in [`FORMATS`]; `None` if the id is unknown.
pub fn format(id: FormatId) -> Option<&'static Format> {
    FORMATS.iter().find(|row| row.id == id)
}

/// The name of this format for users.
pub fn name(id: FormatId) -> &'static str {
    format(id).map_or(id.word(), |row| row.name)
}
