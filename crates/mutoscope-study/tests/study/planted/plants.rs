//! The planted faults: how each damages a clean recording, at a known frame and of a known size.

use std::ops::Range;

use glam::{DQuat, DVec3};
use mutoscope_core::clip::Side;

use super::take::{EYE_DISTANCE_M, PERIOD, RATE_HZ, RESTING, Take, look_at, noise};

/// A fault that is planted into clean recordings.
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) base: Base,
    pub(super) unit: &'static str,
    pub(super) sizes: [f64; 5],
    /// Damages the take at `frame` or in the rest after it. Returns the damaged frames.
    pub(super) plant: fn(&mut Take, usize, f64, &mut fastrand::Rng) -> Range<usize>,
    /// The fault concerns the whole take, so a take has only one.
    pub(super) is_whole: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Hands,
    /// [`Base::Hands`] with a ray for each eye.
    Eyes,
    Body,
    Markers,
}

const fn fault(
    code: &'static str,
    base: Base,
    unit: &'static str,
    sizes: [f64; 5],
    plant: fn(&mut Take, usize, f64, &mut fastrand::Rng) -> Range<usize>,
) -> Fault {
    Fault { code, base, unit, sizes, plant, is_whole: false }
}

const FRAMES: [f64; 5] = [1.0, 3.0, 10.0, 30.0, 60.0];

pub(super) const FAULTS: [Fault; 32] = [
    fault(
        "hand/bone-length",
        Base::Hands,
        "of the length",
        [0.3, 0.6, 0.8, 1.0, 1.5],
        stretch_finger,
    ),
    fault("hand/swapped", Base::Hands, "frames", FRAMES, swap_hands),
    fault("hand/jump", Base::Hands, "m", [0.05, 0.15, 0.25, 0.5, 1.0], move_hand),
    fault("hand/frozen", Base::Hands, "s", [0.2, 0.45, 0.55, 0.8, 1.5], freeze_hand),
    fault("hand/jitter", Base::Hands, "m RMS", [0.002, 0.004, 0.006, 0.01, 0.02], shake_hand),
    fault("hand/joint-limit", Base::Hands, "rad backwards", [0.4, 0.6, 0.8, 1.0, 1.5], bend_finger),
    fault("hand/orientation", Base::Hands, "rad", [0.3, 0.6, 1.0, 2.0, 3.1], turn_wrist),
    fault("hand/flicker", Base::Hands, "losses", [1.0, 2.0, 3.0, 4.0, 6.0], lose_hand),
    fault("hand/together", Base::Hands, "m apart", [0.04, 0.025, 0.015, 0.01, 0.0], join_hands),
    fault("head/speed", Base::Hands, "rad", [0.1, 0.25, 0.5, 1.0, 2.0], turn_head),
    fault("gaze/length", Base::Hands, "of the length", [0.02, 0.06, 0.1, 0.5, 1.0], scale_gaze),
    fault("gaze/fixed", Base::Hands, "s", [0.5, 0.8, 1.1, 1.5, 2.0], fix_gaze),
    Fault {
        is_whole: true,
        ..fault("gaze/latency", Base::Hands, "s", [0.03, 0.08, 0.12, 0.2, 0.25], delay_gaze)
    },
    fault("gaze/near-point", Base::Eyes, "m", [0.2, 0.06, 0.045, 0.03, 0.02], cross_eyes),
    Fault {
        is_whole: true,
        ..fault("gaze/rms-s2s", Base::Hands, "rad", [0.005, 0.012, 0.02, 0.03, 0.05], shake_gaze)
    },
    Fault {
        is_whole: true,
        ..fault("gaze/std", Base::Hands, "rad", [0.01, 0.02, 0.03, 0.04, 0.06], swing_gaze)
    },
    Fault {
        is_whole: true,
        ..fault("gaze/loss", Base::Hands, "of all samples", [0.1, 0.2, 0.3, 0.5, 0.9], lose_gaze)
    },
    fault(
        "body/bone-length",
        Base::Body,
        "of the length",
        [0.05, 0.12, 0.2, 0.4, 0.8],
        stretch_arm,
    ),
    fault("body/foot-slide", Base::Body, "m/s", [0.3, 0.6, 0.8, 1.2, 2.0], slide_foot),
    fault("body/floor", Base::Body, "m", [0.05, 0.1, 0.15, 0.2, 0.4], sink_body),
    fault("body/foot-float", Base::Body, "s", [0.3, 0.8, 1.05, 1.2, 1.4], raise_body),
    Fault {
        is_whole: true,
        ..fault("body/loop-seam", Base::Body, "m", [0.01, 0.025, 0.04, 0.06, 0.08], open_loop)
    },
    fault("body/t-pose", Base::Body, "frames", [1.0, 2.0, 5.0, 10.0, 30.0], insert_t_pose),
    fault("body/flip", Base::Body, "rad", [1.5, 2.2, 2.5, 2.8, 3.1], flip_arm),
    fault("body/root-jump", Base::Body, "m", [0.1, 0.25, 0.5, 1.0, 2.0], move_body),
    fault("body/mirrored", Base::Body, "s", [0.1, 0.25, 0.5, 1.0, 1.5], mirror_body),
    fault("marker/zero", Base::Markers, "frames", FRAMES, zero_marker),
    fault("marker/swapped", Base::Markers, "frames", FRAMES, swap_markers),
    fault("time/gap", Base::Hands, "s", [0.1, 0.2, 0.3, 0.4, 0.5], remove_frames),
    Fault {
        is_whole: true,
        ..fault("time/backwards", Base::Hands, "frames", FRAMES, move_frames_in_file)
    },
    Fault {
        is_whole: true,
        ..fault(
            "time/rate",
            Base::Hands,
            "of the rate",
            [0.005, 0.02, 0.05, 0.2, 0.5],
            state_wrong_rate,
        )
    },
    Fault {
        is_whole: true,
        ..fault("time/outside", Base::Hands, "s", [0.0005, 0.002, 0.1, 1.0, 2.0], cut_range)
    },
];

