//! The recording in the gallery: a figure walks two strides.

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::formats::prime::Game;

use super::{
    Animation, Keys,
    gait::{STRIDE, arm, foot, hips},
    skeleton,
};

/// Frames of a stride, at 30 a second.
pub const FRAMES_PER_STRIDE: u32 = 33;

/// How many strides there are.
pub const STRIDES: u32 = 2;

const ROOT: u32 = 3;
const HIPS: u32 = 4;
const SPINE: [u32; 3] = [5, 6, 7];
const NECK: u32 = 8;
const HEAD: u32 = 9;

/// The first bone of an arm: shoulder, elbow, wrist.
const ARMS: [u32; 2] = [12, 16];
/// The first bone of a leg: hip, knee, ankle, toes.
const LEGS: [u32; 2] = [20, 25];

/// Bones with their parents, places and names; the root comes last, as in the games' files.
const BONES: [(u32, u32, [f32; 3], &str); 27] = [
    (4, 3, [0.0, 0.0, 0.93], "Skeleton_Root"),
    (5, 4, [0.0, -0.01, 1.03], "Spine_1"),
    (6, 5, [0.0, -0.02, 1.15], "Spine_2"),
    (7, 6, [0.0, -0.02, 1.28], "Spine_3"),
    (8, 7, [0.0, -0.01, 1.47], "Neck"),
    (9, 8, [0.0, 0.01, 1.55], "Head"),
    (10, 9, [0.0, 0.1, 1.63], "Eyes_LCTR"),
    (11, 9, [0.0, 0.01, 1.75], "Crown_LCTR"),
    (12, 7, [-0.19, -0.02, 1.42], "L_shoulder"),
    (13, 12, [-0.22, -0.03, 1.13], "L_elbow"),
    (14, 13, [-0.23, -0.02, 0.88], "L_wrist"),
    (15, 14, [-0.23, 0.0, 0.78], "L_hand_LCTR"),
    (16, 7, [0.19, -0.02, 1.42], "R_shoulder"),
    (17, 16, [0.22, -0.03, 1.13], "R_elbow"),
    (18, 17, [0.23, -0.02, 0.88], "R_wrist"),
    (19, 18, [0.23, 0.0, 0.78], "R_hand_LCTR"),
    (20, 4, [-0.1, 0.0, 0.9], "L_hip"),
    (21, 20, [-0.1, 0.02, 0.48], "L_knee"),
    (22, 21, [-0.1, -0.01, 0.09], "L_ankle"),
    (23, 22, [-0.1, 0.12, 0.02], "L_ball"),
    (24, 23, [-0.1, 0.19, 0.01], "L_toe"),
    (25, 4, [0.1, 0.0, 0.9], "R_hip"),
    (26, 25, [0.1, 0.02, 0.48], "R_knee"),
    (27, 26, [0.1, -0.01, 0.09], "R_ankle"),
    (28, 27, [0.1, 0.12, 0.02], "R_ball"),
    (29, 28, [0.1, 0.19, 0.01], "R_toe"),
    (3, 2, [0.0, 0.0, 0.0], "Root"),
];

/// The skeleton's file.
pub fn rig() -> Vec<u8> {
    skeleton(Game::Prime, &BONES)
}

/// The animation's file.
pub fn animation() -> Vec<u8> {
    let frame_count = STRIDES * FRAMES_PER_STRIDE + 1;
    let phases = (0..frame_count).map(|frame| f64::from(frame) / f64::from(FRAMES_PER_STRIDE));
    let mut channels: Vec<Keys> = Vec::new();
    for phase in phases {
        for (bone, rotation, place) in pose(phase) {
            let index = channels.iter().position(|keys| keys.bone == bone).unwrap_or_else(|| {
                channels.push(Keys { bone, ..Keys::default() });
                channels.len() - 1
            });
            let keys = &mut channels[index];
            // Of the two quaternions of a rotation the one that turns least.
            let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
            keys.rotation.push(rotation.to_array());
            keys.translation.extend(place.map(|place| place.to_array()));
        }
    }
    let animation = Animation {
        interval: 1.0 / 30.0,
        is_looping: true,
        frame_count,
        keyed: (0..frame_count).collect(),
        channels,
        ..Animation::default()
    };
    animation.bitstream()
}

