//! The formats that are read, and distinguishing them.
//!
//! A format is one folder here and one row of the registry: [`all`]. Resonite's two, which say the same,
//! share a folder. Formats never import each other. Other crates [`register`] rows of their own.
//! [`decode`] is the one way from bytes to a clip.
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
pub mod mrtk;
pub mod prime;
mod recognition;
mod registry;
mod request;
pub mod resonite;
mod skeletons;

pub use crate::clip::FormatId;
pub use decode::{Failure, decode, decode_async, find, is_recognised, reads_pieces};
pub use format::{Decode, Decoding, Format, ListAnimations, NamedAnimation, Unpack};
pub use recognition::{Recognition, recognise};
pub use registry::{all, format, name, register};
pub use request::{DecodeContext, DecodeRequest, MappingFile, extension_of};
pub use skeletons::{
    BuiltInCharacter, DecodeSkeleton, SKELETON_FORMATS, SkeletonFormat, built_in_character,
    decode_skeleton, recognise_skeleton, register_characters, register_skeletons, skeleton_format,
    skeleton_formats,
};

/// The formats of this crate.
static BUILT_IN: [Format; 7] = [
    mrtk::FORMAT,
    maya::FORMAT,
    resonite::animj::FORMAT,
    resonite::animx::FORMAT,
    prime::FORMAT,
    gltf::FORMAT,
    bvh::FORMAT,
];
