//! Edited scenes of Minecraft Motion Capture: their current content, playback and saving.
//!
//! | file | content |
//! |---|---|
//! | `edited` | the edited scene of an open recording |
//! | `command`, `apply` | commands on scenes, and how they are applied |
//! | `playing` | decodes a scene again after an edit |
//! | `adding` | finds where the mod expects an added recording |
//! | `saving` | writes a scene |

mod adding;
mod apply;
mod command;
mod edited;
mod playing;
mod saving;

use bevy::prelude::*;

use super::schedule::ApplyStep;

pub(in crate::session) use apply::{apply, restore};
pub use command::SceneCommand;
pub use edited::{EditedScene, SavedScene, SceneBytes};

pub(in crate::session) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (playing::update_edited_scenes, playing::play_edited_scenes)
            .chain()
            .in_set(ApplyStep::Edit),
    );
}
