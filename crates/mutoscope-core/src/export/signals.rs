//! Signals as curves: numbers are interpolated, all other values are held.

use std::cell::Cell;

use super::{
    ExportError, Job, Report,
    budget::EvaluationBudget,
    key_times,
    keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind},
    list_names,
    tracer::{TraceStats, Tracer},
};
use crate::clip::{AnyCurve, TrackId, Value};
use crate::diagnostics::format_count;

/// The curve of a signal.
pub enum SignalCurve {
    /// A curve of numbers, with linear interpolation. A key whose value is NaN holds: the signal
    /// has no value from this key to the next.
    Numbers(KeyedCurve<f64>),
    /// States. Each value holds from its start in seconds until the next value. Adjacent values
    /// differ. [`Value::Null`] is the state without a value.
    States(Vec<(f64, Value)>),
}

impl SignalCurve {
    /// Returns the curve in which the last value holds where the signal has no value. Returns
    /// `None` if the signal always has a value, or never.
    fn without_nulls(&self) -> Option<Self> {
        match self {
            Self::Numbers(curve) => {
                let keys = curve.keys().iter();
                let kept: Vec<_> = keys.filter(|key| !key.value.is_nan()).copied().collect();
                let has_nulls = kept.len() < curve.keys().len() && !kept.is_empty();
                has_nulls.then(|| Self::Numbers(KeyedCurve::new(kept)))
            }
            Self::States(states) => {
                let some = states.iter().filter(|(_, value)| *value != Value::Null).cloned();
                let kept = without_repetitions(some);
                let has_nulls = kept.len() < states.len() && !kept.is_empty();
                has_nulls.then_some(Self::States(kept))
            }
        }
    }
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
    /// The names of the signals that keep their last value where they have none.
    filled: Vec<String>,
}

impl<'a> SignalTracer<'a> {
    /// Creates a tracer for the range of `job`.
    pub fn new(job: &'a Job<'a>) -> Self {
        let (budget, stats) = (EvaluationBudget::for_single_values(), TraceStats::default());
        Self { job, budget, stats, filled: Vec::new() }
    }

    /// Traces the curve of a track within the range. Non-finite keys are counted.
    ///
    /// # Errors
    /// Fails if there are too many keys.
    pub fn trace_curve(&mut self, track: TrackId) -> Result<SignalCurve, ExportError> {
        let Job { clip, rate, .. } = *self.job;
        let curve = &clip.track(track).curve;
        let is_computed = matches!(curve, AnyCurve::Computed(_));
        let own_times = match is_computed {
            true => key_times::times_of_tracks_and_samples(self.job, [track]),
            false => key_times::times_of_tracks(self.job, [track]),
        };
        let sampled = rate.map(|rate| key_times::times_at_rate(self.job, rate)).transpose()?;
        // Keep the track's own key times for states. If states were sampled, their changes would be
        // late.
        let mut times = match &sampled {
            None => own_times?,
            Some(sampled) => key_times::or_sample_times(own_times, sampled),
        };
        let value = |time: f64| clip.value(track, time);
        let first = times.iter().map(|&time| value(time)).find(|value| *value != Value::Null);
        match first {
            Some(Value::Number(_)) => {
                let number = |time: f64| match value(time) {
                    Value::Number(number) if number.is_finite() => number,
                    _ => f64::NAN,
                };
                if let Some(curve) = self.trace_numbers(&times, sampled.as_deref(), number) {
                    if curve.keys().iter().any(|key| key.value.is_nan()) {
                        let is_lost =
                            |&&time: &&f64| number(time).is_nan() && value(time) != Value::Null;
                        self.stats.non_finite += times.iter().filter(is_lost).count();
                    }
                    return Ok(SignalCurve::Numbers(curve));
                }
            }
            // Trace booleans between their keys as well, because some of them change there.
            Some(Value::Bool(_)) => {
                let (curve, _) = self.trace(&times, |time| match value(time) {
                    Value::Bool(is_true) => Some(is_true),
                    _ => None,
                });
                let states = curve.iter().flat_map(|curve| curve.keys());
                let states =
                    states.map(|key| (key.time, key.value.map_or(Value::Null, Value::Bool)));
                return Ok(SignalCurve::States(without_repetitions(states)));
            }
            Some(Value::Numbers(_)) if let Some(sampled) = sampled => times = sampled,
            _ => {}
        }
        if is_computed && times.iter().any(|&time| value(time) == Value::Null) {
            let presence = self.trace_presence(&times, |time| value(time) != Value::Null);
            times.extend(presence.iter().map(|(time, _)| *time));
            times.sort_unstable_by(f64::total_cmp);
            times.dedup();
        }
        Ok(SignalCurve::States(without_repetitions(times.iter().map(|&time| (time, value(time))))))
    }

