//! Compares three-vrm, playing written VRM animations on an avatar, with the same files retargeted
//! here and with their sources.

use std::{fs, path::Path, process::Command};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, Pose, Value as ClipValue},
    decode,
    formats::Fit,
};
use mutoscope_testing::needs;
use serde_json::Value;

use crate::export::{exported, fixtures, node_modules};

fn read(name: &str, bytes: &[u8], avatar: Option<&Path>) -> Clip {
    let options = ReadOptions::from(mutoscope_cli::registry());
    let options = match avatar {
        None => options,
        Some(path) => {
            let bytes = fs::read(path).unwrap();
            let sidecars = mutoscope_core::io::bytes::NoSidecars;
            let skeleton =
                mutoscope_cli::registry().decode_skeleton(&bytes, "avatar.vrm", &sidecars).unwrap();
            ReadOptions { fit: Fit::ByBones, ..options.with_skeleton(skeleton) }
        }
    };
    decode(SourceFile::new(name, bytes), &options).unwrap()
}

fn number(clip: &Clip, signal: &str, time: f64) -> Option<f64> {
    let signal = clip.signals.iter().find(|one| one.name == signal)?;
    match clip.value(signal.track, time) {
        ClipValue::Number(number) => Some(number),
        _ => None,
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[needs(three_vrm)]
#[test]
fn three_vrm_plays_written_animations_like_their_sources() {
    let modules = node_modules("three-vrm");
    let avatar = fixtures::path("characters/boxes.vrm");
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    // In the order of the script, which sorts by name.
    for name in ["cmu_names.bvh", "few_bones.vrma", "move.vrma", "no_rest.bvh", "plain_source.glb"]
    {
        let bytes = fs::read(fixtures::path("characters").join(name)).unwrap();
        let source = read(name, &bytes, None);
        let written = exported(&source, "vrma").0;
        fs::write(folder.path().join(format!("{name}.vrma")), &written).unwrap();
        expected.push((name, source, read(name, &written, Some(&avatar))));
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/export/sample-vrma.mjs");
    let times = "[0, 0.17, 0.5, 0.61, 0.93]";
    let mut command = Command::new("node");
    command.arg(script).arg(modules).arg(&avatar).arg(folder.path()).arg(times);
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = String::from_utf8(ran.stdout).unwrap();
    let mut worst = [0.0_f64; 4];
    assert_eq!(text.lines().count(), expected.len());
    for (line, (name, source, played)) in text.lines().zip(&expected) {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["name"], format!("{name}.vrma"));
        let duration = row["duration"].as_f64().unwrap();
        assert!((duration - source.span.duration).abs() < 1e-5, "{name}");
        let humanoid = played.humanoid.as_ref().unwrap();
        for pose in row["poses"].as_array().unwrap() {
            let time = pose["time"].as_f64().unwrap();
            let mut ours = Pose::default();
            played.sample_motion(time, &mut ours);
            let bones = pose["bones"].as_object().unwrap();
            for (bone, node) in humanoid.bones.iter() {
                let theirs = &bones[bone.name()];
                let position = DVec3::from_slice(&numbers(&theirs[0]));
                let rotation = DQuat::from_slice(&numbers(&theirs[1])).normalize();
                let eye = bone.name().ends_with("Eye");
                let world = &ours[node].world;
                worst[0] = worst[0].max(world.translation.distance(position));
                // three-vrm rotates the eyes by the gaze.
                if !eye {
                    worst[1] = worst[1].max(world.rotation.angle_between(rotation));
                }
            }
            let at = source.span.start + time;
            for (expression, weight) in pose["weights"].as_object().unwrap() {
                if let Some(number) = number(source, &format!("expression/{expression}"), at) {
                    worst[2] = worst[2].max((number - weight.as_f64().unwrap()).abs());
                }
            }
            for (angle, theirs) in ["lookAt/yaw", "lookAt/pitch"].iter().zip(numbers(&pose["gaze"]))
            {
                if let Some(number) = number(source, angle, at) {
                    worst[3] = worst[3].max((number - theirs).abs());
                }
            }
        }
    }
    let [distance, angle, weight, gaze] = worst;
    println!("{distance} m, {angle} rad, weights {weight}, gaze {gaze}°");
    assert!(distance < 2e-5 && angle < 1.7e-4 && weight < 1e-3 && gaze < 0.01, "{worst:?}");
}
