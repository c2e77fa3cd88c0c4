//! Compares riders and scenes with the values of an independent writer, for every case of
//! `tests/data/mcmocap-more`.

use std::{collections::HashMap, fs, io};

use glam::DVec3;
use mutoscope_core::{
    SourceFile,
    clip::{Clip, NodeId, Pose},
    decode,
    diagnostics::Severity,
};
use serde_json::Value;

use crate::scene;
use mutoscope_testing::fixtures;

/// Reads a file of the data folder, ignoring the folder in `name`.
fn sidecar(name: &str) -> io::Result<Vec<u8>> {
    let name = name.rsplit('/').next().unwrap();
    fs::read(fixtures::path("mcmocap-more").join(name))
}

fn clip(name: &str) -> Clip {
    let bytes = fs::read(fixtures::path("mcmocap-more").join(name)).unwrap();
    decode(SourceFile::new("", &bytes).with_sidecars(&sidecar), &crate::options()).unwrap()
}

fn expected() -> Value {
    fixtures::json("mcmocap-more/expected.json")
}

/// A clip with a sampled pose, whose nodes are found by name.
struct Stage {
    clip: Clip,
    nodes: HashMap<String, usize>,
    pose: Pose,
}

impl Stage {
    fn new(clip: Clip) -> Self {
        let names = clip.nodes.iter().enumerate();
        let nodes = names.map(|(index, node)| (node.name.clone(), index)).collect();
        Self { clip, nodes, pose: Pose::default() }
    }

