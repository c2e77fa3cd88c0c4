//! Retargets the player to humanoid characters, and compares the result with poses that are known
//! from the game.

use std::fs;

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, HumanBone, Pose, Transform},
    decode,
    formats::Fit,
    io::bytes::NoSidecars,
    retarget::{BoneMap, Retargeting, bone_map},
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::{
    fixtures,
    mcmocap::{Header, Stance, Writer},
};

/// The height of a player's hips in metres: 12 pixels, each 1/16 of a block. The game draws players
/// at 0.9375 of their size.
const HIP_HEIGHT_M: f64 = 12.0 * 0.9375 / 16.0;

const CHARACTERS: [&str; 3] = ["boxes.vrm", "boxes_v0.vrm", "a_pose.glb"];

fn rig(name: &str) -> LoadedSkeleton {
    let bytes = fs::read(fixtures::path("characters").join(name)).unwrap();
    mutoscope_core::Registry::default().decode_skeleton(&bytes, name, &NoSidecars).unwrap()
}

fn retargeted(rig: &LoadedSkeleton, map: Option<&BoneMap>) -> ReadOptions {
    ReadOptions {
        fit: map.map_or(Fit::ByBones, |map| Fit::Map(map.clone())),
        ..crate::options().with_skeleton(rig.clone())
    }
}

fn try_retarget(bytes: &[u8], rig: &LoadedSkeleton, map: Option<&BoneMap>) -> Result<Clip, String> {
    decode(bytes, &retargeted(rig, map)).map_err(|failure| failure.error.to_string())
}

/// A character that plays a recording, posed at one time.
struct Actor {
    clip: Clip,
    pose: Pose,
}

impl Actor {
    fn new(bytes: &[u8], character: &str) -> Self {
        Self { clip: try_retarget(bytes, &rig(character), None).unwrap(), pose: Pose::default() }
    }

    fn pose_at(&mut self, time: f64) -> &Self {
        self.clip.sample(time, &mut self.pose);
        self
    }

    fn retargeting(&self) -> &Retargeting {
        self.clip.procedural_as().unwrap()
    }

    fn world(&self, bone: HumanBone) -> Transform {
        let mapped = self.retargeting().mapped.iter().find(|one| one.bone == bone);
        let node = mapped.unwrap_or_else(|| panic!("{bone} is not mapped")).character;
        self.pose[node].world
    }

    fn position(&self, bone: HumanBone) -> DVec3 {
        self.world(bone).translation
    }

    /// Returns the direction of a limb. It ends at the next joint of the character, which the
    /// recording does not have.
    fn limb(&self, bone: HumanBone) -> DVec3 {
        let next = match bone {
            HumanBone::LeftUpperArm => HumanBone::LeftLowerArm,
            HumanBone::RightUpperArm => HumanBone::RightLowerArm,
            HumanBone::LeftUpperLeg => HumanBone::LeftLowerLeg,
            HumanBone::RightUpperLeg => HumanBone::RightLowerLeg,
            other => panic!("{other} is not a limb"),
        };
        let next = match &self.clip.humanoid {
            Some(humanoid) => humanoid.bones.get(next).unwrap(),
            None => {
                let has_name = |name: &str| name.eq_ignore_ascii_case(next.name());
                self.clip.nodes.with_ids().find(|(_, node)| has_name(&node.name)).unwrap().0
            }
        };
        (self.pose[next].world.translation - self.position(bone)).normalize()
    }

    /// Returns the direction in which the body faces, from the vector between the legs.
    fn facing(&self) -> DVec3 {
        let across_hips =
            self.position(HumanBone::LeftUpperLeg) - self.position(HumanBone::RightUpperLeg);
        across_hips.cross(DVec3::Y).normalize()
    }
}

fn standing_player(yaw: f32, ticks: u32) -> Writer {
    let mut writer = Writer::new(&Header { start: [3.0, 64.0, -2.0], yaw, ..Header::default() });
    (0..ticks).for_each(|_| writer.tick());
    writer
}

#[test]
fn standing_player_has_the_recorded_position_and_yaw() {
    for (yaw, forward) in
        [(0.0, DVec3::Z), (90.0, DVec3::NEG_X), (180.0, DVec3::NEG_Z), (-90.0, DVec3::X)]
    {
        for character in CHARACTERS {
            let mut actor = Actor::new(&standing_player(yaw, 3).bytes, character);
            actor.pose_at(0.1);
            assert!(actor.facing().dot(forward) > 1.0 - 1e-9, "{character} {yaw}");
            let scale = actor.retargeting().hip_scale;
            let expected = DVec3::new(3.0, 64.0 + HIP_HEIGHT_M, -2.0) * scale;
            let hips = actor.position(HumanBone::Hips);
            assert!(hips.abs_diff_eq(expected, 1e-9), "{character}: {hips} {expected}");
        }
    }
}

