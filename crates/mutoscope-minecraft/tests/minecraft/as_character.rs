//! Motions of bodies on the player: compared with the bodies' own joints.

use std::{fs, path::Path};

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, HumanBone, NodeId, Pose, TextureImage},
    formats,
    read::{LoadRequest, SkeletonChoice, load},
    retarget::Retargeting,
    skeleton_file::LoadedSkeleton,
};
use mutoscope_minecraft::{PlayerSkins, SkinImage};
use mutoscope_testing::fixtures;

const PIXEL: f64 = 0.9375 / 16.0;

const MOTIONS: [&str; 5] =
    ["cmu_names.bvh", "no_rest.bvh", "move.vrma", "few_bones.vrma", "plain_source.glb"];

fn player() -> LoadedSkeleton {
    formats::built_in_character(Path::new("minecraft")).unwrap()
}

fn on_player(folder: &str, motion: &str) -> Clip {
    let bytes = fs::read(fixtures::path(folder).join(motion)).unwrap();
    let rig = player();
    let skeleton = SkeletonChoice::Retargeted(&rig, None);
    load(&LoadRequest { skeleton, ..LoadRequest::new(motion, &bytes) }).unwrap()
}

/// A motion and the player that does it, at one time.
struct Both {
    clip: Clip,
    motion: Pose,
    player: Pose,
}

impl Both {
    fn new(motion: &str) -> Self {
        let (motion, clip) = (Pose::default(), on_player("characters", motion));
        Self { clip, motion, player: Pose::default() }
    }

    fn retargeting(&self) -> &Retargeting {
        self.clip.procedural_as().unwrap()
    }

    fn at(&mut self, time: f64) {
        self.clip.sample(time, &mut self.player);
        let mut motion = std::mem::take(&mut self.motion);
        self.retargeting().motion.sample(time, &mut motion);
        self.motion = motion;
    }

    fn rest(&mut self) {
        let mut motion = std::mem::take(&mut self.motion);
        self.retargeting().motion.sample_rest_pose(&mut motion);
        self.motion = motion;
    }

    /// The node of the motion, by its name in VRM: of those that the player lacks too.
    fn bone(&self, bone: HumanBone) -> NodeId {
        let mapped = self.retargeting().mapped.iter().find(|one| one.bone == bone);
        mapped.unwrap_or_else(|| panic!("{bone} is not mapped")).motion
    }

    fn joint(&self, node: NodeId) -> DVec3 {
        self.motion.nodes[node.index()].world.translation
    }

    /// The first joint below a bone with this in its name, as these files have them.
    fn below(&self, top: NodeId, words: &[&str]) -> NodeId {
        let nodes = &self.retargeting().motion.nodes;
        let is_below = |id: NodeId| {
            std::iter::successors(nodes[id].parent, |&id| nodes[id].parent).any(|one| one == top)
        };
        let is_it = |name: &str| words.iter().any(|word| name.ends_with(word));
        nodes.with_ids().find(|&(id, node)| is_below(id) && is_it(&node.name)).unwrap().0
    }

    /// A point of a node of the player, in pixels of the game's model.
    fn point(&self, name: &str, pixels: [f64; 3]) -> DVec3 {
        let index = self.clip.nodes.iter().position(|node| node.name == name).unwrap();
        self.player.nodes[index].world.transform_point(DVec3::from(pixels) * PIXEL)
    }
}

/// The elbows and knees in the files whose names say so.
fn limbs(motion: &str) -> &'static [(HumanBone, &'static str, &'static [&'static str])] {
    const LIMBS: &[(HumanBone, &str, &[&str])] = &[
        (HumanBone::LeftUpperArm, "player/left_arm", &["ForeArm", "LowerArm"]),
        (HumanBone::RightUpperArm, "player/right_arm", &["ForeArm", "LowerArm"]),
        (HumanBone::LeftUpperLeg, "player/left_leg", &["Leg"]),
        (HumanBone::RightUpperLeg, "player/right_leg", &["Leg"]),
    ];
    // The VRMA's names tell nothing.
    if motion.ends_with(".vrma") { &[] } else { LIMBS }
}

