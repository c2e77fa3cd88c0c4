//! Prints poses in the viewer's space: right-handed, Y up, −Z forward, metres.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::NonFinite;
use crate::json;
use mutoscope_core::{
    clip::{Clip, Node, NodeId, NodePose, Pose, Value},
    export::{names::deduplicate, table::TableWriter},
};

/// Prints the pose at each of `times`, in seconds, as a JSON object on one line.
///
/// Signals with the same name get a number, because an object cannot have a key twice.
pub(super) fn print_lines(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut pose = Pose::default();
    let names = deduplicate(clip.signals.iter().map(|signal| signal.name.as_str()), '.');
    times.try_for_each(|time| {
        clip.sample(time, &mut pose);
        non_finite.record_pose(&pose);
        let (nodes, signals) =
            (NodeLines { clip, pose: &pose }, SignalValues { names: &names, pose: &pose });
        json::write_line(out, &Line { time, nodes, signals })
    })
}

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
        let lines =
            self.clip.nodes.iter().zip(&self.pose.nodes).map(|(node, node_pose)| NodeLine {
                name: &node.name,
                parent: node.parent.map(NodeId::index),
                shown: node_pose.is_visible,
                translation: node_pose.local.translation.to_array(),
                rotation: node_pose.local.rotation.to_array(),
                scale: node_pose.local.scale.to_array(),
                world: World {
                    translation: node_pose.world.translation.to_array(),
                    rotation: node_pose.world.rotation.to_array(),
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

const COLUMNS: [&str; 22] = [
    "time", "index", "node", "parent", "shown", "x", "y", "z", "qx", "qy", "qz", "qw", "scale_x",
    "scale_y", "scale_z", "world_x", "world_y", "world_z", "world_qx", "world_qy", "world_qz",
    "world_qw",
];

pub(super) fn print_table(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = TableWriter::new(out);
    let signals = clip.signals.iter().map(|signal| signal.name.clone());
    table.write_header(COLUMNS.into_iter().map(str::to_owned).chain(signals))?;
    let mut pose = Pose::default();
    times.try_for_each(|time| {
        clip.sample(time, &mut pose);
        non_finite.record_pose(&pose);
        clip.nodes.with_ids().try_for_each(|(id, node)| write_row(&pose, id, node, &mut table))
    })
}

fn write_row(
    pose: &Pose,
    id: NodeId,
    node: &Node,
    table: &mut TableWriter<'_, impl Write>,
) -> io::Result<()> {
    let NodePose { is_visible, local, world } = &pose[id];
    table.write_numbers(&[pose.time])?;
    table.write_index(Some(id.index()))?;
    table.write_string(&node.name)?;
    table.write_index(node.parent.map(NodeId::index))?;
    table.write_value(&Value::Bool(*is_visible))?;
    table.write_numbers(&local.translation.to_array())?;
    table.write_numbers(&local.rotation.to_array())?;
    table.write_numbers(&local.scale.to_array())?;
    table.write_numbers(&world.translation.to_array())?;
    table.write_numbers(&world.rotation.to_array())?;
    pose.signals.iter().try_for_each(|value| table.write_value(value))?;
    table.end_row()
}
