//! Compares poses with the values of an independent reader (`expected.json`).
//!
//! The values are in source space: left-handed, Y up, metres. `left` holds rotations whose
//! components are interpolated as stored, `left_hemi` holds rotations that take the short way
//! between keys.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, Pose, RotationRule, Value},
    diagnostics::SourceLocation,
    formats::mrtk::{self, Version},
};
use serde_json::Value as Json;

use crate::mrtk::{clip, node, pose};
use mutoscope_testing::fixtures::{json, mrtk_file};

const TOLERANCE: f64 = 1e-5;

/// The rotations of this file lost their w. We rebuild it, the reference reader does not.
const LOST_W: &str = "proc_v11_wbug.bin";

fn for_each_file(test: impl Fn(&str, &[u8], &Json)) {
    let expected = json("mrtk/expected.json");
    let files = expected.as_object().unwrap();
    assert_eq!(files.len(), 8);
    for (name, expected) in files {
        test(name, &mrtk_file(name), expected);
    }
}

fn for_each_sample(test: impl Fn(&str, &mut Clip, &Json)) {
    for_each_file(|name, bytes, expected| {
        let mut clip = clip(bytes);
        for sample in expected["samples"].as_array().unwrap() {
            test(&format!("{name} at {}", sample["t"]), &mut clip, sample);
        }
    });
}

fn numbers<const N: usize>(json: &Json) -> [f64; N] {
    let numbers: Vec<f64> =
        json.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
    numbers.try_into().unwrap()
}

fn mirrored_point(json: &Json) -> DVec3 {
    let [x, y, z] = numbers(json);
    DVec3::new(x, y, -z)
}

fn mirrored_rotation(json: &Json) -> DQuat {
    let [x, y, z, w] = numbers(json);
    DQuat::from_xyzw(-x, -y, z, w)
}

fn assert_point(found: DVec3, expected: DVec3, label: &str) {
    assert!(found.abs_diff_eq(expected, TOLERANCE), "{label}: {found}, expected {expected}");
}

/// Accepts the negated quaternion too, because it is the same rotation.
fn assert_rotation(found: DQuat, expected: DQuat, label: &str) {
    let same = found.abs_diff_eq(expected, TOLERANCE) || found.abs_diff_eq(-expected, TOLERANCE);
    assert!(same, "{label}: {found}, expected {expected}");
}

#[test]
fn headers_match_the_reference() {
    for_each_file(|name, bytes, expected| {
        let document = mrtk::decode(bytes).unwrap();
        let [major, minor] = numbers::<2>(&expected["version"]);
        assert_eq!(document.version_text(), format!("{major}.{minor}"), "{name}");
        let parts = [document.camera.is_some(), document.hands.is_some(), document.gaze.is_some()];
        assert_eq!(serde_json::json!(parts), expected["flags"], "{name}");
        let layout = expected["layout"].as_str().unwrap();
        assert_eq!(format!("{:?}", document.layout).to_lowercase(), layout, "{name}");
        let keys: usize = document.curves().map(|curve| curve.len()).sum();
        assert_eq!(keys, expected["key_count"], "{name}");
        assert_eq!(matches!(document.version, Version::V1_0), minor == 0.0, "{name}");
    });
}

#[test]
fn spans_and_markers_match_the_reference() {
    for_each_file(|name, bytes, expected| {
        let clip = clip(bytes);
        assert_eq!(clip.span.start, 0.0, "{name}");
        assert_eq!(clip.span.duration, expected["duration"], "{name}");
        let events: Vec<_> = clip.events.iter().map(|e| (e.time, e.name.as_str())).collect();
        let markers = expected["markers"].as_array().cloned().unwrap_or_default();
        assert_eq!(serde_json::json!(events), Json::from(markers), "{name}");
        for event in &clip.events {
            let SourceLocation::Bytes(range) = &event.location else { panic!("{event:?}") };
            let time = &bytes[range.start as usize..][..4];
            assert_eq!(f64::from(f32::from_le_bytes(time.try_into().unwrap())), event.time);
        }
    });
}