    /// Returns `curve`, the curve of `track`, for a target that cannot store that a signal has no
    /// value: the last value holds there, and [`Self::report`] warns.
    pub fn fill_nulls(&mut self, track: TrackId, curve: SignalCurve) -> SignalCurve {
        let Some(filled) = curve.without_nulls() else { return curve };
        let mut signals = self.job.clip.signals.iter();
        let name = signals.find(|signal| signal.track == track).map(|signal| &signal.name);
        self.filled.extend(name.map(|name| format!("{name:?}")));
        filled
    }

    /// Traces numbers, which are NaN where the signal has no value. Returns `None` if there is no
    /// number.
    fn trace_numbers(
        &mut self,
        own_times: &[f64],
        sampled: Option<&[f64]>,
        number: impl Fn(f64) -> f64,
    ) -> Option<KeyedCurve<f64>> {
        let times = sampled.unwrap_or(own_times);
        let has_nulls = Cell::new(false);
        let (curve, stats) = self.trace(times, |time| {
            let number = number(time);
            has_nulls.set(has_nulls.get() || number.is_nan());
            number
        });
        if !has_nulls.get() {
            self.stats.add(stats);
            return curve;
        }
        // The tracer skips values that are not finite. Trace each part that has values on its own.
        let presence = self.trace_presence(own_times, |time| !number(time).is_nan());
        let mut keys: Vec<Key<f64>> = Vec::new();
        for (index, &(from, has_value)) in presence.iter().enumerate() {
            if !has_value {
                keys.push(Key { time: from, value: f64::NAN, segment: SegmentKind::Hold });
                continue;
            }
            let next = presence.get(index + 1).map(|(time, _)| *time);
            let inner_start = times.partition_point(|time| *time <= from);
            let inner_end =
                next.map_or(times.len(), |next| times.partition_point(|time| *time < next));
            let mut part = vec![from];
            part.extend_from_slice(times.get(inner_start..inner_end).unwrap_or_default());
            let last_own = part[part.len() - 1];
            let end = next.and_then(|next| {
                self.last_time_with_value(last_own, next, |time| !number(time).is_nan())
            });
            part.extend(end);
            let (curve, stats) = self.trace(&part, &number);
            self.stats.add(stats);
            let mut part_keys = curve.map_or_else(Vec::new, |curve| curve.keys().to_vec());
            if next.is_some() {
                hold_last_value(&mut part_keys);
            }
            keys.append(&mut part_keys);
        }
        (!keys.iter().all(|key| key.value.is_nan())).then(|| KeyedCurve::new(keys))
    }

    /// Returns the times at which `has_value` changes, with its new value. The first time is the
    /// start of the range.
    fn trace_presence(&self, times: &[f64], has_value: impl Fn(f64) -> bool) -> Vec<(f64, bool)> {
        /// Changes this close before a key are moved to the key, because the bisection ends a
        /// little before the change, and formats round times to keys.
        const KEY_TOLERANCE_S: f64 = 1e-5;
        let (curve, _) = self.trace(times, &has_value);
        let mut changes: Vec<(f64, bool)> = Vec::new();
        for key in curve.iter().flat_map(|curve| curve.keys()) {
            if changes.last().is_none_or(|last| last.1 != key.value) {
                let next_key = times.get(times.partition_point(|time| *time < key.time));
                let at_key = next_key.filter(|&&time| {
                    time - key.time <= KEY_TOLERANCE_S && has_value(time) == key.value
                });
                changes.push((at_key.copied().unwrap_or(key.time), key.value));
            }
        }
        changes
    }

    /// Returns a time shortly before `end`, the time at which the signal loses its value. The
    /// signal still has a value at the returned time. `None` if there is no such time after `start`.
    fn last_time_with_value(
        &self,
        start: f64,
        end: f64,
        has_value: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let mut step = self.job.time_steps.step_within(start, end);
        while start < end - step {
            if has_value(end - step) {
                return Some(end - step);
            }
            step *= 2.0;
        }
        None
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
        let last = times[times.len() - 1];
        tracer.finish(last, at(last))
    }

    /// Warns about skipped values, and about the largest error of the curves. Does nothing if
    /// neither exists.
    pub fn report(&self, report: &mut Report) {
        let TraceStats { non_finite, max_error, .. } = self.stats;
        if non_finite > 0 {
            let values = format_count(non_finite, "value");
            report.warning(format!("{values} of signals skipped: not numbers, or not finite"));
        }
        if !self.filled.is_empty() {
            let names = list_names(&self.filled);
            report.warning(format!(
                "signals have no value at times, which this format cannot store; their last value holds \
                 there: {names}"
            ));
        }
        if max_error > 0.0 {
            report.warning(format!(
                "signals up to {max_error:.2e} off between keys, where they change too suddenly to \
                 follow"
            ));
        }
    }
}

