//! Zooms towards the point under the pointer.

use bevy::{input::mouse::AccumulatedMouseScroll, prelude::*, window::PrimaryWindow};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{CameraState, FOV, orbit_space::OrbitSpace, set_orbit, target_orbit};
use crate::stage::{StageCamera, framing::Orbit};

pub(in crate::stage) fn zoom_to_pointer(
    mut camera: Single<(&Camera, &CameraState, &mut PanOrbitCamera), With<StageCamera>>,
    mut radius_before: Local<f32>,
    windows: Query<&Window, With<PrimaryWindow>>,
    scroll: Res<AccumulatedMouseScroll>,
) {
    let (camera, camera_state, controls) = &mut *camera;
    let before = std::mem::replace(&mut *radius_before, controls.target_radius);
    let has_zoomed = scroll.delta.y != 0.0 && controls.enabled && before != controls.target_radius;
    let pointer = windows.single().ok().and_then(Window::cursor_position);
    let Some((pointer, rect)) = pointer.zip(camera.logical_viewport_rect()).filter(|_| has_zoomed)
    else {
        return;
    };
    let now = target_orbit(controls);
    set_orbit(
        controls,
        zoom_towards(
            to_viewport_coordinates(pointer, rect),
            rect,
            before,
            now,
            &camera_state.orbit_space,
        ),
    );
}

/// Returns the position of `pointer` in the viewport. Both coordinates are from −1 to 1, to the
/// right and up.
fn to_viewport_coordinates(pointer: Vec2, rect: Rect) -> Vec2 {
    (pointer - rect.center()) / rect.half_size() * Vec2::new(1.0, -1.0)
}

/// Moves the focus of the orbit `now` sideways after its radius has changed from `before`, so that
/// the point under the pointer stays under the pointer. This assumes that the point is as far away
/// as the focus.
fn zoom_towards(
    pointer: Vec2,
    rect: Rect,
    before: f32,
    now: Orbit,
    orbit_space: &OrbitSpace,
) -> Orbit {
    let half_height = (FOV / 2.0).tan();
    let aspect = rect.width() / rect.height();
    let offset = pointer * Vec2::new(half_height * aspect, half_height) * (before - now.radius);
    Orbit { focus: now.focus + orbit_space.camera_rotation(&now) * offset.extend(0.0), ..now }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zoom_keeps_the_point_under_the_pointer() {
        let rect = Rect::new(100.0, 50.0, 900.0, 650.0);
        let pointer = to_viewport_coordinates(Vec2::new(700.0, 200.0), rect);
        assert!(pointer.abs_diff_eq(Vec2::new(0.5, 0.5), 1e-6));

        let before = Orbit { focus: Vec3::ONE, yaw: 2.0, pitch: 0.3, radius: 2.0 };
        let half_height = (FOV / 2.0).tan();
        for space in [Quat::IDENTITY, Quat::from_rotation_x(1.1)] {
            let mut orbit_space = OrbitSpace::default();
            orbit_space.space = space;
            let after =
                zoom_towards(pointer, rect, 2.0, Orbit { radius: 1.2, ..before }, &orbit_space);
            let under_pointer = |orbit: Orbit| {
                let offset = pointer * Vec2::new(half_height * 800.0 / 600.0, half_height);
                orbit.focus
                    + orbit_space.camera_rotation(&orbit) * (offset * orbit.radius).extend(0.0)
            };
            assert!(under_pointer(before).abs_diff_eq(under_pointer(after), 1e-5), "{space}");
        }
    }
}
