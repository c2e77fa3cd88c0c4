//! Measures how long it takes to read a recording of Minecraft Motion Capture, compared with
//! copying its bytes. Also measures seeking in a recording of seven hours.
//!
//! Both sides of the ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::Diagnostics,
    formats::ReadOptions,
};
use mutoscope_testing::timing::{divide_duration, median, random_times, sample_all};

/// Nearly seven hours at 20 ticks per second.
const TICK_COUNT: u32 = 500_000;

const SAMPLE_COUNT: usize = 2000;

fn decode_clip(bytes: &[u8]) -> Clip {
    let options = ReadOptions::default().with_formats(mutoscope_minecraft::formats());
    mutoscope_core::decode(black_box(bytes), &options).unwrap()
}

fn read(criterion: &mut Criterion) {
    let bytes = mutoscope_testing::mcmocap::long::bytes(TICK_COUNT);
    let mut group = criterion.benchmark_group(format!("read, {TICK_COUNT} ticks"));
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(10);
    group.bench_function("document", |bencher| bencher.iter(|| decode_document(&bytes)));
    group.bench_function("clip", |bencher| bencher.iter(|| decode_clip(&bytes)));
    group.bench_function("copy", |bencher| bencher.iter(|| black_box(&bytes).clone()));
    group.finish();

    let parsing = median(|| decode_document(&bytes));
    let all = median(|| decode_clip(&bytes));
    let copying = median(|| black_box(&bytes).clone());
    let speed = |time: Duration| bytes.len() as f64 / 1e6 / time.as_secs_f64();
    println!("{} bytes, {TICK_COUNT} ticks", bytes.len());
    println!("read through in {parsing:?} ({:.0} MB/s)", speed(parsing));
    println!("a clip in {all:?} ({:.0} MB/s)", speed(all));
    println!("copied in {copying:?} ({:.0} MB/s)\n", speed(copying));
}

fn seek(criterion: &mut Criterion) {
    let clip = decode_clip(&mutoscope_testing::mcmocap::long::bytes(TICK_COUNT));
    let random = random_times(clip.span, SAMPLE_COUNT);
    // Two frames per tick.
    let successive: Vec<_> =
        (0..SAMPLE_COUNT).map(|index| 9_000.0 + index as f64 * 0.025).collect();
    for (name, times) in [("random", random), ("successive", successive)] {
        let mut pose = Pose::default();
        let mut group = criterion.benchmark_group(format!("poses at {name} times"));
        group.throughput(Throughput::Elements(times.len() as u64)).sample_size(10);
        group.bench_function("sample", |bencher| {
            bencher.iter(|| sample_all(&clip, &times, &mut pose));
        });
        group.finish();
        let pose_time =
            divide_duration(median(|| sample_all(&clip, &times, &mut pose)), SAMPLE_COUNT);
        println!("a pose at a {name} time: {pose_time:?} (aim: 50 µs)\n");
    }
}

fn decode_document(bytes: &[u8]) -> u32 {
    mutoscope_minecraft::decode(black_box(bytes), &mut Diagnostics::new()).unwrap().ticks
}

criterion_group!(benches, read, seek);
criterion_main!(benches);
