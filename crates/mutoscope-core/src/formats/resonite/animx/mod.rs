//! AnimX versions 0 and 1, the binary format in which Resonite stores animations.
//!
//! `unpack` decompresses the data after the header, and `tracks` reads it.

mod decode;
mod tracks;
mod unpack;
mod values;

pub use decode::{Version, decode, unpack_tracks};

use super::{bindings, convert};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Diagnostics, Error},
    formats::{Decode, Format, ReadOptions, Recognition, SourceFile},
    skeleton_file::SkeletonKind,
};

impl FormatId {
    /// The format of animations as Resonite stores them.
    pub const ANIMX: Self = Self::new("animx");
}

pub(in crate::formats) const FORMAT: Format = Format {
    id: FormatId::ANIMX,
    name: "Resonite AnimX",
    extensions: &["animx"],
    between_keys: "as each key states; rotations at constant speed",
    recognise,
    decode: Decode::Whole(decode_clip),
    skeleton_kind: Some(SkeletonKind::GLTF),
    variants: &[],
    animations: None,
    unpack: Some(unpack_tracks),
    explain_rejection: None,
};

fn decode_clip(
    bytes: &[u8],
    _file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let (version, animation) = decode(bytes, diagnostics)?;
    let clip = convert::convert(animation, FormatId::ANIMX, version.as_str(), diagnostics);
    Ok(match options.given_skeleton() {
        Some(skeleton) => bindings::attach_to_skeleton(
            clip,
            skeleton,
            &options.assumptions_for(FormatId::ANIMX),
            diagnostics,
        ),
        None => clip,
    })
}

/// The word `AnimX` as .NET writes a string: its length, and then its bytes.
const MAGIC: &[u8] = b"\x05AnimX";

fn recognise(bytes: &[u8]) -> Recognition {
    if bytes.starts_with(MAGIC) { Recognition::Certain } else { Recognition::No }
}
