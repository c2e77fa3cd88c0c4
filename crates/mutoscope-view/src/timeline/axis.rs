//! Maps times to screen positions.

use super::folds::{FOLD_WIDTH, Folds, Gap};
use mutoscope_core::clip::Span;

const MIN_DURATION_S: f64 = 1e-5;

/// The duration of the window around a recording of one sample, in seconds.
const STILL_DURATION_S: f64 = 1.0;

const MARGIN_SHARE: f64 = 0.01;

/// The maximum share of an axis that folds may cover. If the folds would cover more, nothing is
/// folded.
const MAX_FOLDED_SHARE: f64 = 0.75;

/// The visible time range of a recording, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeWindow {
    /// The time at the left end.
    pub start: f64,
    /// The time at the right end.
    pub end: f64,
}

impl TimeWindow {
    /// Returns the window that shows all of `span`, with a small margin on either side.
    pub fn around(span: Span) -> Self {
        let margin = match span.duration {
            0.0 => STILL_DURATION_S / 2.0,
            duration => (duration * MARGIN_SHARE).max(MIN_DURATION_S / 2.0),
        };
        Self { start: span.start - margin, end: span.end() + margin }
    }

    /// Returns the duration of the window, in seconds.
    pub fn duration(self) -> f64 {
        self.end - self.start
    }

    /// Moves and narrows this window, so that it shows only `span` and a small margin on either
    /// side.
    pub fn clamped_to(self, span: Span) -> Self {
        let all = Self::around(span);
        if self.duration() >= all.duration() {
            return all;
        }
        let start = self.start.clamp(all.start, all.end - self.duration());
        Self { start, end: start + self.duration() }
    }
}

/// The mapping of times to points on the screen. Times are `f64` seconds, because `f32` cannot
/// represent microseconds within an hour.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeAxis {
    /// The time at the left end.
    pub start: f64,
    /// The time at the right end.
    pub end: f64,
    /// The seconds per point outside of folds.
    pub seconds_per_point: f64,
    /// The position of the left end on the screen, in points.
    pub left: f32,
    /// The position of the right end on the screen, in points.
    pub right: f32,
    folds: Folds,
}

impl TimeAxis {
    /// Maps `window` to the points between `left` and `right`, without folds.
    pub fn new(window: TimeWindow, left: f32, right: f32) -> Self {
        Self::folded(window, left, right, Folds::default())
    }

    /// Maps `window` to the points between `left` and `right`, with the gaps in `folds` folded.
    pub fn folded(window: TimeWindow, left: f32, right: f32, folds: Folds) -> Self {
        let width = f64::from((right - left).max(1.0));
        let (from, to) = (folds.distance_to(window.start), folds.distance_to(window.end));
        let folds_width = (to.folds - from.folds) * FOLD_WIDTH;
        let axis = |seconds_per_point, folds| Self {
            start: window.start,
            end: window.end,
            seconds_per_point,
            left,
            right: left + width as f32,
            folds,
        };
        if folds_width > MAX_FOLDED_SHARE * width || to.unfolded_s <= from.unfolded_s {
            return axis(window.duration() / width, Folds::default());
        }
        axis((to.unfolded_s - from.unfolded_s) / (width - folds_width), folds)
    }

    /// Returns the axis in the time of a clip, at the same screen positions. When this axis is at
    /// the time t, the clip is at `(t - offset) * rate`, in seconds.
    #[must_use]
    pub fn retimed(&self, offset: f64, rate: f64) -> Self {
        if offset == 0.0 && rate == 1.0 {
            return self.clone();
        }
        let to_own_time = |time: f64| (time - offset) * rate;
        Self {
            start: to_own_time(self.start),
            end: to_own_time(self.end),
            seconds_per_point: self.seconds_per_point * rate,
            folds: self.folds.mapped(to_own_time),
            ..*self
        }
    }

    /// Returns the width, in points.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Returns the visible time range.
    pub fn window(&self) -> TimeWindow {
        TimeWindow { start: self.start, end: self.end }
    }

    /// Returns the time at the right end.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Returns the screen position of `time`, limited to a million points on either side.
    pub fn x_at(&self, time: f64) -> f32 {
        (f64::from(self.left) + self.points_to(time)).clamp(-1e6, 1e6) as f32
    }

    pub(super) fn points_to(&self, time: f64) -> f64 {
        let start = self.folds.distance_to(self.start);
        self.folds.distance_to(time).points_from(start, self.seconds_per_point)
    }

    /// Returns the time at the screen position `x`.
    pub fn time_at(&self, x: f32) -> f64 {
        self.time_after(f64::from(x) - f64::from(self.left))
    }

