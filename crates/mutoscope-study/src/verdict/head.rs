//! Checks of heads and of the gaze.

use glam::DVec3;
use mutoscope_core::diagnostics::Severity;

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::{gaze, head},
    findings::Findings,
    moment::Moment,
    scene::Scene,
};
use crate::signal::angle;

/// The window in which the gaze is compared, in seconds.
const GAZE_WINDOW_S: f64 = 1.0;
/// The share of the window that samples must cover.
const MIN_WINDOW_SHARE: f64 = 0.9;

pub(super) static CHECKS: [MotionCheck; 4] = [
    MotionCheck {
        code: head::SPEED,
        severity: Severity::Warning,
        need: Need::Head,
        measured: Some(Measured::above("angular speed", "rad/s", 20.0)),
        min_duration_s: 0.0,
        problem: "the head turns faster than a person can",
        definition: "the angle between two samples, divided by Δt",
        source: "The fastest voluntary head turns reach about 1000°/s, which is 17.5 rad/s.",
        find: Find::Frame(find_fast_turns),
    },
    MotionCheck {
        code: head::SPEED,
        severity: Severity::Warning,
        need: Need::Head,
        measured: Some(Measured { key: "threshold_mps", ..Measured::above("speed", "m/s", 12.0) }),
        min_duration_s: 0.0,
        problem: "the head moves faster than a person can",
        definition: "\\|p(t) − p(t − Δt)\\| / Δt",
        source: "The fastest sprinters reach 12.4 m/s.",
        find: Find::Frame(find_fast_heads),
    },
    MotionCheck {
        code: gaze::LENGTH,
        severity: Severity::Warning,
        need: Need::StoredDirection,
        measured: Some(Measured::above("deviation from 1", "1", 0.05)),
        min_duration_s: 0.0,
        problem: "the stored direction is not of unit length",
        definition: "\\| \\|d\\| − 1 \\| of the direction as stored. Zeros and NaN are skipped, because they mean a lost gaze.",
        source: "Directions rounded to two digits stay within it, as quaternions do.",
        find: Find::Frame(find_gaze_lengths),
    },
    MotionCheck {
        code: gaze::FIXED,
        severity: Severity::Warning,
        need: Need::GazeAndHead,
        measured: Some(Measured::below("spread", "rad", 0.000_5)),
        min_duration_s: 0.0,
        problem: "the gaze does not move in the head",
        definition: "the largest angle between the latest direction of the gaze in the head and those of the last second",
        source: "Even during a fixation the eye drifts by 0.1° (0.0017 rad) and more in a second.",
        find: Find::Frame(find_fixed_gaze),
    },
];

fn find_fast_turns(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some(head) = scene.head.filter(|_| moment.elapsed_s > 0.0) else { return };
    let [from, to] = [&moment.previous[head], &moment.pose[head]];
    if from.is_visible && to.is_visible {
        let turn = angle::rotation_vector(from.world.rotation, to.world.rotation).length();
        findings.add(0, moment, turn.to_radians() / moment.elapsed_s, &[head]);
    }
}

fn find_fast_heads(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some(head) = scene.head else { return };
    if let Some(speed) = moment.speed(head) {
        findings.add(0, moment, speed, &[head]);
    }
}

fn find_gaze_lengths(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let Some((node, direction)) = scene.gaze.zip(scene.direction) else { return };
    let length = direction.evaluate_at(&scene.clip.tracks, moment.time).length();
    if length.is_finite() && length > 0.0 {
        findings.add(0, moment, (length - 1.0).abs(), &[node]);
    }
}

fn find_fixed_gaze(scene: &Scene<'_>, moment: &Moment<'_>, findings: &mut Findings) {
    let within = moment.recent.iter().rev();
    let within = within.take_while(|sample| moment.time - sample.time <= GAZE_WINDOW_S);
    let directions: Option<Vec<(f64, DVec3)>> =
        within.map(|sample| Some((sample.time, sample.gaze_in_head?))).collect();
    let Some((node, directions)) = scene.gaze.zip(directions) else { return };
    let (Some((latest, now)), Some((first, _))) = (directions.first(), directions.last()) else {
        return;
    };
    if latest - first < MIN_WINDOW_SHARE * GAZE_WINDOW_S {
        return;
    }
    // The chord of a small angle is the angle, and is much faster than its tangent.
    let spread = directions.iter().map(|(_, other)| now.distance(*other)).fold(0.0, f64::max);
    findings.add(0, moment, spread, &[node]);
}
