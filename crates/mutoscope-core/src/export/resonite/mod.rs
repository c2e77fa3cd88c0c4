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
use super::{ExportError, ExportTarget, Job, Progress, Report, thinning};
use crate::clip::Content;
use crate::formats::FormatId;

pub(super) const ANIMJ: ExportTarget =
    ExportTarget::for_motion("animj", "Resonite AnimJ", "animj", write_animj)
        .keeping(&[Content::Motion, Content::Visibility, Content::Scales, Content::Signals])
        .keeping_unchanged(&[FormatId::ANIMJ, FormatId::ANIMX], &[Content::Tangents])
        .losing(&[FormatId::PRIME], &[Content::Scales])
        .with_options(&[thinning::OPTION]);

pub(super) const ANIMX: ExportTarget =
    ExportTarget::for_motion("animx", "Resonite AnimX", "animx", write_animx)
        .keeping(&[Content::Motion, Content::Visibility, Content::Scales, Content::Signals])
        .keeping_unchanged(&[FormatId::ANIMJ, FormatId::ANIMX], &[Content::Tangents])
        .losing(&[FormatId::PRIME], &[Content::Scales])
        .with_options(&[animx::COMPRESSION, thinning::OPTION]);

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
    let mut format = AnimX::begin(job)?;
    let own_duration = match job.thinning() {
        None => format.write_own_tracks(job, &mut report)?,
        Some(_) => None,
    };
    if own_duration.is_none() {
        format = write_tracks(job, format, &mut report, progress)?;
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
    // Thinned keys are not the file's own any more, so they are written as those of other formats.
    let is_own = job.clip.procedural.is_none() && job.thinning().is_none();
    match job.clip.format {
        FormatId::ANIMJ | FormatId::ANIMX if is_own => {
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
