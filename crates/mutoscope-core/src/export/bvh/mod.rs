//! BVH: a hierarchy of joints with offsets, and a line of channels for each of many even times.

mod joints;
mod text;
mod times;

use std::io::Write;

use super::{ExportError, ExportTarget, Job, Report, names, report::counted, watch::Watch};
use crate::clip::Pose;
use joints::Joints;

/// Joints and frames.
pub(super) const TARGET: ExportTarget =
    ExportTarget::of_motion("bvh", "BVH (Biovision hierarchy)", "bvh", write);

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let frames = times::Frames::of(job, &mut report)?;
    let mut joints = Joints::of(job.clip, job.from);
    let all = joints.nodes.iter().map(|joint| joint.name(job.clip));
    let names = names::unique(all, '_', legible, &mut report);
    watch.now_up_to(0.3);
    let mut pose = Pose::default();
    for (index, &time) in frames.times.iter().enumerate() {
        watch.at(index, frames.times.len())?;
        job.clip.sample_motion(time, &mut pose);
        joints.look(&pose);
    }
    joints.report(job, &mut report);
    text::hierarchy(&joints, &names, out)?;
    write!(out, "MOTION\nFrames: {}\nFrame Time: {}\n", frames.times.len(), frames.interval)?;
    watch.now_up_to(1.0);
    let mut channels = joints.channels();
    for (index, &time) in frames.times.iter().enumerate() {
        watch.at(index, frames.times.len())?;
        job.clip.sample_motion(time, &mut pose);
        channels.frame(&pose, out)?;
    }
    if channels.not_finite > 0 {
        report.warning(format!(
            "non-finite positions and rotations, written as in the frame before: {}",
            channels.not_finite
        ));
    }
    channels.precision.report("a reader in single precision", &mut report);
    let count = counted(frames.times.len(), "frame");
    report.info(format!("{count}, {} s apart; metres, Y up, channels Z X Y", frames.interval));
    job.report_start(&mut report);
    job.report_signals(&mut report);
    job.report_events(&mut report);
    Ok(report)
}

/// A name that is one word.
fn legible(name: &str) -> String {
    let is_legible = |c: char| !c.is_whitespace() && !c.is_control() && !"{}\"".contains(c);
    let made: String = name.chars().map(|c| if is_legible(c) { c } else { '_' }).collect();
    if made.is_empty() { "joint".to_owned() } else { made }
}
