//! Checks of the gaze.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Pose, Rotation},
    diagnostics::Severity,
};

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::gaze as codes,
    findings::Findings,
    moment::Moment,
    sample_values::SampleValues,
    scene::Scene,
};
use crate::{
    gaze::{
        loss::is_defined,
        precision::{Precision, PrecisionWindows, window_length},
    },
    sampling::Sampler,
    signal::{angle, correlation::max_correlation},
};

/// The time over which directions of the gaze are compared, to see whether it moves, in seconds.
const GAZE_WINDOW_S: f64 = 1.0;
/// The share of the window that samples must cover.
const MIN_WINDOW_SHARE: f64 = 0.9;

/// The number of stretches of samples in which latency and precision are measured, and their length.
const STRETCHES: usize = 16;
const STRETCH_SAMPLES: usize = 512;
/// The largest latency that is measured, in seconds.
const MAX_LATENCY_S: f64 = 0.3;
/// Shorter recordings have no reliable latency, in seconds.
const MIN_LATENCY_OVERLAP_S: f64 = 5.0;
/// The eyes compensate for the head if both velocities correlate at least this much.
const MIN_LATENCY_CORRELATION: f64 = 0.8;
/// If the head turns less, noise decides the correlation: the RMS speed in degrees per second.
const MIN_HEAD_SPEED_DEGPS: f64 = 5.0;

/// The smallest distance between two measured eyes, in metres. Some files place both eyes at one point.
const MIN_EYE_DISTANCE_M: f64 = 0.03;

pub(super) static CHECKS: [MotionCheck; 7] = [
    MotionCheck {
        code: codes::LENGTH,
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
        code: codes::FIXED,
        severity: Severity::Warning,
        need: Need::GazeAndHead,
        measured: Some(Measured::below("spread", "rad", 0.000_5)),
        min_duration_s: 0.0,
        problem: "the gaze does not move in the head",
        definition: "the largest angle between the latest direction of the gaze in the head and those of the last second",
        source: "Even during a fixation the eye drifts by 0.1° (0.0017 rad) and more in a second.",
        find: Find::Frame(find_fixed_gaze),
    },
    MotionCheck {
        code: codes::LATENCY,
        severity: Severity::Info,
        need: Need::SampledGazeAndHead,
        measured: Some(Measured::above("latency", "s", 0.1)),
        min_duration_s: 0.0,
        problem: "the gaze and the head are not recorded at the same time",
        definition: "the size of the lag of at most 0.3 s at which the angular velocity of the gaze in the head correlates most with the opposite of the angular velocity of the head, over up to 16 stretches of 512 samples, at up to 850 Hz. It counts if r ≥ 0.8, so that the eyes hold a target while the head turns, and if the head turns at 5°/s RMS or more",
        source: "The eyes compensate for turns of the head within 10 ms. Eye trackers of headsets are at most 81 ms late (Stein et al. 2021). Info, because the lag is an estimate.",
        find: Find::Clip(find_latency),
    },
    MotionCheck {
        code: codes::NEAR_POINT,
        severity: Severity::Warning,
        need: Need::Eyes,
        measured: Some(Measured::below("distance", "m", 0.05)),
        min_duration_s: 0.1,
        problem: "the eyes cross closer than a person can",
        definition: "e / (tan α + tan β), where e is the distance between both eyes, at least 0.03 m, and α and β are the angles by which the left and the right eye turn inwards. Skipped while the eyes do not converge",
        source: "The near point of convergence is at most 5 cm for healthy adults (Scheiman et al. 2003), and a headset shows nothing as close.",
        find: Find::Frame(find_crossed_eyes),
    },
    MotionCheck {
        code: codes::RMS_S2S,
        severity: Severity::Warning,
        need: Need::SampledGaze,
        measured: Some(Measured::above("RMS-S2S", "rad", 0.017_45)),
        min_duration_s: 0.0,
        problem: "the gaze trembles from sample to sample",
        definition: "the RMS of the angles between successive directions in the world, in a window of 0.2 s. The median over all windows of up to 16 stretches of 512 samples, as ETDQualitizer defines it (Niehorster et al.). Lost samples are skipped",
        source: "1°. At 60 Hz, this is twice the speed of 30°/s from which `report` counts a saccade.",
        find: Find::Clip(|scene, findings| find_precision(scene, findings, |it| it.rms_s2s)),
    },
    MotionCheck {
        code: codes::STD,
        severity: Severity::Warning,
        need: Need::SampledGaze,
        measured: Some(Measured::above("STD", "rad", 0.026_18)),
        min_duration_s: 0.0,
        problem: "the gaze scatters",
        definition: "the standard deviation of the direction in the world, in a window of 0.2 s: √(mean \\|d − mean d\\|²). The median over the windows of `gaze/rms-s2s`",
        source: "1.5°, the accuracy that Microsoft states for HoloLens 2. A larger spread hides the error of the calibration.",
        find: Find::Clip(|scene, findings| find_precision(scene, findings, |it| it.deviation)),
    },
    MotionCheck {
        code: codes::LOSS,
        severity: Severity::Warning,
        need: Need::SampledGaze,
        measured: Some(Measured::above("share", "1", 0.25)),
        min_duration_s: 0.0,
        problem: "the gaze is lost for a large part of the recording",
        definition: "1 − n · Δt / T, where n is the number of tracked samples, Δt is the median interval, and T is the time from the first sample to the last, plus Δt. A sample is lost if it is hidden, NaN or a direction of zeros. Missing samples count",
        source: "Assumed. Studies of the gaze often leave out people whose gaze is lost for a quarter of the time.",
        find: Find::Clip(find_loss),
    },
];

