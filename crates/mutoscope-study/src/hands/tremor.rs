//! The tremor of a posture that is held.

use std::ops::Range;

use crate::signal::{
    spectrum::Welch,
    stretch::{common, runs},
};
use glam::DVec3;

/// The frequencies of tremor, in Hz.
const BAND: std::ops::RangeInclusive<f64> = 4.0..=12.0;
/// Half of a window, in seconds.
const HALF_WINDOW: f64 = 2.0;
/// The least rate, in Hz.
const LEAST_RATE: f64 = 30.0;

/// The tremor of a hand over a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tremor {
    /// Its root mean square in the band, in metres.
    pub(crate) rms: f64,
    /// The frequency of the largest acceleration, in Hz.
    pub(crate) peak: f64,
}

/// The tremor of unfiltered places within a range of samples; `None` where the rate is too low, or no stretch is as
/// long as a window.
pub(crate) fn tremor(places: &[DVec3], range: &Range<usize>, rate: f64) -> Option<Tremor> {
    let length = 2 * (HALF_WINDOW * rate).round() as usize;
    if rate < LEAST_RATE || range.len() < length {
        return None;
    }
    let stretches = runs(range.len(), |index| places[range.start + index].is_finite());
    let in_recording =
        |run: Range<usize>| common(&(run.start + range.start..run.end + range.start), range);
    let stretches: Vec<_> =
        stretches.into_iter().map(in_recording).filter(|run| run.len() >= length).collect();
    if stretches.is_empty() {
        return None;
    }
    let mut welch = Welch::new(rate, length);
    stretches.into_iter().for_each(|stretch| welch.add(&places[stretch]));
    let band: Vec<(f64, f64)> =
        welch.densities().filter(|(hertz, _)| BAND.contains(hertz)).collect();
    let power: f64 = band.iter().map(|(_, density)| density * welch.step()).sum();
    let (mut peak, mut most) = (f64::NAN, f64::NEG_INFINITY);
    for (hertz, density) in band {
        let acceleration = density * hertz.powi(4);
        if acceleration > most {
            (peak, most) = (hertz, acceleration);
        }
    }
    Some(Tremor { rms: power.sqrt(), peak })
}
