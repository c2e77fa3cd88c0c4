//! `--skin`: what players of Minecraft wear in pictures.

use std::{fs, sync::Arc};

use super::{Message, Reading, tell};
use crate::stage::{PlayerSkin, Skin};

/// Reads the skin, if one is wanted; nothing if it cannot be read, which is said.
pub(super) fn player_skin(reading: &Reading) -> Option<PlayerSkin> {
    let Some(path) = &reading.skin else { return Some(PlayerSkin::default()) };
    let read = fs::read(path).map_err(|error| format!("cannot be read: {error}"));
    match read.and_then(|png| Skin::decode(&png).map_err(|error| error.to_string())) {
        Ok(skin) => Some(PlayerSkin(Some(Arc::new(skin)))),
        Err(error) => {
            let name = path.display().to_string();
            tell(Message::about_file(&name, format!("as a skin: {error}")));
            None
        }
    }
}
