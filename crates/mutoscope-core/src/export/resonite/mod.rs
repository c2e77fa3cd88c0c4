//! Resonite's AnimJ and AnimX: tracks of slot fields, which are identified by names.
//!
//! A recording from Resonite is written track by track, without changes. For any other recording,
//! the motion of the nodes becomes tracks of `Position`, `Rotation`, `Scale` and `Active`.

mod animj;
mod animx;
mod baked;
mod cut;
mod native;
mod writer;

use std::io::Write;

use self::{
    animj::AnimJ,
    animx::AnimX,
    writer::{AnimationWriter, TrackFormat},
};
use super::{ExportError, ExportTarget, Job, Progress, Report};
use crate::clip::Content;
use crate::formats::FormatId;

pub(super) const ANIMJ: ExportTarget =
    ExportTarget::for_motion("animj", "Resonite AnimJ", "animj", write_animj)
        .keeping(&[Content::Motion, Content::Visibility, Content::Scales, Content::Signals])
        .keeping_unchanged(&[FormatId::ANIMJ, FormatId::ANIMX], &[Content::Tangents])
        .losing(&[FormatId::PRIME], &[Content::Scales]);

pub(super) const ANIMX: ExportTarget =
    ExportTarget::for_motion("animx", "Resonite AnimX", "animx", write_animx)
        .keeping(&[Content::Motion, Content::Visibility, Content::Scales, Content::Signals])
        .keeping_unchanged(&[FormatId::ANIMJ, FormatId::ANIMX], &[Content::Tangents])
        .losing(&[FormatId::PRIME], &[Content::Scales])
        .with_options(&[animx::COMPRESSION]);

fn write_animj(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let format = AnimJ::begin(job.title, job.to - job.from, out)?;
    write_tracks(job, format, &mut report, progress)?.finish()?;
    finish(job, report, progress)
}

fn write_animx(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let mut format = AnimX::default();
    let own_duration = format.write_own_tracks(job, &mut report);
    if own_duration.is_none() {
        format = write_tracks(job, AnimX::default(), &mut report, progress)?;
    }
    let duration = own_duration.unwrap_or(job.to - job.from);
    format.finish(job, duration, out, &mut report)?;
    finish(job, report, progress)
}

fn write_tracks<F: TrackFormat>(
    job: &Job<'_>,
    format: F,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<F, ExportError> {
    job.report_start(report);
    let mut animation = AnimationWriter::new(format);
    match job.clip.format {
        FormatId::ANIMJ | FormatId::ANIMX if job.clip.procedural.is_none() => {
            native::write(job, &mut animation, report, progress)?;
        }
        _ => baked::write(job, &mut animation, report, progress)?,
    }
    animation.report(report);
    Ok(animation.format)
}

fn finish(
    job: &Job<'_>,
    mut report: Report,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    progress.report_progress(1, 1)?;
    job.report_events(&mut report);
    Ok(report)
}
