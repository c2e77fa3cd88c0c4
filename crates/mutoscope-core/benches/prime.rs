//! Measures how long it takes to read an animation of Metroid Prime from its bit stream, and to
//! compute the poses of all bones of a large skeleton. The baselines do only the arithmetic that
//! each task needs.
//!
//! Both sides of a ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{f64::consts::TAU, hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DQuat, DVec3};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose},
    decode,
    formats::{FormatId, prime::Game},
    io::bytes::NoSidecars,
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::prime::{Animation, Keys, SkeletonBone};
use mutoscope_testing::timing::{median, random_times, ratio, sample_all};

/// The games animate at most this many bones at once.
const BONE_COUNT: u32 = 100;

/// Ten seconds at 30 Hz.
const FRAME_COUNT: u32 = 300;

const SAMPLE_COUNT: usize = 2000;

/// Encodes an animation that rotates and translates every bone in every frame, and scales every
/// tenth bone.
fn animation() -> Vec<u8> {
    let channel = |bone: u32| {
        let wave = |axis: u32, frame: u32| {
            let turns = f64::from(frame) / 60.0 + f64::from(bone * 3 + axis) * 0.137;
            (TAU * turns).sin()
        };
        let vector = |frame: u32, size: f64| [0, 1, 2].map(|axis| size * wave(axis, frame));
        let rotation = |frame| {
            let [x, y, z] = vector(frame, 0.5);
            [x, y, z, (1.0 - x * x - y * y - z * z).max(0.0).sqrt()]
        };
        let frames = || 0..FRAME_COUNT;
        Keys {
            bone,
            rotation: frames().map(rotation).collect(),
            translation: frames().map(|frame| vector(frame, 0.3)).collect(),
            scale: if bone.is_multiple_of(10) {
                frames().map(|frame| vector(frame, 0.2).map(|size| 1.0 + size)).collect()
            } else {
                Vec::new()
            },
        }
    };
    let animation = Animation {
        game: Game::Echoes,
        root_bone: 0,
        frame_count: FRAME_COUNT,
        keyed: (0..FRAME_COUNT).collect(),
        channels: (0..BONE_COUNT).map(channel).collect(),
        ..Animation::default()
    };
    animation.encode_version_2()
}

/// Builds a root with limbs of ten bones each.
fn skeleton() -> LoadedSkeleton {
    const BONES_PER_LIMB: u32 = 10;
    let parent = |bone: u32| match bone {
        0 => 97,
        bone if bone % BONES_PER_LIMB == 1 => 0,
        bone => bone - 1,
    };
    let position = |bone: u32| [bone as f32 * 0.1, (bone % BONES_PER_LIMB) as f32 * 0.2, 1.0];
    let bones: Vec<SkeletonBone> =
        (0..BONE_COUNT).map(|bone| (bone, parent(bone), position(bone), "")).collect();
    mutoscope_core::Registry::default()
        .decode_skeleton(
            &mutoscope_testing::prime::encode_skeleton(Game::Echoes, &bones),
            "rig",
            &NoSidecars,
        )
        .unwrap()
}

fn read(criterion: &mut Criterion) {
    let (bytes, rig) = (animation(), skeleton());
    let bone_keys = u64::from(BONE_COUNT * FRAME_COUNT);
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Elements(bone_keys)).sample_size(10);
    group.bench_function("onto a skeleton", |bencher| bencher.iter(|| decode_clip(&bytes, &rig)));
    group.bench_function("sines and roots", |bencher| {
        bencher.iter(|| compute_sines_and_roots(bone_keys))
    });
    group.finish();

    let ours = median(|| decode_clip(&bytes, &rig));
    let lower_bound = median(|| compute_sines_and_roots(bone_keys));
    println!(
        "{BONE_COUNT} bones, {FRAME_COUNT} frames, {} bytes: read onto a skeleton in {ours:?}, {:.1} ns for \
         each key of a bone",
        bytes.len(),
        nanoseconds(ours, bone_keys)
    );
    println!("three sines and a root for each take {:.1} ns", nanoseconds(lower_bound, bone_keys));
    println!("reading takes {:.2} times as long\n", ratio(ours, lower_bound));
}

fn sample(criterion: &mut Criterion) {
    let clip = decode_clip(&animation(), &skeleton());
    let bones = SAMPLE_COUNT as u64 * u64::from(BONE_COUNT);
    let mut pose = Pose::default();
    for (order, times) in
        [("successive", successive_times(&clip)), ("random", random_times(clip.span, SAMPLE_COUNT))]
    {
        let mut group = criterion.benchmark_group(format!("sample, {order} times"));
        group.throughput(Throughput::Elements(bones)).sample_size(10);
        group.bench_function("all bones", |bencher| {
            bencher.iter(|| sample_all(&clip, &times, &mut pose));
        });
        group.bench_function("slerps and products", |bencher| {
            bencher.iter(|| compute_slerps(bones))
        });
        group.finish();

        let ours = median(|| sample_all(&clip, &times, &mut pose));
        let lower_bound = median(|| compute_slerps(bones));
        println!("at {order} times, {:.1} ns per bone", nanoseconds(ours, bones));
        println!(
            "a slerp and two products for each take {:.1} ns",
            nanoseconds(lower_bound, bones)
        );
        println!("sampling takes {:.2} times as long\n", ratio(ours, lower_bound));
    }
}

fn decode_clip(bytes: &[u8], rig: &LoadedSkeleton) -> Clip {
    decode(
        black_box(bytes),
        &ReadOptions::default().with_format(FormatId::PRIME).with_skeleton(rig.clone()),
    )
    .unwrap()
}

/// Repeats the arithmetic of rotations decoded from integers (three sines and a square root each),
/// without the decoding.
fn compute_sines_and_roots(count: u64) -> f64 {
    let rotation = |index: u64| {
        let angles = DVec3::new(0.1, 0.2, 0.3) * black_box(index as f64 * 1e-5);
        let imaginary = angles.map(f64::sin);
        (1.0 - imaginary.length_squared()).max(0.0).sqrt() + imaginary.x
    };
    (0..count).map(rotation).sum()
}

/// Repeats the interpolation of rotations and the product with the parent's transform, without the
/// search for keys.
fn compute_slerps(count: u64) -> DVec3 {
    let keys = [DQuat::from_rotation_x(0.1), DQuat::from_rotation_y(0.3)];
    let mut parent = (DVec3::ZERO, DQuat::IDENTITY);
    for index in 0..count {
        let part = black_box((index % 1024) as f64 / 1024.0);
        let rotation = keys[0].slerp(keys[1], part);
        parent = (parent.1 * DVec3::Z + parent.0, (parent.1 * rotation).normalize());
        parent = black_box(parent);
    }
    parent.0
}

fn successive_times(clip: &Clip) -> Vec<f64> {
    (0..SAMPLE_COUNT).map(|index| clip.span.duration * index as f64 / SAMPLE_COUNT as f64).collect()
}

fn nanoseconds(total: Duration, count: u64) -> f64 {
    total.as_secs_f64() * 1e9 / count as f64
}

criterion_group!(benches, read, sample);
criterion_main!(benches);
