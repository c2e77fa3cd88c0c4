//! Compares every kind of sampler with three.js, and a character of Blender with Blender.

use std::fs;

use glam::{DQuat, DVec3};
use mutoscope_core::clip::{Clip, FactOrigin, Value};
use serde_json::Value as Json;

use crate::gltf::{SAMPLERS, WALKER, decode, index, pose};
use mutoscope_testing::fixtures;

fn numbers<const N: usize>(json: &Json) -> [f64; N] {
    assert_eq!(json.as_array().unwrap().len(), N);
    std::array::from_fn(|at| json[at].as_f64().unwrap())
}

fn sample_signal(clip: &Clip, name: &str, time: f64) -> f64 {
    let signal = clip.signals.iter().find(|signal| signal.name == name).unwrap();
    match clip.value(signal.track, time) {
        Value::Number(number) => number,
        other => panic!("{name}: {other:?}"),
    }
}

/// three.js interpolates in single precision.
const TOLERANCE: f64 = 2e-5;

#[test]
fn every_sampler_matches_three_js() {
    let expected = fixtures::json("gltf/samplers.json");
    for file in SAMPLERS {
        let bytes = fs::read(fixtures::path("gltf").join(file)).unwrap();
        let animations = expected.as_array().unwrap();
        let names: Vec<_> = animations
            .iter()
            .map(|animation| animation["name"].as_str().unwrap().replace('_', " "))
            .collect();
        assert_eq!(names, ["Linear", "Step", "Cubic", "Packed", "animation 4"]);
        for (name, animation) in names.iter().zip(animations) {
            let clip = decode(&bytes, Some(name));
            assert_eq!(clip.span.end(), animation["duration"].as_f64().unwrap(), "{name}");
            for row in animation["rows"].as_array().unwrap() {
                assert_row(&clip, row, &format!("{file} {name}"));
            }
        }
    }
}

fn assert_row(clip: &Clip, row: &Json, what: &str) {
    let time = row["time"].as_f64().unwrap();
    let pose = pose(clip, time);
    let nodes = row["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 4);
    for expected in nodes {
        let name = expected["name"].as_str().unwrap();
        let found = &pose.nodes[index(clip, name)];
        let vector = |part: &str| DVec3::from_array(numbers(&expected[part]));
        let assert_near = |found: DVec3, part: &str, tolerance: f64| {
            let expected = vector(part);
            assert!(
                found.abs_diff_eq(expected, tolerance),
                "{what} {name}.{part} at {time}: {found}, expected {expected}"
            );
        };
        assert_near(found.local.translation, "translation", TOLERANCE);
        assert_near(found.local.scale, "scale", TOLERANCE);
        // Eight-bit quaternion keys do not have unit length, and three.js does not normalise them.
        let tolerance = if what.ends_with("Packed") { 1e-2 } else { TOLERANCE };
        assert_near(found.world.translation, "world", tolerance);
        let rotation = DQuat::from_array(numbers(&expected["rotation"])).normalize();
        let difference = 1.0 - found.local.rotation.dot(rotation).abs();
        let max_difference = if what.ends_with("Packed") && name == "knee" { 1e-6 } else { 1e-9 };
        assert!(difference < max_difference, "{what} {name}.rotation at {time}: {difference}");
    }
    if clip.signals.is_empty() {
        return;
    }
    let weights: [f64; 2] = numbers(&row["weights"]);
    let found =
        ["smile", "frown"].map(|name| sample_signal(clip, &format!("face.weights.{name}"), time));
    for (found, expected) in found.iter().zip(weights) {
        assert!(
            (found - expected).abs() < TOLERANCE,
            "{what} weights at {time}: {found} {expected}"
        );
    }
}

#[test]
fn character_positions_match_blender() {
    let expected = fixtures::json("gltf/walker.json");
    for name in ["Walk", "Greet"] {
        let clip = decode(WALKER, Some(name));
        assert_eq!(clip.name, name);
        for row in expected[name].as_array().unwrap() {
            let time = row["time"].as_f64().unwrap();
            let pose = pose(&clip, time);
            for (joint, position) in row["joints"].as_object().unwrap() {
                let found = pose.nodes[index(&clip, joint)].world.translation;
                let position = DVec3::from_array(numbers(position));
                assert!(
                    found.abs_diff_eq(position, 2e-5),
                    "{name} {joint} at {time}: {found} {position}"
                );
            }
            let expected = row["breathe"].as_f64().unwrap();
            let found = sample_signal(&clip, "Body.weights.Breathe", time);
            assert!((found - expected).abs() < 1e-5, "{name} at {time}: {found} {expected}");
        }
    }
}

#[test]
fn facts_fixed_by_the_standard_are_declared() {
    let clip = decode(WALKER, None);
    assert!(clip.convention.fact_names(FactOrigin::Assumed).is_empty());
    assert_eq!((clip.version.as_str(), clip.format.as_str()), ("2.0", "gltf"));
}
