//! Signals as curves: numbers are interpolated, everything else is held.

use super::{
    ExportError, Job, Report, breaks,
    effort::Effort,
    keyed_curve::{Interpolate, KeyedCurve},
    report::counted,
    tracer::{Tally, Tracer},
};
use crate::clip::{AnyCurve, TrackId, Value};

/// The curve of a signal.
pub enum SignalCurve {
    /// Numbers that run from one to the next.
    Numbers(KeyedCurve<f64>),
    /// Values that hold, each from its time in seconds on; none like the one before it.
    States(Vec<(f64, Value)>),
}

impl Interpolate for f64 {
    fn between(self, next: Self, part: f64) -> Self {
        self + (next - self) * part
    }

    /// In the signal's own unit.
    fn distance(self, other: Self) -> f64 {
        (self - other).abs()
    }

    fn magnitude(self) -> f64 {
        self.abs()
    }

    fn is_finite(self) -> bool {
        Self::is_finite(self)
    }
}

/// Traces signals, and counts the values that a target cannot have.
pub struct Signals<'a> {
    job: &'a Job<'a>,
    effort: Effort,
    tally: Tally,
}

impl<'a> Signals<'a> {
    /// Of the range of `job`.
    pub fn new(job: &'a Job<'a>) -> Self {
        Self { job, effort: Effort::single(), tally: Tally::default() }
    }

    /// The curve of a track within the range. Non-finite keys are skipped and counted.
    ///
    /// # Errors
    /// If there are too many keys.
    pub fn curve(&mut self, track: TrackId) -> Result<SignalCurve, ExportError> {
        let Job { clip, rate, .. } = *self.job;
        let own = match &clip.track(track).curve {
            AnyCurve::Computed(_) => breaks::of_samples(self.job, [track]),
            _ => breaks::of_tracks(self.job, [track]),
        };
        let sampled = rate.map(|rate| breaks::regular(self.job, rate)).transpose()?;
        let value = |time: f64| clip.value(track, time);
        let first = value(self.job.from);
        let times = match (&sampled, &first) {
            (None, _) => own?,
            (Some(sampled), Value::Number(_) | Value::Numbers(_)) => sampled.clone(),
            // Anything but numbers holds until the moment at which it changes.
            (Some(sampled), _) => breaks::of_states(own, sampled),
        };
        match first {
            Value::Number(_) => {
                let number = |time: f64| match value(time) {
                    Value::Number(number) => number,
                    _ => f64::NAN,
                };
                let (curve, tally) = self.trace(&times, number);
                if let Some(curve) = curve {
                    self.tally.add(tally);
                    return Ok(SignalCurve::Numbers(curve));
                }
            }
            // Some switch between their keys.
            Value::Bool(_) => {
                let (curve, _) = self.trace(&times, |time| value(time) == Value::Bool(true));
                let states = curve.iter().flat_map(|curve| curve.keys());
                let states = states.map(|key| (key.time, Value::Bool(key.value)));
                return Ok(SignalCurve::States(changes(states)));
            }
            _ => {}
        }
        Ok(SignalCurve::States(changes(times.iter().map(|&time| (time, value(time))))))
    }

    fn trace<T: Interpolate>(
        &self,
        times: &[f64],
        mut at: impl FnMut(f64) -> T,
    ) -> (Option<KeyedCurve<T>>, Tally) {
        let mut tracer = Tracer::new(self.job.rate.is_none() || T::IS_STATE, true);
        let mut at = |time: f64| {
            self.effort.spend();
            at(time)
        };
        for gap in times.windows(2) {
            self.effort.enter_gap();
            tracer.gap(gap[0], gap[1], &self.effort, &mut at);
        }
        tracer.end(self.job.to, at(self.job.to))
    }

    /// Reports how many values were skipped and the largest error of the curves, if there are any.
    pub fn report(&self, report: &mut Report) {
        let Tally { no_numbers, farthest, .. } = self.tally;
        if no_numbers > 0 {
            let values = counted(no_numbers, "value");
            report.warning(format!("{values} of signals skipped: not numbers, or not finite"));
        }
        if farthest > 0.0 {
            report.warning(format!(
                "signals up to {farthest:.2e} off between keys, where they change too suddenly to \
                 follow"
            ));
        }
    }
}

/// The first of each run of states that are the same.
fn changes(states: impl Iterator<Item = (f64, Value)>) -> Vec<(f64, Value)> {
    let mut changes: Vec<(f64, Value)> = Vec::new();
    for (time, value) in states {
        if changes.last().is_none_or(|last| last.1 != value) {
            changes.push((time, value));
        }
    }
    changes
}
