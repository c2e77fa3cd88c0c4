//! Editing of scenes: the complete content of the file, edits that can be undone, and the text of
//! version 4 that is saved.
//!
//! | file | what it does |
//! |---|---|
//! | `json_text` | JSON that preserves the order of members and unknown members |
//! | `document` | the content of a scene file, and its text |
//! | `upgrade` | scenes of older versions as version 4 |
//! | `change` | edits, and the changes of elements that they cause |
//! | `history` | undo, redo, and whether there are unsaved changes |

mod change;
mod document;
mod history;
mod json_text;
mod upgrade;

pub use change::{ElementEdit, InvalidEdit, SceneChange, SceneEdit};
pub use document::{SceneDocument, SceneElement};
pub use history::SceneHistory;
