//! Sets the final transform of the camera, from its controls or from the recorded head.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{CameraState, FOV};
use crate::stage::{
    CameraMode, StageCamera, appearance,
    framing::Orbit,
    subject::{Subject, Subjects},
};

const HEAD_FOV: f32 = 60.0 * std::f32::consts::PI / 180.0;

type CameraQueryData = (
    &'static mut Transform,
    &'static mut Projection,
    &'static mut PanOrbitCamera,
    &'static CameraState,
);

pub(in crate::stage) fn update_transform(
    mut camera: Single<CameraQueryData, With<StageCamera>>,
    mut was_in_head: Local<bool>,
    subjects: Subjects,
) {
    let (transform, projection, controls, camera_state) = &mut *camera;
    let is_in_head = subjects.view.camera == CameraMode::Head;
    let head = subjects.selected_or_reference().filter(|_| is_in_head).and_then(head_transform);
    let mut set_fov = |fov: f32| {
        if let Projection::Perspective(perspective) = &mut **projection {
            perspective.fov = fov;
        }
    };
    match head {
        Some(head) => {
            transform.set_if_neq(head);
            if !*was_in_head {
                set_fov(HEAD_FOV);
            }
        }
        None => {
            if *was_in_head {
                set_fov(FOV);
            }
            if !camera_state.is_flying {
                transform.set_if_neq(camera_state.orbit_space.transform(&current_orbit(controls)));
            }
        }
    }
    *was_in_head = head.is_some();
    // Set the up axis of the orbit controls to the up direction of the rotated space. The controls
    // assume an upright camera. If the camera were upside down, dragging to the right would
    // otherwise move it to the left.
    let up = camera_state.orbit_space.space * Vec3::Y;
    if controls.axis[1] != up {
        controls.axis[1] = up;
    }
}

fn current_orbit(controls: &PanOrbitCamera) -> Orbit {
    Orbit {
        focus: controls.focus,
        yaw: controls.yaw.unwrap_or(controls.target_yaw),
        pitch: controls.pitch.unwrap_or(controls.target_pitch),
        radius: controls.radius.unwrap_or(controls.target_radius),
    }
}

fn head_transform(subject: Subject<'_>) -> Option<Transform> {
    let eyes = appearance::eyes(subject.clip(), subject.pose(), subject.staged.bounds.figures)?;
    Some(subject.staged.to_world_transform(&eyes).with_scale(Vec3::ONE))
}
