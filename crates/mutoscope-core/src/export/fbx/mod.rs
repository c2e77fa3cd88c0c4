//! FBX 7.5, binary or text: nodes, their animation and their meshes.
//!
//! FBX uses the axes of the viewer, in centimetres. The nodes of the recording are models below a
//! common root. The models of meshes follow.

mod animation;
mod ascii;
mod binary;
mod builder;
mod document;
mod figures;
mod header;
mod materials;
mod meshes;
mod scene;

use std::{collections::BTreeSet, io::Write};

use super::{
    ExportError, ExportTarget, Job, OptionKind, Progress, Report, TargetOption, TimeSteps, codes,
    motions::Motions, origin,
};
use crate::clip::Content;
use builder::Builder;

pub(super) const TARGET: ExportTarget = ExportTarget::for_motion("fbx", "FBX", "fbx", write)
    .with_options(&[ASCII])
    .with_rest_pose()
    .keeping(&[
        Content::Motion,
        Content::Hierarchy,
        Content::RestPose,
        Content::Visibility,
        Content::Scales,
        Content::Meshes,
        Content::MorphTargets,
    ]);

const ASCII: TargetOption = TargetOption {
    name: "ascii",
    label: "As text",
    help: "Write text instead of binary. Blender's add-on does not read text",
    kind: OptionKind::Flag,
};

const VERSION: u32 = 7500;

/// Programs expect centimetres, because Autodesk's programs use them.
const CENTIMETRES_PER_METRE: f64 = 100.0;

const TICKS_PER_SECOND: f64 = 46_186_158_000.0;

/// The longest range, in seconds. Ticks beyond 2·10⁸ s do not fit 64 bits, and programs take such
/// times for an endless range.
const MAX_DURATION_S: f64 = 1e8;

fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS_PER_SECOND).round() as i64
}

/// Replaces control characters, because NUL separates the parts of a name, and text files end names
/// at line ends. An empty name becomes `default`.
fn clean_name(name: &str, default: &str) -> String {
    match name.is_empty() {
        true => default.to_owned(),
        false => name.chars().map(|c| if c.is_control() { '_' } else { c }).collect(),
    }
}

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    // Times are 64-bit integers, so keys beside jumps need not be as far apart as f32 times.
    let job = &Job { time_steps: TimeSteps::fine(job.from), ..*job };
    check_range(job, &mut report)?;
    let origin = origin::choose_reported_origin(job, &mut report);
    progress.begin_phase(0.3);
    let mut motions = Motions::new(job, progress)?;
    let mut builder = Builder::new(job, origin);
    progress.begin_phase(0.7);
    builder.add_nodes(&mut motions, origin, &mut report, progress)?;
    motions.report(&mut report);
    let mut used_signals = BTreeSet::new();
    match (job.clip.model(), job.clip.export_model()) {
        (Some(model), _) => {
            let added = meshes::add_model(model, &motions, &mut builder, &mut report);
            used_signals =
                meshes::animate_morph_weights(model, &added, job, &mut builder, &mut report)?;
        }
        (None, Some(export_model)) => {
            if !export_model.model.is_empty() {
                meshes::add_model(&export_model.model, &motions, &mut builder, &mut report);
            }
            progress.begin_phase(0.98);
            figures::add_figures(&export_model, job, &mut builder, &mut report, progress)?;
        }
        (None, None) => motions.report_own_scales(&mut report),
    }
    figures::add_cameras(&motions, job, origin, &mut builder, &mut report);
    builder.finish_bind_pose();
    let name = clean_name(job.title, "Take 001");
    let take = header::Take { name: &name, stop: header::duration_ticks(job) };
    builder.finish_take(take.name, take.stop);
    if !builder.animation.has_curves {
        report.info("nothing moves; the file has a take without curves");
    }
    builder.report(&mut report);
    report.info("Y up, centimetres; rotations are angles in the order XYZ, without jumps");
    job.report_start(&mut report);
    job.report_events(&mut report);
    job.report_signals_except(&used_signals, &mut report);
    progress.begin_phase(1.0);
    progress.report_progress(1, 1)?;
    let mut scene = builder.scene;
    let document_id = scene.reserve_id();
    let elements = header::document(job, &take, scene, document_id);
    match job.settings.has_flag(&ASCII) {
        false => binary::write(&elements, out)?,
        true => ascii::write(&elements, out)?,
    }
    Ok(report)
}

/// Refuses recordings that the target cannot hold, and reports a range without duration.
fn check_range(job: &Job<'_>, report: &mut Report) -> Result<(), ExportError> {
    if job.clip.nodes.is_empty() {
        let message = "no node to animate; nothing written";
        return Err(ExportError::refused(codes::NOTHING_TO_WRITE, message));
    }
    let duration = job.to - job.from;
    if duration.is_nan() || duration > MAX_DURATION_S {
        let message = format!(
            "the range is {duration:.3e} s long, more than the {MAX_DURATION_S:.0e} s of FBX; not \
             exported. Choose a shorter --range"
        );
        return Err(ExportError::refused(codes::TOO_MANY_FRAMES, message));
    }
    if duration == 0.0 {
        let message = "the range has a duration of 0, so the file shows a single pose";
        report.warning_with_code(codes::NO_DURATION, message);
    }
    Ok(())
}
