//! Interpolation between two rotations.

use glam::DVec4;

/// The smallest length of a quaternion with a usable direction. A shorter quaternion is treated as
/// zero.
const MIN_QUATERNION_LENGTH: f64 = 1e-6;

/// An interpolation between two quaternions.
///
/// A quaternion and its negative represent the same rotation. Only [`Self::ShortSlerp`] gives the
/// same result for both. The other variants use the signs as stored, so they may take the longer
/// arc between two rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// Spherical linear interpolation (constant angular speed) along the shorter arc.
    ShortSlerp,
    /// Spherical linear interpolation (constant angular speed) between the quaternions with the
    /// signs of the keys, even if that is the longer arc.
    Slerp,
    /// Linear interpolation of each component. The result is normalised.
    Lerp,
}

impl Blend {
    /// Returns the quaternion at `fraction` (from 0 to 1) between `left` and `right`, of unit
    /// length. Returns zero if the result has no direction.
    pub(crate) fn interpolate(self, left: DVec4, right: DVec4, fraction: f64) -> DVec4 {
        let (from, to) = (unit_or_zero(left), unit_or_zero(right));
        let has_no_direction = from == DVec4::ZERO || to == DVec4::ZERO;
        match self {
            Self::Lerp => unit_or_zero(left.lerp(right, fraction)),
            _ if has_no_direction => unit_or_zero(left.lerp(right, fraction)),
            Self::Slerp => slerp(from, to, fraction),
            Self::ShortSlerp if from.dot(to) < 0.0 => slerp(from, -to, fraction),
            Self::ShortSlerp => slerp(from, to, fraction),
        }
    }
}

pub(super) fn unit_or_zero(components: DVec4) -> DVec4 {
    let length = components.length();
    if length >= MIN_QUATERNION_LENGTH && length.is_finite() {
        components / length
    } else {
        DVec4::ZERO
    }
}

fn slerp(from: DVec4, to: DVec4, fraction: f64) -> DVec4 {
    /// If the sine of the angle is smaller, the quaternions are equal or opposite and define no
    /// great circle.
    const MIN_SINE: f64 = 1e-9;
    // Unlike acos of the dot product, this is accurate for small angles and for angles near half a
    // turn.
    let angle = 2.0 * (from - to).length().atan2((from + to).length());
    let sine = angle.sin();
    if sine > MIN_SINE {
        let point = from * ((1.0 - fraction) * angle).sin() + to * (fraction * angle).sin();
        unit_or_zero(point / sine)
    } else if from.dot(to) > 0.0 {
        unit_or_zero(from.lerp(to, fraction))
    } else {
        // Opposite quaternions represent the same rotation. Infinitely many great circles connect
        // them and none is better than the others, so the rotation does not move.
        from
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use glam::{DQuat, DVec3};

    use super::*;
    use mutoscope_testing::property::check_property;

    /// Returns the angle about Y, in degrees from −180 to 180.
    fn about_y(quaternion: DVec4) -> f64 {
        let degrees = (2.0 * quaternion.y.atan2(quaternion.w)).to_degrees();
        (degrees + 180.0).rem_euclid(360.0) - 180.0
    }

    #[test]
    fn blends_match_worked_examples() {
        let still = DVec4::W;
        let quarter = DVec4::from(DQuat::from_rotation_y(TAU / 4.0));
        let cases = [
            (Blend::ShortSlerp, quarter, 0.25, 22.5),
            (Blend::Slerp, quarter, 0.25, 22.5),
            (Blend::Lerp, quarter, 0.25, 21.598),
            (Blend::ShortSlerp, -quarter, 0.5, 45.0),
            (Blend::Slerp, -quarter, 0.5, -135.0),
            (Blend::Lerp, -quarter, 0.5, -135.0),
        ];
        for (blend, end, fraction, degrees) in cases {
            let found = about_y(blend.interpolate(still, end, fraction));
            assert!((found - degrees).abs() < 1e-3, "{blend:?} at {fraction}: {found}");
        }
    }

    #[test]
    fn slerp_matches_glam_and_meets_both_ends() {
        check_property(|random| {
            let mut turn = || {
                let [x, y, z] = [(); 3].map(|()| random.in_range(-1.0, 1.0));
                let axis = DVec3::new(x, y, z).normalize_or(DVec3::X);
                DQuat::from_axis_angle(axis, random.in_range(-TAU, TAU))
            };
            let (from, to) = (turn(), turn());
            let fraction = random.in_range(0.0, 1.0);
            let found = Blend::ShortSlerp.interpolate(from.into(), to.into(), fraction);
            let expected = from.slerp(to, fraction);
            assert!(
                DQuat::from_vec4(found).angle_between(expected) < 1e-6,
                "{from} {to} {fraction}"
            );
            for blend in [Blend::ShortSlerp, Blend::Slerp, Blend::Lerp] {
                for (fraction, end) in [(0.0, from), (1.0, to)] {
                    let found =
                        DQuat::from_vec4(blend.interpolate(from.into(), to.into(), fraction));
                    assert!(found.angle_between(end) < 1e-6, "{blend:?} {from} {to} at {fraction}");
                }
            }
        });
    }

    #[test]
    fn zero_quaternions_never_give_nan() {
        for blend in [Blend::ShortSlerp, Blend::Slerp, Blend::Lerp] {
            assert_eq!(blend.interpolate(DVec4::ZERO, DVec4::ZERO, 0.5), DVec4::ZERO);
            assert_eq!(blend.interpolate(DVec4::ZERO, DVec4::W, 0.5), DVec4::W);
            let infinite = DVec4::splat(f64::INFINITY);
            assert!(blend.interpolate(infinite, DVec4::W, 0.5).is_finite(), "{blend:?}");
        }
        assert_eq!(Blend::Slerp.interpolate(DVec4::W, -DVec4::W, 0.3), DVec4::W);
    }
}
