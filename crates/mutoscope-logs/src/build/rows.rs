//! Sorts the rows of a table by time, and groups them by node.

use std::{collections::HashMap, sync::Arc};

use mutoscope_core::diagnostics::{Diagnostics, Topic};

use crate::{
    codes,
    names::{NodeName, joint_index, node_from_label, parse_side},
    plan::{NodePlan, Plan},
    table::Table,
};

/// The value in `slots` for a row without a time, and in `group_of_row` for a row without a group.
pub(super) const NO_INDEX: u32 = u32::MAX;

pub(super) struct Rows {
    /// All distinct times in seconds, ascending.
    pub(super) times: Vec<f64>,
    pub(super) slots: Vec<u32>,
    /// The groups of rows. Each group has the rows of one node or of one side. Empty if each row
    /// holds all nodes.
    pub(super) groups: Vec<Group>,
    /// The group of each row; empty if there are no groups.
    pub(super) group_of_row: Vec<u32>,
    /// All rows, if they are in order of time and all times differ.
    pub(super) all_in_order: Option<Arc<[u32]>>,
}

pub(super) struct Group {
    pub(super) node: Option<NodeName>,
    pub(super) label: String,
    /// `true` for the left side.
    pub(super) side: Option<bool>,
    /// The label of the person or the object to which the node belongs, if several have poses.
    pub(super) person: Option<String>,
    /// The rows in order of time, at most one for each time.
    pub(super) rows: Vec<u32>,
    /// `true` if no other group has a row at any time of this group. Times without a row of this
    /// group are then not gaps.
    pub(super) has_own_clock: bool,
}

impl Rows {
    pub(super) fn new(
        seconds: &[f64],
        table: &Table,
        plan: &Plan,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let is_grouped = plan.is_grouped();
        let is_ascending = |pair: &[f64]| pair[0] < pair[1];
        let has_one = seconds.first().is_some_and(|first| !first.is_nan());
        if !is_grouped && has_one && seconds.windows(2).all(is_ascending) {
            let all: Arc<[u32]> = (0..seconds.len() as u32).collect();
            return Self {
                times: seconds.to_vec(),
                slots: all.to_vec(),
                groups: Vec::new(),
                group_of_row: Vec::new(),
                all_in_order: Some(all),
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
        let mut slots = vec![NO_INDEX; seconds.len()];
        for row in &order {
            if times.last() != Some(&time(row)) {
                times.push(time(row));
            }
            slots[*row as usize] = times.len() as u32 - 1;
        }
        drop(order);
        let (groups, group_of) = (Vec::new(), Vec::new());
        let mut rows = Self { times, slots, groups, group_of_row: group_of, all_in_order: None };
        let mut problems = RowProblems::default();
        if is_grouped {
            rows.group_rows(table, plan, &mut problems);
            for group in &mut rows.groups {
                sort_rows(&mut group.rows, &rows.slots, &mut problems);
            }
            rows.detect_own_clocks();
        } else {
            let mut all = (0..seconds.len() as u32).collect();
            sort_rows(&mut all, &rows.slots, &mut problems);
        }
        problems.report(table, diagnostics);
        rows
    }

    fn group_rows(&mut self, table: &Table, plan: &Plan, problems: &mut RowProblems) {
        let rows = self.slots.len();
        let nodes = plan.node.map(|column| table.index_labels(column));
        let sides = plan.side.map(|column| {
            let mut sides = vec![NO_INDEX; rows];
            for (row, text) in table.texts(column) {
                if let Some(slot) = sides.get_mut(row) {
                    *slot = parse_side(text).map_or(NO_INDEX, u32::from);
                }
            }
            sides
        });
        let people = plan.group.map(|column| table.index_labels(column));
        let are_several = people
            .as_ref()
            .is_some_and(|(of_row, _)| has_several_people_with_poses(table, plan, of_row));
        let mut known: HashMap<(u32, u32, u32), u32> = HashMap::new();
        self.group_of_row = vec![NO_INDEX; rows];
        for row in 0..rows {
            let node = nodes.as_ref().map_or(0, |(of_row, _)| of_row[row]);
            let side = sides.as_ref().map_or(NO_INDEX, |of_row| of_row[row]);
            let person = people.as_ref().map_or(NO_INDEX, |(of_row, _)| of_row[row]);
            // If the column of sides is the only grouping column, a row without a side has no node.
            let needs_side = plan.node.is_none() && plan.group.is_none();
            let lacks = node == NO_INDEX || needs_side && side == NO_INDEX;
            if self.slots[row] == NO_INDEX {
                continue;
            }
            if lacks {
                problems.unlabelled += 1;
                problems.first_unlabelled.get_or_insert(row as u32);
                continue;
            }
            let group = *known.entry((person, node, side)).or_insert_with(|| {
                let label = nodes.as_ref().map(|(_, labels)| labels[node as usize].clone());
                let people = people.as_ref().filter(|_| are_several);
                let person = people.and_then(|(_, labels)| labels.get(person as usize));
                self.groups.push(Group {
                    node: label.as_deref().map(|label| node_of_label(plan, label)),
                    label: label.unwrap_or_default(),
                    side: (side != NO_INDEX).then_some(side == 1),
                    person: person.cloned(),
                    rows: Vec::new(),
                    has_own_clock: false,
                });
                self.groups.len() as u32 - 1
            });
            self.group_of_row[row] = group;
            self.groups[group as usize].rows.push(row as u32);
        }
    }

    fn detect_own_clocks(&mut self) {
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
    /// Returns the name of a node of the rows in this group.
    pub(super) fn name_of(&self, plan: &NodePlan) -> String {
        let name = match &self.node {
            Some(node) => format!("{}{}", node.name_on_side(self.side), plan.suffix),
            None => plan.name_on_side(self.side),
        };
        self.with_person(&name)
    }

    /// Returns the name of the node, the side or the person that the rows belong to.
    pub(super) fn node_name(&self) -> String {
        match (&self.node, self.side) {
            (Some(node), side) => self.with_person(&node.name_on_side(side)),
            (None, Some(true)) => self.with_person("left"),
            (None, Some(false)) => self.with_person("right"),
            (None, None) => self.person.clone().unwrap_or_default(),
        }
    }

    /// Puts the label of the person in front of the name of a node.
    pub(super) fn with_person(&self, name: &str) -> String {
        match &self.person {
            Some(person) => format!("{person}/{name}"),
            None => name.to_owned(),
        }
    }
}

/// Returns the node that a label or a number in the file means.
fn node_of_label(plan: &Plan, label: &str) -> NodeName {
    let number = label.parse::<usize>().ok();
    let joint = || number.and_then(|number| plan.numbering?.joint(number));
    match plan.label_names.get(label).map(String::as_str).or_else(joint) {
        Some(name) => match joint_index(name) {
            Some(joint) => NodeName::Joint(None, joint),
            None => NodeName::Other(name.to_owned()),
        },
        None => node_from_label(label),
    }
}

fn sort_rows(rows: &mut Vec<u32>, slots: &[u32], problems: &mut RowProblems) {
    rows.retain(|row| slots[*row as usize] != NO_INDEX);
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
                problems.first_repeated.get_or_insert(*row);
                kept.pop();
            }
            kept.push(*row);
        }
        *rows = kept;
    }
    problems.repeated += before - rows.len();
}

