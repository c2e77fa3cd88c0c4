//! CSV tables for spreadsheets: one row per time, with columns for each node and each signal.
//!
//! All values are in the viewer's space, unless the options choose other axes: right-handed, Y up,
//! metres, quaternions x, y, z, w.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use super::{
    ExportError, ExportTarget, Job, Progress, Report,
    components::{component_names, split_components},
    key_times, list_names, names,
    table::TableWriter,
};
use crate::clip::{Content, Node, NodePose, NodeVisibility, Pose, Value};
use crate::{diagnostics::format_count, io::parallel::map_in_order};

/// The number of rows that are sampled and written at once.
const ROWS_PER_BLOCK: usize = 64;

pub(super) const TARGET: ExportTarget = ExportTarget::for_motion("csv", "CSV table", "csv", write)
    .keeping(&[
        Content::Motion,
        Content::Hierarchy,
        Content::Visibility,
        Content::Scales,
        Content::Signals,
    ])
    .with_free_axes();

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let times = key_times::times_of_rows(job)?;
    let columns = Columns::new(job, &mut report);
    TableWriter::new(out).write_header(columns.header())?;
    let mut non_finite = NonFiniteValues::default();
    progress.begin_phase(1.0);
    let blocks: Vec<&[f64]> = times.chunks(ROWS_PER_BLOCK).collect();
    let write_block = |block: usize, progress: &mut Progress<'_>| {
        let (mut bytes, mut pose) = (Vec::new(), Pose::default());
        let mut non_finite = NonFiniteValues::default();
        for (row, &time) in blocks[block].iter().enumerate() {
            progress.check_cancelled()?;
            job.clip.sample(time, &mut pose);
            let is_first = (block, row) == (0, 0);
            let mut table = TableWriter::new(&mut bytes);
            columns.write_row(&pose, is_first, &mut table, &mut non_finite)?;
        }
        Ok::<_, ExportError>((bytes, non_finite))
    };
    map_in_order(blocks.len(), progress, write_block, |_, (bytes, block_non_finite)| {
        non_finite.add(block_non_finite);
        Ok(out.write_all(&bytes)?)
    })?;
    non_finite.report(&columns, &mut report);
    job.report_rows(&times, &mut report);
    Ok(report)
}

impl Job<'_> {
    fn report_rows(&self, times: &[f64], report: &mut Report) {
        let rows = format_count(times.len(), "row");
        match self.rate {
            Some(rate) => report.info(format!("{rows} at {rate} Hz")),
            None => report.info(format!("{rows}, at the times of the recording's own keys")),
        }
        self.report_events(report);
    }
}

#[derive(Default)]
struct NonFiniteValues {
    count: usize,
    nodes: BTreeSet<usize>,
    signals: BTreeSet<usize>,
}

impl NonFiniteValues {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.nodes.extend(other.nodes);
        self.signals.extend(other.signals);
    }

    fn report(&self, columns: &Columns<'_>, report: &mut Report) {
        if self.count == 0 {
            return;
        }
        let nodes = self.nodes.iter().map(|index| columns.nodes[*index].name.as_str());
        let signals = self.signals.iter().map(|index| columns.signals[*index].0);
        let names: Vec<_> = nodes.chain(signals).map(|name| format!("{name:?}")).collect();
        let (values, names) = (format_count(self.count, "value"), list_names(&names));
        report.warning(format!("{values} skipped: not finite; their cells are empty: {names}"));
    }
}

struct Columns<'a> {
    nodes: Vec<NodeColumns<'a>>,
    /// The name of each signal and the names of its components. The components are `None` if the
    /// signal has a single column.
    signals: Vec<(&'a str, Option<&'static [&'static str]>)>,
}

struct NodeColumns<'a> {
    node: &'a Node,
    name: String,
    has_scale: bool,
    may_hide: bool,
    parent: Option<String>,
}

