//! Metroid Prime's animations (ANIM) and skeletons (CINF), as used by Metroid Prime, Metroid Prime
//! 2: Echoes and the Echoes demo.
//!
//! `docs/formats/prime.md` describes the formats and lists our assumptions.
//!
//! [`archive`] reads the games' archives (PAK). [`characters`] reads the animations and events of
//! each character (ANCS, EVNT). [`model`] reads the meshes of characters (CMDL, CSKR, TXTR).
//!
//! [`decode()`] turns bytes into a [`Document`] and finds out which game they are from.
//! [`decode_skeleton`] does the same for a skeleton. `convert` makes a clip of an animation, and
//! `attachment` attaches the clip to a skeleton.

pub mod archive;
mod arrays;
mod attachment;
mod bitstream;
pub mod characters;
mod cinf;
pub(crate) mod codes;
mod convert;
mod decode;
mod document;
pub(crate) mod encode;
pub mod model;
mod skeleton;
mod step;
mod stream_keys;

pub use arrays::{ArrayChannel, Arrays, KeyArray};
pub use bitstream::{Attribute, Bitstream, Channel, RawKey, Stream};
pub(crate) use decode::INTERVAL_RANGE_S;
pub use decode::decode;
pub use document::{Body, Document, Game};
pub use skeleton::{Bone, CinfSkeleton, Tree, decode_skeleton};
pub use step::Step;

pub(super) use characters::CHARACTER_SKELETON;
pub(super) use cinf::CINF;

use std::sync::Arc;

use self::characters::FileKind;
use super::{Decode, Format, ReadOptions, Recognition, SourceFile};
use crate::{
    clip::{Clip, Content, FormatId, Variants},
    diagnostics::{Diagnostics, Error, Severity, SourceLocation},
    skeleton_file::SkeletonKind,
};

impl FormatId {
    /// The format of ANIM files of Metroid Prime 1 and 2, which animate the bones of a skeleton.
    pub const PRIME: Self = Self::new("prime");
}

pub(super) const FORMAT: Format = Format {
    id: FormatId::PRIME,
    name: "Metroid Prime animation",
    extensions: &["anim", "pak", "ancs"],
    between_keys: "linear; rotations at constant speed",
    contents: &[
        Content::Motion,
        Content::Hierarchy,
        Content::RestPose,
        Content::Scales,
        Content::Events,
        Content::Meshes,
    ],
    recognise,
    decode: Decode::Whole(decode_clip),
    skeleton_kind: Some(SkeletonKind::CINF),
    variants: &[GAME_VARIANT, Variants::ANIMATION, Variants::CHARACTER, Variants::CLIP],
    animations: None,
    unpack: None,
    explain_rejection: None,
};

/// A format of the keys of Metroid Prime's animations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
pub enum PrimeFormat {
    /// Format 0: floats.
    #[strum(serialize = "0")]
    V0,
    /// Format 2: packed integers.
    #[default]
    #[strum(serialize = "2")]
    V2,
}

/// What a file has besides the tracks of its clip.
#[derive(Debug)]
pub(crate) struct SourceDetails {
    pub(crate) game: Game,
    pub(crate) format: PrimeFormat,
    /// The duration when the file was decoded, in seconds.
    pub(crate) duration: f64,
    /// The id of the asset with the events.
    pub(crate) events: Option<u32>,
    /// The whole file. `None` for a file that is much larger than those of the games, so that it is
    /// not kept in memory twice.
    pub(crate) bytes: Option<Box<[u8]>>,
}

/// The maximum size of a file whose bytes are kept, in bytes.
const MAX_KEPT_BYTES: usize = 1 << 20;

impl SourceDetails {
    fn new(document: &Document<'_>, bytes: &[u8]) -> Self {
        let format = match document.body {
            Body::Arrays(_) => PrimeFormat::V0,
            Body::Bitstream(_) => PrimeFormat::V2,
        };
        Self {
            game: document.game,
            format,
            duration: document.duration.into(),
            events: document.events,
            bytes: (bytes.len() <= MAX_KEPT_BYTES).then(|| bytes.into()),
        }
    }
}

const GAME_VARIANT: &str = "Game";

fn chosen_game(options: &ReadOptions) -> Result<Option<Game>, Error> {
    let Some(name) = options.variant(GAME_VARIANT) else { return Ok(None) };
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
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let game = chosen_game(options)?;
    match FileKind::detect(bytes, None) {
        None => {}
        Some(kind @ (FileKind::Archive | FileKind::Characters)) => {
            return characters::decode_clip(bytes, kind, file, options);
        }
        Some(part) => return Err(part.not_a_recording_error()),
    }
    let document = decode(bytes, game, diagnostics)?;
    let mut clip = convert::convert(&document, diagnostics);
    clip.source_details = Some(Arc::new(SourceDetails::new(&document, bytes)));
    Ok(match options.given_skeleton() {
        Some(skeleton) => {
            options.assumptions_for(FormatId::PRIME).apply(&mut clip.convention);
            attachment::attach_to_skeleton(&document, clip, skeleton, diagnostics)
        }
        None => clip,
    })
}

/// Returns the name for a bone that no skeleton names, for example `bone_5`.
pub fn bone_name(id: u32) -> String {
    format!("{BONE_PREFIX}{id}")
}

fn bone_id_from_name(name: &str) -> Option<u32> {
    name.strip_prefix(BONE_PREFIX)?.parse().ok()
}

const BONE_PREFIX: &str = "bone_";

/// Recognises archives, character sets and animations.
///
/// An animation has no signature, but few other files can be read as its header: a duration, a time
/// between frames and consistent counts. The rest of the file need not be valid, so that truncated
/// and damaged animations are recognised too.
fn recognise(bytes: &[u8]) -> Recognition {
    match FileKind::detect(bytes, None) {
        Some(FileKind::Archive) => return Recognition::Certain,
        Some(FileKind::Characters) => return Recognition::Plausible,
        _ => {}
    }
    let is_animation = decode::has_animation_header(bytes)
        && (decode(bytes, None, &mut Diagnostics::new()).is_ok() || !is_skeleton(bytes));
    if is_animation { Recognition::Plausible } else { Recognition::No }
}

/// Returns `true` if `bytes` are a whole skeleton (CINF) without warnings. A file with warnings is
/// rejected, because many other kinds of file can be read as a skeleton with warnings.
pub fn is_skeleton(bytes: &[u8]) -> bool {
    let mut diagnostics = Diagnostics::new();
    decode_skeleton(bytes, &mut diagnostics).is_ok()
        && diagnostics.worst_severity() <= Some(Severity::Info)
}
