//! Maya's text format for animation curves, `.anim`, versions 1.0 and 1.1.
//!
//! `docs/formats/maya.md` describes the format as it is, how its curves run, and what is assumed.
//!
//! [`decode`] turns bytes into a [`Document`], which holds the file's own words and units, and
//! reports what it had to work around. `hierarchy` finds the nodes and their parents, `tangents`
//! turns tangent types into curves, and `convert` makes the clip.

mod convert;
mod curves;
mod decode;
mod document;
mod hierarchy;
mod settings;
mod span;
mod tangents;
mod units;

pub use decode::decode;
pub use document::{
    Curve, Document, Header, Infinity, Input, Item, Key, Output, Stated, Tangent, Target, Text,
};

use super::{Decode, DecodeContext, Format, Recognition, foreign_formats};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices, SourceLocation},
    rig::{self, Matching, RigKind},
};

impl FormatId {
    /// Maya's animation curves as text.
    pub const MAYA: Self = Self::new("maya");
}

/// The row of the registry.
pub(super) const FORMAT: Format = Format {
    id: FormatId::MAYA,
    name: "Maya animation curves",
    extensions: &["anim"],
    between_keys: "by the tangents of each key; angles by themselves",
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
    // With an explicit format, the bytes may be anything; naming their kind helps more than a
    // syntax error.
    if let (Recognition::No, Some(kind)) = (recognise(bytes), foreign_formats::kind_of(bytes)) {
        let message = format!("expected animation curves of Maya, found {kind}");
        return Err(Error::unsupported(SourceLocation::line(1), message));
    }
    let document = decode(bytes, notices)?;
    let mut clip = convert::convert(&document, notices);
    match context.rig {
        Some(rig) => {
            context.assumptions.apply(&mut clip.convention);
            clip = rig::attach(clip, rig, Matching::ByName, notices);
        }
        None => rig::note_unplaced(&mut clip, notices),
    }
    Ok(clip)
}

fn recognise(bytes: &[u8]) -> Recognition {
    if decode::is_header(bytes) { Recognition::Certain } else { Recognition::No }
}
