//! Compares values with those of an independent reference, and compares different encodings of the
//! same animation.

use mutoscope_core::clip::{AnyCurve, Clip, RotationRule, TrackId, Value};
use mutoscope_core::{ReadOptions, decode};

use serde_json::Value as Json;

use mutoscope_testing::fixtures;

/// Relative to the expected value, or absolute if that is below 1.
const TOLERANCE: f64 = 2e-5;

fn clip(name: &str) -> Clip {
    decode(&fixtures::resonite_file(name), &ReadOptions::default()).unwrap()
}

fn components(value: &Value) -> Vec<Value> {
    match value {
        Value::Bools(bools) => bools.iter().map(|&value| Value::Bool(value)).collect(),
        Value::Integers(integers) => integers.iter().map(|&value| Value::Integer(value)).collect(),
        Value::Numbers(numbers) => numbers.iter().map(|&value| Value::Number(value)).collect(),
        value => vec![value.clone()],
    }
}

fn is_close(found: &Value, expected: &Json) -> bool {
    match found {
        Value::Null => expected.is_null(),
        Value::Bool(found) => expected.as_bool() == Some(*found),
        Value::Integer(found) => {
            let signed = expected.as_i64().map(i128::from);
            signed.or(expected.as_u64().map(i128::from)) == Some(*found)
                // The reference may round half-way cases differently, and its doubles cannot hold
                // every interpolated integer.
                || expected.as_f64().is_some_and(|expected| {
                    let error = (*found as f64 - expected).abs();
                    error <= TOLERANCE * expected.abs().max(1.0)
                })
        }
        Value::Number(found) => {
            let expected = expected.as_f64().unwrap();
            (found - expected).abs() <= TOLERANCE * expected.abs().max(1.0)
        }
        Value::Text(found) => expected.as_str() == Some(found),
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_match_the_reference() {
    let golden = fixtures::json("animj/generated/golden_samples.json");
    let mut compared = 0;
    let is_slerp = |file: &&Json| file["opts"]["quat"] == "slerp";
    for file in golden.as_array().unwrap().iter().filter(is_slerp) {
        let name = file["file"].as_str().unwrap();
        let clip = clip(name);
        let tracks = file["tracks"].as_array().unwrap();
        assert_eq!(clip.tracks.len(), tracks.len(), "{name}");
        let (start, step) = (file["t0"].as_f64().unwrap(), file["step"].as_f64().unwrap());
        for (index, samples) in tracks.iter().enumerate() {
            let samples = samples.as_array().unwrap();
            assert_eq!(samples.len() as u64, file["n"].as_u64().unwrap() + 1);
            for (sample, expected) in samples.iter().enumerate() {
                let time = start + sample as f64 * step;
                let value = clip.value(TrackId::new(index), time);
                let (found, expected) = (components(&value), expected.as_array().unwrap());
                assert_eq!(found.len(), expected.len(), "{name} track {index}");
                for (found, expected) in found.iter().zip(expected) {
                    let label =
                        format!("{name} track {index} at {time}: {found:?}, expected {expected}");
                    assert!(is_close(found, expected), "{label}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn engine_rotations_match_the_reference() {
    let golden = fixtures::json("animj/generated/golden_samples.json");
    let file =
        golden.as_array().unwrap().iter().find(|file| file["opts"]["quat"] == "lerp").unwrap();
    let mut clip = clip(file["file"].as_str().unwrap());
    clip.convention.rotation.value = RotationRule::AsAuthored;
    let mut compared = 0;
    for (index, samples) in file["tracks"].as_array().unwrap().iter().enumerate() {
        let track = &clip.tracks[index];
        if clip.owner_name(track.owner) != "C" || !track.curve.type_name().ends_with('Q') {
            continue;
        }
        for (sample, expected) in samples.as_array().unwrap().iter().enumerate() {
            let time =
                file["t0"].as_f64().unwrap() + sample as f64 * file["step"].as_f64().unwrap();
            // This segment uses Tangent, for which the reference has its own formula.
            if (1.9..2.5).contains(&time) {
                continue;
            }
            let value = clip.value(TrackId::new(index), time);
            for (found, expected) in components(&value).iter().zip(expected.as_array().unwrap()) {
                assert!(
                    is_close(found, expected),
                    "track {index} at {time}: {found:?}, {expected}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Asserts that two clips are equal except for f32 rounding.
fn assert_equal_clips(one: &Clip, other: &Clip, label: &str) {
    for (index, (a, b)) in one.tracks.iter().zip(&other.tracks).enumerate() {
        let label = format!("{label}: track {index}");
        assert_eq!(one.owner_name(a.owner), other.owner_name(b.owner), "{label}");
        assert_eq!(a.property, b.property, "{label}");
        assert_eq!(a.curve.type_name(), b.curve.type_name(), "{label}");
        assert_eq!(a.curve.key_count(), b.curve.key_count(), "{label}");
        for (a, b) in a.curve.key_times().iter().zip(b.curve.key_times()) {
            assert!((a - b).abs() < 1e-6 * a.abs().max(1.0), "{label}: {a} and {b}");
        }
        for key in 0..a.curve.key_count() {
            let (a, b) = (a.curve.key_value(key), b.curve.key_value(key));
            for (a, b) in components(&a).iter().zip(&components(&b)) {
                let expected = serde_json::to_value(b).unwrap();
                assert!(is_close(a, &expected), "{label} key {key}: {a:?} and {b:?}");
            }
        }
        for step in 0..40 {
            // Never sample on a key, because f32 rounding would decide on which side of a step the
            // time lies.
            let time = -0.0937 + f64::from(step) * 0.0731;
            let (a, b) = (a.curve.value(time), b.curve.value(time));
            for (a, b) in components(&a).iter().zip(&components(&b)) {
                let expected = serde_json::to_value(b).unwrap();
                assert!(is_close(a, &expected), "{label} at {time}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn every_encoding_of_an_animation_is_equal() {
    for encodings in [
        &[
            "generated/all_types.animj",
            "generated/all_types.animx",
            "generated/all_types_lzma.animx",
            "generated/all_types_valuefirst.animx",
        ][..],
        &["generated/coverage.animj", "generated/coverage_by_resonite_core.animx"],
        &["redx_test.animj", "redx_test.animx"],
        &["redx_response.animj", "redx_response.animx"],
        &["rig/arm_swing.animj", "rig/arm_swing.animx", "rig/arm_swing_lzma.animx"],
    ] {
        let first = clip(encodings[0]);
        for other in &encodings[1..] {
            let clip = clip(other);
            // This file lacks the string tracks, which are the last tracks of the others.
            let strings = if other.contains("valuefirst") { 2 } else { 0 };
            assert_eq!(first.tracks.len(), clip.tracks.len() + strings, "{other}");
            assert_equal_clips(&first, &clip, other);
        }
    }
}

#[test]
fn matrices_are_read_row_by_row() {
    let clip = clip("generated/matrices.animx");
    let sizes =
        clip.tracks.iter().map(|track| (track.curve.type_name(), track.curve.components().len()));
    let expected = [("float2x2", 4), ("float3x3", 9), ("float4x4", 16), ("double4x4", 16)];
    assert_eq!(sizes.collect::<Vec<_>>(), expected);
    assert!(clip.tracks.iter().all(|track| matches!(track.curve, AnyCurve::Typed(_))));
}
