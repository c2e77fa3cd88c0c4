//! Infers the unit and the up axis of a BVH file, which the format does not state.

use glam::DVec3;

use super::{Joint, body::Body, codes, stated_unit::StatedUnit};
use crate::{
    clip::{Clip, UpAxis},
    diagnostics::{Code, Diagnostics, Severity, SourceLocation, format_number},
};

/// The smallest median bone length, in the file's unit, for which we assume centimetres. A person's
/// median bone is longer than 2 cm and shorter than 1 m, so a smaller number must be in metres.
const MIN_MEDIAN_BONE_IN_CM: f64 = 1.0;

/// The usual heights of a person in metres, from the feet joints to the top of the head. We assume
/// a common unit if the height in that unit is in this range. The range includes small children,
/// because their files must not get another unit than those of the adults beside them.
const PERSON_HEIGHTS_M: std::ops::RangeInclusive<f64> = 0.75..=2.3;

/// The heights, in metres, that a stated unit may lead to without a warning.
const BELIEVABLE_HEIGHTS_M: std::ops::RangeInclusive<f64> = 0.1..=10.0;

const REFERENCE_HEIGHT_M: f64 = 1.7;

/// The name of a unit, and its length in metres.
type Unit = (&'static str, f64);

const COMMON_UNITS: [Unit; 2] = [("centimetres", 0.01), ("metres", 1.0)];

/// The units of files whose height fits no common unit. The last unit is that of CMU's motion
/// capture data: an inch divided by 0.45.
const RARE_UNITS: [Unit; 4] = [
    ("millimetres", 0.001),
    ("inches", 0.0254),
    ("feet", 0.3048),
    ("units of 5.644 cm, as in CMU's collection", 0.0254 / 0.45),
];

/// Returns the metres per unit: the stated unit, or a unit that makes the body as tall as a person,
/// or a unit that suits the lengths of the bones. The pose has no influence, so that all recordings
/// of one skeleton get the same unit.
///
/// Reports the assumption. The report is a warning if the unit is rare or the body has an unusual
/// height.
pub(super) fn assume_unit(
    joints: &[Joint],
    body: Option<&Body>,
    stated: Option<&StatedUnit>,
    diagnostics: &mut Diagnostics,
) -> f64 {
    let height = body.map(|body| body.height(joints)).filter(|h| h.is_finite() && *h > 0.0);
    if let Some(&StatedUnit { line, metres }) = stated {
        report_stated_unit(line, metres, height, diagnostics);
        return metres;
    }
    let is_person = body.is_some_and(|body| body.is_person);
    let (code, message, metres) = match height {
        Some(height) if is_person => {
            let (unit, metres) = unit_from_height(height);
            let height_m = height * metres;
            let mut message =
                format!("{unit}: from foot to head it measures {height:.1}, or {height_m:.2} m");
            let is_common = COMMON_UNITS.iter().any(|(_, common)| *common == metres);
            let code = if is_common && PERSON_HEIGHTS_M.contains(&height_m) {
                codes::UNIT_ASSUMED
            } else {
                let others = COMMON_UNITS.iter().filter(|(_, other)| *other != metres);
                let others = others.map(|(name, other)| {
                    format!("{} m if the unit is {name}", format_number(height * other))
                });
                message += &format!(" ({})", others.collect::<Vec<_>>().join(", "));
                codes::UNIT_UNCERTAIN
            };
            (code, message, metres)
        }
        _ => {
            let (message, metres) = unit_from_bones(joints);
            (codes::UNIT_ASSUMED, message, metres)
        }
    };
    let height_m = height.filter(|_| is_person).map(|height| height * metres);
    report_unit(code, SourceLocation::File, message, metres, height_m, diagnostics);
    metres
}

fn report_stated_unit(line: u32, metres: f64, height: Option<f64>, diagnostics: &mut Diagnostics) {
    let location = SourceLocation::line(line);
    let rounded = (metres * 1e6).round() / 1e6;
    let mut message = format!("{rounded} m, as this line says");
    let height_m = height.map(|height| height * metres);
    let code = match height_m {
        Some(height_m) if !BELIEVABLE_HEIGHTS_M.contains(&height_m) => {
            let height_m = format_number(height_m);
            message += &format!(", although from foot to head it measures {height_m} m");
            codes::UNIT_UNCERTAIN
        }
        _ => codes::UNIT_ASSUMED,
    };
    report_unit(code, location, message, metres, height_m, diagnostics);
}

fn report_unit(
    code: Code,
    location: SourceLocation,
    assumption: String,
    metres: f64,
    height_m: Option<f64>,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("BVH has no unit; assuming {assumption}");
    let severity = if code == codes::UNIT_UNCERTAIN { Severity::Warning } else { Severity::Info };
    diagnostics
        .add(code, severity, location, message)
        .with("unit_m", metres)
        .with("height_m", height_m);
}

/// Returns the first common unit in which `height` is the height of a person. If there is no such
/// unit, returns the unit in which the height has the smallest ratio to [`REFERENCE_HEIGHT_M`].
fn unit_from_height(height: f64) -> Unit {
    let error = |(_, metres): &Unit| (height * metres / REFERENCE_HEIGHT_M).ln().abs();
    let usual =
        COMMON_UNITS.into_iter().find(|(_, metres)| PERSON_HEIGHTS_M.contains(&(height * metres)));
    usual.unwrap_or_else(|| {
        let all = COMMON_UNITS.into_iter().chain(RARE_UNITS);
        all.min_by(|a, b| error(a).total_cmp(&error(b))).expect("the list of units is not empty")
    })
}

fn unit_from_bones(joints: &[Joint]) -> (String, f64) {
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
    let [centimetres, metres] = COMMON_UNITS;
    let (unit, metres) = if median < MIN_MEDIAN_BONE_IN_CM { metres } else { centimetres };
    (format!("{unit}: half of the bones are {median:.3} long or longer"), metres)
}

/// An axis can be the up axis if the mean direction of the body has at least this component along
/// the axis. A body that lies down half of the time does not reach this limit.
const MIN_UPRIGHT_COMPONENT: f64 = 0.7;

/// The body stands along an axis at rest if its direction has at least this component along the
/// axis.
const MIN_UPRIGHT_COMPONENT_AT_REST: f64 = 0.9;

/// The usual heights of the root above the ground while a person stands or walks, as parts of the
/// height of the body. While a person lies or crawls, the root is lower.
const STANDING_ROOT_HEIGHTS: std::ops::RangeInclusive<f64> = 0.35..=0.75;

/// The part of all samples that makes a position of the root usual.
const USUAL_PART: f64 = 0.75;

/// Returns the up axis that the body suggests, otherwise Y. `clip` is in the file's own axes.
///
/// The body usually stands along the up axis on average. A person may lie or crawl all the time, so
/// the pose at rest decides unless the motion contradicts.
///
/// Reports the assumption if it is Z, or if it is Y but the body stands along another direction.
pub(super) fn assume_up_axis(
    clip: &Clip,
    joints: &[Joint],
    body: Option<&Body>,
    diagnostics: &mut Diagnostics,
) -> UpAxis {
    let Some(body) = body else { return UpAxis::Y };
    let mean = body.mean_direction(clip);
    let rest = body.rest_direction(joints);
    let stands_along_z = mean.z > MIN_UPRIGHT_COMPONENT
        && (rest.y < MIN_UPRIGHT_COMPONENT_AT_REST || !lies_on_xz_plane(clip, joints, body));
    if stands_along_z {
        let message = "BVH has no up axis; assuming Z: from feet to head it is +Z on average";
        diagnostics.info(codes::UP_AXIS_ASSUMED, SourceLocation::File, message);
        return UpAxis::Z;
    }
    if rest.z > MIN_UPRIGHT_COMPONENT_AT_REST && mean.y.abs() < MIN_UPRIGHT_COMPONENT {
        let message = "BVH has no up axis; assuming Z: from feet to head it is +Z at rest";
        diagnostics.info(codes::UP_AXIS_ASSUMED, SourceLocation::File, message);
        return UpAxis::Z;
    }
    let axes = [("+X", mean.x), ("−X", -mean.x), ("−Y", -mean.y), ("+Z", mean.z), ("−Z", -mean.z)];
    if let Some((axis, _)) = axes.into_iter().find(|(_, along)| *along > MIN_UPRIGHT_COMPONENT) {
        let message = format!(
            "BVH has no up axis; assuming Y, although from feet to head it is {axis} on average"
        );
        diagnostics
            .warning(codes::UP_AXIS_UNCERTAIN, SourceLocation::File, message)
            .with("found", axis);
    }
    UpAxis::Y
}

/// Returns `true` if the root usually is near the plane of X and Z, but not at the height of a
/// standing person's root along Z.
fn lies_on_xz_plane(clip: &Clip, joints: &[Joint], body: &Body) -> bool {
    let height = body.height(joints);
    let root = body.sample_root(joints, clip);
    let usually = |is_there: &dyn Fn(DVec3) -> bool| {
        let count = root.iter().filter(|root| is_there(**root / height)).count();
        count as f64 > USUAL_PART * root.len() as f64
    };
    let is_low = |root: DVec3| root.y > 0.0 && root.y < *STANDING_ROOT_HEIGHTS.start();
    usually(&is_low) && !usually(&|root| STANDING_ROOT_HEIGHTS.contains(&root.z))
}

#[cfg(test)]
mod tests {
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
        assume_unit(&joints, None, None, &mut Diagnostics::new())
    }

    #[test]
    fn without_a_body_the_unit_is_guessed_from_the_median_bone() {
        // A person's legs, spine, arms and some fingers. The first length is the root's offset,
        // which must not affect the median.
        let body = [90.0, 10.0, 42.0, 40.0, 15.0, 12.0, 20.0, 28.0, 25.0, 8.0, 3.0, 2.2];
        assert_eq!(unit_of(&body), 0.01);
        assert_eq!(unit_of(&body.map(|length| length / 100.0)), 1.0);
        // Only fingers.
        assert_eq!(unit_of(&[0.0, 4.5, 2.6, 2.1, 1.9]), 0.01);
        assert_eq!(unit_of(&[0.0, 0.045, 0.026, 0.021, 0.019]), 1.0);
        // No bones: the unit defaults to the centimetre.
        assert_eq!(unit_of(&[93.0]), 0.01);
        assert_eq!(unit_of(&[0.0, f64::NAN, 0.0]), 0.01);
    }

    #[test]
    fn unit_makes_a_body_as_tall_as_a_person() {
        let unit = |height| unit_from_height(height).1;
        assert_eq!([unit(172.0), unit(95.0), unit(229.0)], [0.01; 3]);
        assert_eq!([unit(1.72), unit(0.95)], [1.0; 2]);
        // A small child, whose height in inches would be that of a tall adult.
        assert_eq!([unit(78.0), unit(0.78)], [0.01, 1.0]);
        // CMU's collection after its conversion to BVH.
        assert_eq!(unit(30.1), 0.0254 / 0.45);
        assert_eq!([unit(1750.0), unit(68.0), unit(5.8)], [0.001, 0.0254, 0.3048]);
    }
}
