//! How long a pose of both hands and the head takes, compared with ozz: a runtime that packs what it
//! plays, interpolates in single precision four joints at a time, and does nothing else.
//!
//! `scripts/bench-ozz` runs it.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use mutoscope_core::clip::{Clip, Pose};
use mutoscope_ozz::{Take, is_near};
use mutoscope_testing::minute::{Keyed, random_times, regular_times};
use mutoscope_testing::timing::{clip, medians, per, ratio, sample_all};

/// How many times to sample at, over the whole recording.
const TIMES: usize = 2000;

/// How often both are measured; the spread of the ratios is told.
const RUNS: usize = 5;

fn poses(_: &mut Criterion) {
    for keyed in [Keyed::EveryFrame, Keyed::Merged] {
        let clip = clip(&mutoscope_testing::minute::recording(keyed).bytes());
        let mut take = Take::of(&clip);
        for (order, times) in
            [("random", random_times(TIMES)), ("successive", regular_times(TIMES))]
        {
            assert_same_poses(&clip, &mut take, &times);
            let mut runs: Vec<[Duration; 2]> =
                (0..RUNS).map(|_| measured(&clip, &mut take, &times)).collect();
            runs.sort_by(|a, b| ratio(a[0], a[1]).total_cmp(&ratio(b[0], b[1])));
            let [least, middle, most] =
                [0, RUNS / 2, RUNS - 1].map(|run| ratio(runs[run][0], runs[run][1]));
            let [ours, theirs] = runs[RUNS / 2].map(|took| per(took, TIMES));
            println!(
                "a pose of {} nodes at {order} times, {keyed:?}: {ours:?}, by ozz {theirs:?}: \
                 {middle:.2} times as long ({least:.2} to {most:.2}; aim: 1.5)",
                clip.nodes.len()
            );
        }
    }
}

/// How long ours and theirs take, in turns.
fn measured(clip: &Clip, take: &mut Take, times: &[f64]) -> [Duration; 2] {
    let mut pose = Pose::default();
    let mut ours = || sample_all(clip, times, &mut pose);
    let mut theirs = || {
        for &time in times {
            black_box(take.sample(black_box(time)));
        }
    };
    medians([&mut ours, &mut theirs])
}

/// Both play the same: ozz in the file's own axes, which are left-handed.
fn assert_same_poses(clip: &Clip, take: &mut Take, times: &[f64]) {
    let mut pose = Pose::default();
    for &time in times {
        clip.sample(time, &mut pose);
        let theirs = take.sample(time);
        for (node, (ours, matrix)) in pose.nodes.iter().zip(theirs).enumerate() {
            let place = ours.local.translation.to_array().map(|number| number as f32);
            let turn = ours.local.rotation.to_array().map(|number| number as f32);
            let place = Vec3::from_array(place) * Vec3::new(1.0, 1.0, -1.0);
            let turn = Quat::from_xyzw(-turn[0], -turn[1], turn[2], turn[3]);
            assert!(
                is_near(matrix, place, turn),
                "node {node} at {time}: {place} {turn}, {matrix}"
            );
        }
    }
}

criterion_group!(benches, poses);
criterion_main!(benches);
