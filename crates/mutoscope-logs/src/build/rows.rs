//! The rows of a table in the order of time, and to which node each belongs.

use std::{collections::HashMap, sync::Arc};

use mutoscope_core::diagnostics::{Notices, SourceLocation};

use crate::{
    names::{NodeName, joint_of_label, side_of_word},
    plan::Plan,
    table::Table,
};

/// No time, or no group.
pub(super) const NONE: u32 = u32::MAX;

/// The rows in the order of time.
pub(super) struct Rows {
    /// All times, ascending and each once, in seconds.
    pub(super) times: Vec<f64>,
    /// By row the index of its time; [`NONE`] without one.
    pub(super) slots: Vec<u32>,
    /// The groups of rows that are of one node, or of one side; none in a table of rows of all
    /// nodes.
    pub(super) groups: Vec<Group>,
    /// By row its group; empty without groups.
    pub(super) group_of: Vec<u32>,
    /// All rows, where they are in the order of time, each time once.
    pub(super) in_order: Option<Arc<[u32]>>,
}

/// The rows of one node, or of one side.
pub(super) struct Group {
    /// The node that the rows are of, if a column says so.
    pub(super) node: Option<NodeName>,
    /// The same as the table has it.
    pub(super) label: String,
    /// Whether it is on the left or the right side.
    pub(super) side: Option<bool>,
    /// The rows, in the order of time, each time once.
    pub(super) rows: Vec<u32>,
    /// Whether no other group has rows at the same times.
    pub(super) has_own_clock: bool,
}

impl Rows {
    /// Sorts the rows by these times.
    pub(super) fn new(seconds: &[f64], table: &Table, plan: &Plan, notices: &mut Notices) -> Self {
        let is_grouped = plan.node.is_some() || plan.side.is_some();
        let is_ascending = |pair: &[f64]| pair[0] < pair[1];
        let has_one = seconds.first().is_some_and(|first| !first.is_nan());
        if !is_grouped && has_one && seconds.windows(2).all(is_ascending) {
            let all: Arc<[u32]> = (0..seconds.len() as u32).collect();
            return Self {
                times: seconds.to_vec(),
                slots: all.to_vec(),
                groups: Vec::new(),
                group_of: Vec::new(),
                in_order: Some(all),
            };
        }
        let mut order: Vec<u32> =
            (0..seconds.len() as u32).filter(|row| !seconds[*row as usize].is_nan()).collect();
        let time = |row: &u32| seconds[*row as usize];
        let is_sorted = order.is_sorted_by(|one, other| time(one) <= time(other));
        if !is_sorted {
            order.sort_by(|one, other| time(one).total_cmp(&time(other)));
        }
        let mut times: Vec<f64> = Vec::new();
        let mut slots = vec![NONE; seconds.len()];
        for row in &order {
            if times.last() != Some(&time(row)) {
                times.push(time(row));
            }
            slots[*row as usize] = times.len() as u32 - 1;
        }
        drop(order);
        let (groups, group_of) = (Vec::new(), Vec::new());
        let mut rows = Self { times, slots, groups, group_of, in_order: None };
        let mut problems = Problems::default();
        if is_grouped {
            rows.group(table, plan);
            for group in &mut rows.groups {
                group.sort(&rows.slots, &mut problems);
            }
            rows.find_clocks();
        } else {
            let mut all = (0..seconds.len() as u32).collect();
            in_order(&mut all, &rows.slots, &mut problems);
        }
        problems.report(table, notices);
        rows
    }

    fn group(&mut self, table: &Table, plan: &Plan) {
        let rows = self.slots.len();
        let nodes = plan.node.map(|column| labels(table, column, rows));
        let sides = plan.side.map(|column| {
            let mut sides = vec![NONE; rows];
            for (row, text) in table.texts(column) {
                if let Some(slot) = sides.get_mut(row) {
                    *slot = side_of_word(text).map_or(NONE, u32::from);
                }
            }
            sides
        });
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        self.group_of = vec![NONE; rows];
        for row in 0..rows {
            let node = nodes.as_ref().map_or(0, |(of_row, _)| of_row[row]);
            let side = sides.as_ref().map_or(NONE, |of_row| of_row[row]);
            let lacks = node == NONE || plan.node.is_none() && side == NONE;
            if lacks || self.slots[row] == NONE {
                continue;
            }
            let group = *known.entry((node, side)).or_insert_with(|| {
                let label = nodes.as_ref().map(|(_, labels)| labels[node as usize].clone());
                let number = label.as_ref().and_then(|label| label.parse::<usize>().ok());
                let joint = number.and_then(|number| plan.numbering?.joint(number));
                let name = joint.map(|joint| NodeName::Joint(None, joint.0));
                self.groups.push(Group {
                    node: name.or_else(|| label.as_deref().map(joint_of_label)),
                    label: label.unwrap_or_default(),
                    side: (side != NONE).then_some(side == 1),
                    rows: Vec::new(),
                    has_own_clock: false,
                });
                self.groups.len() as u32 - 1
            });
            self.group_of[row] = group;
            self.groups[group as usize].rows.push(row as u32);
        }
    }

