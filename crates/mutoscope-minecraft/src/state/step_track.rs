//! A value over time that holds from one change to the next.

use crate::time::SampleTime;

/// A value over time that holds from one change to the next.
#[derive(Clone, Debug)]
pub struct StepTrack<T> {
    start: T,
    /// The frames of the changes, ascending.
    frames: Vec<u32>,
    values: Vec<T>,
    offsets: Vec<u32>,
}

impl<T> StepTrack<T> {
    pub(in super::super) fn new(start: T) -> Self {
        Self { start, frames: Vec::new(), values: Vec::new(), offsets: Vec::new() }
    }

    /// Returns the frames of the changes, ascending.
    pub fn frames(&self) -> &[u32] {
        &self.frames
    }

    /// Returns the value set by each change.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Returns the file offset of the action that caused each change.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the value in a frame.
    pub fn at_frame(&self, frame: u32) -> &T {
        self.value_and_change(frame).0
    }

    /// Returns the value at `moment`, which is the value of the frame at or before it.
    pub fn sample(&self, moment: SampleTime) -> &T {
        self.at_frame(moment.frame)
    }

    /// Returns the value in a frame, and the frame of the change that set it. The frame is `None`
    /// for the start value.
    pub(in super::super) fn value_and_change(&self, frame: u32) -> (&T, Option<u32>) {
        match self.frames.partition_point(|&change| change <= frame) {
            0 => (&self.start, None),
            changes => (&self.values[changes - 1], Some(self.frames[changes - 1])),
        }
    }

    /// Returns the spans of frames in which `holds` returns `true`. A span is its first frame and
    /// the frame after its last frame. The latter is `None` if the span lasts until the end of the
    /// recording.
    pub(in super::super) fn spans(
        &self,
        holds: impl Fn(&T) -> bool,
    ) -> impl Iterator<Item = (u32, Option<u32>)> {
        let starts = std::iter::once(0).chain(self.frames.iter().copied());
        let values = std::iter::once(&self.start).chain(&self.values);
        let ends = self.frames.iter().map(|&frame| Some(frame)).chain([None]);
        let spans = starts.zip(ends).zip(values);
        // If the first change is in frame 0, no frame has the start value. Its span is empty, so
        // skip this span.
        spans
            .filter(move |((start, end), value)| *end != Some(*start) && holds(value))
            .map(|(span, _)| span)
    }

    pub(in super::super) fn latest(&self) -> &T {
        self.values.last().unwrap_or(&self.start)
    }

    pub(in super::super) fn shrink(&mut self) {
        self.frames.shrink_to_fit();
        self.values.shrink_to_fit();
        self.offsets.shrink_to_fit();
    }
}

impl<T: PartialEq> StepTrack<T> {
    /// Sets the value from `frame` on. A value equal to the previous one is not stored, except as
    /// the first change, because that change shows that the file contains the property.
    pub(in super::super) fn set(&mut self, frame: u32, offset: usize, value: T) {
        if self.frames.last() == Some(&frame) {
            if let (Some(last), Some(at)) = (self.values.last_mut(), self.offsets.last_mut()) {
                *last = value;
                *at = offset as u32;
            }
        } else if self.values.last() != Some(&value) {
            self.frames.push(frame);
            self.values.push(value);
            self.offsets.push(offset as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_value_changes_with_the_last_action_of_a_frame() {
        let mut track = StepTrack::new('a');
        track.set(2, 10, 'b');
        track.set(2, 11, 'c');
        track.set(3, 12, 'c');
        track.set(5, 13, 'd');
        let values: String = (0..7).map(|frame| *track.at_frame(frame)).collect();
        assert_eq!(values, "aacccdd");
        assert_eq!(track.frames(), [2, 5]);
        assert_eq!(track.offsets(), [11, 13]);
        assert_eq!(track.value_and_change(1), (&'a', None));
        assert_eq!(track.value_and_change(4), (&'c', Some(2)));
        let spans = |wanted: &str| track.spans(|value| wanted.contains(*value)).collect::<Vec<_>>();
        assert_eq!(spans("ad"), [(0, Some(2)), (5, None)]);
        assert_eq!(spans("c"), [(2, Some(5))]);
        track.frames[0] = 0;
        assert_eq!(track.spans(|value| *value == 'a').count(), 0);
    }
}
