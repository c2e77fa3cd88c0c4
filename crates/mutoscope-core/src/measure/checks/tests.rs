//! Tests every check on clips with known defects.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DQuat, DVec3, DVec4};

use super::testing::{
    RATE_HZ, clip, diagnostics_about, even_times, key_spans, number_track, rotation_track,
    switch_track, wave,
};
use super::*;
use crate::{
    clip::{Blend, RotationRule, Shapes, Unit},
    diagnostics::SourceLocation,
    formats::{ReadOptions, decode},
};

fn linear_track(times: &[f64], values: &[f64]) -> Track {
    number_track(times, values, Shapes::Linear, Unit::Metres)
}

fn y_rotation(degrees: f64) -> DVec4 {
    DQuat::from_rotation_y(degrees.to_radians()).into()
}

#[test]
fn valid_motion_has_no_diagnostics() {
    let times = even_times(500);
    let turns: Vec<_> = wave(500).iter().map(|angle| y_rotation(angle * 40.0)).collect();
    let tracks =
        vec![linear_track(&times, &wave(500)), rotation_track(&times, &turns, Blend::Lerp)];
    assert_eq!(check_clip(&clip(tracks, None)), []);
}

#[test]
fn each_step_runs_one_check_on_one_series_or_track() {
    let mut broken = wave(100);
    broken[7] = f64::NAN;
    let clip = clip(
        vec![linear_track(&even_times(100), &wave(100)), linear_track(&even_times(100), &broken)],
        None,
    );
    let mut run = CheckRun::new(&clip);
    let mut steps = 0;
    while run.step().is_continue() {
        steps += 1;
    }
    // Three checks of each series, two of each track, and three of the clip.
    assert_eq!(steps, 2 * 3 + 2 * 2 + 3);
    let diagnostics = run.finish();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics, check_clip(&clip));
}

#[test]
fn non_finite_values_are_found_singly_and_in_runs() {
    let mut values = wave(100);
    values[7] = f64::NAN;
    values[20..25].fill(f64::INFINITY);
    let found = diagnostics_about(
        &clip(vec![linear_track(&even_times(100), &values)], None),
        Topic::NonFinite,
    );
    assert_eq!(
        key_spans(&found),
        [(7.0 / RATE_HZ, None, 7), (20.0 / RATE_HZ, Some(24.0 / RATE_HZ), 20)]
    );
    assert!(found.iter().all(|diagnostic| diagnostic.severity == Severity::Warning));
    assert_eq!(found[0].message, "node.value: the value of key 8 is not finite");
    assert_eq!(found[1].message, "node.value: 5 consecutive values are not finite");
    assert_eq!(found[0].location, SourceLocation::span(16 + 7 * 8, 8));
}

#[test]
fn sorted_keys_are_found_at_their_times() {
    let mut track = linear_track(&even_times(5), &wave(5));
    track.source = track.source.reordered(&[0, 2, 1, 3, 4]);
    let found = diagnostics_about(&clip(vec![track], None), Topic::Unsorted);
    assert_eq!(key_spans(&found), [(2.0 / RATE_HZ, None, 2)]);
}

#[test]
fn several_keys_at_one_time_are_one_diagnostic() {
    let found = diagnostics_about(
        &clip(vec![linear_track(&[0.0, 1.0, 1.0, 1.0, 2.0, 2.0], &wave(6))], None),
        Topic::SameTime,
    );
    assert_eq!(key_spans(&found), [(1.0, None, 1), (2.0, None, 4)]);
    assert_eq!(found[0].message, "node.value: 3 keys at the same time; the last of them applies");
}

#[test]
fn zero_and_unnormalised_quaternions_are_distinguished() {
    let mut keys = vec![y_rotation(10.0); 8];
    keys[1] = DVec4::ZERO;
    keys[4] *= 1.04;
    keys[5] *= 1.2;
    keys[6] *= 0.5;
    let broken = clip(vec![rotation_track(&even_times(8), &keys, Blend::Lerp)], None);
    assert_eq!(
        key_spans(&diagnostics_about(&broken, Topic::ZeroQuaternion)),
        [(1.0 / RATE_HZ, None, 1)]
    );
    let lengths = diagnostics_about(&broken, Topic::UnitLength);
    assert_eq!(key_spans(&lengths), [(5.0 / RATE_HZ, Some(6.0 / RATE_HZ), 5)]);
    assert!(lengths[0].message.ends_with("the worst has length 0.500"), "{}", lengths[0].message);
}

#[test]
fn negated_keys_are_long_turns_only_by_the_engine_rule() {
    let keys = [y_rotation(0.0), -y_rotation(60.0), -y_rotation(100.0)];
    let of = |authored_blend, rule| {
        let mut broken = clip(vec![rotation_track(&even_times(3), &keys, authored_blend)], None);
        broken.convention.rotation.value = rule;
        diagnostics_about(&broken, Topic::LongTurn)
    };
    let found = of(Blend::Lerp, RotationRule::AsAuthored);
    assert_eq!(key_spans(&found), [(0.0, Some(1.0 / RATE_HZ), 0)]);
    assert_eq!(
        found[0].message,
        "node.rotation: turns by 300° up to the next key, the long way round"
    );
    let found = of(Blend::Slerp, RotationRule::Continuous);
    assert!(found[0].message.contains("stored as a turn by 300°, but played as a turn by 60°"));
    assert_eq!(of(Blend::ShortSlerp, RotationRule::AsAuthored), []);
}

