//! Filters with a second-order Butterworth low-pass, forward and backward, so that the result is
//! not delayed.

use std::f64::consts::{PI, SQRT_2};

use glam::DVec3;

const PADDING_SAMPLES: usize = 9;

const MAX_CUTOFF_SHARE: f64 = 0.4;

/// A second-order Butterworth filter that runs forward and backward. The cut-off applies to both
/// passes together (Winter's correction).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowPass {
    b: [f64; 3],
    /// The coefficients of the output; the first is 1.
    a: [f64; 3],
}

impl LowPass {
    /// Creates a filter for a cut-off and a rate in Hz. `None` if the cut-off is 0, or if it is at
    /// least 0.4 times the rate, because such a filter would change little.
    pub fn new(cutoff: f64, rate: f64) -> Option<Self> {
        if !(cutoff > 0.0 && cutoff < MAX_CUTOFF_SHARE * rate) {
            return None;
        }
        let k = (PI * cutoff / rate).tan() / (SQRT_2 - 1.0).powf(0.25);
        let n = 1.0 + SQRT_2 * k + k * k;
        let gain = k * k / n;
        let b = [gain, 2.0 * gain, gain];
        let a = [1.0, 2.0 * (k * k - 1.0) / n, (1.0 - SQRT_2 * k + k * k) / n];
        Some(Self { b, a })
    }

    /// Returns the filtered samples. Both ends are extended by odd reflection, and each pass starts
    /// in its steady state, as in `scipy.signal.filtfilt`. Fewer than 10 samples are returned
    /// unfiltered.
    pub fn apply(&self, samples: &[DVec3]) -> Vec<DVec3> {
        let (Some(&first), Some(&last), true) =
            (samples.first(), samples.last(), samples.len() > PADDING_SAMPLES)
        else {
            return samples.to_vec();
        };
        let count = samples.len();
        let mut all = Vec::with_capacity(count + 2 * PADDING_SAMPLES);
        all.extend((1..=PADDING_SAMPLES).rev().map(|index| 2.0 * first - samples[index]));
        all.extend_from_slice(samples);
        all.extend((1..=PADDING_SAMPLES).map(|index| 2.0 * last - samples[count - 1 - index]));
        self.run_pass(all.iter_mut());
        self.run_pass(all.iter_mut().rev());
        all.drain(..PADDING_SAMPLES);
        all.truncate(count);
        all
    }

    fn run_pass<'a>(&self, mut samples: impl Iterator<Item = &'a mut DVec3>) {
        let Self { b, a } = self;
        let Some(first) = samples.next() else { return };
        // Start in the state in which a constant input equals its output. Otherwise the filter
        // would swing up from 0 at the start.
        let mut state = [*first * (b[1] - a[1] + b[2] - a[2]), *first * (b[2] - a[2])];
        for sample in std::iter::once(first).chain(samples) {
            let input = *sample;
            let output = b[0] * input + state[0];
            state[0] = b[1] * input - a[1] * output + state[1];
            state[1] = b[2] * input - a[2] * output;
            *sample = output;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_passes_together_halve_the_power_at_the_cutoff() {
        let rate = 100.0;
        let filter = LowPass::new(10.0, rate).expect("the cutoff is valid");
        let gain = |hertz: f64| {
            let wave = |index: usize| (2.0 * PI * hertz * index as f64 / rate).sin();
            let samples: Vec<_> = (0..4000).map(|index| DVec3::splat(wave(index))).collect();
            let filtered = filter.apply(&samples);
            let squares = filtered[1000..3000].iter().map(|it| it.x * it.x).sum::<f64>() / 2000.0;
            (2.0 * squares).sqrt()
        };
        assert!((gain(10.0) - 0.5_f64.sqrt()).abs() < 1e-3, "{}", gain(10.0));
        assert!((gain(0.5) - 1.0).abs() < 1e-3 && gain(40.0) < 0.01);
    }

    #[test]
    fn straight_lines_pass_unchanged() {
        let line: Vec<_> =
            (0..40).map(|index| DVec3::new(1.0, -2.0, 0.5) * f64::from(index)).collect();
        let filtered = LowPass::new(10.0, 60.0).expect("the cutoff is valid").apply(&line);
        assert!(filtered[10..30].iter().zip(&line[10..30]).all(|(a, b)| a.abs_diff_eq(*b, 0.05)));
        let still = vec![DVec3::new(3.0, 1e6, -1.0); 12];
        let filtered = LowPass::new(10.0, 60.0).expect("the cutoff is valid").apply(&still);
        assert!(filtered.iter().all(|it| it.abs_diff_eq(still[0], 1e-8)));
    }

    #[test]
    fn invalid_cutoffs_give_no_filter() {
        for (cutoff, rate) in [(0.0, 60.0), (24.0, 60.0), (-1.0, 60.0), (f64::NAN, 60.0)] {
            assert_eq!(LowPass::new(cutoff, rate), None, "{cutoff}");
        }
        assert!(LowPass::new(23.9, 60.0).is_some());
        let few = vec![DVec3::X; 9];
        assert_eq!(LowPass::new(10.0, 60.0).expect("the cutoff is valid").apply(&few), few);
    }
}
