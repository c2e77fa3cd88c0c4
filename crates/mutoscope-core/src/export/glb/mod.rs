//! glTF 2.0, binary: nodes, their animation and their geometry.
//!
//! glTF's space is the viewer's. The file's nodes are the recording's, in its order, below a common
//! root; after them come their meshes.

mod animation;
mod bones;
mod buffer;
mod facts;
mod figures;
mod json;
mod materials;
mod morphs;
mod parts;
mod views;
mod wear;

use std::{collections::BTreeSet, io::Write};

use glam::DVec3;

use super::{ExportError, ExportTarget, Job, Report, motions::Motions, origin, watch::Watch};
use parts::Parts;

/// Nodes and animations as bytes.
pub(super) const TARGET: ExportTarget =
    ExportTarget::of_motion("glb", "glTF 2.0, binary", "glb", write);

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let origin = origin::of(job);
    if origin != DVec3::ZERO {
        report
            .info(format!("far from the origin; the root node is at {origin}, the others near it"));
    }
    watch.now_up_to(0.3);
    let mut motions = Motions::new(job, watch)?;
    let mut parts = Parts::new(job, origin);
    watch.now_up_to(0.6);
    parts.animate(job, &mut motions, origin, watch)?;
    motions.report(&mut report);
    let mut kept = BTreeSet::new();
    match (job.clip.model(), job.clip.likeness()) {
        (Some(model), _) => {
            let worn = wear::wear(model, &motions, job, &mut parts, &mut report);
            kept = morphs::add(model, &worn, job, &mut parts, &mut report)?;
        }
        (None, Some(likeness)) => {
            if !likeness.model.is_empty() {
                wear::wear(&likeness.model, &motions, job, &mut parts, &mut report);
            }
            watch.now_up_to(0.98);
            figures::add(&likeness, job, &mut parts, &mut report, watch)?;
        }
        (None, None) => {
            motions.report_sizes(&mut report);
            parts.show_bones(job, &mut report);
        }
    }
    views::add(&motions, job, origin, &mut parts, &mut report);
    parts.end_animation(&mut report);
    parts.hide();
    parts.precision.report("glTF", &mut report);
    job.report_start(&mut report);
    job.report_signals_except(&kept, &mut report);
    watch.now_up_to(1.0);
    watch.at(1, 1)?;
    parts.write(out)?;
    Ok(report)
}
