//! The selection of nodes.

use bevy::prelude::*;

use bevy_mutoscope::{RecordingNode, stage::View};

/// Triggered after the user has selected a node.
#[derive(Event, Clone, Copy, Debug)]
pub(in crate::session) struct NodeSelected;

/// Selects a node, or clears the selection.
pub(in crate::session) fn select_node(
    node: Option<RecordingNode>,
    view: &mut View,
    commands: &mut Commands,
) {
    view.selected = node;
    view.selected_key = None;
    if node.is_some() {
        commands.trigger(NodeSelected);
    }
}
