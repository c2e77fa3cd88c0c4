//! Edited scenes of Minecraft Motion Capture: their current content, undo, and saving.
//!
//! | file | what it does |
//! |---|---|
//! | `edited` | the edited scene of an open recording |
//! | `command` | commands about scenes |
//! | `playing` | decoding a scene again after an edit |
//! | `adding` | where the mod expects a recording that is added |
//! | `saving` | writing a scene |

mod adding;
mod command;
mod edited;
mod playing;
mod saving;

pub(super) use adding::{element_name, misplaced};
pub use command::SceneCommand;
pub use edited::{EditedScene, SavedScene, SceneBytes};
pub(super) use playing::{find_scenes, play_edited};
pub(super) use saving::{Saving, save};
