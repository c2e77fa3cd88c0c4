//! Draws clips node by node, with a shape for each kind of node.

use bevy::ecs::hierarchy::ChildSpawnerCommands;

use super::{
    appearance::{Appearance, PartAssets},
    gaze, hand_skin, hands, head, mannequin, palm, skeleton,
    subject::PartContext,
};
use mutoscope_core::clip::{self, Clip, NodeKind, Pose};

pub(super) const APPEARANCE: Appearance =
    Appearance { applies_to: |_| true, draws_everything: true, spawn, eyes, ..Appearance::NONE };

fn spawn(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>, assets: &mut PartAssets<'_>) {
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
    skeleton::spawn_marker_sticks(root, parts);
    hands::spawn(root, parts);
    palm::spawn(root, parts, assets);
    hand_skin::spawn(root, parts, assets);
    mannequin::spawn(root, parts, assets);
}

fn eyes(clip: &Clip, pose: &Pose) -> Option<clip::Transform> {
    let (id, _) = clip.nodes.with_ids().find(|(_, node)| node.kind == NodeKind::Head)?;
    let node = pose.nodes.get(id.index())?;
    node.is_visible.then_some(node.world)
}
