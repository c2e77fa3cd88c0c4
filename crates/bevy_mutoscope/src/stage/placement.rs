//! The placement of a recording relative to another.

use bevy::{math::DVec3, prelude::*};

use mutoscope_core::measure::compare::Placement;

/// Places a recording relative to another recording on the stage.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Overlay {
    /// The entity of the other recording.
    pub base: Entity,
    /// The rule that determines the position.
    pub placement: Placement,
    /// The mean offset from the joints of the base to the joints that are matched with them, in
    /// metres. If it is `None`, the centres of both recordings are aligned instead.
    pub mean_offset: Option<DVec3>,
    /// The horizontal direction in which recordings side by side are next to the base. If it is
    /// `None`, this is the right of the direction in which the base moves.
    pub right: Option<DVec3>,
}

impl Overlay {
    /// Places a recording relative to `base`, before the joints of both are matched.
    pub fn new(base: Entity, placement: Placement) -> Self {
        Self { base, placement, mean_offset: None, right: None }
    }
}
