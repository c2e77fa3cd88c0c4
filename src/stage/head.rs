//! The head: a likeness to recognise it by, and the lines of what it looks at.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, math::DVec3, prelude::*};

use super::{
    CameraMode, View,
    look::HEAD_LINES,
    overlay::StageLines,
    subject::{Follows, Painted, Parts, Presence, Subjects},
};
use crate::recording::RecordingNode;
use mutoscope_core::clip::NodeId;

/// The visor before the eyes: its middle, seen from the eyes, and its half axes, in metres.
const VISOR: Transform = part([0.0, 0.006, 0.055], [0.083, 0.031, 0.06]);
/// The band that holds it, around a ring of radius 1.
const BAND: Transform = part([0.0, 0.022, 0.103], [0.079, 0.2, 0.101]);
/// The neck, a cylinder of radius and height 1.
const NECK: Transform = part([0.0, -0.105, 0.128], [0.043, 0.09, 0.046]);
/// The nose.
const NOSE: Transform = part([0.0, -0.037, 0.008], [0.0125, 0.021, 0.019]);
/// The ear on the right.
const EAR: Transform = part([0.075, -0.012, 0.112], [0.011, 0.03, 0.019]);

const fn part(middle: [f32; 3], half: [f32; 3]) -> Transform {
    Transform {
        translation: Vec3::from_array(middle),
        rotation: Quat::IDENTITY,
        scale: Vec3::from_array(half),
    }
}

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
        let left_ear = EAR.with_translation(EAR.translation * Vec3::new(-1.0, 1.0, 1.0));
        let shapes = [
            (&look.skull, &coats.head, Transform::IDENTITY),
            (&look.neck, &coats.head, NECK),
            (&look.large_ball, &coats.head, NOSE),
            (&look.large_ball, &coats.head, EAR),
            (&look.large_ball, &coats.head, left_ear),
            (&look.large_ball, &coats.visor, VISOR),
            (&look.band, &coats.visor, BAND),
        ];
        for (mesh, coat, place) in shapes {
            head.spawn((
                Mesh3d(mesh.clone()),
                MeshMaterial3d(coat.solid.clone()),
                Painted { of: parts.of(id), coat: coat.clone(), glows_with: None },
                place,
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
