//! Finds numbers such as -9999 that stand for a lost position.

use std::collections::{BTreeMap, HashSet};

use glam::DVec3;
use mutoscope_core::diagnostics::{Diagnostics, format_count, format_number};

use crate::{
    codes,
    table::{Table, quote_names},
};

/// How many times farther than all other positions a placeholder must be.
const MIN_RATIO: f64 = 10.0;

/// The rows of one node whose position is a placeholder.
#[derive(Default)]
pub(super) struct PlaceholderRows {
    pub(super) rows: HashSet<u32>,
    value: f64,
}

/// Returns `true` if x, y and z share a number that may stand for a missing number.
fn may_be_placeholder(position: DVec3) -> bool {
    let DVec3 { x, .. } = position;
    position == DVec3::splat(x) && x.abs() >= 99.0 && x.fract() == 0.0
}

/// Returns `true` for zeros, and for other numbers that may stand for a lost position.
pub(super) fn may_be_lost(position: DVec3) -> bool {
    position == DVec3::ZERO || may_be_placeholder(position)
}

/// Returns `true` for numbers that programs write in place of a missing number: at least two nines,
/// a power of ten, or the largest number of a type.
fn is_known_placeholder(number: f64) -> bool {
    const LARGEST_NUMBERS: [f64; 4] =
        [i32::MAX as f64, -(i32::MIN as f64), i16::MAX as f64, f32::MAX as f64];
    let size = number.abs();
    let is_power = size >= 1000.0 && size.log10().fract() == 0.0;
    has_nines(number) || is_power || LARGEST_NUMBERS.contains(&size) || size >= 1e30
}

fn has_nines(number: f64) -> bool {
    let digits = (number.abs() + 1.0).log10();
    digits >= 2.0 && digits.fract() == 0.0 && number.fract() == 0.0
}

impl PlaceholderRows {
    /// Finds the number that x, y and z share in some rows, far from all other positions.
    pub(super) fn find(positions: &[(u32, DVec3)]) -> Self {
        let values = positions.iter().map(|(_, position)| *position);
        let values = values.filter(|position| may_be_placeholder(*position));
        let farthest = values.max_by(|one, other| one.x.abs().total_cmp(&other.x.abs()));
        let Some(DVec3 { x: value, .. }) = farthest else { return Self::default() };
        let is_lost = |position: &DVec3| *position == DVec3::splat(value);
        let lost = positions.iter().filter(|(_, position)| is_lost(position));
        let others = || positions.iter().map(|(_, it)| it).filter(|it| !is_lost(it));
        let reach = others().map(|it| it.abs().max_element()).fold(0.0, f64::max);
        // A path only shares such a number between x, y and z if it runs along a diagonal.
        let is_alone = others().all(|it| *it != DVec3::splat(it.x));
        let is_far = reach * MIN_RATIO <= value.abs();
        let is_lost_number = match is_known_placeholder(value) {
            true => is_far || is_alone && has_nines(value),
            false => is_far && is_alone,
        };
        if others().next().is_none() || !is_lost_number {
            return Self::default();
        }
        Self { rows: lost.map(|(row, _)| *row).collect(), value }
    }
}

/// The placeholders of all nodes, by their numbers.
#[derive(Default)]
pub(super) struct PlaceholderReport {
    by_value: BTreeMap<String, (Vec<String>, usize, u32)>,
}

impl PlaceholderReport {
    pub(super) fn add(&mut self, node: &str, found: &PlaceholderRows) {
        let Some(first) = found.rows.iter().min() else { return };
        let value = format_number(found.value);
        let (nodes, rows, before) =
            self.by_value.entry(value).or_insert_with(|| (Vec::new(), 0, u32::MAX));
        nodes.push(node.to_owned());
        *rows += found.rows.len();
        *before = (*before).min(*first);
    }

    pub(super) fn report(&self, table: &Table, diagnostics: &mut Diagnostics) {
        for (value, (nodes, rows, first)) in &self.by_value {
            let nodes = quote_names(nodes.iter().map(String::as_str));
            let rows = format_count(*rows, "row");
            let message = format!(
                "{nodes}: the position is {value}, {value}, {value} in {rows}, which stands for a lost \
                 position; hidden there"
            );
            diagnostics.info(codes::table::LOST_POSITION, table.location(*first as usize), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_nines_powers_and_largest_numbers() {
        for number in [-999.0, -9999.0, 99.0, 99_999.0, -10_000.0, 1000.0, -2_147_483_648.0, 3.4e38]
        {
            assert!(is_known_placeholder(number), "{number}");
        }
        for number in [0.0, 1.0, 9.0, 100.0, 998.0, 999.5, 1234.0] {
            assert!(!is_known_placeholder(number), "{number}");
        }
    }

    #[test]
    fn placeholders_are_far_from_all_other_positions() {
        let rows = |values: &[f64]| -> usize {
            let positions = values.iter().enumerate();
            let positions: Vec<_> =
                positions.map(|(row, value)| (row as u32, DVec3::splat(*value))).collect();
            PlaceholderRows::find(&positions).rows.len()
        };
        assert_eq!(rows(&[1.0, -9999.0, 1.2, -9999.0]), 2);
        assert_eq!(rows(&[990.0, 999.0, 1010.0]), 0, "millimetres that pass 999");
        assert_eq!(rows(&[-9999.0, -9999.0]), 0, "no other position");
    }
}
