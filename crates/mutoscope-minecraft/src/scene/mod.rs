//! Recordings that are played together, `.mcmocap_scene`: each with a player, a place and a time.
//!
//! [`decode`] reads what a scene says into a [`SceneFile`], JSON or the lines of text of old;
//! `gather` reads the recordings and scenes that it names and makes a [`Scene`] of them, of which
//! each [`Take`] knows its [`Cue`] and its [`Placement`]. A recording on its own is a scene of one.
//! A [`SceneDocument`] is a scene that is edited and written.

mod block_state;
mod blocks;
mod casting;
mod centre;
mod conditions;
mod creature;
mod cue;
mod details;
mod drive;
mod edit;
mod facts;
mod file;
mod filter;
mod gather;
mod json;
mod legacy;
mod placement;
mod reading;
mod roll;
mod round;
mod sidecar;
mod skins;
mod take;
mod timing;

use blocks::BlockLevel;
pub use blocks::Cells;
pub use cue::{Cue, Level};
pub use edit::{
    ElementEdit, InvalidEdit, SceneChange, SceneDocument, SceneEdit, SceneElement, SceneHistory,
};
pub use file::{Centre, Chosen, Element, PlayerAsEntity, Rounding, SceneFile, Skin, decode};
pub(super) use file::{is_text, recognise};
pub use filter::EntityFilter;
pub(super) use gather::gather;
pub use placement::{Placement, Transformation};
pub use round::Round;
pub use sidecar::{RECORDING_FOLDERS, SCENE_FOLDERS};
pub use take::{ElementIssue, Scene, Take};
pub use timing::Timing;
