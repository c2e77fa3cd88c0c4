//! Checks of bodies.

use glam::DVec3;
use mutoscope_core::diagnostics::Severity;

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::body as codes,
    findings::Findings,
    moment::Moment,
    scene::{Body, Foot, Scene},
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

/// A body is mirrored if the cosine of the angle between both directions of facing is below this.
const MAX_FACING_COSINE: f64 = -0.5;

pub(super) static CHECKS: [MotionCheck; 6] = [
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

fn find_bone_lengths(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some(body) = &scene.body else { return };
    let deviations =
        body.bones.iter().filter_map(|bone| Some((bone.deviation(moment.pose)?, bone)));
    if let Some((value, bone)) = deviations.max_by(|a, b| a.0.total_cmp(&b.0)) {
        findings.add(0, moment, value, &[bone.to, bone.from]);
    }
}

fn feet(body: &Body) -> impl Iterator<Item = (usize, Foot)> {
    body.feet.iter().enumerate().filter_map(|(index, foot)| Some((index, (*foot)?)))
}

fn find_foot_slides(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
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
            findings.add(index, moment, slide / elapsed_s, &[foot]);
        }
    }
}

fn is_planted(positions: &[(f64, DVec3)], highest: f64) -> bool {
    let heights = || positions.iter().map(|(_, position)| position.y);
    let (low, high) = (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
    high <= highest && high - low <= MAX_CONTACT_RANGE_M
}

fn find_deep_feet(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some((body, floor)) = scene.body.as_ref().and_then(|body| Some((body, body.floor?))) else {
        return;
    };
    for (index, Foot { foot, .. }) in feet(body) {
        if let Some(position) = moment.position(foot) {
            findings.add(index, moment, floor - position.y, &[foot]);
        }
    }
}

fn find_flips(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some(body) = scene.body.as_ref().filter(|_| moment.elapsed_s <= MAX_FLIP_INTERVAL_S) else {
        return;
    };
    for (index, joint) in body.joints.iter().enumerate() {
        let [from, to] = [moment.previous, moment.pose].map(|pose| pose[*joint].local.rotation);
        // Half the angle has the cosine |q₀·q₁|.
        let angle = 2.0 * from.dot(to).abs().min(1.0).acos();
        findings.add(index, moment, angle, &[*joint]);
    }
}

fn find_root_jumps(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some(body) = &scene.body else { return };
    if let Some(speed) = moment.speed(body.root) {
        findings.add(0, moment, speed, &[body.root]);
    }
}

fn find_mirrored(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some(body) = &scene.body else { return };
    if let Some([by_sides, by_toes]) = body.facing(moment.pose)
        && by_sides.dot(by_toes) < MAX_FACING_COSINE
    {
        findings.add(0, moment, 0.0, &[body.root]);
    }
}
