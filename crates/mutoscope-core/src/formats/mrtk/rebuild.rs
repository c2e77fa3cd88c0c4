//! Rebuilds the rotation component w that MRTK 2.6 and later lose when they save a file.
//!
//! MRTK's optimiser removes redundant keys from the x, y and z of a rotation but forgets w. It
//! keeps only the first key of w and, with one of its settings, adds a last key with the value of
//! z. See `docs/formats/mrtk.md`.

use glam::{DQuat, DVec3, DVec4};

use crate::clip::{ScalarCurve, Shapes};

/// The smallest difference of cosines from which the direction of the bone decides the sign of w.
/// The cosines measure how well the rotation with each sign fits the direction.
const MIN_FIT_DIFFERENCE: f64 = 0.002;

const UNIT_TOLERANCE: f64 = 1e-3;

/// Returns `true` if MRTK lost the w curve of a rotation. In that case x, y and z have the same key
/// times, and at least two. The w curve has one key, or it has two keys and the last equals the
/// last key of z.
///
/// The w curve of an intact rotation can also end with the last value of z, for example after a
/// quarter turn about z. If all curves have two keys, the length of the last quaternion decides,
/// because it is 1 only if w is intact.
pub(super) fn is_w_lost([x, y, z, w]: [&ScalarCurve; 4]) -> bool {
    let have_same_times = y.times().as_slice() == x.times().as_slice()
        && z.times().as_slice() == x.times().as_slice();
    let repeats_last_of_z = || {
        let last_bits = [w, z].map(|curve| curve.values().iter().last().map(f64::to_bits));
        last_bits[0] == last_bits[1]
    };
    have_same_times
        && match w.len() {
            1 => x.len() >= 2,
            2 => {
                x.len() >= 2
                    && repeats_last_of_z()
                    && (x.len() > 2 || !last_key_has_unit_length([x, y, z, w]))
            }
            _ => false,
        }
}

fn last_key_has_unit_length(curves: [&ScalarCurve; 4]) -> bool {
    let last = curves.map(|curve| curve.values().iter().last().unwrap_or(0.0));
    (DVec4::from_array(last).length() - 1.0).abs() < UNIT_TOLERANCE
}

/// Returns the w curve that makes the quaternion a unit quaternion at each key of x, y and z.
///
/// `forward` returns the direction of the bone at a time in seconds. The sign of w is chosen so
/// that the rotation of +Z is closer to that direction. If the direction is unknown or fits both
/// signs, w keeps the sign of the previous key. The first key then has the sign of the stored w.
///
/// Also returns the number of keys whose sign follows the bone.
pub(super) fn rebuild_w(
    [x, y, z, w]: [&ScalarCurve; 4],
    forward: impl Fn(f64) -> Option<DVec3>,
) -> (ScalarCurve, usize) {
    let mut guided_keys = 0;
    let mut sign = w.values().value_at(0).signum();
    let mut values = Vec::with_capacity(x.len());
    for (index, &time) in x.times().as_slice().iter().enumerate() {
        let imaginary = DVec3::from_array([x, y, z].map(|curve| curve.values().value_at(index)));
        let size = (1.0 - imaginary.length_squared()).max(0.0).sqrt();
        let guided = forward(time).and_then(|forward| sign_towards(imaginary, size, forward));
        guided_keys += usize::from(guided.is_some());
        sign = guided.unwrap_or(sign);
        values.push((sign * size) as f32);
    }
    let (before, after) = x.extrapolation();
    let curve = ScalarCurve::new(x.times().clone(), values, Shapes::Linear);
    (curve.with_extrapolation(before, after), guided_keys)
}

fn sign_towards(imaginary: DVec3, size: f64, forward: DVec3) -> Option<f64> {
    let fit = |w: f64| {
        let rotation = DQuat::from_vec4(imaginary.extend(w));
        (rotation.normalize() * DVec3::Z).dot(forward)
    };
    let difference = fit(size) - fit(-size);
    (difference.abs() > MIN_FIT_DIFFERENCE).then(|| difference.signum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::KeyTimes;

    fn curve(values: &[f32]) -> ScalarCurve {
        let times: Vec<_> = (0..values.len()).map(|index| index as f64).collect();
        ScalarCurve::new(KeyTimes::new(times).unwrap(), values, Shapes::Linear)
    }

    #[test]
    fn lost_w_is_recognised() {
        let quarter = curve(&[0.0, std::f32::consts::FRAC_1_SQRT_2]);
        let (three, two) = (curve(&[0.1, 0.2, 0.3]), curve(&[0.1, 0.2]));
        let cases = [
            ("w with its first key only", [&three, &three, &three, &curve(&[0.9])], true),
            ("w with z's value last", [&three, &three, &three, &curve(&[0.9, 0.3])], true),
            ("w with a last key of its own", [&three, &three, &three, &curve(&[0.9, 0.8])], false),
            ("an intact rotation", [&three, &three, &three, &three], false),
            ("two keys, z's value last", [&two, &two, &two, &two], true),
            (
                "a quarter turn about z",
                [&curve(&[0.0, 0.0]), &curve(&[0.0, 0.0]), &quarter, &quarter],
                false,
            ),
            (
                "one key each",
                [&curve(&[0.1]), &curve(&[0.1]), &curve(&[0.1]), &curve(&[0.9])],
                false,
            ),
            ("x, y, z with different times", [&three, &two, &three, &curve(&[0.9])], false),
            ("w only", [&curve(&[]), &curve(&[]), &curve(&[]), &two], false),
            ("no keys", [&curve(&[]), &curve(&[]), &curve(&[]), &curve(&[])], false),
        ];
        for (case, curves, lost) in cases {
            assert_eq!(is_w_lost(curves), lost, "{case}");
        }
    }

    #[test]
    fn sign_of_w_follows_the_bone_or_is_kept() {
        let rotation = DQuat::from_rotation_x(1.0);
        let other = DQuat::from_rotation_x(1.0 - std::f64::consts::TAU);
        let keys = [rotation, other];
        let component = |pick: fn(&DQuat) -> f64| curve(&keys.each_ref().map(|q| pick(q) as f32));
        let (x, y, z) = (component(|q| q.x), component(|q| q.y), component(|q| q.z));
        let stored = curve(&[0.5]);
        let (rebuilt, guided) = rebuild_w([&x, &y, &z, &stored], |_| Some(rotation * DVec3::Z));
        assert_eq!(guided, 2);
        let expected = keys.map(|q| q.w as f32);
        assert!((rebuilt.values().value_at(0) - f64::from(expected[0])).abs() < 1e-6);
        assert!((rebuilt.values().value_at(1) - f64::from(expected[1])).abs() < 1e-6);
        let (unguided, guided) = rebuild_w([&x, &y, &z, &stored], |_| None);
        assert_eq!(guided, 0);
        assert!(unguided.values().iter().all(|w| w > 0.0));
    }
}
