//! Recognises the roles of columns by their names.

use std::collections::HashMap;

use mutoscope_core::diagnostics::Error;

use super::{NodePlan, Plan, mapped, people};
use crate::{
    mapping::Mapping,
    names::{
        ColumnName, NodeName, Quantity, ScalarProperty, is_node_column, is_side_column, parse_side,
    },
    table::Table,
};

pub(super) fn is_event_column(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    matches!(name.as_str(), "event" | "events" | "event_name" | "eventname")
}

struct NodeColumns {
    node: NodePlan,
    /// The columns of each quantity's components, in the order x, y, z, w.
    quantities: Vec<(Quantity, [Option<usize>; 4])>,
    yaw: Option<usize>,
    pitch: Option<usize>,
}

struct ScalarColumn {
    column: usize,
    flag: ScalarProperty,
    name: ColumnName,
}

pub(super) fn recognise_nodes(
    plan: &mut Plan,
    table: &Table,
    mapping: &Mapping,
) -> Result<(), Error> {
    let mut finder = NodeFinder::default();
    mapped::apply_grouping(plan, table, mapping)?;
    let is_free = |column: usize, plan: &Plan| {
        ![plan.time, plan.node, plan.side, plan.group, plan.event].contains(&Some(column))
    };
    let mut singles = Vec::new();
    for (index, column) in table.columns.iter().enumerate() {
        if !is_free(index, plan) {
            continue;
        }
        if plan.event.is_none() && is_event_column(&column.name) {
            plan.event = Some(index);
            continue;
        }
        let name = ColumnName::parse(&column.name);
        match (name.axis, name.scalar) {
            (Some(axis), _) if !name.is_not_pose => finder.add_component(index, axis, name),
            (None, Some(flag)) if !name.is_not_pose => {
                singles.push(ScalarColumn { column: index, flag, name });
            }
            _ => finder.others.push(index),
        }
    }
    if mapping.long.is_none() {
        recognise_grouping(plan, table, &mut finder);
    }
    for single in singles {
        finder.add_scalar(table, single);
    }
    finder.finish(plan, table, mapping);
    Ok(())
}

fn recognise_grouping(plan: &mut Plan, table: &Table, finder: &mut NodeFinder) {
    let one_name = finder.found.iter().all(|one| one.node.name == finder.found[0].node.name);
    let is_node = |index: &usize| is_node_column(&table.columns[*index].name);
    let candidates: Vec<usize> = finder.others.iter().copied().filter(is_node).collect();
    if one_name && !finder.found.is_empty() {
        let has_texts = |index: &usize| table.columns[*index].has_texts();
        let by_name = candidates.iter().copied().find(has_texts);
        let by_number =
            || candidates.iter().copied().find(|index| table.columns[*index].has_numbers());
        plan.node = by_name.or_else(by_number);
        if let Some(chosen) = plan.node {
            let others = candidates.iter().copied().filter(|other| *other != chosen).collect();
            plan.add_alternative("the node", chosen, others, "[long] node");
        }
    }
    let needs_side = finder.found.iter().any(|one| {
        one.node.name.side().is_none() && (plan.node.is_some() || one.node.name != NodeName::Head)
    });
    let is_side = |index: &usize| {
        let mut texts = table.texts(*index).peekable();
        is_side_column(&table.columns[*index].name)
            && !table.columns[*index].has_numbers()
            && texts.peek().is_some()
            && texts.all(|(_, text)| parse_side(text).is_some())
    };
    if needs_side {
        plan.side = finder.others.iter().copied().find(is_side);
    }
    plan.group = people::find_person_column(table, plan, &finder.others);
    let grouping = [plan.node, plan.side, plan.group];
    finder.others.retain(|index| !grouping.contains(&Some(*index)));
    if plan.node.is_some()
        && let [first, rest @ ..] = &mut finder.found[..]
    {
        // In a long table, all quantities without a node name belong to the node of the row.
        for other in rest {
            first.quantities.append(&mut other.quantities);
        }
        finder.found.truncate(1);
    }
}

#[derive(Default)]
struct NodeFinder {
    found: Vec<NodeColumns>,
    by_name: HashMap<(NodeName, bool), usize>,
    others: Vec<usize>,
}

impl NodeFinder {
    fn entry(&mut self, name: NodeName, is_hit: bool) -> &mut NodeColumns {
        let index = *self.by_name.entry((name.clone(), is_hit)).or_insert_with(|| {
            let node = NodePlan { is_hit, ..NodePlan::new(name) };
            self.found.push(NodeColumns { node, quantities: Vec::new(), yaw: None, pitch: None });
            self.found.len() - 1
        });
        &mut self.found[index]
    }

    fn add_component(&mut self, column: usize, axis: usize, name: ColumnName) {
        let (metres, radians) = (name.metres_per_unit(), name.radians_per_unit());
        let quantity = match name.quantity {
            None | Some(Quantity::Origin | Quantity::Hit) => Quantity::Position,
            Some(quantity) => quantity,
        };
        let node = self.entry(name.node, name.quantity == Some(Quantity::Hit));
        let known = node.quantities.iter().position(|(own, _)| *own == quantity);
        let known = known.unwrap_or_else(|| {
            node.quantities.push((quantity, [None; 4]));
            node.quantities.len() - 1
        });
        let slot = &mut node.quantities[known].1[axis];
        if slot.is_some() {
            return self.others.push(column);
        }
        *slot = Some(column);
        if quantity == Quantity::Position {
            node.node.metres_per_unit = node.node.metres_per_unit.or(metres);
        }
        node.node.radians_per_unit = node.node.radians_per_unit.or(radians);
        if node.node.reference_frame.is_none() {
            node.node.reference_frame = name.frame;
        }
    }

