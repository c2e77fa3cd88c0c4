//! Assigns the roles that a mapping file gives to columns.

use std::collections::{HashMap, HashSet};

use mutoscope_core::diagnostics::Error;

use super::{NodePlan, Plan};
use crate::{
    mapping::{MappedNode, Mapping, NamedColumn},
    names::{ColumnName, NodeName},
    table::Table,
};

pub(super) fn find_column(
    table: &Table,
    mapping: &Mapping,
    named: &NamedColumn,
) -> Result<usize, Error> {
    let found = table.columns.iter().position(|column| column.name == named.column);
    found.ok_or_else(|| unknown_column(mapping, named))
}

fn unknown_column(mapping: &Mapping, named: &NamedColumn) -> Error {
    let message = format!(
        "{}: line {}: the table has no column {:?}",
        mapping.name, named.line, named.column
    );
    Error::invalid_options(message)
}

/// Finds columns by name. If the mapping names a single column for a vector, that column is a list,
/// whose items are columns of the table.
pub(super) struct ColumnFinder<'a> {
    mapping: &'a Mapping,
    table: &'a Table,
    by_name: HashMap<&'a str, usize>,
}

impl<'a> ColumnFinder<'a> {
    pub(super) fn new(table: &'a Table, mapping: &'a Mapping) -> Self {
        let columns = table.columns.iter().enumerate();
        let by_name = columns.map(|(index, column)| (column.name.as_str(), index)).collect();
        Self { mapping, table, by_name }
    }

    fn find_one(&self, named: &NamedColumn) -> Result<usize, Error> {
        let found = self.by_name.get(named.column.as_str());
        found.copied().ok_or_else(|| unknown_column(self.mapping, named))
    }

    fn find_vector<const N: usize>(
        &self,
        names: Option<&Vec<NamedColumn>>,
    ) -> Result<Option<[usize; N]>, Error> {
        let Some(names) = names else { return Ok(None) };
        let mut columns = [0; N];
        match &names[..] {
            [list] => {
                for (column, axis) in columns.iter_mut().zip(["x", "y", "z", "w"]) {
                    let item = format!("{}.{axis}", list.column);
                    let found = self.by_name.get(item.as_str());
                    *column = found.copied().ok_or_else(|| unknown_column(self.mapping, list))?;
                }
                if N == 4 && self.mapping.space.is_w_first == Some(true) {
                    let is_list_item = self.table.columns[columns[0]].is_list_item;
                    if is_list_item && !list.column.to_ascii_lowercase().contains("wxyz") {
                        columns.rotate_left(1);
                    }
                }
            }
            each => {
                for (column, named) in columns.iter_mut().zip(each) {
                    *column = self.find_one(named)?;
                }
            }
        }
        Ok(Some(columns))
    }
}

