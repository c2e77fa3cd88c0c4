//! BVH, Biovision's text format for motion capture.
//!
//! `docs/formats/bvh.md` describes the format as it occurs in practice, and our assumptions.
//!
//! [`decode`] parses bytes into a [`Document`]: `hierarchy` reads the joints, and `motion` reads
//! the frames. `units` infers the unit and the up axis from the `body`, because the format states
//! neither. `convert` builds the clip. `blender` reports what Blender's importer refuses.

mod blender;
mod body;
mod capped_diagnostics;
pub(crate) mod codes;
mod convert;
mod document;
mod hierarchy;
mod lexer;
mod motion;
mod number;
mod stated_unit;
mod units;

use document::{Channel, ChannelKind, Document, Joint, Motion};

use super::{Decode, Format, ReadOptions, Recognition, SourceFile};
use crate::{
    clip::{Clip, Content, FormatId},
    diagnostics::{Diagnostics, Error},
    skeleton_file::{self, Matching, SkeletonKind},
};
use hierarchy::Hierarchy;
use lexer::Lexer;

const DEFAULT_FRAME_RATE_HZ: f64 = 30.0;

impl FormatId {
    /// Biovision's text format for motion capture, BVH.
    pub const BVH: Self = Self::new("bvh");
}

pub(super) const FORMAT: Format = Format {
    id: FormatId::BVH,
    name: "BVH motion capture",
    extensions: &["bvh"],
    between_keys: "linear; rotations at constant speed",
    contents: &[Content::Motion, Content::Hierarchy, Content::RestPose],
    recognise,
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
    let document = decode(bytes, diagnostics)?;
    let mut clip = convert::to_clip(document, stated_unit::find(bytes).as_ref(), diagnostics);
    if let Some(skeleton) = options.given_skeleton() {
        options.assumptions_for(FormatId::BVH).apply(&mut clip.convention);
        clip = skeleton_file::attach(clip, skeleton, Matching::ByName, diagnostics);
    }
    Ok(clip)
}

/// Parses a BVH file. Problems are added to `diagnostics`, and everything readable is kept.
///
/// # Errors
/// If the file does not begin with the keyword `HIERARCHY`, or has no joints.
pub(crate) fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Document, Error> {
    let mut lexer = Lexer::new(bytes);
    let found = lexer.peek();
    if !found.is_some_and(|token| token.is_keyword("HIERARCHY")) {
        let found = found.map_or("the end of the file".to_owned(), |token| token.quoted());
        return Err(Error::malformed(lexer.location(), "the word HIERARCHY", found));
    }
    let Hierarchy { joints, channels, has_motion } = hierarchy::read(&mut lexer, diagnostics)?;
    let motion = if has_motion {
        motion::read(&mut lexer, channels.len(), diagnostics)
    } else {
        Motion { columns: vec![Vec::new(); channels.len()], ..Motion::default() }
    };
    let document = Document { joints, channels, motion };
    blender::report(&document, bytes, diagnostics);
    Ok(document)
}

/// Returns the metres per unit that we assume for a BVH file, or `None` if the file is malformed.
pub(crate) fn assume_metres_per_unit(bytes: &[u8]) -> Option<f64> {
    let mut diagnostics = Diagnostics::new();
    let document = decode(bytes, &mut diagnostics).ok()?;
    let clip = convert::to_clip(document, stated_unit::find(bytes).as_ref(), &mut diagnostics);
    Some(clip.convention.metres_per_unit.value)
}

fn recognise(bytes: &[u8]) -> Recognition {
    let is_hierarchy =
        Lexer::new(bytes).next_token().is_some_and(|token| token.is_keyword("HIERARCHY"));
    if is_hierarchy { Recognition::Certain } else { Recognition::No }
}
