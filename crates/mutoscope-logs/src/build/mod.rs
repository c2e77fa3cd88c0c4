//! The clip of a table: its times, nodes, signals and events by a plan.

mod choices;
mod curves;
mod dates;
mod hands;
mod nodes;
mod rows;
mod signals;
mod space;
mod times;

use std::{collections::HashSet, sync::Arc};

use mutoscope_core::{
    clip::{
        AssumedFact, Clip, ColumnUse, ColumnUses, Event, FormatId, Node, Nodes, Signal, Span,
        Track, TrackId, UnusedColumn,
    },
    diagnostics::{Error, Notices, SourceLocation},
};

use crate::{
    mapping::{self, Mapping},
    plan::{Alternative, Plan},
    skeleton::{self, TableAnnotations},
    table::Table,
};
use choices::Choices;
pub(crate) use choices::{axes as choice_of_axes, unit as choice_of_unit};
use curves::KeySets;
use nodes::OddRotations;
use rows::Rows;
pub(crate) use space::{Space, words_of};

/// Makes the clip of a table.
///
/// # Errors
/// If it has no times, no rows or no poses.
pub(crate) fn clip(
    format: FormatId,
    table: Table,
    plan: &Plan,
    mapping: &Mapping,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let mut assumed = Vec::new();
    let times = times::read(&table, plan, mapping, &mut assumed, notices)?;
    let rows = Rows::new(&times.seconds, &table, plan, notices);
    let space = Space::of(&table, plan, mapping, &mut assumed);
    let mut builder = Builder {
        sets: KeySets::new(table.lines.clone(), &rows),
        uses: uses(&table, plan),
        table,
        plan,
        rows: &rows,
        space: &space,
        tracks: Vec::new(),
        nodes: Vec::new(),
        signals: Vec::new(),
        used: Vec::new(),
        listed: HashSet::new(),
        flagged: HashSet::new(),
        rotations: OddRotations::default(),
    };
    builder.drop_unused(plan.time);
    builder.nodes();
    builder.signals();
    builder.series();
    let Builder { nodes, tracks, signals, used, listed, mut table, rotations, .. } = builder;
    if nodes.is_empty() {
        let found = "none that is complete";
        return Err(Error::malformed(SourceLocation::File, "rows with a position", found));
    }
    let events = events(&table, plan, &rows);
    report_texts(&table, plan, notices);
    rotations.report(&table, notices);
    numbering(&table, plan, mapping, &rows, &mut assumed);
    let frame = plan.nodes.iter().find_map(|node| node.frame.clone());
    if let Some(frame) = frame.filter(|_| mapping.nodes.is_none() && mapping.name.is_empty()) {
        let why = "columns name it beside a known node; nothing is converted".to_owned();
        assumed.push(AssumedFact { fact: "frame", value: frame, why });
    }
    for AssumedFact { fact, value, why } in &assumed {
        notices.info(SourceLocation::File, format!("assumed {fact}: {value}, as {why}"));
    }
    for Alternative { what, taken, others, key } in &plan.alternatives {
        let name = |column: &usize| format!("{:?}", table.columns[*column].name);
        let others: Vec<String> = others.iter().map(name).collect();
        let message = format!(
            "{what} may be in {} too; using {}. A mapping file chooses: {key}",
            others.join(", "),
            name(taken)
        );
        notices.info(SourceLocation::File, message);
    }
    let start = rows.times.first().copied().unwrap_or(0.0);
    let end = rows.times.last().copied().unwrap_or(start);
    let nodes = Nodes::new(nodes, notices);
    let mut clip = Clip {
        name: table.declared.name.clone(),
        version: table.version.to_owned(),
        subject: skeleton::subject(&nodes),
        span: Span { start, duration: end - start },
        rate_hz: times.rate.or(table.declared.rate_hz),
        groups: skeleton::groups(),
        nodes,
        tracks,
        signals,
        events,
        ..Clip::new(format, space.convention())
    };
    hands::report(&clip, &space, notices);
    let shape = if plan.node.is_some() { "long" } else { "wide" };
    let time = &table.columns[plan.time.unwrap_or(0)].name;
    let ignored = plan.ignored.iter().map(|(column, why)| UnusedColumn {
        column: table.columns[*column].name.clone(),
        why: why.clone(),
    });
    let mut columns = ColumnUses {
        shape,
        time: time.clone(),
        time_unit: times.unit,
        used: in_order(&table, used, plan),
        ignored: ignored.collect(),
        assumed,
        mapping: String::new(),
        choices: Vec::new(),
        read_by: mapping.read_by.clone(),
    };
    columns.mapping =
        mapping::write(&table, plan, mapping, &space, &columns, (times.zero, times.rate));
    let time = (times.unit, times.rate);
    let assumed = &columns.assumed;
    columns.choices = Choices { table: &table, plan, mapping, space: &space, time, assumed }.all();
    table.columns.clear();
    clip.annotations = Some(Arc::new(TableAnnotations::new(columns, listed)));
    Ok(clip)
}

/// Makes nodes, tracks and signals.
struct Builder<'a> {
    table: Table,
    /// By column how often its numbers are still needed.
    uses: Vec<u32>,
    plan: &'a Plan,
    rows: &'a Rows,
    space: &'a Space,
    sets: KeySets<'a>,
    tracks: Vec<Track>,
    nodes: Vec<Node>,
    signals: Vec<Signal>,
    /// Columns with their nodes and properties.
    used: Vec<(usize, String, String)>,
    /// Tracks that are listed as signals.
    listed: HashSet<TrackId>,
    /// Columns of flags that have their track.
    flagged: HashSet<usize>,
    rotations: OddRotations,
}

