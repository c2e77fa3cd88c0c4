//! Keys too close to be distinguished: how dense they are, point by point.

/// How many heights a density can have.
pub const LEVELS: u8 = 10;

/// The least height there is: lower ones could be missed.
const LEAST: u8 = 2;

/// How far to either side densities are smoothed, in points: so that rates which do not divide the
/// width do not flicker.
const SMOOTHED: usize = 2;

/// A stretch of the axis in which keys are equally dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensitySpan {
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
    /// This many keys in each point.
    pub(super) fn of_counts(counts: &[u32]) -> Self {
        let mut sum = 0.0;
        let sums = counts.iter().map(|&count| {
            sum += f64::from(count);
            sum
        });
        Self { before: std::iter::once(0.0).chain(sums).collect() }
    }

    /// Neighbours of the same height together. The tallest are as dense as the densest of all, and
    /// as `densest`.
    pub(super) fn runs(&self, densest: f32) -> Vec<DensitySpan> {
        let (densities, densest_here) = self.smooth();
        let scale = f32::from(LEVELS).powi(2) / densest.max(densest_here);
        let level = |&density: &f32| {
            let level = ((density * scale).sqrt() + 0.5) as i32 as u8;
            if density > 0.0 { level.clamp(LEAST, LEVELS) } else { 0 }
        };
        let levels: Vec<u8> = densities.iter().map(level).collect();
        runs_of(&levels)
    }

    /// The mean over a few points around each, and the greatest.
    fn smooth(&self) -> (Vec<f32>, f32) {
        const WINDOW: usize = 2 * SMOOTHED + 1;
        let before = &*self.before;
        let points = before.len() - 1;
        let mut densities = vec![0.0; points];
        let between = before.windows(WINDOW + 1);
        for (edges, density) in between.zip(densities.iter_mut().skip(SMOOTHED)) {
            let is_empty = edges[SMOOTHED] == edges[SMOOTHED + 1];
            *density = mean(edges[WINDOW] - edges[0], WINDOW, is_empty);
        }
        let right = points.saturating_sub(SMOOTHED).max(SMOOTHED);
        for point in (0..SMOOTHED.min(points)).chain(right..points) {
            let (from, to) = (point.saturating_sub(SMOOTHED), (point + SMOOTHED + 1).min(points));
            let is_empty = before[point] == before[point + 1];
            densities[point] = mean(before[to] - before[from], to - from, is_empty);
        }
        let greatest = densities.iter().fold(0.0, |a: f32, &b| if b > a { b } else { a });
        (densities, greatest)
    }
}

/// Neighbours of the same level together, but for those of level 0.
fn runs_of(levels: &[u8]) -> Vec<DensitySpan> {
    // Whether a level differs from the one before cannot be foretold: so every place is written
    // down, and only what ends there stays.
    let mut ends = vec![0; levels.len()];
    let mut count = 0;
    for (point, pair) in levels.windows(2).enumerate() {
        ends[count] = point as u32 + 1;
        count += usize::from(pair[0] != pair[1]);
    }
    ends[count] = levels.len() as u32;
    let starts = std::iter::once(&0).chain(&ends);
    let runs = starts.zip(&ends[..=count]);
    let runs = runs.map(|(&from, &to)| DensitySpan { from, to, level: levels[from as usize] });
    let mut found = Vec::with_capacity(count + 1);
    found.extend(runs.filter(|run| run.level > 0));
    found
}

/// The mean of this many keys over `points`, for one of them that `is_empty` or not.
fn mean(keys: f64, points: usize, is_empty: bool) -> f32 {
    let mean = (keys / points as f64) as f32;
    // A lone key would be a wide flat bump: it keeps its place.
    if is_empty && mean < 1.0 { 0.0 } else { mean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_level_are_one_run() {
        let told = |levels: &[u8]| -> Vec<(u32, u32, u8)> {
            runs_of(levels).iter().map(|run| (run.from, run.to, run.level)).collect()
        };
        assert_eq!(told(&[3, 3, 0, 0, 5, 4, 4]), [(0, 2, 3), (4, 5, 5), (5, 7, 4)]);
        assert_eq!(told(&[0, 7]), [(1, 2, 7)]);
        assert_eq!(told(&[0]), []);
        let mut random = fastrand::Rng::with_seed(29);
        for _ in 0..200 {
            let levels: Vec<u8> = (0..random.usize(1..60)).map(|_| random.u8(0..4)).collect();
            let mut painted = vec![0; levels.len()];
            let runs = runs_of(&levels);
            for run in &runs {
                painted[run.from as usize..run.to as usize].fill(run.level);
            }
            assert_eq!(painted, levels);
            let touch =
                |pair: &[DensitySpan]| pair[0].to == pair[1].from && pair[0].level == pair[1].level;
            assert!(!runs.windows(2).any(touch), "{runs:?}");
        }
    }

    #[test]
    fn lone_keys_stay_in_place_and_even_rates_are_smooth() {
        let lone = Crowd::of_counts(&[0, 0, 0, 1, 0, 0, 0]).runs(0.0);
        assert_eq!(lone, [DensitySpan { from: 3, to: 4, level: LEVELS }]);
        let rate: Vec<u32> = (0..100).map(|point| 3 + point % 2).collect();
        let runs = Crowd::of_counts(&rate).runs(0.0);
        assert!(runs.iter().all(|run| run.level >= LEVELS - 1), "{runs:?}");
        let half = Crowd::of_counts(&[2; 20]).runs(8.0);
        assert_eq!(half, [DensitySpan { from: 0, to: 20, level: LEVELS / 2 }]);
    }
}
