//! Correlates two signals, with one of them delayed.

use super::statistics::mean;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LaggedCorrelation {
    pub(crate) r: f64,
    pub(crate) lag: isize,
}

/// The smallest increase of r for which a lag replaces a lag nearer to 0. Smaller increases may be
/// rounding errors.
const MIN_IMPROVEMENT: f64 = 1e-12;

/// Returns the largest correlation of `first[t]` and `second[t + lag]` over all lags up to
/// `max_lag` samples. Among equal correlations, the lag nearest to 0 wins.
///
/// A lag needs at least `min_overlap` samples at which both signals are finite. Returns `None` if
/// no lag has that many, or if a signal is constant.
pub(crate) fn max_correlation(
    first: &[f64],
    second: &[f64],
    max_lag: usize,
    min_overlap: usize,
) -> Option<LaggedCorrelation> {
    let centre = |signal: &[f64]| {
        let known: Vec<f64> = signal.iter().copied().filter(|value| value.is_finite()).collect();
        let mean = mean(&known).unwrap_or(0.0);
        signal.iter().map(|value| value - mean).collect::<Vec<f64>>()
    };
    let (first, second) = (centre(first), centre(second));
    let max_lag = isize::try_from(max_lag.min(first.len())).unwrap_or(0);
    let lags = std::iter::once(0).chain((1..=max_lag).flat_map(|lag| [-lag, lag]));
    let mut best: Option<LaggedCorrelation> = None;
    for lag in lags {
        let Some(r) = correlate_at_lag(&first, &second, lag, min_overlap) else { continue };
        if best.is_none_or(|best| r > best.r + MIN_IMPROVEMENT) {
            best = Some(LaggedCorrelation { r, lag });
        }
    }
    best
}

fn correlate_at_lag(first: &[f64], second: &[f64], lag: isize, min_overlap: usize) -> Option<f64> {
    let skip = lag.unsigned_abs();
    let (first, second) = match lag < 0 {
        true => (first.get(skip..)?, second),
        false => (first, second.get(skip..)?),
    };
    let (mut count, mut sums) = (0_usize, [0.0; 5]);
    for (x, y) in first.iter().zip(second) {
        if x.is_finite() && y.is_finite() {
            count += 1;
            for (sum, add) in sums.iter_mut().zip([*x, *y, x * x, y * y, x * y]) {
                *sum += add;
            }
        }
    }
    let n = count as f64;
    let [x, y, xx, yy, xy] = sums;
    let (variance_x, variance_y) = (xx - x * x / n, yy - y * y / n);
    // The variance of a constant is not exactly 0 because of rounding, so compare it with the sum
    // of squares.
    let varies = |variance: f64, squares: f64| variance > 1e-12 * squares;
    (count >= min_overlap.max(2) && varies(variance_x, xx) && varies(variance_y, yy))
        .then(|| ((xy - x * y / n) / (variance_x * variance_y).sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_signal_has_a_positive_lag() {
        let wave = |index: f64| (0.3 * index).sin() + 0.2 * (0.11 * index).cos();
        let first: Vec<f64> = (0..400).map(|index| wave(f64::from(index))).collect();
        let mut later: Vec<f64> =
            (0..400).map(|index| 3.0 + 2.0 * wave(f64::from(index) - 5.0)).collect();
        later[100] = f64::NAN;
        let found = max_correlation(&first, &later, 30, 120).expect("both vary");
        assert_eq!(found.lag, 5);
        assert!((found.r - 1.0).abs() < 1e-9);
        assert_eq!(max_correlation(&later, &first, 30, 120).expect("both vary").lag, -5);
        assert_eq!(max_correlation(&first[..100], &later[..100], 30, 120), None, "too short");
        assert_eq!(max_correlation(&[0.1; 400], &later, 30, 120), None, "a constant");
        assert_eq!(max_correlation(&[], &[], 30, 0), None);
    }
}
