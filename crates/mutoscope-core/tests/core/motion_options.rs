//! Exports with other root motion, axes, rest pose and lengths.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Assumptions, Clip, FormatAssumptions, NodeId, Nodes, Pose, UpAxis},
    decode,
    export::{
        ExportError, ExportOptions, FileAxis, InPlace, MotionOptions, Progress, Report, RestPose,
        Targets,
    },
};

/// A person of 1.7 m who walks 2 m towards +Z in two seconds, and turns to the left by 90° in the
/// second one. The arms hang at 45°, and the left leg swings.
const WALK: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head { OFFSET 0 40 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 10 0 } }
    JOINT LeftArm
    {
      OFFSET 20 30 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftForeArm
      {
        OFFSET 20 -20 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT LeftHand { OFFSET 20 -20 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 5 -5 0 } }
      }
    }
    JOINT RightArm
    {
      OFFSET -20 30 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT RightForeArm
      {
        OFFSET -20 -20 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT RightHand { OFFSET -20 -20 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET -5 -5 0 } }
      }
    }
  }
  JOINT LeftUpLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -45 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot { OFFSET 0 -45 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 -10 15 } }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT RightLeg
    {
      OFFSET 0 -45 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT RightFoot { OFFSET 0 -45 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 -10 15 } }
    }
  }
}
MOTION
Frames: 3
Frame Time: 1
";

fn asset(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
    std::fs::read(std::path::Path::new(folder).join(name)).unwrap()
}

fn walk() -> Clip {
    // The hips have six channels, and each of the 14 joints below them three.
    let frame = |z: f64, yaw: f64, swing: f64| {
        let joint =
            |index: usize| if index == 8 { format!(" 0 {swing} 0") } else { " 0 0 0".to_owned() };
        let joints: String = (0..14).map(joint).collect();
        format!("0 100 {z} 0 0 {yaw}{joints}\n")
    };
    let text = [WALK, &frame(0.0, 0.0, 0.0), &frame(100.0, 0.0, -30.0), &frame(200.0, 90.0, 20.0)]
        .concat();
    decode(SourceFile::new("walk.bvh", text.as_bytes()), &ReadOptions::default()).unwrap()
}

fn export(
    clip: &Clip,
    target: &str,
    motion: MotionOptions,
) -> Result<(Vec<u8>, Report), ExportError> {
    let options = ExportOptions { title: "walk".to_owned(), motion, ..ExportOptions::default() };
    let mut bytes = Vec::new();
    let target = Targets::default().target(target).unwrap();
    let report = target.write(clip, &options, &mut bytes, &mut Progress::default())?;
    Ok((bytes, report))
}

fn read_back(bytes: &[u8], target: &str) -> Clip {
    let options = ReadOptions { with_model: true, ..ReadOptions::default() };
    decode(SourceFile::new(&format!("out.{target}"), bytes), &options).unwrap()
}

/// Reads a BVH as if its Y axis pointed up, so that positions are as in the file.
fn read_as_y_up(bytes: &[u8]) -> Clip {
    let up = Assumptions { up: Some(UpAxis::Y), ..Assumptions::default() };
    let assumptions = FormatAssumptions::for_all_formats(up);
    let options = ReadOptions { assumptions, ..ReadOptions::default() };
    decode(SourceFile::new("out.bvh", bytes), &options).unwrap()
}

fn converted(clip: &Clip, target: &str, motion: MotionOptions) -> Clip {
    read_back(&export(clip, target, motion).unwrap().0, target)
}

fn node(clip: &Clip, name: &str) -> NodeId {
    let found = clip.nodes.with_ids().find(|(_, node)| node.name == name);
    found.unwrap_or_else(|| panic!("no node {name}")).0
}

fn position(clip: &Clip, name: &str, time: f64) -> DVec3 {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose[node(clip, name)].world.translation
}

