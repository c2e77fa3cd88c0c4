//! Checks of hands.

use std::f64::consts::PI;

use glam::DVec3;
use mutoscope_core::{clip::NodeId, diagnostics::Severity};

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::hand as codes,
    moment::{Moment, RECENT_S, visible_position},
    sample_values::SampleValues,
    scene::Scene,
    subject::Hand,
};

/// The window in which jitter is measured, in seconds.
const JITTER_WINDOW_S: f64 = 0.4;
/// A hand that is faster does not rest, in metres per second.
const MAX_RESTING_SPEED_MPS: f64 = 0.1;
const MIN_JITTER_SAMPLES: usize = 8;

/// Both hands together move at least this far when they exchange places, in metres.
const MIN_EXCHANGE_M: f64 = 0.1;
/// The largest distance of the exchanged hands from the places of the other hand, relative to the
/// distance that both hands move.
const MAX_EXCHANGE_SHARE: f64 = 0.3;

/// The longest loss that is a moment, in seconds.
const MAX_SHORT_LOSS_S: f64 = 0.25;

/// The ranges of the middle and the outer joint of a finger, in radians. 0 is straight, and bending
/// towards the palm is positive.
const JOINT_RANGES: [(f64, f64); 2] = [(-PI / 18.0, 2.0 * PI / 3.0), (-PI / 6.0, 5.0 * PI / 9.0)];

pub(super) static CHECKS: [MotionCheck; 9] = [
    MotionCheck {
        code: codes::BONE_LENGTH,
        severity: Severity::Warning,
        need: Need::HandBones,
        measured: Some(Measured::above("relative deviation", "1", 0.5)),
        min_duration_s: 0.0,
        problem: "a bone changes its length",
        definition: "max over bones of \\|l / median(l) − 1\\|",
        source: "Hand tracking of headsets places each joint anew. On a clean recording the length of the outermost bone varies by up to 38 %.",
        find: Find::Frame(find_bone_lengths),
    },
    MotionCheck {
        code: codes::SWAPPED,
        severity: Severity::Error,
        need: Need::BothHands,
        measured: None,
        min_duration_s: 0.0,
        problem: "the hands exchange places",
        definition: "Between two samples both wrists together move at least 0.1 m, and each ends where the other was: the sum of both distances is below 0.3 of the way.",
        source: "–",
        find: Find::Frame(find_exchanges),
    },
    MotionCheck {
        code: codes::JUMP,
        severity: Severity::Warning,
        need: Need::Hand,
        measured: Some(Measured::above("speed", "m/s", 12.0)),
        min_duration_s: 0.0,
        problem: "the wrist moves faster than a person can",
        definition: "\\|p(t) − p(t − Δt)\\| / Δt of the wrist, between samples at which it is tracked",
        source: "A punch of a boxer reaches about 10 m/s.",
        find: Find::Frame(find_jumps),
    },
    MotionCheck {
        code: codes::FROZEN,
        severity: Severity::Warning,
        need: Need::TrackedHand,
        measured: Some(Measured::duration(0.5)),
        min_duration_s: 0.0,
        problem: "the tracked hand does not change at all",
        definition: "the time in which the positions of all joints stay exactly the same",
        source: "Measured hands change with every sample, because sensors are noisy. The check of standstills waits as long.",
        find: Find::Frame(find_frozen),
    },
    MotionCheck {
        code: codes::JITTER,
        severity: Severity::Warning,
        need: Need::Hand,
        measured: Some(Measured::above("RMS", "m", 0.004)),
        min_duration_s: 0.1,
        problem: "the resting hand trembles",
        definition: "the RMS over 0.4 s of the distance of the wrist from the line between the samples on either side, divided by √(1 + w² + (1 − w)²), where w is the share of the interval before it. For white noise, this is its standard deviation. The hand rests: its mean speed is at most 0.1 m/s plus three standard errors",
        source: "Physiological tremor is below 1 mm, and headsets track a resting hand to 1 to 3 mm.",
        find: Find::Frame(find_jitter),
    },
    MotionCheck {
        code: codes::JOINT_LIMIT,
        severity: Severity::Warning,
        need: Need::Fingers,
        measured: Some(Measured::above("angle beyond the limit", "rad", 0.35)),
        min_duration_s: 0.1,
        problem: "a finger bends where it cannot",
        definition: "the angle of the middle joint outside of −10° to 120°, or of the outer joint outside of −30° to 100°, about the axis from the index knuckle to the little knuckle",
        source: "The ranges of the American Academy of Orthopaedic Surgeons with 20° for lax joints. The threshold allows for the error of tracking.",
        find: Find::Frame(find_joint_limits),
    },
    MotionCheck {
        code: codes::ORIENTATION,
        severity: Severity::Warning,
        need: Need::OrientedHand,
        measured: Some(Measured::above("angle", "rad", 0.5)),
        min_duration_s: 0.0,
        problem: "the rotation disagrees with the bones of the hand",
        definition: "the angle between the axes of the hand's bones (from the wrist to the middle of the index and the little knuckle, and from the little to the index knuckle) and their usual rotation relative to the wrist or the palm. The usual rotation is the one at the reference time that is nearest to all others, so that the axes of a device do not matter",
        source: "On a recording of a headset, the largest angle is 0.02 rad. A wrong hand, axis or frame differs by a right angle or more.",
        find: Find::Frame(find_disagreeing_rotations),
    },
    MotionCheck {
        code: codes::FLICKER,
        severity: Severity::Warning,
        need: Need::TrackedHand,
        measured: Some(Measured::above("rate", "1/s", 1.0)),
        min_duration_s: 0.0,
        problem: "tracking is lost and found again repeatedly",
        definition: "the number of losses of at most 0.25 s within the last 2 s, divided by 2 s",
        source: "One short loss is common. Three within 2 s split a movement.",
        find: Find::Frame(find_flicker),
    },
    MotionCheck {
        code: codes::TOGETHER,
        severity: Severity::Warning,
        need: Need::BothHands,
        measured: Some(Measured::below("distance", "m", 0.02)),
        min_duration_s: 0.1,
        problem: "both wrists are at one place",
        definition: "\\|p_left − p_right\\| of the wrists, while both are tracked",
        source: "The wrists of folded hands are at least the thickness of a wrist apart, which is 4 cm.",
        find: Find::Frame(find_hands_together),
    },
];