pub(super) fn apply_nodes(
    plan: &mut Plan,
    columns: &ColumnFinder<'_>,
    nodes: &[MappedNode],
) -> Result<(), Error> {
    let ColumnFinder { mapping, table, .. } = *columns;
    apply_grouping(plan, table, mapping)?;
    let names: HashSet<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    let mut used = vec![false; table.columns.len()];
    for node in nodes {
        let mut made = NodePlan::new(NodeName::Other(node.name.clone()));
        made.position = columns.find_vector(node.position.as_ref())?;
        made.rotation = columns.find_vector(node.rotation.as_ref())?;
        made.euler = columns.find_vector(node.euler.as_ref())?;
        made.rotation_vector = columns.find_vector(node.rotation_vector.as_ref())?;
        made.direction = columns.find_vector(node.direction.as_ref())?;
        made.scale = columns.find_vector(node.scale.as_ref())?;
        if let (Some(yaw), Some(pitch)) = (&node.yaw, &node.pitch) {
            made.yaw_pitch = Some([columns.find_one(yaw)?, columns.find_one(pitch)?]);
        }
        made.tangents = columns.find_vector(node.tangents.as_ref())?;
        for (flag, is_confidence) in [(&node.tracked, false), (&node.confidence, true)] {
            let column = flag.as_ref().map(|it| columns.find_one(it)).transpose()?;
            made.flags.extend(column.map(|column| (column, is_confidence)));
        }
        made.radius = node.radius.as_ref().map(|it| columns.find_one(it)).transpose()?;
        if let Some(parent) = &node.parent {
            if !names.contains(parent.column.as_str()) {
                let message = format!(
                    "{}: line {}: no node {:?} is listed",
                    mapping.name, parent.line, parent.column
                );
                return Err(Error::invalid_options(message));
            }
            made.parent = Some(parent.column.clone());
        }
        let stated = |columns: &[usize], of: fn(&ColumnName) -> Option<f64>| {
            columns.first().and_then(|it| of(&ColumnName::parse(&table.columns[*it].name)))
        };
        let metres = made.position.map(|columns| {
            columns.map(|column| ColumnName::parse(&table.columns[column].name).metres_per_unit())
        });
        let of_names = metres.and_then(|metres| match metres {
            [Some(x), Some(y), Some(z)] => Some([x, y, z]),
            [first, ..] => first.map(|first| [first; 3]),
        });
        made.length_units = node.length_units.or(of_names);
        made.has_own_unit = node.length_units.is_some();
        made.flag_rule.clone_from(&node.flag_rule);
        made.axes = node.axes;
        made.has_inverse_rotation = node.has_inverse_rotation;
        let angles = made.euler.or(made.rotation_vector).map(|it| it.to_vec());
        let angles = angles.or(made.yaw_pitch.or(made.tangents).map(|it| it.to_vec()));
        made.radians_per_unit = node
            .radians_per_unit
            .or_else(|| stated(&angles.unwrap_or_default(), ColumnName::radians_per_unit));
        let all = made.components().into_iter().map(|(column, _)| column);
        let flags = made.flags.iter().map(|(column, _)| *column);
        all.chain(flags).chain(made.radius).for_each(|it| used[it] = true);
        let all = made.components();
        plan.keep_node(table, made, &all);
    }
    plan.nodes.sort_by_key(|node| node.first_column());
    for (column, _) in used.iter().enumerate().filter(|(_, is_used)| !**is_used) {
        if plan.is_reserved(column) {
            continue;
        }
        match super::recognised::is_event_column(&table.columns[column].name) {
            true if plan.event.is_none() => plan.event = Some(column),
            _ => plan.add_signal(table, column),
        }
    }
    Ok(())
}

pub(super) fn apply_grouping(
    plan: &mut Plan,
    table: &Table,
    mapping: &Mapping,
) -> Result<(), Error> {
    if let Some(long) = &mapping.long {
        plan.node = long.node.as_ref().map(|it| find_column(table, mapping, it)).transpose()?;
        plan.side = long.side.as_ref().map(|it| find_column(table, mapping, it)).transpose()?;
        plan.group = long.group.as_ref().map(|it| find_column(table, mapping, it)).transpose()?;
        plan.numbering = long.numbering;
        plan.label_names.clone_from(&long.names);
    }
    Ok(())
}

pub(super) fn apply_signals_and_events(
    plan: &mut Plan,
    columns: &ColumnFinder<'_>,
) -> Result<(), Error> {
    let ColumnFinder { mapping, table, .. } = *columns;
    if let Some(events) = &mapping.events {
        let chosen = events.column.as_ref().map(|it| columns.find_one(it)).transpose()?;
        if let Some(before) = plan.event.filter(|before| chosen != Some(*before)) {
            plan.add_signal(table, before);
        }
        plan.event = chosen;
        plan.signals.retain(|(_, own)| chosen != Some(*own));
        plan.ignored.retain(|(own, _)| chosen != Some(*own));
    }
    if let Some(listed) = &mapping.signals {
        let mut signals = Vec::new();
        for (name, named) in listed {
            signals.push((name.clone(), columns.find_one(named)?));
        }
        signals.sort_by_key(|(_, column)| *column);
        let listed: HashSet<usize> = signals.iter().map(|(_, column)| *column).collect();
        let dropped = plan.signals.iter().map(|(_, column)| *column);
        let why = || "not listed as a signal".to_owned();
        plan.ignored.extend(dropped.map(|column| (column, why())));
        plan.ignored.retain(|(column, _)| !listed.contains(column));
        plan.signals = signals;
    }
    Ok(())
}

/// Removes the questions whose columns the mapping lists as signals.
pub(super) fn remove_settled_questions(
    plan: &mut Plan,
    columns: &ColumnFinder<'_>,
) -> Result<(), Error> {
    let mapping = columns.mapping;
    let listed = mapping.signals.iter().flatten().map(|(_, named)| named);
    let settled = listed.chain(mapping.settled_signals.iter().flatten());
    let settled: HashSet<usize> =
        settled.map(|named| columns.find_one(named)).collect::<Result<_, _>>()?;
    plan.questions.retain(|question| !question.columns.iter().all(|it| settled.contains(it)));
    Ok(())
}
