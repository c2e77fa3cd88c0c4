//! Checks that the poses as a whole are plausible: the unit of positions, the speeds of heads and
//! hands, and the side of each hand.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, FactOrigin, Handedness, Hint, NodeId, Transform, Unit},
    diagnostics::{Diagnostics, SourceLocation},
};

use super::Space;
use crate::{codes, names::HandJoint};

/// The largest plausible distance of a position from the origin. Positions farther away are
/// probably in another unit.
const MAX_PLAUSIBLE_POSITION_M: f64 = 50.0;

/// The largest plausible median speed of a head or a hand. A person throws a ball at 45 m/s.
const MAX_PLAUSIBLE_SPEED_M_S: f64 = 50.0;

const MAX_SAMPLES: usize = 512;

/// The smallest distance of the fingertips from the plane of the palm that shows which way the hand
/// bends.
const MIN_TIP_DISTANCE_M: f64 = 0.004;

/// Poses that are not plausible.
#[derive(Clone, Debug, Default)]
pub(super) struct ImplausiblePoses {
    /// The largest coordinate, if it is implausible in metres and nothing states the unit.
    pub(super) reach: Option<f64>,
    /// The sides of the hands that have the shape of the other hand.
    pub(super) mirrored_hands: Vec<&'static str>,
}

pub(super) fn check_poses(
    clip: &Clip,
    space: &Space,
    is_unit_documented: bool,
    diagnostics: &mut Diagnostics,
) -> ImplausiblePoses {
    let reach = if is_unit_documented { None } else { check_unit(clip, diagnostics) };
    if !is_unit_documented {
        check_speeds(clip, space, diagnostics);
    }
    ImplausiblePoses { reach, mirrored_hands: check_hand_sides(clip, space, diagnostics) }
}

fn check_unit(clip: &Clip, diagnostics: &mut Diagnostics) -> Option<f64> {
    let unit = clip.convention.metres_per_unit;
    // Any other assumption than metres was derived from the positions.
    if unit.origin != FactOrigin::Assumed || unit.value != 1.0 {
        return None;
    }
    let mut farthest: f64 = 0.0;
    for track in &clip.tracks {
        if track.property.starts_with("position.") && track.unit == Unit::Metres {
            for curve in track.curve.components() {
                farthest = curve.values().iter().fold(farthest, |far, it| far.max(it.abs()));
            }
        }
    }
    let is_implausible = farthest > MAX_PLAUSIBLE_POSITION_M;
    if is_implausible {
        let message = format!(
            "nothing states the unit, and positions reach {farthest}: they may be in millimetres or \
             centimetres; using metres. Set [space] unit in a mapping file"
        );
        diagnostics
            .warning(codes::table::IMPLAUSIBLE_UNIT, SourceLocation::File, message)
            .with("distance_m", farthest);
    }
    is_implausible.then_some(farthest)
}

/// Reports heads and hands that move faster than a person in most of their steps.
fn check_speeds(clip: &Clip, space: &Space, diagnostics: &mut Diagnostics) {
    let is_of_person = |name: &str| {
        name.split('/').next_back() == Some("head")
            || name.split('/').any(|part| matches!(part, "left" | "right"))
    };
    let nodes = clip.nodes.iter().enumerate().filter(|(_, node)| is_of_person(&node.name));
    let speeds = nodes.filter_map(|(index, node)| {
        let speed = median_speed(clip, NodeId::new(index))? * space.metres_per_unit.value;
        (speed > MAX_PLAUSIBLE_SPEED_M_S).then_some((&node.name, speed))
    });
    if let Some((name, speed)) = speeds.max_by(|one, other| one.1.total_cmp(&other.1)) {
        let message = format!(
            "{name:?} moves at {speed:.0} m/s in most steps, faster than a person can: the unit of \
             positions or of times may be wrong. Set [space] unit or [time] unit in a mapping file"
        );
        diagnostics
            .warning(codes::table::IMPLAUSIBLE_UNIT, SourceLocation::File, message)
            .with("name", name.as_str())
            .with("speed_m_s", speed);
    }
}

