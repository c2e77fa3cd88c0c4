//! Tests Maya recordings on skeletons: matching of nodes, rest poses, and diagnostics.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::{DQuat, DVec3};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, FactOrigin, NodeId, NodeKind, Pose},
    decode,
    diagnostics::{Diagnostic, Severity},
    formats::FormatId,
    skeleton_file::LoadedSkeleton,
};

use crate::rig::{arm, rig_from_nodes};

/// Builds a recording in centimetres and degrees. Each line has `node row attribute`, followed by
/// the values at 0 s, 1 s and so on.
fn recording(curves: &str) -> Vec<u8> {
    let mut text = "animVersion 1.1;\ntimeUnit sec;\nlinearUnit cm;\nangularUnit deg;\n".to_owned();
    let mut last = ("", 0);
    for curve in curves.lines() {
        let mut words = curve.split_whitespace();
        let [node, row, leaf] = [(); 3].map(|()| words.next().unwrap());
        let output = if leaf.starts_with("rotate") { "angular" } else { "linear" };
        last = (node, if last.0 == node { last.1 + 1 } else { 0 });
        text += &format!("anim {leaf} {leaf} {node} {row} 0 {};\n", last.1);
        text += &format!("animData {{ output {output};\nkeys {{\n");
        for (time, value) in words.enumerate() {
            text += &format!("{time} {value} linear linear 1 1 0;\n");
        }
        text += "}\n}\n";
    }
    text.into_bytes()
}

fn decode_on_rig(curves: &str, rig: &LoadedSkeleton) -> Clip {
    let options = ReadOptions::default().with_format(FormatId::MAYA).with_skeleton(rig.clone());
    let options = ReadOptions { allows_unmatched_skeleton: true, ..options };
    decode(&recording(curves), &options).unwrap()
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

fn index(clip: &Clip, name: &str) -> usize {
    clip.nodes.iter().position(|node| node.name == name).unwrap()
}

/// Builds a chain of two bones, 1 m each along Y. The second joint is rotated in the rest pose.
fn chain() -> LoadedSkeleton {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    rig_from_nodes(&format!(
        r#"[{{"name": "Hip", "children": [1]}},
            {{"name": "Knee", "translation": [0, 1, 0], "rotation": [0, 0, {s}, {s}], "children": [2]}},
            {{"name": "Foot", "translation": [0, 1, 0]}}]"#
    ))
}

#[test]
fn unkeyed_channels_use_the_rest_pose() {
    // The hip moves up by 50 cm and the foot rotates. The recording has no curves for the knee.
    let clip = decode_on_rig("hip 0 translateY 0 50\nfoot 1 rotateX 0 90", &chain());
    let pose = pose(&clip, 1.0);
    let names: Vec<_> = clip.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["hip", "Knee", "foot"]);
    let positions = pose.nodes.iter().map(|node| node.world.translation);
    // The rest rotation of the knee turns its bone from +Y to −X.
    let expected =
        [DVec3::new(0.0, 0.5, 0.0), DVec3::new(0.0, 1.5, 0.0), DVec3::new(-1.0, 1.5, 0.0)];
    for (position, expected) in positions.zip(expected) {
        assert!(position.abs_diff_eq(expected, 1e-6), "{position} {expected}");
    }
    let rotation = pose.nodes[2].local.rotation;
    assert!(rotation.angle_between(DQuat::from_rotation_x(FRAC_PI_2)) < 1e-6);
    assert_eq!(clip.convention.up.origin, FactOrigin::Declared);
}

#[test]
fn missing_channels_use_the_rest_pose() {
    let rig = rig_from_nodes(r#"[{"name": "a", "translation": [1, 2, 3], "scale": [2, 2, 2]}]"#);
    let clip = decode_on_rig("a 0 translateX 500 500\na 0 scaleY 7 7", &rig);
    let local = pose(&clip, 0.0).nodes[0].local;
    assert!(local.translation.abs_diff_eq(DVec3::new(5.0, 2.0, 3.0), 1e-9));
    assert!(local.scale.abs_diff_eq(DVec3::new(2.0, 7.0, 2.0), 1e-9));
}

#[test]
fn rotations_replace_the_rest_pose_or_are_relative_to_it() {
    let decode_knee = |curves: &str| {
        let clip = decode_on_rig(curves, &chain());
        let is_relative = clip
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code.as_str() == "skeleton/joint-orientations");
        (pose(&clip, 1.0).nodes[1].local.rotation, is_relative)
    };
    // The recorded rotation starts near the rest rotation of 90°, so it replaces the rest rotation.
    let (rotation, is_relative) =
        decode_knee("knee 0 rotateX 0 0\nknee 0 rotateY 0 0\nknee 0 rotateZ 80 135");
    assert!(rotation.angle_between(DQuat::from_rotation_z(3.0 * FRAC_PI_4)) < 1e-6);
    assert!(!is_relative);
    // The recorded rotation starts near 0°, so it is relative to the rest rotation.
    let (rotation, is_relative) =
        decode_knee("knee 0 rotateX 0 0\nknee 0 rotateY 0 0\nknee 0 rotateZ -5 45");
    assert!(rotation.angle_between(DQuat::from_rotation_z(3.0 * FRAC_PI_4)) < 1e-6);
    assert!(is_relative);
}

