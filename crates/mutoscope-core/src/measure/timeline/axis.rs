//! The mapping of times to screen positions.

use super::folds::{BAND, Folds, Gap};
use crate::clip::Span;

/// The shortest part of a recording that is worth filling the timeline with, in seconds.
const SHORTEST: f64 = 1e-5;

/// How much room is left on either side of the whole recording, as a part of its length.
const MARGIN: f64 = 0.01;

/// Folds take at most this part of an axis; where they would take more, nothing is folded.
const MOST_FOLDED: f64 = 0.75;

/// The part of a recording that is shown, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The time at the left end.
    pub start: f64,
    /// The time at the right end.
    pub end: f64,
}

impl Window {
    /// All of `span`, and a little room on either side.
    pub fn all_of(span: Span) -> Self {
        let margin = (span.duration * MARGIN).max(SHORTEST / 2.0);
        Self { start: span.start - margin, end: span.end() + margin }
    }

    /// How many seconds it shows.
    pub fn length(self) -> f64 {
        self.end - self.start
    }

    /// This window, moved and narrowed as much as it takes to show nothing else than `span` and a
    /// little room on either side.
    pub fn within(self, span: Span) -> Self {
        let all = Self::all_of(span);
        if self.length() >= all.length() {
            return all;
        }
        let start = self.start.clamp(all.start, all.end - self.length());
        Self { start, end: start + self.length() }
    }
}

/// The mapping of times to points between two ends on the screen. Times are seconds in `f64`: `f32`
/// cannot show microseconds of an hour.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeAxis {
    /// The time at the left end.
    pub start: f64,
    /// The time at the right end.
    pub end: f64,
    /// How many seconds one point is wide, where nothing is folded.
    pub seconds_per_point: f64,
    /// Where on the screen it begins, in points.
    pub left: f32,
    /// Where it ends.
    pub right: f32,
    folds: Folds,
}

impl TimeAxis {
    /// `window` between `left` and `right`, with nothing folded.
    pub fn new(window: Window, left: f32, right: f32) -> Self {
        Self::folded(window, left, right, Folds::default())
    }

    /// The same without the stretches that `folds` folds.
    pub fn folded(window: Window, left: f32, right: f32, folds: Folds) -> Self {
        let width = f64::from((right - left).max(1.0));
        let (from, to) = (folds.way(window.start), folds.way(window.end));
        let bands = (to.bands - from.bands) * BAND;
        let axis = |seconds_per_point, folds| Self {
            start: window.start,
            end: window.end,
            seconds_per_point,
            left,
            right: left + width as f32,
            folds,
        };
        if bands > MOST_FOLDED * width || to.open <= from.open {
            return axis(window.length() / width, Folds::default());
        }
        axis((to.open - from.open) / (width - bands), folds)
    }

    /// The axis of something on it that runs on its own time: at the time `t` of this axis, in seconds,
    /// that is at `(t - offset) * rate`. Every time is at the same place on both.
    #[must_use]
    pub fn retimed(&self, offset: f64, rate: f64) -> Self {
        if offset == 0.0 && rate == 1.0 {
            return self.clone();
        }
        let own = |time: f64| (time - offset) * rate;
        Self {
            start: own(self.start),
            end: own(self.end),
            seconds_per_point: self.seconds_per_point * rate,
            folds: self.folds.mapped(own),
            ..*self
        }
    }

    /// How wide it is, in points.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// The visible time range.
    pub fn window(&self) -> Window {
        Window { start: self.start, end: self.end }
    }

    /// The time at the right end.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Where `time` is; far outside of the axis if it is not on it.
    pub fn x_at(&self, time: f64) -> f32 {
        (f64::from(self.left) + self.points_to(time)).clamp(-1e6, 1e6) as f32
    }

    /// How many points after the left end `time` is.
    pub(super) fn points_to(&self, time: f64) -> f64 {
        let start = self.folds.way(self.start);
        self.folds.way(time).points_from(start, self.seconds_per_point)
    }

    /// The time at `x`.
    pub fn time_at(&self, x: f32) -> f64 {
        self.time_after(f64::from(x) - f64::from(self.left))
    }

    /// The time this many points after the left end.
    pub fn time_after(&self, points: f64) -> f64 {
        self.folds.time_after(self.start, points, self.seconds_per_point)
    }

    /// Whether `time` is on the axis.
    pub fn shows(&self, time: f64) -> bool {
        (self.start..=self.end).contains(&time)
    }

