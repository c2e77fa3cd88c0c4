//! Computes derivatives of evenly sampled signals by differences.

use std::ops::{Div, Sub};

/// Returns the derivative of samples at `rate` Hz, by central differences that are one-sided at
/// both ends (`numpy.gradient`). The derivative of a single sample is NaN.
pub fn gradient<T>(samples: &[T], rate: f64) -> Vec<T>
where
    T: Copy + Sub<Output = T> + Div<f64, Output = T>,
{
    let last = samples.len().saturating_sub(1);
    let difference = |index: usize| {
        let (before, after) = (index.saturating_sub(1), (index + 1).min(last));
        (samples[after] - samples[before]) / ((after - before) as f64 / rate)
    };
    (0..samples.len()).map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradient_of_a_parabola_is_exact_between_the_ends() {
        let samples: Vec<f64> = (0..10).map(|index| f64::from(index * index) / 100.0).collect();
        let found = gradient(&samples, 10.0);
        for (index, slope) in found.iter().enumerate().take(9).skip(1) {
            assert!((slope - 0.2 * index as f64).abs() < 1e-12, "{slope}");
        }
        assert!((found[0] - 0.1).abs() < 1e-12 && (found[9] - 1.7).abs() < 1e-12);
        assert!(gradient(&[1.0], 10.0)[0].is_nan());
        assert!(gradient::<f64>(&[], 10.0).is_empty());
    }
}