#[test]
fn boxes_point_where_upper_arms_and_legs_do() {
    let mut compared = 0;
    for motion in MOTIONS {
        let mut both = Both::new(motion);
        let duration = both.clip.span.duration;
        for step in 0..25 {
            let time = both.clip.span.start + duration * f64::from(step) / 24.0;
            both.at(time);
            for &(bone, part, words) in limbs(motion) {
                let top = both.bone(bone);
                let expected = (both.joint(both.below(top, words)) - both.joint(top)).normalize();
                let found = both.point(part, [0.0, -1.0, 0.0]) - both.point(part, [0.0; 3]);
                let found = found.normalize();
                assert!(found.abs_diff_eq(expected, 1e-6), "{motion} {part} {time}: {found}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 3 * 25 * 4);
}

#[test]
fn hips_go_where_the_bodys_go_and_the_trunk_stays_on_them() {
    for motion in MOTIONS {
        let mut both = Both::new(motion);
        let scale = both.retargeting().hip_scale;
        assert!((0.5..1.2).contains(&scale), "{motion}: the player's legs are short: {scale}");
        for step in 0..10 {
            both.at(both.clip.span.start + both.clip.span.duration * f64::from(step) / 9.0);
            let hips = both.point("player", [0.0, 12.0, 0.0]);
            let expected = both.joint(both.bone(HumanBone::Hips)) * scale;
            assert!(hips.abs_diff_eq(expected, 1e-9), "{motion}: {hips} {expected}");
            // The game draws the trunk 0.016 pixels above the legs.
            let trunk = both.point("player/body", [0.0, -12.016, 0.0]);
            assert!(trunk.abs_diff_eq(hips, 1e-9), "{motion}: {trunk} {hips}");
            let neck = both.point("player/body", [0.0; 3]);
            assert!(both.point("player/head", [0.0; 3]).abs_diff_eq(neck, 1e-9), "{motion}");
        }
    }
}

/// The hips of this walk are 0.9 m or so above the middle of its ankles, those of the player 12 pixels.
#[test]
fn hips_are_scaled_by_the_heights() {
    let mut both = Both::new("cmu_names.bvh");
    both.rest();
    let foot = |both: &Both, bone| both.joint(both.below(both.bone(bone), &["Foot"]));
    let feet = (foot(&both, HumanBone::LeftUpperLeg) + foot(&both, HumanBone::RightUpperLeg)) / 2.0;
    let height = both.joint(both.bone(HumanBone::Hips)).y - feet.y;
    let expected = 12.0 * PIXEL / height;
    assert!((both.retargeting().hip_scale - expected).abs() < 1e-9, "{expected}");
}

/// The face, which is at −Z of the model, looks where the body does.
#[test]
fn player_faces_as_the_motion_does() {
    for motion in MOTIONS {
        let mut both = Both::new(motion);
        both.at(both.clip.span.start);
        let [left, right] = [HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg]
            .map(|bone| both.joint(both.bone(bone)));
        let ahead = (left - right).cross(DVec3::Y).normalize();
        for part in ["player", "player/body", "player/head"] {
            let face =
                (both.point(part, [0.0, 0.0, -1.0]) - both.point(part, [0.0; 3])).normalize();
            assert!(face.dot(ahead) > 0.8, "{motion} {part}: {face} {ahead}");
        }
        let across =
            both.point("player/left_arm", [0.0; 3]) - both.point("player/right_arm", [0.0; 3]);
        assert!(across.normalize().dot((left - right).normalize()) > 0.8, "{motion}");
    }
}

#[test]
fn trunk_is_the_chest_or_else_the_spine() {
    let trunk = |motion: &str| {
        let both = Both::new(motion);
        let name = |one: NodeId| both.clip.nodes[one].name.clone();
        let mapped = &both.retargeting().mapped;
        let body = mapped.iter().find(|one| name(one.character) == "player/body");
        (body.map(|one| one.bone), mapped.len())
    };
    assert_eq!(trunk("move.vrma"), (Some(HumanBone::Chest), 7));
    assert_eq!(trunk("few_bones.vrma"), (Some(HumanBone::Spine), 7));
}

/// A recording of the player on the player is the same, but for the joints of a trunk that leans.
#[test]
fn player_on_player_is_the_same() {
    let clip = on_player("mcmocap", "walk_v5.mcmocap_rec");
    let retargeting: &Retargeting = clip.procedural_as().unwrap();
    assert!((retargeting.hip_scale - 1.0).abs() < 1e-12 && retargeting.turn == 0.0);
    let (mut ours, mut theirs) = (Pose::default(), Pose::default());
    for step in 0..50 {
        let time = f64::from(step) * clip.span.duration / 49.0;
        clip.sample(time, &mut ours);
        retargeting.motion.sample(time, &mut theirs);
        let body = clip.nodes.iter().position(|node| node.name == "player/body").unwrap();
        let is_upright = (ours.nodes[body].world.rotation * DVec3::Y).y > 0.99;
        for (node, (ours, theirs)) in clip.nodes.iter().zip(ours.nodes.iter().zip(&theirs.nodes)) {
            let off = ours.world.rotation.angle_between(theirs.world.rotation);
            assert!(off < 1e-6, "{} at {time}: {off} rad", node.name);
            // Legs are elsewhere while it crouches.
            if node.name == "player" || is_upright && node.name.ends_with("_leg") {
                let off = ours.world.translation.distance(theirs.world.translation);
                assert!(off < 1e-9, "{} at {time}: {off} m", node.name);
            }
        }
    }
}

#[test]
fn player_has_boxes_in_a_skin_that_can_be_replaced() {
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
fn another_word_is_no_character() {
    assert!(formats::built_in_character(Path::new("./minecraft")).is_none());
    assert!(formats::built_in_character(Path::new("minecraft.glb")).is_none());
}
