//! Measures how long all checks take on ten million keys, compared with reading each key's value
//! once.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::{formats::mrtk::Version, measure::checks::check_clip};
use mutoscope_testing::recording::{HandKeys, Keys, Recording};
use mutoscope_testing::timing::{decode_clip, median, ratio};

/// At 60 frames per second, both hands with all their joints have ten million keys after this many
/// frames.
const FRAME_COUNT: usize = 26_500;

/// Returns a curve that always moves. A key jumps by 1 every 5,000 frames, so that the checks find
/// something.
fn curve(seed: usize) -> Keys {
    let key = |frame: usize| {
        let slip = if (frame + seed * 97).is_multiple_of(5000) { 1.0 } else { 0.0 };
        let angle = frame as f32 * 0.01 + seed as f32;
        (frame as f32 / 60.0, angle.sin() * 0.3 + (angle * 7.3).cos() * 0.01 + slip)
    };
    let keys: Vec<_> = (0..FRAME_COUNT).map(key).collect();
    Keys::simple(&keys)
}

fn encode_ten_million_keys() -> Vec<u8> {
    let hand = |side: usize| HandKeys {
        tracked: Keys::simple(&[(0.0, 1.0), (100.0, 0.0), (101.0, 1.0)]),
        pinch: Keys::simple(&[]),
        poses: (0..27)
            .map(|pose| {
                [0, 1, 2, 3, 4, 5, 6].map(|component| curve(side * 189 + pose * 7 + component))
            })
            .collect(),
    };
    let version = Version::V1_1 { parts: [0, 1, 0] };
    let recording = Recording { version, hands: Some([hand(0), hand(1)]), ..Recording::v1_1() };
    recording.encode()
}

fn checks(criterion: &mut Criterion) {
    let clip = decode_clip(&encode_ten_million_keys());
    let mut group = criterion.benchmark_group("checks");
    group.throughput(Throughput::Elements(clip.key_count() as u64)).sample_size(10);
    group.bench_function("ten million keys", |bencher| bencher.iter(|| check_clip(&clip)));
    group.finish();

    let checking = median(|| check_clip(&clip));
    let summing = median(|| {
        let curves = clip.tracks.iter().flat_map(|track| track.curve.components());
        curves.map(|curve| black_box(curve.values().iter().sum::<f64>())).sum::<f64>()
    });
    println!("{} keys, {} diagnostics: {checking:?}", clip.key_count(), check_clip(&clip).len());
    println!(
        "reading each value once: {summing:?}; checking takes {:.1} times as long\n",
        ratio(checking, summing)
    );
}

criterion_group!(benches, checks);
criterion_main!(benches);
