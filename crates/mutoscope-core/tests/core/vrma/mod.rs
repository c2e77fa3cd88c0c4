//! Writing VRM animations: an evaluator of its own compares them with their sources.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod evaluator;

use std::{fmt::Write as _, fs};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, Registry, SourceFile,
    clip::{Clip, HumanBone, Pose, Value},
    decode,
    export::{ExportError, ExportOptions, Progress, Report, Targets},
    formats::Fit,
    io::bytes::NoSidecars,
    retarget::{BoneMap, Retargeting},
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::{
    fixtures::path,
    property::{RandomInput, check_property},
};

use evaluator::VrmAnimation;

/// The largest error of a joint, in metres, and of the rotation of a bone, in radians.
const MAX_DISTANCE_M: f64 = 2e-5;
const MAX_ANGLE_RAD: f64 = 1.7e-4;

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path("characters").join(name)).unwrap()
}

fn avatar() -> LoadedSkeleton {
    let bytes = bytes("boxes.vrm");
    Registry::default().decode_skeleton(&bytes, "boxes.vrm", &NoSidecars).unwrap()
}

fn on_avatar(bytes: &[u8]) -> Clip {
    let fit = Fit::Map(BoneMap { hip_scale: Some(1.0), ..BoneMap::default() });
    let options = ReadOptions { fit, ..ReadOptions::default().with_skeleton(avatar()) };
    decode(SourceFile::new("motion", bytes), &options).unwrap()
}

fn alone(bytes: &[u8]) -> Clip {
    decode(SourceFile::new("motion", bytes), &ReadOptions::default()).unwrap()
}

fn try_export(clip: &Clip, options: &ExportOptions) -> Result<(Vec<u8>, Report), ExportError> {
    let mut bytes = Vec::new();
    let target = Targets::default().target("vrma").unwrap();
    let report = target.write(clip, options, &mut bytes, &mut Progress::default())?;
    Ok((bytes, report))
}

fn export(clip: &Clip) -> (Vec<u8>, Report) {
    try_export(clip, &ExportOptions::default()).unwrap()
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.remarks().iter().filter_map(|remark| Some(remark.code?.as_str())).collect()
}

fn pose_at(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample_motion(time, &mut pose);
    pose
}

/// A source, with its reference pose and the rotation from its space to that of an avatar.
struct Source {
    clip: Clip,
    bones: Vec<(HumanBone, mutoscope_core::clip::NodeId)>,
    reference: Pose,
    to_front: DQuat,
}

impl Source {
    fn new(clip: Clip, on_avatar: &Clip) -> Self {
        let retargeting = on_avatar.procedural_as::<Retargeting>().unwrap();
        let bones: Vec<_> = retargeting.motion_bones.iter().collect();
        let mut reference = Pose::default();
        match retargeting.reference {
            None => clip.sample_rest_pose(&mut reference),
            Some(time) => clip.sample(time, &mut reference),
        }
        // Rest poses face an axis; other reference poses have the direction of the upper legs.
        let node = |bone: HumanBone| retargeting.motion_bones.get(bone).unwrap();
        let across = reference[node(HumanBone::LeftUpperLeg)].world.translation
            - reference[node(HumanBone::RightUpperLeg)].world.translation;
        let mut turn = (-across.z).atan2(across.x);
        if retargeting.reference.is_none() {
            turn = (turn / std::f64::consts::FRAC_PI_2).round() * std::f64::consts::FRAC_PI_2;
        }
        Self { clip, bones, reference, to_front: DQuat::from_rotation_y(-turn) }
    }

    /// Returns the largest distance between a joint of the source and of the file at `time`, in
    /// metres, and the largest angle between their rotations since the reference pose, in radians.
    /// Limbs turn from the reference pose to the T-pose, so only `rigid` bones have such an angle.
    fn deviation(
        &self,
        file: &VrmAnimation,
        from: f64,
        time: f64,
        is_rigid: impl Fn(HumanBone) -> bool,
    ) -> (f64, f64) {
        let (nodes, pose) = (file.bones(), pose_at(&self.clip, from + time));
        let mut worst = (0.0_f64, 0.0_f64);
        for (bone, id) in &self.bones {
            let Some(&node) = nodes.get(bone.name()) else { continue };
            let world = file.world(node, Some(time));
            let expected = self.to_front * pose[*id].world.translation;
            worst.0 = worst.0.max(world.position.distance(expected));
            let turned = pose[*id].world.rotation * self.reference[*id].world.rotation.conjugate();
            let turned = self.to_front * turned * self.to_front.conjugate();
            if is_rigid(*bone) {
                let apart = (turned.conjugate() * world.rotation).normalize();
                worst.1 = worst.1.max(2.0 * apart.xyz().length().atan2(apart.w.abs()));
            }
        }
        worst
    }
}

