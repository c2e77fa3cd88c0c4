//! Resonite's AnimJ: tracks of fields of slots, which are known by their names.
//!
//! A recording of Resonite's own is written as it is; of any other, the motion of its nodes becomes
//! tracks of `Position`, `Rotation`, `Scale` and `Active`.

mod baked;
mod cut;
mod native;
mod text;

use std::io::Write;

use super::{ExportError, ExportTarget, Job, Report, watch::Watch};
use crate::formats::FormatId;

/// Tracks of fields of slots, as JSON.
pub(super) const TARGET: ExportTarget =
    ExportTarget::of_motion("animj", "Resonite AnimJ", "animj", write);

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    job.report_start(&mut report);
    let mut animation = text::Animation::begin(job.title, job.to - job.from, out)?;
    match job.clip.format {
        FormatId::ANIMJ | FormatId::ANIMX => {
            native::write(job, &mut animation, &mut report, watch)?
        }
        _ => baked::write(job, &mut animation, &mut report, watch)?,
    }
    animation.end(&mut report)?;
    watch.at(1, 1)?;
    job.report_events(&mut report);
    Ok(report)
}
