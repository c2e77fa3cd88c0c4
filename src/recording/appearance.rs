//! How recordings on the stage are distinguished.

use std::collections::HashSet;

use bevy::{math::DVec3, prelude::*};

use mutoscope_core::clip::NodeId;

/// The colour that all of a recording is drawn in; `None` draws it in its own colours.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tint(pub Option<Color>);

impl Tint {
    /// The tints of recordings other than the reference, in turn.
    const IN_TURN: [u32; 5] = [0xb9d957, 0xf2a65a, 0xc58bf2, 0x5fd0d8, 0xf08fb0];

    /// The tint of the recording with this index among those that are open: the reference, which is
    /// the first, has its own colours.
    pub fn in_turn(index: usize) -> Self {
        let turn = index.checked_sub(1);
        Self(turn.map(|turn| {
            let [_, red, green, blue] = Self::IN_TURN[turn % Self::IN_TURN.len()].to_be_bytes();
            Color::srgb_u8(red, green, blue)
        }))
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