/// Arms hang at any rest pose, as the player's arms do. They sway by up to a tenth of a radian
/// while the player breathes.
#[test]
fn arms_and_legs_hang_down_for_any_rest_pose() {
    for character in CHARACTERS {
        let mut actor = Actor::new(&standing_player(0.0, 3).bytes, character);
        actor.pose_at(0.1);
        for bone in [HumanBone::LeftUpperArm, HumanBone::RightUpperArm] {
            let limb = actor.limb(bone);
            assert!(limb.dot(DVec3::NEG_Y) > 0.11f64.cos(), "{character} {bone}: {limb}");
        }
        for bone in [HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg] {
            let limb = actor.limb(bone);
            assert!(limb.dot(DVec3::NEG_Y) > 0.01f64.cos(), "{character} {bone}: {limb}");
        }
    }
}

#[test]
fn limbs_point_like_the_boxes_of_the_player() {
    let bytes = fs::read(fixtures::path("mcmocap").join("full_v5.mcmocap_rec")).unwrap();
    for character in CHARACTERS {
        let mut actor = Actor::new(&bytes, character);
        let mut boxes = Pose::default();
        for step in 0..100 {
            let time = f64::from(step) * actor.clip.span.duration / 99.0;
            actor.pose_at(time);
            let motion = &actor.retargeting().motion;
            motion.sample(time, &mut boxes);
            for (bone, part) in [
                (HumanBone::LeftUpperArm, "player/left_arm"),
                (HumanBone::RightUpperArm, "player/right_arm"),
                (HumanBone::LeftUpperLeg, "player/left_leg"),
                (HumanBone::RightUpperLeg, "player/right_leg"),
            ] {
                let part = motion.nodes.iter().position(|node| node.name == part).unwrap();
                let expected = boxes.nodes[part].world.rotation * DVec3::NEG_Y;
                let limb = actor.limb(bone);
                assert!(limb.abs_diff_eq(expected, 1e-6), "{character} {bone} {time}: {limb}");
            }
        }
    }
}

#[test]
fn hitting_raises_the_right_arm_forwards() {
    let mut writer = standing_player(0.0, 2);
    writer.swing(false);
    (0..8).for_each(|_| writer.tick());
    for character in CHARACTERS {
        let mut actor = Actor::new(&writer.bytes, character);
        let forward = |actor: &Actor, bone| actor.limb(bone).dot(DVec3::Z);
        let max_forward = (0..40).map(|step| {
            let actor = actor.pose_at(f64::from(step) * 0.0125);
            [HumanBone::RightUpperArm, HumanBone::LeftUpperArm].map(|bone| forward(actor, bone))
        });
        let [right, left] = max_forward.fold([f64::MIN; 2], |max_forward, one| {
            [max_forward[0].max(one[0]), max_forward[1].max(one[1])]
        });
        assert!(right > 0.8 && left < 0.5, "{character}: {right} {left}");
    }
}

#[test]
fn walking_swings_opposite_arms_and_legs() {
    let mut writer = standing_player(0.0, 1);
    for step in 1..=60 {
        writer.movement(&Stance {
            offset: [0.0, 0.0, step as f32 * 0.2158],
            yaw: 0.0,
            pitch: 0.0,
            on_ground: true,
        });
        writer.tick();
    }
    for character in CHARACTERS {
        let mut actor = Actor::new(&writer.bytes, character);
        let (mut max_forward, mut sums) = (0.0f64, [0.0f64; 2]);
        for step in 0..120 {
            let actor = actor.pose_at(1.0 + f64::from(step) * 0.0125);
            let forward = |bone| actor.limb(bone).dot(DVec3::Z);
            let (right_arm, left_arm) =
                (forward(HumanBone::RightUpperArm), forward(HumanBone::LeftUpperArm));
            let (right_leg, left_leg) =
                (forward(HumanBone::RightUpperLeg), forward(HumanBone::LeftUpperLeg));
            sums[0] += right_arm * left_leg + left_arm * right_leg;
            sums[1] += right_arm * right_leg + left_arm * left_leg;
            max_forward = max_forward.max(right_leg);
        }
        assert!(max_forward > 0.5, "{character}: legs must swing forwards, found {max_forward}");
        assert!(sums[0] > 5.0 && sums[1] < -5.0, "{character}: {sums:?}");
        let [start, end] = [1.0, 2.0].map(|time| actor.pose_at(time).position(HumanBone::Hips));
        let walked = (end - start) / actor.retargeting().hip_scale;
        assert!(walked.abs_diff_eq(DVec3::new(0.0, 0.0, 20.0 * 0.2158), 1e-4), "{walked}");
    }
}

