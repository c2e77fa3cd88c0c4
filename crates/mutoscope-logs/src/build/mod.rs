//! Builds the clip of a table from its plan: times, nodes, signals and events.

mod choices;
mod curves;
pub(crate) mod dates;
mod nodes;
mod placeholders;
mod pose_checks;
mod questions;
mod rows;
mod signals;
mod space;
mod times;
mod zeros;

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use mutoscope_core::{
    clip::{
        AssumedFact, Clip, ColumnUse, ColumnUses, Event, FormatId, Node, Nodes, Signal, Span,
        Track, TrackId, UnusedColumn,
    },
    diagnostics::{Diagnostics, Error, SourceLocation},
};

use crate::{
    codes,
    mapping::{self, Mapping},
    plan::{Alternative, Plan},
    skeleton::{self, TableAnnotations},
    table::Table,
};
use choices::Choices;
pub(crate) use choices::{FactOrigin, axes_choice, length_unit_choice};
use curves::KeyCache;
use nodes::InvalidPoses;
use placeholders::PlaceholderReport;
use questions::Questions;
use rows::Rows;
pub(crate) use space::{Space, axes_label};
pub(crate) use times::Times;
use zeros::ZeroReport;

/// Builds the clip of `table`. `chosen` is the mapping of the user. `mapping` also has the facts that
/// the catalogue knows of the program that wrote the table.
pub(crate) fn build_clip(
    format: FormatId,
    table: Table,
    plan: &Plan,
    mapping: &Mapping,
    chosen: &Mapping,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    build(format, table, plan, [mapping, chosen], true, diagnostics)
}

