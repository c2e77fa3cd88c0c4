//! The skins of Minecraft players, and the scale of their bodies.

use bevy::prelude::*;

use mutoscope_minecraft::PlayerSkins;

/// The skins that players wear in place of those that recordings know, if some were given.
#[derive(Resource, Clone, Debug, Default)]
pub struct PlayerSkin(pub PlayerSkins);

/// A sixteenth of a block as players are drawn, in metres.
pub(super) const PIXEL: f32 = 0.9375 / 16.0;
