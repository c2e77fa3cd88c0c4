//! Every check, on clips whose defects are known because they were put there.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DQuat, DVec3, DVec4};

use super::testing::{RATE, about, clip, even, numbers, rotations, spots, switch, wave};
use super::*;
use crate::{
    clip::{Blend, RotationRule, Shapes, Unit},
    diagnostics::SourceLocation,
    formats::{self, DecodeRequest},
};

fn linear(times: &[f64], values: &[f64]) -> Track {
    numbers(times, values, Shapes::Linear, Unit::Metres)
}

fn turn(degrees: f64) -> DVec4 {
    DQuat::from_rotation_y(degrees.to_radians()).into()
}

#[test]
fn valid_motion_has_no_issues() {
    let times = even(500);
    let turns: Vec<_> = wave(500).iter().map(|angle| turn(angle * 40.0)).collect();
    let tracks = vec![linear(&times, &wave(500)), rotations(&times, &turns, Blend::Lerp)];
    assert_eq!(all_issues(&clip(tracks, None)), []);
}

#[test]
fn search_looks_at_one_track_in_each_step() {
    let mut broken = wave(100);
    broken[7] = f64::NAN;
    let clip = clip(vec![linear(&even(100), &wave(100)), linear(&even(100), &broken)], None);
    let mut search = Search::new(&clip);
    // The first check is for such values: it looks at each track, and ends.
    for (steps, found) in [(1, 0), (2, 0), (3, 1)] {
        assert!(search.step().is_continue());
        assert_eq!(search.issues.len(), found, "after {steps} steps");
    }
    while search.step().is_continue() {}
    assert_eq!(search.finish(), all_issues(&clip));
}

#[test]
fn non_finite_values_are_found_singly_and_in_runs() {
    let mut values = wave(100);
    values[7] = f64::NAN;
    values[20..25].fill(f64::INFINITY);
    let found = about(&clip(vec![linear(&even(100), &values)], None), Topic::NonFinite);
    assert_eq!(spots(&found), [(7.0 / RATE, None, 7), (20.0 / RATE, Some(24.0 / RATE), 20)]);
    assert!(found.iter().all(|issue| issue.severity == Severity::Warning));
    assert_eq!(found[0].message, "node.value: the value of key 8 is not finite");
    assert_eq!(found[1].message, "node.value: 5 values in a row that are not finite");
    assert_eq!(found[0].place, SourceLocation::span(16 + 7 * 8, 8));
}

#[test]
fn keys_that_were_sorted_are_found_at_their_times() {
    let mut track = linear(&even(5), &wave(5));
    track.source = track.source.in_order(&[0, 2, 1, 3, 4]);
    let found = about(&clip(vec![track], None), Topic::Unsorted);
    assert_eq!(spots(&found), [(2.0 / RATE, None, 2)]);
}

#[test]
fn several_keys_at_one_time_are_one_issue() {
    let found = about(
        &clip(vec![linear(&[0.0, 1.0, 1.0, 1.0, 2.0, 2.0], &wave(6))], None),
        Topic::SameTime,
    );
    assert_eq!(spots(&found), [(1.0, None, 1), (2.0, None, 4)]);
    assert_eq!(found[0].message, "node.value: 3 keys at one time: a jump at best");
}

#[test]
fn zero_and_unnormalised_quaternions_are_distinguished() {
    let mut keys = vec![turn(10.0); 8];
    keys[1] = DVec4::ZERO;
    keys[4] *= 1.04;
    keys[5] *= 1.2;
    keys[6] *= 0.5;
    let made = clip(vec![rotations(&even(8), &keys, Blend::Lerp)], None);
    assert_eq!(spots(&about(&made, Topic::ZeroQuaternion)), [(1.0 / RATE, None, 1)]);
    let lengths = about(&made, Topic::UnitLength);
    assert_eq!(spots(&lengths), [(5.0 / RATE, Some(6.0 / RATE), 5)]);
    assert!(lengths[0].message.ends_with("the worst of 0.500"), "{}", lengths[0].message);
}

#[test]
fn negated_keys_are_long_turns_only_by_the_engine_rule() {
    let keys = [turn(0.0), -turn(60.0), -turn(100.0)];
    let of = |faithful, rule| {
        let mut made = clip(vec![rotations(&even(3), &keys, faithful)], None);
        made.convention.rotation.value = rule;
        about(&made, Topic::LongTurn)
    };
    let found = of(Blend::Lerp, RotationRule::AsAuthored);
    assert_eq!(spots(&found), [(0.0, Some(1.0 / RATE), 0)]);
    assert_eq!(
        found[0].message,
        "node.rotation: turns by 300° up to the next key, the long way round"
    );
    let found = of(Blend::Slerp, RotationRule::Continuous);
    assert!(found[0].message.contains("as stored a turn by 300°, played as one by 60°"));
    assert_eq!(of(Blend::ShortSlerp, RotationRule::AsAuthored), []);
}

