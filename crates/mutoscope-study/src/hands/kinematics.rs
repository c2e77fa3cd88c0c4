//! Filters positions and computes speed and jerk, for each tracked stretch.

use std::ops::Range;

use glam::DVec3;

use crate::{
    sampling::HandSamples,
    signal::{
        LowPass, gradient,
        stretch::{MIN_STRETCH_SAMPLES, find_runs},
    },
};

/// The motion of a point. `stretches` are the runs of samples that are long enough to filter. All
/// values outside these runs are NaN.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinematics {
    pub(crate) stretches: Vec<Range<usize>>,
    /// Filtered positions, in metres.
    pub(crate) positions: Vec<DVec3>,
    /// The speed in metres per second.
    pub(crate) speed: Vec<f64>,
    /// The square of the jerk, in m²/s⁶.
    pub(crate) jerk_squared: Vec<f64>,
}

impl Kinematics {
    /// Computes the kinematics of positions that are sampled at `rate` Hz. A missing position is
    /// NaN.
    pub(crate) fn from_positions(positions: &[DVec3], filter: Option<&LowPass>, rate: f64) -> Self {
        let count = positions.len();
        let mut kinematics = Self {
            stretches: find_stretches(positions),
            positions: vec![DVec3::NAN; count],
            speed: vec![f64::NAN; count],
            jerk_squared: vec![f64::NAN; count],
        };
        for stretch in kinematics.stretches.clone() {
            let filtered = apply_filter(&positions[stretch.clone()], filter);
            let velocity = gradient(&filtered, rate);
            let jerk = gradient(&gradient(&velocity, rate), rate);
            kinematics.positions[stretch.clone()].copy_from_slice(&filtered);
            for (index, sample) in stretch.enumerate() {
                kinematics.speed[sample] = velocity[index].length();
                kinematics.jerk_squared[sample] = jerk[index].length_squared();
            }
        }
        kinematics
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Hand {
    pub(crate) raw_wrist: Vec<DVec3>,
    pub(crate) wrist: Kinematics,
    /// The filtered distance between the tips of thumb and index finger, in metres. Empty if the
    /// recording does not have both tips.
    pub(crate) aperture: Vec<f64>,
    pub(crate) tip_midpoint: Vec<DVec3>,
}

impl Hand {
    pub(crate) fn from_samples(samples: HandSamples, filter: Option<&LowPass>, rate: f64) -> Self {
        let wrist = Kinematics::from_positions(&samples.wrist, filter, rate);
        let (mut aperture, mut tip_midpoint) = (Vec::new(), Vec::new());
        if let Some(tips) = samples.tips {
            let [thumb, index] = tips.map(|tip| filter_stretches(&tip, filter));
            aperture = thumb.iter().zip(&index).map(|(one, other)| one.distance(*other)).collect();
            tip_midpoint =
                thumb.iter().zip(&index).map(|(one, other)| one.midpoint(*other)).collect();
        }
        Self { raw_wrist: samples.wrist, wrist, aperture, tip_midpoint }
    }
}

fn find_stretches(positions: &[DVec3]) -> Vec<Range<usize>> {
    let mut stretches = find_runs(positions.len(), |index| positions[index].is_finite());
    stretches.retain(|stretch| stretch.len() >= MIN_STRETCH_SAMPLES);
    stretches
}

fn apply_filter(positions: &[DVec3], filter: Option<&LowPass>) -> Vec<DVec3> {
    filter.map_or_else(|| positions.to_vec(), |filter| filter.apply(positions))
}

fn filter_stretches(positions: &[DVec3], filter: Option<&LowPass>) -> Vec<DVec3> {
    let mut all = vec![DVec3::NAN; positions.len()];
    for stretch in find_stretches(positions) {
        all[stretch.clone()].copy_from_slice(&apply_filter(&positions[stretch], filter));
    }
    all
}