    /// Finds the groups that share no time with another: what lacks at the times of others is not
    /// missing.
    fn find_clocks(&mut self) {
        let mut count = vec![0_u8; self.times.len()];
        let slots = &self.slots;
        for row in self.groups.iter().flat_map(|group| &group.rows) {
            let count = &mut count[slots[*row as usize] as usize];
            *count = count.saturating_add(1);
        }
        let is_alone = self.groups.len() > 1;
        for group in &mut self.groups {
            let shares = |row: &u32| count[slots[*row as usize] as usize] > 1;
            group.has_own_clock = is_alone && !group.rows.iter().any(shares);
        }
    }
}

impl Group {
    fn sort(&mut self, slots: &[u32], problems: &mut Problems) {
        in_order(&mut self.rows, slots, problems);
    }

    /// The name of the node.
    pub(super) fn text(&self) -> String {
        match (&self.node, self.side) {
            (Some(node), side) => node.text(side),
            (None, Some(true)) => "left".to_owned(),
            (None, _) => "right".to_owned(),
        }
    }
}

/// Sorts rows by time and keeps the last of those at one time.
fn in_order(rows: &mut Vec<u32>, slots: &[u32], problems: &mut Problems) {
    rows.retain(|row| slots[*row as usize] != NONE);
    let slot = |row: &u32| slots[*row as usize];
    let unsorted = rows.windows(2).position(|pair| slot(&pair[0]) > slot(&pair[1]));
    if let Some(at) = unsorted {
        problems.unsorted.get_or_insert(rows[at + 1]);
        rows.sort_by_key(slot);
    }
    let before = rows.len();
    let mut kept: Vec<u32> = Vec::new();
    if rows.windows(2).any(|pair| slot(&pair[0]) == slot(&pair[1])) {
        for row in rows.iter() {
            if kept.last().is_some_and(|last| slot(last) == slot(row)) {
                problems.first_twice.get_or_insert(*row);
                kept.pop();
            }
            kept.push(*row);
        }
        *rows = kept;
    }
    problems.twice += before - rows.len();
}

/// The index of the label of each row, and the labels in the order of their appearance.
fn labels(table: &Table, column: usize, rows: usize) -> (Vec<u32>, Vec<String>) {
    let mut of_row = vec![NONE; rows];
    let mut labels: Vec<String> = Vec::new();
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut add = |row: usize, label: &str| {
        let index = known.get(label).copied().unwrap_or_else(|| {
            labels.push(label.to_owned());
            let index = labels.len() as u32 - 1;
            known.insert(label.to_owned(), index);
            index
        });
        if let Some(slot) = of_row.get_mut(row) {
            *slot = index;
        }
    };
    let numbers: Vec<usize> = table.columns[column].numbers().map(|(row, _)| row).collect();
    let texts = table.texts(column).map(|(row, text)| (row, Some(text)));
    let mut all: Vec<(usize, Option<&str>)> =
        texts.chain(numbers.into_iter().map(|row| (row, None))).collect();
    all.sort_by_key(|(row, _)| *row);
    for (row, text) in all {
        match text {
            Some(text) => add(row, text),
            None => add(row, &table.label(column, row).unwrap_or_default()),
        }
    }
    (of_row, labels)
}

/// Rows out of order, and several of one time.
#[derive(Default)]
struct Problems {
    unsorted: Option<u32>,
    twice: usize,
    first_twice: Option<u32>,
}

impl Problems {
    fn report(&self, table: &Table, notices: &mut Notices) {
        let place =
            |row: u32| table.line(row as usize).map_or(SourceLocation::File, SourceLocation::line);
        if let Some(row) = self.unsorted {
            notices.warning(place(row), "rows out of order: time runs backwards; sorted");
        }
        if let Some(row) = self.first_twice {
            let message =
                format!("a time stands twice; using the later row. Such rows: {}", self.twice);
            notices.warning(place(row), message);
        }
    }
}