    fn add_scalar(&mut self, table: &Table, single: ScalarColumn) {
        let ScalarColumn { column, flag, name } = single;
        match flag {
            ScalarProperty::Yaw | ScalarProperty::Pitch => {
                let is_gaze = matches!(name.node, NodeName::Nameless | NodeName::Gaze(_));
                let is_of_gaze = is_gaze || matches!(name.node, NodeName::Side(_));
                if !is_of_gaze {
                    return self.others.push(column);
                }
                let side = name.node.side();
                let node = self.entry(NodeName::Gaze(side), false);
                node.node.radians_per_unit = node.node.radians_per_unit.or(name.radians_per_unit());
                let slot =
                    if flag == ScalarProperty::Yaw { &mut node.yaw } else { &mut node.pitch };
                match slot {
                    Some(_) => self.others.push(column),
                    None => *slot = Some(column),
                }
            }
            ScalarProperty::Radius => {
                let own = self.found.iter_mut().find(|one| one.node.name == name.node);
                match own {
                    Some(one) if one.node.radius.is_none() => one.node.radius = Some(column),
                    _ => self.others.push(column),
                }
            }
            ScalarProperty::Tracked | ScalarProperty::Confidence => {
                let is_negative = || table.columns[column].numbers().any(|(_, it)| it < 0.0);
                let covered = self.found.iter_mut().filter(|one| name.node.covers(&one.node.name));
                let mut any = false;
                if flag == ScalarProperty::Tracked || is_negative() {
                    for one in covered {
                        one.node.flags.push((column, flag == ScalarProperty::Confidence));
                        any = true;
                    }
                }
                if !any {
                    self.others.push(column);
                }
            }
        }
    }

    fn finish(mut self, plan: &mut Plan, table: &Table, mapping: &Mapping) {
        let mut flags = Vec::new();
        for mut one in std::mem::take(&mut self.found) {
            let (mut complete, mut lacking) = (Vec::new(), Vec::new());
            for (quantity, slots) in &one.quantities {
                match missing_axes(slots) {
                    None => complete.push((*quantity, *slots)),
                    Some(lacks) => {
                        let why =
                            format!("part of {}, which lacks {lacks}", quantity.property_name());
                        let columns = slots.iter().flatten();
                        lacking.extend(columns.map(|column| (*column, why.clone())));
                    }
                }
            }
            for (quantity, slots) in complete {
                self.assign_vector(table, mapping, &mut one.node, quantity, slots);
            }
            let turns = one.node.rotation.is_some() || one.node.euler.is_some();
            match (one.yaw, one.pitch) {
                (Some(yaw), Some(pitch)) if !turns && one.node.direction.is_none() => {
                    one.node.yaw_pitch = Some([yaw, pitch]);
                }
                (yaw, pitch) => self.others.extend(yaw.into_iter().chain(pitch)),
            }
            plan.ignored.extend(lacking);
            flags.extend(one.node.flags.iter().map(|(column, _)| *column));
            let columns = one.node.components();
            let radius = one.node.radius;
            let before = plan.nodes.len();
            plan.keep_node(table, one.node, &columns);
            if plan.nodes.len() == before {
                self.others.extend(radius);
            }
        }
        // If no node of the plan uses a flag, the flag becomes a signal.
        let is_used =
            |column: &usize| plan.nodes.iter().any(|it| it.flags.iter().any(|it| it.0 == *column));
        flags.sort_unstable();
        flags.dedup();
        let unused: Vec<usize> = flags.into_iter().filter(|column| !is_used(column)).collect();
        self.others.extend(unused);
        self.others.sort_unstable();
        for column in self.others {
            plan.add_signal(table, column);
        }
    }

    fn assign_vector(
        &mut self,
        table: &Table,
        mapping: &Mapping,
        node: &mut NodePlan,
        quantity: Quantity,
        slots: [Option<usize>; 4],
    ) {
        let [Some(x), Some(y), Some(z), w] = slots else { return };
        let three = [x, y, z];
        match (quantity, w) {
            (Quantity::Rotation, Some(w)) => {
                let mut columns = [x, y, z, w];
                let is_list = table.columns[x].is_list_item
                    && !table.columns[x].name.to_ascii_lowercase().contains("wxyz");
                if is_list && mapping.space.is_w_first == Some(true) {
                    columns.rotate_left(1);
                }
                node.rotation = Some(columns);
            }
            (Quantity::Rotation | Quantity::Euler, None) => node.euler = Some(three),
            (Quantity::RotationVector, _) => node.rotation_vector = Some(three),
            (Quantity::Scale, _) => node.scale = Some(three),
            (Quantity::Direction, _) => node.direction = Some(three),
            _ => node.position = Some(three),
        }
        if quantity != Quantity::Rotation {
            self.others.extend(w);
        }
    }
}

fn missing_axes(slots: &[Option<usize>; 4]) -> Option<String> {
    let axes = ["x", "y", "z", "w"];
    let missing = axes.iter().zip(slots).take(3).filter(|(_, slot)| slot.is_none());
    let missing: Vec<&str> = missing.map(|(axis, _)| *axis).collect();
    (!missing.is_empty()).then(|| missing.join(" and "))
}
