//! Compares single curves with the values of an independent evaluator (`curve_cases.json`).

use mutoscope_core::clip::{Clip, Value};
use serde_json::Value as Json;

use crate::mrtk::clip;
use mutoscope_testing::{
    fixtures,
    recording::{FullKey, Keys, Recording},
};

const TOLERANCE: f64 = 1e-5;

fn number(json: &Json) -> f64 {
    match json.as_str() {
        Some("inf") => f64::INFINITY,
        Some(other) => panic!("expected a number, found {other}"),
        None => json.as_f64().unwrap(),
    }
}

/// Builds a recording that holds the case as `position.x` of the camera, or as the `tracked` curve
/// of the left hand.
fn clip_from_case(case: &Json) -> (Clip, &'static str) {
    let full_key = |key: &Json| -> FullKey {
        let numbers = [0, 1, 2, 3, 4, 5].map(|index| number(&key[index]) as f32);
        (numbers, key[6].as_i64().unwrap() as i32)
    };
    let keys = case["keys"].as_array().unwrap();
    let wrap = ["pre", "post"].map(|side| case[side].as_i64().unwrap() as i32);
    let mut recording = Recording::v1_0();
    if case["kind"] == "bool" {
        let pairs: Vec<_> =
            keys.iter().map(|key| (number(&key[0]) as f32, number(&key[1]) as f32)).collect();
        let tracked = Keys { wrap, ..Keys::simple(&pairs) };
        recording.hands.as_mut().unwrap()[0].tracked = tracked;
        (clip(&recording.encode()), "tracked")
    } else {
        let keys: Vec<_> = keys.iter().map(full_key).collect();
        recording.camera.as_mut().unwrap()[0] = Keys { wrap, ..Keys::full(&keys) };
        (clip(&recording.encode()), "position.x")
    }
}

#[test]
fn every_case_matches_the_reference() {
    let cases = fixtures::json("mrtk/curve_cases.json");
    let cases = cases.as_object().unwrap();
    assert_eq!(cases.len(), 19);
    for (name, case) in cases {
        let (clip, property) = clip_from_case(case);
        let track = clip.tracks.iter().find(|track| track.property == property).unwrap();
        for sample in case["samples"].as_array().unwrap() {
            let (time, expected) = (number(&sample[0]), number(&sample[1]));
            let found = match track.curve.value(time) {
                Value::Number(number) => number,
                Value::Bool(is_true) => f64::from(u8::from(is_true)),
                // A curve without keys has no value, and the reference evaluates such a curve to 0.
                Value::Null => 0.0,
                other => panic!("{other:?}"),
            };
            assert!(
                (found - expected).abs() < TOLERANCE,
                "{name} at {time}: {found}, expected {expected}"
            );
        }
    }
}

/// With full weights on both sides, time just barely runs forward along the curve.
#[test]
fn easing_curve_rises_monotonically() {
    let keys = [([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], 3), ([1.0, 1.0, 0.0, 0.0, 1.0, 0.0], 3)];
    let mut recording = Recording::v1_0();
    recording.camera.as_mut().unwrap()[0] = Keys::full(&keys);
    let clip = clip(&recording.encode());
    let values =
        (0..=1000).map(|step| match clip.tracks[0].curve.value(f64::from(step) / 1000.0) {
            Value::Number(number) => number,
            other => panic!("{other:?}"),
        });
    assert!(values.is_sorted());
}
