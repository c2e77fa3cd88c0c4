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
    clip::Clip,
    diagnostics::{Error, Notices},
    formats::{Format, FormatId, OnRig, Recognition},
    rig::RigKind,
};

/// The row in [`FORMATS`](crate::formats::FORMATS).
pub(in crate::formats) const FORMAT: Format = Format {
    id: FormatId::AnimX,
    name: "Resonite AnimX",
    extensions: &["animx"],
    between_keys: "as each key says; rotations turn at an even speed",
    recognise,
    decode: decode_clip,
    on_rig: Some(OnRig {
        kind: RigKind::Gltf,
        decode: |bytes, rig, assumptions, notices| {
            let clip = decode_clip(bytes, notices)?;
            Ok(bindings::on_rig(clip, rig, assumptions, notices))
        },
    }),
    beside: None,
    layouts: None,
    unpacked: Some(unpacked),
};

fn decode_clip(bytes: &[u8], notices: &mut Notices) -> Result<Clip, Error> {
    let (version, animation) = decode(bytes, notices)?;
    Ok(convert::convert(animation, FormatId::AnimX, version.text(), notices))
}

/// The first bytes of every file: the word `AnimX` as .NET writes it.
const MAGIC: &[u8] = b"\x05AnimX";

fn recognise(bytes: &[u8]) -> Recognition {
    if bytes.starts_with(MAGIC) { Recognition::Certain } else { Recognition::No }
}
