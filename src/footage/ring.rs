//! The frame at a time, the frames kept around it, and the missing ones.

use std::collections::VecDeque;

/// Times that differ by less are the same, in seconds: a clock that was put on a frame may be a rounding
/// error before it.
const SAME: f64 = 1e-6;

/// The frames around the time that is shown, without a gap between them.
#[derive(Clone, Debug)]
pub(super) struct FrameRing<F> {
    /// Each with its time, ascending.
    frames: VecDeque<(f64, F)>,
    /// How many are kept.
    most: usize,
    /// Whether the first of them is the first of all.
    starts: bool,
    /// Whether the last of them is the last of all.
    ended: bool,
}

/// The request to the decoder for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing.
    Nothing,
    /// The frames that follow the last.
    More,
    /// Frames from somewhere else.
    Seek,
}

impl<F> FrameRing<F> {
    /// Empty, with this capacity in frames.
    pub(super) fn new(most: usize) -> Self {
        Self { frames: VecDeque::new(), most: most.max(3), starts: false, ended: false }
    }

    /// Drops all frames. The next is the first of all if it `starts`.
    pub(super) fn restart(&mut self, starts: bool) {
        self.frames.clear();
        (self.starts, self.ended) = (starts, false);
    }

    /// Notes that no frame comes after the last.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Whether the first frame is the first of all.
    pub(super) fn starts(&self) -> bool {
        self.starts
    }

    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The time of the first frame.
    pub(super) fn first(&self) -> Option<f64> {
        self.frames.front().map(|(time, _)| *time)
    }

    /// How long its frames last when it is full, at this frame rate.
    pub(super) fn reach(&self, rate: f64) -> f64 {
        self.most as f64 / rate
    }

    /// The frame that is shown at `time`, as far as is known: the last that is not after it; before the
    /// first of all, that. With its time.
    pub(super) fn at(&self, time: f64) -> Option<(f64, &F)> {
        let (time, frame) = self.frames.get(self.index_at(time)?)?;
        Some((*time, frame))
    }

    /// Whether that is known: no other frame can come between it and `time`.
    pub(super) fn is_known(&self, time: f64) -> bool {
        self.index_at(time).is_some_and(|index| {
            let is_before_all = self.frames[index].0 > time + SAME;
            is_before_all || index + 1 < self.frames.len() || self.ended
        })
    }

    /// The times of the frames before and after the one at `time`, as far as they are known.
    pub(super) fn neighbours(&self, time: f64) -> [Option<f64>; 2] {
        let Some(index) = self.index_at(time) else { return [None, None] };
        let time_of = |index: usize| self.frames.get(index).map(|(time, _)| *time);
        [index.checked_sub(1).and_then(time_of), time_of(index + 1)]
    }

    /// The request that brings the frame at `time`, and those that follow. Frames at most `patience` seconds
    /// ahead are waited for.
    pub(super) fn need(&self, time: f64, patience: f64) -> Need {
        let Some((last, _)) = self.frames.back() else {
            return if self.ended { Need::Nothing } else { Need::More };
        };
        let Some(index) = self.index_at(time) else { return Need::Seek };
        if self.ended {
            return Need::Nothing;
        }
        if !self.is_known(time) {
            return if time - last > patience { Need::Seek } else { Need::More };
        }
        let ahead = self.frames.len() - 1 - index;
        if ahead < self.most - self.kept_behind() - 1 { Need::More } else { Need::Nothing }
    }

    /// Whether one more can be taken in while `time` is shown.
    pub(super) fn has_room(&self, time: f64) -> bool {
        let behind = self.index_at(time).unwrap_or(0);
        self.frames.len() < self.most || behind > self.kept_behind()
    }

    /// Takes in the next frame. One that is not after the last is skipped: its time is wrong.
    pub(super) fn push(&mut self, time: f64, frame: F) {
        let is_next = self.frames.back().is_none_or(|(last, _)| time > *last);
        if !is_next || !time.is_finite() {
            return;
        }
        if self.frames.len() >= self.most {
            self.frames.pop_front();
            self.starts = false;
        }
        self.frames.push_back((time, frame));
    }

