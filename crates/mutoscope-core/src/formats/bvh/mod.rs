//! BVH, Biovision's text format for motion capture.
//!
//! `docs/formats/bvh.md` describes the format as it is, and what is assumed.
//!
//! [`decode`] turns bytes into a [`Document`]: `hierarchy` reads the joints, `motion` the frames.
//! `units` infers unit and up axis, which no file states, from the `body`, and `convert` makes the clip.

mod body;
mod convert;
mod document;
mod hierarchy;
mod lexer;
mod motion;
mod number;
mod problems;
mod units;

pub use document::{Channel, ChannelKind, Document, Joint, Motion};

use super::{Decode, DecodeContext, Format, Recognition};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices},
    rig::{self, Matching, RigKind},
};
use lexer::Lexer;

/// The frames a second where a file does not say.
const FRAME_RATE: f64 = 30.0;

impl FormatId {
    /// Biovision's text format for motion capture.
    pub const BVH: Self = Self::new("bvh");
}

/// The row of the registry.
pub(super) const FORMAT: Format = Format {
    id: FormatId::BVH,
    name: "BVH motion capture",
    extensions: &["bvh"],
    between_keys: "linear; rotations at constant speed",
    recognise,
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
    let document = decode(bytes, notices)?;
    let mut clip = convert::convert(document, notices);
    if let Some(rig) = context.rig {
        context.assumptions.apply(&mut clip.convention);
        clip = rig::attach(clip, rig, Matching::ByName, notices);
    }
    Ok(clip)
}

/// Reads a file. What can be read of a broken one is kept, and `notices` say what cannot.
///
/// # Errors
/// If it does not begin with the word `HIERARCHY`, or has no joints.
pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Document, Error> {
    let mut lexer = Lexer::new(bytes);
    let found = lexer.peek();
    if !found.is_some_and(|word| word.is("HIERARCHY")) {
        let found = found.map_or("the end of the file".to_owned(), |word| word.quoted());
        return Err(Error::malformed(lexer.place(), "the word HIERARCHY", found));
    }
    let (joints, channels) = hierarchy::read(&mut lexer, notices)?;
    let motion = motion::read(&mut lexer, channels.len(), notices);
    Ok(Document { joints, channels, motion })
}

fn recognise(bytes: &[u8]) -> Recognition {
    let is_hierarchy = Lexer::new(bytes).next().is_some_and(|word| word.is("HIERARCHY"));
    if is_hierarchy { Recognition::Certain } else { Recognition::No }
}
