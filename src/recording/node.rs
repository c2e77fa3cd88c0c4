//! Nodes and keys of one recording among several.

use bevy::prelude::*;

use mutoscope_core::clip::{KeyId, NodeId};

/// A node of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordingNode {
    /// The entity of the recording.
    pub recording: Entity,
    /// The node of its clip.
    pub node: NodeId,
}

/// A key of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingKey {
    /// The entity of the recording.
    pub recording: Entity,
    /// The key of its clip.
    pub key: KeyId,
}

impl RecordingNode {
    /// The node `node` of `recording`.
    pub fn new(recording: Entity, node: NodeId) -> Self {
        Self { recording, node }
    }

    /// The node, if it is of `recording`.
    pub fn of(self, recording: Entity) -> Option<NodeId> {
        (self.recording == recording).then_some(self.node)
    }
}

impl RecordingKey {
    /// The key, if it is of `recording`.
    pub fn of(self, recording: Entity) -> Option<KeyId> {
        (self.recording == recording).then_some(self.key)
    }
}
