//! The table of all checks of motion.

use mutoscope_core::diagnostics::{Code, Severity};

use super::{
    body, findings::Findings, gaze, hand, head, marker, moment::Moment,
    sample_values::SampleValues, scene::Scene, time,
};

/// A check of motion: its code, its threshold and its function.
#[derive(Debug)]
pub struct MotionCheck {
    /// The code of its diagnostics.
    pub code: Code,
    /// The severity of its diagnostics, unless a profile changes it.
    pub severity: Severity,
    /// What a recording must have, so that the check applies.
    pub need: Need,
    /// The measured value, for problems of degree.
    pub measured: Option<Measured>,
    /// The shortest problem that is reported, in seconds.
    pub min_duration_s: f64,
    /// The problem, as the middle of a message: `a bone changes its length`.
    pub problem: &'static str,
    /// The definition of the value, with its formula.
    pub definition: &'static str,
    /// The source of the default threshold.
    pub source: &'static str,
    pub(super) find: Find,
}

/// The value that a check measures.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The name.
    pub name: &'static str,
    /// The unit of the value and of the threshold. `1` for numbers without a unit.
    pub unit: &'static str,
    /// The default threshold.
    pub threshold: f64,
    /// The key of the threshold in profiles.
    pub key: &'static str,
    /// Which values are a problem.
    pub limit: Limit,
}

/// Which values are a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Values above the threshold.
    Above,
    /// Values below the threshold.
    Below,
    /// Problems that last longer than the threshold, in seconds.
    Duration,
}

/// What a check needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A hand with bones.
    HandBones,
    /// A wrist.
    Hand,
    /// Both wrists.
    BothHands,
    /// A hand with knuckles and the joints of a finger.
    Fingers,
    /// A wrist or palm with rotations, in a hand with knuckles.
    OrientedHand,
    /// A hand that states whether it is tracked.
    TrackedHand,
    /// A head.
    Head,
    /// A gaze and a head.
    GazeAndHead,
    /// A gaze and a head, sampled at a steady rate.
    SampledGazeAndHead,
    /// A gaze, sampled at a steady rate.
    SampledGaze,
    /// The rays of both eyes.
    Eyes,
    /// A gaze whose direction is stored as a vector.
    StoredDirection,
    /// Joints connected by bones, without a headset.
    Body,
    /// A body with the bones of a person.
    BodyBones,
    /// A body with a foot, on an even floor.
    Feet,
    /// A body with both legs and a joint or tip below each foot.
    Legs,
    /// The bones of both arms of a person.
    Arms,
    /// Markers or other loose points.
    Markers,
    /// Samples at a steady rate.
    Samples,
    /// Samples at a steady rate, and a stated rate.
    StatedRate,
    /// Keys with times.
    Keys,
}

/// The function of a check.
#[derive(Debug)]
pub(super) enum Find {
    /// Runs at each sampled time, on several threads.
    Frame(fn(&Scene<'_>, &Moment<'_>, &mut SampleValues)),
    /// Runs once for the whole clip.
    Clip(fn(&Scene<'_>, &mut Findings)),
}

impl MotionCheck {
    /// Returns which values are a problem, or `None` if the check measures no value.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.measured.map(|measured| measured.limit)
    }

    /// Returns `true` if a value crosses the threshold, or if the check measures no value. A duration
    /// is only known at the end of the problem, so every value of such a check is a problem.
    pub(super) fn is_problem(&self, value: f64, threshold: Option<f64>) -> bool {
        let threshold = threshold.unwrap_or_default();
        match self.limit() {
            Some(Limit::Above) => value > threshold,
            Some(Limit::Below) => value < threshold,
            Some(Limit::Duration) | None => true,
        }
    }

    pub(super) fn is_worse(&self, value: f64, than: f64) -> bool {
        match self.limit() {
            Some(Limit::Below) => value < than,
            _ => value > than,
        }
    }

    /// Sets `worst` to `value` if `value` is finite and worse.
    pub(super) fn update_worst(&self, worst: &mut Option<f64>, value: f64) {
        if value.is_finite() && worst.is_none_or(|worst| self.is_worse(value, worst)) {
            *worst = Some(value);
        }
    }
}

impl Measured {
    pub(super) const fn above(name: &'static str, unit: &'static str, threshold: f64) -> Self {
        Self { name, unit, threshold, key: "threshold", limit: Limit::Above }
    }

    pub(super) const fn below(name: &'static str, unit: &'static str, threshold: f64) -> Self {
        Self { limit: Limit::Below, ..Self::above(name, unit, threshold) }
    }

    pub(super) const fn duration(threshold: f64) -> Self {
        Self { limit: Limit::Duration, ..Self::above("duration", "s", threshold) }
    }
}

impl Need {
    /// Returns the phrase that the documentation uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HandBones => "a hand with bones",
            Self::Hand => "a wrist",
            Self::BothHands => "both wrists",
            Self::Fingers => "a hand with fingers",
            Self::OrientedHand => "a wrist or palm with rotations, and knuckles",
            Self::TrackedHand => "a hand that states whether it is tracked",
            Self::Head => "a head",
            Self::GazeAndHead => "a gaze and a head",
            Self::SampledGazeAndHead => "a gaze and a head, sampled at a steady rate",
            Self::SampledGaze => "a gaze, sampled at a steady rate",
            Self::Eyes => "the rays of both eyes",
            Self::StoredDirection => "a gaze stored as a direction",
            Self::Body => "joints connected by bones, without a headset",
            Self::BodyBones => "the bones of a person, without a headset",
            Self::Feet => "a foot, on an even floor",
            Self::Legs => "both legs with toes",
            Self::Arms => "both arms of a person, without a headset",
            Self::Markers => "at least three markers or other loose points",
            Self::Samples => "samples at a steady rate",
            Self::StatedRate => "samples at a steady rate, and a stated rate",
            Self::Keys => "keys with times",
        }
    }
}

/// Returns the check of motion with this code, or `None` if there is none.
pub fn find_check(code: &str) -> Option<&'static MotionCheck> {
    motion_checks().find(|check| check.code.as_str() == code)
}

/// Returns all checks of motion, in the order of the documentation.
pub fn motion_checks() -> impl Iterator<Item = &'static MotionCheck> {
    let areas: [&'static [MotionCheck]; 6] = [
        &hand::CHECKS,
        &head::CHECKS,
        &gaze::CHECKS,
        &body::CHECKS,
        &marker::CHECKS,
        &time::CHECKS,
    ];
    areas.into_iter().flatten()
}
