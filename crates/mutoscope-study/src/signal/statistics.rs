//! Computes medians, means, standard deviations and line fits. Each is `None` if there are too few
//! values.

pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    let count = values.len();
    let middle = (count > 0).then_some(count / 2)?;
    let (below, median, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if count % 2 == 1 {
        return Some(*median);
    }
    let before = below.iter().copied().max_by(f64::total_cmp)?;
    Some(f64::midpoint(before, *median))
}

pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the standard deviation of a sample, with the divisor n − 1.
pub(crate) fn standard_deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// Fits a line by least squares and returns its slope and intercept. `None` if all points have the
/// same x.
pub(crate) fn fit_line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let (x, y) = (x / count, y / count);
    let (mut products, mut squares) = (0.0, 0.0);
    for point in points {
        products += (point.0 - x) * (point.1 - y);
        squares += (point.0 - x) * (point.0 - x);
    }
    (squares > 0.0).then(|| (products / squares, y - products / squares * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_match_small_examples() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(vec![9.0, 1.0, 3.0]), Some(3.0));
        assert_eq!((mean(&[]), standard_deviation(&[1.0])), (None, None));
        assert_eq!(standard_deviation(&[1.0, 3.0]), Some(2.0_f64.sqrt()));
        assert_eq!(fit_line(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), Some((2.0, 1.0)));
        assert_eq!(fit_line(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }
}
