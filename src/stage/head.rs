//! The head: a likeness to recognise it by, and the lines of what it looks at.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, math::DVec3, prelude::*};

use super::{
    CameraMode, Look, Staged, View,
    look::HEAD_LINES,
    minecraft,
    overlay::StageLines,
    staged::{Follows, Painted, Presence, presence},
};
use crate::{
    clip::{NodeId, NodeKind},
    player::Player,
};

/// The middle of the head, seen from the eyes, and its half axes, in metres.
pub(super) const SKULL: [Vec3; 2] = [Vec3::new(0.0, 0.012, 0.108), Vec3::new(0.075, 0.112, 0.096)];
/// The same of the visor before the eyes.
pub(super) const VISOR: [Vec3; 2] = [Vec3::new(0.0, 0.004, 0.062), Vec3::new(0.08, 0.034, 0.062)];

/// The outermost points of the head, seen from the eyes.
pub(super) const OUTLINE: [DVec3; 6] = [
    DVec3::new(0.0, 0.124, 0.108),
    DVec3::new(0.0, -0.1, 0.108),
    DVec3::new(-0.08, 0.0, 0.108),
    DVec3::new(0.08, 0.0, 0.108),
    DVec3::new(0.0, 0.0, 0.0),
    DVec3::new(0.0, 0.0, 0.204),
];

/// Half the width and height of what it sees at [`SIGHT`] metres, as wide as a HoloLens 2 shows.
const SIGHT_HALF: Vec2 = Vec2::new(0.059, 0.04);
const SIGHT: f32 = 0.15;

/// Marks the likeness of a head.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Head;

/// The head that is the node `id`.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, id: NodeId, look: &Look) {
    let head = (
        Head,
        Name::new("head"),
        Follows { node: id, size: 1.0 },
        Transform::default(),
        Visibility::Hidden,
    );
    root.spawn(head).with_children(|head| {
        for ([middle, half], coat) in [(SKULL, &look.head), (VISOR, &look.visor)] {
            head.spawn((
                Mesh3d(look.large_ball.clone()),
                MeshMaterial3d(coat.solid.clone()),
                Painted { node: id, coat: coat.clone(), glows_with: None },
                Transform::from_translation(middle).with_scale(half),
            ));
        }
    });
}

/// Hides the likeness while the picture is taken from within it.
pub(super) fn step_aside(mut heads: Query<&mut Visibility, With<Head>>, view: Res<View>) {
    if view.camera == CameraMode::Head {
        for mut visibility in &mut heads {
            visibility.set_if_neq(Visibility::Hidden);
        }
    }
}

/// Draws the lines from each head's eyes to the corners of what it looks at.
pub(super) fn draw_sight(
    mut lines: Gizmos<StageLines>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let Some(clip) = player.clip() else { return };
    if view.camera == CameraMode::Head || minecraft::scene(clip).is_some() {
        return;
    }
    let heads = clip.nodes.with_ids().filter(|(_, node)| node.kind == NodeKind::Head);
    for (id, _) in heads.filter(|&(id, _)| presence(&player, &view, id) == Presence::Solid) {
        let head = staged.place(&player.pose().nodes[id.index()].world);
        let corner = |x: f32, y: f32| head * (SIGHT_HALF * Vec2::new(x, y)).extend(-SIGHT);
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        for (index, &here) in corners.iter().enumerate() {
            lines.line(head.translation, here, HEAD_LINES);
            lines.line(here, corners[(index + 1) % 4], HEAD_LINES);
        }
        // A mark on the upper edge tells which way up it is.
        lines.linestrip([corner(-0.35, 1.0), corner(0.0, 1.45), corner(0.35, 1.0)], HEAD_LINES);
    }
}