/// Returns the median speed between two keys, in units per second. `None` if there are no two keys
/// with a pose.
fn median_speed(clip: &Clip, node: NodeId) -> Option<f64> {
    let track = *clip.nodes[node].motion.tracks().first()?;
    let times = clip.track(track).curve.key_times();
    let step = times.len().div_ceil(MAX_SAMPLES).max(1);
    let position_at = |time: f64| {
        let (Transform { translation, .. }, shown) =
            clip.sample_node(node, time, &mut [Hint::default(); 2]);
        shown.then_some(translation)
    };
    let speed = |pair: &[f64]| {
        let distance = position_at(pair[0])?.distance(position_at(pair[1])?);
        (pair[1] > pair[0]).then(|| distance / (pair[1] - pair[0]))
    };
    let mut speeds: Vec<f64> = times.windows(2).step_by(step).filter_map(speed).collect();
    crate::median(&mut speeds)
}

/// Reports hands whose fingertips bend towards the back of the hand, because such a hand is
/// mirrored.
fn check_hand_sides(
    clip: &Clip,
    space: &Space,
    diagnostics: &mut Diagnostics,
) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    for (side, sign) in [("left", -1.0), ("right", 1.0)] {
        if mean_tip_distance(clip, side).is_some_and(|bend| bend * sign < 0.0) {
            wrong.push(side);
        }
    }
    if wrong.is_empty() {
        return wrong;
    }
    let remedy = match space.axes.value.handedness() {
        Handedness::Right => "the axes may be left-handed",
        Handedness::Left => "the axes may be right-handed",
    };
    let message = format!(
        "the joints named {} have the shape of the other hand: they are mirrored, or {remedy}; nothing \
         is converted. Set [space] axes in a mapping file",
        wrong.join(" and ")
    );
    diagnostics.warning(codes::table::MIRRORED_HAND, SourceLocation::File, message);
    wrong
}

/// Returns the mean distance of the fingertips from the plane of the palm, in metres. The distance
/// is positive on the palm side of a right hand. Returns `None` if joints are missing, or if the
/// fingers are straight throughout.
fn mean_tip_distance(clip: &Clip, side: &str) -> Option<f64> {
    let id = |joint: usize| {
        let name = format!("{side}/{}", HandJoint(joint).name());
        clip.nodes.iter().position(|node| node.name == name).map(NodeId::new)
    };
    const WRIST: usize = 0;
    const KNUCKLES: [usize; 3] = [7, 12, 22];
    const TIPS: [usize; 4] = [10, 15, 20, 25];
    let (wrist, [index, _, pinky]) = (id(WRIST)?, KNUCKLES.map(id));
    let (index, pinky) = (index?, pinky?);
    let is_relative = clip.nodes[index].parent == Some(wrist);
    let tips: Vec<_> = TIPS.iter().filter_map(|tip| id(*tip)).collect();
    let times = clip.nodes[wrist].motion.tracks();
    let times = clip.track(*times.first()?).curve.key_times();
    let step = times.len().div_ceil(MAX_SAMPLES).max(1);
    let (mut sum, mut count) = (0.0, 0);
    for time in times.iter().step_by(step) {
        let position_of = |id: NodeId| {
            let (Transform { translation, .. }, shown) =
                clip.sample_node(id, *time, &mut [Hint::default(); 2]);
            shown.then_some(translation)
        };
        let (Some(mut wrist), Some(index), Some(pinky)) =
            (position_of(wrist), position_of(index), position_of(pinky))
        else {
            continue;
        };
        if is_relative {
            wrist = DVec3::ZERO;
        }
        let middle = (index + pinky) / 2.0;
        let out = (index - pinky).cross(middle - wrist).normalize_or(DVec3::ZERO);
        for tip in tips.iter().filter_map(|tip| position_of(*tip)) {
            let distance = (tip - middle).dot(out);
            if distance.abs() > MIN_TIP_DISTANCE_M {
                sum += distance;
                count += 1;
            }
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}
