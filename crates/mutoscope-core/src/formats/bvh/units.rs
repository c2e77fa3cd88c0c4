//! The unit of a BVH file, which none states.

use super::Joint;
use crate::diagnostics::{Notices, SourceLocation};

/// Bones as long as this, in the file's unit, are taken to be in centimetres. Half of a person's
/// bones are longer than 2 cm and shorter than 1 m.
const CENTIMETRES_FROM: f64 = 1.0;

/// The length of the file's unit in metres: a metre where half of the bones are shorter than one
/// unit, else a centimetre. Reports the assumption.
pub(super) fn assumed(joints: &[Joint], notices: &mut Notices) -> f64 {
    let children = joints.iter().filter(|joint| joint.parent.is_some());
    let mut lengths: Vec<f64> = children
        .map(|joint| joint.offset.length())
        .filter(|length| length.is_finite() && *length > 0.0)
        .collect();
    let middle = lengths.len() / 2;
    let Some((_, &mut median, _)) =
        (middle < lengths.len()).then(|| lengths.select_nth_unstable_by(middle, f64::total_cmp))
    else {
        notices.info(SourceLocation::File, "BVH has no unit; assuming centimetres");
        return 0.01;
    };
    let (unit, metres) =
        if median < CENTIMETRES_FROM { ("metres", 1.0) } else { ("centimetres", 0.01) };
    let message = format!(
        "BVH has no unit; assuming {unit}: half of the bones are {median:.3} long or longer"
    );
    notices.info(SourceLocation::File, message);
    metres
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn unit_of(lengths: &[f64]) -> f64 {
        let joint = |(index, length): (usize, &f64)| Joint {
            name: String::new(),
            parent: index.checked_sub(1),
            is_end: false,
            offset: DVec3::X * *length,
            line: 1,
        };
        let joints: Vec<_> = lengths.iter().enumerate().map(joint).collect();
        assumed(&joints, &mut Notices::new())
    }

    #[test]
    fn unit_is_guessed_from_the_median_bone() {
        // A person's legs, spine, arms and some fingers; the root's offset does not count.
        let body = [90.0, 10.0, 42.0, 40.0, 15.0, 12.0, 20.0, 28.0, 25.0, 8.0, 3.0, 2.2];
        assert_eq!(unit_of(&body), 0.01);
        assert_eq!(unit_of(&body.map(|length| length / 100.0)), 1.0);
        // Fingers alone.
        assert_eq!(unit_of(&[0.0, 4.5, 2.6, 2.1, 1.9]), 0.01);
        assert_eq!(unit_of(&[0.0, 0.045, 0.026, 0.021, 0.019]), 1.0);
        // Nothing to tell by.
        assert_eq!(unit_of(&[93.0]), 0.01);
        assert_eq!(unit_of(&[0.0, f64::NAN, 0.0]), 0.01);
    }
}
