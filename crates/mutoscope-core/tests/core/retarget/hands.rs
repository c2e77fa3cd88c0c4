//! Tests recorded hands on the hands of a character, and on characters that have only a hand.

use glam::DVec3;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose},
    decode,
    formats::Fit,
    io::bytes::NoSidecars,
    retarget::Retargeting,
    skeleton_file::LoadedSkeleton,
};

use super::{rig, sample};

const HANDS: &[u8] = include_bytes!("../../../../../assets/mrtk/two-hands.bin");

fn retarget_hands(rig: &LoadedSkeleton) -> Result<Clip, String> {
    let fit = Fit::ByBones;
    let options = ReadOptions { fit, ..ReadOptions::default().with_skeleton(rig.clone()) };
    decode(HANDS, &options).map_err(|failure| failure.error.to_string())
}

fn index(clip: &Clip, name: &str) -> usize {
    clip.nodes.iter().position(|node| node.name == name).unwrap()
}

fn direction(clip: &Clip, pose: &Pose, from: &str, to: &str) -> DVec3 {
    let position = |name| pose.nodes[index(clip, name)].world.translation;
    (position(to) - position(from)).normalize()
}

/// The recorded joints' axes run along the fingers, so the fingers of the character must point the
/// same way.
#[test]
fn avatar_fingers_point_like_the_recorded_fingers() {
    let rig = rig("boxes.vrm");
    let clip = retarget_hands(&rig).unwrap();
    let recorded = decode(HANDS, &ReadOptions::default()).unwrap();
    let mut compared = 0;
    for time in [0.5, 1.25, 2.0, 3.0] {
        let (ours, theirs) = (sample(&clip, time), sample(&recorded, time));
        for (side, short) in [("left", "L"), ("right", "R")] {
            if !theirs.nodes[index(&recorded, &format!("{side}/Wrist"))].is_visible {
                continue;
            }
            for (finger, joint) in
                [("Index", "Index"), ("Middle", "Middle"), ("Ring", "Ring"), ("Little", "Pinky")]
            {
                let bone = |number| format!("J_Bip_{short}_{finger}{number}");
                let ours = direction(&clip, &ours, &bone(1), &bone(2));
                let joints = ["Knuckle", "MiddleJoint"].map(|part| format!("{side}/{joint}{part}"));
                let theirs = direction(&recorded, &theirs, &joints[0], &joints[1]);
                assert!(
                    ours.angle_between(theirs) < 0.02,
                    "{side} {finger} at {time}: {ours} {theirs}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 16, "{compared}");
}

#[test]
fn retargeted_hands_rotate_but_keep_their_position() {
    let rig = rig("boxes.vrm");
    let clip = retarget_hands(&rig).unwrap();
    let retargeting = clip.procedural_as::<Retargeting>().unwrap();
    assert_eq!(retargeting.hip_scale, 1.0);
    assert_eq!(retargeting.mapped.len(), 32);
    assert!(retargeting.mapped.iter().all(|one| one.bone.name() != "hips"));
    let mut rest = Pose::default();
    clip.sample_rest_pose(&mut rest);
    let pose = sample(&clip, 1.25);
    for name in ["J_Bip_C_Hips", "J_Bip_L_Hand", "J_Bip_R_Hand"] {
        let index = index(&clip, name);
        let moved =
            pose.nodes[index].world.translation.distance(rest.nodes[index].world.translation);
        assert!(moved < 1e-9, "{name}: {moved}");
    }
}

#[test]
fn lone_hand_follows_the_wrist_and_rests_while_lost() {
    let text = r#"{"asset": {"version": "2.0"}, "nodes": [
        {"name": "LeftHand", "translation": [0, 3, 0], "children": [1]},
        {"name": "LeftHandMiddle1", "translation": [0.1, 0, 0], "children": [2]},
        {"name": "LeftHandMiddle2", "translation": [0.03, 0, 0]}]}"#;
    let rig = mutoscope_core::Registry::default()
        .decode_skeleton(text.as_bytes(), "hand.gltf", &NoSidecars)
        .unwrap();
    let clip = retarget_hands(&rig).unwrap();
    let recorded = decode(HANDS, &ReadOptions::default()).unwrap();
    let wrist = index(&recorded, "left/Wrist");
    let (mut tracked, mut lost) = (0, 0);
    for step in 0..200 {
        let time = f64::from(step) * 0.05;
        let (ours, theirs) =
            (sample(&clip, time).nodes[0].world, sample(&recorded, time).nodes[wrist]);
        let expected = if theirs.is_visible { theirs.world.translation } else { DVec3::Y * 3.0 };
        assert!(ours.translation.distance(expected) < 1e-9, "{time}");
        tracked += usize::from(theirs.is_visible);
        lost += usize::from(!theirs.is_visible);
    }
    assert!(tracked > 20 && lost > 0, "{tracked} {lost}");
}

#[test]
fn character_without_hands_is_rejected() {
    let text = r#"{"asset": {"version": "2.0"}, "nodes": [{"name": "box"}]}"#;
    let rig = mutoscope_core::Registry::default()
        .decode_skeleton(text.as_bytes(), "box.gltf", &NoSidecars)
        .unwrap();
    let error = retarget_hands(&rig).unwrap_err();
    assert!(
        error.contains("expected hand bones, found none in box.gltf; not retargeted"),
        "{error}"
    );
}
