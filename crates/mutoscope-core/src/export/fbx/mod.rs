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
    ExportError, ExportOptions, ExportTarget, Job, OptionKind, Progress, Report, TargetOption,
    TimeSteps,
    adjust::adjust_clip,
    codes, list_names,
    motions::Motions,
    names::UsedNames,
    origin,
    thinning::{self, Thinning},
};
use crate::clip::{Clip, Content, Model};
use builder::Builder;
use glam::DVec3;
use meshes::AddedMesh;

pub(super) const TARGET: ExportTarget = ExportTarget::for_motion("fbx", "FBX", "fbx", write)
    .with_options(&[ASCII, TAKES, thinning::OPTION])
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

const TAKES: TargetOption = TargetOption {
    name: "takes",
    label: "All animations",
    help: "Write all animations of the file, each as a take with its name",
    kind: OptionKind::Takes,
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
    let take_share = 0.98 / (1 + job.takes.len()) as f64;
    let mut builder = Builder::new(job, origin);
    let mut used_names = UsedNames::default();
    let mut claim_name = |name: &str| used_names.claim(clean_name(name, "Take 001"), '.');
    let first = header::Take { name: claim_name(job.title), stop: header::duration_ticks(job) };
    let mut takes = vec![first];
    let mut first_progress = progress.begin_nested(take_share);
    first_progress.begin_phase(0.3);
    let mut motions = Motions::new(job, &mut first_progress)?.with_thinning(curve_thinning(job));
    first_progress.begin_phase(0.7);
    builder.add_nodes(&mut motions, origin, &mut report, &mut first_progress)?;
    motions.report(&mut report);
    let mut used_signals = BTreeSet::new();
    let mut morphs = None;
    match (job.clip.model(), job.clip.export_model()) {
        (Some(model), _) => {
            let added = meshes::add_model(model, &motions, &mut builder, &mut report);
            used_signals =
                meshes::animate_morph_weights(model, &added, job, &mut builder, &mut report)?;
            morphs = Some((&**model, added));
        }
        (None, Some(export_model)) => {
            if !export_model.model.is_empty() {
                meshes::add_model(&export_model.model, &motions, &mut builder, &mut report);
            }
            first_progress.begin_phase(0.98);
            let progress = &mut first_progress;
            figures::add_figures(&export_model, job, &mut builder, &mut report, progress)?;
        }
        (None, None) => motions.report_own_scales(&mut report),
    }
    figures::add_cameras(&motions, job, origin, &mut builder, &mut report);
    builder.finish_bind_pose();
    builder.finish_take(&takes[0]);
    if !builder.animation.has_curves {
        report.info("nothing moves; the file has a take without curves");
    }
    drop(first_progress);
    let motion = ExportOptions { motion: job.motion.clone(), ..ExportOptions::default() };
    for (index, clip) in job.takes.iter().enumerate() {
        let mut progress = progress.begin_nested(take_share * (2 + index) as f64);
        let clip = &*adjust_clip(clip, &motion)?;
        if !has_same_nodes(job.clip, clip) {
            let message = format!("the animation {:?} moves other nodes; skipped", clip.name);
            report.warning_with_code(codes::TAKE_SKIPPED, message);
            continue;
        }
        let stop = ticks(clip.span.end() - clip.span.start);
        let take = header::Take { name: claim_name(&clip.name), stop };
        let added = add_take(job, clip, origin, morphs.as_ref(), &mut builder, &mut progress)?;
        report.add_warnings(&format!("take {}", take.name), added);
        builder.finish_take(&take);
        takes.push(take);
    }
    if takes.len() > 1 {
        let names: Vec<String> = takes.iter().map(|take| take.name.clone()).collect();
        report.info(format!("takes: {}", list_names(&names)));
    } else if job.settings.has_flag(&TAKES) && job.takes.is_empty() {
        report.info("the file has only this animation");
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
    let mut spooled = std::mem::take(&mut scene.spooled);
    let elements = header::document(job, &takes, scene, document_id);
    match job.settings.has_flag(&ASCII) {
        false => binary::write(&elements, &mut spooled, out)?,
        true => ascii::write(&elements, &mut spooled, out)?,
    }
    Ok(report)
}

/// Adds the curves of another animation of the nodes in `job`, and returns the report on them.
/// `morphs` has the model and its meshes.
fn add_take(
    job: &Job<'_>,
    clip: &Clip,
    origin: DVec3,
    morphs: Option<&(&Model, Vec<AddedMesh>)>,
    builder: &mut Builder<'_>,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let (from, to, title) = (clip.span.start, clip.span.end(), clip.name.as_str());
    let job = &Job { clip, from, to, title, time_steps: TimeSteps::fine(from), ..*job };
    check_range(job, &mut report)?;
    progress.begin_phase(0.3);
    let mut motions = Motions::new(job, progress)?.with_thinning(curve_thinning(job));
    progress.begin_phase(1.0);
    builder.add_take_of_nodes(job, &mut motions, origin, progress)?;
    motions.report(&mut report);
    if let Some((model, added)) = morphs {
        meshes::animate_morph_weights(model, added, job, builder, &mut report)?;
    }
    Ok(report)
}

/// Returns the bounds within which keys are removed. They have half of the angle that the user chose,
/// because the conversion of rotations to linear Euler angles may use the other half.
fn curve_thinning(job: &Job<'_>) -> Option<Thinning> {
    job.thinning().map(Thinning::with_half_angle)
}

/// Returns `true` if two animations move nodes with the same names and parents.
fn has_same_nodes(one: &Clip, other: &Clip) -> bool {
    let mut nodes = one.nodes.iter().zip(other.nodes.iter());
    one.nodes.len() == other.nodes.len()
        && nodes.all(|(one, other)| one.name == other.name && one.parent == other.parent)
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