fn rest_position(clip: &Clip, name: &str) -> DVec3 {
    let mut pose = Pose::default();
    clip.sample_rest_pose(&mut pose);
    pose[node(clip, name)].world.translation
}

fn assert_close(found: DVec3, expected: DVec3, tolerance: f64, what: &str) {
    assert!(found.abs_diff_eq(expected, tolerance), "{what}: {found} instead of {expected}");
}

const TIMES: [f64; 7] = [0.0, 0.3, 0.9, 1.0, 1.25, 1.7, 2.0];

/// Returns the heading of the walker at `time`, in radians.
fn heading(time: f64) -> f64 {
    FRAC_PI_2 * (time - 1.0).max(0.0)
}

#[test]
fn hips_stay_above_the_origin_without_root_motion() {
    let walk = walk();
    let in_place = converted(
        &walk,
        "glb",
        MotionOptions { in_place: InPlace::Remove, ..MotionOptions::default() },
    );
    for time in TIMES {
        assert_close(position(&in_place, "Hips", time), DVec3::Y, 1e-5, "the hips");
        let travel = DVec3::Z * time;
        for name in ["LeftFoot", "RightFoot", "LeftHand", "Head"] {
            let expected =
                DQuat::from_rotation_y(-heading(time)) * (position(&walk, name, time) - travel);
            let found = position(&in_place, name, time);
            assert_close(found, expected, 1e-5, name);
            assert!((found.y - position(&walk, name, time).y).abs() < 1e-5, "the height of {name}");
        }
        let right_hand = position(&in_place, "RightHand", time);
        assert!(right_hand.x < -0.5 && right_hand.z.abs() < 1e-5, "it faces +Z: {right_hand}");
    }
}

#[test]
fn root_node_carries_the_root_motion() {
    let walk = walk();
    for target in ["glb", "bvh"] {
        let options = MotionOptions { in_place: InPlace::Root, ..MotionOptions::default() };
        let with_root = converted(&walk, target, options);
        // The BVH has frames each second, so compare at these.
        let times = if target == "bvh" { &[0.0, 1.0, 2.0][..] } else { &TIMES };
        for &time in times {
            let mut pose = Pose::default();
            with_root.sample(time, &mut pose);
            let root = pose[node(&with_root, "root")].world;
            assert_close(root.translation, DVec3::Z * time, 1e-5, "the root");
            let turned = root.rotation.angle_between(DQuat::from_rotation_y(heading(time)));
            assert!(turned < 1e-5, "{turned} at {time}");
            let hips = pose[node(&with_root, "Hips")].local.translation;
            assert_close(hips, DVec3::Y, 1e-5, "the hips, relative to the root");
            for name in ["Hips", "Head", "LeftFoot", "RightHand"] {
                let found = pose[node(&with_root, name)].world.translation;
                assert_close(found, position(&walk, name, time), 1e-5, name);
            }
        }
    }
}

#[test]
fn root_motion_of_samples_recomposes_to_the_original() {
    for name in ["bvh/walk.bvh", "gltf/walker.glb", "maya/walk-with-hat.anim", "mrtk/two-hands.bin"]
    {
        let bytes = asset(name);
        let clip = decode(SourceFile::new(name, &bytes), &ReadOptions::default()).unwrap();
        let options = |in_place| MotionOptions { in_place, ..MotionOptions::default() };
        let with_root = converted(&clip, "glb", options(InPlace::Root));
        let in_place = converted(&clip, "glb", options(InPlace::Remove));
        let root_motion_node = clip.root_motion_node().unwrap();
        let (mut expected, mut found, mut stays) =
            (Pose::default(), Pose::default(), Pose::default());
        for step in 0..=50 {
            let time = clip.span.duration * f64::from(step) / 50.0;
            clip.sample(clip.span.start + time, &mut expected);
            with_root.sample(time, &mut found);
            in_place.sample(time, &mut stays);
            for (id, node) in clip.nodes.with_ids().filter(|(id, _)| expected[*id].is_visible) {
                let [found, expected] = [&found, &expected].map(|pose| pose[id].world.translation);
                assert_close(found, expected, 2e-4, &format!("{name}: {} at {time}", node.name));
            }
            let [stays, height] =
                [&stays, &expected].map(|pose| pose[root_motion_node].world.translation);
            assert_close(stays, DVec3::Y * height.y, 2e-4, &format!("{name} at {time}"));
        }
    }
}

