//! Maya's animation curves as text, for Maya's plug-in animImportExport.
//!
//! A recording from Maya is written curve by curve, without changes. For any other recording, the
//! motion of the nodes becomes curves of translate, rotate, scale and visibility, in centimetres
//! and degrees.

mod baked;
mod native;
mod text;
mod tree;

use std::io::Write;

use super::{ExportError, ExportTarget, Job, Report, progress::ProgressScope};
use crate::formats::FormatId;

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("anim", "Maya animation curves", "anim", write);

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut ProgressScope<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    match job.clip.format {
        FormatId::MAYA => native::write(job, out, &mut report, progress)?,
        _ => baked::write(job, out, &mut report, progress)?,
    }
    progress.report_progress(1, 1)?;
    if job.clip.skeleton.attached().is_some() {
        report.info("the skeleton's rest pose is not written; the file has animated channels only");
    }
    if job.clip.nodes.is_empty() {
        report.warning("no node to animate; the file has no curves");
    }
    job.report_events(&mut report);
    Ok(report)
}
