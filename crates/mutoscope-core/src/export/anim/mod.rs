//! Maya's animation curves as text: what its plug-in animImportExport reads.
//!
//! A recording of Maya's own is written as it is, curve by curve; of any other, the motion of its
//! nodes becomes curves of translate, rotate, scale and visibility, in centimetres and degrees.

mod baked;
mod native;
mod text;
mod tree;

use std::io::Write;

use super::{ExportError, ExportTarget, Job, Report, watch::Watch};
use crate::formats::FormatId;

/// Curves of attributes, as text.
pub(super) const TARGET: ExportTarget =
    ExportTarget::of_motion("anim", "Maya animation curves", "anim", write);

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    match job.clip.format {
        FormatId::MAYA => native::write(job, out, &mut report, watch)?,
        _ => baked::write(job, out, &mut report, watch)?,
    }
    watch.at(1, 1)?;
    if job.clip.skeleton.attached().is_some() {
        report.info("the skeleton's rest pose is not written; the file has animated channels only");
    }
    if job.clip.nodes.is_empty() {
        report.warning("no node to animate; the file has no curves");
    }
    job.report_events(&mut report);
    Ok(report)
}
