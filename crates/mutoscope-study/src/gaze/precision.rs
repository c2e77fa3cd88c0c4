//! The precision of a gaze: RMS of the angles between samples, standard deviation, and BCEA. The
//! definitions are those of ETDQualitizer (Niehorster et al.). Angles on the sphere replace its
//! differences of azimuth and elevation, which grow towards the poles.

use glam::{DMat3, DVec3};

use crate::signal::statistics::median;

/// The length of the window in which precision is measured, in seconds. A fixation is usually longer.
pub(crate) const WINDOW_S: f64 = 0.2;

/// ln(1 / (1 − 0.68)). An ellipse of this size covers 68 % of normally distributed samples.
const BCEA_SCALE: f64 = 1.139_434_283_188_365;

/// The precision in each window of a gaze.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrecisionWindows {
    rms_s2s: Vec<f64>,
    deviation: Vec<f64>,
    bcea: Vec<f64>,
}

/// The medians of the precision over all windows. A value is `None` if no window has enough samples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Precision {
    /// The RMS of the angles between successive samples, in radians.
    pub(crate) rms_s2s: Option<f64>,
    /// The standard deviation of the direction, in radians.
    pub(crate) deviation: Option<f64>,
    /// The area of the ellipse that covers 68 % of the samples, in square radians.
    pub(crate) bcea: Option<f64>,
}

impl PrecisionWindows {
    /// Measures every window of `length` samples. Lost samples are `None` and keep their places, so
    /// that no step leads across them.
    pub(crate) fn add(&mut self, directions: &[Option<DVec3>], length: usize) {
        // The distance of two unit vectors is nearly the angle between them, and faster to compute.
        let squared_steps: Vec<Option<f64>> =
            directions.windows(2).map(|pair| Some(pair[0]?.distance_squared(pair[1]?))).collect();
        for (start, window) in directions.windows(length.max(2)).enumerate() {
            let steps = squared_steps[start..start + window.len() - 1].iter().flatten();
            let (count, sum) = steps.fold((0, 0.0), |(count, sum), step| (count + 1, sum + step));
            if count > 0 {
                self.rms_s2s.push((sum / f64::from(count)).sqrt());
            }
            self.add_spread(window);
        }
    }

    fn add_spread(&mut self, window: &[Option<DVec3>]) {
        let tracked = || window.iter().flatten();
        let count = tracked().count() as f64;
        let mean = tracked().sum::<DVec3>() / count;
        let covariance = tracked().fold(DMat3::ZERO, |sum, direction| {
            let offset = *direction - mean;
            sum + DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z)
        });
        let [x, y, z] = [covariance.x_axis, covariance.y_axis, covariance.z_axis];
        if count >= 1.0 {
            self.deviation.push(((x.x + y.y + z.z) / count).sqrt());
        }
        if count >= 2.0 {
            // Directions of a small window lie in a plane, so one eigenvalue of the covariance is about
            // 0, and the sum of its minors is the product of the two others.
            let minors = x.x * y.y - x.y * x.y + x.x * z.z - x.z * x.z + y.y * z.z - y.z * y.z;
            let deviations = minors.max(0.0).sqrt() / (count - 1.0);
            self.bcea.push(2.0 * std::f64::consts::PI * BCEA_SCALE * deviations);
        }
    }

    pub(crate) fn medians(self) -> Precision {
        Precision {
            rms_s2s: median(self.rms_s2s),
            deviation: median(self.deviation),
            bcea: median(self.bcea),
        }
    }
}

/// Returns the number of samples in a window of [`WINDOW_S`], if they are `interval_s` seconds apart.
pub(crate) fn window_length(interval_s: f64) -> usize {
    ((WINDOW_S / interval_s).round() as usize).max(2)
}
