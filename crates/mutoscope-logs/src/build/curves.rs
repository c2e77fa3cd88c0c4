//! Keys of curves, shared where they are of the same rows.

use std::sync::Arc;

use mutoscope_core::{
    clip::{KeyTimes, Provenance, Segment, Shapes, Values},
    diagnostics::SourceLocation,
};

use super::rows::Rows;
use crate::table::Column;

/// The keys of a node or of a signal: rows in the order of time.
#[derive(Clone)]
pub(super) struct Keys {
    pub(super) rows: Arc<[u32]>,
    /// Whether these are all rows, as in the file.
    are_all: bool,
    pub(super) times: KeyTimes,
    lines: Option<Arc<[u32]>>,
    /// Straight lines between keys, but none over rows without a pose.
    pub(super) shapes: Shapes,
}

impl Keys {
    /// The numbers of a column at the keys; NaN where there is none.
    pub(super) fn numbers(&self, column: &Column) -> Values {
        let all = if self.are_all { column.all_numbers(self.rows.len()) } else { None };
        all.map_or_else(
            || {
                let numbers = self.rows.iter().map(|row| column.number(*row as usize));
                Values::Double(numbers.collect())
            },
            Values::Double,
        )
    }

    /// Where the file has the keys.
    pub(super) fn source(&self) -> Provenance {
        match &self.lines {
            Some(lines) => {
                let first = lines.first().copied().unwrap_or(1);
                Provenance::lines(SourceLocation::line(first), Arc::clone(lines))
            }
            None => Provenance::of_track(SourceLocation::File),
        }
    }
}

/// Key sets that were made last, for nodes with the same rows to share.
pub(super) struct KeySets<'a> {
    /// The line of each row; empty where there are no lines.
    lines: Vec<u32>,
    rows: &'a Rows,
    recent: Vec<(Keys, Vec<u32>)>,
    times: Vec<KeyTimes>,
}

/// How many are remembered.
const REMEMBERED: usize = 8;

impl<'a> KeySets<'a> {
    pub(super) fn new(lines: Vec<u32>, rows: &'a Rows) -> Self {
        Self { lines, rows, recent: Vec::new(), times: Vec::new() }
    }

    /// The keys at these rows; after those keys that `gaps` lists by index no line leads to the next.
    pub(super) fn of(&mut self, rows: &Arc<[u32]>, gaps: &[u32]) -> Keys {
        let is_same = |(known, known_gaps): &&(Keys, Vec<u32>)| {
            (Arc::ptr_eq(&known.rows, rows) || known.rows == *rows) && known_gaps == gaps
        };
        if let Some((known, _)) = self.recent.iter().find(is_same) {
            return known.clone();
        }
        let times = self.times_of(rows.iter().map(|row| self.rows.slots[*row as usize]));
        let line = |row: &u32| self.lines.get(*row as usize).copied().unwrap_or(1);
        let lines = (!self.lines.is_empty()).then(|| rows.iter().map(line).collect());
        let shapes = match gaps {
            [] => Shapes::Linear,
            _ => {
                let mut segments = vec![Segment::Linear; rows.len().saturating_sub(1)];
                for gap in gaps {
                    if let Some(segment) = segments.get_mut(*gap as usize) {
                        *segment = Segment::Step;
                    }
                }
                Shapes::Segments(segments.into())
            }
        };
        let are_all = rows.len() == self.rows.slots.len() && rows.is_sorted();
        let keys = Keys { rows: Arc::clone(rows), are_all, times, lines, shapes };
        if self.recent.len() >= REMEMBERED {
            self.recent.remove(0);
        }
        self.recent.push((keys.clone(), gaps.to_vec()));
        keys
    }

    /// Key times at these slots, shared with those that were made last.
    fn times_of(&mut self, slots: impl Iterator<Item = u32>) -> KeyTimes {
        let times: Arc<[f64]> = slots.map(|slot| self.rows.times[slot as usize]).collect();
        if let Some(known) = self.times.iter().find(|known| *known.as_slice() == *times) {
            return known.clone();
        }
        let made = KeyTimes::new(times).expect("slots ascend, and so do their times");
        if self.times.len() >= REMEMBERED {
            self.times.remove(0);
        }
        self.times.push(made.clone());
        made
    }
}
