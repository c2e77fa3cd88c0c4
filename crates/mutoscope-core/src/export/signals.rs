//! Signals as curves: numbers are interpolated, all other values are held.

use super::{
    ExportError, Job, Report,
    budget::EvaluationBudget,
    key_times,
    keyed_curve::{Interpolate, KeyedCurve},
    tracer::{TraceStats, Tracer},
};
use crate::clip::{AnyCurve, TrackId, Value};
use crate::diagnostics::format_count;

/// The curve of a signal.
pub enum SignalCurve {
    /// A curve of numbers, with linear interpolation.
    Numbers(KeyedCurve<f64>),
    /// States. Each value holds from its start in seconds until the next value. Adjacent values
    /// differ.
    States(Vec<(f64, Value)>),
}

impl Interpolate for f64 {
    fn interpolate(self, next: Self, part: f64) -> Self {
        self + (next - self) * part
    }

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

/// Traces signals. Counts the values that a target cannot represent.
pub struct SignalTracer<'a> {
    job: &'a Job<'a>,
    budget: EvaluationBudget,
    stats: TraceStats,
}

impl<'a> SignalTracer<'a> {
    /// Creates a tracer for the range of `job`.
    pub fn new(job: &'a Job<'a>) -> Self {
        Self { job, budget: EvaluationBudget::for_single_values(), stats: TraceStats::default() }
    }

    /// Traces the curve of a track within the range. Non-finite keys are skipped and counted.
    ///
    /// # Errors
    /// Fails if there are too many keys.
    pub fn trace_curve(&mut self, track: TrackId) -> Result<SignalCurve, ExportError> {
        let Job { clip, rate, .. } = *self.job;
        let own_times = match &clip.track(track).curve {
            AnyCurve::Computed(_) => key_times::times_of_tracks_and_samples(self.job, [track]),
            _ => key_times::times_of_tracks(self.job, [track]),
        };
        let sampled = rate.map(|rate| key_times::times_at_rate(self.job, rate)).transpose()?;
        let value = |time: f64| clip.value(track, time);
        let first = value(self.job.from);
        let times = match (&sampled, &first) {
            (None, _) => own_times?,
            (Some(sampled), Value::Number(_) | Value::Numbers(_)) => sampled.clone(),
            // Keep the track's own key times for states. If states were sampled, their changes
            // would be late.
            (Some(sampled), _) => key_times::or_sample_times(own_times, sampled),
        };
        match first {
            Value::Number(_) => {
                let number = |time: f64| match value(time) {
                    Value::Number(number) => number,
                    _ => f64::NAN,
                };
                let (curve, stats) = self.trace(&times, number);
                if let Some(curve) = curve {
                    self.stats.add(stats);
                    return Ok(SignalCurve::Numbers(curve));
                }
            }
            // Trace booleans between their keys as well, because some of them change there.
            Value::Bool(_) => {
                let (curve, _) = self.trace(&times, |time| value(time) == Value::Bool(true));
                let states = curve.iter().flat_map(|curve| curve.keys());
                let states = states.map(|key| (key.time, Value::Bool(key.value)));
                return Ok(SignalCurve::States(without_repetitions(states)));
            }
            _ => {}
        }
        Ok(SignalCurve::States(without_repetitions(times.iter().map(|&time| (time, value(time))))))
    }

    fn trace<T: Interpolate>(
        &self,
        times: &[f64],
        mut at: impl FnMut(f64) -> T,
    ) -> (Option<KeyedCurve<T>>, TraceStats) {
        let inserts_keys = self.job.rate.is_none() || T::IS_STATE;
        let mut tracer = Tracer::new(self.job.time_steps, inserts_keys, true);
        let mut at = |time: f64| {
            self.budget.spend();
            at(time)
        };
        for gap in times.windows(2) {
            self.budget.enter_gap();
            tracer.trace_gap(gap[0], gap[1], &self.budget, &mut at);
        }
        tracer.finish(self.job.to, at(self.job.to))
    }

    /// Warns about skipped values, and about the largest error of the curves. Does nothing if
    /// neither exists.
    pub fn report(&self, report: &mut Report) {
        let TraceStats { non_finite, max_error, .. } = self.stats;
        if non_finite > 0 {
            let values = format_count(non_finite, "value");
            report.warning(format!("{values} of signals skipped: not numbers, or not finite"));
        }
        if max_error > 0.0 {
            report.warning(format!(
                "signals up to {max_error:.2e} off between keys, where they change too suddenly to \
                 follow"
            ));
        }
    }
}

fn without_repetitions(states: impl Iterator<Item = (f64, Value)>) -> Vec<(f64, Value)> {
    let mut changes: Vec<(f64, Value)> = Vec::new();
    for (time, value) in states {
        if changes.last().is_none_or(|last| last.1 != value) {
            changes.push((time, value));
        }
    }
    changes
}
