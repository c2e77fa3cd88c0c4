//! glTF 2.0, binary: nodes, how they move, and something to see of them.
//!
//! glTF's space is the viewer's. The file's nodes are the recording's, in its order, below one that
//! holds them all; after them comes what they wear.

mod animation;
mod bones;
mod buffer;
mod facts;
mod json;
mod parts;
mod wear;

use std::io::Write;

use glam::DVec3;

use super::{ExportError, Job, Report, Target, motions::Motions, watch::Watch};
use crate::clip::{Pose, Shown};
use parts::Parts;

/// Nodes and animations as bytes.
pub(super) const TARGET: Target = Target { extension: "glb", name: "glTF 2.0, binary", write };

/// How far from the origin single precision still tells hundredths of a millimetre apart, in
/// metres, more or less.
const NEAR: f64 = 500.0;

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let origin = origin(job, &mut report);
    watch.now_up_to(0.4);
    let mut motions = Motions::new(job, watch)?;
    let mut parts = Parts::new(job, origin);
    watch.now_up_to(0.9);
    parts.animate(job, &mut motions, origin, watch)?;
    motions.report(&mut report);
    match job.clip.model() {
        Some(model) => wear::wear(model, &mut parts, &mut report),
        None => parts.show_bones(job, &mut report),
    }
    job.report_start(&mut report);
    job.report_signals(&mut report);
    watch.now_up_to(1.0);
    watch.at(1, 1)?;
    parts.write(out)?;
    Ok(report)
}

/// What is taken off the places of all nodes, because single precision would be too coarse there.
fn origin(job: &Job<'_>, report: &mut Report) -> DVec3 {
    let mut pose = Pose::default();
    job.clip.sample(job.from, &mut pose);
    let stands = job.clip.nodes.iter().zip(&pose.nodes);
    let mut roots = stands
        .filter(|(node, _)| node.parent.is_none() && node.motion.shown != Shown::Never)
        .map(|(_, stands)| stands.local.translation);
    let far = roots.find(|place| place.is_finite() && place.abs().max_element() > NEAR);
    let Some(far) = far else { return DVec3::ZERO };
    // A number that single precision has.
    let origin = far.as_vec3().round().as_dvec3();
    report.info(format!(
        "far from the origin: the node that holds all others stands at {origin}, they near it"
    ));
    origin
}
