//! Rays, such as a gaze: a dot where they start and a line that fades.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::subject::{Follows, Painted, Parts};
use mutoscope_core::clip::NodeId;

/// The radius of the dot where a ray starts, in metres.
const DOT_RADIUS: f32 = 0.006;

/// The ray that is the node `id`.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>, id: NodeId) {
    let Parts { look, coats, .. } = parts;
    let painted = Painted { of: parts.of(id), coat: coats.gaze.clone(), glows_with: None };
    let material = MeshMaterial3d(coats.gaze.solid.clone());
    root.spawn((
        Name::new("ray"),
        Follows { of: parts.of(id), size: 1.0 },
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
