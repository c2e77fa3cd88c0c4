//! MRTK 2 input animation, versions 1.0 and 1.1: the hands, head and eye gaze of a HoloLens user.
//!
//! `docs/formats/mrtk.md` describes the format as it occurs in practice, the errors of the
//! published specification, and our assumptions.
//!
//! [`decode`] parses bytes into a [`Document`], which keeps the whole content and can be
//! [encoded](Document::encode) to the same bytes again. `convert` builds the clip.

pub(crate) mod codes;
pub(crate) mod convert;
mod curves;
mod decode;
mod document;
pub(crate) mod encode;
mod joints;
mod rebuild;

pub use decode::decode;
pub use document::{
    Curve, CurveKeys, Document, Hand, KeyLayout, Marker, PoseCurves, RawKey, RawTangents,
    RayCurves, Version,
};
pub use joints::{JOINTS, Joint};
pub(crate) use joints::{find_joint, find_side};

use super::{Decode, Format, Recognition};
use crate::clip::{Content, FormatId};

impl FormatId {
    /// MRTK 2 input animation: hands, head and gaze of a HoloLens user.
    pub const MRTK: Self = Self::new("mrtk");
}

pub(super) const FORMAT: Format = Format {
    id: FormatId::MRTK,
    name: "MRTK input animation",
    extensions: &["bin"],
    between_keys: "linear, each component separately, like Unity's curves",
    contents: &[
        Content::Motion,
        Content::Visibility,
        Content::Signals,
        Content::Events,
        Content::Tangents,
    ],
    recognise,
    decode: Decode::Pieces(|file, _, diagnostics| {
        Box::pin(async move {
            let document = decode(file.content)?;
            convert::to_clip(&document, diagnostics).await
        })
    }),
    skeleton_kind: None,
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: None,
};

/// The first eight bytes of every file, as a little-endian integer.
pub const MAGIC: i64 = 0x6a8f_af6e_0f9e_42c6;

/// The first line of files in a text variant of the format, which some forks of MRTK write. It is
/// [`MAGIC`] in decimal.
const TEXT_MAGIC: &[u8] = b"7678548776933278406";

fn recognise(bytes: &[u8]) -> Recognition {
    if bytes.starts_with(&MAGIC.to_le_bytes()) || bytes.starts_with(TEXT_MAGIC) {
        Recognition::Certain
    } else {
        Recognition::No
    }
}
