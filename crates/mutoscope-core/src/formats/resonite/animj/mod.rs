//! AnimJ, the JSON that Resonite imports animations from.
//!
//! `json` reads values of any kind, `reader` walks through the objects of a file and `keys` through
//! those of a track; `values` puts numbers into columns. `recognise` distinguishes animations from
//! other JSON.

mod json;
mod keys;
mod member;
mod reader;
mod recognise;
mod track;
mod values;

pub use reader::decode;

use super::{bindings, convert};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices},
    formats::{Decode, DecodeContext, Format},
    rig::RigKind,
};

impl FormatId {
    /// Resonite's animations as people and scripts write them.
    pub const ANIMJ: Self = Self::new("animj");
}

/// The row of the registry.
pub(in crate::formats) const FORMAT: Format = Format {
    id: FormatId::ANIMJ,
    name: "Resonite AnimJ",
    extensions: &["animj"],
    between_keys: "as each key states; rotations at constant speed",
    recognise: recognise::recognise,
    decode: Decode::Whole(decode_clip),
    rig: Some(RigKind::GLTF),
    variants: &[],
    animations: None,
    unpacked: None,
};

fn decode_clip(
    bytes: &[u8],
    context: &DecodeContext<'_>,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let animation = decode(bytes, notices)?;
    let clip = convert::convert(animation, FormatId::ANIMJ, "", notices);
    Ok(match context.rig {
        Some(rig) => bindings::on_rig(clip, rig, &context.assumptions, notices),
        None => clip,
    })
}
