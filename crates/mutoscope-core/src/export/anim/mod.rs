//! Maya's animation curves as text, for Maya's plug-in animImportExport.
//!
//! A recording from Maya is written curve by curve, without changes. For any other recording, the
//! motion of the nodes becomes curves of translate, rotate, scale and visibility, in centimetres
//! and degrees.

mod baked;
mod native;
mod text;

use std::{
    collections::HashSet,
    io::{self, Write},
};

use self::text::{Branch, Curve, Header, TimeUnit};
use super::{ExportError, ExportTarget, Job, Progress, Report, TimeSteps, names, thinning};
use crate::clip::{Clip, Content, NodeId};
use crate::formats::FormatId;

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("anim", "Maya animation curves", "anim", write)
        .keeping(&[Content::Motion, Content::Hierarchy, Content::Visibility, Content::Scales])
        .keeping_parts(&[Content::Signals])
        .keeping_unchanged(&[FormatId::MAYA], &[Content::Signals, Content::Tangents])
        .losing(&[FormatId::PRIME], &[Content::Scales])
        .with_options(&[thinning::OPTION])
        .with_free_axes();

/// The nodes in the order of the lines of a file.
struct Lines<'a> {
    branches: Vec<Branch>,
    names: &'a [String],
    /// The index that the file gives the first attribute of each node.
    first_attribute: usize,
}

/// The encoded curves of a node.
#[derive(Default)]
struct EncodedCurves {
    bytes: Vec<u8>,
    count: usize,
}

impl Lines<'_> {
    fn name(&self, branch: &Branch) -> &str {
        &self.names[branch.id.index()]
    }

    /// Appends the curves of a node to `encoded`.
    fn encode_curves<'a>(
        &self,
        branch: &Branch,
        curves: impl IntoIterator<Item = Curve<'a>>,
        encoded: &mut EncodedCurves,
    ) -> io::Result<()> {
        for curve in curves {
            let attribute = self.first_attribute + encoded.count;
            curve.encode(self.name(branch), branch, attribute, &mut encoded.bytes)?;
            encoded.count += 1;
        }
        Ok(())
    }
}

trait NodeCurves {
    /// Encodes the curves of each node, and passes them to `take` in the order of the lines.
    fn encode_nodes(
        &mut self,
        lines: &Lines<'_>,
        progress: &mut Progress<'_>,
        take: &mut dyn FnMut(&Branch, EncodedCurves) -> Result<(), ExportError>,
    ) -> Result<(), ExportError>;

    fn report(&self, report: &mut Report);
}

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let clip = job.clip;
    // The text has f64 times, so keys beside jumps need not be as far apart as f32 times.
    let job = &Job { time_steps: TimeSteps::fine(job.from), ..*job };
    let time = TimeUnit::for_rate(job.rate.or(clip.rate_hz));
    let own_names = clip.nodes.iter().map(|node| node.name.as_str());
    let (length, names, mut curves): (_, _, Box<dyn NodeCurves>) = match clip.format {
        FormatId::MAYA if clip.procedural.is_none() && job.thinning().is_none() => (
            native::length_unit(clip)?,
            own_names.map(str::to_owned).collect(),
            Box::new(native::OwnCurves::new(job, time)?),
        ),
        _ => (
            "cm",
            names::clean_and_deduplicate(own_names, '_', baked::to_maya_name, &mut report),
            Box::new(baked::TracedCurves::new(job, time, &mut report, progress)?),
        ),
    };
    Header { time, length, span: (job.from, job.to) }.write(out)?;
    let branches = depth_first_branches(clip);
    let first_attribute = first_attribute(clip, &branches, &names);
    let lines = Lines { branches, names: &names, first_attribute };
    progress.begin_phase(1.0);
    curves.encode_nodes(&lines, progress, &mut |branch, encoded| {
        match encoded.count {
            0 => text::write_placeholder(lines.name(branch), branch, out)?,
            _ => out.write_all(&encoded.bytes)?,
        }
        Ok(())
    })?;
    curves.report(&mut report);
    progress.report_progress(1, 1)?;
    if clip.skeleton.attached().is_some() {
        report.info("the skeleton's rest pose is not written; the file has animated channels only");
    }
    if clip.nodes.is_empty() {
        report.warning("no node to animate; the file has no curves");
    }
    job.report_events(&mut report);
    Ok(report)
}

/// Returns the index of the first attribute of every node, usually 0. If every attribute had index 0,
/// a reader would join two consecutive nodes of the same name, depth and number of children.
fn first_attribute(clip: &Clip, branches: &[Branch], names: &[String]) -> usize {
    let line = |branch: &Branch| (&names[branch.id.index()], branch.depth, branch.child_count);
    let is_repeated = branches.windows(2).any(|pair| line(&pair[0]) == line(&pair[1]));
    let mut owners = HashSet::new();
    usize::from(is_repeated && clip.tracks.iter().all(|track| owners.insert(track.owner)))
}

/// Returns the nodes in the order of the lines of a file.
fn depth_first_branches(clip: &Clip) -> Vec<Branch> {
    let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); clip.nodes.len()];
    let mut next: Vec<(NodeId, usize)> = Vec::new();
    for (id, node) in clip.nodes.with_ids() {
        match node.parent {
            Some(parent) => children[parent.index()].push(id),
            None => next.push((id, 0)),
        }
    }
    next.reverse();
    let mut branches = Vec::with_capacity(clip.nodes.len());
    while let Some((id, depth)) = next.pop() {
        let children = &children[id.index()];
        branches.push(Branch { id, depth, child_count: children.len() });
        next.extend(children.iter().rev().map(|&child| (child, depth + 1)));
    }
    branches
}
