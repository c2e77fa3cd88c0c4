//! Tracing: from anything that has a value at every time to a [`KeyedCurve`]: its own keys, and as
//! many between them as needed where it is not linear.

use super::{
    effort::Effort,
    keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind, moment},
};

/// The tolerance of a traced curve: metres, radians, or a factor.
pub(super) const TOLERANCE: f64 = 1e-5;

/// The relative rounding error of numbers that are computed from several others.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The shortest gap between keys that are put in, in seconds: Blender keeps apart what is farther
/// apart than a hundredth of a frame, and few scenes have less than 20 frames a second.
pub(super) const SHORTEST: f64 = 1.0 / 2000.0;

/// In how many parts of a gap a state is looked at: one that changes twice within a part is missed.
const STATE_PARTS: usize = 8;

/// Traces a value from one key to the next.
#[derive(Debug)]
pub(super) struct Tracer<T> {
    keys: Vec<Key<T>>,
    /// Whether keys are inserted where it is not linear.
    refines: bool,
    /// Whether keys at which it stays as it was are skipped.
    thins: bool,
    /// How far it may be off between keys.
    tolerance: f64,
    /// The shortest gap between keys that are put in, in seconds.
    shortest: f64,
    tally: Tally,
}

/// The result of tracing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// How many keys there are.
    pub(super) keys: usize,
    /// How many of them were put in.
    pub(super) put_in: usize,
    /// How many were skipped because they are not finite.
    pub(super) no_numbers: usize,
    /// The error of the curve where more keys would have been too close.
    pub(super) farthest: f64,
    /// Whether the limit of the work is the reason for that.
    pub(super) is_cut_short: bool,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.keys += other.keys;
        self.put_in += other.put_in;
        self.no_numbers += other.no_numbers;
        self.farthest = self.farthest.max(other.farthest);
        self.is_cut_short |= other.is_cut_short;
    }
}

impl<T: Interpolate> Tracer<T> {
    pub(super) fn new(refines: bool, thins: bool) -> Self {
        let (tolerance, shortest) = (TOLERANCE, SHORTEST);
        Self { keys: Vec::new(), refines, thins, tolerance, shortest, tally: Tally::default() }
    }

    /// The same with keys at least that far apart, in seconds, instead of [`SHORTEST`].
    pub(super) fn apart(self, shortest: f64) -> Self {
        Self { shortest, ..self }
    }

