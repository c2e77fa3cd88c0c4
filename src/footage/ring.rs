//! Keeps the decoded frames around a time, and says which frames are missing.

use std::collections::VecDeque;

/// Times that differ by less than this are equal. If the clock is set to the time of a frame, a
/// rounding error can put the clock slightly before that time.
const SAME_TIME_TOLERANCE_S: f64 = 1e-6;

/// Consecutive frames around the time that is shown.
#[derive(Clone, Debug)]
pub(super) struct FrameRing<F> {
    /// The frames with their times in seconds, ascending.
    frames: VecDeque<(f64, F)>,
    capacity: usize,
    has_first_frame: bool,
    has_last_frame: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// Decode the frames after the last frame in the ring.
    More,
    /// Restart the decoder at another time.
    Seek,
}

impl<F> FrameRing<F> {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            frames: VecDeque::new(),
            capacity: capacity.max(3),
            has_first_frame: false,
            has_last_frame: false,
        }
    }

    pub(super) fn restart(&mut self, has_first_frame: bool) {
        self.frames.clear();
        (self.has_first_frame, self.has_last_frame) = (has_first_frame, false);
    }

    pub(super) fn mark_end(&mut self) {
        self.has_last_frame = true;
    }

    pub(super) fn has_first_frame(&self) -> bool {
        self.has_first_frame
    }

    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(super) fn first_time(&self) -> Option<f64> {
        self.frames.front().map(|(time, _)| *time)
    }

    pub(super) fn full_duration(&self, rate: f64) -> f64 {
        self.capacity as f64 / rate
    }

    /// Returns the time and content of the last frame that is not after `time`. If `time` is before
    /// the first frame of the footage, returns that first frame. Returns `None` if the ring does
    /// not reach back to `time`.
    pub(super) fn frame_at(&self, time: f64) -> Option<(f64, &F)> {
        let (time, frame) = self.frames.get(self.index_at(time)?)?;
        Some((*time, frame))
    }

    /// Returns `true` if [`Self::frame_at`] returns the right frame for `time`. If not, a frame
    /// that is still to be decoded may be the last one before `time`.
    pub(super) fn is_known(&self, time: f64) -> bool {
        self.index_at(time).is_some_and(|index| {
            let is_before_all = self.frames[index].0 > time + SAME_TIME_TOLERANCE_S;
            is_before_all || index + 1 < self.frames.len() || self.has_last_frame
        })
    }

    pub(super) fn neighbour_times(&self, time: f64) -> [Option<f64>; 2] {
        let Some(index) = self.index_at(time) else { return [None, None] };
        let time_of = |index: usize| self.frames.get(index).map(|(time, _)| *time);
        [index.checked_sub(1).and_then(time_of), time_of(index + 1)]
    }

    /// Returns the action that makes the frame at `time` and the following frames available. If
    /// `time` is at most `max_ahead` seconds after the last frame in the ring, the decoder goes on.
    /// Otherwise it restarts at another time.
    pub(super) fn need(&self, time: f64, max_ahead: f64) -> Need {
        let Some((last, _)) = self.frames.back() else {
            return if self.has_last_frame { Need::Nothing } else { Need::More };
        };
        let Some(index) = self.index_at(time) else { return Need::Seek };
        if self.has_last_frame {
            return Need::Nothing;
        }
        if !self.is_known(time) {
            return if time - last > max_ahead { Need::Seek } else { Need::More };
        }
        let ahead = self.frames.len() - 1 - index;
        if ahead < self.capacity - self.past_frame_count() - 1 { Need::More } else { Need::Nothing }
    }

    pub(super) fn has_room(&self, time: f64) -> bool {
        let past_frames = self.index_at(time).unwrap_or(0);
        self.frames.len() < self.capacity || past_frames > self.past_frame_count()
    }

    /// Adds the next frame. Drops a frame whose time is not after the last frame in the ring,
    /// because that time must be wrong.
    pub(super) fn push(&mut self, time: f64, frame: F) {
        let is_next = self.frames.back().is_none_or(|(last, _)| time > *last);
        if !is_next || !time.is_finite() {
            return;
        }
        if self.frames.len() >= self.capacity {
            self.frames.pop_front();
            self.has_first_frame = false;
        }
        self.frames.push_back((time, frame));
    }

    fn past_frame_count(&self) -> usize {
        self.capacity / 3
    }

    fn index_at(&self, time: f64) -> Option<usize> {
        let after = self
            .frames
            .partition_point(|(frame_time, _)| *frame_time <= time + SAME_TIME_TOLERANCE_S);
        match after.checked_sub(1) {
            Some(index) => Some(index),
            None => (self.has_first_frame && !self.frames.is_empty()).then_some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(capacity: usize, times: &[f64]) -> FrameRing<usize> {
        let mut ring = FrameRing::new(capacity);
        ring.restart(true);
        times.iter().enumerate().for_each(|(index, time)| ring.push(*time, index));
        ring
    }

    fn frame_index_at(ring: &FrameRing<usize>, time: f64) -> Option<usize> {
        ring.frame_at(time).map(|(_, frame)| *frame)
    }

    #[test]
    fn frame_at_a_time_is_the_last_that_is_not_after_it() {
        // A variable rate: the frames last 40 ms, 10 ms and half a second.
        let mut ring = ring(10, &[0.1, 0.14, 0.15, 0.65]);
        for (time, expected) in
            [(-3.0, 0), (0.0, 0), (0.1, 0), (0.139, 0), (0.14, 1), (0.149, 1), (0.15, 2), (0.64, 2)]
        {
            assert_eq!(
                (frame_index_at(&ring, time), ring.is_known(time)),
                (Some(expected), true),
                "{time}"
            );
        }
        assert_eq!(
            (frame_index_at(&ring, 0.65), ring.is_known(0.65)),
            (Some(3), false),
            "another frame may follow"
        );
        ring.mark_end();
        assert_eq!((frame_index_at(&ring, 9.0), ring.is_known(9.0)), (Some(3), true));
        assert_eq!(ring.neighbour_times(0.14), [Some(0.1), Some(0.15)]);
        assert_eq!(ring.neighbour_times(9.0), [Some(0.15), None]);
        // Rounding can put the difference of two times slightly before the frame.
        let (offset, time) = (0.3, 0.14);
        assert_eq!(frame_index_at(&ring, (offset + time) - offset), Some(1));
    }

    #[test]
    fn distant_frames_need_a_seek_and_near_frames_more_decoding() {
        let mut ring = ring(9, &[]);
        ring.restart(false);
        assert_eq!((ring.need(5.0, 1.0), frame_index_at(&ring, 5.0)), (Need::More, None));
        for index in 0..4 {
            ring.push(5.0 + f64::from(index) * 0.1, 0);
        }
        assert_eq!(
            ring.need(4.9, 1.0),
            Need::Seek,
            "before the first frame of the ring, but not of the footage"
        );
        assert_eq!(frame_index_at(&ring, 4.9), None);
        assert_eq!(ring.need(5.15, 1.0), Need::More, "decode ahead");
        assert_eq!(ring.need(6.2, 1.0), Need::More, "close to the last frame");
        assert_eq!(ring.need(6.4, 1.0), Need::Seek);
        ring.mark_end();
        assert_eq!(ring.need(99.0, 1.0), Need::Nothing);
        assert_eq!(ring.need(4.0, 1.0), Need::Seek);
    }

    #[test]
    fn ring_keeps_a_bounded_number_of_frames() {
        let mut ring = ring(9, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert!(
            !ring.has_room(3.0) && ring.has_room(4.0),
            "three frames behind the shown one are kept"
        );
        assert_eq!((ring.need(3.0, 1.0), ring.need(2.0, 1.0)), (Need::Nothing, Need::Nothing));
        assert_eq!(ring.need(4.0, 1.0), Need::More);
        ring.push(9.0, 9);
        ring.push(9.0, 10);
        ring.push(f64::NAN, 11);
        assert_eq!((ring.first_time(), frame_index_at(&ring, 9.5)), (Some(1.0), Some(9)));
        assert_eq!(
            (frame_index_at(&ring, 0.5), ring.has_first_frame()),
            (None, false),
            "the first frame was dropped"
        );
        ring.restart(true);
        assert!(ring.is_empty() && ring.has_first_frame());
    }
}
