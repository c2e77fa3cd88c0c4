//! A table for spreadsheets: a row for each time, columns for each node and each signal.
//!
//! Everything is as the viewer has it: right-handed, Y up, metres, quaternions x, y, z, w.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use super::{
    ExportError, ExportTarget, Job, Report, breaks,
    components::{components, split},
    names,
    report::counted,
    some_of,
    table::Table,
    watch::Watch,
};
use crate::clip::{Node, NodePose, Pose, Shown, Value};

/// A row for each time.
pub(super) const TARGET: ExportTarget = ExportTarget::of_motion("csv", "CSV table", "csv", write);

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let times = match job.rate {
        Some(rate) => breaks::regular(job, rate)?,
        None => breaks::of_all(job)?,
    };
    let columns = Columns::new(job, &mut report);
    let mut table = Table::new(out);
    table.head(columns.head())?;
    let mut pose = Pose::default();
    let mut left_out = LeftOut::default();
    watch.now_up_to(1.0);
    for (index, &time) in times.iter().enumerate() {
        watch.at(index, times.len())?;
        job.clip.sample(time, &mut pose);
        columns.row(&pose, index == 0, &mut table, &mut left_out)?;
    }
    left_out.report(&columns, &mut report);
    job.report(&times, &mut report);
    Ok(report)
}

impl Job<'_> {
    fn report(&self, times: &[f64], report: &mut Report) {
        let rows = counted(times.len(), "row");
        match self.rate {
            Some(rate) => report.info(format!("{rows} at {rate} Hz")),
            None => report.info(format!("{rows}, at the times of the recording's own keys")),
        }
        self.report_events(report);
    }
}

/// The numbers that are not finite, which a table cannot have: their cells are empty.
#[derive(Default)]
struct LeftOut {
    count: usize,
    /// The indices of nodes, then of signals.
    of_nodes: BTreeSet<usize>,
    of_signals: BTreeSet<usize>,
}

impl LeftOut {
    fn report(&self, columns: &Columns<'_>, report: &mut Report) {
        if self.count == 0 {
            return;
        }
        let nodes = self.of_nodes.iter().map(|index| columns.nodes[*index].name.as_str());
        let signals = self.of_signals.iter().map(|index| columns.signals[*index].0);
        let names: Vec<_> = nodes.chain(signals).map(|name| format!("{name:?}")).collect();
        let (values, names) = (counted(self.count, "value"), some_of(&names));
        report.warning(format!("{values} skipped: not finite; their cells are empty: {names}"));
    }
}

/// The columns of the table.
struct Columns<'a> {
    nodes: Vec<NodeColumns<'a>>,
    /// The signals, each with how many columns it has.
    signals: Vec<(&'a str, Option<&'static [&'static str]>)>,
}

struct NodeColumns<'a> {
    node: &'a Node,
    name: String,
    has_scale: bool,
    may_hide: bool,
    /// The name of its parent.
    parent: Option<String>,
}

impl<'a> Columns<'a> {
    fn new(job: &Job<'a>, report: &mut Report) -> Self {
        let clip = job.clip;
        let all = clip.nodes.iter().map(|node| node.name.as_str());
        let names = names::unique(all, '.', str::to_owned, report);
        // A node is hidden with any of its ancestors.
        let mut may_hide: Vec<bool> = vec![clip.procedural.is_some(); clip.nodes.len()];
        for id in clip.nodes.parents_first() {
            let node = &clip.nodes[*id];
            let with_parent = node.parent.is_some_and(|parent| may_hide[parent.index()]);
            may_hide[id.index()] |= with_parent || node.motion.shown != Shown::Always;
        }
        let parent = |node: &Node| node.parent.map(|parent| names[parent.index()].clone());
        let nodes = clip.nodes.iter().zip(&names).zip(may_hide).map(|((node, name), may_hide)| {
            NodeColumns {
                node,
                name: name.clone(),
                has_scale: clip.nodes.any_scaled() || clip.procedural.is_some(),
                may_hide,
                parent: parent(node),
            }
        });
        let mut pose = Pose::default();
        clip.sample(job.from, &mut pose);
        let signals = clip.signals.iter().zip(&pose.signals).map(|(signal, value)| {
            let is_color = clip.track(signal.track).curve.is_color();
            (signal.name.as_str(), components(value, is_color))
        });
        Self { nodes: nodes.collect(), signals: signals.collect() }
    }

    fn head(&self) -> Vec<String> {
        let mut head = vec!["time".to_owned()];
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
            head.extend(columns.iter().map(|column| format!("{name}.{column}")));
        }
        for (name, components) in &self.signals {
            match components {
                None => head.push((*name).to_owned()),
                Some(components) => {
                    head.extend(components.iter().map(|component| format!("{name}.{component}")));
                }
            }
        }
        head
    }

    fn row(
        &self,
        pose: &Pose,
        is_first: bool,
        table: &mut Table<'_, dyn Write + '_>,
        left_out: &mut LeftOut,
    ) -> io::Result<()> {
        table.numbers(&[pose.time])?;
        for (index, (columns, stands)) in self.nodes.iter().zip(&pose.nodes).enumerate() {
            let NodePose { shown, local, world } = stands;
            let before = table.left_out;
            table.numbers(&local.translation.to_array())?;
            table.numbers(&local.rotation.to_array())?;
            if columns.has_scale {
                table.numbers(&local.scale.to_array())?;
            }
            if columns.node.parent.is_some() {
                table.numbers(&world.translation.to_array())?;
            }
            if columns.may_hide {
                table.value(&Value::Bool(*shown))?;
            }
            // Parents never change: the first row names them.
            if let Some(parent) = &columns.parent {
                table.text(if is_first { parent } else { "" })?;
            }
            if table.left_out > before {
                left_out.of_nodes.insert(index);
            }
        }
        for (index, ((_, components), value)) in self.signals.iter().zip(&pose.signals).enumerate()
        {
            let before = table.left_out;
            match components {
                None => table.value(value)?,
                Some(components) => split(value, components.len())
                    .iter()
                    .try_for_each(|value| table.value(value))?,
            }
            if table.left_out > before {
                left_out.of_signals.insert(index);
            }
        }
        left_out.count = table.left_out;
        table.end_row()
    }
}