#[test]
fn half_turns_are_ambiguous_by_either_rule() {
    let keys = [turn(0.0), turn(179.8), turn(0.0), turn(170.0)];
    let made = clip(vec![rotations(&even(4), &keys, Blend::ShortSlerp)], None);
    let found = about(&made, Topic::LongTurn);
    assert_eq!(spots(&found).len(), 2);
    assert!(found[0].message.contains("179.8°"), "{}", found[0].message);
}

#[test]
fn linear_angles_can_be_long_turns() {
    let times = even(4);
    let degrees = [0.0, 350.0, 355.0, 5.0];
    let of = |values: &[f64], shapes, unit| {
        spots(&about(&clip(vec![numbers(&times, values, shapes, unit)], None), Topic::LongTurn))
            .len()
    };
    assert_eq!(of(&degrees, Shapes::Linear, Unit::Degrees), 2);
    assert_eq!(of(&degrees, Shapes::Step, Unit::Degrees), 0);
    assert_eq!(of(&degrees, Shapes::Linear, Unit::Metres), 0);
    assert_eq!(of(&[0.0, 3.0, PI + 3.2, FRAC_PI_2], Shapes::Linear, Unit::Radians), 2);
}

#[test]
fn misplaced_key_is_a_jump_and_fast_motion_is_not() {
    let times = even(300);
    let mut values = wave(300);
    values[150] += 5.0;
    let found = about(&clip(vec![linear(&times, &values)], None), Topic::Jump);
    assert_eq!(spots(&found), [(149.0 / RATE, Some(151.0 / RATE), 149)]);
    assert!(found[0].message.starts_with("node.value: jumps by "), "{}", found[0].message);
    assert_eq!(found[0].severity, Severity::Info);

    // As far, but as hands go: faster and faster, and slower and slower.
    let mut reach = wave(300);
    for (step, value) in reach[150..].iter_mut().enumerate() {
        *value += 2.5 * (1.0 - (PI * (step.min(20) as f64) / 20.0).cos());
    }
    assert_eq!(about(&clip(vec![linear(&times, &reach)], None), Topic::Jump), []);
}

#[test]
fn jumps_while_hidden_are_ignored() {
    let times = even(300);
    let mut values = wave(300);
    values[150] += 5.0;
    let lost = switch(&[0.0, 2.9, 3.1], &[1.0, 0.0, 1.0]);
    let made = clip(vec![linear(&times, &values), lost], Some(1));
    assert_eq!(about(&made, Topic::Jump), []);
}

#[test]
fn rotations_jump_by_degrees() {
    let mut keys: Vec<_> = wave(300).iter().map(|angle| turn(angle * 30.0)).collect();
    for key in &mut keys[100..] {
        *key = DQuat::from_vec4(*key).mul_quat(DQuat::from_axis_angle(DVec3::Y, 1.5)).into();
    }
    let made = clip(vec![rotations(&even(300), &keys, Blend::Lerp)], None);
    let found = about(&made, Topic::Jump);
    assert_eq!(spots(&found), [(99.0 / RATE, Some(100.0 / RATE), 99)]);
}

#[test]
fn repeated_keys_amid_motion_are_a_standstill() {
    let times = even(300);
    let frozen = |from: usize, to: usize| {
        let mut values = wave(300);
        let held = values[from];
        values[from..to].fill(held);
        spots(&about(&clip(vec![linear(&times, &values)], None), Topic::Standstill))
    };
    assert_eq!(frozen(100, 151), [(2.0, Some(3.0), 100)]);
    assert_eq!(frozen(100, 110), [], "too short");
    assert_eq!(frozen(0, 60), [], "nothing moves before");
    assert_eq!(frozen(200, 300), [], "nothing moves after");
}

#[test]
fn frequent_rests_are_no_standstill() {
    let mut values = wave(600);
    for start in (0..600).step_by(4) {
        let held = values[start];
        values[start..start + 2].fill(held);
    }
    let held = values[100];
    values[100..200].fill(held);
    let made = clip(vec![linear(&even(600), &values)], None);
    assert_eq!(about(&made, Topic::Standstill), []);
}

