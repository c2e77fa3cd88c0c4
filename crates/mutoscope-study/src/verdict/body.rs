//! Checks of bodies.

use glam::DVec3;
use mutoscope_core::{
    clip::{NodeId, Pose},
    diagnostics::Severity,
};

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::body as codes,
    findings::Findings,
    moment::{Moment, visible_position},
    sample_values::SampleValues,
    scene::Scene,
    subject::{Arm, Body, Foot},
};
use crate::{body::to_ground_plane, options::StudyOptions};

/// Turns over a longer time are not from sample to sample, in seconds.
const MAX_FLIP_INTERVAL_S: f64 = 0.1;

/// The window in which the slide of a foot is measured, in seconds.
const CONTACT_WINDOW_S: f64 = 0.2;
/// The share of the window that samples must cover.
const MIN_WINDOW_SHARE: f64 = 0.75;
/// A foot that rises or sinks more within the window is not planted, in metres.
const MAX_CONTACT_RANGE_M: f64 = 0.01;

/// A body floats if its lower foot and its root are this far above their usual heights, in metres.
const MIN_FLOAT_M: f64 = 0.05;

/// The number of times at which the extent of a loop is measured.
const LOOP_SAMPLES: usize = 64;
/// A recording whose gap is larger, relative to the largest motion of a joint, is no loop.
const MAX_LOOP_GAP_SHARE: f64 = 0.25;
/// The interval between two samples if the recording states no rate, in seconds.
const DEFAULT_STEP_S: f64 = 1.0 / 30.0;

/// The arms of a T-pose point away from each other and are level, both within 20°.
const MAX_T_POSE_ANGLE: f64 = std::f64::consts::PI / 9.0;
/// A person cannot leave a T-pose over a longer time as if by a jump, in seconds.
const MAX_T_POSE_INTERVAL_S: f64 = 0.1;

/// A body is mirrored if the cosine of the angle between both directions of facing is below this.
const MAX_FACING_COSINE: f64 = -0.5;

pub(super) static CHECKS: [MotionCheck; 9] = [
    MotionCheck {
        code: codes::BONE_LENGTH,
        severity: Severity::Warning,
        need: Need::BodyBones,
        measured: Some(Measured::above("relative deviation", "1", 0.1)),
        min_duration_s: 0.0,
        problem: "a bone changes its length",
        definition: "max over bones of \\|l / median(l) − 1\\|",
        source: "Bones are rigid. Skin moves markers by 1 to 2 cm, which is 5 % of a limb.",
        find: Find::Frame(find_bone_lengths),
    },
    MotionCheck {
        code: codes::FOOT_SLIDE,
        severity: Severity::Warning,
        need: Need::Feet,
        measured: Some(Measured::above("speed", "m/s", 0.5)),
        min_duration_s: 0.0,
        problem: "the planted foot slides",
        definition: "the distance on the ground that a foot moves within 0.2 s, divided by this time, while it stays at most 3 cm above the usual height of the lower foot and rises or sinks by at most 1 cm",
        source: "The height of contact is that of `report`. The ankle of a foot that rolls moves at up to 0.4 m/s.",
        find: Find::Frame(find_foot_slides),
    },
    MotionCheck {
        code: codes::FLOOR,
        severity: Severity::Warning,
        need: Need::Feet,
        measured: Some(Measured::above("depth", "m", 0.08)),
        min_duration_s: 0.0,
        problem: "the foot is below the floor",
        definition: "h − y of a foot, where h is the usual height of the lower foot: the tenth percentile over the recording",
        source: "While a foot rolls or lands, its joint sinks by up to 5 cm below the usual height.",
        find: Find::Frame(find_deep_feet),
    },
    MotionCheck {
        code: codes::FOOT_FLOAT,
        severity: Severity::Warning,
        need: Need::Feet,
        measured: Some(Measured::duration(1.0)),
        min_duration_s: 0.0,
        problem: "the body stands in the air",
        definition: "the time in which the lower foot and the root are both more than 5 cm above their usual heights: the tenth percentile of the lower foot and the median of the root",
        source: "The highest jumps last 1 s. The root keeps people who sit with raised feet apart.",
        find: Find::Frame(find_floating_feet),
    },
    MotionCheck {
        code: codes::LOOP_SEAM,
        severity: Severity::Info,
        need: Need::Body,
        measured: Some(Measured::above("distance", "m", 0.02)),
        min_duration_s: 0.0,
        problem: "the last pose does not lead to the first",
        definition: "the largest distance of a joint between its first position and its last, or the position to which its last step leads if that is nearer, because loops often leave out their last frame. The horizontal motion of the root is removed. Only for loops: the distance is below a quarter of the largest distance of a joint from its first position",
        source: "The seam of a walk at 30 Hz shows from about half a step. Info, because most recordings are no loops.",
        find: Find::Clip(find_loop_seam),
    },
    MotionCheck {
        code: codes::T_POSE,
        severity: Severity::Warning,
        need: Need::Arms,
        measured: Some(Measured::above("angle", "rad", 0.5)),
        min_duration_s: 0.0,
        problem: "a T-pose was left in the motion",
        definition: "the angle by which an upper arm turns between a sample in T-pose and a neighbouring sample that is in none, at most 0.1 s apart. In a T-pose, the directions from both upper arms to the elbows and from the elbows to the hands are level and lead away from the other arm, within 20°",
        source: "29° between two samples are 15 rad/s at 30 Hz. A person leaves a T-pose gradually.",
        find: Find::Frame(find_t_poses),
    },
    MotionCheck {
        code: codes::FLIP,
        severity: Severity::Error,
        need: Need::Body,
        measured: Some(Measured::above("angle", "rad", 2.0 * std::f64::consts::FRAC_PI_3)),
        min_duration_s: 0.0,
        problem: "the joint flips",
        definition: "the angle of a joint, relative to its parent, between two samples that are at most 0.1 s apart",
        source: "120°. At 30 Hz this is 63 rad/s, three times the speed of the fastest joint of a pitcher's leg.",
        find: Find::Frame(find_flips),
    },
    MotionCheck {
        code: codes::ROOT_JUMP,
        severity: Severity::Warning,
        need: Need::Body,
        measured: Some(Measured::above("speed", "m/s", 12.0)),
        min_duration_s: 0.0,
        problem: "the root moves faster than a person can",
        definition: "\\|p(t) − p(t − Δt)\\| / Δt of the root",
        source: "The fastest sprinters reach 12.4 m/s.",
        find: Find::Frame(find_root_jumps),
    },
    MotionCheck {
        code: codes::MIRRORED,
        severity: Severity::Error,
        need: Need::Legs,
        measured: None,
        min_duration_s: 0.2,
        problem: "the left and the right side are exchanged",
        definition: "The direction in which the body faces, from the left to the right upper leg, differs by more than 120° from the one in which its toes point.",
        source: "–",
        find: Find::Frame(find_mirrored),
    },
];

