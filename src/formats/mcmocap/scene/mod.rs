//! Recordings that are played together, `.mcmocap_scene`: each by somebody, somewhere, at some time.
//!
//! [`decode`] reads what a scene says into a [`SceneFile`], JSON or the lines of text of old;
//! `gather` reads the recordings and scenes that it names and makes a [`Scene`] of them, of which
//! each [`Take`] knows its [`Cue`] and its [`Placement`]. A recording on its own is a scene of one.

mod conditions;
mod cue;
mod drive;
mod facts;
mod file;
mod gather;
mod json;
mod legacy;
mod placement;
mod roll;
mod round;
mod take;

pub use cue::{Cue, Timing};
pub use file::{Centre, Chosen, Element, Rounding, SceneFile, Skin, decode};
pub(super) use file::{is_text, recognise};
pub(super) use gather::gather;
pub use placement::{Placement, Transformation};
pub use round::Round;
pub use take::{Scene, Take};
