//! Pointer and keys: their owner, orbiting, and flying.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraState},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{Rig, put, turned::Turned};
use crate::stage::{CameraMode, StageViewport, framing::Orbit, subject::Subjects};

/// The speed of flying, in lengths of the scene a second.
const FLYING_SPEED: f32 = 0.6;
const RUNNING_SPEED: f32 = 2.4;

const BUTTONS: [MouseButton; 3] = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];

/// The camera and its controls.
type Controls = (
    &'static Camera,
    &'static Transform,
    &'static mut PanOrbitCamera,
    &'static mut FreeCamera,
    &'static mut FreeCameraState,
    &'static mut Rig,
);

/// Lends the pointer to orbiting or to flying, or to neither.
pub(in crate::stage) fn steer(
    camera: Single<Controls>,
    windows: Query<&Window, With<PrimaryWindow>>,
    (mouse, touches): (Res<ButtonInput<MouseButton>>, Res<Touches>),
    keys: Res<ButtonInput<KeyCode>>,
    viewport: Res<StageViewport>,
    subjects: Subjects,
) {
    let (camera, transform, mut orbiting, mut flying, mut state, mut rig) = camera.into_inner();
    let rect = camera.logical_viewport_rect();
    let is_ours =
        |place: Vec2| rect.is_some_and(|rect| rect.contains(place)) && !viewport.pointer_taken;
    let finger = touches.iter().next();
    let held = mouse.any_pressed(BUTTONS) || finger.is_some();
    if let Some(finger) = finger {
        // The panels know of a finger only after the frame in which it comes, and keep what they said
        // until it goes.
        rig.has_pointer = is_ours(finger.start_position());
    } else if !held || BUTTONS.iter().any(|&button| mouse.just_pressed(button)) && !was_held(&mouse)
    {
        // The owner of the pointer when a button is pressed keeps it until all are released: a drag
        // from the viewport keeps orbiting over a panel, and dragging a slider over the viewport does
        // not orbit.
        let pointer = windows.single().ok().and_then(Window::cursor_position);
        rig.has_pointer = pointer.is_some_and(is_ours);
    }
    let may_steer = rig.has_pointer && subjects.view.camera == CameraMode::Free;
    let flies = may_steer && mouse.pressed(MouseButton::Right);
    if held && may_steer && rig.glide.is_some() {
        rig.glide = None;
    }
    if flies && !rig.flies {
        take_off(&mut state, transform);
        rig.turned = Turned::default();
    } else if rig.flies && !flies {
        let focus_distance = distance_to_look_at(transform, &subjects, orbiting.target_radius);
        land(&mut orbiting, &mut state, transform, focus_distance);
    }
    rig.flies = flies;
    rig.is_steered = held && may_steer || orbiting.radius != Some(orbiting.target_radius);
    // From the first frame on: Bevy has it enabled when it is made.
    state.enabled = flies;
    if flies {
        let scene = orbiting.zoom_upper_limit.unwrap_or(20.0) / 20.0;
        let keys_are_ours = if viewport.keyboard_taken { 0.0 } else { 1.0 };
        flying.walk_speed = FLYING_SPEED * scene * keys_are_ours;
        flying.run_speed = RUNNING_SPEED * scene * keys_are_ours;
    }
    let shift = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    assign_buttons(&mut orbiting, may_steer && !flies, shift);
}

/// Whether a button was already down before this frame.
fn was_held(mouse: &ButtonInput<MouseButton>) -> bool {
    BUTTONS.iter().any(|&button| mouse.pressed(button) && !mouse.just_pressed(button))
}

/// The left button orbits and the middle one pans; with Shift the other way round.
fn assign_buttons(orbiting: &mut PanOrbitCamera, enabled: bool, shift: bool) {
    let buttons = [MouseButton::Left, MouseButton::Middle];
    let [orbit, pan] = if shift { [buttons[1], buttons[0]] } else { buttons };
    orbiting.enabled = enabled;
    orbiting.button_orbit = orbit;
    orbiting.button_pan = pan;
}

fn take_off(state: &mut FreeCameraState, transform: &Transform) {
    let (yaw, pitch, _) = transform.rotation.to_euler(EulerRot::YXZ);
    state.yaw = yaw;
    state.pitch = pitch;
    state.velocity = Vec3::ZERO;
}

fn land(
    orbiting: &mut PanOrbitCamera,
    state: &mut FreeCameraState,
    transform: &Transform,
    focus_distance: f32,
) {
    state.velocity = Vec3::ZERO;
    put(orbiting, Orbit::of(transform, focus_distance));
}

/// How far ahead the thing is that the user has flown up to: where the middle of what moves is
/// nearest to the line of sight, if that is ahead, else as far as before.
fn distance_to_look_at(transform: &Transform, subjects: &Subjects, before: f32) -> f32 {
    let Some(staged) = subjects.reference().map(|subject| subject.staged) else { return before };
    let [least, most] = staged.bounds.bounds();
    let middle = staged.point((least + most) / 2.0 + staged.bounds.origin);
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
        let flown =
            Transform::from_xyz(1.0, 2.0, 3.0).looking_at(Vec3::new(0.3, 1.0, 0.0), Vec3::Y);
        let (mut orbiting, mut state) = (PanOrbitCamera::default(), FreeCameraState::default());
        land(&mut orbiting, &mut state, &flown, 2.0);
        let orbit = super::super::target(&orbiting).transform();
        assert!(orbit.translation.abs_diff_eq(flown.translation, 1e-5));
        assert!(orbit.rotation.angle_between(flown.rotation) < 1e-3);
    }
}