fn hands<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = (usize, &'s Hand)> {
    scene.hands.iter().enumerate().filter_map(|(index, hand)| Some((index, hand.as_ref()?)))
}

fn both_wrists<'s>(scene: &'s Scene<'_>) -> Option<[&'s Hand; 2]> {
    Some([scene.hands[0].as_ref()?, scene.hands[1].as_ref()?])
}

fn find_bone_lengths(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    for (index, hand) in hands(scene) {
        let deviations =
            hand.bones.iter().filter_map(|bone| Some((bone.deviation(moment.pose)?, bone)));
        if let Some((value, bone)) = deviations.max_by(|a, b| a.0.total_cmp(&b.0)) {
            values.add(index, moment, value, &[bone.to, bone.from]);
        }
    }
}

fn find_exchanges(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some([right, left]) = both_wrists(scene) else { return };
    let steps = moment.step(right.wrist).zip(moment.step(left.wrist));
    if steps.is_some_and(|(right, left)| is_exchange(right, left, MIN_EXCHANGE_M)) {
        values.add(0, moment, 0.0, &[right.wrist, left.wrist]);
    }
}

/// Returns `true` if two points exchange places, and together move at least `min_distance`.
pub(super) fn is_exchange(one: [DVec3; 2], other: [DVec3; 2], min_distance: f64) -> bool {
    let moved = one[0].distance(one[1]) + other[0].distance(other[1]);
    let missed = one[1].distance(other[0]) + other[1].distance(one[0]);
    moved >= min_distance && missed < MAX_EXCHANGE_SHARE * moved
}

fn find_jumps(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    for (index, hand) in hands(scene) {
        if let Some(speed) = moment.speed(hand.wrist) {
            values.add(index, moment, speed, &[hand.wrist]);
        }
    }
}

fn find_frozen(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    for (index, hand) in hands(scene) {
        let is_unchanged = |id| moment.step(id).is_some_and(|[from, to]| from == to);
        if moment.elapsed_s > 0.0 && hand.joints.iter().all(|id| is_unchanged(*id)) {
            values.add(index, moment, 0.0, &[hand.wrist]);
        }
    }
}

fn find_jitter(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let mut points = Vec::with_capacity(moment.recent.len());
    'hands: for (index, hand) in hands(scene) {
        points.clear();
        for sample in moment.recent.iter().rev() {
            if moment.time - sample.time > JITTER_WINDOW_S {
                break;
            }
            let Some(wrist) = sample.wrists[index] else { continue 'hands };
            points.push((sample.time, wrist));
        }
        if let Some(jitter) = resting_jitter(&points) {
            values.add(index, moment, jitter, &[hand.wrist]);
        }
    }
}

