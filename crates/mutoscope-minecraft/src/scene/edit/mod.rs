//! Scenes that are edited: the file with all that is in it, changes that can be undone, and the
//! text of version 4 that is written.
//!
//! | file | what it does |
//! |---|---|
//! | `json_text` | JSON with its members in their order, known or not |
//! | `document` | the content of a scene's file, and its text |
//! | `upgrade` | scenes of older versions as version 4 |
//! | `change` | edits, and the changes of elements that they are |
//! | `history` | undo, redo, and whether there is anything to save |

mod change;
mod document;
mod history;
mod json_text;
mod upgrade;

pub use change::{ElementEdit, InvalidEdit, SceneChange, SceneEdit};
pub use document::{SceneDocument, SceneElement};
pub use history::SceneHistory;
