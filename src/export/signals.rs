//! How signals run: numbers as courses, everything else as states that hold.

use super::{
    ExportError, Job, breaks,
    course::{Course, Place},
    tracer::Tracer,
};
use crate::clip::{AnyCurve, TrackId, Value};

/// What a signal tells over time.
pub(super) enum Told {
    /// Numbers that run from one to the next.
    Numbers(Course<f64>),
    /// Values that hold, each from its time in seconds on; none like the one before it.
    States(Vec<(f64, Value)>),
}

impl Place for f64 {
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

/// What a track tells within the range.
///
/// # Errors
/// If it comes to too much.
pub(super) fn course(job: &Job<'_>, track: TrackId) -> Result<Told, ExportError> {
    let clip = job.clip;
    let times = match (job.rate, &clip.track(track).curve) {
        (Some(rate), _) => breaks::regular(job, rate)?,
        (None, AnyCurve::Computed(_)) => breaks::of_samples(job, [track])?,
        (None, _) => breaks::of_tracks(job, [track])?,
    };
    let value = |time: f64| clip.value(track, time);
    let numbers = |value: Value| match value {
        Value::Number(number) => number,
        _ => f64::NAN,
    };
    if matches!(value(job.from), Value::Number(_)) {
        let mut tracer = Tracer::new(job.rate.is_none(), true);
        let mut at = |time: f64| numbers(value(time));
        times.windows(2).for_each(|gap| tracer.gap(gap[0], gap[1], &mut at));
        let (course, _) = tracer.end(job.to, at(job.to));
        if let Some(course) = course {
            return Ok(Told::Numbers(course));
        }
    }
    let mut states: Vec<(f64, Value)> = Vec::new();
    for time in times {
        let value = value(time);
        if states.last().is_none_or(|last| last.1 != value) {
            states.push((time, value));
        }
    }
    Ok(Told::States(states))
}
