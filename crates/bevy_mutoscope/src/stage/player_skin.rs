//! The skins of Minecraft players, and the scale of their bodies.

use bevy::prelude::*;

use mutoscope_minecraft::PlayerSkins;

/// The skins to use instead of the recorded skins. Empty if the user passed no skins.
#[derive(Resource, Clone, Debug, Default)]
pub struct PlayerSkin(pub PlayerSkins);

/// The size of a sixteenth of a block on a drawn player, in metres.
pub(super) const PIXEL_SIZE: f32 = 0.9375 / 16.0;
