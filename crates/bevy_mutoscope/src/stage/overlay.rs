//! Draws lines over the viewport: the halo of the selected node, and axes.

use bevy::{camera::visibility::RenderLayers, prelude::*};

use super::{
    StageCamera,
    look::{AXES, SELECTION},
    subject::{Subject, Subjects},
};

/// The render layer of lines. Without a separate layer, every other camera of the app would draw
/// the lines too.
pub(super) const LINES_LAYER: usize = 23;

#[derive(Default, Reflect, GizmoConfigGroup)]
pub(super) struct StageLines;

#[derive(Default, Reflect, GizmoConfigGroup)]
pub(super) struct StageMarks;

/// The length of a node's axes in metres, if the recording has the size of a hand.
const AXIS_LENGTH: f32 = 0.018;
const SELECTED_AXIS_LENGTH: f32 = 0.05;
pub(super) const RIGID_BODY_AXIS_LENGTH: f32 = 0.04;

/// The radius of the halo divided by the distance from the camera.
const HALO_RADIUS: f32 = 0.016;
/// The minimum radius of the halo in metres, so that the halo is larger than the joint.
const MIN_HALO_RADIUS: f32 = 0.013;

/// Returns the configuration of lines. A `depth_bias` of −1 draws them in front of everything.
/// Without a camera of the stage, every camera of the app draws them.
pub(super) fn line_config(width: f32, depth_bias: f32, has_camera: bool) -> GizmoConfig {
    GizmoConfig {
        line: GizmoLineConfig { width, joints: GizmoLineJoint::Bevel, ..default() },
        depth_bias,
        render_layers: RenderLayers::layer(if has_camera { LINES_LAYER } else { 0 }),
        ..default()
    }
}

pub(super) fn draw_marks(
    mut marks: Gizmos<StageMarks>,
    camera: Single<&Transform, With<StageCamera>>,
    subjects: Subjects,
) {
    subjects.iter().for_each(|subject| draw_subject_marks(&subject, &mut marks, *camera));
}

fn draw_subject_marks(subject: &Subject<'_>, marks: &mut Gizmos<StageMarks>, camera: &Transform) {
    let size = subject.staged.bounds.scale as f32;
    // Only its axes show how a rigid body is turned, so the option hides them instead.
    let has_rigid_bodies = subject.clip().has_only_rigid_bodies();
    let shows_all = subject.view.axes != has_rigid_bodies;
    for (id, _) in subject.clip().nodes.with_ids() {
        let selected = subject.selected() == Some(id);
        let is_shown = selected || shows_all;
        let Some(node) = subject.drawn_pose(id).filter(|_| is_shown) else { continue };
        let node = subject.staged.to_world_transform(&node.world).with_scale(Vec3::ONE);
        let length = match (selected, has_rigid_bodies) {
            (true, _) => SELECTED_AXIS_LENGTH,
            (false, true) => RIGID_BODY_AXIS_LENGTH,
            (false, false) => AXIS_LENGTH,
        };
        let length = length * size;
        for (axis, color) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(AXES) {
            marks.line(node.translation, node * (axis * length), color);
        }
        if selected {
            let distance = camera.translation.distance(node.translation);
            let radius = (HALO_RADIUS * distance).max(MIN_HALO_RADIUS * size);
            let around = Isometry3d::new(node.translation, camera.rotation);
            marks.circle(around, radius, SELECTION).resolution(32);
        }
    }
}
