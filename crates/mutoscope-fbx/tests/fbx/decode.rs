//! Compares FBX files with values from an independent script or from Blender.

use std::fs;

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, Pose, VariantChoice},
    decode,
    formats::Fit,
    io::bytes::NoSidecars,
    retarget::Retargeting,
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::fixtures::{json, path};
use serde_json::Value;

/// Registers the format before any test runs.
fn options() -> ReadOptions {
    ReadOptions::default().with_formats(mutoscope_fbx::formats())
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path("characters").join(name)).unwrap()
}

fn rig(name: &str) -> LoadedSkeleton {
    options().registry.decode_skeleton(&bytes(name), name, &NoSidecars).unwrap()
}

fn load_clip(name: &str) -> Clip {
    decode(SourceFile::new(name, &bytes(name)), &options()).unwrap()
}

fn sample(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Returns the distances of a node from its expected position and rotation, in metres and radians.
fn deviation(clip: &Clip, pose: &Pose, name: &str, expected: &Value) -> (f64, f64) {
    let index = clip.nodes.iter().position(|node| node.name == name).unwrap();
    let world = &pose.nodes[index].world;
    let position = DVec3::from_slice(&numbers(&expected[0]));
    let rotation = DQuat::from_slice(&numbers(&expected[1])).normalize();
    (world.translation.distance(position), world.rotation.angle_between(rotation))
}

fn has_code(clip: &Clip, code: &str) -> bool {
    clip.diagnostics.iter().any(|diagnostic| diagnostic.code.as_str() == code)
}

#[test]
fn node_transforms_match_the_reference() {
    for name in ["humanik_z_up_ascii.fbx", "mixamo_names.fbx"] {
        let clip = load_clip(name);
        let mut worst = (0.0f64, 0.0f64);
        for row in json("characters/expected.json")["alone"][name]["rows"].as_array().unwrap() {
            let pose = sample(&clip, row["time"].as_f64().unwrap());
            for (node, expected) in row["nodes"].as_object().unwrap() {
                let (distance, angle) = deviation(&clip, &pose, node, expected);
                worst = (worst.0.max(distance), worst.1.max(angle));
            }
        }
        assert!(worst.0 < 1e-4 && worst.1 < 1e-4, "{name}: {worst:?}");
    }
}

#[test]
fn joint_positions_match_blender() {
    for name in ["blender_walk.fbx", "blender_walk_scaled.fbx", "blender_walk_zup_leaf.fbx"] {
        let clip = load_clip(name);
        let expected = &json("characters/expected.json")["alone"][name];
        assert!((clip.span.start - expected["begin"].as_f64().unwrap()).abs() < 1e-6, "{name}");
        let mut worst = 0.0f64;
        for row in expected["rows"].as_array().unwrap() {
            let pose = sample(&clip, row["time"].as_f64().unwrap());
            for (node, position) in row["places"].as_object().unwrap() {
                let index = clip.nodes.iter().position(|one| one.name == *node).unwrap();
                let position = DVec3::from_slice(&numbers(position));
                worst = worst.max(pose.nodes[index].world.translation.distance(position));
            }
        }
        assert!(worst < 1e-4, "{name}: {worst}");
    }
}

#[test]
fn rest_pose_is_the_bind_pose() {
    let rig = rig("standing_elsewhere.fbx");
    assert!(!rig.model.is_empty() || rig.nodes.len() > 50);
    let expected = &json("characters/expected.json")["alone"]["standing_elsewhere.fbx"]["rest"];
    let mut worlds: Vec<mutoscope_core::clip::Transform> = Vec::new();
    for node in &rig.nodes {
        let world = node.parent.map_or(node.rest, |parent| worlds[parent].compose(&node.rest));
        worlds.push(world);
    }
    let mut compared = 0;
    for (node, world) in rig.nodes.iter().zip(&worlds) {
        let Some(expected) = expected.get(&node.name) else { continue };
        let position = DVec3::from_slice(&numbers(&expected[0]));
        let rotation = DQuat::from_slice(&numbers(&expected[1])).normalize();
        assert!(
            world.translation.distance(position) < 1e-5,
            "{}: {}",
            node.name,
            world.translation
        );
        assert!(world.rotation.angle_between(rotation) < 1e-4, "{}", node.name);
        compared += 1;
    }
    assert_eq!(compared, 52);
}

#[test]
fn fbx_retargeting_matches_the_reference() {
    let pairs = json("characters/expected.json")["pairs"].as_array().unwrap().clone();
    let mut compared_pairs = 0;
    for pair in &pairs {
        let [motion, character] = ["motion", "character"].map(|side| pair[side].as_str().unwrap());
        if ![motion, character].iter().any(|name| name.ends_with(".fbx")) {
            continue;
        }
        let rig = rig(character);
        let options = ReadOptions { fit: Fit::ByBones, ..options().with_skeleton(rig.clone()) };
        let clip = decode(SourceFile::new(motion, &bytes(motion)), &options).unwrap();
        let retargeting = clip.procedural_as::<Retargeting>().unwrap();
        let [scale, turn] = ["hip_scale", "turn"].map(|member| pair[member].as_f64().unwrap());
        assert!(
            (retargeting.hip_scale - scale).abs() < 1e-4,
            "{motion} on {character}: {}",
            retargeting.hip_scale
        );
        assert!(
            (retargeting.turn - turn).abs() < 1e-3,
            "{motion} on {character}: {}",
            retargeting.turn
        );
        assert_eq!(retargeting.mapped.len(), pair["mapped"].as_object().unwrap().len());
        let mut worst = (0.0f64, 0.0f64);
        for row in pair["rows"].as_array().unwrap() {
            let pose = sample(&clip, row["time"].as_f64().unwrap());
            for (node, expected) in row["nodes"].as_object().unwrap() {
                let (distance, angle) = deviation(&clip, &pose, node, expected);
                worst = (worst.0.max(distance), worst.1.max(angle));
            }
        }
        assert!(worst.0 < 1e-4 && worst.1 < 1e-4, "{motion} on {character}: {worst:?}");
        compared_pairs += 1;
    }
    assert_eq!(compared_pairs, 7);
}

#[test]
fn takes_are_chosen_by_name() {
    let bytes = bytes("mixamo_names.fbx");
    let clip = load_clip("mixamo_names.fbx");
    let animations = clip.variants[0].names.to_vec();
    assert!(!animations.is_empty());
    let choice = VariantChoice { label: "animation".to_owned(), name: animations[0].clone() };
    let choices = [choice];
    assert!(decode(&bytes, &ReadOptions { variants: choices.to_vec(), ..options() }).is_ok());
    let missing = [VariantChoice { label: "animation".to_owned(), name: "no such".to_owned() }];
    let error =
        decode(&bytes, &ReadOptions { variants: missing.to_vec(), ..options() }).unwrap_err();
    assert!(error.error.message().contains("expected the take \"no such\", found"), "{error}");
}

#[test]
fn missing_bind_pose_is_reported() {
    assert!(has_code(&load_clip("blender_walk.fbx"), "fbx/no-bind-pose"));
    assert!(!has_code(&load_clip("blender_walk_scaled.fbx"), "fbx/no-bind-pose"));
}

#[test]
fn skinned_meshes_follow_their_bones() {
    let clip = load_clip("blender_walk_scaled.fbx");
    let model = clip.model().unwrap();
    let piece = model.pieces.iter().find(|piece| piece.skin.is_some()).unwrap();
    assert!(piece.triangles.len() >= 36 && piece.positions.len() == piece.normals.len());
    let mut matrices = Vec::new();
    // The body consists of boxes around its bones, so no vertex is farther from its nearest joint
    // than the size of a box.
    for time in [clip.span.start, 0.2, 0.4] {
        let pose = sample(&clip, time);
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        let mut positions = Vec::new();
        piece.fill_posed_positions(&matrices, &mut positions);
        for position in positions {
            let distance =
                |node: &mutoscope_core::clip::NodePose| node.world.translation.distance(position);
            let nearest = pose.nodes.iter().map(distance).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.4, "{position} at {time}: {nearest}");
        }
    }
}

/// Truncated and changed files must neither panic nor exhaust the memory.
#[test]
fn broken_files_never_panic() {
    for name in ["mixamo_names.fbx", "humanik_z_up_ascii.fbx"] {
        let bytes = bytes(name);
        for part in 1..12 {
            drop(decode(&bytes[..bytes.len() * part / 12], &options()));
        }
        let mut random = random_numbers(7);
        for _ in 0..60 {
            let mut changed = bytes.clone();
            for _ in 0..4 {
                let offset = random() as usize % changed.len();
                changed[offset] = random() as u8;
            }
            drop(decode(&changed, &options()));
            drop(options().registry.decode_skeleton(&changed, name, &NoSidecars));
        }
    }
}

/// A linear congruential generator, so that every run tests the same files.
fn random_numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}