#[test]
fn matched_and_unmatched_nodes_are_listed() {
    let clip =
        decode_on_rig("rig:upper 0 rotateX 0 9\nLOWER 1 rotateX 0 9\ntail 2 rotateX 0 9", &arm());
    let names: Vec<_> = clip.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["Hand", "LOWER", "rig:upper", "Body", "Arm", "Box", "tail"]);
    let attached = clip.skeleton.attached().unwrap();
    let matched: Vec<_> = attached
        .matched
        .iter()
        .map(|matched| (matched.node.index(), matched.name_in_skeleton.as_str()))
        .collect();
    assert_eq!(matched, [(1, "Lower"), (2, "Upper")]);
    assert_eq!(attached.missing.iter().map(|id| id.index()).collect::<Vec<_>>(), [6]);
    assert_eq!(attached.resting.iter().map(|id| id.index()).collect::<Vec<_>>(), [0, 3, 4, 5]);
    // The tail keeps its motion and its parent, but it is not a bone.
    let tail = &clip.nodes[NodeId::new(6)];
    assert_eq!(tail.kind, NodeKind::Helper);
    assert_eq!(tail.parent.map(|id| id.index()), Some(1));
    assert_eq!(tail.bone_from, None);
    // Bones connect joints only, so the helper above a joint has no bone.
    let bones: Vec<_> = clip.nodes.iter().map(|node| node.bone_from.map(|id| id.index())).collect();
    assert_eq!(bones, [Some(1), Some(2), None, None, None, None, None]);
    let is_missing =
        |diagnostic: &&Diagnostic| diagnostic.code.as_str() == "skeleton/nodes-missing";
    let warning = clip.diagnostics.iter().find(is_missing).unwrap();
    assert_eq!(warning.severity, Severity::Warning);
    let values = ["name", "expected", "found"].map(|name| warning.value(name).unwrap().clone());
    assert_eq!(serde_json::json!(values), serde_json::json!(["arm.glb", 3, 2]));
    assert!(
        warning.message.contains("2 of 3 animated nodes mapped; missing: \"tail\""),
        "{}",
        warning.message
    );
    // Matching must not change which node a track animates.
    let owners: Vec<_> = clip.tracks.iter().map(|track| clip.owner_name(track.owner)).collect();
    assert_eq!(owners, ["rig:upper", "LOWER", "tail"]);
}

#[test]
fn failed_match_names_nodes_of_both_sides() {
    let clip = decode_on_rig("a 0 rotateX 0 9", &chain());
    let warning = clip
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity == Severity::Warning)
        .unwrap();
    let expected = r#"0 of 1 animated nodes mapped. The recording has "a", the skeleton "Hip", "Knee", "Foot""#;
    assert!(warning.message.contains(expected), "{}", warning.message);
}

#[test]
fn repeated_names_are_reported() {
    let rig = rig_from_nodes(r#"[{"name": "a", "children": [1]}, {"name": "a"}]"#);
    let clip = decode_on_rig("a 0 rotateX 0 9\na 1 rotateX 0 9", &rig);
    assert_eq!(clip.nodes.len(), 2);
    let count = clip
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.as_str() == "skeleton/repeated-names")
        .count();
    assert_eq!(count, 2);
}

#[test]
fn centimetre_positions_become_metres() {
    let clip = decode_on_rig("Hand 0 translateY 0 30", &arm());
    let hand = index(&clip, "Hand");
    let rest = pose(&clip, 0.0).nodes[hand].local.translation;
    let moved = pose(&clip, 1.0).nodes[hand].local.translation;
    assert!((rest.y, moved.y) == (0.0, 0.3), "{rest} {moved}");
    // X and Z have no curves, so they keep the skeleton's rest position.
    assert!((moved.z - 7.783_349_076_362_356e-9).abs() < 1e-12);
}
