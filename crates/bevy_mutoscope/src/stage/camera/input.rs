//! Routes pointer and keys to orbiting or flying.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraState},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{CameraState, orbit_space::OrbitSpace, set_orbit};
use crate::stage::{CameraMode, StageViewport, framing::Orbit, subject::Subjects};

/// The speed of the flying camera, in scene sizes per second.
const FLYING_SPEED: f32 = 0.6;
const RUNNING_SPEED: f32 = 2.4;

const BUTTONS: [MouseButton; 3] = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];

type ControlsQueryData = (
    &'static Camera,
    &'static Transform,
    &'static mut PanOrbitCamera,
    &'static mut FreeCamera,
    &'static mut FreeCameraState,
    &'static mut CameraState,
);

pub(in crate::stage) fn route_input(
    camera: Single<ControlsQueryData>,
    windows: Query<&Window, With<PrimaryWindow>>,
    mouse: Res<ButtonInput<MouseButton>>,
    touches: Res<Touches>,
    keys: Res<ButtonInput<KeyCode>>,
    viewport: Res<StageViewport>,
    subjects: Subjects,
) {
    let (camera, transform, mut orbiting, mut flying, mut state, mut camera_state) =
        camera.into_inner();
    let rect = camera.logical_viewport_rect();
    let is_over_stage = |position: Vec2| {
        rect.is_some_and(|rect| rect.contains(position)) && !viewport.pointer_taken
    };
    let finger = touches.iter().next();
    let held = mouse.any_pressed(BUTTONS) || finger.is_some();
    if let Some(finger) = finger {
        // Use the start position of the finger. The panels notice a finger one frame late, and do
        // not update their state until the finger is lifted.
        camera_state.has_pointer = is_over_stage(finger.start_position());
    } else if !held || BUTTONS.iter().any(|&button| mouse.just_pressed(button)) && !was_held(&mouse)
    {
        // The stage or panel under the pointer when a button is pressed gets the pointer until all
        // buttons are released. A drag that begins in the viewport then orbits even over a panel. A
        // slider can be dragged over the viewport without orbiting.
        let pointer = windows.single().ok().and_then(Window::cursor_position);
        camera_state.has_pointer = pointer.is_some_and(is_over_stage);
    }
    let can_steer = camera_state.has_pointer && subjects.view.camera == CameraMode::Free;
    let is_flying = can_steer && mouse.pressed(MouseButton::Right);
    if held && can_steer && camera_state.glide.is_some() {
        camera_state.glide = None;
    }
    if is_flying && !camera_state.is_flying {
        start_flight(&mut state, transform);
        camera_state.orbit_space = OrbitSpace::default();
    } else if camera_state.is_flying && !is_flying {
        let focus_distance = focus_distance_ahead(transform, &subjects, orbiting.target_radius);
        end_flight(&mut orbiting, &mut state, transform, focus_distance);
    }
    camera_state.is_flying = is_flying;
    camera_state.is_steered = held && can_steer || orbiting.radius != Some(orbiting.target_radius);
    // Set the state in every frame, because Bevy enables it by default.
    state.enabled = is_flying;
    if is_flying {
        let scene_size = orbiting.zoom_upper_limit.unwrap_or(20.0) / 20.0;
        let keyboard_factor = if viewport.keyboard_taken { 0.0 } else { 1.0 };
        flying.walk_speed = FLYING_SPEED * scene_size * keyboard_factor;
        flying.run_speed = RUNNING_SPEED * scene_size * keyboard_factor;
    }
    let shift = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    assign_buttons(&mut orbiting, can_steer && !is_flying, shift);
}

fn was_held(mouse: &ButtonInput<MouseButton>) -> bool {
    BUTTONS.iter().any(|&button| mouse.pressed(button) && !mouse.just_pressed(button))
}

fn assign_buttons(orbiting: &mut PanOrbitCamera, enabled: bool, shift: bool) {
    let buttons = [MouseButton::Left, MouseButton::Middle];
    let [orbit, pan] = if shift { [buttons[1], buttons[0]] } else { buttons };
    orbiting.enabled = enabled;
    orbiting.button_orbit = orbit;
    orbiting.button_pan = pan;
}

fn start_flight(state: &mut FreeCameraState, transform: &Transform) {
    let (yaw, pitch, _) = transform.rotation.to_euler(EulerRot::YXZ);
    state.yaw = yaw;
    state.pitch = pitch;
    state.velocity = Vec3::ZERO;
}

fn end_flight(
    orbiting: &mut PanOrbitCamera,
    state: &mut FreeCameraState,
    transform: &Transform,
    focus_distance: f32,
) {
    state.velocity = Vec3::ZERO;
    set_orbit(orbiting, Orbit::from_transform(transform, focus_distance));
}

/// Returns the distance from the camera to a new focus. The focus is the point on the line of sight
/// that is nearest to the centre of the motion. If this point is behind the camera or too near,
/// returns `before`.
fn focus_distance_ahead(transform: &Transform, subjects: &Subjects, before: f32) -> f32 {
    let Some(staged) = subjects.reference().map(|subject| subject.staged) else { return before };
    let [min, max] = staged.bounds.bounds();
    let middle = staged.to_world((min + max) / 2.0 + staged.bounds.origin);
    let ahead = (middle - transform.translation).dot(*transform.forward());
    if ahead > 0.05 { ahead } else { before }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_swaps_orbit_and_pan() {
        let mut orbiting = PanOrbitCamera::default();
        assign_buttons(&mut orbiting, true, false);
        assert_eq!(
            (orbiting.button_orbit, orbiting.button_pan),
            (MouseButton::Left, MouseButton::Middle)
        );
        assign_buttons(&mut orbiting, false, true);
        assert_eq!(
            (orbiting.button_orbit, orbiting.button_pan),
            (MouseButton::Middle, MouseButton::Left)
        );
        assert!(!orbiting.enabled);
    }

    #[test]
    fn ending_flight_keeps_the_view() {
        let flight =
            Transform::from_xyz(1.0, 2.0, 3.0).looking_at(Vec3::new(0.3, 1.0, 0.0), Vec3::Y);
        let (mut orbiting, mut state) = (PanOrbitCamera::default(), FreeCameraState::default());
        end_flight(&mut orbiting, &mut state, &flight, 2.0);
        let orbit = super::super::target_orbit(&orbiting).transform();
        assert!(orbit.translation.abs_diff_eq(flight.translation, 1e-5));
        assert!(orbit.rotation.angle_between(flight.rotation) < 1e-3);
    }
}
