//! Filtered places, speed and jerk of a hand, stretch by stretch.

use std::ops::Range;

use glam::DVec3;

use crate::{
    sampling::HandSamples,
    signal::{
        LowPass, gradient,
        stretch::{FEWEST, runs},
    },
};

/// How a point moves: NaN outside of its stretches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinematics {
    /// The runs of samples that have kinematics.
    pub(crate) stretches: Vec<Range<usize>>,
    /// Filtered, in metres.
    pub(crate) places: Vec<DVec3>,
    /// Metres per second.
    pub(crate) speed: Vec<f64>,
    /// The square of the jerk, in m²/s⁶.
    pub(crate) jerk_squared: Vec<f64>,
}

impl Kinematics {
    /// The kinematics of places that are `rate` per second, NaN where there is none.
    pub(crate) fn of(places: &[DVec3], filter: Option<&LowPass>, rate: f64) -> Self {
        let count = places.len();
        let mut kinematics = Self {
            stretches: long_stretches(places),
            places: vec![DVec3::NAN; count],
            speed: vec![f64::NAN; count],
            jerk_squared: vec![f64::NAN; count],
        };
        for stretch in kinematics.stretches.clone() {
            let filtered = filtered(&places[stretch.clone()], filter);
            let velocity = gradient(&filtered, rate);
            let jerk = gradient(&gradient(&velocity, rate), rate);
            kinematics.places[stretch.clone()].copy_from_slice(&filtered);
            for (index, sample) in stretch.enumerate() {
                kinematics.speed[sample] = velocity[index].length();
                kinematics.jerk_squared[sample] = jerk[index].length_squared();
            }
        }
        kinematics
    }
}

/// A hand: its wrist, the aperture of its fingers, and the point between their tips.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hand {
    /// The places of the wrist as they are.
    pub(crate) raw: Vec<DVec3>,
    pub(crate) wrist: Kinematics,
    /// The distance between thumb tip and index tip, filtered, in metres; empty without tips.
    pub(crate) aperture: Vec<f64>,
    /// The point between them, filtered.
    pub(crate) target: Vec<DVec3>,
}

impl Hand {
    pub(crate) fn of(samples: HandSamples, filter: Option<&LowPass>, rate: f64) -> Self {
        let wrist = Kinematics::of(&samples.wrist, filter, rate);
        let (mut aperture, mut target) = (Vec::new(), Vec::new());
        if let Some(tips) = samples.tips {
            let [thumb, index] = tips.map(|tip| filtered_stretches(&tip, filter));
            aperture = thumb.iter().zip(&index).map(|(one, other)| one.distance(*other)).collect();
            target = thumb.iter().zip(&index).map(|(one, other)| one.midpoint(*other)).collect();
        }
        Self { raw: samples.wrist, wrist, aperture, target }
    }
}

fn long_stretches(places: &[DVec3]) -> Vec<Range<usize>> {
    let mut stretches = runs(places.len(), |index| places[index].is_finite());
    stretches.retain(|stretch| stretch.len() >= FEWEST);
    stretches
}

fn filtered(places: &[DVec3], filter: Option<&LowPass>) -> Vec<DVec3> {
    filter.map_or_else(|| places.to_vec(), |filter| filter.apply(places))
}

fn filtered_stretches(places: &[DVec3], filter: Option<&LowPass>) -> Vec<DVec3> {
    let mut all = vec![DVec3::NAN; places.len()];
    for stretch in long_stretches(places) {
        all[stretch.clone()].copy_from_slice(&filtered(&places[stretch], filter));
    }
    all
}