fn random_side(random: &mut fastrand::Rng) -> (Side, &'static str) {
    if random.bool() { (Side::Left, "left") } else { (Side::Right, "right") }
}

fn stretch_finger(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let (_, name) = random_side(random);
    let finger = ["Index", "Middle", "Ring"][random.usize(0..3)];
    let [from, to] =
        ["MiddleJoint", "DistalJoint"].map(|part| take.node(&format!("{name}/{finger}{part}")));
    for world in &mut take.worlds[frame..frame + 5] {
        let along = world[to].translation - world[from].translation;
        world[to].translation += along * size;
    }
    frame..frame + 5
}

fn swap_hands(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    let (left, right) = (take.side(Side::Left), take.side(Side::Right));
    for world in &mut take.worlds[frame..frame + size as usize] {
        left.iter().zip(&right).for_each(|(one, other)| world.swap(*one, *other));
    }
    frame..frame + size as usize
}

fn move_hand(take: &mut Take, frame: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let hand = take.side(random_side(random).0);
    let offset = noise(random, 1.0).normalize() * size;
    for world in &mut take.worlds[frame..frame + 5] {
        hand.iter().for_each(|node| world[*node].translation += offset);
    }
    frame..frame + 5
}

fn freeze_hand(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let hand = take.side(random_side(random).0);
    let frozen = take.worlds[frame].clone();
    let frames = (size * RATE_HZ).round() as usize;
    for world in &mut take.worlds[frame..frame + frames] {
        hand.iter().for_each(|node| world[*node] = frozen[*node]);
    }
    frame..frame + frames
}

/// Returns the first frame of the rest in the period of `frame`.
fn rest_of(frame: usize) -> usize {
    frame / PERIOD * PERIOD + RESTING.start + 1
}

fn shake_hand(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let hand = take.side(random_side(random).0);
    let start = rest_of(frame);
    let end = start + RESTING.len() - 2;
    for world in &mut take.worlds[start..end] {
        let offset = noise(random, size / 3_f64.sqrt());
        hand.iter().for_each(|node| world[*node].translation += offset);
    }
    start..end
}

