//! The correlation of two signals, one of them later.

use super::statistics::mean;

/// A correlation at a lag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lagged {
    /// Pearson's r.
    pub(crate) r: f64,
    /// How many samples the second signal is later.
    pub(crate) lag: isize,
}

/// Differences of r below this are none.
const EQUAL: f64 = 1e-12;

/// The largest correlation of `first[t]` and `second[t + lag]` over lags up to `most` samples, each over at least
/// `fewest` samples at which both are finite; of equal ones, the one nearest to lag 0. `None` without one.
pub(crate) fn largest(first: &[f64], second: &[f64], most: usize, fewest: usize) -> Option<Lagged> {
    let centre = |signal: &[f64]| {
        let known: Vec<f64> = signal.iter().copied().filter(|value| value.is_finite()).collect();
        let mean = mean(&known).unwrap_or(0.0);
        signal.iter().map(|value| value - mean).collect::<Vec<f64>>()
    };
    let (first, second) = (centre(first), centre(second));
    let most = isize::try_from(most.min(first.len())).unwrap_or(0);
    let lags = std::iter::once(0).chain((1..=most).flat_map(|lag| [-lag, lag]));
    let mut best: Option<Lagged> = None;
    for lag in lags {
        let Some(r) = at(&first, &second, lag, fewest) else { continue };
        if best.is_none_or(|best| r > best.r + EQUAL) {
            best = Some(Lagged { r, lag });
        }
    }
    best
}

fn at(first: &[f64], second: &[f64], lag: isize, fewest: usize) -> Option<f64> {
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
    let (of_x, of_y) = (xx - x * x / n, yy - y * y / n);
    // What is left of a constant after rounding is no variation.
    let varies = |of: f64, squares: f64| of > 1e-12 * squares;
    (count >= fewest.max(2) && varies(of_x, xx) && varies(of_y, yy))
        .then(|| ((xy - x * y / n) / (of_x * of_y).sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_signal_has_a_positive_lag() {
        let wave = |index: f64| (0.3 * index).sin() + 0.2 * (0.11 * index).cos();
        let first: Vec<f64> = (0..400).map(|index| wave(f64::from(index))).collect();
        let mut later: Vec<f64> =
            (0..400).map(|index| 3.0 + 2.0 * wave(f64::from(index) - 5.0)).collect();
        later[100] = f64::NAN;
        let found = largest(&first, &later, 30, 120).expect("both vary");
        assert_eq!(found.lag, 5);
        assert!((found.r - 1.0).abs() < 1e-9);
        assert_eq!(largest(&later, &first, 30, 120).expect("both vary").lag, -5);
        assert_eq!(largest(&first[..100], &later[..100], 30, 120), None, "too short");
        assert_eq!(largest(&[0.1; 400], &later, 30, 120), None, "a constant");
        assert_eq!(largest(&[], &[], 30, 0), None);
    }
}
