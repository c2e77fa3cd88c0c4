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
mod cinf;
mod coded;
mod convert;
mod decode;
mod document;
pub mod model;
mod rig;
mod skeleton;
mod step;

pub use arrays::{ArrayChannel, Arrays, KeyArray};
pub use bitstream::{Attribute, Bitstream, Channel, RawKey, Stream};
pub use decode::decode;
pub use document::{Body, Document, Game};
pub use skeleton::{Bone, Skeleton, Tree, decode_skeleton};
pub use step::Step;

pub(super) use characters::CHARACTER_RIG;
pub(super) use cinf::CINF;

use self::characters::FileKind;
use super::{Decode, DecodeContext, Format, Recognition};
use crate::{
    clip::{Clip, FormatId, Variants},
    diagnostics::{Error, Notices, Severity, SourceLocation},
    rig::RigKind,
};

impl FormatId {
    /// ANIM of Metroid Prime 1 and 2: the motion of a skeleton's bones.
    pub const PRIME: Self = Self::new("prime");
}

/// The row of the registry.
pub(super) const FORMAT: Format = Format {
    id: FormatId::PRIME,
    name: "Metroid Prime animation",
    extensions: &["anim", "pak", "ancs"],
    between_keys: "linear; rotations at constant speed",
    recognise,
    decode: Decode::Whole(decode_clip),
    rig: Some(RigKind::CINF),
    variants: &[GAME, Variants::ANIMATION, CHARACTER, Variants::CLIP],
    animations: None,
    unpacked: None,
};

/// The label of the characters that an animation can be shown on.
const CHARACTER: &str = "Character";

/// The label of the games that an animation can be of: nothing in a file names one.
const GAME: &str = "Game";

/// The game that was chosen, if one was.
fn chosen_game(context: &DecodeContext<'_>) -> Result<Option<Game>, Error> {
    let Some(name) = context.variant(GAME) else { return Ok(None) };
    let is_called = |game: &Game| Game::SHORT_NAMES[game.index()].eq_ignore_ascii_case(name);
    let game = Game::ALL.into_iter().find(is_called).ok_or_else(|| {
        let games = Game::SHORT_NAMES.join(", ");
        Error::unsupported(
            SourceLocation::File,
            format!("expected a game ({games}), found {name:?}"),
        )
    });
    game.map(Some)
}

fn decode_clip(
    bytes: &[u8],
    context: &DecodeContext<'_>,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let game = chosen_game(context)?;
    match FileKind::of(bytes, None) {
        None => {}
        Some(kind @ (FileKind::Archive | FileKind::Characters)) => {
            return characters::decode_clip(bytes, kind, game, context);
        }
        Some(part) => return Err(part.refusal()),
    }
    let document = decode(bytes, game, notices)?;
    let mut clip = convert::convert(&document, notices);
    Ok(match context.rig {
        Some(rig) => {
            context.assumptions.apply(&mut clip.convention);
            rig::put_on(&document, clip, rig, notices)
        }
        None => clip,
    })
}

/// The fallback name of a bone, where no skeleton names it.
pub fn bone_name(id: u32) -> String {
    format!("{BONE}{id}")
}

/// The number of the bone that is called so where no skeleton has a name for it.
fn bone_number(name: &str) -> Option<u32> {
    name.strip_prefix(BONE)?.parse().ok()
}

/// The prefix of fallback names.
const BONE: &str = "bone_";

/// Archives have a signature, and sets of characters begin in a way of their own. Of an animation
/// there is no signature, but hardly anything else can be read as a header: a duration, a time
/// between frames, counts that agree. The rest is not asked for, so that the beginning of a file is
/// recognised, and a broken file too.
fn recognise(bytes: &[u8]) -> Recognition {
    match FileKind::of(bytes, None) {
        Some(FileKind::Archive) => return Recognition::Certain,
        Some(FileKind::Characters) => return Recognition::Plausible,
        _ => {}
    }
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