#[test]
fn scale_multiplies_all_lengths() {
    let walk = walk();
    let centimetres = MotionOptions { scale: 100.0, ..MotionOptions::default() };
    let large = converted(&walk, "glb", centimetres.clone());
    assert_close(position(&large, "Hips", 2.0), DVec3::new(0.0, 100.0, 200.0), 1e-3, "the hips");
    assert_close(
        rest_position(&large, "Head"),
        rest_position(&walk, "Head") * 100.0,
        1e-3,
        "at rest",
    );
    let bytes = asset("gltf/walker.glb");
    let options = ReadOptions { with_model: true, ..ReadOptions::default() };
    let walker = decode(SourceFile::new("walker.glb", &bytes), &options).unwrap();
    let large = converted(&walker, "glb", centimetres);
    let [before, after] = [&walker, &large].map(|clip| clip.model().unwrap().pieces.clone());
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        for (before, after) in before.positions.iter().zip(&after.positions) {
            let expected = DVec3::from_array(before.map(f64::from)) * 100.0;
            assert_close(DVec3::from_array(after.map(f64::from)), expected, 1e-3, "a vertex");
        }
        let skins = before.skin.iter().zip(&after.skin);
        let matrices =
            skins.flat_map(|(one, other)| one.inverse_bind.iter().zip(&other.inverse_bind));
        for (before, after) in matrices {
            let [before, after] = [before, after].map(|matrix| matrix.w_axis.truncate().as_dvec3());
            assert_close(after, before * 100.0, 1e-3, "an inverse bind matrix");
        }
    }
}

#[test]
fn axes_are_those_of_the_file() {
    let walk = walk();
    let z_up = MotionOptions { up: Some(FileAxis::Z), ..MotionOptions::default() };
    let (bytes, report) = export(&walk, "bvh", z_up.clone()).unwrap();
    assert!(report.remarks().iter().any(|remark| remark.message.contains("Z up")), "{report:?}");
    // The reader finds out that Z is up, unless the user says that Y is.
    let (viewed, file) = (read_back(&bytes, "bvh"), read_as_y_up(&bytes));
    for time in [0.0, 1.0, 2.0] {
        for name in ["Head", "Hips", "LeftFoot", "RightHand"] {
            let expected = position(&walk, name, time);
            assert_close(position(&viewed, name, time), expected, 1e-5, name);
            let DVec3 { x, y, z } = expected;
            assert_close(position(&file, name, time), DVec3::new(x, -z, y), 1e-5, name);
        }
    }
    let head = position(&file, "Head", 0.0);
    assert!(head.z > 1.5 && head.x.abs() < 1e-5 && head.y.abs() < 1e-5, "{head}");
    // The rest pose has the same axes, even below a root that is added.
    for in_place in [InPlace::Keep, InPlace::Remove, InPlace::Root] {
        let options = MotionOptions { in_place, ..z_up.clone() };
        let file = read_as_y_up(&export(&walk, "bvh", options).unwrap().0);
        let head = rest_position(&file, "Head") - rest_position(&file, "Hips");
        assert_close(head, DVec3::Z * 0.6, 1e-5, "the head at rest");
        let hips = position(&file, "Hips", 2.0);
        let expected =
            if in_place == InPlace::Remove { DVec3::Z } else { DVec3::new(0.0, -2.0, 1.0) };
        assert_close(hips, expected, 1e-5, "the hips");
    }
}

