//! Compares motions on the Minecraft player with the joints of the recorded bodies.

use std::{fs, path::Path};

use glam::DVec3;
use mutoscope_core::{
    ReadOptions, Registry, SourceFile,
    clip::{Clip, HumanBone, NodeId, Pose, TextureImage},
    decode,
    formats::Fit,
    retarget::Retargeting,
    skeleton_file::LoadedSkeleton,
};
use mutoscope_minecraft::{PlayerSkins, SkinImage};
use mutoscope_testing::fixtures;

const PIXEL: f64 = 0.9375 / 16.0;

const MOTIONS: [&str; 5] =
    ["cmu_names.bvh", "no_rest.bvh", "move.vrma", "few_bones.vrma", "plain_source.glb"];

fn player() -> LoadedSkeleton {
    Registry::default()
        .with(mutoscope_minecraft::formats())
        .built_in_character(Path::new("minecraft"))
        .unwrap()
}

fn on_player(folder: &str, motion: &str) -> Clip {
    let bytes = fs::read(fixtures::path(folder).join(motion)).unwrap();
    let rig = player();
    let options = ReadOptions { fit: Fit::ByBones, ..crate::options().with_skeleton(rig) };
    decode(SourceFile::new(motion, &bytes), &options).unwrap()
}

/// A retargeted clip with the poses of the recorded body and of the player at one time.
struct RetargetedMotion {
    clip: Clip,
    motion: Pose,
    player: Pose,
}

impl RetargetedMotion {
    fn new(motion: &str) -> Self {
        let (motion, clip) = (Pose::default(), on_player("characters", motion));
        Self { clip, motion, player: Pose::default() }
    }

    fn retargeting(&self) -> &Retargeting {
        self.clip.procedural_as().unwrap()
    }

    fn sample_at(&mut self, time: f64) {
        self.clip.sample(time, &mut self.player);
        let mut motion = std::mem::take(&mut self.motion);
        self.retargeting().motion.sample(time, &mut motion);
        self.motion = motion;
    }

    fn sample_rest(&mut self) {
        let mut motion = std::mem::take(&mut self.motion);
        self.retargeting().motion.sample_rest_pose(&mut motion);
        self.motion = motion;
    }

    /// Returns the node of the motion that is mapped to this bone, including bones that the player
    /// lacks.
    fn bone(&self, bone: HumanBone) -> NodeId {
        let mapped = self.retargeting().mapped.iter().find(|other| other.bone == bone);
        mapped.unwrap_or_else(|| panic!("{bone} is not mapped")).motion
    }

    fn joint(&self, node: NodeId) -> DVec3 {
        self.motion[node].world.translation
    }

    /// Returns the first joint below `top` whose name ends with one of `suffixes`.
    fn below(&self, top: NodeId, suffixes: &[&str]) -> NodeId {
        let nodes = &self.retargeting().motion.nodes;
        let is_below = |id: NodeId| {
            std::iter::successors(nodes[id].parent, |&id| nodes[id].parent)
                .any(|other| other == top)
        };
        let has_suffix = |name: &str| suffixes.iter().any(|suffix| name.ends_with(suffix));
        nodes.with_ids().find(|&(id, node)| is_below(id) && has_suffix(&node.name)).unwrap().0
    }

    /// Transforms a point from pixels of a node of the player to world space.
    fn point(&self, name: &str, pixels: [f64; 3]) -> DVec3 {
        let index = self.clip.nodes.iter().position(|node| node.name == name).unwrap();
        self.player.nodes[index].world.transform_point(DVec3::from(pixels) * PIXEL)
    }
}

/// Returns the limbs whose elbows and knees can be found by name in this file.
fn limbs(motion: &str) -> &'static [(HumanBone, &'static str, &'static [&'static str])] {
    const LIMBS: &[(HumanBone, &str, &[&str])] = &[
        (HumanBone::LeftUpperArm, "player/left_arm", &["ForeArm", "LowerArm"]),
        (HumanBone::RightUpperArm, "player/right_arm", &["ForeArm", "LowerArm"]),
        (HumanBone::LeftUpperLeg, "player/left_leg", &["Leg"]),
        (HumanBone::RightUpperLeg, "player/right_leg", &["Leg"]),
    ];
    // The node names of the VRMA files do not name body parts.
    if motion.ends_with(".vrma") { &[] } else { LIMBS }
}