/// Builds a clip. Only if `asks` is `true`, the clip has questions about columns, because the
/// preview of a reading needs none.
fn build(
    format: FormatId,
    table: Table,
    plan: &Plan,
    [mapping, chosen]: [&Mapping; 2],
    asks: bool,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let mut assumed = plan.assumed.clone();
    let times = times::read_times(&table, plan, mapping, chosen, &mut assumed, diagnostics)?;
    let rows = Rows::new(&times.seconds, &table, plan, diagnostics);
    let space = Space::for_table(&table, plan, &rows, [mapping, chosen], &mut assumed);
    let mut questions =
        asks.then(|| Questions::find(&table, plan, &rows, &space, mapping, &assumed));
    let mut builder = Builder {
        sets: KeyCache::new(table.lines.clone(), &rows),
        remaining_uses: count_column_uses(&table, plan),
        table,
        plan,
        rows: &rows,
        space: &space,
        bones: &mapping.bones,
        tracks: Vec::new(),
        nodes: Vec::new(),
        signals: Vec::new(),
        column_uses: Vec::new(),
        signal_tracks: HashSet::new(),
        flags_with_track: HashSet::new(),
        invalid: InvalidPoses::default(),
        zeros: ZeroReport::default(),
        placeholders: PlaceholderReport::default(),
    };
    builder.drop_unused(plan.time);
    builder.drop_unused(plan.finer_time);
    builder.add_nodes();
    builder.add_signals();
    builder.add_series();
    let Builder {
        nodes,
        tracks,
        signals,
        column_uses: used,
        signal_tracks: listed,
        mut table,
        invalid,
        zeros,
        placeholders,
        ..
    } = builder;
    if nodes.is_empty() {
        let found = "none that is complete";
        return Err(Error::malformed(SourceLocation::File, "rows with a position", found));
    }
    let events = build_events(&table, plan, &rows);
    report_texts_in_poses(&table, plan, diagnostics);
    invalid.report(&table, diagnostics);
    zeros.report(&table, diagnostics);
    placeholders.report(&table, diagnostics);
    assume_numbering(&table, plan, mapping, &rows, &mut assumed);
    let documented = mapping.logger.as_ref().and_then(|logger| logger.frame.clone());
    let frame = match documented {
        Some(frame) => Some((frame, "the program measures in it")),
        None => {
            let frames: BTreeSet<&str> =
                plan.nodes.iter().filter_map(|node| node.reference_frame.as_deref()).collect();
            let frames = frames.into_iter().collect::<Vec<_>>().join(", ");
            (!frames.is_empty()).then_some((frames, "column names contain it next to a known node"))
        }
    };
    if let Some((value, why)) = frame.filter(|_| chosen.nodes.is_none() && chosen.name.is_empty()) {
        let why = format!("{why}; nothing is converted");
        assumed.push(AssumedFact { fact: "frame", value, why });
    }
    if let Some(logger) = &mapping.logger {
        let message = format!("read as {} documents its tables: {}", logger.name, logger.source);
        diagnostics
            .info(codes::table::KNOWN_PROGRAM, SourceLocation::File, message)
            .with("name", logger.name.as_str());
    }
    for (code, message) in &plan.remarks {
        diagnostics.info(*code, SourceLocation::File, message.clone());
    }
    for AssumedFact { fact, value, why } in &assumed {
        diagnostics
            .info(
                codes::table::ASSUMED,
                SourceLocation::File,
                format!("assumed {fact}: {value}, as {why}"),
            )
            .with("name", *fact)
            .with("value", value.as_str());
    }
    for Alternative { what, chosen, others, key } in &plan.alternatives {
        let name = |column: &usize| format!("{:?}", table.columns[*column].name);
        let others: Vec<String> = others.iter().map(name).collect();
        let message = format!(
            "{what} may be in {} too; using {}. To choose another column, set {key} in a mapping file",
            others.join(", "),
            name(chosen)
        );
        diagnostics
            .info(codes::table::SEVERAL_COLUMNS, SourceLocation::File, message)
            .with("name", table.columns[*chosen].name.as_str());
    }
    let start = rows.times.first().copied().unwrap_or(0.0);
    let end = rows.times.last().copied().unwrap_or(start);
    let nodes = Nodes::new(nodes, diagnostics);
    let mut clip = Clip::new(format, space.convention());
    clip.name = table.declared.name.clone();
    clip.version = table.version.to_owned();
    clip.subject = skeleton::describe_subject(&nodes);
    clip.span = Span { start, duration: end - start };
    clip.rate_hz = times.rate.or(table.declared.rate_hz);
    clip.groups = skeleton::group_names();
    clip.nodes = nodes;
    clip.tracks = tracks;
    clip.signals = signals;
    clip.events = events;
    let is_unit_documented = mapping.logger.is_some() && mapping.space.metres_per_unit.is_some();
    let implausible = pose_checks::check_poses(&clip, &space, is_unit_documented, diagnostics);
    let shape = if plan.node.is_some() { "long" } else { "wide" };
    let time = plan.time.map(|column| table.columns[column].name.clone());
    let mut ignored = plan.ignored.clone();
    let mut known: HashSet<usize> = used.iter().map(|(column, ..)| *column).collect();
    known.extend(ignored.iter().map(|(column, _)| *column));
    for node in &plan.nodes {
        let columns = node.components().into_iter().map(|(column, _)| column);
        let columns =
            columns.chain(node.flags.iter().map(|(column, _)| *column)).chain(node.radius);
        for column in columns.filter(|column| known.insert(*column)).collect::<Vec<_>>() {
            ignored.push((column, "its node never has a pose".to_owned()));
        }
    }
    ignored.sort_unstable();
    let ignored = ignored.iter().map(|(column, why)| UnusedColumn {
        column: table.columns[*column].name.clone(),
        why: why.clone(),
    });
    let mut columns = ColumnUses {
        shape,
        time: time.unwrap_or_default(),
        time_unit: times.unit,
        used: sorted_column_uses(&table, used, plan),
        ignored: ignored.collect(),
        assumed,
        mapping: String::new(),
        choices: Vec::new(),
        questions: Vec::new(),
        mapping_file: mapping.read_by.clone(),
    };
    columns.mapping = mapping::write_mapping(&table, plan, mapping, &space, &columns, &times);
    let assumed = &columns.assumed;
    columns.choices = Choices {
        table: &table,
        plan,
        mapping: chosen,
        space: &space,
        time_unit: times.unit,
        rate_hz: times.rate,
        assumed,
    }
    .collect();
    if let Some(questions) = &mut questions {
        questions.ask_about_poses(&implausible, plan, &space, &columns);
        columns.questions = questions.with_previews(format, &table, &columns);
    }
    table.columns.clear();
    clip.annotations = Some(Arc::new(TableAnnotations::new(columns, listed)));
    Ok(clip)
}

