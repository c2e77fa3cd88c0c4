//! A known offset is found to within one sample, for all formats and rates.

use glam::DVec3;

use mutoscope_core::{
    ReadOptions,
    clip::Clip,
    decode,
    measure::compare::{AlignError, Alignment, align, pair_joints},
};

use crate::compare::walk::{animj, head, maya, mrtk};

fn try_align(first: &Clip, second: &Clip, rate: f64) -> Result<Alignment, AlignError> {
    let pairs = pair_joints(first, second);
    assert_eq!(pairs.len(), 1, "both clips have one matching joint, the head");
    align([first, second], &pairs, rate)
}

fn assert_offset(label: &str, found: Result<Alignment, AlignError>, expected: f64, sample: f64) {
    let found = found.unwrap();
    let error = (found.offset - expected).abs();
    println!("{label}: {error:.1e} s off, correlation {:.4}", found.correlation);
    assert!(error < sample, "{label}: {} instead of {expected}", found.offset);
    assert!(found.is_certain(), "{label}: {found:?}");
}

#[test]
fn offset_is_found_within_one_format() {
    let first = mrtk(head, 0.0, 12.0, 60.0);
    for (start, duration, rate) in [
        (0.0, 12.0, 60.0),
        (3.217, 6.0, 60.0),
        (-4.0, 10.0, 60.0),
        (2.5, 5.0, 90.0),
        (1.3, 8.0, 25.0),
    ] {
        let second = mrtk(head, start, duration, rate);
        let label = format!("from {start} s, {rate} a second");
        assert_offset(&label, try_align(&first, &second, 1.0), start, 1.0 / 120.0);
    }
}

#[test]
fn offset_is_found_across_formats_and_rates() {
    let first = mrtk(head, 0.0, 20.0, 60.0);
    for start in [0.0, 0.41, 5.73, -2.2] {
        let second = maya(start, 10.0, 24.0);
        assert_offset("MRTK and Maya", try_align(&first, &second, 1.0), start, 1.0 / 60.0);
        assert_offset("Maya and MRTK", try_align(&second, &first, 1.0), -start, 1.0 / 60.0);
        let second = animj(start, 10.0, 30.0, 1.0);
        assert_offset("MRTK and AnimJ", try_align(&first, &second, 1.0), start, 1.0 / 60.0);
        let second = animj(start, 10.0, 30.0, 2.0);
        // The second clip plays twice as fast, so one second of the first is half a second of the
        // second.
        assert_offset("twice as fast", try_align(&first, &second, 0.5), start, 1.0 / 60.0);
    }
}

#[test]
fn one_minute_is_found_in_twenty_minutes() {
    let first = mrtk(head, 0.0, 1200.0, 60.0);
    let second = mrtk(head, 711.37, 60.0, 30.0);
    // Similar swings recur within twenty minutes, so this test does not require certainty.
    let found = try_align(&first, &second, 1.0).unwrap();
    assert!((found.offset - 711.37).abs() < 1.0 / 60.0, "{found:?}");
}

#[test]
fn alignment_ignores_position_and_heading() {
    let elsewhere = |time: f64| {
        let turned = glam::DQuat::from_rotation_y(2.0) * head(time);
        turned + DVec3::new(10.0, -3.0, 500.0)
    };
    let (first, second) = (mrtk(head, 0.0, 10.0, 60.0), mrtk(elsewhere, 2.0, 6.0, 60.0));
    assert_offset("elsewhere", try_align(&first, &second, 1.0), 2.0, 1.0 / 60.0);
}

/// A zombie appears late in this recording. If only the times at which all nodes are present were
/// used, hardly any of the player's motion would be left.
#[test]
fn nodes_that_appear_late_do_not_prevent_alignment() {
    let bytes = include_bytes!("../../../../../assets/mcmocap/a-day.mcmocap_rec");
    let options = ReadOptions::default().with_formats(mutoscope_minecraft::formats());
    let clip = decode(bytes, &options).unwrap();
    let pairs = pair_joints(&clip, &clip);
    assert!(pairs.len() >= 9, "{}", pairs.len());
    let found = align([&clip, &clip], &pairs, 1.0);
    assert_offset("a day", found, 0.0, 1.0 / 120.0);
}

