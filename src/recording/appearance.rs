//! How recordings on the stage are distinguished.

use std::collections::HashSet;

use bevy::{math::DVec3, prelude::*};

use mutoscope_core::{clip::NodeId, measure::compare::color_of};

/// The colour that all of a recording is drawn in; `None` draws it in its own colours.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tint(pub Option<Color>);

impl Tint {
    /// The tint of the recording with this index among those that are open: the reference, which is
    /// the first, has its own colours.
    pub fn in_turn(index: usize) -> Self {
        Self(color_of(index).map(|[red, green, blue]| Color::srgb_u8(red, green, blue)))
    }
}

/// How far a recording is drawn from where it was recorded, in metres, in the viewer's axes.
///
/// Unlike a [`Transform`] it is in double precision, and is taken into account where positions of
/// two recordings are compared.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement(pub DVec3);

/// The nodes of a recording that are not drawn.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct HiddenNodes(pub HashSet<NodeId>);
