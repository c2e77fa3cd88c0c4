//! Resonite's AnimJ: tracks of slot fields, which are identified by names.
//!
//! A recording from Resonite is written track by track, without changes. For any other recording,
//! the motion of the nodes becomes tracks of `Position`, `Rotation`, `Scale` and `Active`.

mod baked;
mod cut;
mod native;
mod text;

use std::io::Write;

use super::{ExportError, ExportTarget, Job, Progress, Report};
use crate::formats::FormatId;

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("animj", "Resonite AnimJ", "animj", write);

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    job.report_start(&mut report);
    let mut animation = text::AnimationWriter::begin(job.title, job.to - job.from, out)?;
    match job.clip.format {
        FormatId::ANIMJ | FormatId::ANIMX => {
            native::write(job, &mut animation, &mut report, progress)?
        }
        _ => baked::write(job, &mut animation, &mut report, progress)?,
    }
    animation.finish(&mut report)?;
    progress.report_progress(1, 1)?;
    job.report_events(&mut report);
    Ok(report)
}
