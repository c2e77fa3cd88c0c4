//! Files of FBX, compared with values that were computed apart from this program, or by Blender.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, Pose, VariantChoice},
    formats::{self, DecodeRequest},
    io::bytes::NoSidecars,
    read::{LoadRequest, SkeletonChoice, load},
    retarget::Retargeting,
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::fixtures::{json, path};
use serde_json::Value;

/// Before any test.
#[ctor::ctor]
fn register() {
    mutoscope_fbx::register();
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path("characters").join(name)).unwrap()
}

fn rig(name: &str) -> LoadedSkeleton {
    formats::decode_skeleton(&bytes(name), name, &NoSidecars).unwrap()
}

fn alone(name: &str) -> Clip {
    load(&LoadRequest::new(name, &bytes(name))).unwrap()
}

fn sample(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// How far a node is from a place and a rotation, in metres and radians.
fn off(clip: &Clip, pose: &Pose, name: &str, expected: &Value) -> (f64, f64) {
    let index = clip.nodes.iter().position(|node| node.name == name).unwrap();
    let world = &pose.nodes[index].world;
    let place = DVec3::from_slice(&numbers(&expected[0]));
    let rotation = DQuat::from_slice(&numbers(&expected[1])).normalize();
    (world.translation.distance(place), world.rotation.angle_between(rotation))
}

fn messages(clip: &Clip) -> String {
    clip.diagnostics
        .iter()
        .map(|notice| format!("{}: {}\n", notice.severity, notice.message))
        .collect()
}

#[test]
fn nodes_are_where_the_files_were_written_to_have_them() {
    for name in ["humanik_z_up_ascii.fbx", "mixamo_names.fbx"] {
        let clip = alone(name);
        let mut worst = (0.0f64, 0.0f64);
        for row in json("characters/expected.json")["alone"][name]["rows"].as_array().unwrap() {
            let pose = sample(&clip, row["time"].as_f64().unwrap());
            for (node, expected) in row["nodes"].as_object().unwrap() {
                let (place, turn) = off(&clip, &pose, node, expected);
                worst = (worst.0.max(place), worst.1.max(turn));
            }
        }
        assert!(worst.0 < 1e-4 && worst.1 < 1e-4, "{name}: {worst:?}");
    }
}

#[test]
fn joints_are_where_blender_has_them() {
    for name in ["blender_walk.fbx", "blender_walk_scaled.fbx", "blender_walk_zup_leaf.fbx"] {
        let clip = alone(name);
        let expected = &json("characters/expected.json")["alone"][name];
        assert!((clip.span.start - expected["begin"].as_f64().unwrap()).abs() < 1e-6, "{name}");
        let mut worst = 0.0f64;
        for row in expected["rows"].as_array().unwrap() {
            let pose = sample(&clip, row["time"].as_f64().unwrap());
            for (node, place) in row["places"].as_object().unwrap() {
                let index = clip.nodes.iter().position(|one| one.name == *node).unwrap();
                let place = DVec3::from_slice(&numbers(place));
                worst = worst.max(pose.nodes[index].world.translation.distance(place));
            }
        }
        assert!(worst < 1e-4, "{name}: {worst}");
    }
}

#[test]
fn characters_rest_in_the_pose_in_which_they_were_bound() {
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
        let place = DVec3::from_slice(&numbers(&expected[0]));
        let rotation = DQuat::from_slice(&numbers(&expected[1])).normalize();
        assert!(world.translation.distance(place) < 1e-5, "{}: {}", node.name, world.translation);
        assert!(world.rotation.angle_between(rotation) < 1e-4, "{}", node.name);
        compared += 1;
    }
    assert_eq!(compared, 52);
}

#[test]
fn motions_and_characters_of_fbx_are_retargeted_as_expected() {
    let pairs = json("characters/expected.json")["pairs"].as_array().unwrap().clone();
    let mut tried = 0;
    for pair in &pairs {
        let [motion, character] = ["motion", "character"].map(|side| pair[side].as_str().unwrap());
        if ![motion, character].iter().any(|name| name.ends_with(".fbx")) {
            continue;
        }
        let rig = rig(character);
        let skeleton = SkeletonChoice::Retargeted(&rig, None);
        let clip =
            load(&LoadRequest { skeleton, ..LoadRequest::new(motion, &bytes(motion)) }).unwrap();
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
                let (place, turn) = off(&clip, &pose, node, expected);
                worst = (worst.0.max(place), worst.1.max(turn));
            }
        }
        assert!(worst.0 < 1e-4 && worst.1 < 1e-4, "{motion} on {character}: {worst:?}");
        tried += 1;
    }
    assert_eq!(tried, 7);
}

#[test]
fn takes_are_chosen_by_name() {
    let bytes = bytes("mixamo_names.fbx");
    let clip = alone("mixamo_names.fbx");
    let animations = clip.variants[0].names.to_vec();
    assert!(!animations.is_empty());
    let choice = VariantChoice { label: "animation".to_owned(), name: animations[0].clone() };
    let choices = [choice];
    assert!(formats::decode(&bytes, &DecodeRequest::default().variants(&choices)).is_ok());
    let missing = [VariantChoice { label: "animation".to_owned(), name: "no such".to_owned() }];
    let error = formats::decode(&bytes, &DecodeRequest::default().variants(&missing)).unwrap_err();
    assert!(error.error.message().contains("expected the take \"no such\", found"), "{error}");
}

#[test]
fn a_missing_bind_pose_is_told() {
    assert!(
        messages(&alone("blender_walk.fbx"))
            .contains("info: no bind pose; using the local transforms")
    );
    assert!(!messages(&alone("blender_walk_scaled.fbx")).contains("no bind pose"));
}

#[test]
fn meshes_with_skins_follow_their_bones() {
    let clip = alone("blender_walk_scaled.fbx");
    let model = clip.model().unwrap();
    let piece = model.pieces.iter().find(|piece| piece.skin.is_some()).unwrap();
    assert!(piece.triangles.len() >= 36 && piece.positions.len() == piece.normals.len());
    let mut matrices = Vec::new();
    // A body of boxes around its bones: no vertex is farther from all joints than a box reaches.
    for time in [clip.span.start, 0.2, 0.4] {
        let pose = sample(&clip, time);
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        let mut positions = Vec::new();
        piece.fill_posed_positions(&matrices, &mut positions);
        for position in positions {
            let near =
                |node: &mutoscope_core::clip::NodePose| node.world.translation.distance(position);
            let nearest = pose.nodes.iter().map(near).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.4, "{position} at {time}: {nearest}");
        }
    }
}

/// Files that are cut off, or changed, are an error or a clip: nothing panics, and nothing takes all memory.
#[test]
fn broken_files_are_errors_or_clips() {
    for name in ["mixamo_names.fbx", "humanik_z_up_ascii.fbx"] {
        let bytes = bytes(name);
        for part in 1..12 {
            drop(formats::decode(&bytes[..bytes.len() * part / 12], &DecodeRequest::default()));
        }
        let mut random = numbers_from(7);
        for _ in 0..60 {
            let mut changed = bytes.clone();
            for _ in 0..4 {
                let at = random() as usize % changed.len();
                changed[at] = random() as u8;
            }
            drop(formats::decode(&changed, &DecodeRequest::default()));
            drop(formats::decode_skeleton(&changed, name, &NoSidecars));
        }
    }
}

/// The same numbers in every run.
fn numbers_from(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}
