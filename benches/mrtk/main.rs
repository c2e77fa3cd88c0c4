//! Measures how long it takes to read an MRTK file and to sample it. Reading is compared with
//! copying the same bytes, which cannot be beaten, and sampling with Bevy's own keyframe curves.
//!
//! Both sides of a ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

mod bevy_curves;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::clip::Pose;
use mutoscope_testing::minute_mrtk::{Keyed, random_times, regular_times};
use mutoscope_testing::timing::{decode_clip, divide_duration, median, ratio, sample_all};

const SAMPLE_COUNT: usize = 2000;

fn decode(criterion: &mut Criterion) {
    let bytes = mutoscope_testing::minute_mrtk::recording(Keyed::EveryFrame).encode();
    let mut copy = vec![0_u8; bytes.len()];
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(20);
    group.bench_function("37 MB of version 1.0", |bencher| bencher.iter(|| decode_clip(&bytes)));
    group.bench_function("copying the same bytes", |bencher| {
        bencher.iter(|| black_box(&mut copy).copy_from_slice(black_box(&bytes)));
    });
    group.finish();

    let decoding = median(|| drop(black_box(decode_clip(&bytes))));
    let copying = median(|| black_box(&mut copy).copy_from_slice(black_box(&bytes)));
    println!("decode: {decoding:?}, copying the same {} bytes: {copying:?}", bytes.len());
    println!("decode takes {:.2} times as long as copying (aim: 10)\n", ratio(decoding, copying));
}

fn sample(criterion: &mut Criterion) {
    for keyed in [Keyed::EveryFrame, Keyed::Merged] {
        let clip = decode_clip(&mutoscope_testing::minute_mrtk::recording(keyed).encode());
        let bevy = bevy_curves::Curves::from_clip(&clip);
        let mut pose = Pose::default();
        for (order, times) in
            [("random", random_times(SAMPLE_COUNT)), ("successive", regular_times(SAMPLE_COUNT))]
        {
            let case = format!("{order} times, {keyed:?}");
            let mut group = criterion.benchmark_group("sample");
            group.throughput(Throughput::Elements(times.len() as u64)).sample_size(20);
            group.bench_function(BenchmarkId::new("ours", &case), |bencher| {
                bencher.iter(|| sample_all(&clip, &times, &mut pose));
            });
            group.bench_function(BenchmarkId::new("bevy", &case), |bencher| {
                bencher.iter(|| bevy.sample_all(&times));
            });
            group.finish();

            let ours = median(|| sample_all(&clip, &times, &mut pose));
            println!(
                "a pose of {} nodes at {case}: {:?}",
                clip.nodes.len(),
                divide_duration(ours, SAMPLE_COUNT)
            );
            {
                let theirs = median(|| bevy.sample_all(&times));
                println!("the same by Bevy's curves: {:?}", divide_duration(theirs, SAMPLE_COUNT));
                println!("ours is {:.2} times as fast (aim: 2)\n", ratio(theirs, ours));
            }
        }
    }
}

criterion_group!(benches, decode, sample);
criterion_main!(benches);