    /// Returns the time at this number of points after the left end.
    pub fn time_after(&self, points: f64) -> f64 {
        self.folds.time_after(self.start, points, self.seconds_per_point)
    }

    /// Returns `true` if `time` is on the axis.
    pub fn contains(&self, time: f64) -> bool {
        (self.start..=self.end).contains(&time)
    }

    /// Returns the folded gaps on the axis, from left to right.
    pub fn folds(&self) -> impl Iterator<Item = Gap> + '_ {
        let gaps = self.folds.gaps();
        let first = gaps.partition_point(|gap| gap.end < self.start);
        gaps[first..].iter().copied().take_while(|gap| gap.start <= self.end)
    }

    /// Returns the time ranges between the folds, from left to right.
    pub fn open_stretches(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let ends = self.folds().map(|gap| gap.start).chain([self.end]);
        let starts = [self.start].into_iter().chain(self.folds().map(|gap| gap.end));
        starts.zip(ends).filter(|(start, end)| start < end)
    }

    /// Returns the window after panning by this number of points towards later times, within
    /// `bounds`.
    pub fn panned(&self, points: f64, bounds: Span) -> TimeWindow {
        self.shifted(self.window(), points, self.seconds_per_point, bounds)
    }

    /// Returns the window after panning its left end to `start`, or as near to `start` as `bounds`
    /// allow.
    pub fn moved_to(&self, start: f64, bounds: Span) -> TimeWindow {
        self.panned(self.points_to(start), bounds)
    }

    /// Returns the window after zooming in by `factor` around `x`, within `bounds`.
    pub fn zoomed(&self, factor: f64, x: f32, bounds: Span) -> TimeWindow {
        let all = TimeWindow::around(bounds);
        let width = f64::from(self.width());
        let points = f64::from(x) - f64::from(self.left);
        let time = self.time_after(points);
        let seconds_per_point = (self.seconds_per_point / factor).max(MIN_DURATION_S / width);
        let distance_to = |time| self.folds.distance_to(time);
        if distance_to(all.end).points_from(distance_to(all.start), seconds_per_point) <= width {
            return all;
        }
        let time_at = |points| self.folds.time_after(time, points, seconds_per_point);
        let window = TimeWindow { start: time_at(-points), end: time_at(width - points) };
        self.shifted(window, 0.0, seconds_per_point, bounds)
    }

    /// Returns a window that shows `time`. This is the current window if it shows `time`. Otherwise
    /// the window is panned so that `time` is near its left end.
    pub fn showing(&self, time: f64, bounds: Span) -> TimeWindow {
        if self.contains(time) {
            return self.window();
        }
        self.panned(self.points_to(time) - 0.1 * f64::from(self.width()), bounds)
    }

    fn shifted(
        &self,
        window: TimeWindow,
        points: f64,
        seconds_per_point: f64,
        bounds: Span,
    ) -> TimeWindow {
        let all = TimeWindow::around(bounds);
        let points_from = |from, to| {
            self.folds.distance_to(to).points_from(self.folds.distance_to(from), seconds_per_point)
        };
        let (room_left, room_right) =
            (points_from(window.start, all.start), points_from(window.end, all.end));
        if room_left >= room_right {
            return all;
        }
        let points = points.clamp(room_left, room_right);
        if points == 0.0 {
            return window;
        }
        let shift = |time| self.folds.time_after(time, points, seconds_per_point);
        TimeWindow { start: shift(window.start), end: shift(window.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Span = Span { start: 0.0, duration: 3600.0 };

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    fn folds() -> Folds {
        Folds::new(vec![
            Gap { start: 600.0, end: 1200.0 },
            Gap { start: 1300.0, end: 1900.0 },
            Gap { start: 3000.0, end: 3500.0 },
        ])
    }

    #[test]
    fn window_around_one_sample_has_seconds_that_fit() {
        let one_sample = Span { start: 2.0, duration: 0.0 };
        assert_eq!(TimeWindow::around(one_sample), TimeWindow { start: 1.5, end: 2.5 });
    }

    #[test]
    fn retimed_axis_keeps_positions() {
        let axis = TimeAxis::folded(TimeWindow::around(HOUR), 10.0, 810.0, folds());
        let own = axis.retimed(100.0, 0.5);
        for time in [0.0, 99.5, 700.0, 1250.0, 2500.0, 3600.0] {
            let x = axis.x_at(time);
            assert!((own.x_at((time - 100.0) * 0.5) - x).abs() < 1e-2, "{time}");
            assert!((own.time_at(x) - (axis.time_at(x) - 100.0) * 0.5).abs() < 1e-6, "{time}");
        }
        assert_eq!(axis.retimed(0.0, 1.0), axis);
    }

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        for folds in [Folds::default(), folds()] {
            let mut window = TimeWindow::around(HOUR);
            let time = 1_234.567_891_23;
            for _ in 0..400 {
                let axis = TimeAxis::folded(window, 100.0, 1100.0, folds.clone());
                let before = axis.x_at(time);
                window = axis.zoomed(1.1, before, HOUR);
                let after = TimeAxis::folded(window, 100.0, 1100.0, folds.clone()).x_at(time);
                assert!((before - after).abs() < 0.01, "{before} {after} {window:?}");
            }
            assert!(
                (window.duration() - MIN_DURATION_S).abs() < 1e-3 * MIN_DURATION_S,
                "{}",
                window.duration()
            );
        }
    }

    #[test]
    fn microsecond_zoom_in_an_hour_is_stable() {
        let start = 3_599.123_456;
        let mut window = TimeWindow { start, end: start + 1e-4 };
        let times: Vec<f64> = (0..100).map(|micro| start + f64::from(micro) * 1e-6).collect();
        // There are ten points per microsecond, and each step pans by a third of a point.
        for step in 0..300 {
            let axis = TimeAxis::new(window, 50.0, 1050.0);
            for (index, &time) in times.iter().enumerate() {
                let expected = 50.0 + 10.0 * index as f64 - f64::from(step) / 3.0;
                let x = f64::from(axis.x_at(time));
                assert!((x - expected).abs() < 0.02, "step {step}: {x} instead of {expected}");
                assert!((axis.time_at(axis.x_at(time)) - time).abs() < 1e-9);
            }
            window = axis.panned(1.0 / 3.0, HOUR);
        }
    }

    #[test]
    fn windows_stay_within_the_recording() {
        for folds in [Folds::default(), folds()] {
            let axis = |window| TimeAxis::folded(window, 0.0, 800.0, folds.clone());
            let all = TimeWindow::around(HOUR);
            let close = axis(axis(all).zoomed(100.0, 0.0, HOUR));
            assert!(is_near(close.panned(-1e6, HOUR).start, all.start));
            assert!(is_near(close.panned(1e9, HOUR).end, all.end));
            assert_eq!(axis(all).zoomed(0.5, 10.0, HOUR), all);
            let shown = close.showing(2400.0, HOUR);
            assert!((shown.start..shown.end).contains(&2400.0), "{shown:?}");
            assert_eq!(close.showing(close.start, HOUR), close.window());
        }
    }

    #[test]
    fn panning_back_over_folds_is_exact() {
        let axis = |window| TimeAxis::folded(window, 0.0, 800.0, folds());
        let close = axis(axis(TimeWindow::around(HOUR)).zoomed(4.0, 300.0, HOUR));
        let there = axis(close.panned(150.0, HOUR));
        assert!(is_near(there.seconds_per_point, close.seconds_per_point));
        for back in [there.panned(-150.0, HOUR), there.moved_to(close.start, HOUR)] {
            assert!(is_near(back.start, close.start) && is_near(back.end, close.end), "{back:?}");
        }
    }

    #[test]
    fn time_to_position_round_trips() {
        let axis = TimeAxis::new(TimeWindow { start: 2.0, end: 4.0 }, 50.0, 250.0);
        assert_eq!(axis.x_at(3.0), 150.0);
        assert_eq!(axis.time_at(150.0), 3.0);
        assert!(axis.contains(4.0) && !axis.contains(4.1));
        let nothing = Span::default();
        let axis = TimeAxis::new(TimeWindow::around(nothing), 50.0, 250.0);
        assert!(axis.x_at(0.0).is_finite());
    }

    #[test]
    fn folded_axis_has_exact_ends_and_folds() {
        let axis =
            TimeAxis::folded(TimeWindow { start: 500.0, end: 1400.0 }, 10.0, 1010.0, folds());
        assert!(
            (axis.x_at(500.0) - 10.0).abs() < 1e-3 && (axis.x_at(1400.0) - 1010.0).abs() < 1e-3
        );
        let first = axis.x_at(1200.0) - axis.x_at(600.0);
        assert!((first - FOLD_WIDTH as f32).abs() < 1e-3, "{first}");
        assert_eq!(axis.folds().count(), 2);
        let open: Vec<_> = axis.open_stretches().collect();
        assert_eq!(open, [(500.0, 600.0), (1200.0, 1300.0)]);
        let within_a_fold = TimeWindow { start: 700.0, end: 900.0 };
        let axis = TimeAxis::folded(within_a_fold, 0.0, 100.0, folds());
        assert_eq!((axis.folds().count(), axis.x_at(800.0)), (0, 50.0));
    }
}