#[test]
fn tracking_and_pinch_match_the_reference() {
    for_each_sample(|label, clip, sample| {
        let pose = pose(clip, sample["t"].as_f64().unwrap());
        for property in ["tracked", "pinch"] {
            let Some(expected) = sample[property].as_array() else {
                assert!(pose.signals.is_empty(), "{label}");
                continue;
            };
            for (hand, expected) in ["left", "right"].iter().zip(expected) {
                let name = format!("{hand}/{property}");
                let signal = clip.signals.iter().position(|s| s.name == name).unwrap();
                let expected = Value::Bool(expected.as_bool().unwrap());
                assert_eq!(pose.signals[signal], expected, "{name} of {label}");
            }
        }
    });
}

#[test]
fn joints_match_the_reference_by_either_rotation_rule() {
    let rules = [("", RotationRule::AsAuthored), ("_hemi", RotationRule::Continuous)];
    for_each_sample(|label, clip, sample| {
        for (suffix, rule) in rules {
            clip.convention.rotation.value = rule;
            let pose = pose(clip, sample["t"].as_f64().unwrap());
            for hand in ["left", "right"] {
                let Some(joints) = sample[format!("{hand}{suffix}")].as_object() else { continue };
                assert_eq!(joints.len(), 5, "{label}");
                for (joint, expected) in joints {
                    let name = format!("{hand}/{joint}");
                    assert_node(
                        clip,
                        &pose,
                        &name,
                        expected,
                        &format!("{name} of {label}, {rule:?}"),
                    );
                }
            }
        }
    });
}

#[test]
fn head_poses_match_in_source_and_viewer_space() {
    for_each_sample(|label, clip, sample| {
        let Some(in_viewer) = sample.get("camera_bevy") else { return };
        clip.convention.rotation.value = RotationRule::AsAuthored;
        let pose = pose(clip, sample["t"].as_f64().unwrap());
        assert_node(clip, &pose, "camera", &sample["camera"], label);
        let [position, rotation] = [0, 1].map(|index| &in_viewer[index]);
        let camera = pose[node(clip, "camera")].world;
        assert_point(camera.translation, DVec3::from_array(numbers(position)), label);
        if !label.starts_with(LOST_W) {
            assert_rotation(camera.rotation, DQuat::from_array(numbers(rotation)), label);
        }
    });
}

#[test]
fn gaze_rays_match_the_reference() {
    for_each_sample(|label, clip, sample| {
        let Some(gaze) = sample.get("gaze") else { return };
        let pose = pose(clip, sample["t"].as_f64().unwrap());
        let ray = pose[node(clip, "gaze")].world;
        assert_point(ray.translation, mirrored_point(&gaze[0]), label);
        assert_point(ray.rotation * -DVec3::Z, mirrored_point(&gaze[1]), label);
    });
}

/// Compares a node with the expected position and rotation, in source space. If the file lost w,
/// compares the stored components instead of the rebuilt rotation.
fn assert_node(clip: &Clip, pose: &Pose, name: &str, expected: &Json, label: &str) {
    let id = node(clip, name);
    let found = pose[id].world;
    assert_point(found.translation, mirrored_point(&expected[0]), label);
    let rotation = if label.contains(LOST_W) {
        stored_rotation(clip, name, pose.time)
    } else {
        found.rotation
    };
    assert_rotation(rotation, mirrored_rotation(&expected[1]), label);
}

/// Returns the rotation from the stored components, without a rebuilt w, in the viewer's space.
fn stored_rotation(clip: &Clip, name: &str, time: f64) -> DQuat {
    let component = |property: &str| {
        let is_component = |track: &&mutoscope_core::clip::Track| {
            clip.owner_name(track.owner) == name && track.property == property
        };
        match clip.tracks.iter().find(is_component).unwrap().curve.value(time) {
            Value::Number(number) => number,
            other => panic!("{name}.{property} is {other:?}"),
        }
    };
    let [x, y, z, w] = ["rotation.x", "rotation.y", "rotation.z", "rotation.w"].map(component);
    DQuat::from_xyzw(-x, -y, z, w).normalize()
}
