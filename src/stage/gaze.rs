//! Rays, such as a gaze: a dot where they start and a line that fades.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Look,
    staged::{Follows, Painted},
};
use crate::clip::NodeId;

/// The radius of the dot where a ray starts, in metres.
pub(super) const DOT_RADIUS: f32 = 0.006;

/// The ray that is the node `id`.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, id: NodeId, look: &Look) {
    let painted = Painted { node: id, coat: look.gaze.clone(), glows_with: None };
    let material = MeshMaterial3d(look.gaze.solid.clone());
    root.spawn((
        Name::new("ray"),
        Follows { node: id, size: 1.0 },
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
