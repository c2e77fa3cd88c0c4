//! The unit and the up axis of a BVH file, which none states.

use super::{Joint, body::Body};
use crate::{
    clip::{Clip, Up},
    diagnostics::{Notices, SourceLocation},
};

/// Bones as long as this, in the file's unit, are taken to be in centimetres. Half of a person's
/// bones are longer than 2 cm and shorter than 1 m.
const CENTIMETRES_FROM: f64 = 1.0;

/// The heights of people, in metres, for which the usual units are not doubted.
const PEOPLE: std::ops::RangeInclusive<f64> = 0.9..=2.3;

/// The height of a person, in metres, that the rarer units are judged by.
const PERSON: f64 = 1.7;

/// A unit, by its name, with its length in metres.
type Unit = (&'static str, f64);

/// The units that nearly all files are in.
const USUAL: [Unit; 2] = [("centimetres", 0.01), ("metres", 1.0)];

/// The units that are found otherwise: the last is that of CMU's motion capture, an inch divided by 0.45.
const RARE: [Unit; 4] = [
    ("millimetres", 0.001),
    ("inches", 0.0254),
    ("feet", 0.3048),
    ("units of 5.644 cm, as in CMU's collection", 0.0254 / 0.45),
];

/// The length of the file's unit in metres: the unit in which the body is as tall as a person. Without a body a
/// metre where half of the bones are shorter than one unit, else a centimetre. Reports the assumption.
pub(super) fn assumed(joints: &[Joint], body: Option<&Body>, notices: &mut Notices) -> f64 {
    let height = body.map(|body| body.height(joints)).filter(|h| h.is_finite() && *h > 0.0);
    let (message, metres) = match height {
        Some(height) => {
            let (unit, metres) = of_height(height);
            let tall = height * metres;
            (format!("{unit}: from foot to head it measures {height:.1}, or {tall:.2} m"), metres)
        }
        None => of_bones(joints),
    };
    notices.info(SourceLocation::File, format!("BVH has no unit; assuming {message}"));
    metres
}

/// The unit in which a body of this height is as tall as a person.
fn of_height(height: f64) -> Unit {
    let misfit = |(_, metres): &Unit| (height * metres / PERSON).ln().abs();
    let usual = USUAL.into_iter().find(|(_, metres)| PEOPLE.contains(&(height * metres)));
    usual.unwrap_or_else(|| {
        let all = USUAL.into_iter().chain(RARE);
        all.min_by(|a, b| misfit(a).total_cmp(&misfit(b))).expect("there are units")
    })
}

/// The unit by the lengths of the bones, with the reason.
fn of_bones(joints: &[Joint]) -> (String, f64) {
    let children = joints.iter().filter(|joint| joint.parent.is_some());
    let mut lengths: Vec<f64> = children
        .map(|joint| joint.offset.length())
        .filter(|length| length.is_finite() && *length > 0.0)
        .collect();
    let middle = lengths.len() / 2;
    let Some((_, &mut median, _)) =
        (middle < lengths.len()).then(|| lengths.select_nth_unstable_by(middle, f64::total_cmp))
    else {
        return ("centimetres".to_owned(), 0.01);
    };
    let [centimetres, metres] = USUAL;
    let (unit, metres) = if median < CENTIMETRES_FROM { metres } else { centimetres };
    (format!("{unit}: half of the bones are {median:.3} long or longer"), metres)
}

/// How far the mean direction of a body must go along an axis for that to be up: a body that lies half of the time
/// does not.
const UPRIGHT: f64 = 0.7;

/// The up axis: along which the body stands on average, else Y. `clip` is in the file's own axes. Reports what is
/// not as usual.
pub(super) fn up(clip: &Clip, body: Option<&Body>, notices: &mut Notices) -> Up {
    let Some(mean) = body.map(|body| body.mean_direction(clip)) else { return Up::Y };
    let axes = [("+X", mean.x), ("−X", -mean.x), ("−Y", -mean.y), ("−Z", -mean.z)];
    if mean.z > UPRIGHT {
        let message = "BVH has no up axis; assuming Z: from feet to head it is +Z on average";
        notices.info(SourceLocation::File, message);
        return Up::Z;
    }
    if let Some((axis, _)) = axes.into_iter().find(|(_, along)| *along > UPRIGHT) {
        let message = format!(
            "BVH has no up axis; assuming Y, although from feet to head it is {axis} on average"
        );
        notices.warning(SourceLocation::File, message);
    }
    Up::Y
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
        assumed(&joints, None, &mut Notices::new())
    }

    #[test]
    fn without_a_body_the_unit_is_guessed_from_the_median_bone() {
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

    #[test]
    fn unit_makes_a_body_as_tall_as_a_person() {
        let unit = |height| of_height(height).1;
        assert_eq!([unit(172.0), unit(95.0), unit(229.0)], [0.01; 3]);
        assert_eq!([unit(1.72), unit(0.95)], [1.0; 2]);
        // CMU's collection as it is converted to BVH.
        assert_eq!(unit(30.1), 0.0254 / 0.45);
        assert_eq!([unit(1750.0), unit(68.0), unit(5.8)], [0.001, 0.0254, 0.3048]);
    }
}