/// Returns the RMS jitter of points at these times, latest first. `None` if they are too few or do
/// not rest.
fn resting_jitter(points: &[(f64, DVec3)]) -> Option<f64> {
    let count = points.len() as f64;
    if points.len() < MIN_JITTER_SAMPLES {
        return None;
    }
    let squares = points.windows(3).map(|three| {
        let [(t0, p0), (t1, p1), (t2, p2)] = [three[0], three[1], three[2]];
        let share = (t1 - t0) / (t2 - t0);
        // If each point has the variance σ², this difference has (1 + share² + (1 − share)²) σ².
        let factor = 1.0 + share * share + (1.0 - share) * (1.0 - share);
        (p1 - p0.lerp(p2, share)).length_squared() / factor
    });
    let jitter = (squares.sum::<f64>() / (count - 2.0)).sqrt();
    let duration = points[0].0 - points[points.len() - 1].0;
    let half = points.len() / 2;
    let mean = |points: &[(f64, DVec3)]| {
        points.iter().map(|point| point.1).sum::<DVec3>() / points.len() as f64
    };
    let speed = mean(&points[..half]).distance(mean(&points[half..])) / (duration / 2.0);
    // The difference of both means has the standard error 2 σ / √n.
    let allowance = 3.0 * 2.0 * jitter / count.sqrt() / (duration / 2.0);
    (speed <= MAX_RESTING_SPEED_MPS + allowance).then_some(jitter)
}

fn find_joint_limits(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    for (index, hand) in hands(scene) {
        let Some([index_knuckle, little_knuckle]) = hand.knuckles else { continue };
        let across = moment.position(index_knuckle).zip(moment.position(little_knuckle));
        // The fingers of a right hand bend about the axis from the little to the index finger, and
        // those of a left hand about the opposite axis.
        let sign = if index == 0 { 1.0 } else { -1.0 };
        let axis = across.and_then(|(from, to)| (sign * (from - to)).try_normalize());
        let Some(axis) = axis else { continue };
        let mut worst: Option<(f64, _)> = None;
        for finger in &hand.fingers {
            let Some(positions) = all_positions(moment, finger) else { continue };
            for (joint, (low, high)) in JOINT_RANGES.into_iter().enumerate() {
                let before = positions[joint + 1] - positions[joint];
                let after = positions[joint + 2] - positions[joint + 1];
                let angle = before.cross(after).dot(axis).atan2(before.dot(after));
                let beyond = (low - angle).max(angle - high);
                if worst.is_none_or(|(most, _)| beyond > most) {
                    worst = Some((beyond, finger[joint + 1]));
                }
            }
        }
        if let Some((beyond, node)) = worst {
            values.add(index, moment, beyond, &[node]);
        }
    }
}

fn all_positions(moment: &Moment<'_>, nodes: &[NodeId; 4]) -> Option<[DVec3; 4]> {
    let [knuckle, middle, distal, tip] = nodes.map(|node| moment.position(node));
    Some([knuckle?, middle?, distal?, tip?])
}

fn find_disagreeing_rotations(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    for (index, hand) in hands(scene) {
        let angles = hand.oriented.iter().filter_map(|joint| {
            joint.deviation(hand, moment.pose).map(|angle| (angle, joint.node))
        });
        if let Some((angle, node)) = angles.max_by(|a, b| a.0.total_cmp(&b.0)) {
            values.add(index, moment, angle, &[node]);
        }
    }
}

fn find_flicker(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    for (index, hand) in hands(scene).filter(|(_, hand)| hand.has_tracking) {
        // The number of losses rises only when tracking returns.
        let was_lost = visible_position(moment.previous, hand.wrist).is_none();
        if !was_lost || moment.position(hand.wrist).is_none() {
            continue;
        }
        let mut lost_since: Option<f64> = None;
        let mut last_tracked = None;
        let mut losses = 0;
        for sample in moment.recent {
            if sample.wrists[index].is_none() {
                // A loss before the first tracked sample of the window may have begun earlier.
                lost_since = lost_since.or(last_tracked);
                continue;
            }
            let is_short = |since: f64| sample.time - since <= MAX_SHORT_LOSS_S;
            losses += usize::from(lost_since.take().is_some_and(is_short));
            last_tracked = Some(sample.time);
        }
        values.add(index, moment, losses as f64 / RECENT_S, &[hand.wrist]);
    }
}

fn find_hands_together(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some([right, left]) = both_wrists(scene) else { return };
    if let Some((one, other)) = moment.position(right.wrist).zip(moment.position(left.wrist)) {
        values.add(0, moment, one.distance(other), &[right.wrist, left.wrist]);
    }
}
