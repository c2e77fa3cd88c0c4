//! Roles that the names of columns give.

use std::collections::HashMap;

use mutoscope_core::diagnostics::Error;

use super::{NodePlan, Plan, mapped};
use crate::{
    mapping::Mapping,
    names::{ColumnName, Flag, NodeName, Quantity, is_node_column, is_side_column, side_of_word},
    table::Table,
};

/// Whether the cells of a column are events, by its name.
pub(super) fn is_event_column(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    matches!(name.as_str(), "event" | "events" | "event_name" | "eventname")
}

/// The columns of one node that are being collected.
struct Collected {
    node: NodePlan,
    /// By quantity: the columns of the components, in order.
    quantities: Vec<(Quantity, [Option<usize>; 4])>,
    yaw: Option<usize>,
    pitch: Option<usize>,
}

/// A property without components, with its column.
struct Single {
    column: usize,
    flag: Flag,
    name: ColumnName,
}

/// Finds the nodes of a table by the names of its columns.
///
/// # Errors
/// If the mapping names a column of nodes that the table lacks.
pub(super) fn nodes(plan: &mut Plan, table: &Table, mapping: &Mapping) -> Result<(), Error> {
    let mut finder = Finder::default();
    mapped::long(plan, table, mapping)?;
    let is_free = |column: usize, plan: &Plan| {
        ![plan.time, plan.node, plan.side, plan.event].contains(&Some(column))
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
        let name = ColumnName::of(&column.name);
        match (name.axis, name.flag) {
            (Some(axis), _) if !name.is_no_pose => finder.component(index, axis, name),
            (None, Some(flag)) if !name.is_no_pose => {
                singles.push(Single { column: index, flag, name });
            }
            _ => finder.others.push(index),
        }
    }
    if mapping.long.is_none() {
        grouping(plan, table, &mut finder);
    }
    for single in singles {
        finder.single(table, single);
    }
    finder.finish(plan, table, mapping);
    Ok(())
}

