//! Compares retargeted recordings with values that an independent script computed.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad;
mod hands;
mod vrm;

use std::fs;

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, Pose},
    decode,
    diagnostics::Diagnostic,
    formats::Fit,
    io::bytes::NoSidecars,
    retarget::{BoneMap, Retargeting, bone_map},
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::fixtures::{json, path};
use serde_json::Value;

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path("characters").join(name)).unwrap()
}

fn rig(name: &str) -> LoadedSkeleton {
    mutoscope_core::Registry::default().decode_skeleton(&bytes(name), name, &NoSidecars).unwrap()
}

fn try_retarget(motion: &str, rig: &LoadedSkeleton, map: Option<&BoneMap>) -> Result<Clip, String> {
    let fit = map.map_or(Fit::ByBones, |map| Fit::Map(map.clone()));
    let options = ReadOptions { fit, ..ReadOptions::default().with_skeleton(rig.clone()) };
    decode(SourceFile::new(motion, &bytes(motion)), &options)
        .map_err(|failure| failure.error.to_string())
}

fn retarget(motion: &str, rig: &LoadedSkeleton) -> Clip {
    try_retarget(motion, rig, None).unwrap()
}

fn load_recording(motion: &str) -> Clip {
    decode(SourceFile::new(motion, &bytes(motion)), &ReadOptions::default()).unwrap()
}

