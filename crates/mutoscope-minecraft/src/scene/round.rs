//! A single pass of a recording within a scene.

use crate::TICKS_PER_SECOND;

/// A span of a scene in which a recording is present and plays once. All times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The tick from which the recording is present.
    pub start: f64,
    /// The tick at which the recording starts again or vanishes, or at which the scene ends.
    pub end: f64,
    /// The tick of the scene at which the first frame of the recording plays.
    pub shift: f64,
    /// `true` if the recording is still present at `end`, because the scene ends there and the
    /// recording does not.
    pub includes_end: bool,
}

impl Round {
    pub(in super::super) fn new(ticks: f64) -> Self {
        Self { start: 0.0, end: ticks, shift: 0.0, includes_end: true }
    }

    /// Splits the round into the rounds of an element that ends after `end` ticks and restarts
    /// every `period` ticks. Between its end and its restart, the element is already present for
    /// its next round.
    pub(super) fn split_loops(&self, period: f64, end: f64) -> impl Iterator<Item = Self> + use<> {
        let outer = *self;
        let shifts = (0_u32..).map(move |round| outer.shift + f64::from(round) * period);
        let rounds = shifts.map(move |shift| Self {
            start: if shift == outer.shift { outer.start } else { shift - period + end },
            end: outer.end.min(shift + end),
            shift,
            includes_end: outer.includes_end && outer.end < shift + end,
        });
        rounds.take_while(move |round| round.start < outer.end)
    }

    pub(super) fn limit_end(&mut self, ticks: f64) {
        if self.shift + ticks <= self.end {
            self.end = self.shift + ticks;
            self.includes_end = false;
        }
    }

    pub(super) fn apply_start(&mut self, delay: f64, start: f64) {
        if delay > 0.0 {
            self.start = self.start.max(self.shift + delay);
        }
        self.shift += start;
    }

    pub(super) fn is_empty(&self) -> bool {
        if self.includes_end { self.start > self.end } else { self.start >= self.end }
    }

    /// Returns the time of the scene, in seconds, at which a frame of the recording plays. `None`
    /// if the round does not reach the frame.
    pub fn frame_time(&self, frame: u32) -> Option<f64> {
        let tick = f64::from(frame) + self.shift;
        let comes =
            (self.start..self.end).contains(&tick) || (self.includes_end && tick == self.end);
        comes.then_some(tick / TICKS_PER_SECOND)
    }

    /// Returns the time span of the frames `from..to`, in seconds of the scene. If `from` is
    /// `None`, the span includes the wait before the first frame. If `to` is `None`, the span lasts
    /// until the end of the round. Returns `None` if the span is empty.
    pub fn time_span(&self, from: Option<u32>, to: Option<u32>) -> Option<(f64, f64)> {
        let tick = |frame: u32| f64::from(frame) + self.shift;
        let start = from.map_or(self.start, |from| tick(from).max(self.start));
        let end = to.map_or(self.end, |to| tick(to).min(self.end));
        (start < end).then_some((start / TICKS_PER_SECOND, end / TICKS_PER_SECOND))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_map_to_scene_time_while_present() {
        let round = Round { start: 20.0, end: 60.0, shift: 40.0, includes_end: false };
        assert_eq!([0, 10, 20].map(|frame| round.frame_time(frame)), [Some(2.0), Some(2.5), None]);
        let last = Round { includes_end: true, ..round };
        assert_eq!(last.frame_time(20), Some(3.0));
        assert_eq!(
            round.time_span(None, Some(10)),
            Some((1.0, 2.5)),
            "it stands so while it waits"
        );
        assert_eq!(round.time_span(Some(0), None), Some((2.0, 3.0)));
        assert_eq!(round.time_span(Some(30), None), None);
    }
}
