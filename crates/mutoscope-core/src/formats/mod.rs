//! The supported recording formats, and the registry that selects one for a file.
//!
//! Each format has a folder here and a row in [`Registry::default`]. Resonite's two formats share a
//! folder because they have the same content. Formats never import each other. Other crates add
//! theirs to a program's [`Registry`] with a [`FormatSet`]. [`decode`] and [`decode_async`] are the
//! only ways from bytes to a clip. [`ReadOptions`] say how a file is read.
//!
//! A format is recognised by content; the extension only breaks ties, because several formats use
//! the same one: `.anim` belongs to Maya, Unity and Metroid Prime.
//!
//! Skeleton files have rows of their own, which begin with [`SKELETON_FORMATS`].

pub(crate) mod bvh;
pub(crate) mod codes;
mod decode;
mod foreign_formats;
mod format;
mod gltf;
pub mod maya;
pub mod mrtk;
mod options;
pub mod prime;
mod recognition;
mod registry;
pub mod resonite;
mod skeletons;
mod source_file;

pub use crate::clip::FormatId;
pub use decode::{Failure, decode, decode_async};
pub use format::{
    Decode, DecodePieces, DecodeWhole, Decoding, ExplainRejection, Format, ListAnimations,
    NamedAnimation, Unpack,
};
pub use options::{Fit, MappingFile, ReadOptions, SkeletonSource, animation_choice};
pub use recognition::Recognition;
pub use registry::{FormatSet, Registry};
pub use skeletons::{BuiltInCharacter, DecodeSkeleton, SKELETON_FORMATS, SkeletonFormat};
pub use source_file::{SourceFile, extension_of};

/// The code of the diagnostic that a chosen frame rate is ignored. A decoder that adds such a
/// diagnostic gives the reason in its message.
pub const FRAME_RATE_IGNORED: crate::diagnostics::Code = codes::FRAME_RATE_IGNORED;

static BUILT_IN: [Format; 7] = [
    mrtk::FORMAT,
    maya::FORMAT,
    resonite::animj::FORMAT,
    resonite::animx::FORMAT,
    prime::FORMAT,
    gltf::FORMAT,
    bvh::FORMAT,
];

/// The codes of this crate, by format or area. Other crates have a constant of the same name.
pub const CODES: &[&[crate::diagnostics::Code]] = &[
    crate::diagnostics::topic::codes::CODES,
    crate::clip::codes::CODES,
    codes::CODES,
    bvh::codes::CODES,
    maya::codes::CODES,
    mrtk::codes::CODES,
    prime::codes::CODES,
    resonite::codes::CODES,
    crate::retarget::codes::CODES,
    crate::skeleton_file::codes::CODES,
    crate::skeleton_file::gltf::codes::CODES,
];
