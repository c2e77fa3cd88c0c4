//! How long it takes to read a recording of Minecraft Motion Capture, held against copying its
//! bytes, and to go to any moment of one that took seven hours.
//!
//! Both sides of the ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

#[path = "../tests/support/mcmocap/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod mcmocap;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope::{
    clip::{Clip, Pose},
    diagnostics::Notices,
    formats,
};

/// How often each side of a ratio is measured; the median counts.
const ROUNDS: usize = 7;

/// How long the recording is: nearly seven hours.
const TICKS: u32 = 500_000;

/// The times to go to: so many, over the whole recording.
const TIMES: usize = 2000;

fn read(criterion: &mut Criterion) {
    let bytes = mcmocap::long::bytes(TICKS);
    let mut group = criterion.benchmark_group(format!("read, {TICKS} ticks"));
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(10);
    group.bench_function("document", |bencher| bencher.iter(|| document(&bytes)));
    group.bench_function("clip", |bencher| bencher.iter(|| clip(&bytes)));
    group.bench_function("copy", |bencher| bencher.iter(|| black_box(&bytes).clone()));
    group.finish();

    let parsing = median(|| document(&bytes));
    let all = median(|| clip(&bytes));
    let copying = median(|| black_box(&bytes).clone());
    let speed = |took: Duration| bytes.len() as f64 / 1e6 / took.as_secs_f64();
    println!("{} bytes, {TICKS} ticks", bytes.len());
    println!("read through in {parsing:?} ({:.0} MB/s)", speed(parsing));
    println!("a clip in {all:?} ({:.0} MB/s)", speed(all));
    println!("copied in {copying:?} ({:.0} MB/s)\n", speed(copying));
}

fn seek(criterion: &mut Criterion) {
    let clip = clip(&mcmocap::long::bytes(TICKS));
    let duration = clip.span.duration;
    // Times all over the recording, the same in every run.
    let golden = 0.618_033_988_749_894_9;
    let random: Vec<_> =
        (0..TIMES).map(|index| duration * (index as f64 * golden).fract()).collect();
    // Two pictures a tick.
    let successive: Vec<_> = (0..TIMES).map(|index| 9_000.0 + index as f64 * 0.025).collect();
    for (name, times) in [("random", random), ("successive", successive)] {
        let mut pose = Pose::default();
        let mut group = criterion.benchmark_group(format!("poses at {name} times"));
        group.throughput(Throughput::Elements(times.len() as u64)).sample_size(10);
        group.bench_function("sample", |bencher| {
            bencher.iter(|| sample_all(&clip, &times, &mut pose));
        });
        group.finish();
        let took = median(|| sample_all(&clip, &times, &mut pose)) / TIMES as u32;
        println!("a pose at a {name} time: {took:?} (aim: 50 µs)\n");
    }
}

fn document(bytes: &[u8]) -> u32 {
    formats::mcmocap::decode(black_box(bytes), &mut Notices::new()).unwrap().ticks
}

fn clip(bytes: &[u8]) -> Clip {
    formats::decode(black_box(bytes), None, None).unwrap()
}

fn sample_all(clip: &Clip, times: &[f64], pose: &mut Pose) {
    for &time in times {
        clip.sample(black_box(time), pose);
        black_box(&pose);
    }
}

fn median<T>(mut action: impl FnMut() -> T) -> Duration {
    let mut took: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(action());
            start.elapsed()
        })
        .collect();
    took.sort();
    took[ROUNDS / 2]
}

criterion_group!(benches, read, seek);
criterion_main!(benches);