    /// How many frames are kept before the one that is shown.
    fn kept_behind(&self) -> usize {
        self.most / 3
    }

    fn index_at(&self, time: f64) -> Option<usize> {
        let after = self.frames.partition_point(|(one, _)| *one <= time + SAME);
        match after.checked_sub(1) {
            Some(index) => Some(index),
            None => (self.starts && !self.frames.is_empty()).then_some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames at these times, called by their index.
    fn ring(most: usize, times: &[f64]) -> FrameRing<usize> {
        let mut ring = FrameRing::new(most);
        ring.restart(true);
        times.iter().enumerate().for_each(|(index, time)| ring.push(*time, index));
        ring
    }

    fn at(ring: &FrameRing<usize>, time: f64) -> Option<usize> {
        ring.at(time).map(|(_, frame)| *frame)
    }

    #[test]
    fn frame_at_a_time_is_the_last_that_is_not_after_it() {
        // A variable rate: 40 ms, 10 ms, half a second.
        let mut ring = ring(10, &[0.1, 0.14, 0.15, 0.65]);
        for (time, expected) in
            [(-3.0, 0), (0.0, 0), (0.1, 0), (0.139, 0), (0.14, 1), (0.149, 1), (0.15, 2), (0.64, 2)]
        {
            assert_eq!((at(&ring, time), ring.is_known(time)), (Some(expected), true), "{time}");
        }
        assert_eq!((at(&ring, 0.65), ring.is_known(0.65)), (Some(3), false), "one may follow");
        ring.end();
        assert_eq!((at(&ring, 9.0), ring.is_known(9.0)), (Some(3), true));
        assert_eq!(ring.neighbours(0.14), [Some(0.1), Some(0.15)]);
        assert_eq!(ring.neighbours(9.0), [Some(0.15), None]);
        // A time that was computed as the difference to a frame's time is on that frame.
        let (offset, time) = (0.3, 0.14);
        assert_eq!(at(&ring, (offset + time) - offset), Some(1));
    }

    #[test]
    fn frames_elsewhere_are_sought_and_near_ones_awaited() {
        let mut ring = ring(9, &[]);
        ring.restart(false);
        assert_eq!((ring.need(5.0, 1.0), at(&ring, 5.0)), (Need::More, None));
        for index in 0..4 {
            ring.push(5.0 + f64::from(index) * 0.1, 0);
        }
        assert_eq!(
            ring.need(4.9, 1.0),
            Need::Seek,
            "before the first, which is not the first of all"
        );
        assert_eq!(at(&ring, 4.9), None);
        assert_eq!(ring.need(5.15, 1.0), Need::More, "ahead of time");
        assert_eq!(ring.need(6.2, 1.0), Need::More, "soon there");
        assert_eq!(ring.need(6.4, 1.0), Need::Seek);
        ring.end();
        assert_eq!(ring.need(99.0, 1.0), Need::Nothing);
        assert_eq!(ring.need(4.0, 1.0), Need::Seek);
    }

    #[test]
    fn a_bounded_number_is_kept_around_the_time() {
        let mut ring = ring(9, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert!(!ring.has_room(3.0) && ring.has_room(4.0), "three are kept behind");
        assert_eq!((ring.need(3.0, 1.0), ring.need(2.0, 1.0)), (Need::Nothing, Need::Nothing));
        assert_eq!(ring.need(4.0, 1.0), Need::More);
        ring.push(9.0, 9);
        ring.push(9.0, 10);
        ring.push(f64::NAN, 11);
        assert_eq!((ring.first(), at(&ring, 9.5)), (Some(1.0), Some(9)));
        assert_eq!((at(&ring, 0.5), ring.starts()), (None, false), "the first of all is gone");
        ring.restart(true);
        assert!(ring.is_empty() && ring.starts());
    }
}
