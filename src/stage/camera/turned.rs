//! Orbiting in a space that turns with something, and coming back upright from there.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{Rig, ease::eased, put, target};
use crate::stage::framing::Orbit;

/// How a camera is turned besides orbiting.
///
/// The controls count yaw and pitch from an upright space. What the camera is fastened to turns that
/// space with it, so that the user goes on orbiting in it as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Turned {
    /// How far the space is turned that the camera orbits in.
    pub(super) space: Quat,
    /// How far the camera is rolled, while that eases off.
    roll: Option<Roll>,
}

/// A roll that nothing holds any more.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Roll {
    /// In radians, to the left.
    from: f32,
    /// For how long it has been easing off, in seconds.
    elapsed: f32,
}

impl Roll {
    fn now(&self) -> f32 {
        self.from * (1.0 - eased(self.elapsed).0)
    }
}

impl Turned {
    /// Where a camera is that orbits so.
    pub(super) fn transform(&self, orbit: &Orbit) -> Transform {
        let rotation = self.rotation(orbit);
        let translation = orbit.focus + rotation * Vec3::Z * orbit.radius;
        let roll = self.roll.map_or(0.0, |roll| roll.now());
        Transform { translation, rotation: rotation * Quat::from_rotation_z(roll), ..default() }
    }

    /// Whether the space that it orbits in is upright.
    pub(super) fn is_upright(&self) -> bool {
        self.space == Quat::IDENTITY
    }

    /// How it is turned, but for what eases off.
    pub(super) fn rotation(&self, orbit: &Orbit) -> Quat {
        self.space * orbit.rotation()
    }

    /// The upright orbit that sees the same, and the roll that it lacks, in radians.
    fn upright(&self, orbit: &Orbit) -> (Orbit, f32) {
        let (yaw, pitch, roll) = self.rotation(orbit).to_euler(EulerRot::YXZ);
        (Orbit { yaw, pitch: -pitch, ..*orbit }, roll)
    }

    /// The orbit of an upright camera that sees what this one sees; a roll is lost.
    pub(super) fn seen_upright(&self, orbit: Orbit) -> Orbit {
        if self.is_upright() { orbit } else { self.upright(&orbit).0 }
    }

    /// Whether a roll is easing off.
    pub(super) fn rolls(&self) -> bool {
        self.roll.is_some()
    }

    /// Eases a roll off for some seconds more of real time.
    pub(super) fn ease(&mut self, seconds: f32) {
        if let Some(roll) = &mut self.roll {
            roll.elapsed += seconds;
            if eased(roll.elapsed).1 {
                self.roll = None;
            }
        }
    }
}

/// Lets the camera see what it sees, but orbit upright from now on. A roll eases off.
pub(super) fn come_upright(controls: &mut PanOrbitCamera, rig: &mut Rig) {
    let turned = rig.turned;
    if turned.is_upright() {
        return;
    }
    let (orbit, roll) = turned.upright(&target(controls));
    let roll = Roll { from: roll + turned.roll.map_or(0.0, |roll| roll.now()), elapsed: 0.0 };
    rig.turned = Turned { roll: Some(roll), ..Turned::default() };
    put(controls, orbit);
    if let Some(glide) = &mut rig.glide {
        glide.change(|orbit| turned.upright(orbit).0);
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
        assert_eq!(Turned::default().transform(&orbit()), orbit().transform());
        assert_eq!(Turned::default().seen_upright(orbit()), orbit());
    }

    #[test]
    fn rotated_space_orbits_the_camera() {
        let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let turned = Turned { space: quarter, roll: None };
        let expected = Orbit { yaw: 0.4 + std::f32::consts::FRAC_PI_2, ..orbit() }.transform();
        let found = turned.transform(&orbit());
        assert!(found.translation.abs_diff_eq(expected.translation, 1e-5));
        assert!(found.rotation.angle_between(expected.rotation) < 1e-3);
    }

    #[test]
    fn returning_upright_keeps_the_view_and_eases_the_roll() {
        let mut controls = PanOrbitCamera::default();
        put(&mut controls, orbit());
        let space = Quat::from_euler(EulerRot::XYZ, 0.5, -1.0, 0.9);
        let mut rig = Rig { turned: Turned { space, roll: None }, ..Rig::default() };
        let before = rig.turned.transform(&orbit());
        assert!(before.right().y.abs() > 0.1, "it leans");
        come_upright(&mut controls, &mut rig);
        let after = rig.turned.transform(&target(&controls));
        assert!(after.translation.abs_diff_eq(before.translation, 1e-5), "{after:?} {before:?}");
        assert!(after.rotation.angle_between(before.rotation) < 1e-3);
        let mut leans = after.right().y.abs();
        while rig.turned.rolls() {
            rig.turned.ease(0.02);
            let now = rig.turned.transform(&target(&controls));
            assert!(now.translation.abs_diff_eq(before.translation, 1e-5), "it only rolls");
            assert!(now.right().y.abs() <= leans + 1e-5);
            leans = now.right().y.abs();
        }
        assert!(leans < 1e-5, "{leans}");
        assert_eq!(rig.turned, Turned::default());
    }
}
