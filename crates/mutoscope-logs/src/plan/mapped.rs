//! Roles that a mapping file gives.

use std::collections::HashMap;

use mutoscope_core::diagnostics::Error;

use super::{NodePlan, Plan};
use crate::{
    mapping::{MappedNode, Mapping, Named},
    names::{ColumnName, NodeName},
    table::Table,
};

/// The column with this name.
///
/// # Errors
/// If the table has none.
pub(super) fn column(table: &Table, mapping: &Mapping, named: &Named) -> Result<usize, Error> {
    let found = table.columns.iter().position(|column| column.name == named.column);
    found.ok_or_else(|| unknown(mapping, named))
}

fn unknown(mapping: &Mapping, named: &Named) -> Error {
    let message = format!(
        "{}: line {}: the table has no column {:?}",
        mapping.name, named.line, named.column
    );
    Error::wrong_options(message)
}

/// Finds columns by name; one name for several is a list that was taken apart.
struct Columns<'a> {
    mapping: &'a Mapping,
    table: &'a Table,
    by_name: HashMap<&'a str, usize>,
}

impl Columns<'_> {
    fn one(&self, named: &Named) -> Result<usize, Error> {
        let found = self.by_name.get(named.column.as_str());
        found.copied().ok_or_else(|| unknown(self.mapping, named))
    }

    fn some<const N: usize>(
        &self,
        names: Option<&Vec<Named>>,
    ) -> Result<Option<[usize; N]>, Error> {
        let Some(names) = names else { return Ok(None) };
        let mut columns = [0; N];
        match &names[..] {
            [list] => {
                for (column, axis) in columns.iter_mut().zip(["x", "y", "z", "w"]) {
                    let item = format!("{}.{axis}", list.column);
                    let found = self.by_name.get(item.as_str());
                    *column = found.copied().ok_or_else(|| unknown(self.mapping, list))?;
                }
                if N == 4 && self.mapping.space.is_w_first == Some(true) {
                    let is_of_list = self.table.columns[columns[0]].is_of_list;
                    if is_of_list && !list.column.to_ascii_lowercase().contains("wxyz") {
                        columns.rotate_left(1);
                    }
                }
            }
            each => {
                for (column, named) in columns.iter_mut().zip(each) {
                    *column = self.one(named)?;
                }
            }
        }
        Ok(Some(columns))
    }
}

/// Takes the nodes of a mapping, and no others.
///
/// # Errors
/// If it names a column that the table lacks.
pub(super) fn nodes(
    plan: &mut Plan,
    table: &Table,
    mapping: &Mapping,
    nodes: &[MappedNode],
) -> Result<(), Error> {
    long(plan, table, mapping)?;
    let by_name =
        table.columns.iter().enumerate().map(|(index, it)| (it.name.as_str(), index)).collect();
    let columns = Columns { mapping, table, by_name };
    let mut used = vec![false; table.columns.len()];
    for node in nodes {
        let mut made = NodePlan::new(NodeName::Own(node.name.clone()));
        made.position = columns.some(node.position.as_ref())?;
        made.rotation = columns.some(node.rotation.as_ref())?;
        made.euler = columns.some(node.euler.as_ref())?;
        made.rotation_vector = columns.some(node.rotation_vector.as_ref())?;
        made.direction = columns.some(node.direction.as_ref())?;
        made.scale = columns.some(node.scale.as_ref())?;
        if let (Some(yaw), Some(pitch)) = (&node.yaw, &node.pitch) {
            made.angles = Some([columns.one(yaw)?, columns.one(pitch)?]);
        }
        let tracked = node.tracked.as_ref().map(|it| columns.one(it)).transpose()?;
        made.flags.extend(tracked.map(|column| (column, false)));
        made.radius = node.radius.as_ref().map(|it| columns.one(it)).transpose()?;
        if let Some(parent) = &node.parent {
            if !nodes.iter().any(|other| other.name == parent.column) {
                let message = format!(
                    "{}: line {}: no node {:?} is listed",
                    mapping.name, parent.line, parent.column
                );
                return Err(Error::wrong_options(message));
            }
            made.parent = Some(parent.column.clone());
        }
        let stated = |columns: &[usize], of: fn(&ColumnName) -> Option<f64>| {
            columns.first().and_then(|it| of(&ColumnName::of(&table.columns[*it].name)))
        };
        made.metres = stated(made.position.as_ref().map_or(&[], |it| &it[..]), ColumnName::metres);
        let angles = made.euler.or(made.rotation_vector).map(|it| it.to_vec());
        let angles = angles.or(made.angles.map(|it| it.to_vec()));
        made.radians = stated(&angles.unwrap_or_default(), ColumnName::radians);
        let all = made.components().into_iter().map(|(column, _)| column);
        let flags = made.flags.iter().map(|(column, _)| *column);
        all.chain(flags).chain(made.radius).for_each(|it| used[it] = true);
        let all = made.components();
        plan.keep(table, made, &all);
    }
    plan.nodes.sort_by_key(|node| node.first_column());
    let taken = [plan.time, plan.node, plan.side];
    for column in (0..table.columns.len()).filter(|it| !used[*it] && !taken.contains(&Some(*it))) {
        match super::recognised::is_event_column(&table.columns[column].name) {
            true if plan.event.is_none() => plan.event = Some(column),
            _ => plan.signal(table, column),
        }
    }
    Ok(())
}

/// Takes the columns of nodes and sides of a mapping.
///
/// # Errors
/// If the table lacks one.
pub(super) fn long(plan: &mut Plan, table: &Table, mapping: &Mapping) -> Result<(), Error> {
    if let Some(long) = &mapping.long {
        plan.node = long.node.as_ref().map(|it| column(table, mapping, it)).transpose()?;
        plan.side = long.side.as_ref().map(|it| column(table, mapping, it)).transpose()?;
        plan.numbering = long.numbering;
    }
    Ok(())
}

/// Takes the signals and events of a mapping in place of those that were found.
///
/// # Errors
/// If it names a column that the table lacks.
pub(super) fn signals_and_events(
    plan: &mut Plan,
    table: &Table,
    mapping: &Mapping,
) -> Result<(), Error> {
    if let Some(events) = &mapping.events {
        let chosen = events.column.as_ref().map(|it| column(table, mapping, it)).transpose()?;
        if let Some(before) = plan.event.filter(|before| chosen != Some(*before)) {
            plan.signal(table, before);
        }
        plan.event = chosen;
        plan.signals.retain(|(_, own)| chosen != Some(*own));
        plan.ignored.retain(|(own, _)| chosen != Some(*own));
    }
    if let Some(listed) = &mapping.signals {
        let mut signals = Vec::new();
        for (name, named) in listed {
            signals.push((name.clone(), column(table, mapping, named)?));
        }
        signals.sort_by_key(|(_, column)| *column);
        let dropped = plan.signals.iter().map(|(_, column)| *column);
        let is_listed = |column: &usize| signals.iter().any(|(_, own)| own == column);
        let dropped: Vec<usize> = dropped.filter(|column| !is_listed(column)).collect();
        let why = || "not listed as a signal".to_owned();
        plan.ignored.extend(dropped.into_iter().map(|column| (column, why())));
        plan.ignored.retain(|(column, _)| !signals.iter().any(|(_, own)| own == column));
        plan.signals = signals;
    }
    Ok(())
}
