//! Checks of poses as a whole: hands of the other side, and positions that are too far.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, Handedness, Hint, NodeId, Origin, Transform},
    diagnostics::{Notices, SourceLocation},
};

use super::{Space, nodes::joint_name};

/// Positions beyond this many metres may be in another unit.
const FAR: f64 = 50.0;

/// The times at which poses are looked at.
const SAMPLES: usize = 512;

/// Tips nearer to the plane of the palm than this say nothing, in metres.
const BEND: f64 = 0.004;

pub(super) fn report(clip: &Clip, space: &Space, notices: &mut Notices) {
    report_unit(clip, notices);
    report_sides(clip, space, notices);
}

fn report_unit(clip: &Clip, notices: &mut Notices) {
    if clip.convention.metres_per_unit.origin != Origin::Assumed {
        return;
    }
    let mut farthest: f64 = 0.0;
    for track in &clip.tracks {
        if track.property.starts_with("position.") {
            for curve in track.curve.components() {
                farthest = curve.values().iter().fold(farthest, |far, it| far.max(it.abs()));
            }
        }
    }
    if farthest > FAR {
        let message = format!(
            "nothing states the unit, and positions reach {farthest}: they may be millimetres or \
             centimetres; using metres. A mapping file sets it: [space] unit"
        );
        notices.warning(SourceLocation::File, message);
    }
}

/// Reports hands whose tips bend to the back of the hand: they are of the other side.
fn report_sides(clip: &Clip, space: &Space, notices: &mut Notices) {
    let mut wrong = Vec::new();
    for (side, sign) in [("left", -1.0), ("right", 1.0)] {
        if bend(clip, side).is_some_and(|bend| bend * sign < 0.0) {
            wrong.push(side);
        }
    }
    if wrong.is_empty() {
        return;
    }
    let remedy = match space.axes.value.handedness() {
        Handedness::Right => "the axes may be left-handed",
        Handedness::Left => "the axes may be right-handed",
    };
    let message = format!(
        "the joints named {} form a hand of the other side: they mirror one, or {remedy}; nothing \
         is converted. A mapping file sets the axes: [space] axes",
        wrong.join(" and ")
    );
    notices.warning(SourceLocation::File, message);
}

/// How far the tips of a hand are from the plane of its palm, in metres, on the side of a right hand's
/// palm if it is positive.
fn bend(clip: &Clip, side: &str) -> Option<f64> {
    let id = |joint: usize| {
        let name = format!("{side}/{}", joint_name(joint));
        clip.nodes.iter().position(|node| node.name == name).map(NodeId::new)
    };
    const WRIST: usize = 0;
    const KNUCKLES: [usize; 3] = [7, 12, 22];
    const FINGERS: [(usize, usize); 4] = [(8, 10), (13, 15), (18, 20), (23, 25)];
    let (wrist, [index, _, pinky]) = (id(WRIST)?, KNUCKLES.map(id));
    let (index, pinky) = (index?, pinky?);
    let tips: Vec<_> = FINGERS.iter().filter_map(|(_, tip)| id(*tip)).collect();
    let times = clip.nodes[wrist].motion.tracks();
    let times = clip.track(*times.first()?).curve.key_times();
    let step = times.len().div_ceil(SAMPLES).max(1);
    let (mut sum, mut count) = (0.0, 0);
    for time in times.iter().step_by(step) {
        let at = |id: NodeId| {
            let (Transform { translation, .. }, shown) =
                clip.sample_node(id, *time, &mut [Hint::default(); 2]);
            shown.then_some(translation)
        };
        let (Some(wrist), Some(index), Some(pinky)) = (at(wrist), at(index), at(pinky)) else {
            continue;
        };
        let middle = (index + pinky) / 2.0;
        let out = (index - pinky).cross(middle - wrist).normalize_or(DVec3::ZERO);
        for tip in tips.iter().filter_map(|tip| at(*tip)) {
            let distance = (tip - middle).dot(out);
            if distance.abs() > BEND {
                sum += distance;
                count += 1;
            }
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}
