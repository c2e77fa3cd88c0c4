//! Labels other than node names.

use std::sync::Arc;

use bevy::prelude::*;

/// A label next to an entity. The label is drawn over the viewport together with the node names,
/// from [`StageScreen::tags`](super::StageScreen::tags).
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Tag(Arc<str>);

impl Tag {
    /// Creates a label with this text.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn text(&self) -> &Arc<str> {
        &self.0
    }
}