    /// The folds on it, from left to right.
    pub fn folds(&self) -> impl Iterator<Item = Gap> + '_ {
        let gaps = self.folds.gaps();
        let first = gaps.partition_point(|gap| gap.end < self.start);
        gaps[first..].iter().copied().take_while(|gap| gap.start <= self.end)
    }

    /// The stretches of time between the folds, from left to right.
    pub fn open_stretches(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let ends = self.folds().map(|gap| gap.start).chain([self.end]);
        let starts = [self.start].into_iter().chain(self.folds().map(|gap| gap.end));
        starts.zip(ends).filter(|(start, end)| start < end)
    }

    /// The window after panning by this many points towards later times, within `roam`.
    pub fn panned(&self, points: f64, roam: Span) -> Window {
        self.shifted(self.window(), points, self.seconds_per_point, roam)
    }

    /// The window after panning so that it begins at `start`, or as near to that as `roam` allows.
    pub fn moved_to(&self, start: f64, roam: Span) -> Window {
        self.panned(self.points_to(start), roam)
    }

    /// The window after zooming in by `factor` around `x`, within `roam`.
    pub fn zoomed(&self, factor: f64, x: f32, roam: Span) -> Window {
        let all = Window::all_of(roam);
        let width = f64::from(self.width());
        let points = f64::from(x) - f64::from(self.left);
        let time = self.time_after(points);
        let seconds_per_point = (self.seconds_per_point / factor).max(SHORTEST / width);
        let way = |time| self.folds.way(time);
        if way(all.end).points_from(way(all.start), seconds_per_point) <= width {
            return all;
        }
        let at = |points| self.folds.time_after(time, points, seconds_per_point);
        let window = Window { start: at(-points), end: at(width - points) };
        self.shifted(window, 0.0, seconds_per_point, roam)
    }

    /// The window in which `time` is visible: unchanged, or panned so that it is near the left end.
    pub fn showing(&self, time: f64, roam: Span) -> Window {
        if self.shows(time) {
            return self.window();
        }
        self.panned(self.points_to(time) - 0.1 * f64::from(self.width()), roam)
    }

    /// `window` moved by this many points, but not further than `roam` reaches.
    fn shifted(&self, window: Window, points: f64, seconds_per_point: f64, roam: Span) -> Window {
        let all = Window::all_of(roam);
        let points_from =
            |from, to| self.folds.way(to).points_from(self.folds.way(from), seconds_per_point);
        let (room_left, room_right) =
            (points_from(window.start, all.start), points_from(window.end, all.end));
        if room_left >= room_right {
            return all;
        }
        let points = points.clamp(room_left, room_right);
        if points == 0.0 {
            return window;
        }
        let moved = |time| self.folds.time_after(time, points, seconds_per_point);
        Window { start: moved(window.start), end: moved(window.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Span = Span { start: 0.0, duration: 3600.0 };

    fn near(a: f64, b: f64) -> bool {
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
    fn retimed_axis_keeps_positions() {
        let axis = TimeAxis::folded(Window::all_of(HOUR), 10.0, 810.0, folds());
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
            let mut window = Window::all_of(HOUR);
            let time = 1_234.567_891_23;
            for _ in 0..400 {
                let axis = TimeAxis::folded(window, 100.0, 1100.0, folds.clone());
                let before = axis.x_at(time);
                window = axis.zoomed(1.1, before, HOUR);
                let after = TimeAxis::folded(window, 100.0, 1100.0, folds.clone()).x_at(time);
                assert!((before - after).abs() < 0.01, "{before} {after} {window:?}");
            }
            assert!((window.length() - SHORTEST).abs() < 1e-3 * SHORTEST, "{}", window.length());
        }
    }

    #[test]
    fn microsecond_zoom_in_an_hour_is_stable() {
        let start = 3_599.123_456;
        let mut window = Window { start, end: start + 1e-4 };
        let times: Vec<f64> = (0..100).map(|micro| start + f64::from(micro) * 1e-6).collect();
        // Ten points to a microsecond, and moved by a third of a point each time.
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
            let all = Window::all_of(HOUR);
            let close = axis(axis(all).zoomed(100.0, 0.0, HOUR));
            assert!(near(close.panned(-1e6, HOUR).start, all.start));
            assert!(near(close.panned(1e9, HOUR).end, all.end));
            assert_eq!(axis(all).zoomed(0.5, 10.0, HOUR), all);
            let shown = close.showing(2400.0, HOUR);
            assert!((shown.start..shown.end).contains(&2400.0), "{shown:?}");
            assert_eq!(close.showing(close.start, HOUR), close.window());
        }
    }

    #[test]
    fn panning_back_over_folds_is_exact() {
        let axis = |window| TimeAxis::folded(window, 0.0, 800.0, folds());
        let close = axis(axis(Window::all_of(HOUR)).zoomed(4.0, 300.0, HOUR));
        let there = axis(close.panned(150.0, HOUR));
        assert!(near(there.seconds_per_point, close.seconds_per_point));
        for back in [there.panned(-150.0, HOUR), there.moved_to(close.start, HOUR)] {
            assert!(near(back.start, close.start) && near(back.end, close.end), "{back:?}");
        }
    }

    #[test]
    fn time_to_position_round_trips() {
        let axis = TimeAxis::new(Window { start: 2.0, end: 4.0 }, 50.0, 250.0);
        assert_eq!(axis.x_at(3.0), 150.0);
        assert_eq!(axis.time_at(150.0), 3.0);
        assert!(axis.shows(4.0) && !axis.shows(4.1));
        let nothing = Span::default();
        let axis = TimeAxis::new(Window::all_of(nothing), 50.0, 250.0);
        assert!(axis.x_at(0.0).is_finite());
    }

    #[test]
    fn folded_axis_has_exact_ends_and_folds() {
        let axis = TimeAxis::folded(Window { start: 500.0, end: 1400.0 }, 10.0, 1010.0, folds());
        assert!(
            (axis.x_at(500.0) - 10.0).abs() < 1e-3 && (axis.x_at(1400.0) - 1010.0).abs() < 1e-3
        );
        let first = axis.x_at(1200.0) - axis.x_at(600.0);
        assert!((first - BAND as f32).abs() < 1e-3, "{first}");
        assert_eq!(axis.folds().count(), 2);
        let open: Vec<_> = axis.open_stretches().collect();
        assert_eq!(open, [(500.0, 600.0), (1200.0, 1300.0)]);
        let within_a_fold = Window { start: 700.0, end: 900.0 };
        let axis = TimeAxis::folded(within_a_fold, 0.0, 100.0, folds());
        assert_eq!((axis.folds().count(), axis.x_at(800.0)), (0, 50.0));
    }
}
