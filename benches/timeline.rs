//! Measures how long it takes to compute one frame of the timeline, for ten thousand and for ten
//! million keys within an hour. Only the keys of visible rows are computed, on a different time
//! axis for each frame. Also measures whole frames of the panels, tessellated.
//!
//! Both sides of a ratio are measured in the same run, on the same machine.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

#[path = "timeline/panels.rs"]
mod panels;

use std::{collections::HashSet, hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mutoscope_core::clip::Clip;
use mutoscope_testing::timing::{decode_clip, medians, ratio};
use mutoscope_view::timeline::{ItemId, KeyIndex, TimeAxis, TimeWindow};

/// The approximate numbers of keys of the two recordings.
const KEY_COUNTS: [usize; 2] = [10_000, 10_000_000];

const VISIBLE_ROWS: usize = 24;

/// In points.
const WIDTH: f32 = 1600.0;

/// The zoom factors, relative to the whole recording.
const ZOOM_FACTORS: [f64; 4] = [1.0, 8.0, 100.0, 20_000.0];

/// The centre of the zoomed window, as a fraction of the recording. There are keys at this time.
const ZOOM_CENTRE: f32 = 0.55;

/// The base and the largest exponent of the zoom factors among which the most expensive frame is
/// searched. At the largest factor, a frame shows about 6 µs.
const SWEEP_BASE: f64 = 1.5;
const SWEEP_STEPS: i32 = 50;

/// A clip, its index, and the visible rows.
struct VisibleRows {
    clip: Clip,
    index: KeyIndex,
    rows: Vec<ItemId>,
}

impl VisibleRows {
    fn new(keys: usize) -> Self {
        let clip = decode_clip(&mutoscope_testing::long_mrtk::recording(keys).encode());
        let sample_times = clip.sample_times();
        let started = std::time::Instant::now();
        let index = KeyIndex::new(&clip, &sample_times);
        let (keys, duration) = (clip.key_count(), started.elapsed());
        println!("{keys} keys: indexed in {duration:?}, {} buckets", index.bucket_count());
        // Expand both groups. The first row of each combines the keys of all rows below.
        let open: HashSet<ItemId> =
            index.tree().ids().filter(|id| index.tree().item(*id).depth == 0).collect();
        let mut rows = index.tree().visible_rows(&open, None);
        rows.truncate(VISIBLE_ROWS);
        Self { clip, index, rows }
    }

    /// Returns the axis at the zoom factor `zoom`, shifted by 0.37 points for each frame.
    fn axis(&self, zoom: f64, frame: u32) -> TimeAxis {
        let all = TimeWindow::around(self.clip.span);
        let axis = TimeAxis::new(all, 0.0, WIDTH);
        let close =
            TimeAxis::new(axis.zoomed(zoom, ZOOM_CENTRE * WIDTH, self.clip.span), 0.0, WIDTH);
        let window = TimeWindow { start: close.start, end: close.end };
        let by = f64::from(frame % 100) * 0.37 * close.seconds_per_point;
        TimeAxis::new(TimeWindow { start: window.start + by, end: window.end + by }, 0.0, WIDTH)
    }

    /// Computes every row and the overview. Returns the number of shapes.
    fn count_shapes(&self, axis: &TimeAxis) -> usize {
        let rows = self.rows.iter().map(|&row| self.index.density(&self.clip, row, axis));
        let all = std::iter::once_with(|| self.index.density_of_all(&self.clip, axis));
        rows.chain(all).map(|row| black_box(row.marks.len() + row.runs.len())).sum()
    }
}

/// Frames at one zoom factor, each on a different axis.
struct Frames<'a> {
    rows: &'a VisibleRows,
    zoom: f64,
    frame: u32,
    shapes: usize,
}

impl<'a> Frames<'a> {
    fn new(rows: &'a VisibleRows, zoom: f64) -> Self {
        Self { rows, zoom, frame: 0, shapes: 0 }
    }

    fn compute_next(&mut self) {
        self.frame += 1;
        self.shapes = self.rows.count_shapes(&self.rows.axis(self.zoom, self.frame));
    }
}

/// Returns the duration and the number of shapes of a frame at this zoom factor, with few keys and
/// with many.
fn measure_both(recordings: &[VisibleRows; 2], zoom: f64) -> [(Duration, usize); 2] {
    let [mut few, mut many] = [0, 1].map(|which| Frames::new(&recordings[which], zoom));
    let durations = medians([&mut || few.compute_next(), &mut || many.compute_next()]);
    [(durations[0], few.shapes), (durations[1], many.shapes)]
}

fn rows(criterion: &mut Criterion) {
    let recordings = KEY_COUNTS.map(VisibleRows::new);
    for zoom in ZOOM_FACTORS {
        let mut group = criterion.benchmark_group("rows");
        group.sample_size(30);
        for (keys, recording) in KEY_COUNTS.iter().zip(&recordings) {
            let name = BenchmarkId::new(format!("{zoom} times closer"), keys);
            let mut frames = Frames::new(recording, zoom);
            group.bench_function(name, |bencher| bencher.iter(|| frames.compute_next()));
        }
        group.finish();
        let [few, many] = measure_both(&recordings, zoom);
        println!(
            "{VISIBLE_ROWS} rows and the overview, {zoom} times closer: {}\n",
            describe(few, many)
        );
    }
    let swept: Vec<_> = (0..=SWEEP_STEPS)
        .map(|step| SWEEP_BASE.powi(step))
        .map(|zoom| (zoom, measure_both(&recordings, zoom)))
        .collect();
    let most_expensive = |which: usize| {
        swept
            .iter()
            .map(|(zoom, measured)| (*zoom, measured[which]))
            .max_by_key(|(_, (duration, _))| *duration)
            .unwrap()
    };
    let ((few_zoom, few), (many_zoom, many)) = (most_expensive(0), most_expensive(1));
    println!(
        "most expensive frames, {few_zoom:.0} and {many_zoom:.0} times closer: {}\n",
        describe(few, many)
    );
}

/// Describes the durations and shapes of both recordings.
fn describe(few: (Duration, usize), many: (Duration, usize)) -> String {
    format!(
        "{:?} with {} shapes for {} keys, {:?} with {} for {}: {:.2} times as long (aim: 1.2, under 2 ms)",
        few.0,
        few.1,
        KEY_COUNTS[0],
        many.0,
        many.1,
        KEY_COUNTS[1],
        ratio(many.0, few.0)
    )
}

fn whole_frames(criterion: &mut Criterion) {
    panels::bench(criterion, KEY_COUNTS);
}

criterion_group!(benches, rows, whole_frames);
criterion_main!(benches);