/// For each bone that moves its rotation relative to its parent, and its place if that changes.
fn pose(phase: f64) -> Vec<(u32, DQuat, Option<DVec3>)> {
    let hips = hips(phase);
    let mut moved = vec![(HIPS, hips.rotation, Some(hips.place))];
    let turn = hips.rotation;
    // The spine takes back what the hips do, and turns the shoulders against them.
    let lean = DQuat::from_rotation_x(-1.5_f64.to_radians());
    let back = DQuat::IDENTITY.slerp(turn.inverse(), 0.55);
    let mut chest = turn;
    for bone in SPINE {
        let rotation = back * lean;
        chest *= rotation;
        moved.push((bone, rotation, None));
    }
    // The head looks ahead.
    let neck = DQuat::IDENTITY.slerp(chest.inverse(), 0.5);
    moved.extend([(NECK, neck, None), (HEAD, neck, None)]);
    for (side, (shoulder, first)) in ARMS.into_iter().zip(LEGS).enumerate() {
        let phase = phase + 0.5 * side as f64;
        let [swing, bend] = arm(phase);
        let outward = DQuat::from_rotation_y(4.0_f64.to_radians() * [1.0, -1.0][side]);
        let bent = DQuat::from_rotation_x(bend);
        let at_rest = DQuat::from_rotation_x(0.15 * bend);
        moved.extend([
            (shoulder, outward * DQuat::from_rotation_x(swing), None),
            (shoulder + 1, bent, None),
            (shoulder + 2, at_rest, None),
        ]);
        moved.extend(leg(first, phase, hips.place, turn).map(|(bone, turn)| (bone, turn, None)));
    }
    // As in the games' files, the root is the last.
    moved.push((ROOT, DQuat::IDENTITY, Some(DVec3::Y * STRIDE * phase)));
    moved
}

/// The rotations of a leg whose foot is where the gait has it.
fn leg(first: u32, phase: f64, hips: DVec3, turn: DQuat) -> [(u32, DQuat); 4] {
    let foot = foot(phase);
    let outward = if first == LEGS[0] { 5.0_f64 } else { -5.0 };
    let toes_out = DQuat::from_rotation_z(outward.to_radians());
    let hip = hips + turn * (origin(first) - origin(HIPS));
    // Feet stand closer together than hips.
    let ankle = foot.ankle.with_x(0.75 * f64::from(BONES[first as usize - 4].2[0]));
    let [upper, lower] = [first, first + 1].map(|bone| origin(bone + 1) - origin(bone));
    let axis = toes_out * DVec3::X;
    let [upper_to, lower_to] = bent(ankle - hip, [upper.length(), lower.length()], axis);
    let thigh = turned(upper, upper_to, axis);
    let shin = turned(lower, lower_to, axis);
    let sole = toes_out * DQuat::from_rotation_x(foot.pitch);
    [
        (first, turn.inverse() * thigh),
        (first + 1, thigh.inverse() * shin),
        (first + 2, shin.inverse() * sole),
        (first + 3, DQuat::from_rotation_x(foot.toes)),
    ]
}

/// Where two bones of these lengths point that reach as far as `reach` and bend about `axis`.
fn bent(reach: DVec3, [upper, lower]: [f64; 2], axis: DVec3) -> [DVec3; 2] {
    let distance = reach.length();
    assert!(distance < upper + lower, "a leg is {} m too short", distance - upper - lower);
    let cosine = (upper.powi(2) + distance.powi(2) - lower.powi(2)) / (2.0 * upper * distance);
    let forward = axis.cross(reach).normalize();
    let knee = reach.normalize() * upper * cosine + forward * upper * (1.0 - cosine.powi(2)).sqrt();
    [knee, reach - knee]
}

/// The rotation that takes a bone from where it points at rest to where it is to point, so that it
/// bends about `axis`.
fn turned(at_rest: DVec3, to: DVec3, axis: DVec3) -> DQuat {
    let frame = |along: DVec3, axis: DVec3| {
        let along = along.normalize();
        let axis = axis.reject_from_normalized(along).normalize();
        DMat3::from_cols(axis, along, axis.cross(along))
    };
    DQuat::from_mat3(&(frame(to, axis) * frame(at_rest, DVec3::X).transpose()))
}

/// Where a bone is in the skeleton.
fn origin(bone: u32) -> DVec3 {
    DVec3::from_array(BONES[bone as usize - 4].2.map(f64::from))
}
