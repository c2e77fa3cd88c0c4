//! How long it takes to read a recording of Minecraft Motion Capture, compared with copying its
//! bytes, and to go to any moment of one that took seven hours.
//!
//! Both sides of the ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::{clip::Pose, diagnostics::Diagnostics};
use mutoscope_testing::timing::{decode_clip, divide_duration, median, random_times, sample_all};

/// How long the recording is: nearly seven hours.
const TICKS: u32 = 500_000;

/// How many times to seek to, over the whole recording.
const TIMES: usize = 2000;

fn read(criterion: &mut Criterion) {
    let bytes = mutoscope_testing::mcmocap::long::bytes(TICKS);
    let mut group = criterion.benchmark_group(format!("read, {TICKS} ticks"));
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(10);
    group.bench_function("document", |bencher| bencher.iter(|| document(&bytes)));
    group.bench_function("clip", |bencher| bencher.iter(|| decode_clip(&bytes)));
    group.bench_function("copy", |bencher| bencher.iter(|| black_box(&bytes).clone()));
    group.finish();

    let parsing = median(|| document(&bytes));
    let all = median(|| decode_clip(&bytes));
    let copying = median(|| black_box(&bytes).clone());
    let speed = |took: Duration| bytes.len() as f64 / 1e6 / took.as_secs_f64();
    println!("{} bytes, {TICKS} ticks", bytes.len());
    println!("read through in {parsing:?} ({:.0} MB/s)", speed(parsing));
    println!("a clip in {all:?} ({:.0} MB/s)", speed(all));
    println!("copied in {copying:?} ({:.0} MB/s)\n", speed(copying));
}

fn seek(criterion: &mut Criterion) {
    let clip = decode_clip(&mutoscope_testing::mcmocap::long::bytes(TICKS));
    let random = random_times(clip.span, TIMES);
    // Two frames a tick.
    let successive: Vec<_> = (0..TIMES).map(|index| 9_000.0 + index as f64 * 0.025).collect();
    for (name, times) in [("random", random), ("successive", successive)] {
        let mut pose = Pose::default();
        let mut group = criterion.benchmark_group(format!("poses at {name} times"));
        group.throughput(Throughput::Elements(times.len() as u64)).sample_size(10);
        group.bench_function("sample", |bencher| {
            bencher.iter(|| sample_all(&clip, &times, &mut pose));
        });
        group.finish();
        let took = divide_duration(median(|| sample_all(&clip, &times, &mut pose)), TIMES);
        println!("a pose at a {name} time: {took:?} (aim: 50 µs)\n");
    }
}

fn document(bytes: &[u8]) -> u32 {
    mutoscope_minecraft::decode(black_box(bytes), &mut Diagnostics::new()).unwrap().ticks
}

criterion_group!(benches, read, seek);
criterion_main!(benches);
