//! Signals as curves: numbers are interpolated, everything else is held.

use super::{
    ExportError, Job, Report, breaks,
    keyed_curve::{Interpolate, KeyedCurve},
    report::counted,
    tracer::{Tally, Tracer},
};
use crate::clip::{AnyCurve, TrackId, Value};

/// The curve of a signal.
pub(super) enum SignalCurve {
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

    fn is_finite(self) -> bool {
        Self::is_finite(self)
    }
}

/// How many values of signals a target cannot have.
#[derive(Debug, Default)]
pub(super) struct Skipped(usize);

impl Skipped {
    /// Reports how many values were skipped, if any were.
    pub(super) fn report(&self, report: &mut Report) {
        if self.0 > 0 {
            let values = counted(self.0, "value");
            report.warning(format!("{values} of signals skipped: not numbers, or not finite"));
        }
    }
}

/// The curve of a track within the range. Non-finite keys are skipped and counted in `skipped`.
///
/// # Errors
/// If there are too many keys.
pub(super) fn curve(
    job: &Job<'_>,
    track: TrackId,
    skipped: &mut Skipped,
) -> Result<SignalCurve, ExportError> {
    let clip = job.clip;
    let times = match (job.rate, &clip.track(track).curve) {
        (Some(rate), _) => breaks::regular(job, rate)?,
        (None, AnyCurve::Computed(_)) => breaks::of_samples(job, [track])?,
        (None, _) => breaks::of_tracks(job, [track])?,
    };
    let value = |time: f64| clip.value(track, time);
    match value(job.from) {
        Value::Number(_) => {
            let number = |time: f64| match value(time) {
                Value::Number(number) => number,
                _ => f64::NAN,
            };
            let (curve, tally) = trace(job, &times, number);
            if let Some(curve) = curve {
                skipped.0 += tally.no_numbers;
                return Ok(SignalCurve::Numbers(curve));
            }
        }
        // Some switch between their keys.
        Value::Bool(_) => {
            let (curve, _) = trace(job, &times, |time| value(time) == Value::Bool(true));
            let states = curve.iter().flat_map(|curve| curve.keys());
            let states = states.map(|key| (key.time, Value::Bool(key.value)));
            return Ok(SignalCurve::States(changes(states)));
        }
        _ => {}
    }
    Ok(SignalCurve::States(changes(times.iter().map(|&time| (time, value(time))))))
}

fn trace<T: Interpolate>(
    job: &Job<'_>,
    times: &[f64],
    mut at: impl FnMut(f64) -> T,
) -> (Option<KeyedCurve<T>>, Tally) {
    let mut tracer = Tracer::new(job.rate.is_none(), true);
    times.windows(2).for_each(|gap| tracer.gap(gap[0], gap[1], &mut at));
    tracer.end(job.to, at(job.to))
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
