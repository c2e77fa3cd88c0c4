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
}
