//! Confirms or refutes what column names say by the values of the columns.

use std::collections::HashMap;

use glam::DVec3;

use crate::table::Table;

/// The number of rows to look at. They are spread over the table.
const MAX_ROWS: usize = 4096;

/// The share of rows that must agree with a reading.
const MIN_SHARE: f64 = 0.9;

/// Returns the numbers of the columns in some rows. Rows without all numbers, and rows of zeros, are
/// left out, because they are missing poses.
fn sample_rows<'a, const N: usize>(
    table: &'a Table,
    columns: [usize; N],
) -> impl Iterator<Item = [f64; N]> + 'a {
    let step = table.rows.div_ceil(MAX_ROWS).max(1);
    let rows = (0..table.rows).step_by(step);
    let numbers = move |row| columns.map(|column| table.columns[column].number(row));
    let is_pose = |numbers: &[f64; N]| {
        numbers.iter().all(|number| number.is_finite()) && numbers.iter().any(|it| *it != 0.0)
    };
    rows.map(numbers).filter(is_pose)
}

fn length<const N: usize>(numbers: [f64; N]) -> f64 {
    numbers.iter().map(|number| number * number).sum::<f64>().sqrt()
}

/// Returns the median length of the vectors. `None` if there is no row with all components.
pub(super) fn median_length<const N: usize>(table: &Table, columns: [usize; N]) -> Option<f64> {
    let mut lengths: Vec<f64> = sample_rows(table, columns).map(length).collect();
    crate::median(&mut lengths)
}

/// Returns `true` if most vectors have length 1. A rounded component is off by up to 0.005.
pub(super) fn are_unit_vectors<const N: usize>(table: &Table, columns: [usize; N]) -> bool {
    const TOLERANCE: f64 = 0.02;
    let (mut count, mut units) = (0_usize, 0_usize);
    for numbers in sample_rows(table, columns) {
        count += 1;
        units += usize::from((length(numbers) - 1.0).abs() < TOLERANCE);
    }
    count > 0 && units as f64 >= MIN_SHARE * count as f64
}

/// Returns `true` if all vectors have length 1, and if they differ from each other.
pub(super) fn are_moving_unit_vectors(table: &Table, columns: [usize; 3]) -> bool {
    const TOLERANCE: f64 = 0.002;
    const MIN_DIFFERENCE: f64 = 0.05;
    let first = sample_rows(table, columns).next();
    let is_unit = |vector: [f64; 3]| (length(vector) - 1.0).abs() < TOLERANCE;
    first.is_some_and(|first| {
        let moves = |vector| DVec3::from_array(first).distance(vector) > MIN_DIFFERENCE;
        sample_rows(table, columns).map(DVec3::from_array).any(moves)
    }) && sample_rows(table, columns).all(is_unit)
}

pub(super) fn is_always_one(table: &Table, column: usize) -> bool {
    let mut numbers = table.columns[column].numbers().peekable();
    numbers.peek().is_some() && numbers.all(|(_, number)| number == 1.0)
}

/// Returns `true` if w first turns the object less than w last, because heads and hands are upright
/// most of the time. `None` if both orders turn it similarly.
pub(super) fn is_w_first(table: &Table, columns: [usize; 4]) -> Option<bool> {
    const MIN_DIFFERENCE: f64 = 0.25;
    let (mut first, mut last, mut count) = (0.0, 0.0, 0);
    for numbers in sample_rows(table, columns) {
        first += numbers[0].abs();
        last += numbers[3].abs();
        count += 1;
    }
    let difference = (first - last) / f64::from(count.max(1));
    (difference.abs() > MIN_DIFFERENCE).then_some(difference > 0.0)
}

/// The rows of a table that have the same time.
pub(super) struct RepeatedTimes {
    /// A number for each row. Rows with the same time have the same number.
    moments: Vec<u32>,
    count: usize,
}

impl RepeatedTimes {
    /// Finds the rows that agree in all of `time_columns`. Without any, each row has its own time.
    pub(super) fn find(table: &Table, time_columns: &[usize]) -> Self {
        let mut moments: Vec<u32> = vec![0; table.rows];
        let mut count = 1;
        for (index, column) in time_columns.iter().enumerate() {
            let (times, labels) = table.index_labels(*column);
            if index == 0 {
                // Rows without a time have the label `u32::MAX`. They share one moment.
                count = labels.len() + usize::from(times.contains(&u32::MAX));
                moments = times.into_iter().map(|time| time.min(labels.len() as u32)).collect();
                continue;
            }
            let mut known: HashMap<(u32, u32), u32> = HashMap::new();
            for (moment, time) in moments.iter_mut().zip(times) {
                let next = known.len() as u32;
                *moment = *known.entry((*moment, time)).or_insert(next);
            }
            count = known.len();
        }
        match time_columns.is_empty() {
            true => Self { moments: (0..table.rows as u32).collect(), count: table.rows },
            false => Self { moments, count },
        }
    }

    /// Returns `true` if most rows share their time with a row that has another label, so that the
    /// column tells objects apart.
    pub(super) fn are_told_apart_by(&self, table: &Table, column: usize) -> bool {
        let (labels, _) = table.index_labels(column);
        let mut first_labels: Vec<Option<u32>> = vec![None; self.count];
        let mut differs = vec![false; self.count];
        for (moment, label) in self.moments.iter().zip(labels) {
            let moment = *moment as usize;
            let Some(first) = first_labels.get_mut(moment).filter(|_| label != u32::MAX) else {
                continue;
            };
            let first = *first.get_or_insert(label);
            differs[moment] |= first != label;
        }
        2 * differs.iter().filter(|differs| **differs).count() >= self.count.max(1)
    }
}

/// Returns `true` if a time equals or precedes the time of the row before, so that a time may occur in
/// several rows.
pub(super) fn may_repeat(table: &Table, time_columns: &[usize]) -> bool {
    let is_later = |row: usize, column: &usize| {
        let column = *column;
        match (table.text(column, row - 1), table.text(column, row)) {
            (None, None) => {
                table.columns[column].number(row - 1) < table.columns[column].number(row)
            }
            (before, after) => before != after,
        }
    };
    !time_columns.is_empty()
        && (1..table.rows).any(|row| !time_columns.iter().any(|column| is_later(row, column)))
}

/// Returns `true` if the labels of a column are few, so that each of them has several rows.
pub(super) fn labels_repeat(table: &Table, column: usize) -> bool {
    table.index_labels(column).1.len() * 2 <= table.rows
}

/// Returns `true` if every row with a value in `values` has a label in `column`.
pub(super) fn labels_all_rows(table: &Table, column: usize, values: &[usize]) -> bool {
    let mut has_label = vec![false; table.rows];
    table.texts(column).for_each(|(row, _)| has_label[row] = true);
    table.columns[column].numbers().for_each(|(row, _)| has_label[row] = true);
    let has_value = |row: usize| values.iter().any(|it| !table.columns[*it].number(row).is_nan());
    (0..table.rows).all(|row| has_label[row] || !has_value(row))
}
