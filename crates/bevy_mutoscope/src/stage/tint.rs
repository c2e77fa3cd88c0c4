//! Components that control the look of a recording on the stage.

use std::collections::HashSet;

use bevy::{math::DVec3, prelude::*};

use mutoscope_core::{clip::NodeId, measure::compare::comparison_color};

/// The colour in which a whole recording is drawn. `None` keeps the recording's own colours.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct Tint(pub Option<Color>);

impl Tint {
    /// Returns the tint of the open recording at `index`. The first recording is the reference and
    /// keeps its own colours.
    pub fn for_index(index: usize) -> Self {
        Self(comparison_color(index).map(|[red, green, blue]| Color::srgb_u8(red, green, blue)))
    }
}

/// The offset between the drawn and the recorded position of a recording, in metres, in the
/// viewer's axes.
///
/// Unlike a [`Transform`], it has double precision. Comparisons of two recordings take it into
/// account.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct Displacement(pub DVec3);

/// The nodes of a recording that are not drawn.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Deref, DerefMut, Reflect)]
#[reflect(opaque, Component, Clone, Debug, Default, PartialEq)]
pub struct HiddenNodes(pub HashSet<NodeId>);