    /// The same with another tolerance than [`TOLERANCE`].
    pub(super) fn within(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Traces it from one key at the time `from` up to the next at `to`, in seconds, within the
    /// limit of `effort`.
    pub(super) fn gap(
        &mut self,
        from: f64,
        to: f64,
        effort: &Effort,
        at: &mut impl FnMut(f64) -> T,
    ) {
        let (start, end) = (at(from), at(to));
        if !start.is_finite() {
            self.tally.no_numbers += 1;
        } else if !end.is_finite() {
            self.push(from, start, SegmentKind::Hold);
        } else if !self.refines || to - from < 8.0 * moment(to) {
            let segment = if start == end { SegmentKind::Constant } else { SegmentKind::Linear };
            self.push(from, start, segment);
        } else {
            self.between([(from, start), (to, end)], effort, at);
        }
    }

    /// Ends with a key at `time`, in seconds; without any finite key there is no curve.
    pub(super) fn end(mut self, time: f64, value: T) -> (Option<KeyedCurve<T>>, Tally) {
        if value.is_finite() {
            // Also where it has not changed for long: the last key says how long it lasts.
            self.keys.push(Key { time, value, segment: SegmentKind::Constant });
        } else {
            self.tally.no_numbers += 1;
        }
        self.tally.keys = self.keys.len();
        ((!self.keys.is_empty()).then(|| KeyedCurve::new(self.keys)), self.tally)
    }

    fn push(&mut self, time: f64, value: T, segment: SegmentKind) {
        let steps = T::IS_STATE && segment == SegmentKind::Linear;
        let segment = if steps { SegmentKind::Hold } else { segment };
        if let Some(last) = self.keys.last()
            && self.thins
            && (last.segment, segment) == (SegmentKind::Constant, SegmentKind::Constant)
            && last.value == value
        {
            return;
        }
        self.keys.push(Key { time, value, segment });
    }

    fn put_in(&mut self, time: f64, value: T, segment: SegmentKind) {
        let before = self.keys.len();
        self.push(time, value, segment);
        self.tally.put_in += self.keys.len() - before;
    }

    /// Samples right after the first key and right before the second: where it jumps, it holds.
    fn between(
        &mut self,
        [(from, start), (to, end)]: [(f64, T); 2],
        effort: &Effort,
        at: &mut impl FnMut(f64) -> T,
    ) {
        let moment = moment(to);
        let (after, before) = (from + moment, to - moment);
        let (out, facing) = (at(after), at(before));
        let jumps_out = jumps(start, out, || at(after + moment));
        let jumps_in = jumps(end, facing, || at(before - moment));
        let middles = [0.25, 0.5, 0.75].map(|part| at(from + (to - from) * part));
        if jumps_in && !jumps_out && middles.iter().chain([&facing]).all(|&value| value == start) {
            self.push(from, start, SegmentKind::Hold);
            return;
        }
        let mut piece = (from, start, to, end);
        if jumps_out {
            self.push(from, start, SegmentKind::Hold);
            piece = (after, out, to, end);
        }
        if jumps_in {
            (piece.2, piece.3) = (before, facing);
        }
        let (from, start, to, end) = piece;
        let ends = [(from, start), (to, end)];
        if T::IS_STATE {
            self.states(ends, at, jumps_out);
        } else {
            self.refine(ends, effort, at, effort.keys_in_gap(), jumps_out);
        }
        if jumps_in {
            self.put_in(to, end, SegmentKind::Hold);
        }
    }

    /// Bisects a gap in which it is not linear, into at most `most` parts; returns their number.
    fn refine(
        &mut self,
        [(from, start), (to, end)]: [(f64, T); 2],
        effort: &Effort,
        at: &mut impl FnMut(f64) -> T,
        most: usize,
        is_put_in: bool,
    ) -> usize {
        let mut off = 0.0;
        let mut is_still = start == end;
        for part in [0.25, 0.5, 0.75] {
            let value = at(from + (to - from) * part);
            is_still &= value == start;
            // Non-finite values cannot be approximated.
            if value.is_finite() {
                off = value.distance(start.between(end, part)).max(off);
            }
        }
        let is_near = off <= self.tolerance.max(ROUNDING * start.magnitude().max(end.magnitude()));
        let is_too_close = to - from < 2.0 * self.shortest.max(4.0 * moment(to));
        let middle = from + 0.5 * (to - from);
        let half = (!is_near && !is_too_close && most > 1).then(|| at(middle));
        if let Some(half) = half.filter(|half| half.is_finite()) {
            // The second half gets what the first does not need, but never all of it: halves of halves
            // would never end.
            let first =
                self.refine([(from, start), (middle, half)], effort, at, most / 2, is_put_in);
            let rest = (most - first).min(most - most / 4);
            return first + self.refine([(middle, half), (to, end)], effort, at, rest, true);
        }
        if !is_near {
            let found = if effort.is_spent() { None } else { leap([(from, start), (to, end)], at) };
            if let Some([left, right]) = found {
                self.put_in_if(is_put_in, (from, start), SegmentKind::Linear);
                self.put_in(left.0, left.1, SegmentKind::Hold);
                self.put_in(right.0, right.1, SegmentKind::Linear);
                return 1;
            }
            self.tally.farthest = self.tally.farthest.max(off);
            self.tally.is_cut_short |= effort.is_low();
        }
        let segment = if is_still { SegmentKind::Constant } else { SegmentKind::Linear };
        self.put_in_if(is_put_in, (from, start), segment);
        1
    }

    /// From one state to another: each holds until the moment at which it changes.
    fn states(
        &mut self,
        [(from, start), (to, end)]: [(f64, T); 2],
        at: &mut impl FnMut(f64) -> T,
        is_put_in: bool,
    ) {
        let time = |part: usize| match part {
            STATE_PARTS => to,
            _ => from + (to - from) * (part as f64 / STATE_PARTS as f64),
        };
        let mut values = [start; STATE_PARTS + 1];
        (1..STATE_PARTS).for_each(|part| values[part] = at(time(part)));
        values[STATE_PARTS] = end;
        let is_still = values.iter().all(|value| *value == start);
        let segment = if is_still { SegmentKind::Constant } else { SegmentKind::Hold };
        self.put_in_if(is_put_in, (from, start), segment);
        for part in 0..STATE_PARTS {
            let ends = [part, part + 1].map(|index| (time(index), values[index]));
            if ends[0].1 == ends[1].1 {
                continue;
            }
            match leap(ends, at) {
                Some([_, (time, value)]) => self.put_in(time, value, SegmentKind::Hold),
                None if part + 1 < STATE_PARTS => {
                    self.put_in(ends[1].0, ends[1].1, SegmentKind::Hold)
                }
                // There is a key at the end anyway.
                None => {}
            }
        }
    }

    fn put_in_if(&mut self, is_put_in: bool, (time, value): (f64, T), segment: SegmentKind) {
        if is_put_in {
            self.put_in(time, value, segment);
        } else {
            self.push(time, value, segment);
        }
    }
}

/// The times right before and right after a jump, if a jump is why it is not linear between two
/// samples.
fn leap<T: Interpolate>(
    [(mut from, mut start), (mut to, mut end)]: [(f64, T); 2],
    at: &mut impl FnMut(f64) -> T,
) -> Option<[(f64, T); 2]> {
    let way = start.distance(end);
    let (first, last) = (from, to);
    while to - from > 2.0 * moment(to) {
        let middle = from + 0.5 * (to - from);
        let half = at(middle);
        if start.distance(half) > half.distance(end) {
            (to, end) = (middle, half);
        } else {
            (from, start) = (middle, half);
        }
    }
    let is_leap = start.distance(end) > 0.5 * way && end.is_finite() && start.is_finite();
    (is_leap && first < from && to < last).then_some([(from, start), (to, end)])
}

/// Whether it jumps from `near` to `here`: by much more than from a slightly farther time.
fn jumps<T: Interpolate>(here: T, near: T, mut farther: impl FnMut() -> T) -> bool {
    let step = here.distance(near);
    step > 0.1 * TOLERANCE && step > 8.0 * near.distance(farther())
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn traced(breaks: &[f64], at: impl Fn(f64) -> f64) -> (KeyedCurve<DVec3>, Tally) {
        let mut at = |time: f64| DVec3::X * at(time);
        let (mut tracer, effort) = (Tracer::new(true, false), Effort::single());
        breaks.windows(2).for_each(|gap| tracer.gap(gap[0], gap[1], &effort, &mut at));
        let last = breaks[breaks.len() - 1];
        let (curve, tally) = tracer.end(last, at(last));
        (curve.unwrap(), tally)
    }

    #[test]
    fn straight_lines_keep_their_own_keys() {
        let (curve, tally) = traced(&[0.0, 1.0, 3.0], |time| if time < 1.0 { time } else { 1.0 });
        assert_eq!(curve.keys().len(), 3);
        assert_eq!(tally, Tally { keys: 3, ..Tally::default() });
        assert_eq!(
            curve.keys().iter().map(|key| key.segment).collect::<Vec<_>>(),
            [SegmentKind::Linear, SegmentKind::Constant, SegmentKind::Constant]
        );
    }

    #[test]
    fn steps_hold() {
        let (curve, tally) = traced(&[0.0, 1.0, 2.0], |time| time.floor());
        assert!(curve.is_stepped());
        assert_eq!((tally.put_in, tally.keys), (0, 3));
    }

    #[test]
    fn step_right_after_a_key_is_kept() {
        let next = |time: f64| time.ceil();
        let (curve, _) = traced(&[0.0, 1.0, 2.0], next);
        for time in [0.0, 0.1, 0.9, 1.0, 1.1, 2.0] {
            assert_eq!(curve.at(time).x, next(time), "{time}");
        }
    }

    #[test]
    fn jump_at_the_end_of_a_slope_is_kept() {
        let saw = |time: f64| if time < 1.0 { 5.0 * time } else { time - 1.0 };
        let (curve, _) = traced(&[0.0, 1.0, 2.0], saw);
        for time in [0.0, 0.5, 0.999, 1.0, 1.5] {
            assert!((curve.at(time).x - saw(time)).abs() < 1e-5, "{time}");
        }
    }

    #[test]
    fn jump_between_keys_is_found() {
        let leap = |time: f64| if time < 0.3 { time } else { 7.0 - time };
        let (curve, tally) = traced(&[0.0, 1.0], leap);
        assert!(tally.farthest == 0.0 && tally.keys < 30, "{tally:?}");
        for time in [0.0, 0.2, 0.299_99, 0.300_01, 0.5, 1.0] {
            assert!((curve.at(time).x - leap(time)).abs() < 1e-5, "{time}");
        }
    }

    #[test]
    fn states_change_at_the_exact_time() {
        let flips = [0.1, 0.3, 0.5, 0.999, 1.26, 1.9999];
        let state = |time: f64| flips.iter().filter(|flip| **flip <= time).count() % 2 == 0;
        let mut tracer = Tracer::new(true, true);
        for (from, to) in [(0.0, 1.0), (1.0, 2.0)] {
            tracer.gap(from, to, &Effort::single(), &mut |t| state(t));
        }
        let (curve, _) = tracer.end(2.0, state(2.0));
        let curve = curve.unwrap();
        assert!(curve.is_stepped(), "{curve:?}");
        for flip in flips {
            for time in [flip - 1e-6, flip + 1e-6] {
                assert_eq!(curve.at(time), state(time), "{time}");
            }
        }
    }

    #[test]
    fn last_key_is_kept_on_constant_curves() {
        let mut tracer = Tracer::new(true, true);
        for second in 0..5 {
            let from = f64::from(second);
            tracer.gap(from, from + 1.0, &Effort::single(), &mut |time: f64| {
                DVec3::X * time.min(1.0)
            });
        }
        let (curve, _) = tracer.end(5.0, DVec3::X);
        let times: Vec<f64> = curve.unwrap().keys().iter().map(|key| key.time).collect();
        assert_eq!(times, [0.0, 1.0, 5.0]);
    }

    #[test]
    fn keys_are_inserted_within_tolerance() {
        let wave = |time: f64| (6.0 * time).sin();
        let (curve, tally) = traced(&[0.0, 1.0, 2.0], wave);
        assert!(tally.put_in > 100 && tally.farthest == 0.0, "{tally:?}");
        for step in 0..2000 {
            let time = f64::from(step) / 1000.0;
            let off = (curve.at(time).x - wave(time)).abs();
            assert!(off < 1.5 * TOLERANCE, "{time}: {off}");
        }
    }

    #[test]
    fn non_finite_values_are_skipped() {
        let at = |time: f64| if time == 1.0 { f64::NAN } else { time };
        let (curve, tally) = traced(&[0.0, 1.0, 2.0, 3.0], at);
        assert_eq!(tally.no_numbers, 1);
        assert!(curve.keys().iter().all(|key| key.value.is_finite()));
    }

    #[test]
    fn tracing_error_is_reported() {
        let buzz = |time: f64| (1e6 * time).sin();
        let (_, tally) = traced(&[0.0, 0.01], buzz);
        assert!(tally.farthest > 0.1, "{tally:?}");
    }

    /// The work for motion that cannot be traced grows with the number of its keys only; late gaps
    /// get keys, too.
    #[test]
    fn work_is_bounded_by_the_number_of_keys() {
        for gaps in [1, 30, 3000] {
            let (effort, mut calls) = (Effort::single(), 0_usize);
            let mut tracer = Tracer::new(true, false);
            let mut at = |time: f64| {
                effort.spend();
                calls += 1;
                DVec3::X * (1e6 * time).sin()
            };
            for gap in 0..gaps {
                effort.enter_gap();
                tracer.gap(f64::from(gap), f64::from(gap + 1), &effort, &mut at);
            }
            let (curve, tally) = tracer.end(f64::from(gaps), DVec3::X);
            // A few for each of the keys that every gap may have, and for its ends.
            let most = Effort::MOST + gaps as usize * (Effort::PER_GAP + 400);
            assert!(calls < most, "{gaps} gaps: {calls} evaluations, more than {most}");
            assert!(calls > gaps as usize * Effort::PER_GAP, "{gaps} gaps: only {calls}");
            assert!(tally.farthest > 0.1, "{tally:?}");
            assert_eq!(tally.is_cut_short, gaps == 3000, "{gaps} gaps: {tally:?}");
            let keys = curve.unwrap();
            let late = keys.keys().iter().filter(|key| key.time > f64::from(gaps - 1)).count();
            assert!(late > 16, "{gaps} gaps: {late} keys in the last one");
        }
    }

    /// Lines between large numbers need no keys, despite rounding.
    #[test]
    fn rounding_of_large_numbers_inserts_no_keys() {
        let line = |time: f64| 1e13 + 1e13 / 3.0 * time;
        let (curve, tally) = traced(&[0.0, 1.0, 3.0], line);
        assert_eq!((curve.keys().len(), tally.farthest), (3, 0.0));
    }
}
