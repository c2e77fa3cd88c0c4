//! Keys too close to be told apart: how dense they are, point by point.

use super::{Piece, TimeAxis};

/// How many heights a density can have.
pub const LEVELS: u8 = 10;

/// The least height there is: lower ones could be missed.
const LEAST: u8 = 2;

/// How far to either side densities are smoothed, in points: so that rates which do not divide the
/// width do not flicker.
const SMOOTHED: usize = 2;

/// A stretch of the axis in which keys are equally dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// How many points from the left end of the axis it begins.
    pub from: u32,
    /// And where it ends.
    pub to: u32,
    /// How dense, within 1..=[`LEVELS`].
    pub level: u8,
}

/// How many keys there are before the left end of each point of an axis, and before its right end.
pub(super) struct Crowd {
    pub(super) before: Vec<f64>,
}

impl Crowd {
    /// So many keys in each point.
    pub(super) fn of_counts(counts: &[u32]) -> Self {
        let mut sum = 0.0;
        let sums = counts.iter().map(|&count| {
            sum += f64::from(count);
            sum
        });
        Self { before: std::iter::once(0.0).chain(sums).collect() }
    }

    /// The keys of all of `slices`, each ascending, one by one.
    pub(super) fn of_keys<'a>(
        slices: impl Iterator<Item = &'a [f64]>,
        pieces: &[Piece],
        points: usize,
    ) -> Self {
        let mut counts = vec![0; points];
        for mut rest in slices {
            for (index, piece) in pieces.iter().enumerate() {
                let is_last = index + 1 == pieces.len();
                let end = match is_last {
                    true => rest.len(),
                    false => rest.partition_point(|&time| time < piece.end),
                };
                let (inside, after) = rest.split_at(end);
                let points_per_second = piece.seconds_per_point.recip();
                for time in inside {
                    let point = piece.from + (time - piece.start) * points_per_second;
                    // What stands on the right end is in the last point.
                    counts[(point as usize).min(points - 1)] += 1;
                }
                rest = after;
            }
        }
        Self::of_counts(&counts)
    }

    /// Neighbours of the same height together. The tallest are as dense as the densest of all, and
    /// as `densest`.
    pub(super) fn runs(&self, densest: f32) -> Vec<Run> {
        let densities = self.smooth();
        let densest = densities.iter().copied().fold(densest, f32::max);
        let scale = f32::from(LEVELS).powi(2) / densest;
        let mut runs = Vec::new();
        let mut run = Run { from: 0, to: 0, level: 0 };
        for (point, &density) in densities.iter().enumerate() {
            let level = ((density * scale).sqrt() + 0.5) as u8;
            let level = if density > 0.0 { level.clamp(LEAST, LEVELS) } else { 0 };
            if level != run.level {
                runs.extend((run.level > 0).then_some(run));
                run = Run { from: point as u32, to: 0, level };
            }
            run.to = point as u32 + 1;
        }
        runs.extend((run.level > 0).then_some(run));
        runs
    }

    /// The mean over a few points around each.
    fn smooth(&self) -> Vec<f32> {
        const WINDOW: usize = 2 * SMOOTHED + 1;
        let before = &*self.before;
        let points = before.len() - 1;
        let at_an_end = |point: usize| {
            let (from, to) = (point.saturating_sub(SMOOTHED), (point + SMOOTHED + 1).min(points));
            mean(before[to] - before[from], to - from, before[point] == before[point + 1])
        };
        let right = points.saturating_sub(SMOOTHED);
        let left = SMOOTHED.min(right);
        let between = before.windows(WINDOW + 1).map(|edges| {
            let is_empty = edges[SMOOTHED] == edges[SMOOTHED + 1];
            mean(edges[WINDOW] - edges[0], WINDOW, is_empty)
        });
        (0..left).map(at_an_end).chain(between).chain((right..points).map(at_an_end)).collect()
    }
}

/// The mean of so many keys over `points`, for one of them that `is_empty` or not.
fn mean(keys: f64, points: usize, is_empty: bool) -> f32 {
    let mean = (keys / points as f64) as f32;
    // A lone key would be a wide flat bump: it keeps its place.
    if is_empty && mean < 1.0 { 0.0 } else { mean }
}

/// How many points `axis` has, the last of them maybe cut.
pub(super) fn points_of(axis: &TimeAxis) -> usize {
    axis.width().ceil().max(1.0) as usize
}
