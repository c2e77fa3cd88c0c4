//! AnimJ, the JSON format from which Resonite imports animations.
//!
//! `json` reads values of any kind. `reader` and `track` read the objects of a file, and `keys`
//! reads the keys of a track. `values` collects numbers in columns. `recognise` distinguishes
//! animations from other JSON.

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
    clip::{Clip, Content, FormatId},
    diagnostics::{Diagnostics, Error},
    formats::{Decode, Format, ReadOptions, SourceFile},
    skeleton_file::SkeletonKind,
};

impl FormatId {
    /// The format of animations as people and scripts write them.
    pub const ANIMJ: Self = Self::new("animj");
}

pub(in crate::formats) const FORMAT: Format = Format {
    id: FormatId::ANIMJ,
    name: "Resonite AnimJ",
    extensions: &["animj"],
    between_keys: "as each key states; rotations at constant speed",
    contents: &[Content::Motion, Content::Scales, Content::Signals, Content::Tangents],
    recognise: recognise::recognise,
    decode: Decode::Whole(decode_clip),
    skeleton_kind: Some(SkeletonKind::GLTF),
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: None,
};

fn decode_clip(
    bytes: &[u8],
    _file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let animation = decode(bytes, diagnostics)?;
    let clip = convert::convert(animation, FormatId::ANIMJ, "", diagnostics);
    Ok(match options.given_skeleton() {
        Some(skeleton) => bindings::attach_to_skeleton(
            clip,
            skeleton,
            &options.assumptions_for(FormatId::ANIMJ),
            diagnostics,
        ),
        None => clip,
    })
}
