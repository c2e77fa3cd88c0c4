//! Measures the tremor of a held posture.

use std::ops::Range;

use crate::signal::{
    spectrum::Welch,
    stretch::{find_runs, intersect},
};
use glam::DVec3;

const TREMOR_BAND_HZ: std::ops::RangeInclusive<f64> = 4.0..=12.0;
const HALF_WINDOW_S: f64 = 2.0;
/// The lowest sample rate. Its Nyquist frequency of 15 Hz is just above the tremor band.
const MIN_RATE_HZ: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tremor {
    /// The root mean square within the band, in metres.
    pub(crate) rms: f64,
    /// The frequency with the largest acceleration, in Hz.
    pub(crate) peak: f64,
}

/// Measures tremor in unfiltered positions. `None` if the rate is too low, or if no stretch is as
/// long as a window.
pub(crate) fn measure_tremor(
    positions: &[DVec3],
    range: &Range<usize>,
    rate: f64,
) -> Option<Tremor> {
    let length = 2 * (HALF_WINDOW_S * rate).round() as usize;
    if rate < MIN_RATE_HZ || range.len() < length {
        return None;
    }
    let stretches = find_runs(range.len(), |index| positions[range.start + index].is_finite());
    let in_recording =
        |run: Range<usize>| intersect(&(run.start + range.start..run.end + range.start), range);
    let stretches: Vec<_> =
        stretches.into_iter().map(in_recording).filter(|run| run.len() >= length).collect();
    if stretches.is_empty() {
        return None;
    }
    let mut welch = Welch::new(rate, length);
    stretches.into_iter().for_each(|stretch| welch.add_stretch(&positions[stretch]));
    let band: Vec<(f64, f64)> =
        welch.densities().filter(|(hertz, _)| TREMOR_BAND_HZ.contains(hertz)).collect();
    let power: f64 = band.iter().map(|(_, density)| density * welch.bin_width()).sum();
    let (mut peak, mut largest) = (f64::NAN, f64::NEG_INFINITY);
    for (hertz, density) in band {
        let acceleration = density * hertz.powi(4);
        if acceleration > largest {
            (peak, largest) = (hertz, acceleration);
        }
    }
    Some(Tremor { rms: power.sqrt(), peak })
}