fn is_of_trunk(bone: HumanBone) -> bool {
    bone as usize <= HumanBone::Head as usize
        || matches!(bone, HumanBone::LeftFoot | HumanBone::RightFoot)
}

fn times(clip: &Clip) -> impl Iterator<Item = f64> + use<> {
    let duration = clip.span.duration;
    (0..40).map(move |step| duration * f64::from(step) / 39.0)
}

#[test]
fn joints_and_rotations_are_those_of_the_source() {
    for (name, is_t_pose) in [
        ("move.vrma", true),
        ("few_bones.vrma", true),
        ("cmu_names.bvh", false),
        ("no_rest.bvh", false),
        ("plain_source.glb", false),
    ] {
        let source = Source::new(alone(&bytes(name)), &on_avatar(&bytes(name)));
        let (written, report) = export(&source.clip);
        let file = VrmAnimation::parse(&written);
        file.check_rules();
        let mut worst = (0.0_f64, 0.0_f64);
        for time in times(&source.clip) {
            let is_rigid = |bone| is_t_pose || is_of_trunk(bone);
            let start = source.clip.span.start;
            let (distance, angle) = source.deviation(&file, start, time, is_rigid);
            worst = (worst.0.max(distance), worst.1.max(angle));
        }
        assert!(worst.1 < MAX_ANGLE_RAD, "{name}: {worst:?}");
        if !codes(&report).contains(&"export/joint-positions") {
            assert!(worst.0 < MAX_DISTANCE_M, "{name}: {worst:?}");
        }
    }
}

#[test]
fn the_rest_pose_is_the_t_pose() {
    for name in ["cmu_names.bvh", "no_rest.bvh", "plain_source.glb"] {
        let file = VrmAnimation::parse(&export(&alone(&bytes(name))).0);
        let bones = file.bones();
        let at = |bone: &str| file.world(bones[bone], None).position;
        for (side, out) in [("left", DVec3::X), ("right", DVec3::NEG_X)] {
            for (from, to, direction) in [
                ("UpperArm", "LowerArm", out),
                ("LowerArm", "Hand", out),
                ("UpperLeg", "LowerLeg", DVec3::NEG_Y),
                ("LowerLeg", "Foot", DVec3::NEG_Y),
            ] {
                let (from, to) = (at(&format!("{side}{from}")), at(&format!("{side}{to}")));
                let angle = (to - from).angle_between(direction);
                assert!(angle < 1e-5, "{name}: {side} {angle}");
            }
        }
        assert!(at("hips").y > 0.3 && at("leftFoot").y > -1e-6, "{name}");
        assert!(at("leftUpperLeg").x > at("rightUpperLeg").x, "{name} faces +Z");
    }
}

#[test]
fn avatars_play_the_file_like_its_source() {
    for name in ["move.vrma", "few_bones.vrma"] {
        let direct = on_avatar(&bytes(name));
        let (written, _) = export(&alone(&bytes(name)));
        let back = on_avatar(&written);
        for time in times(&direct) {
            let [expected, found] = [&direct, &back].map(|clip| pose_at(clip, time));
            for (expected, found) in expected.nodes.iter().zip(&found.nodes) {
                let off = expected.world.translation.distance(found.world.translation);
                let turn = expected.world.rotation.angle_between(found.world.rotation);
                assert!(off < 1e-4 && turn < MAX_ANGLE_RAD, "{name}: {off} {turn}");
            }
        }
    }
}

