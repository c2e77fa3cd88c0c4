//! Interpolations between two rotations.

use glam::DVec4;

/// A quaternion shorter than this has no direction.
const SHORTEST: f64 = 1e-6;

/// An interpolation between two quaternions. All but the first distinguish a quaternion from its
/// negative, which is the same rotation, and so may take the long way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// At even speed, the short way round.
    ShortSlerp,
    /// At even speed, whichever way round it is keyed.
    Slerp,
    /// Component by component, brought to unit length afterwards.
    Lerp,
}

impl Blend {
    /// The interpolated quaternion at `part` (0..=1) from `left` to `right`, of unit length; zero
    /// where it has no direction.
    pub(crate) fn between(self, left: DVec4, right: DVec4, part: f64) -> DVec4 {
        let (from, to) = (unit_or_zero(left), unit_or_zero(right));
        let is_without_direction = from == DVec4::ZERO || to == DVec4::ZERO;
        match self {
            Self::Lerp => unit_or_zero(left.lerp(right, part)),
            _ if is_without_direction => unit_or_zero(left.lerp(right, part)),
            Self::Slerp => slerp(from, to, part),
            Self::ShortSlerp if from.dot(to) < 0.0 => slerp(from, -to, part),
            Self::ShortSlerp => slerp(from, to, part),
        }
    }
}

/// `components` brought to unit length; zero if there is nothing to bring there.
pub(super) fn unit_or_zero(components: DVec4) -> DVec4 {
    let length = components.length();
    if length >= SHORTEST && length.is_finite() { components / length } else { DVec4::ZERO }
}

/// Along the great circle from one unit quaternion to another.
fn slerp(from: DVec4, to: DVec4, part: f64) -> DVec4 {
    /// Below this sine, the great circle is undetermined.
    const STRAIGHT: f64 = 1e-9;
    // Exact for small angles and for large ones, other than the arc cosine.
    let angle = 2.0 * (from - to).length().atan2((from + to).length());
    let sine = angle.sin();
    if sine > STRAIGHT {
        let way = from * ((1.0 - part) * angle).sin() + to * (part * angle).sin();
        unit_or_zero(way / sine)
    } else if from.dot(to) > 0.0 {
        unit_or_zero(from.lerp(to, part))
    } else {
        // Opposite quaternions are the same rotation, and no great circle is preferred.
        from
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use glam::{DQuat, DVec3};

    use super::*;
    use mutoscope_testing::chance::always;

    /// Degrees about Y.
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
        for (blend, end, part, degrees) in cases {
            let found = about_y(blend.between(still, end, part));
            assert!((found - degrees).abs() < 1e-3, "{blend:?} at {part}: {found}");
        }
    }

    #[test]
    fn slerp_matches_glam_and_meets_both_ends() {
        always(|chance| {
            let mut turn = || {
                let [x, y, z] = [(); 3].map(|()| chance.within(-1.0, 1.0));
                let axis = DVec3::new(x, y, z).normalize_or(DVec3::X);
                DQuat::from_axis_angle(axis, chance.within(-TAU, TAU))
            };
            let (from, to) = (turn(), turn());
            let part = chance.within(0.0, 1.0);
            let found = Blend::ShortSlerp.between(from.into(), to.into(), part);
            let expected = from.slerp(to, part);
            assert!(DQuat::from_vec4(found).angle_between(expected) < 1e-6, "{from} {to} {part}");
            for blend in [Blend::ShortSlerp, Blend::Slerp, Blend::Lerp] {
                for (part, end) in [(0.0, from), (1.0, to)] {
                    let found = DQuat::from_vec4(blend.between(from.into(), to.into(), part));
                    assert!(found.angle_between(end) < 1e-6, "{blend:?} {from} {to} at {part}");
                }
            }
        });
    }

    #[test]
    fn zero_quaternions_never_give_nan() {
        for blend in [Blend::ShortSlerp, Blend::Slerp, Blend::Lerp] {
            assert_eq!(blend.between(DVec4::ZERO, DVec4::ZERO, 0.5), DVec4::ZERO);
            assert_eq!(blend.between(DVec4::ZERO, DVec4::W, 0.5), DVec4::W);
            let infinite = DVec4::splat(f64::INFINITY);
            assert!(blend.between(infinite, DVec4::W, 0.5).is_finite(), "{blend:?}");
        }
        assert_eq!(Blend::Slerp.between(DVec4::W, -DVec4::W, 0.3), DVec4::W);
    }
}
