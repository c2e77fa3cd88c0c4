//! Recordings of the Minecraft mod Motion Capture, `.mcmocap_rec`, in every dialect from version
//! 1.0 on: the actions of a player, tick by tick, and the entities and blocks around. And its
//! scenes, `.mcmocap_scene`: several of them played together.
//!
//! `docs/formats/mcmocap.md` describes the format as it is and how it is played.
//!
//! ```text
//! bytes ─▶ decode ─▶ Document ─▶ replay ─▶ Recording ─▶ Scene of one or many ─▶ convert ─▶ Clip
//! ```
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | `decode`, `dialect`, `header`, `reader`, `ids` | from bytes to a [`Document`]; the layouts of each version |
//! | `document`, `action`, `profile` | what a file says: its header, its actions, its player |
//! | `replay`, `recording`, `state`, `clicked` | a [`Recording`], which can be asked for any tick |
//! | [`scene`] | a [`Scene`] of recordings that are played together, its files and its edits |
//! | `convert`, `nodes`, `tracks`, `time` | the clip of a scene |
//! | `figure`, `kinds` | the player's limbs; kinds of entities and their sizes |
//! | [`shapes`] | what entities, items and blocks look like, without an engine |
//! | `likeness` | models of players and entities, for exports |
//! | `humanoid` | the player as a body for retargeting |
//! | `issues`, `remarks`, `words`, `chat`, `snbt` | what is reported of a file; plain words, texts and data |
//! | [`mod@write`], `rewriting` | recordings as the current version of the mod has them |

mod action;
mod chat;
mod clicked;
mod convert;
mod decode;
mod dialect;
mod document;
mod figure;
mod header;
mod humanoid;
mod ids;
mod issues;
mod kinds;
mod likeness;
mod nodes;
mod profile;
mod reader;
mod recording;
mod remarks;
mod replay;
mod rewriting;
pub mod scene;
pub mod shapes;
mod snbt;
mod state;
mod time;
mod tracks;
mod words;
pub mod write;

pub use action::{Action, Coordinate, EntityData, ItemData, Movement, Step, Update, Use};
pub use decode::decode;
pub use dialect::{Dialect, Layout, Strings};
pub use document::{BlockState, Document, Extension, Header, IdMaps, Profile, Steps};
pub use figure::{Cuboid, Part, SkinLayer, SkinMesh, SkinShape};
pub use ids::short;
pub use kinds::{Size, is_boat, is_living, is_minecart, is_projectile};
pub use likeness::{PlayerSkins, SkinError, SkinPicture};
pub use profile::Person;
pub use recording::{Entity, Life, Recording};
pub use rewriting::{EXTENSION, rewrite_mcmocap};
pub use scene::{Cue, Placement, Round, Scene, Take};
pub use snbt::pretty;
pub use state::{
    Actor, BlockChange, Blocks, Client, ClientState, Crack, Effect, EntityFlags, Held, Item,
    LivingFlags, Path, PoseName, Slot, Stand,
};
pub use time::{SampleTime, TICKS_PER_SECOND};
pub use words::spoken;

use mutoscope_core::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices, SourceLocation},
    formats::{self, Decode, DecodeContext, Format, Recognition},
};

/// The id of the format: its word is `mcmocap`.
pub const FORMAT_ID: FormatId = FormatId::new("mcmocap");

/// The row of the registry.
static FORMATS: [Format; 1] = [Format {
    id: FORMAT_ID,
    name: "Minecraft Motion Capture",
    extensions: &["mcmocap_rec", "mcmocap_scene"],
    between_keys: "linear from tick to tick, except over a teleport",
    recognise,
    decode: Decode::Whole(decode_clip),
    rig: None,
    variants: &[],
    animations: None,
    unpacked: None,
}];

/// Registers the format, so that its files are recognised and decoded, and the player as a character.
pub fn register() {
    formats::register(&FORMATS);
    formats::register_characters(&likeness::CHARACTERS);
}

fn decode_clip(
    bytes: &[u8],
    context: &DecodeContext<'_>,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    if !scene::is_text(bytes) {
        let document = decode(bytes, notices)?;
        return Ok(convert::convert(&document, notices));
    }
    let file = scene::decode(bytes, notices)?;
    let (scene, events) = scene::gather(&file, context.sidecars, notices);
    notices.info(SourceLocation::File, convert::DERIVED);
    let version = format!("scene-v{}", file.version);
    Ok(convert::clip(version, scene, events, notices))
}

/// There is no signature: a version and then a place in the world and a look that could be some
/// player's. Files of an unknown version are ours too, to say which. Scenes are text.
fn recognise(bytes: &[u8]) -> Recognition {
    if scene::is_text(bytes) {
        scene::recognise(bytes)
    } else if header::starts_somewhere(bytes) {
        Recognition::Plausible
    } else {
        Recognition::No
    }
}