#[test]
fn rest_pose_is_a_t_pose_and_the_motion_stays() {
    let walk = walk();
    for target in ["glb", "bvh"] {
        let options = MotionOptions { rest: RestPose::TPose, ..MotionOptions::default() };
        let posed = converted(&walk, target, options);
        for (arm, side) in [("Left", 1.0), ("Right", -1.0)] {
            let shoulder = rest_position(&posed, &format!("{arm}Arm"));
            let upper = 0.2_f64.hypot(0.2);
            for (joint, lengths) in [("ForeArm", 1.0), ("Hand", 2.0)] {
                let expected = shoulder + DVec3::X * side * lengths * upper;
                assert_close(
                    rest_position(&posed, &format!("{arm}{joint}")),
                    expected,
                    1e-5,
                    joint,
                );
            }
            let hip = rest_position(&posed, &format!("{arm}UpLeg"));
            let foot = rest_position(&posed, &format!("{arm}Foot"));
            assert_close(foot, hip - DVec3::Y * 0.9, 1e-5, "the foot");
        }
        for time in [0.0, 1.0, 2.0] {
            for name in ["Head", "LeftHand", "RightHand", "LeftFoot"] {
                assert_close(position(&posed, name, time), position(&walk, name, time), 1e-5, name);
            }
        }
    }
}

#[test]
fn rest_pose_is_the_pose_at_a_time() {
    let walk = walk();
    for target in ["glb", "bvh"] {
        let options = MotionOptions { rest: RestPose::Time(1.0), ..MotionOptions::default() };
        let posed = converted(&walk, target, options);
        let hips = [rest_position(&posed, "Hips"), position(&walk, "Hips", 1.0)];
        for name in ["LeftFoot", "RightFoot", "Head"] {
            let expected = position(&walk, name, 1.0) - hips[1];
            assert_close(rest_position(&posed, name) - hips[0], expected, 1e-5, name);
            for time in [0.0, 1.0, 2.0] {
                assert_close(position(&posed, name, time), position(&walk, name, time), 1e-5, name);
            }
        }
    }
}

#[test]
fn speed_changes_the_times_of_all_keys() {
    const SPEED: f64 = 0.5;
    for (name, target) in [
        ("bvh/walk.bvh", "bvh"),
        ("bvh/walk.bvh", "glb"),
        ("maya/walk-with-hat.anim", "anim"),
        ("mrtk/two-hands.bin", "mrtk"),
        ("mrtk/two-hands.bin", "animj"),
    ] {
        let bytes = asset(name);
        let clip = decode(SourceFile::new(name, &bytes), &ReadOptions::default()).unwrap();
        let slow = MotionOptions { speed: SPEED, ..MotionOptions::default() };
        let slow = converted(&clip, target, slow);
        let expected_s = clip.span.duration / SPEED;
        assert!((slow.span.duration - expected_s).abs() < 1e-4, "{name}: {:?}", slow.span);
        let (mut expected, mut found) = (Pose::default(), Pose::default());
        for step in 0..=50 {
            let time = clip.span.duration * f64::from(step) / 50.0;
            clip.sample(clip.span.start + time, &mut expected);
            slow.sample(slow.span.start + time / SPEED, &mut found);
            for (id, node) in clip.nodes.with_ids().filter(|(id, _)| expected[*id].is_visible) {
                let Some((other, _)) =
                    slow.nodes.with_ids().find(|(_, other)| other.name == node.name)
                else {
                    continue;
                };
                let what = format!("{name} to {target}: {} at {time}", node.name);
                let [expected, found] = [expected[id], found[other]].map(|pose| pose.world);
                assert_close(found.translation, expected.translation, 6e-4, &what);
            }
        }
    }
}

#[test]
fn speed_keeps_frames_and_tangents() {
    let half = || MotionOptions { speed: 0.5, ..MotionOptions::default() };
    let walk = converted(&walk(), "bvh", half());
    assert_eq!((walk.rate_hz, walk.span.duration), (Some(0.5), 4.0));
    let bytes = asset("maya/walk-with-hat.anim");
    let maya = decode(&bytes[..], &ReadOptions::default()).unwrap();
    let keys = |clip: &Clip| clip.tracks.iter().map(|track| track.curve.key_count()).sum::<usize>();
    assert_eq!(keys(&converted(&maya, "anim", half())), keys(&maya));
}

