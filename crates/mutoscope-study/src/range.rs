//! A range that is measured, and what belongs to it.

use std::ops::Range;

use mutoscope_core::{clip::Span, measure::analysis::Episode};

use crate::signal::{Grid, grid::SLACK};

/// The part of a range that is within the recording. Nothing belongs to an empty one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasuredRange {
    /// Seconds; `end` is above `start` unless it is empty.
    pub(crate) start: f64,
    pub(crate) end: f64,
    /// Its samples.
    pub(crate) samples: Range<usize>,
    ends_the_recording: bool,
}

impl MeasuredRange {
    /// The part of `start..end` within `span`.
    pub(crate) fn new(start: f64, end: f64, span: Span, grid: &Grid) -> Self {
        let (from, to) = (start.max(span.start), end.min(span.end()));
        let is_whole = span.duration == 0.0 && start <= span.start && end >= span.end();
        if !(from < to || is_whole) {
            return Self { start, end: start, samples: 0..0, ends_the_recording: false };
        }
        let ends_the_recording = to >= span.end() - SLACK;
        Self { start: from, end: to, samples: grid.within(from, to), ends_the_recording }
    }

    /// Whether nothing belongs to it.
    pub(crate) fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Seconds.
    pub(crate) fn duration(&self) -> f64 {
        self.end - self.start
    }

    /// Whether an event that starts at this time belongs to it.
    pub(crate) fn has(&self, time: f64) -> bool {
        !self.is_empty()
            && time >= self.start
            && (time < self.end || self.ends_the_recording && time <= self.end)
    }

    /// The steps within it, each by its first sample.
    pub(crate) fn steps(&self) -> Range<usize> {
        self.samples.start..self.samples.end.saturating_sub(1).max(self.samples.start)
    }

    /// The time that `episodes` take within it, and the gaps that they leave, in seconds.
    pub(crate) fn cover(&self, episodes: &[Episode]) -> (f64, Vec<f64>) {
        let (mut taken, mut at, mut gaps) = (0.0, self.start, Vec::new());
        for episode in episodes {
            let (from, to) = (episode.start.max(self.start), episode.end.min(self.end));
            if from < to {
                gaps.push(from - at);
                taken += to - from;
                at = to;
            }
        }
        gaps.push(self.end - at);
        gaps.retain(|gap| *gap > SLACK);
        (taken, gaps)
    }
}
