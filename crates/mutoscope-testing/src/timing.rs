//! Helpers for benches: measure both sides of a ratio, and sample clips.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use mutoscope_core::clip::{Clip, Pose, Span};
use mutoscope_core::{ReadOptions, decode};

/// The number of measurements for a median.
const ROUNDS: usize = 15;

/// Returns the median duration of `action`.
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

/// Returns the median duration of each action. The actions take turns, so that a temporary slowdown
/// of the machine affects all of them.
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

/// Divides `total` by `count`.
pub fn divide_duration(total: Duration, count: usize) -> Duration {
    total / count as u32
}

/// Returns the quotient of two durations.
pub fn ratio(longer: Duration, shorter: Duration) -> f64 {
    longer.as_secs_f64() / shorter.as_secs_f64()
}

/// Decodes a recording whose format is recognised by its content.
pub fn decode_clip(bytes: &[u8]) -> Clip {
    decode(black_box(bytes), &ReadOptions::default()).unwrap()
}

/// Samples `clip` at each of `times`.
pub fn sample_all(clip: &Clip, times: &[f64], pose: &mut Pose) {
    for &time in times {
        clip.sample(black_box(time), pose);
        black_box(&pose);
    }
}

/// Returns `count` quasi-random times within `span`, the same in every run. Consecutive times
/// differ by the golden ratio, modulo the duration.
pub fn random_times(span: Span, count: usize) -> Vec<f64> {
    let golden = 0.618_033_988_749_894_9;
    (0..count).map(|index| span.start + span.duration * (index as f64 * golden).fract()).collect()
}
