//! Maya's text format for animation curves, `.anim`, versions 1.0 and 1.1.
//!
//! `docs/formats/maya.md` describes the format as it occurs in practice, the interpolation of its
//! curves, and our assumptions.
//!
//! [`decode`] parses bytes into a [`Document`], which keeps the file's own keywords and units, and
//! reports every workaround. `hierarchy` finds the nodes and their parents, `tangents` converts
//! tangent types into segments, and `convert` builds the clip.

mod annotations;
pub(crate) mod codes;
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
    Curve, Document, Header, HeaderNumber, Infinity, Input, Item, Key, Output, Tangent, Target,
    Text,
};

use super::{Decode, Format, ReadOptions, Recognition, SourceFile, foreign_formats};
use crate::{
    clip::{Clip, Content, FormatId},
    diagnostics::{Diagnostics, Error, SourceLocation},
    skeleton_file::{self, Matching, SkeletonKind},
};

impl FormatId {
    /// Maya's text format for animation curves.
    pub const MAYA: Self = Self::new("maya");
}

pub(super) const FORMAT: Format = Format {
    id: FormatId::MAYA,
    name: "Maya animation curves",
    extensions: &["anim"],
    between_keys: "by the tangents of each key; each angle separately",
    contents: &[
        Content::Motion,
        Content::Hierarchy,
        Content::Visibility,
        Content::Scales,
        Content::Signals,
        Content::Tangents,
    ],
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
    // The user can force this format for any file. If we recognise the actual kind of file, report
    // its name, because the name helps more than a syntax error.
    if let (Recognition::No, Some(kind)) =
        (recognise(bytes), foreign_formats::describe_foreign_format(bytes))
    {
        let message = format!("expected Maya animation curves, found {kind}");
        return Err(Error::unsupported(SourceLocation::line(1), message));
    }
    let document = decode(bytes, diagnostics)?;
    let mut clip = convert::to_clip(&document, diagnostics);
    match options.given_skeleton() {
        Some(skeleton) => {
            options.assumptions_for(FormatId::MAYA).apply(&mut clip.convention);
            clip = skeleton_file::attach(clip, skeleton, Matching::ByName, diagnostics);
        }
        None => skeleton_file::add_placeholder_offsets(&mut clip, diagnostics),
    }
    Ok(clip)
}

fn recognise(bytes: &[u8]) -> Recognition {
    if decode::starts_with_header(bytes) { Recognition::Certain } else { Recognition::No }
}
