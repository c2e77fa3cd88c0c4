//! The part of a range that lies within the recording, and the samples and events in it.

use std::ops::Range;

use mutoscope_core::{clip::Span, measure::analysis::Episode};

use crate::signal::{Grid, grid::TIME_TOLERANCE_S};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasuredRange {
    /// Times in seconds. `end` is above `start`, except in empty ranges and in recordings without
    /// duration.
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) samples: Range<usize>,
    tolerance_s: [f64; 2],
    ends_the_recording: bool,
}

impl MeasuredRange {
    pub(crate) fn new(start: f64, end: f64, span: Span, grid: &Grid) -> Self {
        let (from, to) = (start.max(span.start), end.min(span.end()));
        let is_whole = span.duration == 0.0 && start <= span.start && end >= span.end();
        if !(from < to || is_whole) {
            let (samples, tolerance_s) = (0..0, [0.0; 2]);
            return Self { start, end: start, samples, tolerance_s, ends_the_recording: false };
        }
        let samples = grid.samples_within(from, to);
        let tolerance_s = [from, to].map(|border| grid.tolerance_s(border));
        let ends_the_recording = to >= span.end() - tolerance_s[1];
        Self { start: from, end: to, samples, tolerance_s, ends_the_recording }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    pub(crate) fn duration(&self) -> f64 {
        self.end - self.start
    }

    /// Returns `true` if an event that starts at `time` belongs to the range. The end is exclusive,
    /// so that an event belongs to only one of two adjacent ranges, except at the end of the
    /// recording. The tolerance is that of samples: an event that starts with the first sample
    /// belongs to the range.
    pub(crate) fn contains_start(&self, time: f64) -> bool {
        let [before_start, before_end] = self.tolerance_s;
        !self.is_empty()
            && time >= self.start - before_start
            && (time < self.end - before_end
                || self.ends_the_recording && time <= self.end + before_end)
    }

    pub(crate) fn steps(&self) -> Range<usize> {
        self.samples.start..self.samples.end.saturating_sub(1).max(self.samples.start)
    }

    /// Returns the time within the range that `episodes` cover, and the lengths of the gaps between
    /// them, both in seconds.
    pub(crate) fn measure_coverage(&self, episodes: &[Episode]) -> (f64, Vec<f64>) {
        let (mut covered, mut end, mut gaps) = (0.0, self.start, Vec::new());
        for episode in episodes {
            let (from, to) = (episode.start.max(self.start), episode.end.min(self.end));
            if from < to {
                gaps.push(from - end);
                covered += to - from;
                end = to;
            }
        }
        gaps.push(self.end - end);
        gaps.retain(|gap| *gap > TIME_TOLERANCE_S);
        (covered, gaps)
    }
}