#[test]
fn failed_alignment_reports_the_reason() {
    let first = mrtk(head, 0.0, 10.0, 60.0);
    let still = mrtk(|_| DVec3::Y, 0.0, 10.0, 60.0);
    assert_eq!(
        try_align(&first, &still, 1.0),
        Err(AlignError::NoSpeedChange { which: "the second" })
    );
    assert_eq!(
        try_align(&still, &first, 1.0),
        Err(AlignError::NoSpeedChange { which: "the first" })
    );
    assert_eq!(align([&first, &still], &[], 1.0), Err(AlignError::NoMatchingJoints));
    let short = mrtk(head, 3.0, 0.5, 60.0);
    assert_eq!(try_align(&first, &short, 1.0), Err(AlignError::TooShort { which: "the second" }));
    let jerks = |time: f64| DVec3::X * if (time * 1.1).fract() < 0.05 { 1.0 } else { 0.0 };
    let other = mrtk(jerks, 0.0, 10.0, 60.0);
    let found = try_align(&first, &other, 1.0);
    assert!(matches!(found, Err(AlignError::LowCorrelation { best }) if best < 0.5), "{found:?}");
}

#[test]
fn repetitive_motion_is_ambiguous() {
    let swing = |time: f64| DVec3::X * (std::f64::consts::PI * time).sin();
    let (first, second) = (mrtk(swing, 0.0, 20.0, 60.0), mrtk(swing, 0.0, 5.0, 60.0));
    let found = try_align(&first, &second, 1.0).unwrap();
    assert!(!found.is_certain(), "{found:?}");
    assert!(found.runner_up.is_some());
}

#[test]
fn recordings_of_days_are_aligned() {
    // Scaling time and distance by the same factor keeps the speeds.
    let slow = |pace: f64| {
        let mut clip = mrtk(|time| pace * head(time), 0.0, 20.0, 60.0);
        clip.scale_time(pace);
        clip
    };
    for pace in [1e4, 1e6, 1e12] {
        let clip = slow(pace);
        let found = try_align(&clip, &clip, 1.0).unwrap();
        assert!(found.offset.abs() <= found.interval, "{pace}: {found:?}");
        assert!(found.is_certain(), "{pace}: {found:?}");
    }
    let found = try_align(&slow(1e300), &slow(1e300), 1e-300);
    assert_eq!(found, Err(AlignError::TooLong));
}

/// Unrelated motions may still correlate, now and then by as much as 0.8.
#[test]
fn unrelated_motion_is_never_certain() {
    // The sum of a few sines at random paces resembles the swings of a body.
    let swings = |seed: u64, time: f64| {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut swing = || {
            let (reach, pace, phase) = (random.f64(), 0.5 + 5.0 * random.f64(), 9.0 * random.f64());
            0.3 * reach * (pace * time + phase).sin()
        };
        DVec3::new(swing() + swing(), swing() + swing(), swing() + swing())
    };
    let (mut aligned_by_chance, mut certain) = (0, Vec::new());
    for seed in 0..60 {
        let length = [4.0, 8.0, 20.0][seed as usize % 3];
        let first = mrtk(|time| swings(2 * seed, time), 0.0, length, 60.0);
        let second = mrtk(|time| swings(2 * seed + 1, time), 0.0, length, 60.0);
        let Ok(found) = try_align(&first, &second, 1.0) else { continue };
        aligned_by_chance += 1;
        certain.extend(found.is_certain().then_some(found));
    }
    assert!(aligned_by_chance > 20, "{aligned_by_chance}");
    assert!(certain.is_empty(), "{} of {aligned_by_chance}: {certain:?}", certain.len());
}
