//! glTF 2.0, binary: nodes, their animation and their geometry.
//!
//! glTF uses the viewer's space. The nodes of the file are the recording's nodes in the same order,
//! below a common root. The nodes of meshes follow.

mod animation;
mod bones;
mod buffer;
mod builder;
mod extras;
mod figures;
mod json;
mod materials;
mod model;
mod morphs;
mod views;
mod vrma;
mod vrma_face;

use std::{
    collections::{BTreeSet, HashSet},
    io::Write,
};

use super::{
    ExportError, ExportTarget, Job, Progress, Report, motions::Motions, origin, thinning,
    time_steps::report_rounded_times,
};
use crate::clip::{Content, TrackId};
use builder::GlbBuilder;

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("glb", "glTF 2.0, binary", "glb", write)
        .keeping(&[
            Content::Motion,
            Content::Hierarchy,
            Content::RestPose,
            Content::Visibility,
            Content::Scales,
            Content::Events,
            Content::Meshes,
            Content::MorphTargets,
        ])
        .with_options(&[thinning::OPTION])
        .with_rest_pose();

pub(super) const VRMA: ExportTarget =
    ExportTarget::for_motion("vrma", "VRM animation", "vrma", vrma::write)
        .keeping(&[Content::Motion, Content::Hierarchy, Content::RestPose, Content::Events])
        .keeping_parts(&[Content::Signals])
        .requiring("a humanoid");

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let origin = origin::choose_reported_origin(job, &mut report);
    progress.begin_phase(0.3);
    let mut motions = Motions::new(job, progress)?;
    let mut builder = GlbBuilder::new(job, origin);
    progress.begin_phase(0.6);
    builder.animate_nodes(job, &mut motions, origin, progress)?;
    motions.report(&mut report);
    let mut used_signals = BTreeSet::new();
    match (job.clip.model(), job.clip.export_model()) {
        (Some(model), _) => {
            let added_meshes = model::add_model(model, &motions, job, &mut builder, &mut report);
            used_signals = morphs::animate_morph_weights(
                model,
                &added_meshes,
                job,
                &mut builder,
                &mut report,
            )?;
        }
        (None, Some(export_model)) => {
            if !export_model.model.is_empty() {
                model::add_model(&export_model.model, &motions, job, &mut builder, &mut report);
            }
            progress.begin_phase(0.98);
            figures::add_figures(&export_model, job, &mut builder, &mut report, progress)?;
        }
        (None, None) => {
            motions.report_own_scales(&mut report);
            builder.add_bones(job, &mut report);
        }
    }
    views::add_cameras(&motions, job, origin, &mut builder, &mut report);
    builder.finish_animation(&mut report);
    builder.hide_nodes();
    builder.replace_non_finite_numbers(&mut report);
    builder.precision.report("glTF", &mut report);
    let signals = job.clip.signals.iter().enumerate();
    let lost = signals.filter(|(index, _)| !used_signals.contains(index));
    let lost: HashSet<TrackId> = lost.map(|(_, signal)| signal.track).collect();
    report_rounded_times(job, "glTF", |track| !lost.contains(&track), &mut report);
    job.report_start(&mut report);
    job.report_signals_except(&used_signals, &mut report);
    progress.begin_phase(1.0);
    progress.report_progress(1, 1)?;
    builder.write(out)?;
    Ok(report)
}
