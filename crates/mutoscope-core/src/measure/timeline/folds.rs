//! Long stretches without keys, and times without them.

use std::sync::Arc;

use crate::clip::Span;

/// How wide a folded stretch is, in points.
pub const BAND: f64 = 16.0;

/// Stretches without keys are folded if they are a larger part of the recording than this.
const SHARE: f64 = 0.05;

/// How much of a stretch stays at either end, as a part of its length: so that no key stands on
/// the fold.
const MARGIN: f64 = 0.04;

/// A stretch of time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Where it begins.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
}

impl Gap {
    fn length(self) -> f64 {
        self.end - self.start
    }
}

/// Stretches of time that are folded to a narrow band each. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folds {
    /// Ascending, apart from each other.
    gaps: Arc<[Gap]>,
    /// For each gap, how long those before it are together.
    hidden: Arc<[f64]>,
}

/// How far along a folded axis a time is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// Seconds that are not folded, counted from 0 s.
    pub(super) open: f64,
    /// Folds, and the part of the one that the time is in.
    pub(super) bands: f64,
}

impl Way {
    /// From another way to this one in points, this many seconds each where nothing is folded.
    pub(super) fn points_from(self, other: Self, seconds_per_point: f64) -> f64 {
        (self.open - other.open) / seconds_per_point + (self.bands - other.bands) * BAND
    }
}

impl Folds {
    /// The same with every time mapped by `own`, which keeps their order.
    pub(super) fn mapped(&self, own: impl Fn(f64) -> f64) -> Self {
        let gaps = self.gaps.iter();
        Self::new(gaps.map(|gap| Gap { start: own(gap.start), end: own(gap.end) }).collect())
    }

    /// Folds `gaps`: ascending, apart from each other, none empty.
    pub(super) fn new(gaps: Vec<Gap>) -> Self {
        let mut sum = 0.0;
        let hidden = gaps.iter().map(|gap| {
            let before = sum;
            sum += gap.length();
            before
        });
        Self { hidden: hidden.collect(), gaps: gaps.into() }
    }

    /// The stretches of `span` in which none of `moments` lies, which ascend, if they are long.
    pub fn of_empty_stretches(moments: impl IntoIterator<Item = f64>, span: Span) -> Self {
        let inside = moments.into_iter().filter(|time| (span.start..=span.end()).contains(time));
        let mut gaps = Vec::new();
        let mut last = span.start;
        for time in inside.chain([span.end()]) {
            let length = time - last;
            if length > SHARE * span.duration {
                let margin = MARGIN * length;
                gaps.push(Gap { start: last + margin, end: time - margin });
            }
            last = time;
        }
        Self::new(gaps)
    }

    /// The folded stretches, ascending.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// How far along `time` is.
    pub(super) fn way(&self, time: f64) -> Way {
        let before = self.gaps.partition_point(|gap| gap.start < time);
        let Some(last) = before.checked_sub(1) else { return Way { open: time, bands: 0.0 } };
        let gap = self.gaps[last];
        let inside = time.min(gap.end) - gap.start;
        Way { open: time - self.hidden[last] - inside, bands: last as f64 + inside / gap.length() }
    }

    /// The time that is `points` after `from`, where this many seconds are one point.
    pub(super) fn time_after(&self, from: f64, points: f64, seconds_per_point: f64) -> f64 {
        if self.gaps.is_empty() {
            return from + points * seconds_per_point;
        }
        let start = self.way(from);
        let to = |time| self.way(time).points_from(start, seconds_per_point);
        // The place is in the last fold that begins at or before it, or between that and the next.
        let begun = self.gaps.partition_point(|gap| to(gap.start) <= points);
        let before = begun.checked_sub(1).map(|last| self.gaps[last]);
        let after = self.gaps.get(begun);
        if let Some(gap) = before.filter(|gap| points < to(gap.start) + BAND) {
            return gap.start + gap.length() * (points - to(gap.start)) / BAND;
        }
        let is_there =
            before.is_none_or(|gap| from >= gap.end) && after.is_none_or(|gap| from <= gap.start);
        match (before, after) {
            // With nothing folded on the way, as exact as without folds.
            _ if is_there => from + points * seconds_per_point,
            (Some(gap), _) => gap.end + (points - to(gap.end)) * seconds_per_point,
            (None, Some(gap)) => gap.start + (points - to(gap.start)) * seconds_per_point,
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
        let moments = [0.0, 1.0, 3.0, 53.0, 54.0, 58.0];
        let folds = Folds::of_empty_stretches(moments, SPAN);
        let gaps: Vec<_> = folds.gaps().iter().map(|gap| (gap.start, gap.end)).collect();
        assert_eq!(gaps, [(5.0, 51.0), (58.0 + 1.68, 100.0 - 1.68)]);
        assert!(Folds::of_empty_stretches([], Span::default()).gaps().is_empty());
    }

    #[test]
    fn folded_gaps_have_band_width() {
        let folds =
            Folds::new(vec![Gap { start: 10.0, end: 20.0 }, Gap { start: 50.0, end: 90.0 }]);
        let x = |time| folds.way(time).points_from(folds.way(0.0), 0.5);
        assert_eq!(x(10.0), 20.0);
        assert_eq!(x(20.0), 20.0 + BAND);
        assert_eq!(x(15.0), 20.0 + BAND / 2.0);
        assert_eq!(x(50.0) - x(20.0), 60.0);
        assert_eq!(x(92.0) - x(50.0), BAND + 4.0);
    }

    #[test]
    fn time_to_folded_distance_round_trips() {
        let folds =
            Folds::new(vec![Gap { start: 10.0, end: 20.0 }, Gap { start: 50.0, end: 90.0 }]);
        for from in [-3.0, 0.0, 10.0, 13.0, 20.0, 49.0, 60.0, 95.0] {
            for to in [-5.0, 2.0, 10.0, 11.0, 19.5, 20.0, 30.0, 50.0, 71.0, 90.0, 120.0] {
                for scale in [0.01, 0.7] {
                    let points = folds.way(to).points_from(folds.way(from), scale);
                    let found = folds.time_after(from, points, scale);
                    assert!((found - to).abs() < 1e-9, "{from} to {to}: {found}");
                }
            }
        }
    }
}
