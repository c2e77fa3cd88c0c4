//! `--skin`: what players of Minecraft wear in pictures.

use std::{fs, sync::Arc};

use super::{Message, Reading, tell};
use crate::stage::{Skin, Wardrobe};

/// Reads the skin, if one is wanted; nothing if it cannot be read, which is said.
pub(super) fn wardrobe(reading: &Reading) -> Option<Wardrobe> {
    let Some(path) = &reading.skin else { return Some(Wardrobe::default()) };
    let read = fs::read(path).map_err(|error| format!("cannot be read: {error}"));
    match read.and_then(|png| Skin::decode(&png).map_err(|error| error.to_string())) {
        Ok(skin) => Some(Wardrobe(Some(Arc::new(skin)))),
        Err(error) => {
            let name = path.display().to_string();
            tell(Message::about_file(&name, format!("as a skin: {error}")));
            None
        }
    }
}
