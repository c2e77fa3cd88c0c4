//! A recording laid over another.

use bevy::{math::DVec3, prelude::*};

use mutoscope_core::measure::compare::Placement;

/// Places a recording relative to another one on the stage.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Overlay {
    /// The recording that it is placed relative to.
    pub base: Entity,
    /// Where it is placed.
    pub placement: Placement,
    /// The mean way from the base's joints to those matched with them, in metres, as far as it is
    /// known; without it, the middles of both are brought together.
    pub mean: Option<DVec3>,
}
