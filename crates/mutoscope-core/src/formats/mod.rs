//! The supported recording formats, and the registry that selects one for a file.
//!
//! Each format has a folder here and an entry in the registry, which [`all`] lists. Resonite's two
//! formats share a folder because they have the same content. Formats never import each other.
//! Other crates can [`register`] their own formats. [`decode`] and [`decode_async`] are the only
//! ways from bytes to a clip.
//!
//! A format is recognised by content; the extension only breaks ties, because several formats use
//! the same one: `.anim` belongs to Maya, Unity and Metroid Prime.
//!
//! Skeleton files have a registry of their own, which begins with [`SKELETON_FORMATS`].

pub(crate) mod bvh;
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
pub use decode::{Failure, decode, decode_async, find_format, is_decoded_in_pieces, is_recognised};
pub use format::{
    Decode, Decoding, ExplainRejection, Format, ListAnimations, NamedAnimation, Unpack,
};
pub use recognition::{Recognition, recognise};
pub use registry::{all, format, name, register};
pub use request::{DecodeContext, DecodeRequest, MappingFile, extension_of};
pub use skeletons::{
    BuiltInCharacter, DecodeSkeleton, SKELETON_FORMATS, SkeletonFormat, built_in_character,
    decode_skeleton, recognise_skeleton, register_characters, register_skeletons, skeleton_format,
    skeleton_formats,
};

static BUILT_IN: [Format; 7] = [
    mrtk::FORMAT,
    maya::FORMAT,
    resonite::animj::FORMAT,
    resonite::animx::FORMAT,
    prime::FORMAT,
    gltf::FORMAT,
    bvh::FORMAT,
];
