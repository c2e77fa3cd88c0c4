//! Joints as balls and bones between them: any clip whose nodes know where their bones begin.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Look, Staged, View, hands,
    look::Coat,
    model,
    staged::{Follows, Painted, Presence, name, presence, visible},
};
use crate::{
    clip::{Clip, Node, NodeId, NodeKind},
    player::Player,
};

/// The radius of a bone of a hand where it begins, in metres.
pub(super) const BONE_RADIUS: f32 = 0.0058;

/// The radius of the largest joints of a hand, in metres: where several bones begin.
pub(super) const LARGEST_JOINT: f32 = 0.009;

/// The radius of what leads to a locator.
const THREAD_RADIUS: f32 = 0.0013;

/// A bone that reaches from one node to another.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Bone {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) radius: f32,
}

/// The joint `id` and the bone to it, `size` times as thick as in a hand.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    clip: &Clip,
    id: NodeId,
    look: &Look,
    size: f32,
) {
    let node = &clip.nodes[id];
    let looks = Looks::of(node, look);
    root.spawn((
        name(node, "joint"),
        Follows { node: id, size: radius(clip, id) * size },
        Mesh3d(looks.mesh.clone()),
        MeshMaterial3d(looks.joint.solid.clone()),
        Painted { node: id, coat: looks.joint, glows_with: hands::pinch_of_tip(clip, id) },
        Visibility::Hidden,
    ));
    let Some(from) = node.bone_from else { return };
    root.spawn((
        name(node, "bone"),
        Bone { from, to: id, radius: looks.bone_radius * size },
        Mesh3d(look.bone.clone()),
        MeshMaterial3d(looks.bone.solid.clone()),
        Painted { node: id, coat: looks.bone, glows_with: None },
        Visibility::Hidden,
    ));
}

/// What a joint and the bone to it look like.
struct Looks {
    mesh: Handle<Mesh>,
    joint: Coat,
    bone: Coat,
    bone_radius: f32,
}

impl Looks {
    fn of(node: &Node, look: &Look) -> Self {
        if node.kind == NodeKind::Locator {
            // No part of the body: of another shape and colour, and on a thread.
            return Self {
                mesh: look.octahedron.clone(),
                joint: look.locator.clone(),
                bone: look.locator.clone(),
                bone_radius: THREAD_RADIUS,
            };
        }
        Self {
            mesh: look.ball.clone(),
            joint: look.joint(node.side).clone(),
            bone: look.bone(node.side).clone(),
            bone_radius: BONE_RADIUS,
        }
    }
}

/// The radius of a joint of a hand in metres: larger where bones meet, smaller at the tips.
pub(super) fn radius(clip: &Clip, id: NodeId) -> f32 {
    let bones_from_here = clip.nodes.iter().filter(|node| node.bone_from == Some(id)).count();
    match (clip.nodes[id].kind, bones_from_here) {
        (NodeKind::Tip, _) => 0.0055,
        (NodeKind::Locator, _) => 0.0095,
        (_, 2..) => LARGEST_JOINT,
        (_, 0) => 0.0065,
        (_, 1) => 0.0068,
    }
}

/// Stretches every bone between its two nodes.
pub(super) fn stretch(
    mut bones: Query<(&Bone, &mut Transform, &mut Visibility)>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let covered = model::covered(&player, &view);
    for (bone, mut transform, mut visibility) in &mut bones {
        let ends = [bone.from, bone.to].map(|node| {
            player.pose().nodes.get(node.index()).filter(|node| node.world.is_finite())
        });
        let between = match ends {
            [Some(from), Some(to)] if presence(&player, &view, bone.to) != Presence::Gone => {
                let [from, to] = [from, to].map(|node| staged.place(&node.world).translation);
                between(from, to, bone.radius)
            }
            _ => None,
        };
        let may_show = view.bones && bone.to.index() >= covered;
        visibility.set_if_neq(visible(may_show && between.is_some()));
        if let Some(between) = between {
            *transform = between;
        }
    }
}

/// What turns a thing of length 1 along Y into one that reaches from `from` to `to`; nothing if
/// they coincide.
pub(super) fn between(from: Vec3, to: Vec3, radius: f32) -> Option<Transform> {
    let length = from.distance(to);
    let direction = (to - from).try_normalize()?;
    Some(Transform {
        translation: from.midpoint(to),
        rotation: Quat::from_rotation_arc(Vec3::Y, direction),
        scale: Vec3::new(radius, length, radius),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bone_reaches_from_end_to_end() {
        let ends = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 0.5, 5.0)];
        for [from, to] in [ends, [ends[1], ends[0]], [Vec3::ZERO, Vec3::NEG_Y]] {
            let bone = between(from, to, 0.1).expect("two places");
            assert!(bone.transform_point(Vec3::Y / 2.0).abs_diff_eq(to, 1e-5));
            assert!(bone.transform_point(Vec3::NEG_Y / 2.0).abs_diff_eq(from, 1e-5));
        }
        assert_eq!(between(ends[0], ends[0], 0.1), None);
    }
}
