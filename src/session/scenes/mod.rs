//! Edited scenes of Minecraft Motion Capture: their current content, undo, playback and saving.
//!
//! | file | content |
//! |---|---|
//! | `edited` | the edited scene of an open recording |
//! | `command` | commands on scenes |
//! | `playing` | decodes a scene again after an edit |
//! | `adding` | finds where the mod expects an added recording |
//! | `saving` | writes a scene |

mod adding;
mod command;
mod edited;
mod playing;
mod saving;

pub(super) use adding::{element_name, location_problem};
pub use command::SceneCommand;
pub use edited::{EditedScene, SavedScene, SceneBytes};
pub(super) use playing::{play_edited_scenes, update_edited_scenes};
pub(super) use saving::{SaveOutcome, save_scene};