fn sample(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

fn messages(clip: &Clip) -> String {
    clip.diagnostics
        .iter()
        .map(|diagnostic| format!("{}: {}\n", diagnostic.severity, diagnostic.message))
        .collect()
}

/// Returns the codes of the diagnostics, in the order in which they were found.
fn codes(clip: &Clip) -> Vec<&'static str> {
    clip.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

/// Returns the distances of a node from its expected position and rotation, in metres and radians.
fn deviation(clip: &Clip, pose: &Pose, name: &str, expected: &Value) -> (f64, f64) {
    let index = clip.nodes.iter().position(|node| node.name == name).unwrap();
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let world = &pose.nodes[index].world;
    let position = DVec3::from_slice(&numbers(&expected[0]));
    let rotation = DQuat::from_slice(&numbers(&expected[1])).normalize();
    (world.translation.distance(position), world.rotation.angle_between(rotation))
}

/// Returns the expected values of all pairs without FBX, which this crate cannot read.
fn pairs() -> Vec<Value> {
    let pairs = json("characters/expected.json")["pairs"].as_array().unwrap().clone();
    let is_read = |pair: &Value| {
        ["motion", "character"].iter().all(|side| !pair[side].as_str().unwrap().ends_with(".fbx"))
    };
    pairs.into_iter().filter(is_read).collect()
}

#[test]
fn retargeted_poses_match_the_reference() {
    let (mut worst, mut compared) = ((0.0f64, 0.0f64), 0);
    let pairs = pairs();
    for pair in &pairs {
        let [motion, character] = ["motion", "character"].map(|side| pair[side].as_str().unwrap());
        let clip = retarget(motion, &rig(character));
        for row in pair["rows"].as_array().unwrap() {
            let time = row["time"].as_f64().unwrap();
            let pose = sample(&clip, time);
            for (name, expected) in row["nodes"].as_object().unwrap() {
                let (distance, angle) = deviation(&clip, &pose, name, expected);
                assert!(
                    distance < 1e-4 && angle < 1e-4,
                    "{motion} on {character} at {time}: {name} {distance} m, {angle} rad"
                );
                worst = (worst.0.max(distance), worst.1.max(angle));
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 1276);
    assert!(worst.0 < 5e-6 && worst.1 < 5e-6, "{worst:?} over {compared}");
}

#[test]
fn bone_maps_hip_scales_and_turns_match_the_reference() {
    for pair in pairs() {
        let [motion, character] = ["motion", "character"].map(|side| pair[side].as_str().unwrap());
        let clip = retarget(motion, &rig(character));
        let retargeting = clip.procedural_as::<Retargeting>().unwrap();
        let mapped: serde_json::Map<String, Value> = retargeting
            .mapped
            .iter()
            .map(|one| {
                let names = [&retargeting.motion.nodes[one.motion], &clip.nodes[one.character]];
                (one.bone.name().to_owned(), names.map(|node| node.name.clone()).to_vec().into())
            })
            .collect();
        assert_eq!(Value::Object(mapped), pair["mapped"], "{motion} on {character}");
        let [scale, turn] = ["hip_scale", "turn"].map(|member| pair[member].as_f64().unwrap());
        assert!(
            (retargeting.hip_scale - scale).abs() < 1e-5,
            "{motion} on {character}: {}",
            retargeting.hip_scale
        );
        assert!(
            (retargeting.turn - turn).abs() < 1e-3,
            "{motion} on {character}: {}",
            retargeting.turn
        );
    }
}

#[test]
fn reference_pose_that_is_not_upright_is_replaced_and_reported() {
    let clip = retarget("no_rest.bvh", &rig("boxes.vrm"));
    assert_eq!(clip.procedural_as::<Retargeting>().unwrap().reference, Some(0.0));
    assert!(codes(&clip).contains(&"retarget/reference-at-start"), "{}", messages(&clip));
    let clip = retarget("cmu_names.bvh", &rig("boxes.vrm"));
    assert_eq!(clip.procedural_as::<Retargeting>().unwrap().reference, None);
    assert!(!codes(&clip).contains(&"retarget/reference-at-start"), "{}", messages(&clip));
}

#[test]
fn alignments_and_mapped_bones_are_reported() {
    let clip = retarget("cmu_names.bvh", &rig("a_pose.glb"));
    let text = messages(&clip);
    assert!(text.contains("info: a_pose.glb: 22 bones mapped\n"), "{text}");
    assert!(text.contains("info: the rest poses differ; aligned: leftUpperArm 30°"), "{text}");
}

#[test]
fn bone_map_round_trips() {
    let rig = rig("boxes.vrm");
    let clip = retarget("cmu_names.bvh", &rig);
    let map = bone_map(clip.procedural_as::<Retargeting>().unwrap(), &clip.nodes);
    let map = BoneMap::parse(&map.to_json()).unwrap();
    let again = try_retarget("cmu_names.bvh", &rig, Some(&map)).unwrap();
    let [ours, theirs] = [&clip, &again].map(|clip| sample(clip, 0.4));
    for (ours, theirs) in ours.nodes.iter().zip(&theirs.nodes) {
        assert!(ours.world.translation.distance(theirs.world.translation) < 1e-12);
    }
}

#[test]
fn bone_map_can_rename_omit_and_scale() {
    let rig = rig("boxes.vrm");
    let text = r#"{"motion": {"leftHand": null, "chest": null, "upperChest": "Spine1"}, "hip_scale": 2.0}"#;
    let clip = try_retarget("cmu_names.bvh", &rig, Some(&BoneMap::parse(text).unwrap())).unwrap();
    let retargeting = clip.procedural_as::<Retargeting>().unwrap();
    assert!(retargeting.mapped.iter().all(|one| one.bone.name() != "leftHand"));
    assert!(retargeting.only_in_character.iter().any(|bone| bone.name() == "leftHand"));
    let is_missing = |one: &&Diagnostic| one.code.as_str() == "retarget/bones-missing";
    let missing = clip.diagnostics.iter().find(is_missing).unwrap();
    assert_eq!(missing.value("count"), Some(&20.into()));
    assert_eq!(missing.value("missing"), Some(&vec!["leftHand"].into()));
    let [plain, scaled] = [&load_recording("cmu_names.bvh"), &clip].map(|clip| sample(clip, 0.4));
    let hips = clip.nodes.iter().position(|node| node.name == "J_Bip_C_Hips").unwrap();
    let expected = plain.nodes[0].world.translation * 2.0;
    assert!(scaled.nodes[hips].world.translation.distance(expected) < 1e-12);
    let unknown = BoneMap::parse(r#"{"character": {"hips": "Pelvis"}}"#).unwrap();
    let error = try_retarget("cmu_names.bvh", &rig, Some(&unknown)).unwrap_err();
    assert!(
        error.contains("the bone map has hips: \"Pelvis\"; the character has no such node"),
        "{error}"
    );
}

#[test]
fn tracks_are_kept_and_owned_by_the_bones_of_the_character() {
    let clip = retarget("cmu_names.bvh", &rig("boxes.vrm"));
    let recorded = load_recording("cmu_names.bvh");
    assert_eq!(clip.tracks.len(), recorded.tracks.len());
    assert_eq!(clip.sample_times(), recorded.sample_times());
    let hips =
        clip.tracks.iter().filter(|track| clip.owner_name(track.owner) == "J_Bip_C_Hips").count();
    assert_eq!(hips, 6);
    assert_eq!(clip.nodes.len(), rig("boxes.vrm").nodes.len());
}

/// Nodes are matched by name if most names match, otherwise by human bones. If bones cannot be
/// mapped either, unmatched names are accepted only with `allows_unmatched_skeleton`. MRTK hands are
/// never matched by name.
#[test]
fn skeletons_are_fitted_by_names_or_by_bones() {
    let fitting = |skeleton: &LoadedSkeleton, allows_unmatched_skeleton| ReadOptions {
        fit: Fit::Automatic,
        allows_unmatched_skeleton,
        ..ReadOptions::default().with_skeleton(skeleton.clone())
    };
    let fitting_if_supported = |skeleton: &LoadedSkeleton| ReadOptions {
        skips_unsupported_skeleton: true,
        ..fitting(skeleton, false)
    };
    let load_with = |motion: &str, options: ReadOptions| {
        decode(SourceFile::new(motion, &bytes(motion)), &options)
    };
    let is_retargeted = |clip: &Clip| clip.procedural_as::<Retargeting>().is_some();
    let walk = "cmu_names.bvh";
    let avatar = rig("boxes.vrm");
    let clip = load_with(walk, fitting(&avatar, false)).unwrap();
    assert!(is_retargeted(&clip) && messages(&clip).contains("so bones are mapped"));
    let clip = load_with(walk, fitting_if_supported(&avatar)).unwrap();
    assert!(is_retargeted(&clip));

    // The skeleton comes from the same file, so its names match.
    let own = rig("plain_source.glb");
    let by_name = load_with("plain_source.glb", fitting(&own, false)).unwrap();
    assert!(!is_retargeted(&by_name) && by_name.skeleton.attached().is_some());

    // The arm has no human body, so bones cannot be mapped.
    let arm = fs::read(path("rig/still/arm.glb")).unwrap();
    let arm =
        mutoscope_core::Registry::default().decode_skeleton(&arm, "arm.glb", &NoSidecars).unwrap();
    assert!(load_with(walk, fitting(&arm, false)).is_err());
    let clip = load_with(walk, fitting(&arm, true)).unwrap();
    assert!(!is_retargeted(&clip) && clip.skeleton.attached().is_some());

    // MRTK hands are never matched by name.
    let hands = fs::read(path("../../assets/mrtk/two-hands.bin")).unwrap();
    assert!(decode(&hands, &fitting(&arm, false)).is_err());
    let alone = decode(&hands, &fitting_if_supported(&arm)).unwrap();
    assert!(alone.skeleton.attached().is_none());
}