fn find_bone_lengths(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(body) = &scene.body else { return };
    let deviations =
        body.bones.iter().filter_map(|bone| Some((bone.deviation(moment.pose)?, bone)));
    if let Some((value, bone)) = deviations.max_by(|a, b| a.0.total_cmp(&b.0)) {
        values.add(0, moment, value, &[bone.to, bone.from]);
    }
}

fn feet(body: &Body) -> impl Iterator<Item = (usize, Foot)> {
    body.feet.iter().enumerate().filter_map(|(index, foot)| Some((index, (*foot)?)))
}

fn find_foot_slides(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some((body, floor)) = scene.body.as_ref().and_then(|body| Some((body, body.floor?))) else {
        return;
    };
    let highest = floor + StudyOptions::default().contact_height_m;
    for (index, Foot { foot, .. }) in feet(body) {
        let within = moment.recent.iter().rev();
        let within = within.take_while(|sample| moment.time - sample.time <= CONTACT_WINDOW_S);
        let positions: Option<Vec<(f64, DVec3)>> =
            within.map(|sample| Some((sample.time, sample.feet[index]?))).collect();
        let Some((first, last)) = positions
            .as_deref()
            .filter(|positions| is_planted(positions, highest))
            .and_then(|positions| positions.last().zip(positions.first()))
        else {
            continue;
        };
        let elapsed_s = last.0 - first.0;
        if elapsed_s >= MIN_WINDOW_SHARE * CONTACT_WINDOW_S {
            let slide = to_ground_plane(first.1).distance(to_ground_plane(last.1));
            values.add(index, moment, slide / elapsed_s, &[foot]);
        }
    }
}

