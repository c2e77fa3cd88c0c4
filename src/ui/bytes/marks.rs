//! Finds the key of each byte.

use std::ops::Range;

use mutoscope_core::clip::Clip;
use mutoscope_view::listing::Listing;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    /// The byte belongs to no key.
    #[default]
    None,
    /// The byte belongs to a key. Neighbouring keys alternate, so that they can be told apart.
    Key { is_even: bool },
    /// The byte belongs to the selected key or the highlighted location.
    Highlighted,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    bytes: Range<usize>,
    highlighted_ranges: Vec<Range<usize>>,
    marks: Vec<Mark>,
}

impl Marks {
    pub(super) fn update(
        &mut self,
        clip: &Clip,
        listing: &Listing,
        bytes: Range<usize>,
        highlighted_ranges: &[Range<usize>],
    ) {
        if self.bytes == bytes
            && self.highlighted_ranges == highlighted_ranges
            && !self.marks.is_empty()
        {
            return;
        }
        let mut keys = listing.keys_in(clip, bytes.clone());
        keys.sort_by_key(|key| key.bytes.first().map(|first| first.start));
        self.marks = vec![Mark::None; bytes.len()];
        let paint = |marks: &mut [Mark], ranges: &[Range<usize>], mark: Mark| {
            for range in ranges {
                let start = range.start.clamp(bytes.start, bytes.end) - bytes.start;
                let end = range.end.clamp(bytes.start, bytes.end) - bytes.start;
                marks[start..end].fill(mark);
            }
        };
        let mut is_even = false;
        let mut last = None;
        for key in &keys {
            // Keys that begin at the same byte share a shade, because they are packed together.
            let first = key.bytes.first().map(|first| first.start);
            if last != first {
                (is_even, last) = (!is_even, first);
            }
            paint(&mut self.marks, &key.bytes, Mark::Key { is_even });
        }
        paint(&mut self.marks, highlighted_ranges, Mark::Highlighted);
        (self.bytes, self.highlighted_ranges) = (bytes.clone(), highlighted_ranges.to_vec());
    }

    pub(super) fn mark_at(&self, offset: usize) -> Mark {
        let index = offset.checked_sub(self.bytes.start);
        index.and_then(|index| self.marks.get(index)).copied().unwrap_or_default()
    }

    pub(super) fn runs(&self, row: Range<usize>) -> Vec<(Range<usize>, Mark)> {
        let mut runs: Vec<(Range<usize>, Mark)> = Vec::new();
        for offset in row {
            let mark = self.mark_at(offset);
            match runs.last_mut() {
                Some((run, run_mark)) if *run_mark == mark && run.end == offset => run.end += 1,
                _ if mark == Mark::None => {}
                _ => runs.push((offset..offset + 1, mark)),
            }
        }
        runs
    }
}