fn find_gaze_lengths(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some((node, direction)) = scene.gaze.zip(scene.direction) else { return };
    let length = direction.evaluate_at(&scene.clip.tracks, moment.time).length();
    if length.is_finite() && length > 0.0 {
        values.add(0, moment, (length - 1.0).abs(), &[node]);
    }
}

fn find_fixed_gaze(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
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
    values.add(0, moment, spread, &[node]);
}

fn find_latency(scene: &Scene<'_>, findings: &mut Findings) {
    let (Some((gaze, head)), Some(interval)) = (scene.gaze.zip(scene.head), scene.interval_s)
    else {
        return;
    };
    let samples = |seconds: f64| (seconds / interval).round() as usize;
    let max_lag = samples(MAX_LATENCY_S);
    if max_lag > STRETCH_SAMPLES / 2 {
        return;
    }
    // Append the values of each axis of each stretch to one list, with NaN between them for as long as
    // the largest lag. Otherwise a lag would pair values of different stretches.
    let (mut of_head, mut of_eyes) = (Vec::new(), Vec::new());
    let mut pose = Pose::default();
    for stretch in stretches(&scene.key_times) {
        let directions: Vec<Option<(f64, DQuat, DVec3)>> = stretch
            .iter()
            .map(|time| {
                scene.clip.sample_motion(*time, &mut pose);
                let (gaze, head) = (&pose[gaze], &pose[head]);
                let direction = gaze.world.rotation * DVec3::NEG_Z;
                let in_head = head.world.rotation.inverse() * direction;
                (gaze.is_visible && head.is_visible).then_some((
                    *time,
                    head.world.rotation,
                    in_head,
                ))
            })
            .collect();
        let turns: Vec<[[f64; 2]; 2]> =
            directions.windows(2).map(|pair| turn_speeds(pair, interval)).collect();
        for axis in [0, 1] {
            of_head.extend(turns.iter().map(|[head, _]| head[axis]));
            of_eyes.extend(turns.iter().map(|[_, eyes]| eyes[axis]));
            for values in [&mut of_head, &mut of_eyes] {
                values.resize(values.len() + max_lag, f64::NAN);
            }
        }
    }
    let known: Vec<f64> = of_head.iter().copied().filter(|speed| speed.is_finite()).collect();
    let squares: f64 = known.iter().map(|speed| speed * speed).sum();
    // Each sample has two values.
    let rms = (2.0 * squares / known.len().max(1) as f64).sqrt();
    let min_overlap = 2 * samples(MIN_LATENCY_OVERLAP_S);
    let Some(found) = max_correlation(&of_head, &of_eyes, max_lag, min_overlap) else { return };
    let is_peak = found.lag.unsigned_abs() < max_lag;
    if rms >= MIN_HEAD_SPEED_DEGPS && found.r >= MIN_LATENCY_CORRELATION && is_peak {
        let latency = found.lag.unsigned_abs() as f64 * interval;
        findings.add_span(scene.clip.span.start, scene.clip.span.end(), latency, &[gaze, head]);
    }
}