impl Builder<'_> {
    fn add_track(&mut self, track: Track) -> TrackId {
        self.tracks.push(track);
        TrackId::new(self.tracks.len() - 1)
    }

    fn uses(&mut self, column: usize, node: &str, property: &str) {
        self.used.push((column, node.to_owned(), property.to_owned()));
    }

    /// Notes that the numbers of a column were used once: after the last time they are dropped, so that the
    /// table shrinks as the clip grows.
    fn used_once(&mut self, column: usize) {
        self.uses[column] = self.uses[column].saturating_sub(1);
        self.drop_unused(Some(column));
    }

    /// Drops the numbers of a column that nothing needs.
    fn drop_unused(&mut self, column: Option<usize>) {
        if let Some(column) = column.filter(|column| self.uses.get(*column) == Some(&0)) {
            self.table.columns[column].drop_numbers();
        }
    }
}

/// By column how often a clip needs its numbers; for ever in a table of groups of rows.
fn uses(table: &Table, plan: &Plan) -> Vec<u32> {
    let is_grouped = plan.node.is_some() || plan.side.is_some();
    let mut uses = vec![if is_grouped { u32::MAX } else { 0 }; table.columns.len()];
    let of_nodes = plan.nodes.iter().flat_map(|node| {
        let flags = node.flags.iter().map(|(column, _)| *column);
        let components = node.components().into_iter().map(|(column, _)| column);
        components.chain(flags).chain(node.radius).collect::<Vec<_>>()
    });
    let of_signals = plan.signals.iter().map(|(_, column)| *column);
    for column in of_nodes.chain(of_signals).chain(plan.event) {
        uses[column] = uses[column].saturating_add(1);
    }
    uses
}

/// The used columns in the order of the file, each once for each node.
fn in_order(table: &Table, mut used: Vec<(usize, String, String)>, plan: &Plan) -> Vec<ColumnUse> {
    let grouping = [(plan.node, "node"), (plan.side, "side"), (plan.event, "event")];
    for (column, property) in grouping {
        used.extend(column.map(|column| (column, String::new(), property.to_owned())));
    }
    used.sort_by_key(|(column, ..)| *column);
    used.dedup();
    let name = |column: usize| table.columns[column].name.clone();
    let used = used.into_iter().map(|(column, node, property)| ColumnUse {
        column: name(column),
        node,
        property,
    });
    let series = table.series.iter().map(|series| ColumnUse {
        column: series.name.clone(),
        node: String::new(),
        property: "signal".to_owned(),
    });
    used.chain(series).collect()
}

fn events(table: &Table, plan: &Plan, rows: &Rows) -> Vec<Event> {
    let Some(column) = plan.event else {
        let events = table.declared.events.iter();
        return events
            .map(|(time, name)| Event { time: *time, name: name.clone(), ..Event::default() })
            .collect();
    };
    let texts = table.texts(column).map(|(row, text)| (row, text.to_owned()));
    let numbers = table.columns[column].numbers();
    let numbers = numbers.filter_map(|(row, _)| Some((row, table.label(column, row)?)));
    let mut all: Vec<(u32, usize, String)> = texts
        .chain(numbers)
        .filter_map(|(row, name)| {
            let slot = rows.slots.get(row).copied().filter(|slot| *slot != rows::NONE)?;
            Some((slot, row, name))
        })
        .collect();
    all.sort_by_key(|(slot, row, _)| (*slot, *row));
    all.into_iter()
        .map(|(slot, row, name)| Event {
            time: rows.times[slot as usize],
            name,
            place: table.line(row).map_or(SourceLocation::File, SourceLocation::line),
            ..Event::default()
        })
        .collect()
}

/// Reports cells of poses that are no numbers.
fn report_texts(table: &Table, plan: &Plan, notices: &mut Notices) {
    let columns = plan.nodes.iter().flat_map(|node| {
        node.components().into_iter().map(|(column, _)| column).chain(node.radius)
    });
    let (mut count, mut first) = (0, None);
    for column in columns {
        if let Some((found, row)) = table.columns[column].texts_found() {
            count += found;
            if first.is_none_or(|(before, _)| row < before) {
                first = Some((row, column));
            }
        }
    }
    if let Some((row, column)) = first {
        let place = table.line(row).map_or(SourceLocation::File, SourceLocation::line);
        let text = table.text(column, row).unwrap_or_default();
        let name = &table.columns[column].name;
        let message = format!(
            "{text:?} in the column {name:?} is not a number; such cells are missing: {count}"
        );
        notices.warning(place, message);
    }
}

/// Reports numbers that may be joints.
fn numbering(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    rows: &Rows,
    assumed: &mut Vec<AssumedFact>,
) {
    let Some(column) = plan.node.filter(|_| mapping.long.is_none()) else { return };
    let name = &table.columns[column].name;
    let words = crate::names::words_of(name);
    let is_of_joints =
        words.iter().any(|word| matches!(&**word, "joint" | "landmark" | "bone" | "keypoint"));
    let is_small = |label: &str| label.parse::<u32>().is_ok_and(|number| number <= 26);
    let all_small = rows.groups.iter().all(|group| is_small(&group.label));
    if is_of_joints && all_small && !rows.groups.is_empty() {
        let why = format!(
            "the numbers in {name:?} are not known to be joints. A mapping file states it: numbering"
        );
        assumed.push(AssumedFact { fact: "numbering", value: "none".to_owned(), why });
    }
}
