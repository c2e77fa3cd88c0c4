//! Computes camera orbits that frame a set of points.

use bevy::prelude::*;

/// A camera that looks at a point from a distance.
///
/// If yaw and pitch are zero, the camera looks along −Z. A positive yaw moves the camera to its
/// right. A positive pitch moves the camera up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// The point that the camera looks at, in metres.
    pub focus: Vec3,
    /// The rotation about Y, in radians.
    pub yaw: f32,
    /// The angle above the horizon, in radians.
    pub pitch: f32,
    /// The distance from the focus, in metres.
    pub radius: f32,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { focus: Vec3::ZERO, yaw: 0.0, pitch: 0.0, radius: 1.0 }
    }
}

impl Orbit {
    /// Returns the rotation of the camera.
    pub fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    /// Returns the transform of the camera.
    pub fn transform(&self) -> Transform {
        let rotation = self.rotation();
        let translation = self.focus + rotation * Vec3::Z * self.radius;
        Transform { translation, rotation, ..default() }
    }

    /// Returns the orbit of a camera at `transform` that looks at a point `radius` metres ahead. An
    /// orbit has no roll, so the roll of `transform` is ignored.
    pub(super) fn from_transform(transform: &Transform, radius: f32) -> Self {
        let (yaw, pitch, _) = transform.rotation.to_euler(EulerRot::YXZ);
        let focus = transform.translation + transform.rotation * Vec3::NEG_Z * radius;
        Self { focus, yaw, pitch: -pitch, radius }
    }

