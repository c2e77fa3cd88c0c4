//! Values that hold from one change to the next.

use crate::time::SampleTime;

/// A value that holds from one change to the next.
#[derive(Clone, Debug)]
pub struct Held<T> {
    /// The value before its first change.
    start: T,
    /// The frames in which it changes.
    frames: Vec<u32>,
    /// To what.
    values: Vec<T>,
    /// The offsets of the actions that set the values.
    offsets: Vec<u32>,
}

impl<T> Held<T> {
    /// The value that it has until something changes it.
    pub(in super::super) fn new(start: T) -> Self {
        Self { start, frames: Vec::new(), values: Vec::new(), offsets: Vec::new() }
    }

    /// The frames in which it changes, ascending.
    pub fn frames(&self) -> &[u32] {
        &self.frames
    }

    /// The values that it changes to, one per change.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The offsets of the actions that change it.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Its value in a frame.
    pub fn at(&self, frame: u32) -> &T {
        self.since(frame).0
    }

    /// Its value at a moment: that of the frame at or before it.
    pub fn value(&self, moment: SampleTime) -> &T {
        self.at(moment.frame)
    }

    /// Its value in a frame, and the frame since which it has it; nothing if it always had.
    pub(in super::super) fn since(&self, frame: u32) -> (&T, Option<u32>) {
        match self.frames.partition_point(|&change| change <= frame) {
            0 => (&self.start, None),
            changes => (&self.values[changes - 1], Some(self.frames[changes - 1])),
        }
    }

    /// The frames in which something holds of it, from the first to the one before the second; to
    /// the end if there is none.
    pub(in super::super) fn spans(
        &self,
        holds: impl Fn(&T) -> bool,
    ) -> impl Iterator<Item = (u32, Option<u32>)> {
        let starts = std::iter::once(0).chain(self.frames.iter().copied());
        let values = std::iter::once(&self.start).chain(&self.values);
        let ends = self.frames.iter().map(|&frame| Some(frame)).chain([None]);
        let spans = starts.zip(ends).zip(values);
        // A change in the first frame leaves nothing of what was before.
        spans
            .filter(move |((start, end), value)| *end != Some(*start) && holds(value))
            .map(|(span, _)| span)
    }

    /// Its latest value.
    pub(in super::super) fn latest(&self) -> &T {
        self.values.last().unwrap_or(&self.start)
    }

    pub(in super::super) fn shrink(&mut self) {
        self.frames.shrink_to_fit();
        self.values.shrink_to_fit();
        self.offsets.shrink_to_fit();
    }
}

impl<T: PartialEq> Held<T> {
    /// Changes it from `frame` on, as the action at `offset` says. What it is already is only worth
    /// a change if it is the first the file says of it.
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
        let mut held = Held::new('a');
        held.set(2, 10, 'b');
        held.set(2, 11, 'c');
        held.set(3, 12, 'c');
        held.set(5, 13, 'd');
        let values: String = (0..7).map(|frame| *held.at(frame)).collect();
        assert_eq!(values, "aacccdd");
        assert_eq!(held.frames(), [2, 5]);
        assert_eq!(held.offsets(), [11, 13]);
        assert_eq!(held.since(1), (&'a', None));
        assert_eq!(held.since(4), (&'c', Some(2)));
        let spans = |wanted: &str| held.spans(|value| wanted.contains(*value)).collect::<Vec<_>>();
        assert_eq!(spans("ad"), [(0, Some(2)), (5, None)]);
        assert_eq!(spans("c"), [(2, Some(5))]);
        held.frames[0] = 0;
        assert_eq!(held.spans(|value| *value == 'a').count(), 0);
    }
}
