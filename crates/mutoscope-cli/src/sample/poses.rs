//! Poses, in the viewer's space: right-handed, Y up, −Z forward, metres.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::NonFinite;
use crate::json;
use mutoscope_core::{
    clip::{Clip, Node, NodeId, NodePose, Pose, Value},
    export::{names::unique_names, table::Table},
};

/// Prints the pose at each of `times`, in seconds: one JSON object a line.
///
/// Signals of one name are distinguished by numbers, since an object has each of its keys once.
pub(super) fn lines(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut pose = Pose::default();
    let names = unique_names(clip.signals.iter().map(|signal| signal.name.as_str()), '.');
    times.try_for_each(|time| {
        clip.sample(time, &mut pose);
        non_finite.look(&pose);
        let (nodes, signals) =
            (NodeLines { clip, pose: &pose }, SignalValues { names: &names, pose: &pose });
        json::line(out, &Line { time, nodes, signals })
    })
}

/// Nothing is copied or collected for a line: it serialises borrowed data.
#[derive(Serialize)]
struct Line<'a> {
    time: f64,
    nodes: NodeLines<'a>,
    signals: SignalValues<'a>,
}

struct NodeLines<'a> {
    clip: &'a Clip,
    pose: &'a Pose,
}

struct SignalValues<'a> {
    names: &'a [String],
    pose: &'a Pose,
}

#[derive(Serialize)]
struct NodeLine<'a> {
    name: &'a str,
    parent: Option<usize>,
    shown: bool,
    translation: [f64; 3],
    rotation: [f64; 4],
    scale: [f64; 3],
    world: World,
}

#[derive(Serialize)]
struct World {
    translation: [f64; 3],
    rotation: [f64; 4],
}

impl Serialize for NodeLines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lines = self.clip.nodes.iter().zip(&self.pose.nodes).map(|(node, stands)| NodeLine {
            name: &node.name,
            parent: node.parent.map(NodeId::index),
            shown: stands.shown,
            translation: stands.local.translation.to_array(),
            rotation: stands.local.rotation.to_array(),
            scale: stands.local.scale.to_array(),
            world: World {
                translation: stands.world.translation.to_array(),
                rotation: stands.world.rotation.to_array(),
            },
        });
        serializer.collect_seq(lines)
    }
}

impl Serialize for SignalValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(&self.pose.signals))
    }
}

/// The columns of the table, before one for each signal.
const COLUMNS: [&str; 22] = [
    "time", "index", "node", "parent", "shown", "x", "y", "z", "qx", "qy", "qz", "qw", "scale_x",
    "scale_y", "scale_z", "world_x", "world_y", "world_z", "world_qx", "world_qy", "world_qz",
    "world_qw",
];

/// Prints the pose at each of `times`, in seconds, as a table: a row for each time and node.
pub(super) fn table(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = Table::new(out);
    let signals = clip.signals.iter().map(|signal| signal.name.clone());
    table.head(COLUMNS.into_iter().map(str::to_owned).chain(signals))?;
    let mut pose = Pose::default();
    times.try_for_each(|time| {
        clip.sample(time, &mut pose);
        non_finite.look(&pose);
        clip.nodes.with_ids().try_for_each(|(id, node)| row(&pose, id, node, &mut table))
    })
}

fn row(pose: &Pose, id: NodeId, node: &Node, table: &mut Table<'_, impl Write>) -> io::Result<()> {
    let NodePose { shown, local, world } = &pose.nodes[id.index()];
    table.numbers(&[pose.time])?;
    table.index(Some(id.index()))?;
    table.text(&node.name)?;
    table.index(node.parent.map(NodeId::index))?;
    table.value(&Value::Bool(*shown))?;
    table.numbers(&local.translation.to_array())?;
    table.numbers(&local.rotation.to_array())?;
    table.numbers(&local.scale.to_array())?;
    table.numbers(&world.translation.to_array())?;
    table.numbers(&world.rotation.to_array())?;
    pose.signals.iter().try_for_each(|value| table.value(value))?;
    table.end_row()
}