/// Finds the columns of nodes and of sides.
fn grouping(plan: &mut Plan, table: &Table, finder: &mut Finder) {
    let one_name = finder.found.iter().all(|one| one.node.name == finder.found[0].node.name);
    let is_node = |index: &usize| is_node_column(&table.columns[*index].name);
    let candidates: Vec<usize> = finder.others.iter().copied().filter(is_node).collect();
    if one_name && !finder.found.is_empty() {
        let has_texts = |index: &usize| table.columns[*index].has_texts();
        let by_name = candidates.iter().copied().find(has_texts);
        let by_number =
            || candidates.iter().copied().find(|index| table.columns[*index].has_numbers());
        plan.node = by_name.or_else(by_number);
        if let Some(taken) = plan.node {
            let others = candidates.iter().copied().filter(|other| *other != taken).collect();
            plan.alternative("the node", taken, others, "[long] node");
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
            && texts.all(|(_, text)| side_of_word(text).is_some())
    };
    if needs_side {
        plan.side = finder.others.iter().copied().find(is_side);
    }
    let taken = [plan.node, plan.side];
    finder.others.retain(|index| !taken.contains(&Some(*index)));
    if plan.node.is_some()
        && let [first, rest @ ..] = &mut finder.found[..]
    {
        // All quantities of one name are those of the node of the row.
        for other in rest {
            first.quantities.append(&mut other.quantities);
        }
        finder.found.truncate(1);
    }
}

#[derive(Default)]
struct Finder {
    found: Vec<Collected>,
    by_name: HashMap<(NodeName, bool), usize>,
    /// Columns that are of no node.
    others: Vec<usize>,
}

impl Finder {
    fn of(&mut self, name: NodeName, is_hit: bool) -> &mut Collected {
        let index = *self.by_name.entry((name.clone(), is_hit)).or_insert_with(|| {
            let node = NodePlan { is_hit, ..NodePlan::new(name) };
            self.found.push(Collected { node, quantities: Vec::new(), yaw: None, pitch: None });
            self.found.len() - 1
        });
        &mut self.found[index]
    }

    /// Adds a component of a node.
    fn component(&mut self, column: usize, axis: usize, name: ColumnName) {
        let (metres, radians) = (name.metres(), name.radians());
        let quantity = match name.quantity {
            None | Some(Quantity::Origin | Quantity::Hit) => Quantity::Position,
            Some(quantity) => quantity,
        };
        let node = self.of(name.node, name.quantity == Some(Quantity::Hit));
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
            node.node.metres = node.node.metres.or(metres);
        }
        node.node.radians = node.node.radians.or(radians);
        if node.node.frame.is_none() {
            node.node.frame = name.frame;
        }
    }

    /// Adds a property without components to the nodes that it is of; a signal if to none.
    fn single(&mut self, table: &Table, single: Single) {
        let Single { column, flag, name } = single;
        match flag {
            Flag::Yaw | Flag::Pitch => {
                if is_pupil(table) {
                    return self.others.push(column);
                }
                let is_gaze = matches!(name.node, NodeName::Nameless | NodeName::Gaze(_));
                let is_of_gaze = is_gaze || matches!(name.node, NodeName::Side(_));
                if !is_of_gaze {
                    return self.others.push(column);
                }
                let side = name.node.side();
                let node = self.of(NodeName::Gaze(side), false);
                node.node.radians = node.node.radians.or(name.radians());
                let slot = if flag == Flag::Yaw { &mut node.yaw } else { &mut node.pitch };
                match slot {
                    Some(_) => self.others.push(column),
                    None => *slot = Some(column),
                }
            }
            Flag::Radius => {
                let own = self.found.iter_mut().find(|one| one.node.name == name.node);
                match own {
                    Some(one) if one.node.radius.is_none() => one.node.radius = Some(column),
                    _ => self.others.push(column),
                }
            }
            Flag::Tracked | Flag::Confidence => {
                let is_negative = || table.columns[column].numbers().any(|(_, it)| it < 0.0);
                let covered = self.found.iter_mut().filter(|one| name.node.covers(&one.node.name));
                let mut any = false;
                if flag == Flag::Tracked || is_negative() {
                    for one in covered {
                        one.node.flags.push((column, flag == Flag::Confidence));
                        any = true;
                    }
                }
                if !any {
                    self.others.push(column);
                }
            }
        }
    }

    /// Takes what is complete as nodes, and the rest as signals or not at all.
    fn finish(mut self, plan: &mut Plan, table: &Table, mapping: &Mapping) {
        let mut flags = Vec::new();
        for mut one in std::mem::take(&mut self.found) {
            let (mut complete, mut lacking) = (Vec::new(), Vec::new());
            for (quantity, slots) in &one.quantities {
                match lacks(slots) {
                    None => complete.push((*quantity, *slots)),
                    Some(lacks) => {
                        let why = format!("part of {}, which lacks {lacks}", quantity.word());
                        let columns = slots.iter().flatten();
                        lacking.extend(columns.map(|column| (*column, why.clone())));
                    }
                }
            }
            for (quantity, slots) in complete {
                self.complete(table, mapping, &mut one.node, quantity, slots);
            }
            let turns = one.node.rotation.is_some() || one.node.euler.is_some();
            match (one.yaw, one.pitch) {
                (Some(yaw), Some(pitch)) if !turns && one.node.direction.is_none() => {
                    one.node.angles = Some([yaw, pitch]);
                }
                (yaw, pitch) => self.others.extend(yaw.into_iter().chain(pitch)),
            }
            plan.ignored.extend(lacking);
            flags.extend(one.node.flags.iter().map(|(column, _)| *column));
            let columns = one.node.components();
            let radius = one.node.radius;
            let before = plan.nodes.len();
            plan.keep(table, one.node, &columns);
            if plan.nodes.len() == before {
                self.others.extend(radius);
            }
        }
        // A flag of nodes that turned out to be none is a signal.
        let is_used =
            |column: &usize| plan.nodes.iter().any(|it| it.flags.iter().any(|it| it.0 == *column));
        flags.sort_unstable();
        flags.dedup();
        let unused: Vec<usize> = flags.into_iter().filter(|column| !is_used(column)).collect();
        self.others.extend(unused);
        self.others.sort_unstable();
        for column in self.others {
            plan.signal(table, column);
        }
    }

    fn complete(
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
                let is_list = table.columns[x].is_of_list
                    && !table.columns[x].name.to_ascii_lowercase().contains("wxyz");
                if is_list && mapping.space.is_w_first == Some(true) {
                    columns.rotate_left(1);
                }
                node.rotation = Some(columns);
            }
            (Quantity::Rotation, None) if is_pupil(table) => node.rotation_vector = Some(three),
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

/// Whether a table has the poses of Pupil's head pose tracker, by its exact columns: rotation vectors, with the same
/// as angles beside them.
fn is_pupil(table: &Table) -> bool {
    const COLUMNS: [&str; 10] = [
        "timestamp",
        "rotation_x",
        "rotation_y",
        "rotation_z",
        "translation_x",
        "translation_y",
        "translation_z",
        "pitch",
        "yaw",
        "roll",
    ];
    table.columns.iter().map(|column| column.name.as_str()).eq(COLUMNS)
}

/// The components that a quantity lacks.
fn lacks(slots: &[Option<usize>; 4]) -> Option<String> {
    let axes = ["x", "y", "z", "w"];
    let missing = axes.iter().zip(slots).take(3).filter(|(_, slot)| slot.is_none());
    let missing: Vec<&str> = missing.map(|(axis, _)| *axis).collect();
    (!missing.is_empty()).then(|| missing.join(" and "))
}