#[test]
fn expressions_and_gaze_are_kept() {
    let source = alone(&bytes("move.vrma"));
    let (written, report) = export(&source);
    let back = alone(&written);
    let names = |clip: &Clip| -> Vec<String> {
        let mut names: Vec<_> = clip.signals.iter().map(|signal| signal.name.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&source), names(&back));
    for time in times(&source) {
        for signal in &source.signals {
            let same = back.signals.iter().find(|one| one.name == signal.name).unwrap();
            let values = [source.value(signal.track, time), back.value(same.track, time)];
            let [Value::Number(expected), Value::Number(found)] = values else { panic!("numbers") };
            assert!((expected - found).abs() < 2e-3, "{}: {found}, {expected}", signal.name);
        }
    }
    let file = VrmAnimation::parse(&written);
    assert!(file.expression_node("preset", "happy").is_some());
    assert!(file.expression_node("custom", "wink").is_some());
    assert!(!codes(&report).contains(&"export/parts-skipped"), "{:?}", report.remarks());
}

#[test]
fn recordings_without_a_humanoid_are_refused_by_bone() {
    let hands = fs::read(path("mrtk").parent().unwrap().join("../../assets/mrtk/two-hands.bin"));
    let error = try_export(&alone(&hands.unwrap()), &ExportOptions::default()).unwrap_err();
    assert_eq!(error.code().unwrap().as_str(), "export/no-humanoid");
    assert!(error.to_string().contains("found no hips, spine, head"), "{error}");
    let text = String::from_utf8(bytes("cmu_names.bvh")).unwrap();
    let text = text.replace("LeftForeArm", "Sleeve");
    let error = try_export(&alone(text.as_bytes()), &ExportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("found no leftLowerArm;"), "{error}");
}

#[test]
fn parts_of_a_recording_begin_at_0() {
    let source = Source::new(alone(&bytes("move.vrma")), &on_avatar(&bytes("move.vrma")));
    let (from, to) = (0.2, 0.5);
    let range = Some(from..=to);
    for rate in [None, Some(400.0)] {
        let options = ExportOptions { range: range.clone(), rate, ..ExportOptions::default() };
        let file = VrmAnimation::parse(&try_export(&source.clip, &options).unwrap().0);
        file.check_rules();
        for time in [0.0, 0.1, 0.3] {
            let (distance, angle) = source.deviation(&file, from, time, |_| true);
            assert!(distance < 1e-3 && angle < 2e-3, "{rate:?} {time}: {distance} {angle}");
        }
    }
    let options = ExportOptions { range: Some(from..=from), ..ExportOptions::default() };
    let (written, report) = try_export(&source.clip, &options).unwrap();
    assert!(codes(&report).contains(&"export/no-duration"));
    assert!(source.deviation(&VrmAnimation::parse(&written), from, 0.0, |_| true).0 < 1e-4);
}