/// Returns how fast the head turns left and down between two samples, and how fast the eyes turn
/// right and up in the head, in degrees per second. NaN across gaps.
fn turn_speeds(pair: &[Option<(f64, DQuat, DVec3)>], interval: f64) -> [[f64; 2]; 2] {
    let [Some((from_time, from, from_eyes)), Some((to_time, to, to_eyes))] = pair else {
        return [[f64::NAN; 2]; 2];
    };
    let elapsed = to_time - from_time;
    if elapsed > 1.5 * interval {
        return [[f64::NAN; 2]; 2];
    }
    let turn = from.inverse() * angle::rotation_vector(*from, *to);
    let angles = |eyes: &DVec3| [eyes.x.atan2(-eyes.z), eyes.y.clamp(-1.0, 1.0).asin()];
    let (from_angles, to_angles) = (angles(from_eyes), angles(to_eyes));
    let eyes = [0, 1].map(|axis| (to_angles[axis] - from_angles[axis]).to_degrees() / elapsed);
    [[turn.y / elapsed, -turn.x / elapsed], eyes]
}

fn find_crossed_eyes(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(eyes) = scene.eyes else { return };
    let [left, right] = eyes.map(|eye| &moment.pose[eye]);
    let across = right.world.translation - left.world.translation;
    let distance = across.length();
    if !left.is_visible || !right.is_visible || distance < MIN_EYE_DISTANCE_M {
        return;
    }
    let across = across / distance;
    let inwards = |rotation: DQuat, inwards: DVec3| {
        let sine = (rotation * DVec3::NEG_Z).dot(inwards);
        sine / (1.0 - sine * sine).max(f64::MIN_POSITIVE).sqrt()
    };
    let convergence = inwards(left.world.rotation, across) + inwards(right.world.rotation, -across);
    if convergence > 0.0 {
        values.add(0, moment, distance / convergence, &eyes);
    }
}

/// Returns at most [`STRETCHES`] + 1 short stretches of the times of a recording, so that a check of
/// an hour takes no longer than one of a minute.
fn stretches(times: &[f64]) -> impl Iterator<Item = &[f64]> {
    let spacing = (times.len() / STRETCHES).max(STRETCH_SAMPLES);
    times.chunks(spacing).map(|stretch| &stretch[..stretch.len().min(STRETCH_SAMPLES)])
}

/// Returns the direction of the gaze in the world at each time. `None` while the gaze is lost.
fn sample_directions(scene: &Scene<'_>, times: &[f64]) -> Vec<Option<DVec3>> {
    let Some(gaze) = scene.gaze else { return Vec::new() };
    let nodes = [gaze];
    let mut sampler = Sampler::new(scene.clip, &nodes, false);
    // Where the file has no direction, a clip returns a gaze straight ahead, which nobody measured.
    let is_tracked = |time: f64| match &scene.clip.nodes[gaze].motion.rotation {
        Rotation::Direction(direction) => {
            is_defined(direction.evaluate_at(&scene.clip.tracks, time))
        }
        _ => true,
    };
    let direction = |time: &f64| {
        let transform = sampler.sample(*time).first().copied().flatten()?;
        let direction = (transform.rotation * DVec3::NEG_Z).try_normalize()?;
        is_tracked(*time).then_some(direction)
    };
    times.iter().map(direction).collect()
}

fn find_precision(scene: &Scene<'_>, findings: &mut Findings, value: fn(Precision) -> Option<f64>) {
    let Some((gaze, interval)) = scene.gaze.zip(scene.gaze_interval_s) else { return };
    let mut windows = PrecisionWindows::default();
    for stretch in stretches(&scene.gaze_times) {
        windows.add(&sample_directions(scene, stretch), window_length(interval));
    }
    if let Some(value) = value(windows.medians()) {
        findings.add_span(scene.clip.span.start, scene.clip.span.end(), value, &[gaze]);
    }
}

fn find_loss(scene: &Scene<'_>, findings: &mut Findings) {
    let Some((gaze, interval)) = scene.gaze.zip(scene.gaze_interval_s) else { return };
    let [first, .., last] = scene.gaze_times[..] else { return };
    let tracked = sample_directions(scene, &scene.gaze_times).iter().flatten().count();
    let expected = (last - first) / interval + 1.0;
    let lost = (1.0 - tracked as f64 / expected).max(0.0);
    findings.add_span(scene.clip.span.start, scene.clip.span.end(), lost, &[gaze]);
}
