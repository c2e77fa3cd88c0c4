//! Metroid Prime's animations and skeletons, ANIM and CINF, of Metroid Prime, of Metroid Prime 2:
//! Echoes and of the latter's demo.
//!
//! `docs/formats/prime.md` describes the formats as they are, and what is assumed.
//!
//! [`archive`] reads the games' archives (PAK), [`characters`] what characters have which animations
//! and events (ANCS, EVNT), and [`model`] what they wear (CMDL, CSKR, TXTR).
//!
//! [`decode()`] turns bytes into a [`Document`], and finds out which game they are of;
//! [`decode_skeleton`] does so for a skeleton. `convert` makes a clip of an animation, and `rig`
//! puts it on a skeleton.

pub mod archive;
mod arrays;
mod bitstream;
pub mod characters;
mod coded;
mod convert;
mod decode;
mod document;
pub mod model;
mod rig;
mod skeleton;
mod step;

pub use arrays::{ArrayChannel, Arrays, KeyArray};
pub use bitstream::{Attribute, Bitmap, Bitstream, Channel, RawKey, Stream};
pub use decode::decode;
pub use document::{Body, Document, Game};
pub use skeleton::{Bone, Skeleton, Tree, decode_skeleton};
pub use step::Step;

use super::{Format, FormatId, Layouts, OnRig, Recognition};
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
    between_keys: "straight lines; rotations turn at an even speed",
    recognise,
    decode: |bytes, notices| decode_as(bytes, None, None, &Assumptions::default(), notices),
    on_rig: Some(OnRig {
        kind: RigKind::Cinf,
        decode: |bytes, rig, assumptions, notices| {
            decode_as(bytes, None, Some(rig), assumptions, notices)
        },
    }),
    beside: None,
    layouts: Some(Layouts {
        what: "Game",
        names: &Game::SHORT_NAMES,
        decode: |bytes, game, rig, assumptions, notices| {
            decode_as(bytes, Game::ALL.get(game).copied(), rig, assumptions, notices)
        },
    }),
    unpacked: None,
};

/// Decodes an animation of `game`, or of the one that fits best.
fn decode_as(
    bytes: &[u8],
    game: Option<Game>,
    rig: Option<&Rig>,
    assumptions: &Assumptions,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let document = decode(bytes, game, notices)?;
    let mut clip = convert::convert(&document, notices);
    Ok(match rig {
        Some(rig) => {
            assumptions.apply(&mut clip.convention);
            rig::put_on(&document, clip, rig, notices)
        }
        None => clip,
    })
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
