//! Finds positions of exactly 0, 0, 0 that mean that a marker or an object was lost.

use std::collections::HashSet;

use glam::DVec3;
use mutoscope_core::diagnostics::{Diagnostics, SourceLocation, format_count};

use crate::{
    codes,
    table::{Table, quote_names},
};

/// The shortest jump to the origin that counts as a lost position.
const MIN_JUMP_M: f64 = 0.1;

/// How many times longer than the steps around it a jump to the origin must be to count as lost. A
/// path through the origin has steps of similar lengths.
const MIN_LOST_RATIO: f64 = 5.0;

/// How many times longer than the steps around it a jump to the origin must be to be reported.
const MIN_DOUBTFUL_RATIO: f64 = 2.0;

/// The rows of one node at exactly 0, 0, 0.
#[derive(Default)]
pub(super) struct ZeroRows {
    /// The rows that certainly have no pose.
    pub(super) lost: HashSet<u32>,
    /// The rows that may have no pose.
    pub(super) doubtful: Vec<u32>,
    pub(super) are_all: bool,
}

impl ZeroRows {
    /// Compares each run of zeros with the positions around it. `positions` are the positions of the
    /// node in order of time. If they are `measured` by a motion capture system, they are never at
    /// the exact origin. Otherwise they may start there.
    pub(super) fn find(
        positions: &[(u32, DVec3)],
        metres_per_unit: f64,
        are_measured: bool,
    ) -> Self {
        let mut found = Self::default();
        let is_zero = |index: usize| positions[index].1 == DVec3::ZERO;
        let mut start = 0;
        while start < positions.len() {
            if !is_zero(start) {
                start += 1;
                continue;
            }
            let mut end = start;
            while end < positions.len() && is_zero(end) {
                end += 1;
            }
            let rows = positions[start..end].iter().map(|(row, _)| *row);
            let before = positions[..start].last().map(|(_, position)| *position);
            let after = positions.get(end).map(|(_, position)| *position);
            let sides = [before, after];
            let step_between = |one: usize, other: usize| {
                let (one, other) = (positions.get(one)?.1, positions.get(other)?.1);
                (one != DVec3::ZERO && other != DVec3::ZERO).then(|| one.distance(other))
            };
            let steps = [
                start.checked_sub(2).and_then(|index| step_between(index, index + 1)),
                step_between(end, end + 1),
                before
                    .zip(after)
                    .map(|(one, other)| one.distance(other) / (end - start + 1) as f64),
            ];
            let jump = sides.iter().flatten().map(|it| it.length()).fold(f64::INFINITY, f64::min);
            let step = steps.into_iter().flatten().fold(f64::NAN, f64::max);
            if sides == [None, None] {
                found.are_all = are_measured;
            } else if jump * metres_per_unit > MIN_JUMP_M {
                let is_certain = jump > MIN_LOST_RATIO * step
                    && (are_measured || step > 0.0 && before.is_some() && after.is_some());
                if is_certain {
                    found.lost.extend(rows);
                } else if jump > MIN_DOUBTFUL_RATIO * step || are_measured && step.is_nan() {
                    found.doubtful.extend(rows);
                }
            }
            start = end;
        }
        found
    }
}

/// The rows at exactly 0, 0, 0 of all nodes.
#[derive(Default)]
pub(super) struct ZeroReport {
    lost: NodesAtZero,
    doubtful: NodesAtZero,
    always: NodesAtZero,
}

#[derive(Default)]
struct NodesAtZero {
    nodes: Vec<String>,
    rows: usize,
    first: Option<u32>,
}

impl NodesAtZero {
    fn add(&mut self, node: &str, rows: impl ExactSizeIterator<Item = u32>) {
        self.nodes.push(node.to_owned());
        self.rows += rows.len();
        self.first = self.first.into_iter().chain(rows).min();
    }
}

impl ZeroReport {
    pub(super) fn add(&mut self, node: &str, zeros: &ZeroRows) {
        if !zeros.lost.is_empty() {
            self.lost.add(node, zeros.lost.iter().copied());
        }
        if !zeros.doubtful.is_empty() {
            self.doubtful.add(node, zeros.doubtful.iter().copied());
        }
        if zeros.are_all {
            self.always.add(node, std::iter::empty());
        }
    }

    pub(super) fn report(&self, table: &Table, diagnostics: &mut Diagnostics) {
        let mut report = |found: &NodesAtZero, is_hidden: bool, message: &str| {
            if found.nodes.is_empty() {
                return;
            }
            let first = found.first.map(|row| table.location(row as usize));
            let location = first.unwrap_or(SourceLocation::File);
            let nodes = quote_names(found.nodes.iter().map(String::as_str));
            let rows = match found.rows {
                0 => "every row".to_owned(),
                rows => format_count(rows, "row"),
            };
            let message = format!("{nodes}: the position is exactly 0, 0, 0 in {rows}{message}");
            match is_hidden {
                true => diagnostics.info(codes::table::LOST_POSITION, location, message),
                false => diagnostics.warning(codes::table::DOUBTFUL_ZEROS, location, message),
            };
        };
        report(&self.lost, true, ", far from the positions before and after; hidden there");
        report(
            &self.doubtful,
            false,
            "; shown there, but the zeros may mean that the node was lost",
        );
        report(
            &self.always,
            false,
            "; shown there, but the zeros may mean that nothing was measured",
        );
    }
}