/// A joint of a random body: its name, its position in a T-pose, and its children.
struct Joint(&'static str, [f64; 3], Vec<Joint>);

/// Returns a body with random optional bones, that faces +Z.
fn random_body(input: &mut RandomInput) -> Joint {
    let arm = |input: &mut RandomInput, names: [&'static str; 5], side: f64| {
        let mut hand = Joint(names[3], [side * 0.26, 0.0, 0.0], Vec::new());
        if input.below(2) == 0 {
            hand.2.push(Joint(names[4], [side * 0.09, 0.0, 0.02], Vec::new()));
        }
        let lower = Joint(names[2], [side * 0.28, 0.0, 0.0], vec![hand]);
        let upper = Joint(names[1], [side * 0.1, 0.0, 0.0], vec![lower]);
        match input.below(2) {
            0 => Joint(names[0], [side * 0.05, 0.1, 0.0], vec![upper]),
            _ => upper,
        }
    };
    let leg = |input: &mut RandomInput, names: [&'static str; 4], side: f64| {
        let mut foot = Joint(names[2], [0.0, -0.43, 0.0], Vec::new());
        if input.below(2) == 0 {
            foot.2.push(Joint(names[3], [0.0, -0.07, 0.13], Vec::new()));
        }
        let lower = Joint(names[1], [0.0, -0.42, 0.0], vec![foot]);
        Joint(names[0], [side * 0.09, -0.05, 0.0], vec![lower])
    };
    let eyes = vec![
        Joint("LeftEye", [0.03, 0.06, 0.08], Vec::new()),
        Joint("RightEye", [-0.03, 0.06, 0.08], Vec::new()),
    ];
    let has_eyes = input.below(2) == 0;
    let head = Joint("Head", [0.0, 0.1, 0.0], if has_eyes { eyes } else { Vec::new() });
    let neck = match input.below(2) {
        0 => Joint("Neck", [0.0, 0.2, 0.0], vec![head]),
        _ => head,
    };
    let left = ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftHandMiddle1"];
    let right = ["RightShoulder", "RightArm", "RightForeArm", "RightHand", "RightHandMiddle1"];
    let top = vec![neck, arm(input, left, 1.0), arm(input, right, -1.0)];
    let spine = match input.below(3) {
        0 => Joint("Spine", [0.0, 0.1, 0.0], top),
        1 => Joint("Spine", [0.0, 0.1, 0.0], vec![Joint("Spine1", [0.0, 0.15, 0.0], top)]),
        _ => {
            let upper = Joint("Spine2", [0.0, 0.12, 0.0], top);
            let chest = Joint("Spine1", [0.0, 0.12, 0.0], vec![upper]);
            Joint("Spine", [0.0, 0.1, 0.0], vec![chest])
        }
    };
    let left_leg = leg(input, ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"], 1.0);
    let right_leg = leg(input, ["RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"], -1.0);
    Joint("Hips", [0.0, 0.95, 0.0], vec![spine, left_leg, right_leg])
}

/// Writes the hierarchy of a BVH, with offsets that are a little off and turned by `turn`. Returns
/// the number of joints.
fn write_joint(joint: &Joint, input: &mut RandomInput, turn: DQuat, text: &mut String) -> usize {
    let is_root = text.is_empty();
    let jitter = DVec3::from_array(std::array::from_fn(|_| input.in_range(-0.02, 0.02)));
    let scale = input.in_range(0.7, 1.3);
    let offset = turn * (DVec3::from_array(joint.1) * scale + jitter) * 100.0;
    let head = if is_root { "HIERARCHY\nROOT" } else { "JOINT" };
    let (positions, count) = if is_root { ("Xposition Yposition Zposition ", 6) } else { ("", 3) };
    writeln!(
        text,
        "{head} {}\n{{\nOFFSET {} {} {}\nCHANNELS {count} {positions}Zrotation Xrotation Yrotation",
        joint.0, offset.x, offset.y, offset.z
    )
    .unwrap();
    let mut joints = 1;
    for child in &joint.2 {
        joints += write_joint(child, input, turn, text);
    }
    if joint.2.is_empty() {
        text.push_str("End Site\n{\nOFFSET 0 1 0\n}\n");
    }
    text.push_str("}\n");
    joints
}

fn random_bvh(input: &mut RandomInput) -> String {
    let body = random_body(input);
    let turn = DQuat::from_rotation_y(input.in_range(-3.1, 3.1));
    let mut text = String::new();
    let joints = write_joint(&body, input, turn, &mut text);
    let frames = 2 + input.below(5);
    let frame_time = input.in_range(0.02, 0.2);
    writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: {frame_time:.6}").unwrap();
    for _ in 0..frames {
        let position = (0..3).map(|_| input.in_range(-200.0, 200.0));
        let mut numbers: Vec<String> = position.map(|number| format!("{number:.4}")).collect();
        numbers.extend((0..joints * 3).map(|_| format!("{:.4}", input.in_range(-90.0, 90.0))));
        writeln!(text, "{}", numbers.join(" ")).unwrap();
    }
    text
}

#[test]
fn random_motion_of_random_bodies_reads_back() {
    check_property(|input| {
        let text = random_bvh(input);
        let source = Source::new(alone(text.as_bytes()), &on_avatar(text.as_bytes()));
        let (written, report) = export(&source.clip);
        let file = VrmAnimation::parse(&written);
        file.check_rules();
        let times: Vec<f64> =
            (0..6).map(|_| input.in_range(0.0, source.clip.span.duration)).collect();
        let is_traced = !report.remarks().iter().any(|one| one.message.contains("off between"));
        for time in times {
            let start = source.clip.span.start;
            let (distance, angle) = source.deviation(&file, start, time, is_of_trunk);
            assert!(!is_traced || distance < MAX_DISTANCE_M, "{time}: {distance} m\n{text}");
            assert!(!is_traced || angle < MAX_ANGLE_RAD, "{time}: {angle} rad\n{text}");
        }
        let back = alone(&written);
        assert!((back.span.duration - source.clip.span.duration).abs() < 1e-5);
        let humanoid = back.humanoid.as_ref().unwrap();
        assert!(humanoid.is_t_pose && humanoid.bones.missing_required().is_empty());
        let has_eyes = text.contains("LeftEye");
        assert_eq!(file.gaze_node().is_some(), has_eyes);
    });
}
