//! The skins of Minecraft players, and the scale of their bodies.

use bevy::prelude::*;

use mutoscope_minecraft::PlayerSkins;

/// The skins that replace the skins from recordings. Empty if the user passed none.
#[derive(Resource, Clone, Debug, Default)]
pub struct PlayerSkin(pub PlayerSkins);

/// The size of a sixteenth of a block in the scale at which players are drawn, in metres.
pub(super) const PIXEL_SIZE: f32 = 0.9375 / 16.0;
