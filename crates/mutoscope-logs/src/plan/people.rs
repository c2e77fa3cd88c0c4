//! Finds the column that names the person to whom a row belongs.

use std::collections::HashSet;

use super::{Plan, confirm::RepeatedTimes};
use crate::table::Table;

/// Returns `true` if some of the first rows have the same time, node, side and label in `column`.
pub(super) fn repeats_labels(
    table: &Table,
    plan: &Plan,
    column: Option<usize>,
    max_rows: usize,
) -> bool {
    let keys: Vec<usize> =
        [plan.time, plan.finer_time, plan.node, plan.side, column].into_iter().flatten().collect();
    let mut known = HashSet::new();
    (0..table.rows.min(max_rows)).any(|row| {
        let labels: Vec<_> = keys.iter().map(|column| table.label(*column, row)).collect();
        !known.insert(labels)
    })
}

/// Returns `true` if all rows have an integer or a string in `column`, and if these labels tell apart
/// all rows of the same time, node and side. Most times must have several rows.
pub(super) fn tells_all_rows_apart(
    table: &Table,
    plan: &Plan,
    times: &RepeatedTimes,
    column: usize,
) -> bool {
    /// Most columns are refuted by their first rows.
    const FIRST_ROWS: usize = 1024;
    let is_integer = |(_, number): (usize, f64)| number.fract() == 0.0;
    if !table.columns[column].numbers().all(is_integer)
        || repeats_labels(table, plan, Some(column), FIRST_ROWS)
    {
        return false;
    }
    let (rows, label_count) = sorted_rows(table, plan, column);
    rows.len() == table.rows
        && rows.iter().all(|(_, label)| *label != u32::MAX)
        && rows.windows(2).any(|pair| pair[0].0 == pair[1].0)
        && (label_count * 2 <= rows.len() || have_one_time(&rows))
        && times.are_told_apart_by(table, column)
}

/// Returns the first of `candidates` whose values tell apart rows of the same time and node.
pub(super) fn find_person_column(
    table: &Table,
    plan: &Plan,
    candidates: &[usize],
) -> Option<usize> {
    candidates.iter().copied().find(|column| separates_people(table, plan, *column))
}

/// Returns `true` if some rows have the same time and node, if the values of `column` tell these
/// rows apart, and if the values are few. A number that counts up has too many values, and a number
/// of the whole recording tells nothing apart.
fn separates_people(table: &Table, plan: &Plan, column: usize) -> bool {
    /// Some programs write a row twice.
    const MAX_REPEATED_ROWS: f64 = 0.1;
    let (rows, people) = sorted_rows(table, plan, column);
    let repeated = table.rows - rows.len();
    let are_together = rows.windows(2).any(|pair| pair[0].0 == pair[1].0);
    are_together
        && (have_one_time(&rows) || people * 2 <= rows.len())
        && repeated as f64 <= table.rows as f64 * MAX_REPEATED_ROWS
}

/// The labels of a row in the columns of the time (two), the node and the side, and in the column
/// that may name people.
type RowLabels = ([Option<u32>; 4], u32);

/// Returns the distinct rows in order, and the number of labels in `column`.
fn sorted_rows(table: &Table, plan: &Plan, column: usize) -> (Vec<RowLabels>, usize) {
    let (label_of_row, labels) = table.index_labels(column);
    let keys = [plan.time, plan.finer_time, plan.node, plan.side]
        .map(|column| column.map(|column| table.index_labels(column).0));
    let mut rows: Vec<RowLabels> = (0..table.rows)
        .map(|row| (keys.each_ref().map(|key| Some(key.as_ref()?[row])), label_of_row[row]))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    (rows, labels.len())
}

fn have_one_time(rows: &[RowLabels]) -> bool {
    rows.iter().all(|row| row.0[..2] == rows[0].0[..2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    /// Returns `true` if the first column of a table with these people, times and nodes tells people
    /// apart.
    fn finds_people(rows: &[(&str, f64, &str)]) -> bool {
        let mut table = Table::new("csv");
        table.columns = ["person", "time", "joint"].map(Column::new).into();
        table.rows = rows.len();
        for (row, (person, time, joint)) in rows.iter().enumerate() {
            table.push_text(0, row, person);
            table.push_number(1, row, *time);
            table.push_text(2, row, joint);
        }
        let plan = Plan { time: Some(1), node: Some(2), ..Plan::default() };
        find_person_column(&table, &plan, &[0]) == Some(0)
    }

    #[test]
    fn people_are_apart_at_the_same_time() {
        let two = [("a", 0.0, "Head"), ("b", 0.0, "Head"), ("a", 1.0, "Head"), ("b", 1.0, "Head")];
        assert!(finds_people(&two));
        let one_each = [("a", 0.0, "Head"), ("a", 0.0, "Hand"), ("b", 1.0, "Head")];
        assert!(!finds_people(&one_each), "never at the same time");
        let counts = [("1", 0.0, "Head"), ("2", 0.0, "Head"), ("3", 1.0, "Head")];
        assert!(!finds_people(&counts), "a number that counts up");
        let same = [("a", 0.0, "Head"), ("a", 0.0, "Head"), ("b", 0.0, "Head"), ("b", 1.0, "Head")];
        assert!(!finds_people(&same), "the same person twice at a time");
    }
}
