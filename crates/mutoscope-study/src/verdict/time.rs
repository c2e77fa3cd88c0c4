//! Checks of times.

use mutoscope_core::{
    clip::{KeyTimes, NodeId, Owner, Pose},
    diagnostics::Severity,
};

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::time as codes,
    findings::Findings,
    moment::visible_position,
    scene::Scene,
};
use crate::signal::angle;

/// A gap is also at least this many usual intervals long.
const MIN_GAP_INTERVALS: f64 = 3.5;

/// If all subjects move less across a gap, the recording program may have skipped equal samples: in
/// metres, and in degrees.
const MIN_GAP_MOTION: (f64, f64) = (0.002, 0.5);

/// The rate also differs by at least this share of the stated rate.
const MIN_RATE_SHARE: f64 = 0.01;

/// In these formats the rate is the unit of time, so that keys may be several frames apart.
const FORMATS_WITH_TIME_UNITS: [&str; 2] = ["maya", "fbx"];

pub(super) static CHECKS: [MotionCheck; 4] = [
    MotionCheck {
        code: codes::GAP,
        severity: Severity::Warning,
        need: Need::Samples,
        measured: Some(Measured::above("interval", "s", 0.25)),
        min_duration_s: 0.0,
        problem: "samples are missing",
        definition: "the interval between two samples, if it is above 3.5 median intervals and something moves across it",
        source: "Headsets pause for up to 0.2 s when a program loads data. A quarter of a second hides a saccade or a short movement.",
        find: Find::Clip(find_gaps),
    },
    MotionCheck {
        code: codes::BACKWARDS,
        severity: Severity::Error,
        need: Need::Keys,
        measured: Some(Measured::above("step back", "s", 0.0)),
        min_duration_s: 0.0,
        problem: "the time stamp is before the one stored before it",
        definition: "t(i − 1) − t(i) in the order of the file",
        source: "Time does not run backwards.",
        find: Find::Clip(find_backward_steps),
    },
    MotionCheck {
        code: codes::RATE,
        severity: Severity::Warning,
        need: Need::StatedRate,
        measured: Some(Measured::above("difference", "Hz", 0.5)),
        min_duration_s: 0.0,
        problem: "the time stamps disagree with the stated rate",
        definition: "\\|1 / median(Δt) − stated rate\\|, if it is also above 1 % of the stated rate. In Maya and FBX, a median interval of several frames agrees with the rate.",
        source: "29.97 and 30 Hz, or 59.94 and 60 Hz, stay within 1 %.",
        find: Find::Clip(find_wrong_rate),
    },
    MotionCheck {
        code: codes::OUTSIDE,
        severity: Severity::Info,
        need: Need::Keys,
        measured: Some(Measured::above("distance", "s", 0.001)),
        min_duration_s: 0.0,
        problem: "keys are outside of the stated range",
        definition: "the time from the stated start back to the first key, or from the stated end to the last key",
        source: "Rounding of times to milliseconds. Info, because authored keys often begin before the range.",
        find: Find::Clip(find_keys_outside),
    },
];

fn find_gaps(scene: &Scene<'_>, findings: &mut Findings) {
    let Some(interval) = scene.interval_s else { return };
    let min_gap = findings.threshold().max(MIN_GAP_INTERVALS * interval);
    let mut poses = [Pose::default(), Pose::default()];
    for pair in scene.key_times.windows(2).filter(|pair| pair[1] - pair[0] > min_gap) {
        poses.iter_mut().zip(pair).for_each(|(pose, time)| scene.clip.sample_motion(*time, pose));
        let mut moving = scene.subjects().filter(|node| moves_between(&poses, *node));
        if let Some(node) = moving.next() {
            findings.add_span(pair[0], pair[1], pair[1] - pair[0], &[node]);
        }
    }
}

fn moves_between([before, after]: &[Pose; 2], node: NodeId) -> bool {
    let (distance, turn) = MIN_GAP_MOTION;
    let positions = visible_position(before, node).zip(visible_position(after, node));
    let rotations = [before, after].map(|pose| pose[node].world.rotation);
    positions.is_some_and(|(from, to)| {
        from.distance(to) >= distance
            || angle::rotation_vector(rotations[0], rotations[1]).length() >= turn
    })
}

fn find_backward_steps(scene: &Scene<'_>, findings: &mut Findings) {
    let mut latest: Option<&KeyTimes> = None;
    for track in &scene.clip.tracks {
        let times = track.curve.times();
        // Tracks of one table share their times, so that one of them stands for all.
        if latest.is_some_and(|latest| latest.is_shared_with(times)) {
            continue;
        }
        latest = Some(times);
        let node = match track.owner {
            Owner::Node(node) => Some(node),
            Owner::Group(_) => None,
        };
        for (key, back_s) in track.source.backward_steps(track.curve.key_times()) {
            let time = track.curve.key_times()[key];
            findings.add_span(time, time + back_s, back_s, node.as_slice());
        }
    }
}

fn find_wrong_rate(scene: &Scene<'_>, findings: &mut Findings) {
    let Some((interval, stated)) = scene.interval_s.zip(scene.clip.rate_hz) else { return };
    let frames = (interval * stated).round();
    if FORMATS_WITH_TIME_UNITS.contains(&scene.clip.format.as_str()) && frames > 1.0 {
        return;
    }
    let difference = (interval.recip() - stated).abs();
    if difference > MIN_RATE_SHARE * stated {
        findings.add_span(scene.clip.span.start, scene.clip.span.end(), difference, &[]);
    }
}

fn find_keys_outside(scene: &Scene<'_>, findings: &mut Findings) {
    let span = scene.clip.span;
    let (first, last) = (scene.key_times.first(), scene.key_times.last());
    let Some((first, last)) = first.zip(last) else { return };
    if *first < span.start {
        findings.add_span(*first, span.start, span.start - first, &[]);
    }
    if *last > span.end() {
        findings.add_span(span.end(), *last, last - span.end(), &[]);
    }
}
