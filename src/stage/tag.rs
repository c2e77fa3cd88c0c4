//! Labels other than node names.

use std::sync::Arc;

use bevy::prelude::*;

/// A label next to an entity: painted with the names over the viewport, from
/// [`StageScreen::tags`](super::StageScreen::tags).
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Tag(Arc<str>);

impl Tag {
    /// These words.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The words.
    pub fn text(&self) -> &Arc<str> {
        &self.0
    }
}
