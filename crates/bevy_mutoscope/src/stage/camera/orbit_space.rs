//! Orbiting in a space that rotates with a node, and returning from there to an upright space.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{CameraState, ease::ease_progress, set_orbit, target_orbit};
use crate::stage::framing::Orbit;

/// The rotation of a camera in addition to its orbit.
///
/// The orbit controls measure yaw and pitch relative to an upright space. When the camera follows
/// the rotation of a node, we rotate this space as a whole, so that the user can orbit in it as
/// usual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OrbitSpace {
    pub(super) space: Quat,
    roll: Option<Roll>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Roll {
    /// The roll at the start in radians. A positive roll is to the left.
    initial_angle: f32,
    /// The time since the roll started to decrease, in seconds.
    elapsed: f32,
}

impl Roll {
    fn current_angle(&self) -> f32 {
        self.initial_angle * (1.0 - ease_progress(self.elapsed).0)
    }
}

impl OrbitSpace {
    pub(super) fn transform(&self, orbit: &Orbit) -> Transform {
        let rotation = self.camera_rotation(orbit);
        let translation = orbit.focus + rotation * Vec3::Z * orbit.radius;
        let roll = self.roll.map_or(0.0, |roll| roll.current_angle());
        Transform { translation, rotation: rotation * Quat::from_rotation_z(roll), ..default() }
    }

    pub(super) fn is_upright(&self) -> bool {
        self.space == Quat::IDENTITY
    }

    pub(super) fn camera_rotation(&self, orbit: &Orbit) -> Quat {
        self.space * orbit.rotation()
    }

    /// Returns an upright orbit with the same line of sight. Also returns the roll in radians,
    /// which an upright orbit cannot represent.
    fn to_upright(self, orbit: &Orbit) -> (Orbit, f32) {
        let (yaw, pitch, roll) = self.camera_rotation(orbit).to_euler(EulerRot::YXZ);
        (Orbit { yaw, pitch: -pitch, ..*orbit }, roll)
    }

    pub(super) fn upright_orbit(&self, orbit: Orbit) -> Orbit {
        if self.is_upright() { orbit } else { self.to_upright(&orbit).0 }
    }

    pub(super) fn is_rolling(&self) -> bool {
        self.roll.is_some()
    }

    pub(super) fn advance_roll(&mut self, seconds: f32) {
        if let Some(roll) = &mut self.roll {
            roll.elapsed += seconds;
            if ease_progress(roll.elapsed).1 {
                self.roll = None;
            }
        }
    }
}

pub(super) fn return_to_upright(controls: &mut PanOrbitCamera, camera_state: &mut CameraState) {
    let orbit_space = camera_state.orbit_space;
    if orbit_space.is_upright() {
        return;
    }
    let (orbit, roll) = orbit_space.to_upright(&target_orbit(controls));
    let roll = Roll {
        initial_angle: roll + orbit_space.roll.map_or(0.0, |roll| roll.current_angle()),
        elapsed: 0.0,
    };
    camera_state.orbit_space = OrbitSpace { roll: Some(roll), ..OrbitSpace::default() };
    set_orbit(controls, orbit);
    if let Some(glide) = &mut camera_state.glide {
        glide.map_orbits(|orbit| orbit_space.to_upright(orbit).0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbit() -> Orbit {
        Orbit { focus: Vec3::new(1.0, 2.0, 3.0), yaw: 0.4, pitch: 0.3, radius: 2.0 }
    }

    #[test]
    fn upright_orbit_is_unchanged() {
        assert_eq!(OrbitSpace::default().transform(&orbit()), orbit().transform());
        assert_eq!(OrbitSpace::default().upright_orbit(orbit()), orbit());
    }

    #[test]
    fn rotated_space_orbits_the_camera() {
        let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let orbit_space = OrbitSpace { space: quarter, roll: None };
        let expected = Orbit { yaw: 0.4 + std::f32::consts::FRAC_PI_2, ..orbit() }.transform();
        let found = orbit_space.transform(&orbit());
        assert!(found.translation.abs_diff_eq(expected.translation, 1e-5));
        assert!(found.rotation.angle_between(expected.rotation) < 1e-3);
    }

    #[test]
    fn returning_upright_keeps_the_view_and_eases_the_roll() {
        let mut controls = PanOrbitCamera::default();
        set_orbit(&mut controls, orbit());
        let space = Quat::from_euler(EulerRot::XYZ, 0.5, -1.0, 0.9);
        let mut camera_state =
            CameraState { orbit_space: OrbitSpace { space, roll: None }, ..CameraState::default() };
        let before = camera_state.orbit_space.transform(&orbit());
        assert!(before.right().y.abs() > 0.1, "the camera has rolled");
        return_to_upright(&mut controls, &mut camera_state);
        let after = camera_state.orbit_space.transform(&target_orbit(&controls));
        assert!(after.translation.abs_diff_eq(before.translation, 1e-5), "{after:?} {before:?}");
        assert!(after.rotation.angle_between(before.rotation) < 1e-3);
        let mut lean = after.right().y.abs();
        while camera_state.orbit_space.is_rolling() {
            camera_state.orbit_space.advance_roll(0.02);
            let now = camera_state.orbit_space.transform(&target_orbit(&controls));
            assert!(now.translation.abs_diff_eq(before.translation, 1e-5), "only the roll changes");
            assert!(now.right().y.abs() <= lean + 1e-5);
            lean = now.right().y.abs();
        }
        assert!(lean < 1e-5, "{lean}");
        assert_eq!(camera_state.orbit_space, OrbitSpace::default());
    }
}
