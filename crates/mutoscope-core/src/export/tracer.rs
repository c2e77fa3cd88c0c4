//! Traces a function of time into a [`KeyedCurve`]: the recording's own keys, and as many inserted
//! keys as needed where the function is not linear between them.

use super::{
    TimeSteps,
    budget::EvaluationBudget,
    keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind},
};

/// The tolerance of a traced curve: metres, radians, or a factor.
pub(super) const TOLERANCE: f64 = 1e-5;

const RELATIVE_ROUNDING_ERROR: f64 = 64.0 * f64::EPSILON;

/// The minimum gap between inserted keys, in seconds: a hundredth of a frame at 20 frames per
/// second. Blender merges keys that are closer than a hundredth of a frame, and few scenes have
/// less than 20 frames per second.
pub(super) const MIN_INSERTED_GAP_S: f64 = 1.0 / 2000.0;

/// The number of samples per gap at which a state is compared. The tracer misses a state that
/// changes and changes back between two samples.
const STATE_SAMPLES_PER_GAP: usize = 8;

#[derive(Debug)]
pub(super) struct Tracer<T> {
    keys: Vec<Key<T>>,
    steps: TimeSteps,
    inserts_keys: bool,
    skips_still_keys: bool,
    tolerance: f64,
    min_gap: f64,
    stats: TraceStats,
}

