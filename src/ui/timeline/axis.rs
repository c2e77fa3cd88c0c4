//! Which times are shown where.

use bevy_egui::egui::Rangef;

use crate::clip::Span;

/// The shortest part of a recording that is worth filling the timeline with, in seconds.
const SHORTEST: f64 = 1e-3;

/// How much room is left on either side of the whole recording, as a part of its length.
const MARGIN: f64 = 0.01;

/// Which times are shown where. Times are seconds in `f64`: with an hour on a screen and
/// milliseconds looked for, `f32` breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui) struct TimeAxis {
    /// The time at the left end.
    pub(in crate::ui) start: f64,
    /// How many seconds one point is wide.
    pub(in crate::ui) seconds_per_point: f64,
    /// Where on the screen the axis begins and ends.
    pub(in crate::ui) x: Rangef,
}

/// The part of a recording that is shown, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui) struct Window {
    start: f64,
    end: f64,
}

impl Window {
    /// All of `span`, and a little room on either side.
    pub(in crate::ui) fn all_of(span: Span) -> Self {
        let margin = (span.duration * MARGIN).max(SHORTEST / 2.0);
        Self { start: span.start - margin, end: span.end() + margin }
    }

    fn length(self) -> f64 {
        self.end - self.start
    }

    /// This window `factor` times closer, so that `time` stays where it is.
    pub(super) fn zoomed(self, factor: f64, time: f64, span: Span) -> Self {
        let all = Self::all_of(span).length();
        let length = (self.length() / factor).clamp(SHORTEST.min(all), all);
        let part = (time - self.start) / self.length();
        let start = time - part * length;
        Self { start, end: start + length }.within(span)
    }

    /// This window `seconds` later.
    pub(super) fn moved(self, seconds: f64, span: Span) -> Self {
        Self { start: self.start + seconds, end: self.end + seconds }.within(span)
    }

    /// This window, moved if it does not show `time` so that it is near the left end.
    pub(super) fn showing(self, time: f64, span: Span) -> Self {
        if (self.start..=self.end).contains(&time) {
            self
        } else {
            self.moved(time - self.start - 0.1 * self.length(), span)
        }
    }

    /// This window, moved and narrowed as much as it takes to show nothing else than `span` and a
    /// little room on either side.
    pub(super) fn within(self, span: Span) -> Self {
        let all = Self::all_of(span);
        if self.length() >= all.length() {
            return all;
        }
        let start = self.start.clamp(all.start, all.end - self.length());
        Self { start, end: start + self.length() }
    }
}

impl TimeAxis {
    /// `window` between the ends of `x`.
    pub(in crate::ui) fn new(window: Window, x: Rangef) -> Self {
        let width = f64::from(x.span().max(1.0));
        Self { start: window.start, seconds_per_point: window.length() / width, x }
    }

    /// The time at the right end.
    pub(in crate::ui) fn end(&self) -> f64 {
        self.start + f64::from(self.x.span()) * self.seconds_per_point
    }

    /// Where `time` is; far outside of the axis if it is not on it.
    pub(in crate::ui) fn x_at(&self, time: f64) -> f32 {
        let points = (time - self.start) / self.seconds_per_point;
        (f64::from(self.x.min) + points).clamp(-1e6, 1e6) as f32
    }

    /// The time at `x`.
    pub(in crate::ui) fn time_at(&self, x: f32) -> f64 {
        self.start + f64::from(x - self.x.min) * self.seconds_per_point
    }

    /// Whether `time` is on the axis.
    pub(in crate::ui) fn shows(&self, time: f64) -> bool {
        (self.start..=self.end()).contains(&time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Span = Span { start: 0.0, duration: 3600.0 };

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        let x = Rangef::new(100.0, 1100.0);
        let mut window = Window::all_of(HOUR);
        let time = 1_234.567_89;
        for _ in 0..200 {
            let before = TimeAxis::new(window, x).x_at(time);
            window = window.zoomed(1.1, time, HOUR);
            let after = TimeAxis::new(window, x).x_at(time);
            assert!((before - after).abs() < 0.01, "{before} {after}");
        }
        assert!(near(window.length(), SHORTEST), "{}", window.length());
    }

    #[test]
    fn no_window_leaves_the_recording() {
        let close = Window::all_of(HOUR).zoomed(100.0, 0.0, HOUR);
        let all = Window::all_of(HOUR);
        assert!(near(close.moved(-1e6, HOUR).start, all.start));
        assert!(near(close.moved(1e6, HOUR).end, all.end));
        assert_eq!(all.zoomed(0.5, 10.0, HOUR), all);
        assert!(close.showing(1800.0, HOUR).start < 1800.0);
    }

    #[test]
    fn times_and_places_answer_each_other() {
        let axis = TimeAxis::new(Window { start: 2.0, end: 4.0 }, Rangef::new(50.0, 250.0));
        assert_eq!(axis.x_at(3.0), 150.0);
        assert_eq!(axis.time_at(150.0), 3.0);
        assert!(axis.shows(4.0) && !axis.shows(4.1));
        let nothing = Span::default();
        assert!(TimeAxis::new(Window::all_of(nothing), axis.x).x_at(0.0).is_finite());
    }
}