#[test]
fn half_turns_are_reported_under_both_rotation_rules() {
    let keys = [y_rotation(0.0), y_rotation(179.8), y_rotation(0.0), y_rotation(170.0)];
    let broken = clip(vec![rotation_track(&even_times(4), &keys, Blend::ShortSlerp)], None);
    let found = diagnostics_about(&broken, Topic::LongTurn);
    assert_eq!(key_spans(&found).len(), 2);
    assert!(found[0].message.contains("179.8°"), "{}", found[0].message);
}

#[test]
fn linear_angles_can_be_long_turns() {
    let times = even_times(4);
    let degrees = [0.0, 350.0, 355.0, 5.0];
    let of = |values: &[f64], shapes, unit| {
        key_spans(&diagnostics_about(
            &clip(vec![number_track(&times, values, shapes, unit)], None),
            Topic::LongTurn,
        ))
        .len()
    };
    assert_eq!(of(&degrees, Shapes::Linear, Unit::Degrees), 2);
    assert_eq!(of(&degrees, Shapes::Step, Unit::Degrees), 0);
    assert_eq!(of(&degrees, Shapes::Linear, Unit::Metres), 0);
    assert_eq!(of(&[0.0, 3.0, PI + 3.2, FRAC_PI_2], Shapes::Linear, Unit::Radians), 2);
}

#[test]
fn misplaced_key_is_a_jump_and_fast_motion_is_not() {
    let times = even_times(300);
    let mut values = wave(300);
    values[150] += 5.0;
    let found = diagnostics_about(&clip(vec![linear_track(&times, &values)], None), Topic::Jump);
    assert_eq!(key_spans(&found), [(149.0 / RATE_HZ, Some(151.0 / RATE_HZ), 149)]);
    assert!(found[0].message.starts_with("node.value: jumps by "), "{}", found[0].message);
    assert_eq!(found[0].severity, Severity::Info);

    // This motion goes as far, but it accelerates and decelerates as hands do.
    let mut reach = wave(300);
    for (step, value) in reach[150..].iter_mut().enumerate() {
        *value += 2.5 * (1.0 - (PI * (step.min(20) as f64) / 20.0).cos());
    }
    assert_eq!(diagnostics_about(&clip(vec![linear_track(&times, &reach)], None), Topic::Jump), []);
}

#[test]
fn jumps_while_hidden_are_ignored() {
    let times = even_times(300);
    let mut values = wave(300);
    values[150] += 5.0;
    let lost = switch_track(&[0.0, 2.9, 3.1], &[1.0, 0.0, 1.0]);
    let broken = clip(vec![linear_track(&times, &values), lost], Some(1));
    assert_eq!(diagnostics_about(&broken, Topic::Jump), []);
}

#[test]
fn rotations_jump_by_degrees() {
    let mut keys: Vec<_> = wave(300).iter().map(|angle| y_rotation(angle * 30.0)).collect();
    for key in &mut keys[100..] {
        *key = DQuat::from_vec4(*key).mul_quat(DQuat::from_axis_angle(DVec3::Y, 1.5)).into();
    }
    let broken = clip(vec![rotation_track(&even_times(300), &keys, Blend::Lerp)], None);
    let found = diagnostics_about(&broken, Topic::Jump);
    assert_eq!(key_spans(&found), [(99.0 / RATE_HZ, Some(100.0 / RATE_HZ), 99)]);
}

#[test]
fn repeated_keys_between_motion_are_a_standstill() {
    let times = even_times(300);
    let frozen = |from: usize, to: usize| {
        let mut values = wave(300);
        let held = values[from];
        values[from..to].fill(held);
        key_spans(&diagnostics_about(
            &clip(vec![linear_track(&times, &values)], None),
            Topic::Standstill,
        ))
    };
    assert_eq!(frozen(100, 151), [(2.0, Some(3.0), 100)]);
    assert_eq!(frozen(100, 110), [], "too short");
    assert_eq!(frozen(0, 60), [], "nothing moves before");
    assert_eq!(frozen(200, 300), [], "nothing moves after");
}

#[test]
fn frequent_rests_are_not_a_standstill() {
    let mut values = wave(600);
    for start in (0..600).step_by(4) {
        let held = values[start];
        values[start..start + 2].fill(held);
    }
    let held = values[100];
    values[100..200].fill(held);
    let broken = clip(vec![linear_track(&even_times(600), &values)], None);
    assert_eq!(diagnostics_about(&broken, Topic::Standstill), []);
}