/// Returns `true` if the rows of more than one person have a number in a column of a node. Rows of
/// other sensors, such as a mouse, may have none.
fn has_several_people_with_poses(table: &Table, plan: &Plan, person_of_row: &[u32]) -> bool {
    let components = plan.nodes.iter().flat_map(|node| node.components());
    let mut columns: Vec<usize> = components.map(|(column, _)| column).collect();
    columns.sort_unstable();
    columns.dedup();
    let rows = columns.iter().flat_map(|column| table.columns[*column].numbers());
    let mut people = rows.filter_map(|(row, _)| person_of_row.get(row).copied());
    let Some(first) = people.next() else { return false };
    people.any(|person| person != first)
}

#[derive(Default)]
struct RowProblems {
    unsorted: Option<u32>,
    repeated: usize,
    first_repeated: Option<u32>,
    unlabelled: usize,
    first_unlabelled: Option<u32>,
}

impl RowProblems {
    fn report(&self, table: &Table, diagnostics: &mut Diagnostics) {
        let location = |row: u32| table.location(row as usize);
        if let Some(row) = self.unsorted {
            let message = "rows out of order: time runs backwards; sorted";
            diagnostics.warning(Topic::Unsorted.code(), location(row), message);
        }
        if let Some(row) = self.first_repeated {
            let message =
                format!("a time occurs twice; using the later row. Such rows: {}", self.repeated);
            diagnostics
                .warning(codes::table::REPEATED_TIME, location(row), message)
                .with("count", self.repeated);
        }
        if let Some(row) = self.first_unlabelled {
            let message = format!(
                "a row without the name of a node or a side; belongs to no node. Such rows: {}",
                self.unlabelled
            );
            diagnostics
                .info(codes::table::UNLABELLED_ROW, location(row), message)
                .with("count", self.unlabelled);
        }
    }
}
