//! Reads recordings (`.mcmocap_rec`) and scenes (`.mcmocap_scene`) of the Minecraft mod Motion
//! Capture, in every version since 1.0. A recording stores the actions of a player tick by tick,
//! and the entities and blocks nearby. A scene plays several recordings together.
//!
//! `docs/formats/mcmocap.md` describes the format and its playback.
//!
//! ```text
//! bytes ─▶ decode ─▶ Document ─▶ replay ─▶ Recording ─▶ Scene of one or many ─▶ convert ─▶ Clip
//! ```
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | `decode`, `dialect`, `header`, `reader`, `ids` | parse bytes into a [`Document`]; the layouts of each version |
//! | `document`, `action`, `profile` | the content of a file: its header, its actions, its player |
//! | `replay`, `recording`, `state`, `clicked_blocks` | replay the actions into a [`Recording`], whose state can be read at any tick |
//! | [`scene`] | a [`Scene`] of recordings that are played together, its files and its edits |
//! | `convert`, `nodes`, `tracks`, `time` | the clip of a scene |
//! | `figure`, `kinds` | the player's limbs; kinds of entities and their sizes |
//! | [`shapes`] | the shapes of entities, items and blocks, independent of the engine |
//! | `export_model` | models of players and entities, for exports |
//! | `humanoid` | the player as a body for retargeting |
//! | `format_diagnostics`, `missing_content` | diagnostics |
//! | `labels`, `chat`, `snbt` | display strings, text components and SNBT data |
//! | [`mod@write`], `rewriting` | rewrite recordings for the current version of the mod |

mod action;
mod chat;
mod clicked_blocks;
mod codes;
mod convert;
mod decode;
mod dialect;
mod document;
mod export_model;
mod figure;
mod format_diagnostics;
mod header;
mod humanoid;
mod ids;
mod kinds;
mod labels;
mod missing_content;
mod nodes;
mod profile;
mod reader;
mod recording;
mod replay;
mod rewriting;
pub mod scene;
pub mod shapes;
mod snbt;
mod state;
mod time;
mod tracks;
pub mod write;

pub use action::{Action, Coordinate, EntityData, ItemData, Movement, Step, Update, Use};
pub use decode::decode;
pub use dialect::{Dialect, Layout, StringFormat};
pub use document::{BlockState, Document, Extension, Header, IdMaps, Profile, Steps};
pub use export_model::{PlayerSkins, SkinError, SkinImage};
pub use figure::{Cuboid, Part, SkinLayer, SkinMesh, SkinShape};
pub use ids::short_name;
pub use kinds::{Size, is_boat, is_living, is_minecart, is_projectile};
pub use labels::display_name;
pub use profile::PlayerProfile;
pub use recording::{Entity, Life, Recording};
pub use rewriting::{EXTENSION, rewrite_mcmocap};
pub use scene::{Cue, Placement, Round, Scene, Take};
pub use snbt::pretty_snbt;
pub use state::{
    Actor, ActorTransform, BlockChange, Blocks, Client, ClientState, Crack, Effect, EntityFlags,
    Item, LivingFlags, MotionPath, PoseName, Slot, StepTrack,
};
pub use time::{SampleTime, TICKS_PER_SECOND};

use mutoscope_core::{
    clip::{Clip, Content, FormatId},
    diagnostics::{Code, Diagnostics, Error},
    formats::{Decode, Format, FormatSet, ReadOptions, Recognition, SourceFile},
};

/// The id of the format, `mcmocap`.
pub const FORMAT_ID: FormatId = FormatId::new("mcmocap");

/// The codes of diagnostics about recordings and scenes.
pub const CODES: &[&[Code]] = &[codes::CODES, scene::codes::CODES];

static FORMATS: [Format; 1] = [Format {
    id: FORMAT_ID,
    name: "Minecraft Motion Capture",
    extensions: &["mcmocap_rec", "mcmocap_scene"],
    between_keys: "linear from tick to tick, except over a teleport",
    contents: &[
        Content::Motion,
        Content::Hierarchy,
        Content::Visibility,
        Content::Signals,
        Content::Events,
        Content::Meshes,
    ],
    recognise,
    decode: Decode::Whole(decode_clip),
    skeleton_kind: None,
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: None,
}];

/// Returns the format, and the built-in character of a player.
pub fn formats() -> FormatSet {
    FormatSet {
        formats: &FORMATS,
        characters: &export_model::CHARACTERS,
        codes: CODES,
        ..FormatSet::default()
    }
}

fn decode_clip(
    bytes: &[u8],
    file: &SourceFile<'_>,
    _options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    if !scene::is_scene_text(bytes) {
        let document = decode(bytes, diagnostics)?;
        return Ok(convert::clip_from_document(&document, diagnostics));
    }
    let scene_file = scene::decode(bytes, diagnostics)?;
    let (scene, events) = scene::load_scene(&scene_file, file.sidecars, diagnostics);
    convert::report_derived_values(diagnostics);
    let version = format!("scene-v{}", scene_file.version);
    Ok(convert::clip_from_scene(version, scene, events, diagnostics))
}

fn recognise(bytes: &[u8]) -> Recognition {
    if scene::is_scene_text(bytes) {
        return scene::recognise(bytes);
    }
    // The format has no signature. Accept a file if a plausible position and plausible angles
    // follow the version byte. Accept unknown versions as well, because the decoder then reports
    // the version in its error.
    if header::has_plausible_start(bytes) { Recognition::Plausible } else { Recognition::No }
}
