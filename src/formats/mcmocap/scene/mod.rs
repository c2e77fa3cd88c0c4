//! Recordings that are played together, `.mcmocap_scene`: each by somebody, somewhere, at some time.
//!
//! [`decode`] reads what a scene says into a [`SceneFile`], JSON or the lines of text of old;
//! `gather` reads the recordings and scenes that it names and makes a [`Scene`] of them, of which
//! each [`Take`] knows its [`Cue`] and its [`Placement`]. A recording on its own is a scene of one.

mod casting;
mod conditions;
mod cue;
mod details;
mod drive;
mod facts;
mod file;
mod filter;
mod gather;
mod json;
mod legacy;
mod placement;
mod roll;
mod round;
mod sidecar;
mod take;

pub use cue::{Cue, Timing};
pub use file::{Centre, Chosen, Element, Rounding, SceneFile, Skin, decode};
pub(super) use file::{is_text, recognise};
pub use filter::EntityFilter;
pub(super) use gather::gather;
pub use placement::{Cells, Placement, Transformation};
pub use round::Round;
pub use take::{Scene, Take};