#[derive(Clone, Copy, Debug)]
struct Sample<T> {
    time: f64,
    value: T,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyOrigin {
    Recording,
    Inserted,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TraceStats {
    pub(super) keys: usize,
    pub(super) inserted: usize,
    pub(super) non_finite: usize,
    pub(super) max_error: f64,
    pub(super) is_budget_limited: bool,
}

impl TraceStats {
    pub(super) fn add(&mut self, other: Self) {
        self.keys += other.keys;
        self.inserted += other.inserted;
        self.non_finite += other.non_finite;
        self.max_error = self.max_error.max(other.max_error);
        self.is_budget_limited |= other.is_budget_limited;
    }
}

/// The number of samples of a gap, without its start, if neither a value bends nor a state changes.
pub(super) const SAMPLES_PER_GAP: usize = STATE_SAMPLES_PER_GAP + 2;

/// Returns the times within a gap at which [`Tracer::trace_gap`] samples values and states: right
/// after its start, right before its end, and between. `None` if it only samples the ends.
pub(super) fn inner_sample_times(
    steps: TimeSteps,
    from: f64,
    to: f64,
) -> Option<[f64; SAMPLES_PER_GAP - 1]> {
    if TimeSteps::is_too_short(from, to) {
        return None;
    }
    let step = steps.step_within(from, to);
    Some(std::array::from_fn(|index| match index {
        0 => from + step,
        STATE_SAMPLES_PER_GAP => to - step,
        _ => from + (to - from) * (index as f64 / STATE_SAMPLES_PER_GAP as f64),
    }))
}

/// The fractions of a gap at which the tracer compares the motion with a straight line.
const MIDDLES: [f64; 3] = [0.25, 0.5, 0.75];

impl<T: Interpolate> Tracer<T> {
    pub(super) fn new(steps: TimeSteps, inserts_keys: bool, skips_still_keys: bool) -> Self {
        Self {
            keys: Vec::new(),
            steps,
            inserts_keys,
            skips_still_keys,
            tolerance: TOLERANCE,
            min_gap: MIN_INSERTED_GAP_S,
            stats: TraceStats::default(),
        }
    }

    pub(super) fn with_min_gap(self, min_gap: f64) -> Self {
        Self { min_gap, ..self }
    }

    pub(super) fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    pub(super) fn trace_gap(
        &mut self,
        from: f64,
        to: f64,
        budget: &EvaluationBudget,
        at: &mut impl FnMut(f64) -> T,
    ) {
        if !self.inserts_keys || TimeSteps::is_too_short(from, to) {
            self.trace_straight_gap(from, to, at);
        } else if let Some(ends) = self.sample_finite_ends(from, to, at) {
            self.trace_between(ends, budget, at);
        }
    }

    /// Traces a gap like [`Self::trace_gap`], without samples between its ends. The function `at`
    /// has to be linear there.
    pub(super) fn trace_straight_gap(&mut self, from: f64, to: f64, at: &mut impl FnMut(f64) -> T) {
        if let Some([start, end]) = self.sample_finite_ends(from, to, at) {
            let is_still = start.value == end.value;
            let segment = if is_still { SegmentKind::Constant } else { SegmentKind::Linear };
            self.push(start, segment);
        }
    }

    /// Samples both ends of a gap. If a value is not finite, this adds the key at the start, if
    /// there is one, and returns `None`.
    fn sample_finite_ends(
        &mut self,
        from: f64,
        to: f64,
        at: &mut impl FnMut(f64) -> T,
    ) -> Option<[Sample<T>; 2]> {
        let [start, end] = [from, to].map(|time| Sample { time, value: at(time) });
        if !start.value.is_finite() {
            self.stats.non_finite += 1;
            return None;
        }
        if !end.value.is_finite() {
            self.push(start, SegmentKind::Hold);
            return None;
        }
        Some([start, end])
    }

    pub(super) fn finish(mut self, time: f64, value: T) -> (Option<KeyedCurve<T>>, TraceStats) {
        if value.is_finite() {
            // Always keep the last key, because it defines the duration of the animation.
            self.keys.push(Key { time, value, segment: SegmentKind::Constant });
        } else {
            self.stats.non_finite += 1;
        }
        self.stats.keys = self.keys.len();
        ((!self.keys.is_empty()).then(|| KeyedCurve::new(self.keys)), self.stats)
    }

    fn push_or_insert(&mut self, origin: KeyOrigin, key: Sample<T>, segment: SegmentKind) {
        match origin {
            KeyOrigin::Recording => self.push(key, segment),
            KeyOrigin::Inserted => self.insert(key, segment),
        }
    }

    fn push(&mut self, Sample { time, value }: Sample<T>, segment: SegmentKind) {
        let is_step = T::IS_STATE && segment == SegmentKind::Linear;
        let segment = if is_step { SegmentKind::Hold } else { segment };
        if let Some(last) = self.keys.last()
            && self.skips_still_keys
            && (last.segment, segment) == (SegmentKind::Constant, SegmentKind::Constant)
            && last.value == value
        {
            return;
        }
        self.keys.push(Key { time, value, segment });
    }

    fn insert(&mut self, key: Sample<T>, segment: SegmentKind) {
        let before = self.keys.len();
        self.push(key, segment);
        self.stats.inserted += self.keys.len() - before;
    }

    /// Traces the gap between two keys. The samples right after the first key and right before the
    /// second key show whether the value jumps there. A key before a jump holds its value.
    fn trace_between(
        &mut self,
        [start, end]: [Sample<T>; 2],
        budget: &EvaluationBudget,
        at: &mut impl FnMut(f64) -> T,
    ) {
        let step = self.steps.step_within(start.time, end.time);
        let [after_start, before_end] =
            [start.time + step, end.time - step].map(|time| Sample { time, value: at(time) });
        let jumps_after_start =
            is_jump(start.value, after_start.value, || at(after_start.time + step));
        let jumps_before_end = is_jump(end.value, before_end.value, || at(before_end.time - step));
        let middles = MIDDLES.map(|part| at(start.time + (end.time - start.time) * part));
        let is_still = middles.iter().chain([&before_end.value]).all(|&value| value == start.value);
        if jumps_before_end && !jumps_after_start && is_still {
            self.push(start, SegmentKind::Hold);
            return;
        }
        let mut ends = [start, end];
        let mut origin = KeyOrigin::Recording;
        if jumps_after_start {
            self.push(start, SegmentKind::Hold);
            ends[0] = after_start;
            origin = KeyOrigin::Inserted;
        }
        if jumps_before_end {
            ends[1] = before_end;
        }
        if T::IS_STATE {
            self.trace_states(ends, at, origin);
        } else {
            self.refine(ends, budget, at, budget.max_keys_in_gap(), origin);
        }
        if jumps_before_end {
            self.insert(ends[1], SegmentKind::Hold);
        }
    }

    fn refine(
        &mut self,
        [start, end]: [Sample<T>; 2],
        budget: &EvaluationBudget,
        at: &mut impl FnMut(f64) -> T,
        max_parts: usize,
        origin: KeyOrigin,
    ) -> usize {
        let duration = end.time - start.time;
        let mut error = 0.0;
        let mut is_still = start.value == end.value;
        for part in MIDDLES {
            let value = at(start.time + duration * part);
            is_still &= value == start.value;
            // Skip a non-finite value, because it cannot be approximated.
            if value.is_finite() {
                error = value.distance(start.value.interpolate(end.value, part)).max(error);
            }
        }
        let magnitude = start.value.magnitude().max(end.value.magnitude());
        let is_accurate = error <= self.tolerance.max(RELATIVE_ROUNDING_ERROR * magnitude);
        let is_too_short = duration < 2.0 * self.min_gap.max(4.0 * self.steps.step_at(end.time));
        let time = start.time + 0.5 * duration;
        let middle = (!is_accurate && !is_too_short && max_parts > 1)
            .then(|| Sample { time, value: at(time) });
        if let Some(middle) = middle.filter(|middle| middle.value.is_finite()) {
            // The second half gets the keys that the first half does not use, but at most three
            // quarters of all keys. Otherwise the recursion at the end of a gap would not
            // terminate.
            let first = self.refine([start, middle], budget, at, max_parts / 2, origin);
            let rest = (max_parts - first).min(max_parts - max_parts / 4);
            return first + self.refine([middle, end], budget, at, rest, KeyOrigin::Inserted);
        }
        if !is_accurate {
            let jump = if budget.is_spent() { None } else { self.find_jump([start, end], at) };
            if let Some([before, after]) = jump {
                self.push_or_insert(origin, start, SegmentKind::Linear);
                self.insert(before, SegmentKind::Hold);
                self.insert(after, SegmentKind::Linear);
                return 1;
            }
            self.stats.max_error = self.stats.max_error.max(error);
            self.stats.is_budget_limited |= budget.limits_current_gap();
        }
        let segment = if is_still { SegmentKind::Constant } else { SegmentKind::Linear };
        self.push_or_insert(origin, start, segment);
        1
    }

    fn trace_states(
        &mut self,
        [start, end]: [Sample<T>; 2],
        at: &mut impl FnMut(f64) -> T,
        origin: KeyOrigin,
    ) {
        let samples: [Sample<T>; STATE_SAMPLES_PER_GAP + 1] =
            std::array::from_fn(|index| match index {
                0 => start,
                STATE_SAMPLES_PER_GAP => end,
                _ => {
                    let part = index as f64 / STATE_SAMPLES_PER_GAP as f64;
                    let time = start.time + (end.time - start.time) * part;
                    Sample { time, value: at(time) }
                }
            });
        let is_still = samples.iter().all(|sample| sample.value == start.value);
        let segment = if is_still { SegmentKind::Constant } else { SegmentKind::Hold };
        self.push_or_insert(origin, start, segment);
        for (index, pair) in samples.windows(2).enumerate() {
            let [before, after] = [pair[0], pair[1]];
            if before.value == after.value {
                continue;
            }
            match self.find_jump([before, after], at) {
                Some([_, changed]) => self.insert(changed, SegmentKind::Hold),
                None if index + 1 < STATE_SAMPLES_PER_GAP => self.insert(after, SegmentKind::Hold),
                // Insert no key, because the next gap begins with a key at this time.
                None => {}
            }
        }
    }

    fn find_jump(
        &self,
        [mut before, mut after]: [Sample<T>; 2],
        at: &mut impl FnMut(f64) -> T,
    ) -> Option<[Sample<T>; 2]> {
        let distance = before.value.distance(after.value);
        let (first, last) = (before.time, after.time);
        let max_distance = 2.0 * self.steps.step_within(first, last);
        while after.time - before.time > max_distance {
            let time = before.time + 0.5 * (after.time - before.time);
            let middle = Sample { time, value: at(time) };
            if before.value.distance(middle.value) > middle.value.distance(after.value) {
                after = middle;
            } else {
                before = middle;
            }
        }
        let is_jump = before.value.distance(after.value) > 0.5 * distance
            && after.value.is_finite()
            && before.value.is_finite();
        (is_jump && first < before.time && after.time < last).then_some([before, after])
    }
}

fn is_jump<T: Interpolate>(here: T, near: T, mut farther: impl FnMut() -> T) -> bool {
    let step = here.distance(near);
    step > 0.1 * TOLERANCE && step > 8.0 * near.distance(farther())
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    const STEPS: TimeSteps = TimeSteps::single_precision(0.0);

    fn trace(key_times: &[f64], at: impl Fn(f64) -> f64) -> (KeyedCurve<DVec3>, TraceStats) {
        let mut at = |time: f64| DVec3::X * at(time);
        let (mut tracer, budget) =
            (Tracer::new(STEPS, true, false), EvaluationBudget::for_single_values());
        key_times.windows(2).for_each(|gap| tracer.trace_gap(gap[0], gap[1], &budget, &mut at));
        let last = key_times[key_times.len() - 1];
        let (curve, stats) = tracer.finish(last, at(last));
        (curve.unwrap(), stats)
    }

    #[test]
    fn straight_lines_keep_their_own_keys() {
        let (curve, stats) = trace(&[0.0, 1.0, 3.0], |time| if time < 1.0 { time } else { 1.0 });
        assert_eq!(curve.keys().len(), 3);
        assert_eq!(stats, TraceStats { keys: 3, ..TraceStats::default() });
        assert_eq!(
            curve.keys().iter().map(|key| key.segment).collect::<Vec<_>>(),
            [SegmentKind::Linear, SegmentKind::Constant, SegmentKind::Constant]
        );
    }

    #[test]
    fn steps_become_held_keys() {
        let (curve, stats) = trace(&[0.0, 1.0, 2.0], |time| time.floor());
        assert!(curve.is_stepped());
        assert_eq!((stats.inserted, stats.keys), (0, 3));
    }

    #[test]
    fn step_right_after_a_key_is_kept() {
        let next = |time: f64| time.ceil();
        let (curve, _) = trace(&[0.0, 1.0, 2.0], next);
        for time in [0.0, 0.1, 0.9, 1.0, 1.1, 2.0] {
            assert_eq!(curve.value_at(time).x, next(time), "{time}");
        }
    }

    #[test]
    fn steps_far_from_time_0_become_held_keys() {
        for (start, gap) in [(3000.0, 1e-3), (48111.0, 1.0 / 64.0), (1.7e9, 1.0 / 128.0)] {
            let keys: Vec<f64> = (0..20).map(|key| start + f64::from(key) * gap).collect();
            let step = |time: f64| ((time - start) / gap + 1e-6).floor() % 3.0;
            // The output begins at 0, or at the start of the keys.
            for steps in [TimeSteps::single_precision(0.0), TimeSteps::fine(start)] {
                let budget = EvaluationBudget::for_single_values();
                let mut tracer = Tracer::new(steps, true, false);
                keys.windows(2).for_each(|gap| {
                    tracer.trace_gap(gap[0], gap[1], &budget, &mut |time| DVec3::X * step(time));
                });
                let (curve, stats) = tracer.finish(keys[19], DVec3::X * step(keys[19]));
                let curve = curve.unwrap();
                assert!(curve.is_stepped() && stats.inserted == 0, "{start}: {stats:?}");
                for key in &keys[..19] {
                    for part in [0.0, 0.3, 0.9] {
                        let time = key + part * gap;
                        assert_eq!(curve.value_at(time).x, step(time), "{start} {time}");
                    }
                }
            }
        }
    }

    #[test]
    fn jump_at_the_end_of_a_slope_is_kept() {
        let saw = |time: f64| if time < 1.0 { 5.0 * time } else { time - 1.0 };
        let (curve, _) = trace(&[0.0, 1.0, 2.0], saw);
        for time in [0.0, 0.5, 0.999, 1.0, 1.5] {
            assert!((curve.value_at(time).x - saw(time)).abs() < 1e-5, "{time}");
        }
    }

    #[test]
    fn jump_between_keys_gets_two_keys() {
        let leap = |time: f64| if time < 0.3 { time } else { 7.0 - time };
        let (curve, stats) = trace(&[0.0, 1.0], leap);
        assert!(stats.max_error == 0.0 && stats.keys < 30, "{stats:?}");
        for time in [0.0, 0.2, 0.299_99, 0.300_01, 0.5, 1.0] {
            assert!((curve.value_at(time).x - leap(time)).abs() < 1e-5, "{time}");
        }
    }

    #[test]
    fn states_change_at_the_exact_time() {
        let flips = [0.1, 0.3, 0.5, 0.999, 1.26, 1.9999];
        let state = |time: f64| flips.iter().filter(|flip| **flip <= time).count() % 2 == 0;
        let mut tracer = Tracer::new(STEPS, true, true);
        for (from, to) in [(0.0, 1.0), (1.0, 2.0)] {
            tracer.trace_gap(from, to, &EvaluationBudget::for_single_values(), &mut |t| state(t));
        }
        let (curve, _) = tracer.finish(2.0, state(2.0));
        let curve = curve.unwrap();
        assert!(curve.is_stepped(), "{curve:?}");
        for flip in flips {
            for time in [flip - 1e-6, flip + 1e-6] {
                assert_eq!(curve.value_at(time), state(time), "{time}");
            }
        }
    }

    #[test]
    fn last_key_is_kept_on_constant_curves() {
        let mut tracer = Tracer::new(STEPS, true, true);
        for second in 0..5 {
            let from = f64::from(second);
            tracer.trace_gap(
                from,
                from + 1.0,
                &EvaluationBudget::for_single_values(),
                &mut |time: f64| DVec3::X * time.min(1.0),
            );
        }
        let (curve, _) = tracer.finish(5.0, DVec3::X);
        let times: Vec<f64> = curve.unwrap().keys().iter().map(|key| key.time).collect();
        assert_eq!(times, [0.0, 1.0, 5.0]);
    }

    #[test]
    fn keys_are_inserted_within_tolerance() {
        let wave = |time: f64| (6.0 * time).sin();
        let (curve, stats) = trace(&[0.0, 1.0, 2.0], wave);
        assert!(stats.inserted > 100 && stats.max_error == 0.0, "{stats:?}");
        for step in 0..2000 {
            let time = f64::from(step) / 1000.0;
            let error = (curve.value_at(time).x - wave(time)).abs();
            assert!(error < 1.5 * TOLERANCE, "{time}: {error}");
        }
    }

    #[test]
    fn non_finite_values_are_skipped() {
        let at = |time: f64| if time == 1.0 { f64::NAN } else { time };
        let (curve, stats) = trace(&[0.0, 1.0, 2.0, 3.0], at);
        assert_eq!(stats.non_finite, 1);
        assert!(curve.keys().iter().all(|key| key.value.is_finite()));
    }

    #[test]
    fn tracing_error_is_reported() {
        let buzz = |time: f64| (1e6 * time).sin();
        let (_, stats) = trace(&[0.0, 0.01], buzz);
        assert!(stats.max_error > 0.1, "{stats:?}");
    }

    /// The work for a motion that cannot be traced must grow with the number of its keys only, and
    /// late gaps must get keys too.
    #[test]
    fn work_is_bounded_by_the_number_of_keys() {
        for gaps in [1, 30, 3000] {
            let (budget, mut calls) = (EvaluationBudget::for_single_values(), 0_usize);
            let mut tracer = Tracer::new(STEPS, true, false);
            let mut at = |time: f64| {
                budget.spend();
                calls += 1;
                DVec3::X * (1e6 * time).sin()
            };
            for gap in 0..gaps {
                budget.enter_gap();
                tracer.trace_gap(f64::from(gap), f64::from(gap + 1), &budget, &mut at);
            }
            let (curve, stats) = tracer.finish(f64::from(gaps), DVec3::X);
            // Allow some evaluations for the ends of each gap, and for the keys that every gap may
            // have.
            let max_calls = EvaluationBudget::INITIAL_EVALUATIONS
                + gaps as usize * (EvaluationBudget::EVALUATIONS_PER_GAP + 400);
            assert!(calls < max_calls, "{gaps} gaps: {calls} evaluations, more than {max_calls}");
            assert!(
                calls > gaps as usize * EvaluationBudget::EVALUATIONS_PER_GAP,
                "{gaps} gaps: only {calls}"
            );
            assert!(stats.max_error > 0.1, "{stats:?}");
            assert_eq!(stats.is_budget_limited, gaps == 3000, "{gaps} gaps: {stats:?}");
            let keys = curve.unwrap();
            let late = keys.keys().iter().filter(|key| key.time > f64::from(gaps - 1)).count();
            assert!(late > 16, "{gaps} gaps: {late} keys in the last one");
        }
    }

    /// Lines between large numbers need no keys, despite rounding.
    #[test]
    fn rounding_of_large_numbers_inserts_no_keys() {
        let line = |time: f64| 1e13 + 1e13 / 3.0 * time;
        let (curve, stats) = trace(&[0.0, 1.0, 3.0], line);
        assert_eq!((curve.keys().len(), stats.max_error), (3, 0.0));
    }
}
