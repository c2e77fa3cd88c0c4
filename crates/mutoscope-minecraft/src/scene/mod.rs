//! Scenes, `.mcmocap_scene`: recordings that are played together, each with a player, a placement
//! and a cue.
//!
//! [`decode`] reads a scene file (JSON or the older lines of text) into a [`SceneFile`].
//! `load_scene` reads the recordings and scenes that it names and builds a [`Scene`], in which each
//! [`Take`] has a [`Cue`] and a [`Placement`]. A recording without a scene is a scene with one
//! take. A [`SceneDocument`] is a scene that is edited and saved.

mod assembler;
mod block_state;
mod blocks;
mod centre;
pub(super) mod codes;
mod conditions;
mod creature_state;
mod cue;
mod details;
mod edit;
mod facts;
mod file;
mod filter;
mod json;
mod legacy;
mod loader;
mod placement;
mod player_overrides;
mod procedural;
mod reading;
mod round;
mod sidecar;
mod skins;
mod take;
mod timing;

pub use blocks::BlockBounds;
use blocks::BlockLevel;
pub use cue::{Cue, Level};
pub use edit::{ElementEdit, InvalidEdit, SceneDocument, SceneEdit, SceneElement};
pub use file::{
    Centre, CentreRounding, ChosenElement, Element, PlayerAsEntity, SceneFile, Skin, decode,
};
pub(super) use file::{is_scene_text, recognise};
pub use filter::EntityFilter;
pub(super) use loader::load_scene;
pub use placement::{Placement, Transformation};
pub use round::Round;
pub use sidecar::{RECORDING_FOLDERS, SCENE_FOLDERS};
pub use take::{ElementDiagnostic, Scene, Take};
pub use timing::Timing;
