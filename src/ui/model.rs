//! What the panels read.

use bevy_egui::egui::TextureId;

use super::PreparedTimeline;
use crate::{
    counterpart::Counterpart,
    player::Player,
    session::{Comparing, Exports, Files, Findings, Listed, Panels},
    stage::{StageScreen, View},
};

/// What the panels read: borrows of what others own.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// Which panels are open and how they are laid out.
    pub panels: &'a Panels,
    /// What plays.
    pub player: &'a Player,
    /// What of it is shown.
    pub view: &'a View,
    /// Where it comes from.
    pub files: &'a Files,
    /// What the timeline shows of it; nothing until its keys have been looked through.
    pub timeline: Option<&'a PreparedTimeline>,
    /// The time in seconds that the pointer is over somewhere, if it is over any.
    pub hovered: Option<f64>,
    /// What is found in its data.
    pub findings: &'a Findings,
    /// Its file, row by row.
    pub listed: &'a Listed,
    /// Where its nodes are on the screen.
    pub screen: &'a StageScreen,
    /// The embedded samples, for the gallery.
    pub samples: &'a [SampleCard],
    /// What is held against what plays.
    pub counterpart: &'a Counterpart,
    /// How far the two are apart.
    pub comparing: &'a Comparing,
    /// What is being written.
    pub exports: &'a Exports,
    /// Whether the user holds a file over the window and has not let go yet.
    pub file_hovers: bool,
}

/// One embedded sample, as the gallery shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleCard {
    /// Its name.
    pub name: String,
    /// The name of its format.
    pub format: String,
    /// One line that says what is in it.
    pub line: String,
    /// A picture of it, 16 to 9; nothing until there is one.
    pub texture: Option<TextureId>,
}
