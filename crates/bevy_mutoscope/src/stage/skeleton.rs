//! Draws joints as spheres, with bones between them.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    hand_skin::SkinCoveredJoints,
    hands,
    look::TintedMaterials,
    subject::{FollowsNode, Painted, PartContext, Subjects, part_name, visibility_if},
};
use crate::{Recording, RecordingNode};
use mutoscope_core::clip::{Node, NodeId, NodeKind};
use mutoscope_view::figure::{STICK_RATIO, find_marker_sticks};

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Bone {
    pub(super) from: NodeId,
    pub(super) to: RecordingNode,
    pub(super) radius: f32,
    /// `true` if the bone is hidden while either joint is hidden, as sticks between markers are.
    pub(super) needs_both: bool,
}

pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>, id: NodeId) {
    let clip = parts.clip;
    let node = &clip.nodes[id];
    let looks = JointLook::for_node(node, parts);
    root.spawn((
        part_name(clip, id, "joint"),
        FollowsNode { node: parts.node_ref(id), size: parts.joint_radius(id) },
        Mesh3d(looks.mesh.clone()),
        MeshMaterial3d(looks.joint.solid.clone()),
        Painted {
            node: parts.node_ref(id),
            materials: looks.joint,
            glow_signal: hands::pinch_signal_of_tip(clip, id),
        },
        Visibility::Hidden,
    ));
    let Some(from) = node.bone_from else { return };
    root.spawn((
        part_name(clip, id, "bone"),
        Bone { from, to: parts.node_ref(id), radius: parts.bone_radius(id), needs_both: false },
        Mesh3d(parts.look.bone.clone()),
        MeshMaterial3d(looks.bone.solid.clone()),
        Painted { node: parts.node_ref(id), materials: looks.bone, glow_signal: None },
        Visibility::Hidden,
    ));
}

/// Spawns thin sticks between markers, which have no bones of their own.
pub(super) fn spawn_marker_sticks(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>) {
    for [from, to] in find_marker_sticks(parts.clip) {
        let side = |id: NodeId| parts.clip.nodes[id].side;
        let materials =
            parts.material_set.bone(side(from).filter(|side_of| Some(*side_of) == side(to)));
        root.spawn((
            part_name(parts.clip, to, "stick"),
            Bone {
                from,
                to: parts.node_ref(to),
                radius: STICK_RATIO * parts.joint_radius(to),
                needs_both: true,
            },
            Mesh3d(parts.look.bone.clone()),
            MeshMaterial3d(materials.solid.clone()),
            Painted { node: parts.node_ref(to), materials: materials.clone(), glow_signal: None },
            Visibility::Hidden,
        ));
    }
}

struct JointLook {
    mesh: Handle<Mesh>,
    joint: TintedMaterials,
    bone: TintedMaterials,
}

impl JointLook {
    fn for_node(node: &Node, PartContext { look, material_set, .. }: &PartContext<'_>) -> Self {
        if node.kind == NodeKind::Locator {
            // A locator does not belong to the body, so it has another shape and colour.
            return Self {
                mesh: look.octahedron.clone(),
                joint: material_set.locator.clone(),
                bone: material_set.locator.clone(),
            };
        }
        Self {
            mesh: look.ball.clone(),
            joint: material_set.joint(node.side).clone(),
            bone: material_set.bone(node.side).clone(),
        }
    }
}

pub(super) fn stretch_bones(
    mut bones: Query<(&Bone, &mut Transform, &mut Visibility), Without<Recording>>,
    covered: Res<SkinCoveredJoints>,
    subjects: Subjects,
) {
    for (bone, mut transform, mut visibility) in &mut bones {
        let Some(subject) = subjects.get(bone.to.recording) else { continue };
        let position_of = |node: NodeId| {
            let node = subject.pose().nodes.get(node.index())?;
            node.world.is_finite().then(|| subject.staged.to_local(node.world.translation))
        };
        let ends = [RecordingNode { node: bone.from, ..bone.to }, bone.to];
        let is_covered =
            subject.is_replaced(bone.to.node) || ends.iter().all(|end| covered.contains(*end));
        let may_show = subject.view.bones
            && !is_covered
            && (!bone.needs_both || subject.drawn_pose(bone.from).is_some());
        let ends = subject.drawn_pose(bone.to.node).filter(|_| may_show);
        let ends = ends.and_then(|_| position_of(bone.from).zip(position_of(bone.to.node)));
        let between = ends.and_then(|(from, to)| bone_transform(from, to, bone.radius));
        visibility.set_if_neq(visibility_if(between.is_some()));
        if let Some(between) = between {
            *transform = between;
        }
    }
}

pub(super) fn bone_transform(from: Vec3, to: Vec3, radius: f32) -> Option<Transform> {
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
            let bone = bone_transform(from, to, 0.1).expect("the positions differ");
            assert!(bone.transform_point(Vec3::Y / 2.0).abs_diff_eq(to, 1e-5));
            assert!(bone.transform_point(Vec3::NEG_Y / 2.0).abs_diff_eq(from, 1e-5));
        }
        assert_eq!(bone_transform(ends[0], ends[0], 0.1), None);
    }
}