#[test]
fn player_limbs_point_along_upper_arms_and_thighs() {
    let mut compared = 0;
    for motion in MOTIONS {
        let mut retargeted = RetargetedMotion::new(motion);
        let duration = retargeted.clip.span.duration;
        for step in 0..25 {
            let time = retargeted.clip.span.start + duration * f64::from(step) / 24.0;
            retargeted.sample_at(time);
            for &(bone, part, suffixes) in limbs(motion) {
                let top = retargeted.bone(bone);
                let expected = (retargeted.joint(retargeted.below(top, suffixes))
                    - retargeted.joint(top))
                .normalize();
                let found =
                    retargeted.point(part, [0.0, -1.0, 0.0]) - retargeted.point(part, [0.0; 3]);
                let found = found.normalize();
                assert!(found.abs_diff_eq(expected, 1e-6), "{motion} {part} {time}: {found}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 3 * 25 * 4);
}

#[test]
fn hips_follow_the_recorded_hips_and_carry_the_trunk() {
    for motion in MOTIONS {
        let mut retargeted = RetargetedMotion::new(motion);
        let scale = retargeted.retargeting().hip_scale;
        assert!((0.5..1.2).contains(&scale), "{motion}: unexpected hip scale {scale}");
        for step in 0..10 {
            retargeted.sample_at(
                retargeted.clip.span.start + retargeted.clip.span.duration * f64::from(step) / 9.0,
            );
            let hips = retargeted.point("player", [0.0, 12.0, 0.0]);
            let expected = retargeted.joint(retargeted.bone(HumanBone::Hips)) * scale;
            assert!(hips.abs_diff_eq(expected, 1e-9), "{motion}: {hips} {expected}");
            // The game draws the trunk 0.016 pixels above the legs.
            let trunk = retargeted.point("player/body", [0.0, -12.016, 0.0]);
            assert!(trunk.abs_diff_eq(hips, 1e-9), "{motion}: {trunk} {hips}");
            let neck = retargeted.point("player/body", [0.0; 3]);
            assert!(retargeted.point("player/head", [0.0; 3]).abs_diff_eq(neck, 1e-9), "{motion}");
        }
    }
}

/// The hip scale is the ratio of the hip heights above the ankles: 12 pixels for the player, about
/// 0.9 m for this walk.
#[test]
fn hip_scale_is_the_ratio_of_hip_heights() {
    let mut retargeted = RetargetedMotion::new("cmu_names.bvh");
    retargeted.sample_rest();
    let foot = |retargeted: &RetargetedMotion, bone| {
        retargeted.joint(retargeted.below(retargeted.bone(bone), &["Foot"]))
    };
    let feet = (foot(&retargeted, HumanBone::LeftUpperLeg)
        + foot(&retargeted, HumanBone::RightUpperLeg))
        / 2.0;
    let height = retargeted.joint(retargeted.bone(HumanBone::Hips)).y - feet.y;
    let expected = 12.0 * PIXEL / height;
    assert!((retargeted.retargeting().hip_scale - expected).abs() < 1e-9, "{expected}");
}

/// The face of the player's model is at −Z, and must point where the body faces.
#[test]
fn player_faces_the_direction_of_the_body() {
    for motion in MOTIONS {
        let mut retargeted = RetargetedMotion::new(motion);
        retargeted.sample_at(retargeted.clip.span.start);
        let [left, right] = [HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg]
            .map(|bone| retargeted.joint(retargeted.bone(bone)));
        let forward = (left - right).cross(DVec3::Y).normalize();
        for part in ["player", "player/body", "player/head"] {
            let face = (retargeted.point(part, [0.0, 0.0, -1.0])
                - retargeted.point(part, [0.0; 3]))
            .normalize();
            assert!(face.dot(forward) > 0.8, "{motion} {part}: {face} {forward}");
        }
        let across_shoulders = retargeted.point("player/left_arm", [0.0; 3])
            - retargeted.point("player/right_arm", [0.0; 3]);
        assert!(across_shoulders.normalize().dot((left - right).normalize()) > 0.8, "{motion}");
    }
}

#[test]
fn trunk_is_the_chest_or_else_the_spine() {
    let trunk = |motion: &str| {
        let retargeted = RetargetedMotion::new(motion);
        let name = |other: NodeId| retargeted.clip.nodes[other].name.clone();
        let mapped = &retargeted.retargeting().mapped;
        let body = mapped.iter().find(|other| name(other.character) == "player/body");
        (body.map(|other| other.bone), mapped.len())
    };
    assert_eq!(trunk("move.vrma"), (Some(HumanBone::Chest), 7));
    assert_eq!(trunk("few_bones.vrma"), (Some(HumanBone::Spine), 7));
}

/// A recording of the player must not change when it is retargeted to the player, except for the
/// joints of a leaning trunk.
#[test]
fn retargeting_a_player_to_a_player_keeps_the_motion() {
    let clip = on_player("mcmocap", "walk_v5.mcmocap_rec");
    let retargeting: &Retargeting = clip.procedural_as().unwrap();
    assert!((retargeting.hip_scale - 1.0).abs() < 1e-12 && retargeting.turn == 0.0);
    let (mut player_pose, mut motion_pose) = (Pose::default(), Pose::default());
    for step in 0..50 {
        let time = f64::from(step) * clip.span.duration / 49.0;
        clip.sample(time, &mut player_pose);
        retargeting.motion.sample(time, &mut motion_pose);
        let body = clip.nodes.iter().position(|node| node.name == "player/body").unwrap();
        let is_upright = (player_pose.nodes[body].world.rotation * DVec3::Y).y > 0.99;
        for (node, (player_pose, motion_pose)) in
            clip.nodes.iter().zip(player_pose.nodes.iter().zip(&motion_pose.nodes))
        {
            let error = player_pose.world.rotation.angle_between(motion_pose.world.rotation);
            assert!(error < 1e-6, "{} at {time}: {error} rad", node.name);
            // While the player crouches, the retargeted legs have another position.
            if node.name == "player" || is_upright && node.name.ends_with("_leg") {
                let error = player_pose.world.translation.distance(motion_pose.world.translation);
                assert!(error < 1e-9, "{} at {time}: {error} m", node.name);
            }
        }
    }
}

#[test]
fn player_model_has_a_replaceable_skin() {
    let mut clip = on_player("characters", "cmu_names.bvh");
    let names: Vec<_> = clip.nodes.iter().map(|node| node.name.as_str()).collect();
    let parts = ["head", "body", "right_arm", "left_arm", "right_leg", "left_leg"];
    let expected: Vec<_> = parts.iter().map(|part| format!("player/{part}")).collect();
    assert_eq!(names[0], "player");
    assert_eq!(names[1..], expected);
    let model = clip.model().unwrap();
    assert_eq!((model.pieces.len(), model.textures.len()), (12, 1));
    assert!(matches!(model.textures[0].image, TextureImage::Rgba8 { .. }));
    let skins = PlayerSkins {
        fallback: Some(SkinImage::decode(plain_skin().into()).unwrap()),
        ..PlayerSkins::default()
    };
    skins.apply_to(&mut clip);
    assert!(matches!(clip.model().unwrap().textures[0].image, TextureImage::Encoded { .. }));
}

fn plain_skin() -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 64, 64);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(&[200; 64 * 64 * 4]).unwrap();
    file
}

#[test]
fn only_the_exact_name_is_a_built_in_character() {
    assert!(crate::options().registry.built_in_character(Path::new("./minecraft")).is_none());
    assert!(crate::options().registry.built_in_character(Path::new("minecraft.glb")).is_none());
}
