//! Compares files exported by Blender with the joint positions of Blender and three.js.

use std::fs;

use glam::{DQuat, DVec3};

use mutoscope_core::ReadOptions;
use mutoscope_core::clip::{FactOrigin, NodeKind};
use serde_json::Value as Json;

use crate::bvh::{decode, node, pose};
use mutoscope_testing::fixtures;

fn vector(json: &Json) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| json[axis].as_f64().unwrap()))
}

fn read_fixture(name: &str) -> Vec<u8> {
    fs::read(fixtures::path("bvh").join(name)).unwrap()
}

#[test]
fn joint_positions_match_blender_for_every_rotation_order() {
    let expected = fixtures::json("bvh/chains.json");
    let files = expected.as_object().unwrap();
    assert_eq!(files.len(), 6);
    for (name, frames) in files {
        let clip = decode(&read_fixture(name));
        let interval = clip.rate_hz.unwrap().recip();
        let mut compared = 0;
        for (frame, joints) in frames.as_array().unwrap().iter().enumerate() {
            let pose = pose(&clip, frame as f64 * interval);
            for (joint, expected) in joints.as_object().unwrap() {
                let position = |name: &str| node(&clip, &pose, name).world.translation * 100.0;
                // The tolerance covers f32 rounding of numbers around 50, and six decimals in the
                // file.
                let head = position(joint);
                let found = vector(&expected["head"]);
                assert!(head.abs_diff_eq(found, 2e-4), "{name} {frame} {joint}: {head} {found}");
                if ["hand", "tail"].contains(&joint.as_str()) {
                    let (tip, found) =
                        (position(&format!("{joint}_end")), vector(&expected["tail"]));
                    assert!(tip.abs_diff_eq(found, 2e-4), "{name} {frame} {joint}: {tip} {found}");
                }
                compared += 1;
            }
        }
        assert_eq!(compared, 24, "{name}");
    }
}

#[test]
fn rotations_match_three_js() {
    for order in ["xyz", "zxy"] {
        let clip = decode(&read_fixture(&format!("chain_{order}.bvh")));
        let frames = fixtures::json(&format!("bvh/chain_{order}_three.json"));
        let interval = clip.rate_hz.unwrap().recip();
        for frame in frames.as_array().unwrap() {
            let pose = pose(&clip, frame["frame"].as_f64().unwrap() * interval);
            let joints = frame["joints"].as_array().unwrap();
            assert_eq!(joints.len(), 4);
            for joint in joints {
                let found = node(&clip, &pose, joint["name"].as_str().unwrap());
                let world = vector(&joint["world"]);
                assert!((found.world.translation * 100.0).abs_diff_eq(world, 1e-4), "{joint}");
                let rotation = &joint["rotation"];
                let rotation: [f64; 4] =
                    std::array::from_fn(|part| rotation[part].as_f64().unwrap());
                let rotation = DQuat::from_array(rotation).normalize();
                // 1 − |dot| = 1.25e-11 is a rotation by 10⁻⁵ rad.
                let difference = 1.0 - found.local.rotation.dot(rotation).abs();
                assert!(difference < 1.25e-11, "{joint}: {difference}");
            }
        }
    }
}

#[test]
fn walk_positions_match_blender() {
    let clip = decode(include_bytes!("../../../../../assets/bvh/walk.bvh"));
    let expected = fixtures::json("gltf/walker.json");
    for row in expected["Walk"].as_array().unwrap() {
        let frame = (row["time"].as_f64().unwrap() * 30.0).round();
        let pose = pose(&clip, frame * clip.rate_hz.unwrap().recip());
        let joints = row["joints"].as_object().unwrap();
        assert_eq!(joints.len(), 17);
        for (name, expected) in joints {
            let (found, expected) = (node(&clip, &pose, name).world.translation, vector(expected));
            assert!(
                found.abs_diff_eq(expected, 2e-5),
                "{name} in frame {frame}: {found} {expected}"
            );
        }
    }
    let tips = clip.nodes.iter().filter(|node| node.kind == NodeKind::Tip).count();
    assert_eq!((clip.nodes.len(), tips, clip.tracks.len()), (22, 5, 3 + 17 * 3));
    assert_eq!(clip.convention.fact_names(FactOrigin::Declared), [""; 0]);
}

#[test]
fn walk_is_the_same_in_bvh_and_gltf() {
    let bvh = decode(include_bytes!("../../../../../assets/bvh/walk.bvh"));
    let gltf = include_bytes!("../../../../../assets/gltf/walker.glb");
    let gltf = mutoscope_core::decode(gltf, &ReadOptions::default()).unwrap();
    for frame in 0..=60 {
        let bvh_pose = pose(&bvh, f64::from(frame) * bvh.rate_hz.unwrap().recip());
        let gltf_pose = pose(&gltf, f64::from(frame) / 30.0);
        for joint in ["Hips", "Head", "LeftHand", "RightFoot"] {
            let bvh_position = node(&bvh, &bvh_pose, joint).world.translation;
            let gltf_position = node(&gltf, &gltf_pose, joint).world.translation;
            assert!(
                bvh_position.abs_diff_eq(gltf_position, 5e-5),
                "{joint} in frame {frame}: {bvh_position} {gltf_position}"
            );
        }
    }
}
