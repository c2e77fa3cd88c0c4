//! How long it takes to fill one frame of the timeline, at ten thousand and at ten million keys
//! within an hour: the keys of the rows that there is room for, on an axis that no frame before
//! had. With the feature `viewer` also the panels' whole frame, tessellated.
//!
//! Both sides of a ratio are measured in the same run, on the same machine.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

#[path = "../tests/support/long_take.rs"]
mod long_take;
#[cfg(feature = "viewer")]
#[path = "timeline/panels.rs"]
mod panels;
#[path = "../tests/support/recording.rs"]
#[allow(dead_code, reason = "benches use a part of it")]
mod recording;
#[path = "support/mod.rs"]
#[allow(dead_code, reason = "each bench uses a part of it")]
mod support;

use std::{collections::HashSet, hint::black_box};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mutoscope::{
    clip::Clip,
    timeline::{ItemId, KeyIndex, TimeAxis, Window},
};
use support::{clip, median, ratio};

/// How many keys the recordings have, more or less.
const KEYS: [usize; 2] = [10_000, 10_000_000];

/// How many rows are seen at once.
const ROWS: usize = 24;

/// How wide they are, in points.
const WIDTH: f32 = 1600.0;

/// How much closer than all of it the recording is looked at.
const CLOSENESS: [f64; 4] = [1.0, 8.0, 100.0, 20_000.0];

/// A clip, its index, and the rows that are seen.
struct Seen {
    clip: Clip,
    index: KeyIndex,
    rows: Vec<ItemId>,
}

impl Seen {
    fn new(keys: usize) -> Self {
        let clip = clip(&long_take::recording(keys).bytes());
        let sample_times = clip.sample_times();
        let took = std::time::Instant::now();
        let index = KeyIndex::new(&clip, &sample_times);
        let (keys, took) = (clip.key_count(), took.elapsed());
        println!("{keys} keys: looked through in {took:?}, {} numbers kept", index.buckets());
        // Both groups open: the first row of each is of all that is below it.
        let open: HashSet<ItemId> =
            index.tree().ids().filter(|id| index.tree().item(*id).depth == 0).collect();
        let mut rows = index.tree().rows(&open, None);
        rows.truncate(ROWS);
        Self { clip, index, rows }
    }

    /// The window, so much closer, moved on by `frame` points.
    fn axis(&self, closeness: f64, frame: u32) -> TimeAxis {
        let all = Window::all_of(self.clip.span);
        let axis = TimeAxis::new(all, 0.0, WIDTH);
        let close = TimeAxis::new(axis.zoomed(closeness, 0.3 * WIDTH, self.clip.span), 0.0, WIDTH);
        let window = Window { start: close.start, end: close.end };
        let by = f64::from(frame % 100) * 0.37 * close.seconds_per_point;
        TimeAxis::new(Window { start: window.start + by, end: window.end + by }, 0.0, WIDTH)
    }

    /// Fills a frame: every row, and the overview.
    fn frame(&self, axis: &TimeAxis) {
        for &row in &self.rows {
            black_box(self.index.density(&self.clip, row, axis));
        }
        black_box(self.index.density_of_all(&self.clip, axis));
    }
}

fn rows(criterion: &mut Criterion) {
    let seen = KEYS.map(Seen::new);
    for closeness in CLOSENESS {
        let mut group = criterion.benchmark_group("rows");
        group.sample_size(30);
        for (keys, seen) in KEYS.iter().zip(&seen) {
            let name = BenchmarkId::new(format!("{closeness} times closer"), keys);
            let mut frame = 0;
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    frame += 1;
                    seen.frame(&seen.axis(closeness, frame));
                });
            });
        }
        group.finish();
        let [few, many] = [0, 1].map(|which| {
            let mut frame = 0;
            median(|| {
                frame += 1;
                seen[which].frame(&seen[which].axis(closeness, frame));
            })
        });
        println!(
            "{ROWS} rows and the overview, {closeness} times closer: {few:?} for {} keys, {many:?} for {}: \
             {:.2} times as long (aim: 1.2, under 2 ms)\n",
            KEYS[0],
            KEYS[1],
            ratio(many, few)
        );
    }
}

#[cfg(feature = "viewer")]
fn whole_frames(criterion: &mut Criterion) {
    panels::bench(criterion, KEYS);
}

#[cfg(not(feature = "viewer"))]
fn whole_frames(_criterion: &mut Criterion) {}

criterion_group!(benches, rows, whole_frames);
criterion_main!(benches);
