//! The times that a recording plays within a scene.

use crate::TICKS_PER_SECOND;

/// A stretch of a scene in which a recording is there and plays once. Everything is in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// From when on it is there.
    pub start: f64,
    /// When it loops or is gone, or when the scene ends.
    pub end: f64,
    /// The tick of the scene that is the first of the recording.
    pub shift: f64,
    /// Whether it is there at its end, too, because nothing but the scene ends then.
    pub lasts: bool,
}

impl Round {
    /// All of a scene of this many ticks.
    pub(in super::super) fn new(ticks: f64) -> Self {
        Self { start: 0.0, end: ticks, shift: 0.0, lasts: true }
    }

    /// The rounds within this one of an element that loops every `period` ticks and has ended after
    /// `end` of them: from then on it is there for its next round.
    pub(super) fn divided(&self, period: f64, end: f64) -> impl Iterator<Item = Self> + use<> {
        let outer = *self;
        let shifts = (0_u32..).map(move |round| outer.shift + f64::from(round) * period);
        let rounds = shifts.map(move |shift| Self {
            start: if shift == outer.shift { outer.start } else { shift - period + end },
            end: outer.end.min(shift + end),
            shift,
            lasts: outer.lasts && outer.end < shift + end,
        });
        rounds.take_while(move |round| round.start < outer.end)
    }

    /// Ends the round this many ticks after its beginning, if it has not ended before.
    pub(super) fn end_at(&mut self, ticks: f64) {
        if self.shift + ticks <= self.end {
            self.end = self.shift + ticks;
            self.lasts = false;
        }
    }

    /// Begins with a delay, and plays from the tick `start` on.
    pub(super) fn begin(&mut self, delay: f64, start: f64) {
        if delay > 0.0 {
            self.start = self.start.max(self.shift + delay);
        }
        self.shift += start;
    }

    /// Whether nothing of it is ever there.
    pub(super) fn is_empty(&self) -> bool {
        if self.lasts { self.start > self.end } else { self.start >= self.end }
    }

    /// When a frame of the recording comes in it, in seconds of the scene, if it does.
    pub fn time_of(&self, frame: u32) -> Option<f64> {
        let tick = f64::from(frame) + self.shift;
        let comes = (self.start..self.end).contains(&tick) || (self.lasts && tick == self.end);
        comes.then_some(tick / TICKS_PER_SECOND)
    }

    /// The time span of the recording's frames before `to`, or of all, in seconds of the scene:
    /// from `from` on, or also while it waits for the first.
    pub fn span(&self, from: Option<u32>, to: Option<u32>) -> Option<(f64, f64)> {
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
        let round = Round { start: 20.0, end: 60.0, shift: 40.0, lasts: false };
        assert_eq!([0, 10, 20].map(|frame| round.time_of(frame)), [Some(2.0), Some(2.5), None]);
        let last = Round { lasts: true, ..round };
        assert_eq!(last.time_of(20), Some(3.0));
        assert_eq!(round.span(None, Some(10)), Some((1.0, 2.5)), "it stands so while it waits");
        assert_eq!(round.span(Some(0), None), Some((2.0, 3.0)));
        assert_eq!(round.span(Some(30), None), None);
    }
}
