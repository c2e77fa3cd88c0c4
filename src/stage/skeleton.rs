//! Joints as balls and bones between them: any clip whose nodes know where their bones begin.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    hand_skin::WithinSkin,
    hands,
    look::TintedMaterials,
    model,
    subject::{Follows, Painted, Parts, Subjects, name, visible},
};
use crate::recording::{Recording, RecordingNode};
use mutoscope_core::clip::{Node, NodeId, NodeKind};

/// A bone that reaches from one node to another.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Bone {
    pub(super) from: NodeId,
    pub(super) to: RecordingNode,
    pub(super) radius: f32,
}

/// The joint `id` and the bone to it.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>, id: NodeId) {
    let clip = parts.clip;
    let node = &clip.nodes[id];
    let looks = Looks::of(node, parts);
    root.spawn((
        name(clip, id, "joint"),
        Follows { of: parts.of(id), size: parts.joint_radius(id) },
        Mesh3d(looks.mesh.clone()),
        MeshMaterial3d(looks.joint.solid.clone()),
        Painted { of: parts.of(id), coat: looks.joint, glows_with: hands::pinch_of_tip(clip, id) },
        Visibility::Hidden,
    ));
    let Some(from) = node.bone_from else { return };
    root.spawn((
        name(clip, id, "bone"),
        Bone { from, to: parts.of(id), radius: parts.bone_radius(id) },
        Mesh3d(parts.look.bone.clone()),
        MeshMaterial3d(looks.bone.solid.clone()),
        Painted { of: parts.of(id), coat: looks.bone, glows_with: None },
        Visibility::Hidden,
    ));
}

/// The meshes and materials of a joint and the bone to it.
struct Looks {
    mesh: Handle<Mesh>,
    joint: TintedMaterials,
    bone: TintedMaterials,
}

impl Looks {
    fn of(node: &Node, Parts { look, coats, .. }: &Parts<'_>) -> Self {
        if node.kind == NodeKind::Locator {
            // No part of the body: of another shape and colour, and on a thread.
            return Self {
                mesh: look.octahedron.clone(),
                joint: coats.locator.clone(),
                bone: coats.locator.clone(),
            };
        }
        Self {
            mesh: look.ball.clone(),
            joint: coats.joint(node.side).clone(),
            bone: coats.bone(node.side).clone(),
        }
    }
}

/// Stretches every bone between its two nodes.
pub(super) fn stretch(
    mut bones: Query<(&Bone, &mut Transform, &mut Visibility), Without<Recording>>,
    within: Res<WithinSkin>,
    subjects: Subjects,
) {
    for (bone, mut transform, mut visibility) in &mut bones {
        let Some(subject) = subjects.get(bone.to.recording) else { continue };
        let place = |node: NodeId| {
            let node = subject.pose().nodes.get(node.index())?;
            node.world.is_finite().then(|| subject.staged.local(node.world.translation))
        };
        let ends = [RecordingNode { node: bone.from, ..bone.to }, bone.to];
        let is_covered = bone.to.node.index() < model::covered(&subject)
            || ends.iter().all(|end| within.hides(*end));
        let may_show = subject.view.bones && !is_covered;
        let ends = subject.drawn(bone.to.node).filter(|_| may_show);
        let ends = ends.and_then(|_| place(bone.from).zip(place(bone.to.node)));
        let between = ends.and_then(|(from, to)| between(from, to, bone.radius));
        visibility.set_if_neq(visible(between.is_some()));
        if let Some(between) = between {
            *transform = between;
        }
    }
}

/// The transform from a shape of length 1 along Y to one that reaches from `from` to `to`; nothing
/// if they coincide.
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
    fn bone_spans_both_joints() {
        let ends = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 0.5, 5.0)];
        for [from, to] in [ends, [ends[1], ends[0]], [Vec3::ZERO, Vec3::NEG_Y]] {
            let bone = between(from, to, 0.1).expect("two places");
            assert!(bone.transform_point(Vec3::Y / 2.0).abs_diff_eq(to, 1e-5));
            assert!(bone.transform_point(Vec3::NEG_Y / 2.0).abs_diff_eq(from, 1e-5));
        }
        assert_eq!(between(ends[0], ends[0], 0.1), None);
    }
}
