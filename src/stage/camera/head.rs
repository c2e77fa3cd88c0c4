//! The final camera: that of the controls, or the recorded head.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{FOV, Rig};
use crate::stage::{
    CameraMode, StageCamera, appearance,
    framing::Orbit,
    subject::{Subject, Subjects},
};

/// The vertical field of view from the head, in radians.
const HEAD_FOV: f32 = 60.0 * std::f32::consts::PI / 180.0;

/// The camera and what says where it is.
type Camera =
    (&'static mut Transform, &'static mut Projection, &'static mut PanOrbitCamera, &'static Rig);

/// Takes the camera to the recorded head, or else where its controls have it, unless it flies.
pub(in crate::stage) fn take_place(
    mut camera: Single<Camera, With<StageCamera>>,
    mut was_in_head: Local<bool>,
    subjects: Subjects,
) {
    let (transform, projection, controls, rig) = &mut *camera;
    let is_in_head = subjects.view.camera == CameraMode::Head;
    let head = subjects.selected_or_reference().filter(|_| is_in_head).and_then(head);
    let mut leave_or_enter = |fov: f32| {
        if let Projection::Perspective(perspective) = &mut **projection {
            perspective.fov = fov;
        }
    };
    match head {
        Some(head) => {
            transform.set_if_neq(head);
            if !*was_in_head {
                leave_or_enter(HEAD_FOV);
            }
        }
        None => {
            if *was_in_head {
                leave_or_enter(FOV);
            }
            if !rig.flies {
                transform.set_if_neq(rig.turned.transform(&orbit(controls)));
            }
        }
    }
    *was_in_head = head.is_some();
    // The controls only turn with an axis of their own in a space that is upright. All they need to
    // know of another is where its top is: so dragging to the right never turns to the left.
    let up = rig.turned.space * Vec3::Y;
    if controls.axis[1] != up {
        controls.axis[1] = up;
    }
}

/// Where the controls have the camera.
fn orbit(controls: &PanOrbitCamera) -> Orbit {
    Orbit {
        focus: controls.focus,
        yaw: controls.yaw.unwrap_or(controls.target_yaw),
        pitch: controls.pitch.unwrap_or(controls.target_pitch),
        radius: controls.radius.unwrap_or(controls.target_radius),
    }
}

/// Where the eyes are that a recorded view is seen from, if there are any.
fn head(subject: Subject<'_>) -> Option<Transform> {
    let eyes = appearance::eyes(subject.clip(), subject.pose())?;
    Some(subject.staged.transform(&eyes).with_scale(Vec3::ONE))
}