    /// Interpolates between `self` (`part` is 0) and `other` (`part` is 1). The yaw rotates in the
    /// direction of the smaller angle.
    pub(super) fn towards(&self, other: &Self, part: f32) -> Self {
        let turn = (other.yaw - self.yaw + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU)
            - std::f32::consts::PI;
        Self {
            focus: self.focus.lerp(other.focus, part),
            yaw: self.yaw + turn * part,
            pitch: self.pitch + (other.pitch - self.pitch) * part,
            // Multiply the distance by the same factor in equal times, because such a zoom looks
            // uniform.
            radius: self.radius * (other.radius / self.radius).powf(part),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lens {
    /// The vertical angle of view, in radians.
    pub(super) fov: f32,
    pub(super) aspect: f32,
}

const FILL_FRACTION: f32 = 0.74;

/// Returns the nearest orbit with the direction of `from` from which spheres of `radius` around all
/// `points` are visible. The focus is at the mean depth of `around`. `None` if there are no points.
pub(super) fn frame_points(
    points: &[Vec3],
    radius: f32,
    around: &[Vec3],
    from: Orbit,
    lens: Lens,
) -> Option<Orbit> {
    let to_camera = from.rotation().inverse();
    let half_height = (lens.fov / 2.0).tan() * FILL_FRACTION;
    let half_width = half_height * lens.aspect;
    // For each side of the view, find the point that is farthest out, and compute how far back the
    // camera must be to show it. Then centre the camera between the left and the right, and between
    // the top and the bottom.
    let outermost = |half: f32, side: &dyn Fn(Vec3) -> f32| {
        // A side of the view has the slope `half`. If it touches a sphere of `radius`, its distance
        // from the centre of the sphere, measured across the view, is radius · √(1 + half²).
        let reach = radius * (1.0 + half * half).sqrt();
        let sides = points.iter().map(|point| to_camera * point);
        sides.map(|point| side(point) + point.z * half + reach).reduce(f32::max)
    };
    let right = outermost(half_width, &|point| point.x)?;
    let left = outermost(half_width, &|point| -point.x)?;
    let top = outermost(half_height, &|point| point.y)?;
    let bottom = outermost(half_height, &|point| -point.y)?;
    let distance = ((right + left) / (2.0 * half_width)).max((top + bottom) / (2.0 * half_height));
    let depth = around.iter().map(|point| (to_camera * point).z).sum::<f32>() / around.len() as f32;
    let middle = Vec3::new((right - left) / 2.0, (top - bottom) / 2.0, depth);
    // Use a larger minimum distance for a single point, because it has no size from which a
    // distance could be computed.
    let nearest = if radius > 0.0 { 0.03 } else { 0.1 };
    let radius = (distance - depth).max(nearest);
    let framed = Orbit { focus: from.rotation() * middle, radius, ..from };
    (framed.focus.is_finite() && radius.is_finite()).then_some(framed)
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::*;

    const LENS: Lens = Lens { fov: 0.8, aspect: 1.5 };

    /// Returns the position of `point` in the viewport, from −1 to 1.
    fn to_viewport(orbit: &Orbit, point: Vec3) -> Vec2 {
        let camera = orbit.transform();
        let point = camera.rotation.inverse() * (point - camera.translation);
        let half_height = (LENS.fov / 2.0).tan();
        Vec2::new(point.x / LENS.aspect, point.y) / (half_height * -point.z)
    }

    #[test]
    fn framing_contains_every_point_tightly() {
        let points: Vec<Vec3> = (0..40)
            .map(|index| index as f32)
            .map(|n| Vec3::new((n * 1.7).sin(), (n * 0.9).cos() * 0.4 - 2.0, (n * 0.3).sin() * 3.0))
            .collect();
        for (yaw, pitch) in [(0.0, 0.0), (2.5, 0.4), (-1.0, -0.9), (0.3, FRAC_PI_2)] {
            let from = Orbit { yaw, pitch, ..default() };
            let orbit = frame_points(&points, 0.0, &points, from, LENS).expect("there are points");
            let outermost = points
                .iter()
                .map(|&point| to_viewport(&orbit, point).abs().max_element())
                .fold(0.0, f32::max);
            assert!((outermost - FILL_FRACTION).abs() < 1e-3, "{yaw} {pitch}: {outermost}");
        }
    }

    #[test]
    fn framing_no_points_gives_none() {
        assert_eq!(frame_points(&[], 0.0, &[], Orbit::default(), LENS), None);
    }

    #[test]
    fn framing_one_point_is_close() {
        let point = Vec3::new(3.0, 1.0, 2.0);
        let orbit = frame_points(&[point], 0.0, &[point], Orbit::default(), LENS)
            .expect("there is a point");
        assert!(orbit.focus.abs_diff_eq(point, 1e-5) && orbit.radius == 0.1, "{orbit:?}");
    }

    #[test]
    fn yaw_moves_right_and_pitch_up() {
        let camera_position =
            |yaw, pitch| Orbit { yaw, pitch, ..default() }.transform().translation;
        assert!(camera_position(0.0, 0.0).abs_diff_eq(Vec3::Z, 1e-6));
        assert!(camera_position(FRAC_PI_2, 0.0).abs_diff_eq(Vec3::X, 1e-6));
        assert!(camera_position(0.0, FRAC_PI_2).abs_diff_eq(Vec3::Y, 1e-6));
    }

    #[test]
    fn orbit_round_trips_through_a_transform() {
        let orbit = Orbit { focus: Vec3::new(1.0, 2.0, 3.0), yaw: 2.0, pitch: -0.4, radius: 1.5 };
        let again = Orbit::from_transform(&orbit.transform(), 1.5);
        assert!(again.focus.abs_diff_eq(orbit.focus, 1e-5));
        assert!((again.yaw - 2.0).abs() + (again.pitch + 0.4).abs() < 1e-5);
    }

    #[test]
    fn glides_take_the_shorter_turn() {
        let from = Orbit { yaw: PI - 0.1, radius: 1.0, ..default() };
        let to = Orbit { yaw: 0.1 - PI, radius: 4.0, ..default() };
        let half = from.towards(&to, 0.5);
        assert!((half.yaw - PI).abs() < 1e-5, "{}", half.yaw);
        assert!((half.radius - 2.0).abs() < 1e-5, "{}", half.radius);
        assert!((from.towards(&to, 1.0).yaw - (PI + 0.1)).abs() < 1e-5);
    }

    #[test]
    fn framing_contains_whole_spheres() {
        let radius = 0.4;
        let points = [Vec3::ZERO, Vec3::new(0.0, 1.0, -0.5)];
        let orbit = frame_points(&points, radius, &points, Orbit::default(), LENS)
            .expect("there are points");
        for (point, rim) in [(points[0], -Vec3::Y), (points[1], Vec3::Y)] {
            let position = to_viewport(&orbit, point + rim * radius);
            assert!(position.y.abs() <= FILL_FRACTION + 1e-3, "{position}");
        }
        let tight =
            frame_points(&points, 0.0, &points, Orbit::default(), LENS).expect("there are points");
        assert!(orbit.radius > tight.radius + radius);
    }
}