    fn node(&self, name: &str) -> usize {
        *self.nodes.get(name).unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Returns whether the node is visible, its position, and its yaw in degrees.
    fn node_state(&self, name: &str) -> (bool, DVec3, f64) {
        let node_pose = &self.pose.nodes[self.node(name)];
        let forward = node_pose.world.rotation * DVec3::NEG_Z;
        (
            node_pose.is_visible,
            node_pose.world.translation,
            (-forward.x).atan2(forward.z).to_degrees(),
        )
    }
}

/// Returns the smallest difference between two angles, in degrees.
fn angle_difference(a: f64, b: f64) -> f64 {
    let difference = (a - b).rem_euclid(360.0);
    difference.min(360.0 - difference)
}

/// Describes each difference between the sampled pose and an expected row.
fn differences(stage: &Stage, row: &Value, dies: Option<f64>) -> Vec<String> {
    let name = row["node"].as_str().unwrap();
    let (is_shown, position, yaw) = stage.node_state(name);
    let mut differences = Vec::new();
    if is_shown != row["shown"] {
        differences.push(format!("shown: {is_shown}"));
    }
    if is_shown && let Some(expected) = row["position"].as_array() {
        let expected: Vec<f64> = expected.iter().map(|number| number.as_f64().unwrap()).collect();
        if !position.abs_diff_eq(DVec3::from_slice(&expected), 1e-5) {
            differences.push(format!("{position}, expected {expected:?}"));
        }
    }
    let is_lying = dies.is_some_and(|tick| row["tick"].as_f64().unwrap() >= tick);
    if let Some(expected) = row["yaw"].as_f64()
        && is_shown
        && !is_lying
        && angle_difference(yaw, expected) > 0.02
    {
        differences.push(format!("yaw {yaw}, expected {expected}"));
    }
    if let Some(expected) = row["head_yaw"].as_f64() {
        let (_, _, yaw) = stage.node_state(&format!("{name}/head"));
        if angle_difference(yaw, expected) > 0.02 {
            differences.push(format!("head yaw {yaw}, expected {expected}"));
        }
    }
    differences
}

#[test]
fn riders_and_scenes_match_the_reference() {
    let expected = expected();
    let cases = expected["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 34);
    let mut failures = Vec::new();
    for case in cases {
        let file = case["file"].as_str().unwrap();
        let mut stage = Stage::new(clip(file));
        let errors = stage
            .clip
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error);
        failures.extend(errors.map(|diagnostic| format!("{file}: {}", diagnostic.message)));
        for row in case["rows"].as_array().unwrap() {
            let time = row["time"].as_f64().unwrap();
            stage.clip.sample(time, &mut stage.pose);
            let dies = case["dies"][row["node"].as_str().unwrap()].as_f64();
            let differences = differences(&stage, row, dies);
            failures.extend(differences.iter().map(|difference| {
                format!("{file}, tick {}, {}: {difference}", row["tick"], row["node"])
            }));
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn scenes_play_the_expected_frame() {
    let expected = expected();
    let mut checked = 0;
    for case in expected["cases"].as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let clip = clip(file);
        for row in case["rows"].as_array().unwrap() {
            let Some(frame) = row["frame"].as_u64() else { continue };
            let name = row["node"].as_str().unwrap();
            let has_name = |take: &&std::sync::Arc<mutoscope_minecraft::Take>| {
                clip.nodes[take.player_node()].name == name
            };
            let take = scene(&clip).takes.iter().find(has_name).unwrap();
            let moment = take.sample_time(row["time"].as_f64().unwrap()).unwrap();
            // After its end an actor keeps its last frame. If it dies in that frame, it falls
            // during the following ticks.
            let last = take.recording.ticks - 1;
            let found = u64::from(moment.frame.min(last));
            assert_eq!((found, moment.t), (frame, 0.0), "{file}: {row}");
            checked += 1;
        }
    }
    assert!(checked > 400, "{checked}");
}

#[test]
fn player_dying_in_the_last_tick_falls_after_it() {
    let expected = expected();
    let mut deaths = 0;
    for case in expected["cases"].as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        for (name, tick) in case["dies"].as_object().into_iter().flatten() {
            let mut stage = Stage::new(clip(file));
            let tick = tick.as_f64().unwrap();
            let body = format!("{name}/body");
            let mut up_component = |tick: f64| {
                stage.clip.sample(tick / 20.0, &mut stage.pose);
                let index = stage.node(&body);
                (stage.pose.nodes[index].world.rotation * DVec3::Y).y
            };
            assert!(
                up_component(tick - 1.0) > 0.99 && up_component(tick + 4.0) < 0.9,
                "{file}: {name}"
            );
            assert!(up_component(tick + 14.0).abs() < 1e-6, "{file}: {name} lies on its side");
            let clip = &stage.clip;
            let node = NodeId::new(stage.node(name));
            let dead = clip.tracks.iter().find(|track| {
                track.property == "dead" && track.owner == mutoscope_core::clip::Owner::Node(node)
            });
            let dead =
                dead.map(|track| [tick - 1.0, tick].map(|tick| track.curve.value(tick / 20.0)));
            let bool_value = |is_dead| mutoscope_core::clip::Value::Bool(is_dead);
            assert_eq!(dead, Some([bool_value(false), bool_value(true)]), "{file}: {name}");
            let event = clip.events.iter().find(|event| {
                event.name == "die" && event.owner == Some(mutoscope_core::clip::Owner::Node(node))
            });
            assert_eq!(event.map(|event| event.time), Some(tick / 20.0), "{file}: {name}");
            deaths += 1;
        }
    }
    assert_eq!(deaths, 4);
}

/// Between two ticks a rider's rotation takes the short way. Mounting is a jump, so no position in
/// between is shown.
#[test]
fn riders_interpolate_rotation_and_mount_without_a_path() {
    let mut stage = Stage::new(clip("ride_boat.mcmocap_rec"));
    let mut states_at = |tick: f64| {
        stage.clip.sample(tick / 20.0, &mut stage.pose);
        (stage.node_state("player"), stage.node_state("player/head"))
    };
    let ((_, before, _), _) = states_at(7.0);
    let ((_, halfway, _), _) = states_at(7.5);
    let ((_, seated, _), _) = states_at(8.0);
    assert_eq!(before, halfway);
    assert!(seated.distance(before) > 0.5);
    let (body, head) = (states_at(20.5).0.2, states_at(20.5).1.2);
    assert!(angle_difference(body, (-88.994_751 - 91.999_512) / 2.0) < 1e-3, "{body}");
    // The head turns from 166° to −170°, which the short way passes through 180°.
    assert!(angle_difference(head, (166.005_249 + 190.003_052) / 2.0) < 1e-3, "{head}");
}
