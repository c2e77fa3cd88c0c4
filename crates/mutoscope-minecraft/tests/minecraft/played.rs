//! Riders and scenes as the game plays them: every case of `tests/data/mcmocap-more`, as an
//! independent writer has it.

use std::{collections::HashMap, fs, io};

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, NodeId, Pose},
    diagnostics::Severity,
    formats::{self, DecodeRequest},
};
use serde_json::Value;

use crate::scene;
use mutoscope_testing::fixtures;

/// Reads a file of the same folder, wherever else it is looked for.
fn sidecar(name: &str) -> io::Result<Vec<u8>> {
    let name = name.rsplit('/').next().unwrap();
    fs::read(fixtures::path("mcmocap-more").join(name))
}

fn clip(name: &str) -> Clip {
    let bytes = fs::read(fixtures::path("mcmocap-more").join(name)).unwrap();
    let request =
        DecodeRequest::default().format(mutoscope_minecraft::FORMAT_ID).sidecars(&sidecar);
    formats::decode(&bytes, &request).unwrap()
}

fn expected() -> Value {
    fixtures::json("mcmocap-more/expected.json")
}

/// A pose of a clip, whose nodes are asked for by name.
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

    /// Whether it is shown, where it is and where it looks along the ground, in degrees.
    fn stands(&self, name: &str) -> (bool, DVec3, f64) {
        let stands = &self.pose.nodes[self.node(name)];
        let ahead = stands.world.rotation * DVec3::NEG_Z;
        (stands.is_visible, stands.world.translation, (-ahead.x).atan2(ahead.z).to_degrees())
    }
}

/// How far one angle is from another, in degrees.
fn off(a: f64, b: f64) -> f64 {
    let off = (a - b).rem_euclid(360.0);
    off.min(360.0 - off)
}

/// The deviations of the stage from an expected row.
fn faults(stage: &Stage, row: &Value, dies: Option<f64>) -> Vec<String> {
    let name = row["node"].as_str().unwrap();
    let (shown, position, yaw) = stage.stands(name);
    let mut faults = Vec::new();
    if shown != row["shown"] {
        faults.push(format!("shown: {shown}"));
    }
    if shown && let Some(wanted) = row["position"].as_array() {
        let wanted: Vec<f64> = wanted.iter().map(|number| number.as_f64().unwrap()).collect();
        if !position.abs_diff_eq(DVec3::from_slice(&wanted), 1e-5) {
            faults.push(format!("{position}, not {wanted:?}"));
        }
    }
    let lies = dies.is_some_and(|tick| row["tick"].as_f64().unwrap() >= tick);
    if let Some(wanted) = row["yaw"].as_f64()
        && shown
        && !lies
        && off(yaw, wanted) > 0.02
    {
        faults.push(format!("yaw {yaw}, not {wanted}"));
    }
    if let Some(wanted) = row["head_yaw"].as_f64() {
        let (_, _, yaw) = stage.stands(&format!("{name}/head"));
        if off(yaw, wanted) > 0.02 {
            faults.push(format!("head yaw {yaw}, not {wanted}"));
        }
    }
    faults
}

#[test]
fn riders_and_scenes_match_the_reference() {
    let expected = expected();
    let cases = expected["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 34);
    let mut wrong = Vec::new();
    for case in cases {
        let file = case["file"].as_str().unwrap();
        let mut stage = Stage::new(clip(file));
        let said =
            stage.clip.diagnostics.iter().filter(|notice| notice.severity == Severity::Error);
        wrong.extend(said.map(|notice| format!("{file}: {}", notice.message)));
        for row in case["rows"].as_array().unwrap() {
            let time = row["time"].as_f64().unwrap();
            stage.clip.sample(time, &mut stage.pose);
            let dies = case["dies"][row["node"].as_str().unwrap()].as_f64();
            let faults = faults(&stage, row, dies);
            wrong.extend(
                faults
                    .iter()
                    .map(|fault| format!("{file}, tick {}, {}: {fault}", row["tick"], row["node"])),
            );
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The tracks tell the frame of the recording that is played.
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
            let is_it = |take: &&std::sync::Arc<mutoscope_minecraft::Take>| {
                clip.nodes[take.player_node()].name == name
            };
            let take = scene(&clip).takes.iter().find(is_it).unwrap();
            let moment = take.sample_time(row["time"].as_f64().unwrap()).unwrap();
            // After its end an actor stays as in the last frame; one that dies there falls
            // meanwhile.
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
            let mut up = |tick: f64| {
                stage.clip.sample(tick / 20.0, &mut stage.pose);
                let index = stage.node(&body);
                (stage.pose.nodes[index].world.rotation * DVec3::Y).y
            };
            assert!(up(tick - 1.0) > 0.99 && up(tick + 4.0) < 0.9, "{file}: {name}");
            assert!(up(tick + 14.0).abs() < 1e-6, "{file}: {name} lies on its side");
            let clip = &stage.clip;
            let node = NodeId::new(stage.node(name));
            let dead = clip.tracks.iter().find(|track| {
                track.property == "dead" && track.owner == mutoscope_core::clip::Owner::Node(node)
            });
            let dead =
                dead.map(|track| [tick - 1.0, tick].map(|tick| track.curve.value(tick / 20.0)));
            let says = |is_dead| mutoscope_core::clip::Value::Bool(is_dead);
            assert_eq!(dead, Some([says(false), says(true)]), "{file}: {name}");
            let event = clip.events.iter().find(|event| {
                event.name == "die" && event.owner == Some(mutoscope_core::clip::Owner::Node(node))
            });
            assert_eq!(event.map(|event| event.time), Some(tick / 20.0), "{file}: {name}");
            deaths += 1;
        }
    }
    assert_eq!(deaths, 4);
}

/// Between two ticks a rider turns the short way; who takes a seat is not seen on the way there.
#[test]
fn riders_interpolate_rotation_and_mount_without_a_path() {
    let mut stage = Stage::new(clip("ride_boat.mcmocap_rec"));
    let mut at = |tick: f64| {
        stage.clip.sample(tick / 20.0, &mut stage.pose);
        (stage.stands("player"), stage.stands("player/head"))
    };
    let ((_, before, _), _) = at(7.0);
    let ((_, halfway, _), _) = at(7.5);
    let ((_, seated, _), _) = at(8.0);
    assert_eq!(before, halfway);
    assert!(seated.distance(before) > 0.5);
    let (body, head) = (at(20.5).0.2, at(20.5).1.2);
    assert!(off(body, (-88.994_751 - 91.999_512) / 2.0) < 1e-3, "{body}");
    // From 166° to −170°: over 180°.
    assert!(off(head, (166.005_249 + 190.003_052) / 2.0) < 1e-3, "{head}");
}
