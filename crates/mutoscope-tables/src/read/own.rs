//! Reads our own tables of poses, with the tables of signals and events next to them.

use std::{collections::HashMap, sync::Arc};

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::{
    SourceFile,
    clip::{
        Clip, ColumnUse, ColumnUses, Convention, Event, Handedness, NodeId, Owner, Span, Stated,
        UpAxis, Value,
    },
    diagnostics::{Diagnostics, Error, SourceLocation},
    export::{FileAxis, MotionOptions},
};
use mutoscope_logs::{
    sampled::{SampledClip, SampledNode, SampledSignal},
    table::Table,
};
use serde::Deserialize;

use super::{
    batches::{BatchFormat, Batches},
    codes, flatten,
};

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ListedNode {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
}

pub(super) fn parse_nodes(text: &str) -> Option<Vec<ListedNode>> {
    let nodes: Vec<ListedNode> = serde_json::from_str(text).ok()?;
    let is_valid = |node: &ListedNode| node.parent.is_none_or(|parent| parent < nodes.len());
    nodes.iter().all(is_valid).then_some(nodes)
}

pub(super) fn export_convention() -> Convention {
    Convention {
        handedness: Stated::declared(Handedness::Right),
        up: Stated::declared(UpAxis::Y),
        metres_per_unit: Stated::declared(1.0),
        ..Convention::assumed(Handedness::Right, UpAxis::Y)
    }
}

