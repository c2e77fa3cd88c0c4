//! Editing of scenes: the complete content of the file, edits, and the text of version 4 that is
//! saved.
//!
//! | file | what it does |
//! |---|---|
//! | `json_text` | JSON that preserves the order of members and unknown members |
//! | `document` | the content of a scene file, and its text |
//! | `upgrade` | scenes of older versions as version 4 |
//! | `change` | edits, and how they change elements |

mod change;
mod document;
mod json_text;
mod upgrade;

pub use change::{ElementEdit, InvalidEdit, SceneEdit};
pub use document::{SceneDocument, SceneElement};
