//! VRM animation 1.0: the motion of a humanoid that avatars play, as glTF with an extension.
//!
//! The bones rest in VRM's T-pose. Each bone has a rotation, and the hips also have a translation.
//! Expressions and the gaze have a node each.

use std::{collections::HashSet, io::Write};

use glam::DVec3;
use serde_json::{Map, Value, json};

use super::{
    animation::to_f32_clamped,
    builder::GlbBuilder,
    extras,
    json::Node,
    vrma_face::{self, Face},
};
use crate::{
    clip::{HumanBone, NodeId, Pose, TrackId},
    diagnostics::{Severity, format_count},
    export::{
        ExportError, Job, Progress, Report, codes, keyed_curve::KeyedCurve, list_names,
        motions::Motions, time_steps::report_rounded_times,
    },
    retarget::{TPoseError, TPoseMotion, to_t_pose},
};

const EXTENSION: &str = "VRMC_vrm_animation";

pub(super) fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    job.report_start(&mut report);
    if job.from == job.to {
        let message = "the range has a duration of 0: the file has a single pose";
        report.warning_with_code(codes::NO_DURATION, message);
    }
    let t_pose = to_t_pose(job.clip).map_err(to_refusal)?;
    let body_job = Job { clip: &t_pose.clip, ..*job };
    let mut builder = GlbBuilder::new(&body_job, DVec3::ZERO);
    // The joined clip has the convention of the body.
    let root_node = t_pose.clip.nodes.len();
    builder.root.nodes[root_node].extras = Some(extras::root_extras(job));
    progress.begin_phase(0.4);
    let mut motions = Motions::new(&body_job, progress)?;
    progress.begin_phase(0.8);
    add_bones(&t_pose, &body_job, &mut motions, &mut builder, progress)?;
    motions.report(&mut report);
    progress.begin_phase(0.95);
    let face = vrma_face::trace(job, &t_pose, &mut report, progress)?;
    let mut extension = json!({ "specVersion": "1.0", "humanoid": human_bones(&t_pose) });
    add_face(&face, job, &mut extension, &mut builder);
    builder.root.extensions_used.push(EXTENSION);
    builder.root.extensions = Some(json!({ EXTENSION: extension }));
    builder.finish_animation(&mut report);
    builder.replace_non_finite_numbers(&mut report);
    builder.precision.report("glTF", &mut report);
    report_losses(job, &t_pose, &face, &mut report);
    progress.begin_phase(1.0);
    progress.report_progress(1, 1)?;
    builder.write(out)?;
    Ok(report)
}

fn to_refusal(error: TPoseError) -> ExportError {
    let message = match error {
        TPoseError::Retarget(error) => error.to_string(),
        TPoseError::MissingBones(missing) => {
            let names: Vec<_> = missing.iter().map(|bone| bone.name()).collect();
            format!(
                "expected a humanoid, found no {}; nothing written. Play the recording on a character that has these \
                 bones: --rig FILE --retarget auto",
                names.join(", ")
            )
        }
    };
    ExportError::refused(codes::NO_HUMANOID, message)
}

fn add_bones(
    t_pose: &TPoseMotion,
    job: &Job<'_>,
    motions: &mut Motions<'_>,
    builder: &mut GlbBuilder,
    progress: &mut Progress<'_>,
) -> Result<(), ExportError> {
    for (id, node) in job.clip.nodes.with_ids() {
        builder.root.nodes[id.index()].set_transform(&node.rest);
    }
    for (bone, id) in t_pose.bones().iter() {
        let motion = motions.node_motion(id, progress)?;
        let (node, animation, chunk) = (id.index(), &mut builder.animation, &mut builder.chunk);
        if bone == HumanBone::Hips {
            let keys = motion.translation.keys().iter();
            keys.for_each(|key| builder.precision.record_position(key.value));
            let path = "translation";
            animation.add_complete_channel(
                node,
                path,
                &motion.translation,
                job,
                to_f32_clamped,
                chunk,
            );
        }
        animation.add_complete_rotation(node, &motion.rotation, job, chunk);
    }
    Ok(())
}

fn human_bones(t_pose: &TPoseMotion) -> Value {
    let bones = t_pose.bones().iter();
    let bones: Map<_, _> =
        bones.map(|(bone, id)| (bone.name().to_owned(), json!({ "node": id.index() }))).collect();
    json!({ "humanBones": bones })
}