/// While the player stands or crouches, the hips are 12 pixels above its feet. A dead player lies
/// with its hips on the ground.
#[test]
fn hips_keep_their_height_while_crouching_and_fall_at_death() {
    let mut writer = standing_player(0.0, 2);
    writer.pose(6);
    (0..4).for_each(|_| writer.tick());
    let mut actor = Actor::new(&writer.bytes, "boxes.vrm");
    let hip_height_change = |actor: &Actor| {
        actor.position(HumanBone::Hips).y / actor.retargeting().hip_scale - (64.0 + HIP_HEIGHT_M)
    };
    assert!(hip_height_change(actor.pose_at(0.25)).abs() < 1e-9);
    let lean = actor.world(HumanBone::Chest).rotation * DVec3::Y;
    // A crouching body leans by half a radian. The bone has a rest rotation, so apply the lean to
    // its upright direction.
    let mut upright = Actor::new(&standing_player(0.0, 2).bytes, "boxes.vrm");
    let before = upright.pose_at(0.05).world(HumanBone::Chest).rotation * DVec3::Y;
    let turned = DQuat::from_rotation_x(0.5) * before;
    assert!(lean.abs_diff_eq(turned, 1e-9), "{lean} {turned}");

    let mut writer = standing_player(0.0, 2);
    writer.die();
    (0..19).for_each(|_| writer.tick());
    let mut actor = Actor::new(&writer.bytes, "boxes.vrm");
    let height = hip_height_change(actor.pose_at(0.95));
    assert!(
        (height + HIP_HEIGHT_M).abs() < 1e-3,
        "the hips of a dead player must be on the ground: {height}"
    );
    let head = actor.position(HumanBone::Head) - actor.position(HumanBone::Hips);
    assert!(head.y.abs() < 0.1 * head.length(), "a dead player must lie: {head}");
}

#[test]
fn boxes_map_to_seven_bones_and_hips_scale_by_height() {
    for character in CHARACTERS {
        let mut actor = Actor::new(&standing_player(0.0, 1).bytes, character);
        actor.pose_at(0.0);
        let retargeting = actor.retargeting();
        let names: Vec<_> = retargeting
            .mapped
            .iter()
            .map(|one| (one.bone.name(), &*retargeting.motion.nodes[one.motion].name))
            .collect();
        assert_eq!(
            names,
            [
                ("hips", "player"),
                ("chest", "player/body"),
                ("head", "player/head"),
                ("leftUpperArm", "player/left_arm"),
                ("leftUpperLeg", "player/left_leg"),
                ("rightUpperArm", "player/right_arm"),
                ("rightUpperLeg", "player/right_leg"),
            ]
        );
        let rest = rig(character);
        let height = {
            let clip = &actor.clip;
            let hips = retargeting.mapped[0].character;
            let mut rest_pose = Pose::default();
            clip.sample_rest_pose(&mut rest_pose);
            rest_pose[hips].world.translation.y
        };
        assert_eq!(rest.nodes.len(), actor.clip.nodes.len());
        assert!((retargeting.hip_scale - height / HIP_HEIGHT_M).abs() < 1e-9, "{character}");
        let map = bone_map(retargeting, &actor.clip.nodes);
        let with_map = try_retarget(&standing_player(0.0, 1).bytes, &rest, Some(&map)).unwrap();
        let mut pose = Pose::default();
        with_map.sample(0.0, &mut pose);
        for (one, other) in pose.nodes.iter().zip(&actor.pose.nodes) {
            assert!(one.world.translation.abs_diff_eq(other.world.translation, 1e-12));
        }
    }
}

/// If there are several players, the first one is used and reported. A bone map can name another
/// one.
#[test]
fn bone_map_chooses_among_several_players() {
    let bytes = fs::read(fixtures::path("mcmocap-more").join("delays.mcmocap_scene")).unwrap();
    let sidecar = |name: &str| {
        let name = name.rsplit('/').next().unwrap();
        fs::read(fixtures::path("mcmocap-more").join(name))
    };
    let rig = rig("boxes.vrm");
    let retarget = |map: Option<&BoneMap>| {
        let file = SourceFile::new("delays.mcmocap_scene", &bytes).with_sidecars(&sidecar);
        decode(file, &retargeted(&rig, map)).unwrap()
    };
    let clip = retarget(None);
    let diagnostics: Vec<_> =
        clip.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    let expected = "3 bodies; using \"p/player\". To use another, name its hips in a bone map: \
                \"s/player\", \"r/player\"";
    assert!(diagnostics.iter().any(|message| message.contains(expected)), "{diagnostics:#?}");
    let map = BoneMap::parse(r#"{"motion": {"hips": "s/player"}}"#).unwrap();
    let mut all_hidden = 0;
    for (clip, name) in [(clip, "p"), (retarget(Some(&map)), "s")] {
        let retargeting: &Retargeting = clip.procedural_as().unwrap();
        for one in &retargeting.mapped {
            let node = &retargeting.motion.nodes[one.motion].name;
            assert!(node.starts_with(&format!("{name}/player")), "{node}");
        }
        let (mut ours, mut theirs) = (Pose::default(), Pose::default());
        let mut hidden = 0;
        for step in 0..40 {
            let time = f64::from(step) * 0.1;
            clip.sample(time, &mut ours);
            retargeting.motion.sample(time, &mut theirs);
            let player = &theirs.nodes[retargeting.mapped[0].motion.index()];
            let hips = &ours.nodes[retargeting.mapped[0].character.index()];
            assert_eq!(hips.is_visible, player.is_visible, "{name} {time}");
            hidden += usize::from(!player.is_visible);
        }
        all_hidden += hidden;
    }
    assert!(all_hidden > 0, "at least one player must be hidden at some time");
}
