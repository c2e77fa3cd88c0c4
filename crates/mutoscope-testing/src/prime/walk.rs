//! The gallery's recording: a figure walks two strides.

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::formats::prime::Game;

use super::{
    Animation, Keys, encode_skeleton,
    gait::{STRIDE_LENGTH, arm, foot, hips},
};

/// The number of frames in a stride, at 30 Hz.
pub const FRAMES_PER_STRIDE: u32 = 33;

/// The number of strides.
pub const STRIDES: u32 = 2;

const ROOT: u32 = 3;
const HIPS: u32 = 4;
const SPINE: [u32; 3] = [5, 6, 7];
const NECK: u32 = 8;
const HEAD: u32 = 9;

/// The first bone of each arm. Shoulder, elbow and wrist have consecutive ids.
const ARMS: [u32; 2] = [12, 16];
/// The first bone of each leg. Hip, knee, ankle and toes have consecutive ids.
const LEGS: [u32; 2] = [20, 25];

/// Bones: id, parent, position, name. The root comes last, as in the games' files.
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

/// Returns the skeleton file.
pub fn encoded_skeleton() -> Vec<u8> {
    encode_skeleton(Game::Prime, &BONES)
}

/// Returns the animation file.
pub fn encoded_animation() -> Vec<u8> {
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
            // Take the quaternion with the non-negative w, because `q` and `-q` are the same
            // rotation.
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
    animation.encode_version_2()
}

/// Returns the rotation of each animated bone relative to its parent, and its position if that
/// changes.
fn pose(phase: f64) -> Vec<(u32, DQuat, Option<DVec3>)> {
    let hips = hips(phase);
    let mut moved = vec![(HIPS, hips.rotation, Some(hips.position))];
    let turn = hips.rotation;
    // The spine counteracts the rotation of the hips, and turns the shoulders in the opposite
    // direction.
    let lean = DQuat::from_rotation_x(-1.5_f64.to_radians());
    let back = DQuat::IDENTITY.slerp(turn.inverse(), 0.55);
    let mut chest = turn;
    for bone in SPINE {
        let rotation = back * lean;
        chest *= rotation;
        moved.push((bone, rotation, None));
    }
    // The head looks ahead, so it undoes the rotation of the chest.
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
        moved.extend(leg(first, phase, hips.position, turn).map(|(bone, turn)| (bone, turn, None)));
    }
    // The root comes last, as in the games' files.
    moved.push((ROOT, DQuat::IDENTITY, Some(DVec3::Y * STRIDE_LENGTH * phase)));
    moved
}

/// Returns the rotations of a leg, by two-bone inverse kinematics from the position of the foot.
fn leg(first: u32, phase: f64, hips: DVec3, turn: DQuat) -> [(u32, DQuat); 4] {
    let foot = foot(phase);
    let outward = if first == LEGS[0] { 5.0_f64 } else { -5.0 };
    let toes_out = DQuat::from_rotation_z(outward.to_radians());
    let hip = hips + turn * (origin(first) - origin(HIPS));
    // Feet stand closer together than hip joints.
    let ankle = foot.ankle.with_x(0.75 * f64::from(BONES[first as usize - 4].2[0]));
    let [upper, lower] = [first, first + 1].map(|bone| origin(bone + 1) - origin(bone));
    let axis = toes_out * DVec3::X;
    let [upper_to, lower_to] = solve_two_bones(ankle - hip, [upper.length(), lower.length()], axis);
    let thigh = rotation_between(upper, upper_to, axis);
    let shin = rotation_between(lower, lower_to, axis);
    let sole = toes_out * DQuat::from_rotation_x(foot.pitch);
    [
        (first, turn.inverse() * thigh),
        (first + 1, thigh.inverse() * shin),
        (first + 2, shin.inverse() * sole),
        (first + 3, DQuat::from_rotation_x(foot.toes)),
    ]
}

/// Returns the vectors of two bones of the given lengths that reach `reach` and bend about `axis`.
/// Formula: law of cosines.
fn solve_two_bones(reach: DVec3, [upper, lower]: [f64; 2], axis: DVec3) -> [DVec3; 2] {
    let distance = reach.length();
    assert!(distance < upper + lower, "a leg is {} m too short", distance - upper - lower);
    let cosine = (upper.powi(2) + distance.powi(2) - lower.powi(2)) / (2.0 * upper * distance);
    let forward = axis.cross(reach).normalize();
    let knee = reach.normalize() * upper * cosine + forward * upper * (1.0 - cosine.powi(2)).sqrt();
    [knee, reach - knee]
}

/// Returns the rotation that takes a bone from its rest direction to `to`, and keeps it bending
/// about `axis`.
fn rotation_between(at_rest: DVec3, to: DVec3, axis: DVec3) -> DQuat {
    let frame = |along: DVec3, axis: DVec3| {
        let along = along.normalize();
        let axis = axis.reject_from_normalized(along).normalize();
        DMat3::from_cols(axis, along, axis.cross(along))
    };
    DQuat::from_mat3(&(frame(to, axis) * frame(at_rest, DVec3::X).transpose()))
}

/// Returns the position of a bone in the skeleton.
fn origin(bone: u32) -> DVec3 {
    DVec3::from_array(BONES[bone as usize - 4].2.map(f64::from))
}
