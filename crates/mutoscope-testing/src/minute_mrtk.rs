//! Generates a recording like MRTK 2.5: a minute of both hands and the head at 60 Hz, with all 389
//! curves of version 1.0 and keys of 28 bytes.

use std::f32::consts::TAU;

use mutoscope_core::formats::mrtk::Version;

use crate::recording::{HandKeys, Keys, Recording};

/// Frames in a minute.
const FRAMES: usize = 3600;

/// The duration of a frame in seconds.
const FRAME: f32 = 60.0 / FRAMES as f32;

/// Which frames have keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keyed {
    /// Every frame.
    EveryFrame,
    /// All but one in 40 frames, because MRTK merges frames with small changes. Positions and
    /// rotations of each joint skip different frames, so that no two joints share key times.
    Merged,
}

/// One rotation of this many is written with the opposite sign, as on real devices.
const NEGATED: u64 = 30;

/// Generates the recording.
pub fn recording(keyed: Keyed) -> Recording {
    let hand = |hand: usize| HandKeys {
        tracked: Keys::simple(&[(0.0, 1.0)]),
        pinch: Keys::simple(&(0..60).map(|s| (s as f32, (s % 2) as f32)).collect::<Vec<_>>()),
        poses: (0..27).map(|joint| pose(1 + 27 * hand + joint, keyed)).collect(),
    };
    Recording {
        version: Version::V1_0,
        camera: Some(pose(0, keyed)),
        hands: Some([hand(0), hand(1)]),
        ..Recording::v1_0()
    }
}

/// Returns pseudo-random times within the recording, in seconds.
pub fn random_times(count: usize) -> Vec<f64> {
    (0..count as u64).map(|index| noise(index) as f64 / u64::MAX as f64 * 60.0).collect()
}

/// Returns times from the start of the recording at 144 Hz, in seconds.
pub fn regular_times(count: usize) -> Vec<f64> {
    (0..count).map(|index| index as f64 / 144.0).collect()
}

/// Generates the curves of a pose that drifts and rotates. Each `seed` moves differently.
fn pose(seed: usize, keyed: Keyed) -> [Keys; 7] {
    let seed = seed as u64;
    let position_times = times(2 * seed, keyed);
    let rotation_times = times(2 * seed + 1, keyed);
    let phase = |axis: u64| TAU * (noise(8 * seed + axis) as f32 / u64::MAX as f32);
    let wave = |time: f32, axis: u64| (time * (0.5 + axis as f32) + phase(axis)).sin();
    let position = |axis| Keys::linear(position_times.iter().map(|&t| (t, 0.3 * wave(t, axis))));
    let rotation = |part: usize| {
        let keys = rotation_times.iter().enumerate().map(|(index, &time)| {
            let axis = glam::Vec3::new(wave(time, 3), wave(time, 4), 1.5).normalize();
            let turned = glam::Quat::from_axis_angle(axis, 2.0 * wave(time, 5));
            let is_negated = noise(seed ^ ((index as u64) << 20)).is_multiple_of(NEGATED);
            let sign = if is_negated { -1.0 } else { 1.0 };
            (time, sign * turned.to_array()[part])
        });
        Keys::linear(keys)
    };
    let [x, y, z] = [0, 1, 2].map(position);
    let [rx, ry, rz, rw] = [0, 1, 2, 3].map(rotation);
    [x, y, z, rx, ry, rz, rw]
}

/// Returns the times of the keyed frames. Each `list` skips different frames.
fn times(list: u64, keyed: Keyed) -> Vec<f32> {
    let is_merged = |frame: u64| frame > 0 && noise(list << 32 | frame).is_multiple_of(40);
    (0..FRAMES)
        .filter(|&frame| keyed == Keyed::EveryFrame || !is_merged(frame as u64))
        .map(|frame| frame as f32 * FRAME)
        .collect()
}

/// Hashes `seed` with the finaliser of SplitMix64, so that neighbouring seeds give unrelated
/// numbers.
fn noise(seed: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