#[test]
fn speed_and_the_range_and_the_rest_pose_go_together() {
    let walk = walk();
    let motion = MotionOptions {
        speed: 4.0,
        rest: RestPose::Time(1.0),
        in_place: InPlace::Root,
        ..MotionOptions::default()
    };
    let options = ExportOptions { motion, range: Some(1.0..=2.0), ..ExportOptions::default() };
    let mut bytes = Vec::new();
    let target = Targets::default().target("glb").unwrap();
    let report = target.write(&walk, &options, &mut bytes, &mut Progress::default()).unwrap();
    let fast = read_back(&bytes, "glb");
    assert!((fast.span.duration - 0.25).abs() < 1e-6, "{:?}", fast.span);
    for time in [1.0, 1.25, 1.5, 2.0] {
        let found = position(&fast, "LeftFoot", (time - 1.0) / 4.0);
        assert_close(found, position(&walk, "LeftFoot", time), 1e-5, "the left foot");
    }
    let at_rest = position(&walk, "LeftFoot", 1.0);
    assert_close(rest_position(&fast, "LeftFoot"), at_rest, 1e-5, "the rest pose");
    let remarks: Vec<_> = report.remarks().iter().map(|remark| remark.message.as_str()).collect();
    assert!(remarks.contains(&"time 0 of the file is 1 s of the recording"), "{remarks:?}");
    assert!(remarks.contains(&"1 s of the file is 4 s of the recording"), "{remarks:?}");
}

#[test]
fn impossible_options_are_refused() {
    let walk = walk();
    let mut still = walk.clone();
    still.nodes = Nodes::default();
    let hands = decode(&asset("mrtk/two-hands.bin")[..], &ReadOptions::default()).unwrap();
    let default = MotionOptions::default;
    let z_up = MotionOptions { up: Some(FileAxis::Z), ..default() };
    let parallel = MotionOptions { forward: Some(FileAxis::NegZ), ..z_up.clone() };
    let t_pose = MotionOptions { rest: RestPose::TPose, ..default() };
    let invalid = "export/option-invalid";
    let unsupported = "export/option-not-supported";
    let cases = [
        (&walk, "glb", MotionOptions { scale: 0.0, ..default() }, invalid),
        (&walk, "glb", MotionOptions { scale: f64::NAN, ..default() }, invalid),
        (&walk, "glb", MotionOptions { scale: -1.0, ..default() }, invalid),
        (&walk, "glb", MotionOptions { speed: 0.0, ..default() }, invalid),
        (&walk, "glb", MotionOptions { speed: 1e-7, ..default() }, invalid),
        (&walk, "bvh", parallel, invalid),
        (&walk, "glb", MotionOptions { rest: RestPose::Time(9.0), ..default() }, invalid),
        (&walk, "glb", z_up.clone(), unsupported),
        (&hands, "mrtk", z_up, unsupported),
        (&walk, "csv", t_pose.clone(), unsupported),
        (&hands, "glb", t_pose, "export/no-humanoid"),
        (
            &still,
            "glb",
            MotionOptions { in_place: InPlace::Remove, ..default() },
            "export/no-root-motion",
        ),
    ];
    for (clip, target, motion, code) in cases {
        let error = export(clip, target, motion.clone()).expect_err(code);
        assert_eq!(error.code().map(|code| code.as_str()), Some(code), "{motion:?}: {error}");
        assert!(error.to_string().ends_with("nothing written"), "{error}");
    }
    // The axes of glTF may be named.
    let y_up = MotionOptions { up: Some(FileAxis::Y), forward: Some(FileAxis::NegZ), ..default() };
    assert!(export(&walk, "glb", y_up).is_ok());
}