#[test]
fn tracking_loss_needs_prior_tracking() {
    let lost = switch_track(&[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0, 1.0, 0.0, 1.0, 0.0]);
    let broken = clip(vec![lost, linear_track(&[0.0, 5.0], &[0.0, 1.0])], Some(0));
    let found = diagnostics_about(&broken, Topic::Untracked);
    assert_eq!(key_spans(&found), [(2.0, Some(3.0), 2), (4.0, Some(5.0), 4)]);
    assert_eq!(found[0].message, "node: not shown for 1.00 s");
    assert_eq!(found[1].message, "node: not shown for 1.00 s, up to the end");
    let last = switch_track(&[0.0, 4.999, 5.0], &[1.0, 0.0, 0.0]);
    let broken = clip(vec![last, linear_track(&[0.0, 5.0], &[0.0, 1.0])], Some(0));
    let found = diagnostics_about(&broken, Topic::Untracked);
    assert_eq!(found[0].message, "node: not shown for 1.0e-3 s, up to the end");
    let at_the_end = switch_track(&[0.0, 5.0], &[1.0, 0.0]);
    let broken = clip(vec![at_the_end, linear_track(&[0.0, 5.0], &[0.0, 1.0])], Some(0));
    assert_eq!(diagnostics_about(&broken, Topic::Untracked), []);
    let never = clip(vec![switch_track(&[0.0, 1.0], &[0.0, 0.0])], Some(0));
    assert_eq!(diagnostics_about(&never, Topic::Untracked), []);
}

#[test]
fn early_ends_of_tracks_and_files_are_found() {
    let tracks = vec![
        linear_track(&even_times(500), &wave(500)),
        linear_track(&even_times(300), &wave(300)),
    ];
    let broken = clip(tracks, None);
    let found = diagnostics_about(&broken, Topic::EarlyEnd);
    assert_eq!(key_spans(&found), [(299.0 / RATE_HZ, Some(499.0 / RATE_HZ), 299)]);
    let mut declared = clip(vec![linear_track(&even_times(500), &wave(500))], None);
    declared.span.duration = 20.0;
    let found = diagnostics_about(&declared, Topic::EarlyEnd);
    assert_eq!(key_spans(&found), [(499.0 / RATE_HZ, Some(20.0), 499)]);
    assert!(found[0].message.contains("no track has a key in the last 10.02 s of 20.00 s"));
}

#[test]
fn diagnostics_on_many_tracks_at_one_time_are_merged() {
    let mut values = wave(100);
    values[50] = f64::NAN;
    let tracks = vec![linear_track(&even_times(100), &values); 40];
    let found = diagnostics_about(&clip(tracks, None), Topic::NonFinite);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.starts_with("node.value and 39 more: "), "{}", found[0].message);
}

#[test]
fn diagnostics_per_track_are_limited() {
    let count = 100_000;
    let values: Vec<f64> =
        (0..count).map(|key| if key % 2 == 0 { f64::NAN } else { key as f64 }).collect();
    let found = diagnostics_about(
        &clip(vec![linear_track(&even_times(count), &values)], None),
        Topic::NonFinite,
    );
    assert_eq!(found.len(), 11);
    let last = found.last().unwrap();
    assert_eq!(last.end, Some((count - 2) as f64 / RATE_HZ));
    assert!(last.message.contains("49990 more issues like this on the track"), "{}", last.message);
}

#[test]
fn diagnostics_per_check_are_limited_to_a_thousand() {
    let track = |index: usize| {
        let times: Vec<f64> =
            even_times(40).iter().map(|time| time + 1e-4 * index as f64).collect();
        let values: Vec<f64> =
            (0..40).map(|key| if key % 2 == 0 { f64::NAN } else { key as f64 }).collect();
        linear_track(&times, &values)
    };
    // Each track lists ten diagnostics, and counts the others in one more.
    let found = diagnostics_about(&clip((0..150).map(track).collect(), None), Topic::NonFinite);
    assert_eq!(found.len(), 1001);
    let counts = |one: &ClipDiagnostic| one.message.starts_with("650 more issues of this kind");
    assert!(found.iter().any(counts), "{:?}", found[0]);
}

#[test]
fn decoder_and_check_diagnostics_are_merged() {
    let bytes = include_bytes!("../../../../../tests/data/mrtk/bad/key-value-nan.bin");
    let broken = decode(bytes, &ReadOptions::default()).unwrap();
    assert_eq!(unreported_diagnostics(&broken), []);
    let all = check_clip(&broken);
    let non_finite: Vec<_> =
        all.iter().filter(|one| one.topic() == Some(Topic::NonFinite)).collect();
    assert_eq!((all.len(), non_finite.len()), (1, 1));
    assert!(non_finite[0].key.is_some(), "the check finds the key");
    assert_eq!(non_finite[0].severity, Severity::Warning);
}

#[test]
fn decoder_diagnostics_have_their_track() {
    let bytes = include_bytes!("../../../../../tests/data/mrtk/bad/wrap-unknown.bin");
    let all = check_clip(&decode(bytes, &ReadOptions::default()).unwrap());
    let tracks: Vec<_> = all.iter().map(|one| (one.topic(), one.track, one.node())).collect();
    let (first_track, first_node) = (TrackId::new(0), crate::clip::NodeId::new(0));
    assert_eq!(tracks, [(None, Some(first_track), Some(first_node))]);
}
