//! Metroid Prime's animations and skeletons, ANIM and CINF, of Metroid Prime, of Metroid Prime 2:
//! Echoes and of the latter's demo.
//!
//! `docs/formats/prime.md` describes the formats as they are, and what is assumed.
//!
//! [`decode()`] turns bytes into a [`Document`], and finds out which game they are of;
//! [`decode_skeleton`] does so for a skeleton. `convert` makes a clip of an animation, and `rig`
//! puts it on a skeleton.

mod arrays;
mod bitstream;
mod coded;
mod convert;
mod decode;
mod document;
mod rig;
mod skeleton;
mod step;

pub use arrays::{ArrayChannel, Arrays, KeyArray};
pub use bitstream::{Attribute, Bitmap, Bitstream, Channel, RawKey, Stream};
pub use decode::decode;
pub use document::{Body, Document, Game};
pub use skeleton::{Bone, Skeleton, Tree, decode_skeleton};
pub use step::Step;

use super::{Format, FormatId, OnRig, Recognition};
use crate::{
    clip::{Assumptions, Clip},
    diagnostics::{Error, Notices, Severity},
    rig::{Rig, RigKind},
};

/// The row in [`FORMATS`](super::FORMATS).
pub(super) const FORMAT: Format = Format {
    id: FormatId::Prime,
    name: "Metroid Prime animation",
    extensions: &["anim"],
    recognise,
    decode: |bytes, notices| {
        let document = decode(bytes, None, notices)?;
        Ok(convert::convert(&document, notices))
    },
    on_rig: Some(OnRig { kind: RigKind::Cinf, decode: decode_on_rig }),
};

fn decode_on_rig(
    bytes: &[u8],
    rig: &Rig,
    assumptions: &Assumptions,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let document = decode(bytes, None, notices)?;
    let mut clip = convert::convert(&document, notices);
    assumptions.apply(&mut clip.convention);
    Ok(rig::put_on(&document, clip, rig, notices))
}

/// What a bone is called where no skeleton has a name for it.
pub fn bone_name(id: u32) -> String {
    format!("bone_{id}")
}

/// There is no signature, but hardly anything else can be read as a header: a duration, a time
/// between frames, counts that agree. The rest is not asked for, so that the beginning of a file is
/// recognised, and a broken file too.
fn recognise(bytes: &[u8]) -> Recognition {
    let is_animation = decode::begins_well(bytes)
        && (decode(bytes, None, &mut Notices::new()).is_ok() || !is_skeleton(bytes));
    if is_animation { Recognition::Plausible } else { Recognition::No }
}

/// Whether `bytes` are a whole skeleton (CINF), with nothing odd about it: much can be read as one
/// that is odd.
pub fn is_skeleton(bytes: &[u8]) -> bool {
    let mut notices = Notices::new();
    decode_skeleton(bytes, &mut notices).is_ok() && notices.worst() <= Some(Severity::Info)
}
