//! Maya's animation curves as text: what its plug-in animImportExport reads.
//!
//! A recording of Maya's own is written as it is, curve by curve; of any other, what its nodes do
//! becomes curves of translate, rotate, scale and visibility, in centimetres and degrees.

mod made;
mod own;
mod text;
mod tree;

use std::io::Write;

use super::{ExportError, Job, Report, Target, watch::Watch};
use crate::formats::FormatId;

/// Curves of attributes, as text.
pub(super) const TARGET: Target =
    Target { extension: "anim", name: "Maya animation curves", write };

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    match job.clip.format {
        FormatId::MAYA => own::write(job, out, &mut report, watch)?,
        _ => made::write(job, out, &mut report, watch)?,
    }
    watch.at(1, 1)?;
    if job.clip.skeleton.attached().is_some() {
        report.info("the skeleton's rest pose has no place in it: only what moves");
    }
    job.report_events(&mut report);
    Ok(report)
}
