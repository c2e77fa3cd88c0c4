//! Computes the density of keys that are too close to be drawn one by one.

/// The number of density levels.
pub const DENSITY_LEVELS: u8 = 10;

/// The minimum density level of a point with keys, because users could overlook a lower level.
const MIN_LEVEL: u8 = 2;

/// The number of points on either side over which densities are averaged. Otherwise the density of
/// evenly spaced keys would vary from point to point if the key spacing is not a whole number of
/// points.
const SMOOTHING_RADIUS: usize = 2;

/// A range of points with the same density of keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensitySpan {
    /// The left end, in points from the left end of the axis.
    pub from: u32,
    /// The right end, in points from the left end of the axis.
    pub to: u32,
    /// The density, within 1..=[`DENSITY_LEVELS`].
    pub level: u8,
}

/// The cumulative key count at the left edge of each point of an axis. The last entry is at the
/// right edge of the last point.
pub(super) struct PointCounts {
    pub(super) cumulative: Vec<f64>,
}

impl PointCounts {
    pub(super) fn from_counts(counts: &[u32]) -> Self {
        let mut sum = 0.0;
        let sums = counts.iter().map(|&count| {
            sum += f64::from(count);
            sum
        });
        Self { cumulative: std::iter::once(0.0).chain(sums).collect() }
    }

    /// Merges neighbouring points of the same density level. The highest level represents
    /// `max_density`, or the largest density in these points if it is greater.
    pub(super) fn density_spans(&self, max_density: f32) -> Vec<DensitySpan> {
        let (densities, max_here) = self.smoothed_densities();
        let scale = f32::from(DENSITY_LEVELS).powi(2) / max_density.max(max_here);
        let level = |&density: &f32| {
            let level = ((density * scale).sqrt() + 0.5) as i32 as u8;
            if density > 0.0 { level.clamp(MIN_LEVEL, DENSITY_LEVELS) } else { 0 }
        };
        let levels: Vec<u8> = densities.iter().map(level).collect();
        merge_levels(&levels)
    }

    fn smoothed_densities(&self) -> (Vec<f32>, f32) {
        const WINDOW: usize = 2 * SMOOTHING_RADIUS + 1;
        let cumulative = &*self.cumulative;
        let points = cumulative.len() - 1;
        let mut densities = vec![0.0; points];
        let edge_windows = cumulative.windows(WINDOW + 1);
        for (edges, density) in edge_windows.zip(densities.iter_mut().skip(SMOOTHING_RADIUS)) {
            let is_empty = edges[SMOOTHING_RADIUS] == edges[SMOOTHING_RADIUS + 1];
            *density = mean_density(edges[WINDOW] - edges[0], WINDOW, is_empty);
        }
        let right = points.saturating_sub(SMOOTHING_RADIUS).max(SMOOTHING_RADIUS);
        for point in (0..SMOOTHING_RADIUS.min(points)).chain(right..points) {
            let (from, to) = (
                point.saturating_sub(SMOOTHING_RADIUS),
                (point + SMOOTHING_RADIUS + 1).min(points),
            );
            let is_empty = cumulative[point] == cumulative[point + 1];
            densities[point] = mean_density(cumulative[to] - cumulative[from], to - from, is_empty);
        }
        let greatest = densities.iter().fold(0.0, |a: f32, &b| if b > a { b } else { a });
        (densities, greatest)
    }
}

fn merge_levels(levels: &[u8]) -> Vec<DensitySpan> {
    // Write every end without a branch, because the branch predictor cannot predict level changes.
    // `count` decides which ends remain.
    let mut ends = vec![0; levels.len()];
    let mut count = 0;
    for (point, pair) in levels.windows(2).enumerate() {
        ends[count] = point as u32 + 1;
        count += usize::from(pair[0] != pair[1]);
    }
    ends[count] = levels.len() as u32;
    let starts = std::iter::once(&0).chain(&ends);
    let spans = starts.zip(&ends[..=count]);
    let spans = spans.map(|(&from, &to)| DensitySpan { from, to, level: levels[from as usize] });
    let mut visible = Vec::with_capacity(count + 1);
    visible.extend(spans.filter(|span| span.level > 0));
    visible
}

fn mean_density(keys: f64, points: usize, is_empty: bool) -> f32 {
    let mean = (keys / points as f64) as f32;
    // Keep empty points empty next to a single key. Otherwise smoothing would turn the key into a
    // wide, flat bump.
    if is_empty && mean < 1.0 { 0.0 } else { mean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_level_are_merged() {
        let merged = |levels: &[u8]| -> Vec<(u32, u32, u8)> {
            merge_levels(levels).iter().map(|span| (span.from, span.to, span.level)).collect()
        };
        assert_eq!(merged(&[3, 3, 0, 0, 5, 4, 4]), [(0, 2, 3), (4, 5, 5), (5, 7, 4)]);
        assert_eq!(merged(&[0, 7]), [(1, 2, 7)]);
        assert_eq!(merged(&[0]), []);
        let mut random = fastrand::Rng::with_seed(29);
        for _ in 0..200 {
            let levels: Vec<u8> = (0..random.usize(1..60)).map(|_| random.u8(0..4)).collect();
            let mut painted = vec![0; levels.len()];
            let spans = merge_levels(&levels);
            for span in &spans {
                painted[span.from as usize..span.to as usize].fill(span.level);
            }
            assert_eq!(painted, levels);
            let could_merge =
                |pair: &[DensitySpan]| pair[0].to == pair[1].from && pair[0].level == pair[1].level;
            assert!(!spans.windows(2).any(could_merge), "{spans:?}");
        }
    }

    #[test]
    fn single_keys_stay_in_place_and_even_rates_are_smooth() {
        let single = PointCounts::from_counts(&[0, 0, 0, 1, 0, 0, 0]).density_spans(0.0);
        assert_eq!(single, [DensitySpan { from: 3, to: 4, level: DENSITY_LEVELS }]);
        let rate: Vec<u32> = (0..100).map(|point| 3 + point % 2).collect();
        let spans = PointCounts::from_counts(&rate).density_spans(0.0);
        assert!(spans.iter().all(|span| span.level >= DENSITY_LEVELS - 1), "{spans:?}");
        let half = PointCounts::from_counts(&[2; 20]).density_spans(8.0);
        assert_eq!(half, [DensitySpan { from: 0, to: 20, level: DENSITY_LEVELS / 2 }]);
    }
}
