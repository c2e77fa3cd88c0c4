//! Clips drawn node by node: each by what it is.

use bevy::ecs::hierarchy::ChildSpawnerCommands;

use super::{
    appearance::{Appearance, Workshop},
    gaze, hand_skin, hands, head, palm, skeleton,
    subject::Parts,
};
use mutoscope_core::clip::{self, Clip, NodeKind, Pose};

/// Joints, bones, heads and rays.
pub(super) const APPEARANCE: Appearance =
    Appearance { draws: |_| true, is_all: true, spawn, eyes, ..Appearance::NONE };

fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>, workshop: &mut Workshop<'_>) {
    for (id, node) in parts.clip.nodes.with_ids() {
        match node.kind {
            NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => {
                skeleton::spawn(root, parts, id);
            }
            NodeKind::Head => head::spawn(root, parts, id),
            NodeKind::Ray => gaze::spawn(root, parts, id),
            NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
        }
    }
    hands::spawn(root, parts);
    palm::spawn(root, parts, workshop);
    hand_skin::spawn(root, parts, workshop);
}

/// The first head.
fn eyes(clip: &Clip, pose: &Pose) -> Option<clip::Transform> {
    let (id, _) = clip.nodes.with_ids().find(|(_, node)| node.kind == NodeKind::Head)?;
    let node = pose.nodes.get(id.index())?;
    node.shown.then_some(node.world)
}
