//! The player's motion on humanoid characters, compared with poses that a person can picture.

use std::fs;

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, HumanBone, Pose, Transform},
    formats,
    io::bytes::NoSidecars,
    read::{LoadRequest, SkeletonChoice, load},
    retarget::{BoneMap, Retargeting, bone_map},
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::{
    fixtures,
    mcmocap::{Header, Stance, Writer},
};

/// How high a player's hips are, in metres: 12 pixels of a sixteenth of a block, which is drawn 0.9375 times as large.
const HIPS: f64 = 12.0 * 0.9375 / 16.0;

const CHARACTERS: [&str; 3] = ["boxes.vrm", "boxes_v0.vrm", "a_pose.glb"];

fn rig(name: &str) -> LoadedSkeleton {
    let bytes = fs::read(fixtures::path("characters").join(name)).unwrap();
    formats::decode_skeleton(&bytes, name, &NoSidecars).unwrap()
}

fn try_on(bytes: &[u8], rig: &LoadedSkeleton, map: Option<&BoneMap>) -> Result<Clip, String> {
    let skeleton = SkeletonChoice::Retargeted(rig, map);
    load(&LoadRequest { skeleton, ..LoadRequest::new("take.mcmocap_rec", bytes) })
        .map_err(|failure| failure.error.to_string())
}

/// A character that plays a recording, in the pose of one time.
struct Actor {
    clip: Clip,
    pose: Pose,
}

impl Actor {
    fn new(bytes: &[u8], character: &str) -> Self {
        Self { clip: try_on(bytes, &rig(character), None).unwrap(), pose: Pose::default() }
    }

    fn at(&mut self, time: f64) -> &Self {
        self.clip.sample(time, &mut self.pose);
        self
    }

    fn retargeting(&self) -> &Retargeting {
        self.clip.procedural_as().unwrap()
    }

    fn world(&self, bone: HumanBone) -> Transform {
        let mapped = self.retargeting().mapped.iter().find(|one| one.bone == bone);
        let node = mapped.unwrap_or_else(|| panic!("{bone} is not mapped")).character;
        self.pose.nodes[node.index()].world
    }

    fn place(&self, bone: HumanBone) -> DVec3 {
        self.world(bone).translation
    }

    /// Where a limb points: to the next joint, which the recording does not have.
    fn limb(&self, bone: HumanBone) -> DVec3 {
        let next = match bone {
            HumanBone::LeftUpperArm => HumanBone::LeftLowerArm,
            HumanBone::RightUpperArm => HumanBone::RightLowerArm,
            HumanBone::LeftUpperLeg => HumanBone::LeftLowerLeg,
            HumanBone::RightUpperLeg => HumanBone::RightLowerLeg,
            other => panic!("{other} is no limb"),
        };
        let next = match &self.clip.humanoid {
            Some(humanoid) => humanoid.bones.get(next).unwrap(),
            None => {
                let is_it = |name: &str| name.eq_ignore_ascii_case(next.name());
                self.clip.nodes.with_ids().find(|(_, node)| is_it(&node.name)).unwrap().0
            }
        };
        (self.pose.nodes[next.index()].world.translation - self.place(bone)).normalize()
    }

    /// Where the body faces: across from the right to the left leg.
    fn facing(&self) -> DVec3 {
        let across = self.place(HumanBone::LeftUpperLeg) - self.place(HumanBone::RightUpperLeg);
        across.cross(DVec3::Y).normalize()
    }
}

fn standing(yaw: f32, ticks: u32) -> Writer {
    let mut writer = Writer::new(&Header { start: [3.0, 64.0, -2.0], yaw, ..Header::default() });
    (0..ticks).for_each(|_| writer.tick());
    writer
}

