//! A known offset is found within one sample, whatever the format and the rate.

use glam::DVec3;
use mutoscope_core::{
    clip::Clip,
    measure::compare::{AlignError, Alignment, align, pair_joints},
};

use crate::compare::walk::{animj, head, maya, mrtk};

fn aligned(first: &Clip, second: &Clip, rate: f64) -> Result<Alignment, AlignError> {
    let pairs = pair_joints(first, second);
    assert_eq!(pairs.len(), 1, "the head is in both");
    align([first, second], &pairs, rate)
}

fn assert_offset(what: &str, found: Result<Alignment, AlignError>, expected: f64, sample: f64) {
    let found = found.unwrap();
    let off = (found.offset - expected).abs();
    println!("{what}: {off:.1e} s off, correlation {:.4}", found.correlation);
    assert!(off < sample, "{what}: {} instead of {expected}", found.offset);
    assert!(found.is_certain(), "{what}: {found:?}");
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
        let what = format!("from {start} s, {rate} a second");
        assert_offset(&what, aligned(&first, &second, 1.0), start, 1.0 / 120.0);
    }
}

#[test]
fn offset_is_found_across_formats_and_rates() {
    let first = mrtk(head, 0.0, 20.0, 60.0);
    for start in [0.0, 0.41, 5.73, -2.2] {
        let second = maya(start, 10.0, 24.0);
        assert_offset("MRTK and Maya", aligned(&first, &second, 1.0), start, 1.0 / 60.0);
        assert_offset("Maya and MRTK", aligned(&second, &first, 1.0), -start, 1.0 / 60.0);
        let second = animj(start, 10.0, 30.0, 1.0);
        assert_offset("MRTK and AnimJ", aligned(&first, &second, 1.0), start, 1.0 / 60.0);
        let second = animj(start, 10.0, 30.0, 2.0);
        // One second of the first is half a second of what plays twice as fast.
        assert_offset("twice as fast", aligned(&first, &second, 0.5), start, 1.0 / 60.0);
    }
}

#[test]
fn one_minute_is_located_in_twenty() {
    let first = mrtk(head, 0.0, 1200.0, 60.0);
    let second = mrtk(head, 711.37, 60.0, 30.0);
    // Swings come again in twenty minutes: whether that is certain is another question.
    let found = aligned(&first, &second, 1.0).unwrap();
    assert!((found.offset - 711.37).abs() < 1.0 / 60.0, "{found:?}");
}

#[test]
fn alignment_ignores_position_and_heading() {
    let elsewhere = |time: f64| {
        let turned = glam::DQuat::from_rotation_y(2.0) * head(time);
        turned + DVec3::new(10.0, -3.0, 500.0)
    };
    let (first, second) = (mrtk(head, 0.0, 10.0, 60.0), mrtk(elsewhere, 2.0, 6.0, 60.0));
    assert_offset("elsewhere", aligned(&first, &second, 1.0), 2.0, 1.0 / 60.0);
}

/// A zombie appears late in it: with only the times at which all nodes are present, hardly any of
/// the player's motion would be left.
#[test]
fn nodes_that_appear_late_do_not_prevent_alignment() {
    let bytes = include_bytes!("../../../../../assets/mcmocap/a-day.mcmocap_rec");
    let clip =
        mutoscope_core::formats::decode(bytes, &mutoscope_core::formats::DecodeRequest::default())
            .unwrap();
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
        aligned(&first, &still, 1.0),
        Err(AlignError::NoSpeedChange { which: "the second" })
    );
    assert_eq!(aligned(&still, &first, 1.0), Err(AlignError::NoSpeedChange { which: "the first" }));
    assert_eq!(align([&first, &still], &[], 1.0), Err(AlignError::NoMatchingJoints));
    let short = mrtk(head, 3.0, 0.5, 60.0);
    assert_eq!(aligned(&first, &short, 1.0), Err(AlignError::TooShort { which: "the second" }));
    let jerks = |time: f64| DVec3::X * if (time * 1.1).fract() < 0.05 { 1.0 } else { 0.0 };
    let other = mrtk(jerks, 0.0, 10.0, 60.0);
    let found = aligned(&first, &other, 1.0);
    assert!(matches!(found, Err(AlignError::LowCorrelation { best }) if best < 0.5), "{found:?}");
}

#[test]
fn repetitive_motion_is_ambiguous() {
    let swing = |time: f64| DVec3::X * (std::f64::consts::PI * time).sin();
    let (first, second) = (mrtk(swing, 0.0, 20.0, 60.0), mrtk(swing, 0.0, 5.0, 60.0));
    let found = aligned(&first, &second, 1.0).unwrap();
    assert!(!found.is_certain(), "{found:?}");
    assert!(found.runner_up.is_some());
}

#[test]
fn days_are_aligned() {
    // Of the same speeds, over days and as far.
    let slow = |pace: f64| {
        let mut clip = mrtk(|time| pace * head(time), 0.0, 20.0, 60.0);
        clip.scale_time(pace);
        clip
    };
    for pace in [1e4, 1e6, 1e12] {
        let clip = slow(pace);
        let found = aligned(&clip, &clip, 1.0).unwrap();
        assert!(found.offset.abs() <= found.interval, "{pace}: {found:?}");
        assert!(found.is_certain(), "{pace}: {found:?}");
    }
    let found = aligned(&slow(1e300), &slow(1e300), 1e-300);
    assert_eq!(found, Err(AlignError::TooLong));
}

/// Two motions that have nothing to do with each other correlate by chance, now and then as much as 0.8.
#[test]
fn unrelated_motion_is_never_certain() {
    // Swings of a body at random paces, the sum of a few.
    let swings = |seed: u64, time: f64| {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut swing = || {
            let (reach, pace, at) = (dice.f64(), 0.5 + 5.0 * dice.f64(), 9.0 * dice.f64());
            0.3 * reach * (pace * time + at).sin()
        };
        DVec3::new(swing() + swing(), swing() + swing(), swing() + swing())
    };
    let (mut aligned_by_chance, mut certain) = (0, Vec::new());
    for seed in 0..60 {
        let length = [4.0, 8.0, 20.0][seed as usize % 3];
        let first = mrtk(|time| swings(2 * seed, time), 0.0, length, 60.0);
        let second = mrtk(|time| swings(2 * seed + 1, time), 0.0, length, 60.0);
        let Ok(found) = aligned(&first, &second, 1.0) else { continue };
        aligned_by_chance += 1;
        certain.extend(found.is_certain().then_some(found));
    }
    assert!(aligned_by_chance > 20, "{aligned_by_chance}");
    assert!(certain.is_empty(), "{} of {aligned_by_chance}: {certain:?}", certain.len());
}