impl<'a> Columns<'a> {
    fn new(job: &Job<'a>, report: &mut Report) -> Self {
        let clip = job.clip;
        let all = clip.nodes.iter().map(|node| node.name.as_str());
        let names = names::clean_and_deduplicate(all, '.', str::to_owned, report);
        // A node may be hidden if any of its ancestors may be, because a hidden parent also hides
        // its children.
        let mut may_hide: Vec<bool> = vec![clip.procedural.is_some(); clip.nodes.len()];
        for id in clip.nodes.parents_first() {
            let node = &clip.nodes[*id];
            let with_parent = node.parent.is_some_and(|parent| may_hide[parent.index()]);
            may_hide[id.index()] |= with_parent || node.motion.visibility != NodeVisibility::Always;
        }
        let parent = |node: &Node| node.parent.map(|parent| names[parent.index()].clone());
        let nodes = clip.nodes.iter().zip(&names).zip(may_hide).map(|((node, name), may_hide)| {
            NodeColumns {
                node,
                name: name.clone(),
                has_scale: clip.nodes.has_scales() || clip.procedural.is_some(),
                may_hide,
                parent: parent(node),
            }
        });
        let mut pose = Pose::default();
        clip.sample(job.from, &mut pose);
        let signals = clip.signals.iter().zip(&pose.signals).map(|(signal, value)| {
            let is_color = clip.track(signal.track).curve.is_color();
            (signal.name.as_str(), component_names(value, is_color))
        });
        Self { nodes: nodes.collect(), signals: signals.collect() }
    }

    fn header(&self) -> Vec<String> {
        let mut header = vec!["time".to_owned()];
        for NodeColumns { name, has_scale, may_hide, parent, .. } in &self.nodes {
            let mut columns = vec!["tx", "ty", "tz", "qx", "qy", "qz", "qw"];
            if *has_scale {
                columns.extend(["sx", "sy", "sz"]);
            }
            if parent.is_some() {
                columns.extend(["world_x", "world_y", "world_z"]);
            }
            if *may_hide {
                columns.push("shown");
            }
            if parent.is_some() {
                columns.push("parent");
            }
            header.extend(columns.iter().map(|column| format!("{name}.{column}")));
        }
        for (name, components) in &self.signals {
            match components {
                None => header.push((*name).to_owned()),
                Some(components) => {
                    header.extend(components.iter().map(|component| format!("{name}.{component}")));
                }
            }
        }
        header
    }

    fn write_row(
        &self,
        pose: &Pose,
        is_first: bool,
        table: &mut TableWriter<'_, Vec<u8>>,
        non_finite: &mut NonFiniteValues,
    ) -> io::Result<()> {
        table.write_numbers(&[pose.time])?;
        for (index, (columns, pose)) in self.nodes.iter().zip(&pose.nodes).enumerate() {
            let NodePose { is_visible, local, world } = pose;
            let before = table.non_finite_count;
            table.write_numbers(&local.translation.to_array())?;
            table.write_numbers(&local.rotation.to_array())?;
            if columns.has_scale {
                table.write_numbers(&local.scale.to_array())?;
            }
            if columns.node.parent.is_some() {
                table.write_numbers(&world.translation.to_array())?;
            }
            if columns.may_hide {
                table.write_value(&Value::Bool(*is_visible))?;
            }
            // Parents never change, so write the name of the parent only in the first row.
            if let Some(parent) = &columns.parent {
                table.write_string(if is_first { parent } else { "" })?;
            }
            if table.non_finite_count > before {
                non_finite.nodes.insert(index);
            }
        }
        for (index, ((_, components), value)) in self.signals.iter().zip(&pose.signals).enumerate()
        {
            let before = table.non_finite_count;
            match components {
                None => table.write_value(value)?,
                Some(components) => split_components(value, components.len())
                    .iter()
                    .try_for_each(|value| table.write_value(value))?,
            }
            if table.non_finite_count > before {
                non_finite.signals.insert(index);
            }
        }
        non_finite.count += table.non_finite_count;
        table.end_row()
    }
}
