//! Draws a recognisable head, and the lines of its field of view.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, math::DVec3, prelude::*};

use super::{
    CameraMode, View,
    look::HEAD_LINES,
    overlay::StageLines,
    subject::{FollowsNode, Painted, PartContext, Presence, Subjects},
};
use crate::RecordingNode;
use mutoscope_core::clip::NodeId;

/// The visor in front of the eyes. Each part of the head has its centre relative to the eyes and
/// its half axes, in metres.
const VISOR: Transform = head_part([0.0, 0.006, 0.055], [0.083, 0.031, 0.06]);
/// The band of the visor, as the transform of a ring of radius 1.
const BAND: Transform = head_part([0.0, 0.022, 0.103], [0.079, 0.2, 0.101]);
const NECK: Transform = head_part([0.0, -0.105, 0.128], [0.043, 0.09, 0.046]);
const NOSE: Transform = head_part([0.0, -0.037, 0.008], [0.0125, 0.021, 0.019]);
const EAR: Transform = head_part([0.075, -0.012, 0.112], [0.011, 0.03, 0.019]);

const fn head_part(middle: [f32; 3], half: [f32; 3]) -> Transform {
    Transform {
        translation: Vec3::from_array(middle),
        rotation: Quat::IDENTITY,
        scale: Vec3::from_array(half),
    }
}

pub(super) const OUTLINE_POINTS: [DVec3; 6] = [
    DVec3::new(0.0, 0.124, 0.108),
    DVec3::new(0.0, -0.1, 0.108),
    DVec3::new(-0.08, 0.0, 0.108),
    DVec3::new(0.08, 0.0, 0.108),
    DVec3::new(0.0, 0.0, 0.0),
    DVec3::new(0.0, 0.0, 0.204),
];

/// Half the width and height of the visible area at [`SIGHT_DISTANCE`] metres. This is the field of
/// view of a HoloLens 2.
const SIGHT_HALF_SIZE: Vec2 = Vec2::new(0.059, 0.04);
const SIGHT_DISTANCE: f32 = 0.15;

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Head;

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Sight(RecordingNode);

pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>, id: NodeId) {
    let PartContext { look, material_set, .. } = parts;
    let head = (
        (Head, Sight(parts.node_ref(id))),
        Name::new("head"),
        FollowsNode { node: parts.node_ref(id), size: 1.0 },
        Transform::default(),
        Visibility::Hidden,
    );
    root.spawn(head).with_children(|head| {
        let left_ear = EAR.with_translation(EAR.translation * Vec3::new(-1.0, 1.0, 1.0));
        let shapes = [
            (&look.skull, &material_set.head, Transform::IDENTITY),
            (&look.neck, &material_set.head, NECK),
            (&look.large_ball, &material_set.head, NOSE),
            (&look.large_ball, &material_set.head, EAR),
            (&look.large_ball, &material_set.head, left_ear),
            (&look.large_ball, &material_set.visor, VISOR),
            (&look.band, &material_set.visor, BAND),
        ];
        for (mesh, materials, transform) in shapes {
            head.spawn((
                Mesh3d(mesh.clone()),
                MeshMaterial3d(materials.solid.clone()),
                Painted {
                    node: parts.node_ref(id),
                    materials: materials.clone(),
                    glow_signal: None,
                },
                transform,
            ));
        }
    });
}

pub(super) fn hide_overlapping_head(
    mut heads: Query<&mut Visibility, With<Head>>,
    view: Res<View>,
) {
    if view.camera == CameraMode::Head {
        for mut visibility in &mut heads {
            visibility.set_if_neq(Visibility::Hidden);
        }
    }
}

pub(super) fn draw_sight(mut lines: Gizmos<StageLines>, heads: Query<&Sight>, subjects: Subjects) {
    if subjects.view.camera == CameraMode::Head {
        return;
    }
    for Sight(of) in &heads {
        let Some(subject) = subjects.get(of.recording) else { continue };
        let is_there = subject.presence(of.node) == Presence::Solid;
        if let Some(head) = subject.node_transform(of.node).filter(|_| is_there) {
            draw_sight_rectangle(&mut lines, head);
        }
    }
}

fn draw_sight_rectangle(lines: &mut Gizmos<StageLines>, head: Transform) {
    let corner =
        |x: f32, y: f32| head * (SIGHT_HALF_SIZE * Vec2::new(x, y)).extend(-SIGHT_DISTANCE);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    for (index, &here) in corners.iter().enumerate() {
        lines.line(head.translation, here, HEAD_LINES);
        lines.line(here, corners[(index + 1) % 4], HEAD_LINES);
    }
    // Mark the upper edge, so that the user can see which way up the rectangle is.
    lines.linestrip([corner(-0.35, 1.0), corner(0.0, 1.45), corner(0.35, 1.0)], HEAD_LINES);
}