fn add_face(face: &Face, job: &Job<'_>, extension: &mut Value, builder: &mut GlbBuilder) {
    let root_node = builder.root.scenes[0].nodes[0];
    for expression in &face.expressions {
        let name = expression.name.clone();
        let index = builder.add_node(Node { name, ..Node::default() }, Some(root_node));
        let weights: KeyedCurve<DVec3> = expression.weights.map(|weight| DVec3::X * weight);
        let (animation, chunk) = (&mut builder.animation, &mut builder.chunk);
        animation.add_complete_channel(index, "translation", &weights, job, to_f32_clamped, chunk);
        let kind = if expression.is_preset { "preset" } else { "custom" };
        extension["expressions"][kind][&expression.name] = json!({ "node": index });
    }
    if let Some(gaze) = &face.gaze {
        let node = Node { name: "lookAt".to_owned(), ..Node::default() };
        let index = builder.add_node(node, Some(root_node));
        builder.animation.add_complete_rotation(index, &gaze.rotation, job, &mut builder.chunk);
        extension["lookAt"] = json!({ "node": index });
        if let Some(offset) = gaze.offset_from_head.map(to_f32_clamped) {
            extension["lookAt"]["offsetFromHeadBone"] = json!(offset);
        }
    }
}

fn report_losses(job: &Job<'_>, t_pose: &TPoseMotion, face: &Face, report: &mut Report) {
    let clip = job.clip;
    let count = t_pose.bones().iter().count();
    report.info(format!("{} of a humanoid", format_count(count, "bone")));
    for diagnostic in t_pose.diagnostics.iter().filter(|one| one.severity != Severity::Info) {
        report.warning_with_code(diagnostic.code, diagnostic.message.clone());
    }
    if !t_pose.skipped.is_empty() {
        let names: Vec<_> = t_pose.skipped.iter().map(|bone| bone.name().to_owned()).collect();
        let message =
            format!("bones skipped, because VRM requires their parents: {}", list_names(&names));
        report.warning_with_code(codes::PARTS_SKIPPED, message);
    }
    let others: Vec<_> = nodes_without_bone(job, t_pose, face)
        .map(|id| format!("{:?}", clip.nodes[id].name))
        .collect();
    if !others.is_empty() {
        let message =
            format!("moving nodes skipped, because they are no bones: {}", list_names(&others));
        report.warning_with_code(codes::PARTS_SKIPPED, message);
    }
    if clip.model().is_some_and(|model| !model.is_empty()) || clip.export_model().is_some() {
        report.info("meshes skipped: a VRM animation is played on an avatar");
    }
    report_joint_positions(job, t_pose, report);
    job.report_signals_except(&face.used_signals, report);
    let is_lost = |index: &usize| !face.used_signals.contains(index);
    let lost = (0..clip.signals.len()).filter(is_lost).map(|index| clip.signals[index].track);
    let lost: HashSet<TrackId> = lost.collect();
    report_rounded_times(job, "glTF", |track| !lost.contains(&track), report);
}

/// Returns the animated nodes of the source that are neither a bone, nor above or between bones, nor
/// the source of an expression or the gaze.
fn nodes_without_bone<'a>(
    job: &'a Job<'_>,
    t_pose: &TPoseMotion,
    face: &Face,
) -> impl Iterator<Item = NodeId> + 'a {
    let nodes = &job.clip.nodes;
    let mut is_used = vec![false; nodes.len()];
    let mut mark = |start: Option<NodeId>| {
        let ancestors = std::iter::successors(start, |&id| nodes[id].parent);
        ancestors.for_each(|id| is_used[id.index()] = true);
    };
    HumanBone::ALL.iter().for_each(|&bone| mark(t_pose.source_node(bone)));
    face.used_nodes.iter().for_each(|&id| mark(Some(id)));
    let moves = |(id, node): (NodeId, &crate::clip::Node)| {
        (!is_used[id.index()] && node.motion.is_animated()).then_some(id)
    };
    let found: Vec<_> = nodes.with_ids().filter_map(moves).collect();
    found.into_iter()
}

/// Warns if joints are not where the recording has them. If the bones keep their lengths, the
/// rotations alone reproduce all positions.
fn report_joint_positions(job: &Job<'_>, t_pose: &TPoseMotion, report: &mut Report) {
    const SAMPLE_INTERVALS: u32 = 64;
    const MIN_REPORTED_DISTANCE_M: f64 = 1e-3;
    let (mut source, mut written) = (Pose::default(), Pose::default());
    let mut worst: Option<(HumanBone, f64)> = None;
    for index in 0..=SAMPLE_INTERVALS {
        let part = f64::from(index) / f64::from(SAMPLE_INTERVALS);
        let time = job.from + (job.to - job.from) * part;
        job.clip.sample_motion(time, &mut source);
        t_pose.clip.sample_motion(time, &mut written);
        for (bone, id) in t_pose.bones().iter() {
            let Some(node) = t_pose.source_node(bone) else { continue };
            let distance = source[node].world.translation.distance(written[id].world.translation);
            if distance > worst.map_or(MIN_REPORTED_DISTANCE_M, |(_, worst)| worst) {
                worst = Some((bone, distance));
            }
        }
    }
    if let Some((bone, distance)) = worst {
        report.warning_with_code(
            codes::JOINT_POSITIONS,
            format!(
                "joints are up to {:.1} cm off ({bone}), because VRM animations keep rotations, and only \
                 the hips move",
                distance * 100.0
            ),
        );
    }
}
