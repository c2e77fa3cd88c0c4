//! How long it takes to fill one frame of the timeline, at ten thousand and at ten million keys
//! within an hour: the keys of the rows that there is room for, on an axis that no frame before
//! had. With the feature `viewer` also the panels' whole frame, tessellated.
//!
//! Both sides of a ratio are measured in the same run, on the same machine.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

#[path = "timeline/panels.rs"]
mod panels;

use std::{collections::HashSet, hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mutoscope_core::{
    clip::Clip,
    measure::timeline::{ItemId, KeyIndex, TimeAxis, TimeWindow},
};
use mutoscope_testing::timing::{decode_clip, medians, ratio};

/// How many keys the recordings have, more or less.
const KEYS: [usize; 2] = [10_000, 10_000_000];

/// How many rows are seen at once.
const ROWS: usize = 24;

/// How wide they are, in points.
const WIDTH: f32 = 1600.0;

/// The zoom factors, relative to the whole recording.
const CLOSENESS: [f64; 4] = [1.0, 8.0, 100.0, 20_000.0];

/// Where the zoomed window is, as a fraction of the whole: there are keys.
const PLACE: f32 = 0.55;

/// The most expensive frame is searched for at zoom factors of which each is this many times the
/// one before, up to the microsecond.
const SWEEP: (f64, i32) = (1.5, 50);

/// A clip, its index, and the rows that are seen.
struct Seen {
    clip: Clip,
    index: KeyIndex,
    rows: Vec<ItemId>,
}

impl Seen {
    fn new(keys: usize) -> Self {
        let clip = decode_clip(&mutoscope_testing::long_mrtk::recording(keys).encode());
        let sample_times = clip.sample_times();
        let took = std::time::Instant::now();
        let index = KeyIndex::new(&clip, &sample_times);
        let (keys, took) = (clip.key_count(), took.elapsed());
        println!("{keys} keys: looked through in {took:?}, {} numbers kept", index.bucket_count());
        // Both groups open: the first row of each is of all that is below it.
        let open: HashSet<ItemId> =
            index.tree().ids().filter(|id| index.tree().item(*id).depth == 0).collect();
        let mut rows = index.tree().visible_rows(&open, None);
        rows.truncate(ROWS);
        Self { clip, index, rows }
    }

    /// The window at the zoom factor `closeness`, moved by `frame` points.
    fn axis(&self, closeness: f64, frame: u32) -> TimeAxis {
        let all = TimeWindow::around(self.clip.span);
        let axis = TimeAxis::new(all, 0.0, WIDTH);
        let close =
            TimeAxis::new(axis.zoomed(closeness, PLACE * WIDTH, self.clip.span), 0.0, WIDTH);
        let window = TimeWindow { start: close.start, end: close.end };
        let by = f64::from(frame % 100) * 0.37 * close.seconds_per_point;
        TimeAxis::new(TimeWindow { start: window.start + by, end: window.end + by }, 0.0, WIDTH)
    }

    /// Fills a frame: every row, and the overview. How many shapes it has.
    fn frame(&self, axis: &TimeAxis) -> usize {
        let rows = self.rows.iter().map(|&row| self.index.density(&self.clip, row, axis));
        let all = std::iter::once_with(|| self.index.density_of_all(&self.clip, axis));
        rows.chain(all).map(|row| black_box(row.marks.len() + row.runs.len())).sum()
    }
}

/// Frames at one zoom factor, another one each time.
struct Frames<'a> {
    seen: &'a Seen,
    closeness: f64,
    frame: u32,
    shapes: usize,
}

impl<'a> Frames<'a> {
    fn new(seen: &'a Seen, closeness: f64) -> Self {
        Self { seen, closeness, frame: 0, shapes: 0 }
    }

    fn next(&mut self) {
        self.frame += 1;
        self.shapes = self.seen.frame(&self.seen.axis(self.closeness, self.frame));
    }
}

/// How long frames at this zoom factor take with few keys and with many, and their shapes.
fn both(seen: &[Seen; 2], closeness: f64) -> [(Duration, usize); 2] {
    let [mut few, mut many] = [0, 1].map(|which| Frames::new(&seen[which], closeness));
    let took = medians([&mut || few.next(), &mut || many.next()]);
    [(took[0], few.shapes), (took[1], many.shapes)]
}

fn rows(criterion: &mut Criterion) {
    let seen = KEYS.map(Seen::new);
    for closeness in CLOSENESS {
        let mut group = criterion.benchmark_group("rows");
        group.sample_size(30);
        for (keys, seen) in KEYS.iter().zip(&seen) {
            let name = BenchmarkId::new(format!("{closeness} times closer"), keys);
            let mut frames = Frames::new(seen, closeness);
            group.bench_function(name, |bencher| bencher.iter(|| frames.next()));
        }
        group.finish();
        let [few, many] = both(&seen, closeness);
        println!("{ROWS} rows and the overview, {closeness} times closer: {}\n", told(few, many));
    }
    let (base, steps) = SWEEP;
    let swept: Vec<_> = (0..=steps)
        .map(|step| base.powi(step))
        .map(|closeness| (closeness, both(&seen, closeness)))
        .collect();
    let costliest = |which: usize| {
        swept
            .iter()
            .map(|(closeness, both)| (*closeness, both[which]))
            .max_by_key(|(_, (took, _))| *took)
            .unwrap()
    };
    let ((few_at, few), (many_at, many)) = (costliest(0), costliest(1));
    println!(
        "the costliest of any closeness, {few_at:.0} and {many_at:.0} times closer: {}\n",
        told(few, many)
    );
}

/// The figures of both as text, each with its shapes.
fn told(few: (Duration, usize), many: (Duration, usize)) -> String {
    format!(
        "{:?} with {} shapes for {} keys, {:?} with {} for {}: {:.2} times as long (aim: 1.2, under 2 ms)",
        few.0,
        few.1,
        KEYS[0],
        many.0,
        many.1,
        KEYS[1],
        ratio(many.0, few.0)
    )
}

fn whole_frames(criterion: &mut Criterion) {
    panels::bench(criterion, KEYS);
}

criterion_group!(benches, rows, whole_frames);
criterion_main!(benches);
