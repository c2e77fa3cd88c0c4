//! Finds the bounds of a curve without outliers, so that a body that waits at 1 000 000 m while its
//! owner is dead does not flatten the curve of its walk.

/// The ratio of the gap to the range of the other values. If the gap is wider than this, the values
/// beyond it are outliers.
const OUTLIER_GAP_FACTOR: f64 = 20.0;

/// Returns the bounds of `values`, which must be finite, without outliers. At least half of the
/// values are kept. Returns `None` if there are no values.
pub(super) fn typical_bounds(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let all = sorted.len();
    let mut kept = &sorted[..];
    while let Some(nearer) = without_far_end(kept) {
        if nearer.len() * 2 < all {
            break;
        }
        kept = nearer;
    }
    Some((*kept.first()?, *kept.last()?))
}

fn without_far_end(sorted: &[f64]) -> Option<&[f64]> {
    let gap = |at: &usize| sorted[*at] - sorted[*at - 1];
    let widest = (1..sorted.len()).max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let (lower, upper) = sorted.split_at(widest);
    let nearer = if lower.len() >= upper.len() { lower } else { upper };
    let height = nearer.last()? - nearer.first()?;
    // If all values on the larger side are equal, the curve switches between two values. The gap is
    // then the shape of the curve, so keep both sides.
    (height > 0.0 && gap(&widest) > OUTLIER_GAP_FACTOR * height).then_some(nearer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(values: &[f64]) -> Option<(f64, f64)> {
        typical_bounds(values.iter().copied())
    }

    #[test]
    fn outliers_are_excluded() {
        let mut walk: Vec<f64> = (0..100).map(|step| f64::from(step) * 0.1).collect();
        walk.extend([1_000_000.0; 30]);
        assert_eq!(bounds(&walk), Some((0.0, 9.9)));
        walk.extend([-5000.0; 3]);
        assert_eq!(bounds(&walk), Some((0.0, 9.9)));
    }

    #[test]
    fn at_least_half_of_the_values_are_kept() {
        assert_eq!(bounds(&[]), None);
        assert_eq!(bounds(&[3.0]), Some((3.0, 3.0)));
        assert_eq!(
            bounds(&[0.0, 0.0, 0.0, 1e6]),
            Some((0.0, 1e6)),
            "the values of a switch are not outliers"
        );
        let halves = [0.0, 0.1, 0.2, 1e6, 1e6 + 0.1, 1e6 + 0.2, 1e6 + 0.3];
        assert_eq!(bounds(&halves), Some((1e6, 1e6 + 0.3)));
        let run: Vec<f64> = (0..50).map(|step| f64::from(step).powi(3)).collect();
        assert_eq!(bounds(&run), Some((0.0, 49.0_f64.powi(3))));
    }
}