fn is_planted(positions: &[(f64, DVec3)], highest: f64) -> bool {
    let heights = || positions.iter().map(|(_, position)| position.y);
    let (low, high) = (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
    high <= highest && high - low <= MAX_CONTACT_RANGE_M
}

fn find_deep_feet(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some((body, floor)) = scene.body.as_ref().and_then(|body| Some((body, body.floor?))) else {
        return;
    };
    for (index, Foot { foot, .. }) in feet(body) {
        if let Some(position) = moment.position(foot) {
            values.add(index, moment, floor - position.y, &[foot]);
        }
    }
}

fn find_floating_feet(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(body) = &scene.body else { return };
    let foot = body.lower_foot_height(moment.pose).zip(body.floor);
    let root = moment.position(body.root).map(|root| root.y).zip(body.usual_height);
    let is_raised = |height: Option<(f64, f64)>| {
        height.is_some_and(|(height, usual)| height - usual > MIN_FLOAT_M)
    };
    if is_raised(foot) && is_raised(root) {
        values.add(0, moment, 0.0, &[body.root]);
    }
}

fn find_loop_seam(scene: &Scene<'_>, findings: &mut Findings) {
    let Some(body) = &scene.body else { return };
    let span = scene.clip.span;
    let (first, last) = match (scene.key_times.first(), scene.key_times.last()) {
        (Some(first), Some(last)) if scene.interval_s.is_some() => (*first, *last),
        _ => (span.start, span.end()),
    };
    let step = scene.interval_s.or(scene.clip.rate_hz.map(f64::recip)).unwrap_or(DEFAULT_STEP_S);
    let mut pose = Pose::default();
    let mut positions_at = |time: f64| {
        scene.clip.sample_motion(time, &mut pose);
        let root = pose[body.root].world.translation.with_y(0.0);
        body.joints
            .iter()
            .map(|joint| visible_position(&pose, *joint).map(|position| position - root))
            .collect::<Vec<_>>()
    };
    let [start, before_end, end] = [first, last - step, last].map(&mut positions_at);
    let gaps = start.iter().zip(&before_end).zip(&end).enumerate();
    let gaps = gaps.filter_map(|(joint, ((start, before_end), end))| {
        let (start, before_end, end) = ((*start)?, (*before_end)?, (*end)?);
        let next = end + (end - before_end);
        Some((start.distance(end).min(start.distance(next)), body.joints[joint]))
    });
    let Some((gap, joint)) = gaps.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
    let times =
        (0..LOOP_SAMPLES).map(|index| first + (last - first) * index as f64 / LOOP_SAMPLES as f64);
    let extent = times.map(|time| largest_distance(&start, &positions_at(time)));
    if gap < MAX_LOOP_GAP_SHARE * extent.fold(0.0, f64::max) {
        findings.add_span(last, last, gap, &[joint]);
    }
}

fn largest_distance(from: &[Option<DVec3>], to: &[Option<DVec3>]) -> f64 {
    let pairs = from.iter().zip(to);
    pairs.filter_map(|(from, to)| Some(from.as_ref()?.distance((*to)?))).fold(0.0, f64::max)
}

fn find_t_poses(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(arms) = scene.body.as_ref().and_then(|body| body.arms) else { return };
    if moment.elapsed_s == 0.0 || moment.elapsed_s > MAX_T_POSE_INTERVAL_S {
        return;
    }
    let was_t_pose = is_t_pose(&arms, moment.previous);
    if was_t_pose == is_t_pose(&arms, moment.pose) {
        return;
    }
    let turns = arms.iter().filter_map(|arm| {
        let before = direction(moment.previous, arm.upper_arm, arm.lower_arm)?;
        Some((before.angle_between(direction(moment.pose, arm.upper_arm, arm.lower_arm)?), arm))
    });
    let Some((turn, arm)) = turns.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
    // The problem is the sample in T-pose, which may be the one before.
    let at_t_pose = match was_t_pose {
        true => Moment { index: moment.index - 1, time: moment.time - moment.elapsed_s, ..*moment },
        false => Moment { ..*moment },
    };
    values.add(0, &at_t_pose, turn, &[arm.upper_arm]);
}

fn is_t_pose(arms: &[Arm; 2], pose: &Pose) -> bool {
    let across = direction(pose, arms[1].upper_arm, arms[0].upper_arm);
    let Some(left) = across.and_then(|across| across.with_y(0.0).try_normalize()) else {
        return false;
    };
    let points_away = |arm: &Arm, outwards: DVec3| {
        let bones = [(arm.upper_arm, arm.lower_arm), (arm.lower_arm, arm.hand)];
        bones.into_iter().all(|(from, to)| {
            direction(pose, from, to)
                .is_some_and(|bone| bone.angle_between(outwards) <= MAX_T_POSE_ANGLE)
        })
    };
    points_away(&arms[0], left) && points_away(&arms[1], -left)
}

fn direction(pose: &Pose, from: NodeId, to: NodeId) -> Option<DVec3> {
    (visible_position(pose, to)? - visible_position(pose, from)?).try_normalize()
}

fn find_flips(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(body) = scene.body.as_ref().filter(|_| moment.elapsed_s <= MAX_FLIP_INTERVAL_S) else {
        return;
    };
    for (index, joint) in body.joints.iter().enumerate() {
        let [from, to] = [moment.previous, moment.pose].map(|pose| pose[*joint].local.rotation);
        // Half the angle has the cosine |q₀·q₁|.
        let angle = 2.0 * from.dot(to).abs().min(1.0).acos();
        values.add(index, moment, angle, &[*joint]);
    }
}

fn find_root_jumps(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(body) = &scene.body else { return };
    if let Some(speed) = moment.speed(body.root) {
        values.add(0, moment, speed, &[body.root]);
    }
}

fn find_mirrored(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(body) = &scene.body else { return };
    if let Some([by_sides, by_toes]) = body.facing(moment.pose)
        && by_sides.dot(by_toes) < MAX_FACING_COSINE
    {
        values.add(0, moment, 0.0, &[body.root]);
    }
}
