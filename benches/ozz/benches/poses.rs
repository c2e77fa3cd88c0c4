//! Measures how long a pose of both hands and the head takes, compared with ozz. ozz is a runtime
//! that packs its animations and interpolates four joints at a time in single precision.
//!
//! `tools/bench-ozz.sh` runs this benchmark.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use mutoscope_core::clip::{Clip, Pose};
use mutoscope_ozz::{OzzAnimation, is_near};
use mutoscope_testing::minute_mrtk::{self, Keyed, random_times, regular_times};
use mutoscope_testing::timing::{decode_clip, divide_duration, medians, ratio, sample_all};

const SAMPLE_COUNT: usize = 2000;

/// The number of measurements. The median and the range of their ratios are printed.
const RUN_COUNT: usize = 5;

fn poses(_: &mut Criterion) {
    for keyed in [Keyed::EveryFrame, Keyed::Merged] {
        let clip = decode_clip(&minute_mrtk::recording(keyed).encode());
        let mut animation = OzzAnimation::from_clip(&clip);
        for (order, times) in
            [("random", random_times(SAMPLE_COUNT)), ("successive", regular_times(SAMPLE_COUNT))]
        {
            assert_same_poses(&clip, &mut animation, &times);
            let mut runs: Vec<[Duration; 2]> =
                (0..RUN_COUNT).map(|_| measure_both(&clip, &mut animation, &times)).collect();
            runs.sort_by(|a, b| ratio(a[0], a[1]).total_cmp(&ratio(b[0], b[1])));
            let [min, middle, max] =
                [0, RUN_COUNT / 2, RUN_COUNT - 1].map(|run| ratio(runs[run][0], runs[run][1]));
            let [ours, theirs] = runs[RUN_COUNT / 2].map(|duration| divide_duration(duration, SAMPLE_COUNT));
            println!(
                "a pose of {} nodes at {order} times, {keyed:?}: {ours:?}, by ozz {theirs:?}: \
                 {middle:.2} times as long ({min:.2} to {max:.2}; aim: 1.5)",
                clip.nodes.len()
            );
        }
    }
}

/// Measures our sampler and that of ozz in turns.
fn measure_both(clip: &Clip, animation: &mut OzzAnimation, times: &[f64]) -> [Duration; 2] {
    let mut pose = Pose::default();
    let mut ours = || sample_all(clip, times, &mut pose);
    let mut theirs = || {
        for &time in times {
            black_box(animation.sample(black_box(time)));
        }
    };
    medians([&mut ours, &mut theirs])
}

/// Checks that both samplers give the same poses. ozz plays in the axes of the file, which are
/// left-handed.
fn assert_same_poses(clip: &Clip, animation: &mut OzzAnimation, times: &[f64]) {
    let mut pose = Pose::default();
    for &time in times {
        clip.sample(time, &mut pose);
        let theirs = animation.sample(time);
        for (node, (ours, matrix)) in pose.nodes.iter().zip(theirs).enumerate() {
            let position = ours.local.translation.to_array().map(|number| number as f32);
            let rotation = ours.local.rotation.to_array().map(|number| number as f32);
            let position = Vec3::from_array(position) * Vec3::new(1.0, 1.0, -1.0);
            let rotation =
                Quat::from_xyzw(-rotation[0], -rotation[1], rotation[2], rotation[3]);
            assert!(
                is_near(matrix, position, rotation),
                "node {node} at {time}: {position} {rotation}, {matrix}"
            );
        }
    }
}

criterion_group!(benches, poses);
criterion_main!(benches);