#[test]
fn a_standing_player_stands_where_it_is_and_faces_by_its_yaw() {
    for (yaw, ahead) in
        [(0.0, DVec3::Z), (90.0, DVec3::NEG_X), (180.0, DVec3::NEG_Z), (-90.0, DVec3::X)]
    {
        for character in CHARACTERS {
            let mut actor = Actor::new(&standing(yaw, 3).bytes, character);
            actor.at(0.1);
            assert!(actor.facing().dot(ahead) > 1.0 - 1e-9, "{character} {yaw}");
            let scale = actor.retargeting().hip_scale;
            let expected = DVec3::new(3.0, 64.0 + HIPS, -2.0) * scale;
            let hips = actor.place(HumanBone::Hips);
            assert!(hips.abs_diff_eq(expected, 1e-9), "{character}: {hips} {expected}");
        }
    }
}

/// Arms in a T-pose and arms 30° below it hang, as the player's do: they sway by a tenth of a radian while it breathes.
#[test]
fn arms_and_legs_hang_whatever_the_rest_pose() {
    for character in CHARACTERS {
        let mut actor = Actor::new(&standing(0.0, 3).bytes, character);
        actor.at(0.1);
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

/// In every frame of a recording, limbs point where the boxes do.
#[test]
fn limbs_point_where_the_boxes_do() {
    let bytes = fs::read(fixtures::path("mcmocap").join("full_v5.mcmocap_rec")).unwrap();
    for character in CHARACTERS {
        let mut actor = Actor::new(&bytes, character);
        let mut boxes = Pose::default();
        for step in 0..100 {
            let time = f64::from(step) * actor.clip.span.duration / 99.0;
            actor.at(time);
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
fn a_hit_raises_the_right_arm_ahead() {
    let mut writer = standing(0.0, 2);
    writer.swing(false);
    (0..8).for_each(|_| writer.tick());
    for character in CHARACTERS {
        let mut actor = Actor::new(&writer.bytes, character);
        let ahead = |actor: &Actor, bone| actor.limb(bone).dot(DVec3::Z);
        let most = (0..40).map(|step| {
            let actor = actor.at(f64::from(step) * 0.0125);
            [HumanBone::RightUpperArm, HumanBone::LeftUpperArm].map(|bone| ahead(actor, bone))
        });
        let [right, left] =
            most.fold([f64::MIN; 2], |most, one| [most[0].max(one[0]), most[1].max(one[1])]);
        assert!(right > 0.8 && left < 0.5, "{character}: {right} {left}");
    }
}

#[test]
fn a_walk_swings_opposite_arms_and_legs() {
    let mut writer = standing(0.0, 1);
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
        let (mut most, mut sums) = (0.0f64, [0.0f64; 2]);
        for step in 0..120 {
            let actor = actor.at(1.0 + f64::from(step) * 0.0125);
            let ahead = |bone| actor.limb(bone).dot(DVec3::Z);
            let (right_arm, left_arm) =
                (ahead(HumanBone::RightUpperArm), ahead(HumanBone::LeftUpperArm));
            let (right_leg, left_leg) =
                (ahead(HumanBone::RightUpperLeg), ahead(HumanBone::LeftUpperLeg));
            sums[0] += right_arm * left_leg + left_arm * right_leg;
            sums[1] += right_arm * right_leg + left_arm * left_leg;
            most = most.max(right_leg);
        }
        assert!(most > 0.5, "{character}: legs swing ahead: {most}");
        assert!(sums[0] > 5.0 && sums[1] < -5.0, "{character}: {sums:?}");
        let [start, end] = [1.0, 2.0].map(|time| actor.at(time).place(HumanBone::Hips));
        let walked = (end - start) / actor.retargeting().hip_scale;
        assert!(walked.abs_diff_eq(DVec3::new(0.0, 0.0, 20.0 * 0.2158), 1e-4), "{walked}");
    }
}

/// While it stands and crouches, the hips are 12 pixels above the player; a dead player lies, hips on the ground.
#[test]
fn hips_stay_when_it_crouches_and_fall_when_it_dies() {
    let mut writer = standing(0.0, 2);
    writer.pose(6);
    (0..4).for_each(|_| writer.tick());
    let mut actor = Actor::new(&writer.bytes, "boxes.vrm");
    let is_sunk = |actor: &Actor| {
        actor.place(HumanBone::Hips).y / actor.retargeting().hip_scale - (64.0 + HIPS)
    };
    assert!(is_sunk(actor.at(0.25)).abs() < 1e-9);
    let lean = actor.world(HumanBone::Chest).rotation * DVec3::Y;
    // The body leans by half a radian: an upright bone's own Y says so, as this avatar's bones are turned by the rest alone.
    let mut upright = Actor::new(&standing(0.0, 2).bytes, "boxes.vrm");
    let before = upright.at(0.05).world(HumanBone::Chest).rotation * DVec3::Y;
    let turned = DQuat::from_rotation_x(0.5) * before;
    assert!(lean.abs_diff_eq(turned, 1e-9), "{lean} {turned}");

    let mut writer = standing(0.0, 2);
    writer.die();
    (0..19).for_each(|_| writer.tick());
    let mut actor = Actor::new(&writer.bytes, "boxes.vrm");
    let height = is_sunk(actor.at(0.95));
    assert!((height + HIPS).abs() < 1e-3, "hips are on the ground: {height}");
    let head = actor.place(HumanBone::Head) - actor.place(HumanBone::Hips);
    assert!(head.y.abs() < 0.1 * head.length(), "it lies: {head}");
}

#[test]
fn six_boxes_and_the_hips_are_mapped_and_the_hips_scaled_by_height() {
    for character in CHARACTERS {
        let mut actor = Actor::new(&standing(0.0, 1).bytes, character);
        actor.at(0.0);
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
            rest_pose.nodes[hips.index()].world.translation.y
        };
        assert_eq!(rest.nodes.len(), actor.clip.nodes.len());
        assert!((retargeting.hip_scale - height / HIPS).abs() < 1e-9, "{character}");
        let map = bone_map(retargeting, &actor.clip.nodes);
        let again = try_on(&standing(0.0, 1).bytes, &rest, Some(&map)).unwrap();
        let mut pose = Pose::default();
        again.sample(0.0, &mut pose);
        for (one, other) in pose.nodes.iter().zip(&actor.pose.nodes) {
            assert!(one.world.translation.abs_diff_eq(other.world.translation, 1e-12));
        }
    }
}

/// Of several players the first is used, with a notice; a map names another.
#[test]
fn a_map_chooses_among_several_players() {
    let bytes = fs::read(fixtures::path("mcmocap-more").join("delays.mcmocap_scene")).unwrap();
    let sidecar = |name: &str| {
        let name = name.rsplit('/').next().unwrap();
        fs::read(fixtures::path("mcmocap-more").join(name))
    };
    let rig = rig("boxes.vrm");
    let on = |map: Option<&BoneMap>| {
        let skeleton = SkeletonChoice::Retargeted(&rig, map);
        let request = LoadRequest::new("delays.mcmocap_scene", &bytes);
        load(&LoadRequest { skeleton, sidecars: &sidecar, ..request }).unwrap()
    };
    let clip = on(None);
    let notices: Vec<_> = clip.diagnostics.iter().map(|notice| notice.message.clone()).collect();
    let told = "3 bodies; using \"p/player\". To use another, name its hips in a map of bones: \
                \"s/player\", \"r/player\"";
    assert!(notices.iter().any(|message| message.contains(told)), "{notices:#?}");
    let map = BoneMap::parse(r#"{"motion": {"hips": "s/player"}}"#).unwrap();
    let mut all_hidden = 0;
    for (clip, name) in [(clip, "p"), (on(Some(&map)), "s")] {
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
    assert!(all_hidden > 0, "one of them is not there for some of the time");
}
