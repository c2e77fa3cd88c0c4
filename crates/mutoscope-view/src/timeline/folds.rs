//! Folds long gaps without keys, and maps times across them.

use std::sync::Arc;

use mutoscope_core::clip::Span;

/// The width of a folded gap, in points.
pub const FOLD_WIDTH: f64 = 16.0;

const MIN_GAP_SHARE: f64 = 0.05;

/// The share of a gap at either end that stays unfolded, so that no key touches the fold.
const GAP_MARGIN_SHARE: f64 = 0.04;

/// A range of time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The start.
    pub start: f64,
    /// The end.
    pub end: f64,
}

impl Gap {
    fn length(self) -> f64 {
        self.end - self.start
    }
}

/// Time ranges that are each folded to a narrow band. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folds {
    /// The folded gaps, ascending and without overlaps.
    gaps: Arc<[Gap]>,
    /// The total duration of the gaps before each gap, in seconds.
    hidden: Arc<[f64]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisDistance {
    pub(super) unfolded_s: f64,
    /// The number of folds before a time. If the time is within a fold, the part of that fold
    /// before the time is added as a fraction.
    pub(super) folds: f64,
}

impl AxisDistance {
    pub(super) fn points_from(self, other: Self, seconds_per_point: f64) -> f64 {
        (self.unfolded_s - other.unfolded_s) / seconds_per_point
            + (self.folds - other.folds) * FOLD_WIDTH
    }
}

impl Folds {
    /// Returns the folds with `map` applied to the times of all gaps. `map` must keep the order of
    /// times.
    pub(super) fn mapped(&self, map: impl Fn(f64) -> f64) -> Self {
        let gaps = self.gaps.iter();
        Self::new(gaps.map(|gap| Gap { start: map(gap.start), end: map(gap.end) }).collect())
    }

    /// Folds `gaps`, which must ascend, must not overlap and must not be empty.
    pub(super) fn new(gaps: Vec<Gap>) -> Self {
        let mut sum = 0.0;
        let hidden = gaps.iter().map(|gap| {
            let before = sum;
            sum += gap.length();
            before
        });
        Self { hidden: hidden.collect(), gaps: gaps.into() }
    }

    /// Folds the long gaps of `span` that have none of `times`, which must ascend.
    pub fn from_empty_stretches(times: impl IntoIterator<Item = f64>, span: Span) -> Self {
        let inner_times = times.into_iter().filter(|time| (span.start..=span.end()).contains(time));
        let mut gaps = Vec::new();
        let mut last = span.start;
        for time in inner_times.chain([span.end()]) {
            let length = time - last;
            if length > MIN_GAP_SHARE * span.duration {
                let margin = GAP_MARGIN_SHARE * length;
                gaps.push(Gap { start: last + margin, end: time - margin });
            }
            last = time;
        }
        Self::new(gaps)
    }

    /// Returns the folded gaps, ascending.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    pub(super) fn distance_to(&self, time: f64) -> AxisDistance {
        let before = self.gaps.partition_point(|gap| gap.start < time);
        let Some(last) = before.checked_sub(1) else {
            return AxisDistance { unfolded_s: time, folds: 0.0 };
        };
        let gap = self.gaps[last];
        let inside = time.min(gap.end) - gap.start;
        AxisDistance {
            unfolded_s: time - self.hidden[last] - inside,
            folds: last as f64 + inside / gap.length(),
        }
    }

    pub(super) fn time_after(&self, from: f64, points: f64, seconds_per_point: f64) -> f64 {
        if self.gaps.is_empty() {
            return from + points * seconds_per_point;
        }
        let start = self.distance_to(from);
        let points_to = |time| self.distance_to(time).points_from(start, seconds_per_point);
        // Find the last fold that begins at or before the position. The position is within this
        // fold, or between it and the next one.
        let begun = self.gaps.partition_point(|gap| points_to(gap.start) <= points);
        let before = begun.checked_sub(1).map(|last| self.gaps[last]);
        let after = self.gaps.get(begun);
        if let Some(gap) = before.filter(|gap| points < points_to(gap.start) + FOLD_WIDTH) {
            return gap.start + gap.length() * (points - points_to(gap.start)) / FOLD_WIDTH;
        }
        let is_unfolded =
            before.is_none_or(|gap| from >= gap.end) && after.is_none_or(|gap| from <= gap.start);
        match (before, after) {
            // If no fold is between the two times, use the formula without folds, because it has a
            // smaller rounding error.
            _ if is_unfolded => from + points * seconds_per_point,
            (Some(gap), _) => gap.end + (points - points_to(gap.end)) * seconds_per_point,
            (None, Some(gap)) => gap.start + (points - points_to(gap.start)) * seconds_per_point,
            (None, None) => from + points * seconds_per_point,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span { start: 0.0, duration: 100.0 };

    #[test]
    fn only_long_stretches_without_keys_are_folded() {
        let times = [0.0, 1.0, 3.0, 53.0, 54.0, 58.0];
        let folds = Folds::from_empty_stretches(times, SPAN);
        let gaps: Vec<_> = folds.gaps().iter().map(|gap| (gap.start, gap.end)).collect();
        assert_eq!(gaps, [(5.0, 51.0), (58.0 + 1.68, 100.0 - 1.68)]);
        assert!(Folds::from_empty_stretches([], Span::default()).gaps().is_empty());
    }

    #[test]
    fn folded_gaps_have_band_width() {
        let folds =
            Folds::new(vec![Gap { start: 10.0, end: 20.0 }, Gap { start: 50.0, end: 90.0 }]);
        let x = |time| folds.distance_to(time).points_from(folds.distance_to(0.0), 0.5);
        assert_eq!(x(10.0), 20.0);
        assert_eq!(x(20.0), 20.0 + FOLD_WIDTH);
        assert_eq!(x(15.0), 20.0 + FOLD_WIDTH / 2.0);
        assert_eq!(x(50.0) - x(20.0), 60.0);
        assert_eq!(x(92.0) - x(50.0), FOLD_WIDTH + 4.0);
    }

    #[test]
    fn time_to_folded_distance_round_trips() {
        let folds =
            Folds::new(vec![Gap { start: 10.0, end: 20.0 }, Gap { start: 50.0, end: 90.0 }]);
        for from in [-3.0, 0.0, 10.0, 13.0, 20.0, 49.0, 60.0, 95.0] {
            for to in [-5.0, 2.0, 10.0, 11.0, 19.5, 20.0, 30.0, 50.0, 71.0, 90.0, 120.0] {
                for scale in [0.01, 0.7] {
                    let points = folds.distance_to(to).points_from(folds.distance_to(from), scale);
                    let found = folds.time_after(from, points, scale);
                    assert!((found - to).abs() < 1e-9, "{from} to {to}: {found}");
                }
            }
        }
    }
}
