//! Curve keys, which are shared by all curves with the same rows.

use std::sync::Arc;

use mutoscope_core::{
    clip::{KeyTimes, Segment, Shapes, TrackLocation, Values},
    diagnostics::SourceLocation,
};

use super::rows::Rows;
use crate::table::Column;

#[derive(Clone)]
pub(super) struct Keys {
    pub(super) rows: Arc<[u32]>,
    /// `true` if the rows are all rows of the table, in the order of the file. The curve can then
    /// share the column's numbers.
    covers_all_rows: bool,
    pub(super) times: KeyTimes,
    lines: Option<Arc<[u32]>>,
    pub(super) shapes: Shapes,
}

impl Keys {
    pub(super) fn column_values(&self, column: &Column) -> Values {
        let all = if self.covers_all_rows { column.all_numbers(self.rows.len()) } else { None };
        all.map_or_else(
            || {
                let numbers = self.rows.iter().map(|row| column.number(*row as usize));
                Values::F64(numbers.collect())
            },
            Values::F64,
        )
    }

    pub(super) fn location(&self) -> TrackLocation {
        match &self.lines {
            Some(lines) => {
                let first = lines.first().copied().unwrap_or(1);
                TrackLocation::lines(SourceLocation::line(first), Arc::clone(lines))
            }
            None => TrackLocation::for_track(SourceLocation::File),
        }
    }
}

/// A cache of the latest key sets and key times, so that nodes with the same rows share one
/// allocation.
pub(super) struct KeyCache<'a> {
    /// The line of each row; empty if the container has no lines.
    lines: Vec<u32>,
    rows: &'a Rows,
    recent: Vec<(Keys, Vec<u32>)>,
    times: Vec<KeyTimes>,
}

const MAX_CACHED: usize = 8;

impl<'a> KeyCache<'a> {
    pub(super) fn new(lines: Vec<u32>, rows: &'a Rows) -> Self {
        Self { lines, rows, recent: Vec::new(), times: Vec::new() }
    }

    /// Returns keys at `rows`. `gaps` are the indices of the keys that are followed by rows without
    /// a pose. The segment after such a key is stepped.
    pub(super) fn keys_for(&mut self, rows: &Arc<[u32]>, gaps: &[u32]) -> Keys {
        let is_same = |(known, known_gaps): &&(Keys, Vec<u32>)| {
            (Arc::ptr_eq(&known.rows, rows) || known.rows == *rows) && known_gaps == gaps
        };
        if let Some((known, _)) = self.recent.iter().find(is_same) {
            return known.clone();
        }
        let times = self.times_for(rows.iter().map(|row| self.rows.slots[*row as usize]));
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
        let keys = Keys { rows: Arc::clone(rows), covers_all_rows: are_all, times, lines, shapes };
        if self.recent.len() >= MAX_CACHED {
            self.recent.remove(0);
        }
        self.recent.push((keys.clone(), gaps.to_vec()));
        keys
    }

    fn times_for(&mut self, slots: impl Iterator<Item = u32>) -> KeyTimes {
        let times: Arc<[f64]> = slots.map(|slot| self.rows.times[slot as usize]).collect();
        if let Some(known) = self.times.iter().find(|known| *known.as_slice() == *times) {
            return known.clone();
        }
        let made = KeyTimes::new(times).expect("slots ascend, and so do their times");
        if self.times.len() >= MAX_CACHED {
            self.times.remove(0);
        }
        self.times.push(made.clone());
        made
    }
}
