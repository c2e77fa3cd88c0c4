//! The head: a likeness to recognise it by, and the lines of what it looks at.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, math::DVec3, prelude::*};

use super::{
    CameraMode, View,
    look::HEAD_LINES,
    overlay::StageLines,
    subject::{Follows, Painted, Parts, Presence, Subjects},
};
use crate::{clip::NodeId, recording::RecordingNode};

/// The middle of the head, seen from the eyes, and its half axes, in metres.
const SKULL: [Vec3; 2] = [Vec3::new(0.0, 0.012, 0.108), Vec3::new(0.075, 0.112, 0.096)];
/// The same of the visor before the eyes.
const VISOR: [Vec3; 2] = [Vec3::new(0.0, 0.004, 0.062), Vec3::new(0.08, 0.034, 0.062)];

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

/// Marks a head whose field of view is drawn: that of a person with a headset.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Sight(RecordingNode);

/// The head that is the node `id`.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>, id: NodeId) {
    let Parts { look, coats, .. } = parts;
    let head = (
        (Head, Sight(parts.of(id))),
        Name::new("head"),
        Follows { of: parts.of(id), size: 1.0 },
        Transform::default(),
        Visibility::Hidden,
    );
    root.spawn(head).with_children(|head| {
        for ([middle, half], coat) in [(SKULL, &coats.head), (VISOR, &coats.visor)] {
            head.spawn((
                Mesh3d(look.large_ball.clone()),
                MeshMaterial3d(coat.solid.clone()),
                Painted { of: parts.of(id), coat: coat.clone(), glows_with: None },
                Transform::from_translation(middle).with_scale(half),
            ));
        }
    });
}

/// Hides the likeness while the camera is within it.
pub(super) fn step_aside(mut heads: Query<&mut Visibility, With<Head>>, view: Res<View>) {
    if view.camera == CameraMode::Head {
        for mut visibility in &mut heads {
            visibility.set_if_neq(Visibility::Hidden);
        }
    }
}

/// Draws the lines from each head's eyes to the corners of what it looks at.
pub(super) fn draw_sight(mut lines: Gizmos<StageLines>, heads: Query<&Sight>, subjects: Subjects) {
    if subjects.view.camera == CameraMode::Head {
        return;
    }
    for Sight(of) in &heads {
        let Some(subject) = subjects.get(of.recording) else { continue };
        let is_there = subject.presence(of.node) == Presence::Solid;
        if let Some(head) = subject.transform(of.node).filter(|_| is_there) {
            frame_of_sight(&mut lines, head);
        }
    }
}

fn frame_of_sight(lines: &mut Gizmos<StageLines>, head: Transform) {
    let corner = |x: f32, y: f32| head * (SIGHT_HALF * Vec2::new(x, y)).extend(-SIGHT);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    for (index, &here) in corners.iter().enumerate() {
        lines.line(head.translation, here, HEAD_LINES);
        lines.line(here, corners[(index + 1) % 4], HEAD_LINES);
    }
    // A mark on the upper edge tells which way up it is.
    lines.linestrip([corner(-0.35, 1.0), corner(0.0, 1.45), corner(0.35, 1.0)], HEAD_LINES);
}
