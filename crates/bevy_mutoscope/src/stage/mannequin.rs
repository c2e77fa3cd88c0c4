//! Draws human bodies as mannequins in place of their joints and bones.

use bevy::{
    ecs::hierarchy::ChildSpawnerCommands,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::{
    appearance::PartAssets,
    hand_skin::SkinCoveredJoints,
    subject::{Painted, PartContext, Subject, Subjects, part_name, visibility_if},
};
use crate::{Recording, RecordingNode};
use mutoscope_view::figure::MannequinPart;

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct BodyPart {
    node: RecordingNode,
    /// The index among the parts of all mannequins of the recording.
    index: usize,
    thickness: f32,
}

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    parts: &PartContext<'_>,
    assets: &mut PartAssets<'_>,
) {
    for (index, part) in parts.staged.bounds.mannequins.parts.iter().enumerate() {
        let materials = parts.material_set.body(part.side).clone();
        let node = parts.node_ref(part.attachment.node);
        root.spawn((
            part_name(parts.clip, node.node, "body part"),
            BodyPart { node, index, thickness: parts.thickness },
            Mesh3d(assets.meshes.add(part_mesh(part))),
            MeshMaterial3d(materials.solid.clone()),
            Painted { node, materials, glow_signal: None },
            Visibility::Hidden,
        ));
    }
}

fn part_mesh(part: &MannequinPart) -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, part.positions.clone())
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, part.normals.clone())
        .with_inserted_indices(Indices::U32(part.triangles.clone()))
}

pub(super) fn move_body_parts(
    mut parts: Query<(&BodyPart, &mut Transform, &mut Visibility), Without<Recording>>,
    covered: Res<SkinCoveredJoints>,
    subjects: Subjects,
) {
    for (part, mut transform, mut visibility) in &mut parts {
        let Some(subject) = subjects.get(part.node.recording) else { continue };
        let is_covered = covered.contains(part.node);
        let new_transform = part_transform(&subject, part.index).filter(|_| !is_covered);
        visibility.set_if_neq(visibility_if(new_transform.is_some()));
        if let Some(new_transform) = new_transform {
            let thickness = Vec3::new(part.thickness, 1.0, part.thickness);
            *transform = new_transform.with_scale(new_transform.scale * thickness);
        }
    }
}

/// Returns the transform of a part of a mannequin in the space of the recording's entity. `None` if
/// the part is hidden.
pub(super) fn part_transform(subject: &Subject<'_>, index: usize) -> Option<Transform> {
    let part = subject.staged.bounds.mannequins.parts.get(index)?;
    if !subject.view.model {
        return None;
    }
    subject.drawn_pose(part.attachment.node)?;
    let world = part.transform(subject.pose())?;
    Some(subject.staged.to_local_transform(&world).with_scale(world.scale.as_vec3()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{
        View,
        look::Look,
        material::Paint,
        skeleton::Bone,
        subject::FollowsNode,
        tests::{app_with, recording},
    };
    use mutoscope_core::{
        ReadOptions, SourceFile,
        clip::{Clip, NodeId},
        decode,
    };

    fn walk() -> Clip {
        let bytes = include_bytes!("../../../../assets/bvh/walk.bvh");
        decode(SourceFile::new("walk.bvh", bytes), &ReadOptions::default()).unwrap()
    }

    fn node(clip: &Clip, name: &str) -> NodeId {
        clip.nodes.with_ids().find(|(_, node)| node.name == name).unwrap().0
    }

    /// Returns the number of visible body parts, joints and bones.
    fn count_visible(app: &mut App) -> [usize; 3] {
        let world = app.world_mut();
        let is_visible = |visibility: &&Visibility| **visibility != Visibility::Hidden;
        [
            world
                .query_filtered::<&Visibility, With<BodyPart>>()
                .iter(world)
                .filter(is_visible)
                .count(),
            world
                .query_filtered::<&Visibility, With<FollowsNode>>()
                .iter(world)
                .filter(is_visible)
                .count(),
            world
                .query_filtered::<&Visibility, With<Bone>>()
                .iter(world)
                .filter(is_visible)
                .count(),
        ]
    }

    #[test]
    fn a_mannequin_replaces_the_bones_of_a_body() {
        let mut app = app_with(walk(), 0.5);
        let [parts, joints, bones] = count_visible(&mut app);
        assert!(parts > 15 && [joints, bones] == [0, 0], "{parts} {joints} {bones}");
        app.world_mut().resource_mut::<View>().model = false;
        app.update();
        let [parts, joints, bones] = count_visible(&mut app);
        assert!(parts == 0 && joints > 15 && bones > 15, "{parts} {joints} {bones}");
    }

    #[test]
    fn selected_part_is_highlighted() {
        let clip = walk();
        let knee = node(&clip, "LeftLowerLeg");
        let mut app = app_with(clip, 0.5);
        let selected = RecordingNode::new(recording(&mut app), knee);
        app.world_mut().resource_mut::<View>().selected = Some(selected);
        app.update();
        let world = app.world_mut();
        let highlight = world.resource::<Look>().selected.clone();
        let mut parts = world.query::<(&BodyPart, &MeshMaterial3d<Paint>)>();
        let mut highlighted = parts.iter(world).filter(|(_, material)| material.0 == highlight);
        assert!(highlighted.next().is_some_and(|(part, _)| part.node == selected));
        assert!(highlighted.next().is_none());
    }

    #[test]
    fn parts_move_with_their_joints() {
        let clip = walk();
        let knee = node(&clip, "LeftLowerLeg");
        let mut app = app_with(clip, 0.5);
        let recording = recording(&mut app);
        let world = app.world_mut();
        let pose = world.get::<Recording>(recording).unwrap().pose()[knee].world.translation;
        let mut parts = world.query::<(&BodyPart, &Transform)>();
        let (_, transform) = parts.iter(world).find(|(part, _)| part.node.node == knee).unwrap();
        assert!(transform.translation.distance(pose.as_vec3()) < 1e-5);
    }
}
