//! Rejects positions that are implausibly far away.

use glam::DVec3;

/// Returns a filter that rejects outliers: positions much farther from the median position than
/// most of `positions`. Broken files may have outliers. A view that includes them would make
/// everything else too small to see.
pub fn inlier_filter(positions: &[DVec3]) -> impl Fn(&DVec3) -> bool + use<> {
    const INLIER_QUANTILE: f64 = 0.85;
    const MAX_DISTANCE_RATIO: f64 = 40.0;
    let quantile = |numbers: &mut dyn Iterator<Item = f64>, share: f64| {
        let mut numbers: Vec<f64> = numbers.collect();
        let index = (numbers.len().saturating_sub(1) as f64 * share) as usize;
        if numbers.is_empty() {
            return 0.0;
        }
        *numbers.select_nth_unstable_by(index, f64::total_cmp).1
    };
    let median = DVec3::from_array(
        [0, 1, 2].map(|axis| quantile(&mut positions.iter().map(|position| position[axis]), 0.5)),
    );
    let reach =
        quantile(&mut positions.iter().map(|position| position.distance(median)), INLIER_QUANTILE);
    move |position| reach == 0.0 || position.distance(median) <= MAX_DISTANCE_RATIO * reach
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_excluded_from_bounds() {
        let mut positions: Vec<DVec3> = (0..90).map(|x| DVec3::X * f64::from(x) * 0.1).collect();
        let kept = |positions: &[DVec3]| {
            let is_inlier = inlier_filter(positions);
            positions.iter().filter(|position| is_inlier(position)).count()
        };
        assert_eq!(kept(&positions), 90, "a long walk has no outliers");
        positions.extend([DVec3::Y * 8600.0; 10]);
        assert_eq!(kept(&positions), 90);
        positions.extend([DVec3::Y * 8600.0; 20]);
        assert_eq!(kept(&positions), 120, "too many positions to be outliers");
        assert_eq!(kept(&[DVec3::ZERO, DVec3::ZERO, DVec3::X]), 3);
        assert_eq!(kept(&[]), 0);
        assert_eq!(kept(&[DVec3::ZERO, DVec3::X, DVec3::NAN]), 2);
    }
}
