//! Helpers for benches: measuring both sides of a ratio, and sampling clips.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use mutoscope_core::{
    clip::{Clip, Pose, Span},
    formats::{self, DecodeRequest},
};

/// How often each side of a ratio is measured; the median counts.
const ROUNDS: usize = 15;

/// How long `action` takes.
pub fn median<T>(mut action: impl FnMut() -> T) -> Duration {
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

/// How long each of `actions` takes, measured in turns: what slows the machine down for a while slows
/// all of them.
pub fn medians<const N: usize>(mut actions: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut took = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for (action, took) in actions.iter_mut().zip(&mut took) {
            let start = Instant::now();
            action();
            took.push(start.elapsed());
        }
    }
    took.map(|mut took| {
        took.sort();
        took[ROUNDS / 2]
    })
}

/// The part of `total` that each of `count` takes.
pub fn per(total: Duration, count: usize) -> Duration {
    total / count as u32
}

/// How many times as long the one is as the other.
pub fn ratio(longer: Duration, shorter: Duration) -> f64 {
    longer.as_secs_f64() / shorter.as_secs_f64()
}

/// A recording, recognised by its content.
pub fn clip(bytes: &[u8]) -> Clip {
    formats::decode(black_box(bytes), &DecodeRequest::default()).unwrap()
}

/// Samples `clip` at each of `times`.
pub fn sample_all(clip: &Clip, times: &[f64], pose: &mut Pose) {
    for &time in times {
        clip.sample(black_box(time), pose);
        black_box(&pose);
    }
}

/// `count` times all over `span`, in no order, the same in every run.
pub fn random_times(span: Span, count: usize) -> Vec<f64> {
    let golden = 0.618_033_988_749_894_9;
    (0..count).map(|index| span.start + span.duration * (index as f64 * golden).fract()).collect()
}
