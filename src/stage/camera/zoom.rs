//! Zooming towards what is under the pointer.

use bevy::{input::mouse::AccumulatedMouseScroll, prelude::*, window::PrimaryWindow};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{FOV, Rig, put, target, turned::Turned};
use crate::stage::{StageCamera, framing::Orbit};

/// Moves the camera so that what was under the pointer before the wheel turned still is.
pub(in crate::stage) fn zoom_to_pointer(
    mut camera: Single<(&Camera, &Rig, &mut PanOrbitCamera), With<StageCamera>>,
    mut radius_before: Local<f32>,
    windows: Query<&Window, With<PrimaryWindow>>,
    scroll: Res<AccumulatedMouseScroll>,
) {
    let (camera, rig, controls) = &mut *camera;
    let before = std::mem::replace(&mut *radius_before, controls.target_radius);
    let turned = scroll.delta.y != 0.0 && controls.enabled && before != controls.target_radius;
    let pointer = windows.single().ok().and_then(Window::cursor_position);
    let Some((pointer, rect)) = pointer.zip(camera.logical_viewport_rect()).filter(|_| turned)
    else {
        return;
    };
    let now = target(controls);
    put(controls, towards(in_picture(pointer, rect), rect, before, now, &rig.turned));
}

/// Where `pointer` is in the viewport: from −1 to 1, to the right and up.
fn in_picture(pointer: Vec2, rect: Rect) -> Vec2 {
    (pointer - rect.center()) / rect.half_size() * Vec2::new(1.0, -1.0)
}

/// `now`, which is as near as the wheel has brought it from the radius `before`, moved aside so
/// that the point under the pointer, at the distance of the focus, stays there.
fn towards(pointer: Vec2, rect: Rect, before: f32, now: Orbit, turned: &Turned) -> Orbit {
    let half_height = (FOV / 2.0).tan();
    let aspect = rect.width() / rect.height();
    let aside = pointer * Vec2::new(half_height * aspect, half_height) * (before - now.radius);
    Orbit { focus: now.focus + turned.rotation(&now) * aside.extend(0.0), ..now }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zoom_keeps_the_point_under_the_pointer() {
        let rect = Rect::new(100.0, 50.0, 900.0, 650.0);
        let pointer = in_picture(Vec2::new(700.0, 200.0), rect);
        assert!(pointer.abs_diff_eq(Vec2::new(0.5, 0.5), 1e-6));

        let before = Orbit { focus: Vec3::ONE, yaw: 2.0, pitch: 0.3, radius: 2.0 };
        let half_height = (FOV / 2.0).tan();
        for space in [Quat::IDENTITY, Quat::from_rotation_x(1.1)] {
            let mut turned = Turned::default();
            turned.space = space;
            let after = towards(pointer, rect, 2.0, Orbit { radius: 1.2, ..before }, &turned);
            let under_pointer = |orbit: Orbit| {
                let aside = pointer * Vec2::new(half_height * 800.0 / 600.0, half_height);
                orbit.focus + turned.rotation(&orbit) * (aside * orbit.radius).extend(0.0)
            };
            assert!(under_pointer(before).abs_diff_eq(under_pointer(after), 1e-5), "{space}");
        }
    }
}