fn bend_finger(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let (side, name) = random_side(random);
    let sign = if side == Side::Right { 1.0 } else { -1.0 };
    let joint = |part: &str| take.node(&format!("{name}/{part}"));
    let [index, little] = ["IndexKnuckle", "PinkyKnuckle"].map(joint);
    let finger = ["Index", "Middle", "Ring"][random.usize(0..3)];
    let [knuckle, middle, distal, tip] = ["Knuckle", "MiddleJoint", "DistalJoint", "Tip"]
        .map(|part| joint(&format!("{finger}{part}")));
    for world in &mut take.worlds[frame..frame + 20] {
        let position = |node: usize| world[node].translation;
        let axis = (sign * (position(index) - position(little))).normalize();
        let [before, after] =
            [position(middle) - position(knuckle), position(distal) - position(middle)];
        let bent = before.cross(after).dot(axis).atan2(before.dot(after));
        let turn = DQuat::from_axis_angle(axis, -size - bent);
        let pivot = position(middle);
        for node in [distal, tip] {
            world[node].translation = pivot + turn * (world[node].translation - pivot);
        }
    }
    frame..frame + 20
}

fn lose_hand(take: &mut Take, frame: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let hand = usize::from(random.bool());
    let losses = size as usize;
    for loss in 0..losses {
        let start = frame + 15 * loss;
        take.tracked[start..start + 6].iter_mut().for_each(|tracked| tracked[hand] = false);
    }
    frame..frame + 15 * losses
}

fn turn_wrist(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let (_, name) = random_side(random);
    let joint = take.node(&format!("{name}/{}", ["Wrist", "Palm"][random.usize(0..2)]));
    let turn = DQuat::from_scaled_axis(noise(random, 1.0).normalize() * size);
    for world in &mut take.worlds[frame..frame + 10] {
        world[joint].rotation = turn * world[joint].rotation;
    }
    frame..frame + 10
}

fn join_hands(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let (left, right) = (take.side(Side::Left), take.side(Side::Right));
    let offset = noise(random, 1.0).normalize() * size;
    for world in &mut take.worlds[frame..frame + 20] {
        for (one, other) in left.iter().zip(&right) {
            world[*one].translation = world[*other].translation + offset;
        }
    }
    frame..frame + 20
}

fn turn_head(take: &mut Take, frame: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let head = take.node("camera");
    let turn = DQuat::from_scaled_axis(noise(random, 1.0).normalize() * size);
    for world in &mut take.worlds[frame..frame + 10] {
        world[head].rotation = turn * world[head].rotation;
    }
    frame..frame + 10
}

fn scale_gaze(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let sign = if random.bool() { 1.0 } else { -0.9 };
    take.gaze_length[frame..frame + 12].fill(1.0 + sign * size);
    frame..frame + 12
}

fn fix_gaze(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    let (head, gaze) = (take.node("camera"), take.node("gaze"));
    let frames = (size * RATE_HZ).round() as usize;
    let in_head = take.worlds[frame][head].rotation.inverse() * take.worlds[frame][gaze].rotation;
    for world in &mut take.worlds[frame..frame + frames] {
        world[gaze].rotation = world[head].rotation * in_head;
    }
    frame..frame + frames
}

/// Adds noise to the gaze. The RMS of its steps is `size`.
fn shake_gaze(take: &mut Take, _: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let gaze = take.node("gaze");
    for world in &mut take.worlds {
        let turn = DQuat::from_scaled_axis(noise(random, size / 2.0));
        world[gaze].rotation = turn * world[gaze].rotation;
    }
    0..take.times.len()
}

/// Swings the gaze at 5 Hz, so that the standard deviation in 0.2 s is `size`.
fn swing_gaze(take: &mut Take, _: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let gaze = take.node("gaze");
    let phase = random.f64() * std::f64::consts::TAU;
    for (world, time) in take.worlds.iter_mut().zip(&take.times) {
        let swing = (std::f64::consts::TAU * 5.0 * time + phase).sin() * size * 2_f64.sqrt();
        world[gaze].rotation *= DQuat::from_rotation_y(swing);
    }
    0..take.times.len()
}

/// Writes zeros instead of the direction of this share of all samples.
fn lose_gaze(take: &mut Take, _: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let count = take.gaze_length.len();
    let mut frames: Vec<usize> = (0..count).collect();
    random.shuffle(&mut frames);
    for frame in &frames[..(size * count as f64).round() as usize] {
        take.gaze_length[*frame] = 0.0;
    }
    0..count
}

