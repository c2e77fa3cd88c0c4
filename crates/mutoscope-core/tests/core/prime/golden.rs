//! Compares files with the output of an independent reader and evaluator in double precision.

use glam::{DQuat, DVec3};
use mutoscope_core::clip::{Clip, NodeId, Owner, Pose, Track, TrackId, Value};
use serde_json::Value as Json;

use crate::prime::{decode_fixture_on_rig, find_diagnostic, node, pose};
use mutoscope_testing::fixtures;

/// In metres for positions, a factor for scales.
const TOLERANCE: f64 = 1e-4;

const TOLERANCE_DEGREES: f64 = 0.1;

/// Calls `check` for each file and each of its expected samples.
fn for_each_sample(check: impl Fn(&str, &Clip, &Pose, &Json)) {
    let golden = fixtures::json("prime/golden.json");
    let files = golden["files"].as_object().unwrap();
    assert_eq!(files.len(), 8);
    for (name, file) in files {
        let clip = decode_fixture_on_rig(name);
        let samples = file["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 9, "{name}");
        for sample in samples {
            check(name, &clip, &pose(&clip, sample["t"].as_f64().unwrap()), sample);
        }
    }
}

fn vector(json: &Json) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| json[axis].as_f64().unwrap()))
}

/// Reads a quaternion in the order w, x, y, z of the expected values.
fn quaternion(json: &Json) -> DQuat {
    let [w, x, y, z] = [0, 1, 2, 3].map(|axis| json[axis].as_f64().unwrap());
    DQuat::from_xyzw(x, y, z, w)
}

fn degrees_between(a: DQuat, b: DQuat) -> f64 {
    let chord = (a - b).length().min((a + b).length());
    (4.0 * (0.5 * chord).asin()).to_degrees()
}

fn bones(json: &Json) -> impl Iterator<Item = (&String, &Json)> {
    let bones = json.as_object().unwrap();
    assert_eq!(bones.len(), 20);
    bones.iter()
}

#[test]
fn bone_positions_match_the_reference() {
    for_each_sample(|file, clip, pose, sample| {
        let viewer = clip.convention.viewer_from_source();
        for (name, expected) in bones(&sample["world_pos"]) {
            let found = pose[node(clip, name)].world.translation;
            let error = found.distance(viewer.convert_point(vector(expected)));
            assert!(error < TOLERANCE, "{file} at {}: {name} is {error} m off", pose.time);
            let in_viewer = vector(&sample["bevy_pos"][name]);
            assert!(found.distance(in_viewer) < TOLERANCE, "{file}: {name} in the viewer's space");
        }
    });
}

#[test]
fn bone_rotations_match_the_reference() {
    for_each_sample(|file, clip, pose, sample| {
        let viewer = clip.convention.viewer_from_source();
        for (name, expected) in bones(&sample["world_rot"]) {
            let found = pose[node(clip, name)].world.rotation;
            let error = degrees_between(found, viewer.convert_rotation(quaternion(expected)));
            assert!(error < TOLERANCE_DEGREES, "{file} at {}: {name} is {error}° off", pose.time);
        }
    });
}

/// Compares the values of the tracks themselves, in the games' own axes.
#[test]
fn track_values_match_the_reference() {
    for_each_sample(|file, clip, pose, sample| {
        for (name, local) in bones(&sample["local"]) {
            let id = node(clip, name);
            let label = format!("{file} at {}: {name}", pose.time);
            match (&local[0], track(clip, id, "rotation")) {
                (Json::Null, None) => {}
                (expected, Some(track)) => {
                    let [x, y, z, w] = numbers(clip, track, pose.time);
                    let found = DQuat::from_xyzw(x, y, z, w).normalize();
                    let error = degrees_between(found, quaternion(expected).normalize());
                    assert!(error < TOLERANCE_DEGREES, "{label} is {error}° off");
                }
                (expected, None) => panic!("{label} should have a rotation of {expected}"),
            }
            for (property, expected) in [("translation", &local[1]), ("scale", &local[2])] {
                match (expected, track(clip, id, property)) {
                    (Json::Null, None) => {}
                    (expected, Some(track)) => {
                        let found = DVec3::from_array(numbers(clip, track, pose.time));
                        let error = found.distance(vector(expected));
                        assert!(error < TOLERANCE, "{label}: {property} is {error} off");
                    }
                    (expected, None) => panic!("{label} should have a {property} of {expected}"),
                }
            }
        }
    });
}

fn track(clip: &Clip, node: NodeId, property: &str) -> Option<TrackId> {
    let has_property = |found: &(TrackId, &Track)| found.1.property == property;
    clip.tracks_of(Owner::Node(node)).find(has_property).map(|(id, _)| id)
}

fn numbers<const N: usize>(clip: &Clip, track: TrackId, time: f64) -> [f64; N] {
    let Value::Numbers(numbers) = clip.value(track, time) else { panic!("expected a vector") };
    std::array::from_fn(|component| numbers[component])
}

#[test]
fn header_facts_match_the_reference() {
    let golden = fixtures::json("prime/golden.json");
    for (name, file) in golden["files"].as_object().unwrap() {
        let clip = decode_fixture_on_rig(name);
        let demo = if file["game"] == "demo" { "mp2-demo" } else { file["game"].as_str().unwrap() };
        assert_eq!(clip.version, format!("{demo}-v{}", file["version"]), "{name}");
        assert_eq!(clip.span.start, 0.0);
        assert_eq!(clip.span.duration, file["duration"].as_f64().unwrap(), "{name}");
        let interval = file["interval"].as_f64().unwrap();
        assert!((clip.rate_hz.unwrap() * interval - 1.0).abs() < 1e-12, "{name}");
        let last = clip.tracks[0].curve.key_times().last().unwrap();
        let frames = file["frames"].as_f64().unwrap();
        assert!((last - (frames - 1.0) * interval).abs() < 1e-9, "{name}: {last}");
        let events = file["evnt"].as_u64().filter(|&id| id != 0xffff_ffff);
        let asset = find_diagnostic(&clip.diagnostics, "prime/events-not-loaded")
            .map(|diagnostic| diagnostic.value("asset").unwrap());
        assert_eq!(asset, events.map(|id| format!("{id:08X}").into()).as_ref(), "{name}");
    }
}

/// Two keys are 300° apart. A slerp along the shorter arc would turn by 60° in the opposite
/// direction.
#[test]
fn long_turns_are_played_as_keyed() {
    let clip = decode_fixture_on_rig("longway_mp1_v2.ANIM");
    let gun = track(&clip, node(&clip, "GunBarrel_LCTR"), "rotation").unwrap();
    let found: [f64; 4] = numbers(&clip, gun, 0.5);
    let expected = [0.0, 0.0, 0.9659, 0.2588];
    let is_close = |(found, expected): (&f64, f64)| (found - expected).abs() < 1e-3;
    assert!(found.iter().zip(expected).all(is_close), "{found:?}");
}
