//! AnimX, the bytes that Resonite stores an animation in, versions 0 and 1.
//!
//! `unpack` undoes the compression of all that follows the header, and `tracks` reads it.

mod decode;
mod tracks;
mod unpack;
mod values;

pub use decode::{Version, decode, unpacked};

use super::{bindings, convert};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices},
    formats::{Decode, DecodeContext, Format, Recognition},
    rig::RigKind,
};

impl FormatId {
    /// Resonite's animations as it stores them.
    pub const ANIMX: Self = Self::new("animx");
}

/// The row of the registry.
pub(in crate::formats) const FORMAT: Format = Format {
    id: FormatId::ANIMX,
    name: "Resonite AnimX",
    extensions: &["animx"],
    between_keys: "as each key states; rotations at constant speed",
    recognise,
    decode: Decode::Whole(decode_clip),
    rig: Some(RigKind::GLTF),
    variants: &[],
    animations: None,
    unpacked: Some(unpacked),
};

fn decode_clip(
    bytes: &[u8],
    context: &DecodeContext<'_>,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let (version, animation) = decode(bytes, notices)?;
    let clip = convert::convert(animation, FormatId::ANIMX, version.text(), notices);
    Ok(match context.rig {
        Some(rig) => bindings::on_rig(clip, rig, &context.assumptions, notices),
        None => clip,
    })
}

/// The first bytes of every file: the word `AnimX` as .NET writes it.
const MAGIC: &[u8] = b"\x05AnimX";

fn recognise(bytes: &[u8]) -> Recognition {
    if bytes.starts_with(MAGIC) { Recognition::Certain } else { Recognition::No }
}
