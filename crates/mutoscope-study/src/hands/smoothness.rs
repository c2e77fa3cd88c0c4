//! Computes the smoothness of a movement: spectral arc length and log dimensionless jerk.

use crate::signal::{gradient, spectrum::magnitudes};

/// The spectrum is padded to 2⁴ times the next power of two, as in the reference implementation.
const PADDING_LEVEL: u32 = 4;
const MAX_FREQUENCY_HZ: f64 = 10.0;
const MIN_RELATIVE_MAGNITUDE: f64 = 0.05;

/// The smoothness of a movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothness {
    /// The spectral arc length (SPARC). Values nearer to 0 are smoother. NaN if undefined.
    pub sparc: f64,
    /// The log dimensionless jerk of the *speed*, −ln(T³/s² · ∫ s″² dt). Values nearer to 0 are
    /// smoother. NaN if undefined. A [`Movement`](super::Movement) uses the jerk vector instead.
    pub ldlj: f64,
}

/// Returns the smoothness of a movement from its speed alone, in metres per second, sampled at
/// `rate` Hz.
pub fn smoothness(speed: &[f64], rate: f64) -> Smoothness {
    let jerk = gradient(&gradient(speed, rate), rate);
    let squares: Vec<f64> = jerk.iter().map(|jerk| jerk * jerk).collect();
    let peak = speed.iter().copied().fold(0.0, f64::max);
    Smoothness {
        sparc: spectral_arc_length(speed, rate),
        ldlj: log_dimensionless_jerk(&squares, peak, rate),
    }
}

/// Returns the spectral arc length of Balasubramanian et al. (2015), with a fixed cut-off of 10 Hz,
/// an amplitude threshold of 0.05 and padding to 2⁴ times the length. NaN if the spectrum has fewer
/// than two bins above the threshold.
pub fn spectral_arc_length(speed: &[f64], rate: f64) -> f64 {
    if speed.is_empty() {
        return f64::NAN;
    }
    let length = speed.len().next_power_of_two() << PADDING_LEVEL;
    let mut spectrum = magnitudes(speed, length);
    let largest = spectrum.iter().copied().fold(0.0, f64::max);
    let step = rate / length as f64;
    let below = (0..length).take_while(|bin| *bin as f64 * step <= MAX_FREQUENCY_HZ).count();
    spectrum.truncate(below);
    spectrum.iter_mut().for_each(|magnitude| *magnitude /= largest);
    let is_large = |magnitude: &f64| *magnitude >= MIN_RELATIVE_MAGNITUDE;
    let (Some(first), Some(last)) =
        (spectrum.iter().position(is_large), spectrum.iter().rposition(is_large))
    else {
        return f64::NAN;
    };
    if first == last {
        return f64::NAN;
    }
    let along = 1.0 / (last - first) as f64;
    -spectrum[first..=last].windows(2).map(|pair| along.hypot(pair[1] - pair[0])).sum::<f64>()
}

/// Returns −ln(T³/s² · ∫ j² dt), where s is the peak speed, T the duration and j the jerk. The
/// integral is computed with the trapezoidal rule.
pub(crate) fn log_dimensionless_jerk(jerk_squared: &[f64], peak_speed: f64, rate: f64) -> f64 {
    let steps = jerk_squared.len().saturating_sub(1);
    let duration = steps as f64 / rate;
    let integral: f64 =
        jerk_squared.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).sum::<f64>() / rate;
    let jerk = duration.powi(3) / (peak_speed * peak_speed) * integral;
    if jerk > 0.0 { -jerk.ln() } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimum_jerk_speed(rate: f64) -> Vec<f64> {
        let speed = |t: f64| 0.3 * 30.0 * t * t * (1.0 - t) * (1.0 - t);
        (0..=rate as usize).map(|index| speed(index as f64 / rate)).collect()
    }

    #[test]
    fn minimum_jerk_reach_has_its_known_jerk() {
        // The reach is straight, so the jerk of the speed has the same integral as the jerk vector.
        let found = smoothness(&minimum_jerk_speed(2000.0), 2000.0);
        assert!((found.ldlj + 204.8_f64.ln()).abs() < 0.01, "{found:?}");
        assert!((found.sparc + 1.4).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn two_movements_are_less_smooth_than_one() {
        let one = minimum_jerk_speed(100.0);
        let two = [&one[..], &one[..]].concat();
        let [one, two] = [one, two].map(|speed| smoothness(&speed, 100.0));
        assert!(two.sparc < one.sparc && two.ldlj < one.ldlj, "{one:?} {two:?}");
    }

    #[test]
    fn empty_and_still_movements_have_no_smoothness() {
        for speed in [&[][..], &[0.0; 20], &[1.0]] {
            let found = smoothness(speed, 60.0);
            assert!(found.ldlj.is_nan(), "{found:?}");
        }
        assert!(spectral_arc_length(&[0.0; 20], 60.0).is_nan());
    }
}