/// Reads one of our tables of poses. Returns `None` if the table is not one of our exports.
///
/// # Errors
/// If the table is one of our exports, but has signals or events, or lacks columns.
pub(super) fn read_poses(
    kind: BatchFormat,
    batches: &Batches<'_>,
    file: &SourceFile<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Clip>, Error> {
    let fact = |key: &str| batches.metadata.get(&format!("mutoscope.{key}")).cloned();
    match fact("table").as_deref() {
        None => return Ok(None),
        Some("poses") => {}
        Some(other) => {
            let message = format!(
                "expected the table of poses of an export, found its table of {other}. Open the table of \
                 poses; the others are read with it"
            );
            return Err(Error::unsupported(SourceLocation::File, message));
        }
    }
    let nodes = fact("nodes").as_deref().and_then(parse_nodes).ok_or_else(|| {
        Error::malformed(SourceLocation::File, "the list of nodes in mutoscope.nodes", "none")
    })?;
    let table = flatten::flatten(kind.version(), batches, diagnostics)?;
    let file_from_viewer = read_axes_rotation(fact("up"), fact("forward"))?;
    let viewer_from_file = file_from_viewer.inverse();
    let poses = Poses { viewer_from_file, ..Poses::from_table(&table, nodes)? };
    let (start, end) = poses.span();
    let mut clip = SampledClip::default();
    poses.add_nodes_to(&mut clip);
    let source = fact("source");
    let mut events = Vec::new();
    for (what, extension) in [("signals", kind.version()), ("events", kind.version())] {
        let Some(beside) = read_table_beside(kind, what, extension, &source, file, diagnostics)
        else {
            continue;
        };
        match what {
            "signals" => add_signals(&beside, &mut clip),
            _ => events = self::read_events(&beside, &poses),
        }
    }
    let mut made = Clip::new(mutoscope_logs::FORMAT_ID, export_convention());
    made.name = fact("name").unwrap_or_default();
    made.version = kind.version().to_owned();
    made.span = Span { start, duration: end - start };
    made.rate_hz = fact("rate").and_then(|rate| rate.parse().ok());
    made.events = events;
    Ok(Some(clip.finish(column_uses(&table), made, diagnostics)))
}

/// Returns the rotation from the viewer's axes to those that the metadata of a file states. A file
/// that states none has the viewer's axes.
fn read_axes_rotation(up: Option<String>, forward: Option<String>) -> Result<DQuat, Error> {
    let axis = |name: Option<String>| {
        let axis = name.map(|name| name.parse::<FileAxis>().map_err(|_| name)).transpose();
        axis.map_err(|name| {
            Error::malformed(
                SourceLocation::File,
                "an axis in the metadata",
                format_args!("{name:?}"),
            )
        })
    };
    let (up, forward) = (axis(up)?, axis(forward)?);
    let options = MotionOptions { up, forward, ..MotionOptions::default() };
    options.axes_rotation().map_err(|error| {
        Error::malformed(SourceLocation::File, "axes of a space in the metadata", error)
    })
}

/// Reads the table of signals or events that belongs to a table of poses. Returns `None` if the
/// file is missing, broken or from another recording.
fn read_table_beside(
    kind: BatchFormat,
    what: &str,
    extension: &str,
    source: &Option<String>,
    file: &SourceFile<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Table> {
    let name = file.name;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let own = name.rsplit_once('.').map_or(extension, |(_, extension)| extension);
    let beside = format!("{stem}.{what}.{own}");
    let bytes = file.sidecars.read(&beside).ok()?;
    let read = kind.open(&bytes, None);
    let read =
        read.and_then(|it| Ok((flatten::flatten(kind.version(), &it, diagnostics)?, it.metadata)));
    let (table, metadata) = match read {
        Ok(read) => read,
        Err(error) => {
            diagnostics
                .warning(
                    codes::SIDECAR_UNREADABLE,
                    SourceLocation::File,
                    format!("{beside}: {error}; skipped"),
                )
                .with("file", beside.as_str());
            return None;
        }
    };
    let fact = |key: &str| metadata.get(&format!("mutoscope.{key}"));
    if fact("table").map(String::as_str) != Some(what) || fact("source") != source.as_ref() {
        let message = format!("{beside} belongs to another recording; skipped");
        diagnostics
            .warning(codes::OTHER_RECORDING, SourceLocation::File, message)
            .with("file", beside);
        return None;
    }
    Some(table)
}

fn find_column(table: &Table, name: &str) -> Option<usize> {
    table.columns.iter().position(|column| column.name == name)
}

const POSE_COLUMNS: [&str; 10] =
    ["x", "y", "z", "qx", "qy", "qz", "qw", "scale_x", "scale_y", "scale_z"];

struct Poses<'a> {
    table: &'a Table,
    nodes: Vec<ListedNode>,
    times: Vec<f64>,
    rows: Vec<Vec<Option<u32>>>,
    columns: [usize; 10],
    visible: Option<usize>,
    viewer_from_file: DQuat,
}

impl<'a> Poses<'a> {
    fn from_table(table: &'a Table, nodes: Vec<ListedNode>) -> Result<Self, Error> {
        let named = |name: &str| {
            find_column(table, name).ok_or_else(|| {
                Error::malformed(SourceLocation::File, format_args!("a column {name:?}"), "none")
            })
        };
        let (time, index) = (named("time")?, named("index")?);
        let mut columns = [0; 10];
        for (column, name) in columns.iter_mut().zip(POSE_COLUMNS) {
            *column = named(name)?;
        }
        let mut of_row: Vec<(f64, u32)> = (0..table.rows as u32)
            .map(|row| (table.columns[time].number(row as usize), row))
            .filter(|(time, _)| !time.is_nan())
            .collect();
        if !of_row.is_sorted_by(|one, other| one.0 <= other.0) {
            of_row.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        let mut poses = Self {
            table,
            times: Vec::new(),
            rows: Vec::new(),
            columns,
            visible: find_column(table, "visible"),
            nodes,
            viewer_from_file: DQuat::IDENTITY,
        };
        // Create lists only for nodes that have rows, because a broken file may declare more nodes
        // than it has rows.
        let mut by_node: HashMap<usize, Vec<(u32, u32)>> = HashMap::new();
        for (time, row) in of_row {
            if poses.times.last() != Some(&time) {
                poses.times.push(time);
            }
            let node = table.columns[index].integer(row as usize);
            let node = node.and_then(|node| usize::try_from(node).ok());
            if let Some(node) = node.filter(|node| *node < poses.nodes.len()) {
                by_node.entry(node).or_default().push((poses.times.len() as u32 - 1, row));
            }
        }
        let rows = by_node.values().map(Vec::len).sum::<usize>();
        let expected = poses.times.len().saturating_mul(poses.nodes.len());
        if rows != expected {
            let found = format!("{rows} rows for {} times", poses.times.len());
            let nodes = poses.nodes.len();
            return Err(Error::malformed(
                SourceLocation::File,
                format_args!("a row for each time and each of {nodes} nodes"),
                found,
            ));
        }
        for node in 0..poses.nodes.len() {
            let mut of_node = vec![None; poses.times.len()];
            for (slot, row) in by_node.remove(&node).unwrap_or_default() {
                of_node[slot as usize] = Some(row);
            }
            poses.rows.push(of_node);
        }
        Ok(poses)
    }

    fn span(&self) -> (f64, f64) {
        let start = self.times.first().copied().unwrap_or(0.0);
        (start, self.times.last().copied().unwrap_or(start))
    }

    fn pose(&self, node: usize, slot: usize) -> Option<(DVec3, DQuat, DVec3)> {
        let row = self.rows[node][slot]? as usize;
        let [x, y, z, qx, qy, qz, qw, sx, sy, sz] =
            self.columns.map(|column| self.table.columns[column].number(row));
        let (position, scale) = (DVec3::new(x, y, z), DVec3::new(sx, sy, sz));
        let rotation = DQuat::from_xyzw(qx, qy, qz, qw);
        let is_finite = position.is_finite() && rotation.is_finite() && scale.is_finite();
        let turned = self.viewer_from_file != DQuat::IDENTITY;
        let (position, rotation) = match turned {
            true => (self.viewer_from_file * position, self.viewer_from_file * rotation),
            // Keep every bit of the file.
            false => (position, rotation),
        };
        is_finite.then_some((position, rotation, scale))
    }

    fn is_visible(&self, node: usize, slot: usize) -> bool {
        let text = |row: u32| self.table.text(self.visible?, row as usize);
        self.rows[node][slot].is_some_and(|row| text(row) != Some("false"))
    }

    fn add_nodes_to(&self, clip: &mut SampledClip) {
        let is_scaled = (0..self.nodes.len()).any(|node| {
            (0..self.times.len())
                .any(|slot| self.pose(node, slot).is_some_and(|(.., scale)| scale != DVec3::ONE))
        });
        for (node, listed) in self.nodes.iter().enumerate() {
            let mut sampled = SampledNode {
                name: listed.name.clone(),
                parent: listed.parent,
                scales: is_scaled.then(Vec::new),
                ..SampledNode::default()
            };
            for (slot, time) in self.times.iter().enumerate() {
                let is_visible = self.is_visible(node, slot);
                let Some(world) = self.pose(node, slot) else {
                    push_visibility(&mut sampled.shown, *time, false);
                    continue;
                };
                push_visibility(&mut sampled.shown, *time, is_visible);
                let (position, rotation, scale) = self.to_local(listed.parent, slot, world);
                sampled.times.push(*time);
                sampled.positions.push(position);
                sampled.rotations.push(rotation);
                sampled.scales.iter_mut().for_each(|scales| scales.push(scale));
            }
            clip.add_node(sampled);
        }
        clip.link_hands();
    }

    fn to_local(
        &self,
        parent: Option<usize>,
        slot: usize,
        (position, rotation, scale): (DVec3, DQuat, DVec3),
    ) -> (DVec3, DQuat, DVec3) {
        let Some(parent) = parent else { return (position, rotation, scale) };
        let Some((of_parent, turn, parent_scale)) = self.pose(parent, slot) else {
            return (position, rotation, scale);
        };
        let divided = |one: f64, by: f64| if by == 0.0 { 1.0 } else { one / by };
        let own_scale = DVec3::new(
            divided(scale.x, parent_scale.x),
            divided(scale.y, parent_scale.y),
            divided(scale.z, parent_scale.z),
        );
        let back = turn.conjugate();
        let offset = position - of_parent;
        let local = match self.linear_transform(parent, slot, 0) {
            Some(linear) if linear.determinant() != 0.0 => linear.inverse() * offset,
            _ => back * offset,
        };
        (local, back * rotation, own_scale)
    }

    /// Returns the rotation and scale that a node applies to its children, multiplied over all
    /// ancestors. Returns `None` if the scales of the node and of its ancestors are 1, because then
    /// the world rotation is enough.
    fn linear_transform(&self, node: usize, slot: usize, depth: usize) -> Option<DMat3> {
        let (_, rotation, scale) = self.pose(node, slot)?;
        let parent = self.nodes[node].parent.filter(|_| depth < self.nodes.len());
        let above = parent.and_then(|parent| self.linear_transform(parent, slot, depth + 1));
        let (_, own_rotation, own_scale) = match parent.and_then(|it| self.pose(it, slot)) {
            Some((_, turn, parent_scale)) => {
                (DVec3::ZERO, turn.conjugate() * rotation, scale / parent_scale)
            }
            None => (DVec3::ZERO, rotation, scale),
        };
        if above.is_none() && scale == DVec3::ONE {
            return None;
        }
        let own = DMat3::from_quat(own_rotation) * DMat3::from_diagonal(own_scale);
        let of_parent = parent.and_then(|parent| self.pose(parent, slot));
        let above = above.or(of_parent.map(|(_, turn, _)| DMat3::from_quat(turn)));
        Some(above.map_or(own, |above| above * own))
    }
}

fn push_visibility(shown: &mut Vec<(f64, bool)>, time: f64, is_shown: bool) {
    if shown.last().is_none_or(|(_, before)| *before != is_shown) {
        shown.push((time, is_shown));
    }
}

fn add_signals(table: &Table, clip: &mut SampledClip) {
    let names = ["time", "index", "signal", "component", "value", "text"];
    let [time, index, name, component, value, text] = names.map(|name| find_column(table, name));
    let (Some(time), Some(index), Some(name)) = (time, index, name) else { return };
    let mut found: Vec<(String, Vec<u32>)> = Vec::new();
    let mut known: HashMap<(i64, Option<&str>), usize> = HashMap::new();
    for row in 0..table.rows {
        let Some(number) = table.columns[index].integer(row) else { continue };
        let component = component.and_then(|column| table.text(column, row));
        let at = *known.entry((number, component)).or_insert_with(|| {
            let name = table.text(name, row).unwrap_or_default();
            let name = match component {
                Some(component) => format!("{name}.{component}"),
                None => name.to_owned(),
            };
            found.push((name, Vec::new()));
            found.len() - 1
        });
        found[at].1.push(row as u32);
    }
    for (name, rows) in found {
        let time = |row: u32| table.columns[time].number(row as usize);
        let text_of = |row: u32| text.and_then(|column| table.text(column, row as usize));
        let number =
            |row: u32| value.map_or(f64::NAN, |column| table.columns[column].number(row as usize));
        let mut rows: Vec<u32> = rows.into_iter().filter(|row| !time(*row).is_nan()).collect();
        rows.sort_by(|one, other| time(*one).total_cmp(&time(*other)));
        let texts: Vec<&str> = rows.iter().filter_map(|row| text_of(*row)).collect();
        let has_numbers = rows.iter().any(|row| !number(*row).is_nan());
        let is_bool = texts.iter().all(|text| matches!(*text, "true" | "false"));
        let signal = if texts.is_empty() {
            let values = rows.iter().map(|row| (time(*row), number(*row)));
            SampledSignal::Numbers(values.filter(|(_, number)| !number.is_nan()).collect())
        } else if is_bool && !has_numbers {
            let values = rows.iter().filter_map(|row| Some((time(*row), text_of(*row)? == "true")));
            SampledSignal::Switches(values.collect())
        } else {
            let mut known: HashMap<&str, Arc<str>> = HashMap::new();
            let mut texts = Vec::new();
            for row in &rows {
                let text = text_of(*row)
                    .map(|text| Arc::clone(known.entry(text).or_insert_with(|| text.into())));
                texts.push((time(*row), text));
            }
            SampledSignal::Texts(texts)
        };
        clip.signal(&name, signal);
    }
}

fn read_events(table: &Table, poses: &Poses<'_>) -> Vec<Event> {
    let names = ["time", "node", "event", "name", "value"];
    let [time, node, event, name, value] = names.map(|name| find_column(table, name));
    let Some(time) = time else { return Vec::new() };
    let text = |column: Option<usize>, row| column.and_then(|column| table.text(column, row));
    let owner = |name: &str| {
        let index = poses.nodes.iter().position(|node| node.name == name);
        index.map(|index| Owner::Node(NodeId::new(index)))
    };
    let event = |row: usize| {
        let at = table.columns[time].number(row);
        let name = text(event.or(name), row).unwrap_or_default().to_owned();
        let value = value.and_then(|column| table.label(column, row));
        let value = value.map(|text| {
            Box::new(match serde_json::from_str::<serde_json::Value>(&text) {
                Ok(serde_json::Value::Bool(is_true)) => Value::Bool(is_true),
                Ok(serde_json::Value::Number(number)) => match number.as_i64() {
                    Some(integer) => Value::Integer(integer.into()),
                    None => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
                },
                _ => Value::Text(text.as_str().into()),
            })
        });
        let owner = text(node, row).and_then(owner);
        (!at.is_nan()).then(|| Event { time: at, owner, name, value, ..Event::default() })
    };
    (0..table.rows).filter_map(event).collect()
}

fn column_uses(table: &Table) -> ColumnUses {
    let property = |name: &str| {
        Some(match name {
            "x" => "position.x",
            "y" => "position.y",
            "z" => "position.z",
            "qx" => "rotation.x",
            "qy" => "rotation.y",
            "qz" => "rotation.z",
            "qw" => "rotation.w",
            "scale_x" => "scale.x",
            "scale_y" => "scale.y",
            "scale_z" => "scale.z",
            "visible" => "tracked",
            "node" | "index" => "node",
            _ => return None,
        })
    };
    let used = table.columns.iter().filter_map(|column| {
        let property = property(&column.name)?.to_owned();
        Some(ColumnUse { column: column.name.clone(), node: String::new(), property })
    });
    ColumnUses {
        shape: "long",
        time: "time".to_owned(),
        time_unit: "s",
        used: used.collect(),
        ignored: Vec::new(),
        assumed: Vec::new(),
        mapping: "# One of our own exports: its metadata states what its columns mean.\n"
            .to_owned(),
        ..ColumnUses::default()
    }
}
