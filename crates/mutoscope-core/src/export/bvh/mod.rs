//! BVH: a hierarchy of joints with offsets, and a line of channels for each frame at evenly spaced
//! times.

mod joints;
mod text;
mod times;

use std::io::Write;

use super::{ExportError, ExportTarget, Job, Progress, Report, names, origin::PositionPrecision};
use crate::clip::{Content, Pose};
use crate::{
    diagnostics::format_count,
    formats,
    io::parallel::{map_continued, map_in_order},
};
use joints::{Channels, Joints, UNITS_PER_METRE, WrittenFrames};

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("bvh", "BVH (Biovision hierarchy)", "bvh", write)
        .keeping(&[Content::Motion, Content::Hierarchy, Content::RestPose])
        .with_free_axes()
        .with_rest_pose();

/// The number of frames that a thread samples and writes at once.
const FRAMES_PER_BLOCK: usize = 64;

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let frames = times::Frames::choose(job, &mut report)?;
    job.check_value_count(frames.times.len())?;
    let mut joints = Joints::from_clip(job.clip, job.from);
    let all = joints.nodes.iter().map(|joint| joint.name(job.clip));
    let names = names::clean_and_deduplicate(all, '_', to_bvh_name, &mut report);
    progress.begin_phase(0.3);
    let blocks: Vec<&[f64]> = frames.times.chunks(FRAMES_PER_BLOCK).collect();
    let unmoved = joints.clone();
    let record_block = |block: usize, progress: &mut Progress<'_>| {
        let (mut pose, mut joints) = (Pose::default(), unmoved.clone());
        for &time in blocks[block] {
            progress.check_cancelled()?;
            job.clip.sample_motion(time, &mut pose);
            joints.record_motion(&pose);
        }
        Ok::<_, ExportError>(joints)
    };
    map_in_order(blocks.len(), progress, record_block, |_, moved| {
        joints.merge_motion(&moved);
        Ok(())
    })?;
    joints.report(job, &mut report);
    // Keep the text up to the first frame, because readers infer the unit from this part.
    let mut head = Vec::new();
    text::write_hierarchy(&joints, &names, &mut head)?;
    write!(head, "MOTION\nFrames: {}\nFrame Time: {}\n", frames.times.len(), frames.interval)?;
    progress.begin_phase(1.0);
    let (mut non_finite_count, mut precision) = (0, PositionPrecision::default());
    let write_block = |block: usize, before: &Channels, progress: &mut Progress<'_>| {
        let mut pose = Pose::default();
        let sample = |&time: &f64| {
            progress.check_cancelled()?;
            job.clip.sample_motion(time, &mut pose);
            Ok(joints.local_poses(&pose))
        };
        let frames = blocks[block].iter().map(sample).collect::<Result<Vec<_>, ExportError>>()?;
        Ok::<_, ExportError>(joints.write_frames(frames, before)?)
    };
    let take = |block, mut written: WrittenFrames, guessed: &Channels, before: &Channels| {
        if !written.is_same_after(before, guessed) {
            written = joints.write_frames(written.frames, before)?;
        }
        if block == 0 {
            let first_line = written.lines.split_inclusive(|byte| *byte == b'\n').next();
            head.extend(first_line.unwrap_or_default());
            report_misleading_size(&head, &mut report);
            head.truncate(head.len() - first_line.map_or(0, <[u8]>::len));
            out.write_all(&head)?;
        }
        out.write_all(&written.lines)?;
        non_finite_count += written.non_finite_count;
        precision.merge(&written.precision);
        Ok(written.channels)
    };
    map_continued(blocks.len(), progress, joints.channels(), write_block, take)?;
    if non_finite_count > 0 {
        report.warning(format!(
            "non-finite positions and rotations, written as in the frame before: {non_finite_count}"
        ));
    }
    precision.report("a reader in single precision", &mut report);
    let count = format_count(frames.times.len(), "frame");
    report.info(format!(
        "{count}, {} s apart; centimetres, {}, channels Z X Y",
        frames.interval,
        job.motion.describe_up()
    ));
    job.report_start(&mut report);
    job.report_signals(&mut report);
    job.report_events(&mut report);
    Ok(report)
}

/// Warns if a reader that infers the unit from the size of the skeleton will not assume centimetres.
fn report_misleading_size(head: &[u8], report: &mut Report) {
    let assumed = formats::bvh::assume_metres_per_unit(head);
    if assumed.is_some_and(|metres| metres != UNITS_PER_METRE.recip()) {
        report.warning(
            "BVH has no unit; the lengths are in centimetres, but a reader that infers the unit \
             from the size of the skeleton, such as Mutoscope, assumes another one. Choose \
             centimetres in the reader",
        );
    }
}

fn to_bvh_name(name: &str) -> String {
    let is_legible = |c: char| !c.is_whitespace() && !c.is_control() && !"{}\"".contains(c);
    let cleaned: String = name.chars().map(|c| if is_legible(c) { c } else { '_' }).collect();
    if cleaned.is_empty() { "joint".to_owned() } else { cleaned }
}