/// Lets the head sway while the gaze holds a target, and delays the gaze in the head.
fn delay_gaze(take: &mut Take, _: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let (head, gaze) = (take.node("camera"), take.node("gaze"));
    let origin = take.worlds[0][gaze].translation;
    let target = origin + take.worlds[0][gaze].rotation * DVec3::NEG_Z * 2.0;
    let waves: Vec<[f64; 4]> = (0..6)
        .map(|wave| {
            let phase = random.f64() * std::f64::consts::TAU;
            let axis = random.f64() * std::f64::consts::TAU;
            [1.0 + 1.3 * f64::from(wave), phase, axis.cos(), axis.sin()]
        })
        .collect();
    let rest = take.worlds[0][head].rotation;
    let gaze_in_head: Vec<DQuat> = take
        .worlds
        .iter_mut()
        .zip(&take.times)
        .map(|(world, time)| {
            let sway = waves.iter().map(|[speed, phase, yaw, pitch]| {
                DVec3::new(*pitch, *yaw, 0.0) * 0.3 / speed * (speed * time + phase).sin()
            });
            let tremor = DQuat::from_scaled_axis(noise(random, 0.001));
            world[head].rotation = tremor * rest * DQuat::from_scaled_axis(sway.sum());
            let direction = target - origin;
            let held = look_at(world[head], direction);
            world[head].rotation.inverse() * held.rotation
        })
        .collect();
    let delay = (size * RATE_HZ).round() as usize;
    for (frame, world) in take.worlds.iter_mut().enumerate() {
        world[gaze].rotation = world[head].rotation * gaze_in_head[frame.saturating_sub(delay)];
    }
    0..take.times.len()
}

/// Lets both eyes look at a point in front of the middle of both.
fn cross_eyes(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    let [gaze, left, right] = ["gaze", "left/gaze", "right/gaze"].map(|name| take.node(name));
    for world in &mut take.worlds[frame..frame + 20] {
        let across = (world[right].translation - world[left].translation).normalize();
        let middle = world[left].translation + across * EYE_DISTANCE_M / 2.0;
        let forward = world[gaze].rotation * DVec3::NEG_Z;
        let target = middle + forward.reject_from(across).normalize() * size;
        for eye in [left, right] {
            world[eye] = look_at(world[eye], target - world[eye].translation);
        }
    }
    frame..frame + 20
}

fn stretch_arm(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let side = if random.bool() { "Left" } else { "Right" };
    let [from, to] = ["LowerArm", "Hand"].map(|part| take.node(&format!("{side}{part}")));
    for world in &mut take.worlds[frame..frame + 5] {
        let along = world[to].translation - world[from].translation;
        world[to].translation += along * size;
    }
    frame..frame + 5
}

/// Lets the body slide for 0.25 s while it rests on a foot. The rest of the take is elsewhere.
fn slide_foot(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    const SLIDING: usize = 15;
    let start = rest_of(frame);
    let angle = random.f64() * std::f64::consts::TAU;
    let step = DVec3::new(angle.cos(), 0.0, angle.sin()) * size / RATE_HZ;
    for (index, world) in take.worlds[start..].iter_mut().enumerate() {
        let offset = step * index.min(SLIDING) as f64;
        world.iter_mut().for_each(|node| node.translation += offset);
    }
    start..start + SLIDING
}

fn sink_body(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    let start = rest_of(frame);
    for world in &mut take.worlds[start..start + 15] {
        world.iter_mut().for_each(|node| node.translation.y -= size);
    }
    start..start + 15
}

fn raise_body(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    let frames = (size * RATE_HZ).round() as usize;
    for world in &mut take.worlds[frame..frame + frames] {
        world.iter_mut().for_each(|node| node.translation.y += 0.2);
    }
    frame..frame + frames
}

/// Moves a hand away during the last half second.
fn open_loop(take: &mut Take, _: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    const MOVING: usize = 30;
    let hand = take.node(["LeftHand", "RightHand"][random.usize(0..2)]);
    let offset = noise(random, 1.0).normalize() * size;
    let start = take.worlds.len() - MOVING;
    for (index, world) in take.worlds[start..].iter_mut().enumerate() {
        world[hand].translation += offset * (index + 1) as f64 / MOVING as f64;
    }
    start..take.worlds.len()
}

