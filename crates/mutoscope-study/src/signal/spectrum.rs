//! Estimates power spectral density by Welch's method.

use std::{f64::consts::PI, sync::Arc};

use glam::DVec3;
use rustfft::{Fft, FftPlanner, num_complex::Complex};

/// Accumulates power spectral densities of half-overlapping windows: `scipy.signal.welch` with a
/// Hann window and linear detrending.
pub(crate) struct Welch {
    window: Vec<f64>,
    fft: Arc<dyn Fft<f64>>,
    rate: f64,
    /// The sum of the densities of all windows so far, for each frequency. The three axes are added
    /// up.
    sum: Vec<f64>,
    windows: usize,
}

impl Welch {
    /// Creates an estimator for samples at `rate` Hz. `length` is the window length in samples, an
    /// even number above 0.
    pub(crate) fn new(rate: f64, length: usize) -> Self {
        let hann = |index: usize| 0.5 - 0.5 * (2.0 * PI * index as f64 / length as f64).cos();
        Self {
            window: (0..length).map(hann).collect(),
            fft: FftPlanner::new().plan_fft_forward(length),
            rate,
            sum: vec![0.0; length / 2 + 1],
            windows: 0,
        }
    }

    pub(crate) fn add_stretch(&mut self, samples: &[DVec3]) {
        let length = self.window.len();
        let mut start = 0;
        while start + length <= samples.len() {
            for axis in 0..3 {
                self.add_window(samples[start..start + length].iter().map(|sample| sample[axis]));
            }
            self.windows += 1;
            start += length / 2;
        }
    }

    fn add_window(&mut self, samples: impl Iterator<Item = f64> + Clone) {
        let count = self.window.len() as f64;
        let (middle, mean) = ((count - 1.0) / 2.0, samples.clone().sum::<f64>() / count);
        let product = |(index, value): (usize, f64)| (index as f64 - middle) * (value - mean);
        let slope = samples.clone().enumerate().map(product).sum::<f64>()
            / (count * (count * count - 1.0) / 12.0);
        let detrended = samples
            .enumerate()
            .map(|(index, value)| value - mean - slope * (index as f64 - middle));
        let mut buffer: Vec<Complex<f64>> = detrended
            .zip(&self.window)
            .map(|(value, weight)| Complex::new(value * weight, 0.0))
            .collect();
        self.fft.process(&mut buffer);
        let scale =
            1.0 / (self.rate * self.window.iter().map(|weight| weight * weight).sum::<f64>());
        let last = self.sum.len() - 1;
        for (index, (sum, value)) in self.sum.iter_mut().zip(&buffer).enumerate() {
            let sides = if index == 0 || index == last { 1.0 } else { 2.0 };
            *sum += sides * scale * value.norm_sqr();
        }
    }

    /// Iterates over frequencies in Hz and mean densities. Empty if no window was added.
    pub(crate) fn densities(&self) -> impl Iterator<Item = (f64, f64)> {
        let (step, windows) = (self.bin_width(), self.windows);
        let densities = self.sum.iter().enumerate().filter(move |_| windows > 0);
        densities.map(move |(index, sum)| (index as f64 * step, sum / windows as f64))
    }

    pub(crate) fn bin_width(&self) -> f64 {
        self.rate / self.window.len() as f64
    }
}

pub(crate) fn magnitudes(samples: &[f64], length: usize) -> Vec<f64> {
    let mut buffer: Vec<Complex<f64>> =
        samples.iter().map(|value| Complex::new(*value, 0.0)).collect();
    buffer.resize(length, Complex::new(0.0, 0.0));
    FftPlanner::new().plan_fft_forward(length).process(&mut buffer);
    buffer.into_iter().map(Complex::norm).collect()
}
