//! Draws rays, such as a gaze, as a dot at the origin and a line that fades.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::subject::{FollowsNode, Painted, PartContext};
use mutoscope_core::clip::NodeId;

/// The radius of the dot where a gaze ray begins, in metres.
const DOT_RADIUS: f32 = 0.006;

pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>, id: NodeId) {
    let PartContext { look, material_set, .. } = parts;
    let painted = Painted {
        node: parts.node_ref(id),
        materials: material_set.gaze.clone(),
        glow_signal: None,
    };
    let material = MeshMaterial3d(material_set.gaze.solid.clone());
    root.spawn((
        Name::new("ray"),
        FollowsNode { node: parts.node_ref(id), size: 1.0 },
        Mesh3d(look.ray.clone()),
        material.clone(),
        painted.clone(),
        Visibility::Hidden,
    ))
    .with_child((
        Mesh3d(look.ball.clone()),
        material,
        painted,
        Transform::from_scale(Vec3::splat(DOT_RADIUS)),
    ));
}