fn insert_t_pose(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    let arms = ["Left", "Right"].map(|side| {
        ["UpperArm", "LowerArm", "Hand"].map(|part| take.node(&format!("{side}{part}")))
    });
    let frames = size as usize;
    for world in &mut take.worlds[frame..frame + frames] {
        let shoulders = arms.map(|[upper, ..]| world[upper].translation);
        let across = (shoulders[0] - shoulders[1]).with_y(0.0).normalize();
        for ([upper, lower, hand], outwards) in arms.into_iter().zip([across, -across]) {
            let [upper, elbow, wrist] = [upper, lower, hand].map(|node| world[node].translation);
            world[lower].translation = upper + outwards * upper.distance(elbow);
            world[hand].translation = world[lower].translation + outwards * elbow.distance(wrist);
        }
    }
    frame..frame + frames
}

fn flip_arm(take: &mut Take, frame: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let side = if random.bool() { "Left" } else { "Right" };
    let arm = take.node(&format!("{side}LowerArm"));
    let turn = DQuat::from_scaled_axis(noise(random, 1.0).normalize() * size);
    for world in &mut take.worlds[frame..frame + 10] {
        world[arm].rotation = turn * world[arm].rotation;
    }
    frame..frame + 10
}

fn move_body(take: &mut Take, frame: usize, size: f64, random: &mut fastrand::Rng) -> Range<usize> {
    let offset = noise(random, 1.0).normalize() * size;
    for world in &mut take.worlds[frame..frame + 10] {
        world.iter_mut().for_each(|node| node.translation += offset);
    }
    frame..frame + 10
}

fn mirror_body(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    let pair = |node: usize| {
        let other =
            take.nodes[node].name.strip_prefix("Left").map(|part| format!("Right{part}"))?;
        Some((node, take.nodes.iter().position(|node| node.name == other)?))
    };
    let pairs: Vec<(usize, usize)> = (0..take.nodes.len()).filter_map(pair).collect();
    let frames = (size * RATE_HZ).round() as usize;
    for world in &mut take.worlds[frame..frame + frames] {
        pairs.iter().for_each(|(one, other)| world.swap(*one, *other));
    }
    frame..frame + frames
}

fn zero_marker(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let marker = random.usize(0..take.nodes.len());
    for world in &mut take.worlds[frame..frame + size as usize] {
        world[marker].translation = DVec3::ZERO;
    }
    frame..frame + size as usize
}

fn swap_markers(
    take: &mut Take,
    frame: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let one = random.usize(0..take.nodes.len());
    let other = (one + random.usize(1..take.nodes.len())) % take.nodes.len();
    for world in &mut take.worlds[frame..frame + size as usize] {
        world.swap(one, other);
    }
    frame..frame + size as usize
}

fn remove_frames(take: &mut Take, frame: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    // The motion returns at the middle of the first half of a period. A gap before it moves.
    let frame = frame - 15;
    let frames = (size * RATE_HZ).round() as usize;
    take.remove(frame + 1..frame + frames);
    frame..frame + 1
}

/// Stores frames after the ones that follow them.
fn move_frames_in_file(
    take: &mut Take,
    frame: usize,
    size: f64,
    _: &mut fastrand::Rng,
) -> Range<usize> {
    let (count, moved) = (take.times.len(), size as usize);
    let order = (0..count).map(|index| match index {
        _ if (frame..frame + moved).contains(&index) => index + 1,
        _ if index == frame + moved => frame,
        _ => index,
    });
    take.file_order = Some(order.map(|index| index as u32).collect());
    frame..frame + moved
}

fn state_wrong_rate(
    take: &mut Take,
    _: usize,
    size: f64,
    random: &mut fastrand::Rng,
) -> Range<usize> {
    let sign = if random.bool() { 1.0 } else { -1.0 };
    take.stated_rate = Some(RATE_HZ * (1.0 + sign * size));
    0..take.times.len()
}

fn cut_range(take: &mut Take, _: usize, size: f64, _: &mut fastrand::Rng) -> Range<usize> {
    take.stated_end = Some(take.times[take.times.len() - 1] - size);
    0..take.times.len()
}
