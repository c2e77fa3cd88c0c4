//! AnimJ, the JSON that Resonite imports animations from.
//!
//! `json` reads whatever stands in the text, `reader` walks through the objects of a file and
//! `keys` through those of a track; `values` puts numbers into columns.

mod json;
mod keys;
mod member;
mod reader;
mod track;
mod values;

pub use reader::decode;

use super::{bindings, convert};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices},
    formats::{DecodeContext, Format, Recognition},
    rig::RigKind,
};

impl FormatId {
    /// Resonite's animations as people and scripts write them.
    pub const ANIMJ: Self = Self::new("animj");
}

/// The row in [`FORMATS`](crate::formats::FORMATS).
pub(in crate::formats) const FORMAT: Format = Format {
    id: FormatId::ANIMJ,
    name: "Resonite AnimJ",
    extensions: &["animj"],
    between_keys: "as each key says; rotations turn at an even speed",
    recognise,
    decode: decode_clip,
    rig: Some(RigKind::GLTF),
    variants: &[],
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

/// How far into a file is looked for its members, in bytes.
const SNIFFED: usize = 4096;

/// An object of JSON that soon has the members of an animation's tracks; one that only has some, or
/// a name that is an animation's, may be one.
fn recognise(bytes: &[u8]) -> Recognition {
    let start = &bytes[..bytes.len().min(SNIFFED)];
    let text = start.strip_prefix(reader::BYTE_ORDER_MARK).unwrap_or(start).trim_ascii_start();
    let holds = |name: &str| {
        let name = format!("\"{name}\"");
        text.windows(name.len()).any(|window| window == name.as_bytes())
    };
    if !text.starts_with(b"{") {
        Recognition::No
    } else if holds("trackType") && holds("valueType") {
        Recognition::Certain
    } else if ["trackType", "valueType", "keyframes", "globalDuration"].into_iter().any(holds) {
        Recognition::Plausible
    } else {
        Recognition::No
    }
}
