//! References to a node or a key of a recording.

use bevy::prelude::*;

use mutoscope_core::clip::{KeyId, NodeId};

/// A node of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordingNode {
    /// The entity of the recording.
    pub recording: Entity,
    /// The node in the clip of the recording.
    pub node: NodeId,
}

/// A key of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingKey {
    /// The entity of the recording.
    pub recording: Entity,
    /// The key in the clip of the recording.
    pub key: KeyId,
}

impl RecordingNode {
    /// Creates a reference to `node` of `recording`.
    pub fn new(recording: Entity, node: NodeId) -> Self {
        Self { recording, node }
    }

    /// Returns the node if it belongs to `recording`, otherwise `None`.
    pub fn node_in(self, recording: Entity) -> Option<NodeId> {
        (self.recording == recording).then_some(self.node)
    }
}

impl RecordingKey {
    /// Returns the key if it belongs to `recording`, otherwise `None`.
    pub fn key_in(self, recording: Entity) -> Option<KeyId> {
        (self.recording == recording).then_some(self.key)
    }
}