#[test]
fn tracking_loss_needs_prior_tracking() {
    let lost = switch(&[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0, 1.0, 0.0, 1.0, 0.0]);
    let made = clip(vec![lost, linear(&[0.0, 5.0], &[0.0, 1.0])], Some(0));
    let found = about(&made, Topic::Untracked);
    assert_eq!(spots(&found), [(2.0, Some(3.0), 2), (4.0, Some(5.0), 4)]);
    assert_eq!(found[0].message, "node: not shown for 1.00 s");
    assert_eq!(found[1].message, "node: not shown for 1.00 s, up to the end");
    let last = switch(&[0.0, 4.999, 5.0], &[1.0, 0.0, 0.0]);
    let made = clip(vec![last, linear(&[0.0, 5.0], &[0.0, 1.0])], Some(0));
    let found = about(&made, Topic::Untracked);
    assert_eq!(found[0].message, "node: not shown for 1.0e-3 s, up to the end");
    let at_the_end = switch(&[0.0, 5.0], &[1.0, 0.0]);
    let made = clip(vec![at_the_end, linear(&[0.0, 5.0], &[0.0, 1.0])], Some(0));
    assert_eq!(about(&made, Topic::Untracked), []);
    let never = clip(vec![switch(&[0.0, 1.0], &[0.0, 0.0])], Some(0));
    assert_eq!(about(&never, Topic::Untracked), []);
}

#[test]
fn early_ends_of_tracks_and_files_are_found() {
    let tracks = vec![linear(&even(500), &wave(500)), linear(&even(300), &wave(300))];
    let made = clip(tracks, None);
    let found = about(&made, Topic::EarlyEnd);
    assert_eq!(spots(&found), [(299.0 / RATE, Some(499.0 / RATE), 299)]);
    let mut declared = clip(vec![linear(&even(500), &wave(500))], None);
    declared.span.duration = 20.0;
    let found = about(&declared, Topic::EarlyEnd);
    assert_eq!(spots(&found), [(499.0 / RATE, Some(20.0), 499)]);
    assert!(found[0].message.contains("no track has a key in the last 10.02 s of 20.00 s"));
}

#[test]
fn issues_on_many_tracks_at_one_time_are_merged() {
    let mut values = wave(100);
    values[50] = f64::NAN;
    let tracks = vec![linear(&even(100), &values); 40];
    let found = about(&clip(tracks, None), Topic::NonFinite);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.starts_with("node.value and 39 more: "), "{}", found[0].message);
}

#[test]
fn issues_per_track_are_limited() {
    let count = 100_000;
    let values: Vec<f64> =
        (0..count).map(|key| if key % 2 == 0 { f64::NAN } else { key as f64 }).collect();
    let found = about(&clip(vec![linear(&even(count), &values)], None), Topic::NonFinite);
    assert_eq!(found.len(), 11);
    let last = found.last().unwrap();
    assert_eq!(last.end, Some((count - 2) as f64 / RATE));
    assert!(last.message.contains("49990 more of the same here"), "{}", last.message);
}

#[test]
fn issues_per_check_are_limited_to_a_thousand() {
    let track = |index: usize| {
        let times: Vec<f64> = even(40).iter().map(|time| time + 1e-4 * index as f64).collect();
        let values: Vec<f64> =
            (0..40).map(|key| if key % 2 == 0 { f64::NAN } else { key as f64 }).collect();
        linear(&times, &values)
    };
    // Ten of each track, and how many more there are.
    let found = about(&clip((0..150).map(track).collect(), None), Topic::NonFinite);
    assert_eq!(found.len(), 1001);
    let counts = |one: &Issue| one.message.starts_with("650 more of the same kind");
    assert!(found.iter().any(counts), "{:?}", found[0]);
}

#[test]
fn decoder_notices_and_issues_are_merged() {
    let bytes = include_bytes!("../../../../../tests/data/mrtk/bad/key-value-nan.bin");
    let broken = formats::decode(bytes, &DecodeRequest::default()).unwrap();
    assert_eq!(unreported_issues(&broken), []);
    let all = all_issues(&broken);
    let about: Vec<_> = all.iter().filter(|one| one.topic == Some(Topic::NonFinite)).collect();
    assert_eq!((all.len(), about.len()), (1, 1));
    assert!(about[0].key.is_some(), "the checks place it");
    assert_eq!(about[0].severity, Severity::Warning);
}

#[test]
fn notices_know_their_track() {
    let bytes = include_bytes!("../../../../../tests/data/mrtk/bad/wrap-unknown.bin");
    let all = all_issues(&formats::decode(bytes, &DecodeRequest::default()).unwrap());
    let tracks: Vec<_> = all.iter().map(|one| (one.topic, one.track, one.node())).collect();
    let (first_track, first_node) = (TrackId::new(0), crate::clip::NodeId::new(0));
    assert_eq!(tracks, [(None, Some(first_track), Some(first_node))]);
}