struct Builder<'a> {
    table: Table,
    remaining_uses: Vec<u32>,
    plan: &'a Plan,
    rows: &'a Rows,
    space: &'a Space,
    bones: &'a [(String, String)],
    sets: KeyCache<'a>,
    tracks: Vec<Track>,
    nodes: Vec<Node>,
    signals: Vec<Signal>,
    column_uses: Vec<(usize, String, String)>,
    signal_tracks: HashSet<TrackId>,
    flags_with_track: HashSet<(usize, Option<usize>)>,
    invalid: InvalidPoses,
    zeros: ZeroReport,
    placeholders: PlaceholderReport,
}

impl Builder<'_> {
    fn add_track(&mut self, track: Track) -> TrackId {
        self.tracks.push(track);
        TrackId::new(self.tracks.len() - 1)
    }

    fn record_use(&mut self, column: usize, node: &str, property: &str) {
        self.column_uses.push((column, node.to_owned(), property.to_owned()));
    }

    /// Records that one use of a column is done. After the last use, the column's numbers are
    /// freed, so that the table shrinks while the clip grows.
    fn release_use(&mut self, column: usize) {
        self.remaining_uses[column] = self.remaining_uses[column].saturating_sub(1);
        self.drop_unused(Some(column));
    }

    fn drop_unused(&mut self, column: Option<usize>) {
        if let Some(column) = column.filter(|column| self.remaining_uses.get(*column) == Some(&0)) {
            self.table.columns[column].drop_numbers();
        }
    }
}

/// Returns for each column how often building the clip reads it, so that the last reader can take
/// the numbers without a copy. If the table has groups of rows, the numbers are never taken,
/// because each group reads them.
fn count_column_uses(table: &Table, plan: &Plan) -> Vec<u32> {
    let mut uses = vec![if plan.is_grouped() { u32::MAX } else { 0 }; table.columns.len()];
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

fn sorted_column_uses(
    table: &Table,
    mut used: Vec<(usize, String, String)>,
    plan: &Plan,
) -> Vec<ColumnUse> {
    let grouping = [
        (plan.node, "node"),
        (plan.side, "side"),
        (plan.group, "group"),
        (plan.event, "event"),
        (plan.finer_time, "time"),
    ];
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

fn build_events(table: &Table, plan: &Plan, rows: &Rows) -> Vec<Event> {
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
            let slot = rows.slots.get(row).copied().filter(|slot| *slot != rows::NO_INDEX)?;
            Some((slot, row, name))
        })
        .collect();
    all.sort_by_key(|(slot, row, _)| (*slot, *row));
    all.into_iter()
        .map(|(slot, row, name)| Event {
            time: rows.times[slot as usize],
            name,
            location: table.location(row),
            ..Event::default()
        })
        .collect()
}

fn report_texts_in_poses(table: &Table, plan: &Plan, diagnostics: &mut Diagnostics) {
    let columns = plan.nodes.iter().flat_map(|node| {
        node.components().into_iter().map(|(column, _)| column).chain(node.radius)
    });
    let (mut count, mut first) = (0, None);
    for column in columns {
        if let Some((found, row)) = table.columns[column].count_texts() {
            count += found;
            if first.is_none_or(|(before, _)| row < before) {
                first = Some((row, column));
            }
        }
    }
    if let Some((row, column)) = first {
        let location = table.location(row);
        let text = table.text(column, row).unwrap_or_default();
        let name = &table.columns[column].name;
        let message = format!(
            "{text:?} in the column {name:?} is not a number; treated as missing. Such cells: {count}"
        );
        diagnostics
            .warning(codes::table::NOT_A_NUMBER, location, message)
            .with("name", name.as_str())
            .with("count", count);
    }
}

/// Assumes that the numbers in a column of joints are only names, unless the mapping states the
/// numbering.
fn assume_numbering(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    rows: &Rows,
    assumed: &mut Vec<AssumedFact>,
) {
    let Some(column) = plan.node.filter(|_| mapping.long.is_none()) else { return };
    let name = &table.columns[column].name;
    let words = crate::names::lowercase_words(name);
    let is_of_joints =
        words.iter().any(|word| matches!(&**word, "joint" | "landmark" | "bone" | "keypoint"));
    let is_small = |label: &str| label.parse::<u32>().is_ok_and(|number| number <= 26);
    let all_small = rows.groups.iter().all(|group| is_small(&group.label));
    if is_of_joints && all_small && !rows.groups.is_empty() {
        let why = format!(
            "nothing states which joints the numbers in {name:?} are. Set [long] numbering in a mapping file"
        );
        assumed.push(AssumedFact { fact: "numbering", value: "none".to_owned(), why });
    }
}