/// Makes the last key hold its value. If the key before has the same value, it holds instead.
fn hold_last_value(keys: &mut Vec<Key<f64>>) {
    if let [.., before, last] = &keys[..]
        && before.value == last.value
        && before.segment != SegmentKind::Hold
    {
        keys.pop();
    }
    if let Some(last) = keys.last_mut() {
        last.segment = SegmentKind::Hold;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        clip::{Clip, ComputedCurve, KeyTimes},
        export::ExportOptions,
        formats::{ReadOptions, decode},
    };

    /// A signal with a value from 1.25 to before 2.5 s.
    #[derive(Debug)]
    struct Interrupted {
        times: KeyTimes,
        value: fn(f64) -> Value,
    }

    impl ComputedCurve for Interrupted {
        fn type_name(&self) -> &'static str {
            "float"
        }

        fn times(&self) -> &KeyTimes {
            &self.times
        }

        fn key_value(&self, index: usize) -> Value {
            self.value(self.times.as_slice()[index])
        }

        fn value(&self, time: f64) -> Value {
            if (1.25..2.5).contains(&time) { (self.value)(time) } else { Value::Null }
        }
    }

    fn clip(value: fn(f64) -> Value) -> Clip {
        let text = r#"{"tracks": [{"trackType": "Discrete", "valueType": "float", "data": {"node": "a",
            "property": "b", "keyframes": [{"time": 0, "value": 0}, {"time": 4, "value": 1}]}}]}"#;
        let mut clip = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
        let times = KeyTimes::new(vec![0.0, 1.0, 2.0, 3.0, 4.0]).unwrap();
        clip.tracks[0].curve = AnyCurve::Computed(Arc::new(Interrupted { times, value }));
        clip
    }

    fn value_at(curve: &SignalCurve, time: f64) -> Value {
        match curve {
            SignalCurve::Numbers(curve) => match curve.value_at(time) {
                number if number.is_nan() => Value::Null,
                number => Value::Number(number),
            },
            SignalCurve::States(states) => {
                let after = states.partition_point(|(start, _)| *start <= time);
                states[after.saturating_sub(1)].1.clone()
            }
        }
    }

    #[test]
    fn nulls_are_kept_and_numbers_between_them_run() {
        let values: [fn(f64) -> Value; 5] = [
            Value::Number,
            |_| Value::Number(-80.0),
            |time| Value::Bool(time < 2.25),
            |_| Value::Bool(false),
            |_| Value::Integer(7),
        ];
        for (index, value) in values.into_iter().enumerate() {
            let clip = clip(value);
            for (from, to, rate) in
                [(0.0, 4.0, None), (1.5, 4.0, None), (0.0, 2.0, None), (0.0, 4.0, Some(2.0))]
            {
                let range = Some(from..=to);
                let options = ExportOptions { range, rate, ..ExportOptions::default() };
                let job = Job::new(&clip, &options);
                let mut tracer = SignalTracer::new(&job);
                let curve = tracer.trace_curve(TrackId::new(0)).unwrap();
                for time in [0.0, 0.5, 1.2, 1.3, 1.75, 2.1, 2.4, 2.49, 2.51, 3.3, 4.0] {
                    if !(from..=to).contains(&time) {
                        continue;
                    }
                    let (found, expected) =
                        (value_at(&curve, time), clip.value(TrackId::new(0), time));
                    let is_near = match (&found, &expected) {
                        (Value::Number(found), Value::Number(expected)) => {
                            (found - expected).abs() < 1e-4
                        }
                        (found, expected) => found == expected,
                    };
                    assert!(
                        is_near,
                        "{index} {from}..{to} {rate:?} {time}: {found:?} {expected:?}"
                    );
                }
                let mut report = Report::default();
                tracer.report(&mut report);
                assert_eq!(report.remarks(), [], "{index}");
                let filled = tracer.fill_nulls(TrackId::new(0), curve);
                assert!(
                    [0.5, 1.5, 3.0]
                        .map(|time| value_at(&filled, time))
                        .iter()
                        .all(|value| *value != Value::Null)
                );
                tracer.report(&mut report);
                assert_eq!(report.remarks().len(), 1, "{report:?}");
            }
        }
    }

    #[test]
    fn signal_without_any_value_stays_null() {
        let clip = clip(|_| Value::Null);
        let options = ExportOptions::default();
        let job = Job::new(&clip, &options);
        let mut tracer = SignalTracer::new(&job);
        let curve = tracer.trace_curve(TrackId::new(0)).unwrap();
        let curve = tracer.fill_nulls(TrackId::new(0), curve);
        assert!(matches!(curve, SignalCurve::States(states) if states == [(0.0, Value::Null)]));
    }
}
