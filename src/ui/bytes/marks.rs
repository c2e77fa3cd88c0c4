//! The owner of each byte.

use std::ops::Range;

use mutoscope_core::{clip::Clip, measure::listing::Listing};

/// The owner of a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    /// No key's.
    #[default]
    None,
    /// A key's; of two neighbours one is even and one is not.
    Key {
        /// Whether it is the second, the fourth and so on of those that are seen.
        is_even: bool,
    },
    /// The selected key's, or what else is pointed out.
    PointedOut,
}

/// The owner of each of some bytes, kept while they are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    bytes: Range<usize>,
    pointed_out: Vec<Range<usize>>,
    marks: Vec<Mark>,
}

impl Marks {
    /// Finds the owner of each of `bytes`.
    pub(super) fn bring_up_to_date(
        &mut self,
        clip: &Clip,
        listing: &Listing,
        bytes: Range<usize>,
        pointed_out: &[Range<usize>],
    ) {
        if self.bytes == bytes && self.pointed_out == pointed_out && !self.marks.is_empty() {
            return;
        }
        let mut keys = listing.keys_in(clip, bytes.clone());
        keys.sort_by_key(|key| key.bytes.first().map(|first| first.start));
        self.marks = vec![Mark::None; bytes.len()];
        let paint = |marks: &mut [Mark], of: &[Range<usize>], mark: Mark| {
            for one in of {
                let start = one.start.clamp(bytes.start, bytes.end) - bytes.start;
                let end = one.end.clamp(bytes.start, bytes.end) - bytes.start;
                marks[start..end].fill(mark);
            }
        };
        let mut is_even = false;
        let mut last = None;
        for key in &keys {
            // Keys that share their first byte are drawn as one.
            let first = key.bytes.first().map(|first| first.start);
            if last != first {
                (is_even, last) = (!is_even, first);
            }
            paint(&mut self.marks, &key.bytes, Mark::Key { is_even });
        }
        paint(&mut self.marks, pointed_out, Mark::PointedOut);
        (self.bytes, self.pointed_out) = (bytes.clone(), pointed_out.to_vec());
    }

    /// The owner of the byte at `offset`.
    pub(super) fn at(&self, offset: usize) -> Mark {
        let index = offset.checked_sub(self.bytes.start);
        index.and_then(|index| self.marks.get(index)).copied().unwrap_or_default()
    }

    /// The bytes of `row` by owner, where they have one.
    pub(super) fn runs(&self, row: Range<usize>) -> Vec<(Range<usize>, Mark)> {
        let mut runs: Vec<(Range<usize>, Mark)> = Vec::new();
        for offset in row {
            let mark = self.at(offset);
            match runs.last_mut() {
                Some((run, of)) if *of == mark && run.end == offset => run.end += 1,
                _ if mark == Mark::None => {}
                _ => runs.push((offset..offset + 1, mark)),
            }
        }
        runs
    }
}
