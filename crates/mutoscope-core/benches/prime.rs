//! How long it takes to read an animation of Metroid Prime from its stream of bits, and to compute
//! the poses of all bones of a large skeleton; compared with the least that the arithmetic of it
//! can cost.
//!
//! Both sides of a ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{f64::consts::TAU, hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, Pose},
    formats::{self, DecodeRequest, FormatId, prime::Game},
    io::bytes::NoSidecars,
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::prime::{Animation, Keys, SkeletonBone};
use mutoscope_testing::timing::{median, random_times, ratio, sample_all};

/// The most bones that the games animate at once.
const BONES: u32 = 100;

/// Ten seconds.
const FRAMES: u32 = 300;

/// How many times to sample at, over the whole animation.
const TIMES: usize = 2000;

/// Every bone is rotated and translated in every frame, every tenth is scaled.
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
        let frames = || 0..FRAMES;
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
        frame_count: FRAMES,
        keyed: (0..FRAMES).collect(),
        channels: (0..BONES).map(channel).collect(),
        ..Animation::default()
    };
    animation.encode_version_2()
}

/// A root with limbs of ten bones each.
fn skeleton() -> LoadedSkeleton {
    const LIMB: u32 = 10;
    let parent = |bone: u32| match bone {
        0 => 97,
        bone if bone % LIMB == 1 => 0,
        bone => bone - 1,
    };
    let place = |bone: u32| [bone as f32 * 0.1, (bone % LIMB) as f32 * 0.2, 1.0];
    let bones: Vec<SkeletonBone> =
        (0..BONES).map(|bone| (bone, parent(bone), place(bone), "")).collect();
    formats::decode_skeleton(
        &mutoscope_testing::prime::encode_skeleton(Game::Echoes, &bones),
        "rig",
        &NoSidecars,
    )
    .unwrap()
}

fn read(criterion: &mut Criterion) {
    let (bytes, rig) = (animation(), skeleton());
    let bone_keys = u64::from(BONES * FRAMES);
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Elements(bone_keys)).sample_size(10);
    group.bench_function("onto a skeleton", |bencher| bencher.iter(|| clip(&bytes, &rig)));
    group.bench_function("sines and roots", |bencher| bencher.iter(|| sines_and_roots(bone_keys)));
    group.finish();

    let ours = median(|| clip(&bytes, &rig));
    let least = median(|| sines_and_roots(bone_keys));
    println!(
        "{BONES} bones, {FRAMES} frames, {} bytes: read onto a skeleton in {ours:?}, {:.1} ns for \
         each key of a bone",
        bytes.len(),
        nanoseconds(ours, bone_keys)
    );
    println!("three sines and a root for each take {:.1} ns", nanoseconds(least, bone_keys));
    println!("reading takes {:.2} times as long\n", ratio(ours, least));
}

fn sample(criterion: &mut Criterion) {
    let clip = clip(&animation(), &skeleton());
    let bones = TIMES as u64 * u64::from(BONES);
    let mut pose = Pose::default();
    for (order, times) in
        [("successive", successive(&clip)), ("random", random_times(clip.span, TIMES))]
    {
        let mut group = criterion.benchmark_group(format!("sample, {order} times"));
        group.throughput(Throughput::Elements(bones)).sample_size(10);
        group.bench_function("all bones", |bencher| {
            bencher.iter(|| sample_all(&clip, &times, &mut pose));
        });
        group.bench_function("slerps and products", |bencher| bencher.iter(|| slerps(bones)));
        group.finish();

        let ours = median(|| sample_all(&clip, &times, &mut pose));
        let least = median(|| slerps(bones));
        println!(
            "at {order} times, where a bone stands in the world: {:.1} ns",
            nanoseconds(ours, bones)
        );
        println!("a slerp and two products for each take {:.1} ns", nanoseconds(least, bones));
        println!("sampling takes {:.2} times as long\n", ratio(ours, least));
    }
}

fn clip(bytes: &[u8], rig: &LoadedSkeleton) -> Clip {
    formats::decode(black_box(bytes), &DecodeRequest::default().format(FormatId::PRIME).rig(rig))
        .unwrap()
}

/// The arithmetic of rotations decoded from integers (three sines and a square root each), without
/// the decoding.
fn sines_and_roots(count: u64) -> f64 {
    let rotation = |index: u64| {
        let angles = DVec3::new(0.1, 0.2, 0.3) * black_box(index as f64 * 1e-5);
        let imaginary = angles.map(f64::sin);
        (1.0 - imaginary.length_squared()).max(0.0).sqrt() + imaginary.x
    };
    (0..count).map(rotation).sum()
}

/// The cost of interpolating rotations and applying the parent's transform, without the search for
/// keys.
fn slerps(count: u64) -> DVec3 {
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

fn successive(clip: &Clip) -> Vec<f64> {
    (0..TIMES).map(|index| clip.span.duration * index as f64 / TIMES as f64).collect()
}

fn nanoseconds(total: Duration, count: u64) -> f64 {
    total.as_secs_f64() * 1e9 / count as f64
}

criterion_group!(benches, read, sample);
criterion_main!(benches);
