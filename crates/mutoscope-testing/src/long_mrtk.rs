//! Generates an hour of MRTK with any number of keys: both hands and the head move in waves, with
//! markers, and with two pauses without keys.

use std::f32::consts::TAU;

use crate::recording::{HandKeys, Keys, Recording};
use mutoscope_core::formats::mrtk::Version;

/// The duration in seconds.
const LENGTH: f32 = 3600.0;

/// Pauses without keys: start and end, in seconds.
const PAUSES: [(f32, f32); 2] = [(700.0, 1150.0), (2400.0, 2900.0)];

/// The number of curves with the same number of keys: those of two hands and the head.
const CURVES: usize = 55 * 7;

/// Generates the recording with about `keys` keys. No two joints share key times: the positions and
/// rotations of each joint have keys at different frames.
pub fn recording(keys: usize) -> Recording {
    let frames = keys / CURVES;
    with_poses(|index| pose(index, frames))
}

/// Generates the recording with `frames` keys in each curve. All joints have keys in the same
/// frames, and move smoothly about all axes.
pub fn recording_of_frames(frames: usize) -> Recording {
    let times = times(0, frames);
    with_poses(|index| smooth_pose(index, &times))
}

fn with_poses(pose: impl Fn(usize) -> [Keys; 7]) -> Recording {
    let hand = |hand: usize| HandKeys {
        tracked: Keys::simple(&[(0.0, 1.0), (PAUSES[0].0, 0.0), (PAUSES[0].1, 1.0)]),
        pinch: Keys::simple(
            &(0..40).map(|n| (50.0 + n as f32, (n % 2) as f32)).collect::<Vec<_>>(),
        ),
        poses: (0..27).map(|joint| pose(1 + 27 * hand + joint)).collect(),
    };
    let minutes =
        (0..6).map(|ten| (600.0 * ten as f32, format!("minute {}", 10 * ten).into_bytes()));
    Recording {
        version: Version::V1_1 { parts: [1, 1, 0] },
        camera: Some(pose(0)),
        hands: Some([hand(0), hand(1)]),
        markers: Some(minutes.collect()),
        ..Recording::v1_1()
    }
}

/// Generates the seven curves of a pose, with a key in each frame.
fn pose(index: usize, frames: usize) -> [Keys; 7] {
    let [positions, rotations] = [0, 1].map(|list| times(2 * index + list, frames));
    let phase = index as f32;
    let curve = |times: &[f32], value: &dyn Fn(f32) -> f32| {
        Keys::simple(&times.iter().map(|&time| (time, value(time))).collect::<Vec<_>>())
    };
    let side = if index < 28 { -0.2 } else { 0.2 };
    let (along, across) = (0.02 * (index % 27) as f32, 0.03 * (index % 5) as f32);
    let half_angle = move |time: f32| 0.4 * (TAU * 0.2 * time + phase).sin();
    [
        curve(&positions, &|time| side + across + 0.1 * (TAU * 0.13 * time).sin()),
        curve(&positions, &|time| along + 0.05 * (TAU * 0.31 * time + phase).cos()),
        curve(&positions, &|time| 0.4 + 0.08 * (TAU * 0.07 * time).cos()),
        curve(&rotations, &|time| half_angle(time).sin()),
        curve(&rotations, &|_| 0.0),
        curve(&rotations, &|_| 0.0),
        curve(&rotations, &|time| half_angle(time).cos()),
    ]
}

fn smooth_pose(index: usize, times: &[f32]) -> [Keys; 7] {
    let wave = |time: f32, number: usize| {
        let frequency = 0.13 + 0.11 * number as f32 + 0.003 * index as f32;
        (TAU * frequency * time + (7 * index + number) as f32).sin()
    };
    let curve = |value: &dyn Fn(f32) -> f32| {
        Keys::simple(&times.iter().map(|&time| (time, value(time))).collect::<Vec<_>>())
    };
    let position = |axis: usize| {
        curve(&|time| 0.1 * wave(time, axis) + 0.02 * wave(time, axis + 3) * wave(time, 8))
    };
    let rotation = |part: usize| {
        curve(&|time| {
            let axis = glam::Vec3::new(wave(time, 0), wave(time, 1), 1.5).normalize();
            let angle = 0.8 * wave(time, 2) + 0.2 * wave(time, 6);
            glam::Quat::from_axis_angle(axis, angle).to_array()[part]
        })
    };
    let [x, y, z] = [0, 1, 2].map(position);
    let [rx, ry, rz, rw] = [0, 1, 2, 3].map(rotation);
    [x, y, z, rx, ry, rz, rw]
}

/// Returns `frames` times outside the pauses. Each `list` gets different times.
fn times(list: usize, frames: usize) -> Vec<f32> {
    let paused: f32 = PAUSES.iter().map(|(from, to)| to - from).sum();
    let step = (LENGTH - paused) / frames as f32;
    let skip = |time: f32| {
        PAUSES
            .iter()
            .fold(time, |time, (from, to)| if time >= *from { time + to - from } else { time })
    };
    let mut random = fastrand::Rng::with_seed(list as u64);
    (0..frames).map(|frame| skip((frame as f32 + 0.9 * random.f32()) * step)).collect()
}
