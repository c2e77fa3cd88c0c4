//! Describes pages: recordings on a common clock, and the initial view.

use std::io::Write;

use mutoscope_core::{
    clip::{Clip, Content},
    export::{ExportError, ExportOptions, ExportTarget, Job, Progress, Report},
};
use serde::Serialize;

use crate::{Bounds, Pack, html};

const CONTENTS: &[Content] = &[
    Content::Motion,
    Content::Hierarchy,
    Content::Visibility,
    Content::Scales,
    Content::Signals,
    Content::Events,
    Content::Meshes,
    Content::MorphTargets,
];

pub(crate) const TARGET: ExportTarget =
    ExportTarget::for_motion("html", "Web page", "html", |job, out, progress| {
        write_job(job, Some(Bounds::DEFAULT), out, progress)
    })
    .keeping(CONTENTS);

pub(crate) const EXACT_TARGET: ExportTarget =
    ExportTarget::for_motion("html-exact", "Web page, exact", "html", |job, out, progress| {
        write_job(job, None, out, progress)
    })
    .keeping(CONTENTS);

/// Returns the bounds of the pages that `target` writes. The inner `None` is the exact target,
/// which keeps every key in double precision; the outer `None` means that `target` does not write
/// pages.
pub fn bounds_for_target(target: &ExportTarget) -> Option<Option<Bounds>> {
    match target.id {
        id if id == TARGET.id => Some(Some(Bounds::DEFAULT)),
        id if id == EXACT_TARGET.id => Some(None),
        _ => None,
    }
}

fn write_job(
    job: &Job<'_>,
    bounds: Option<Bounds>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    // The clip of the job has the changed motion and the measured signals already.
    let options = ExportOptions {
        title: job.source.to_owned(),
        range: Some(job.from..=job.to),
        rate: job.rate,
        settings: job.settings.clone(),
        ..ExportOptions::default()
    };
    let page =
        Page { bounds, ..Page::new(job.title, vec![PageRecording::new(job.clip, &options)]) };
    page.write(out, progress)
}

/// A page of recordings on a common clock.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// The title of the page.
    pub title: String,
    /// The recordings. The first is the reference, A.
    pub recordings: Vec<PageRecording<'a>>,
    /// The initial view.
    pub view: PageView,
    /// The largest errors of nodes in world space. `None` keeps every key in double precision.
    pub bounds: Option<Bounds>,
}

/// A recording of a page.
#[derive(Clone, Debug)]
pub struct PageRecording<'a> {
    /// The decoded recording.
    pub clip: &'a Clip,
    /// The name to use if the clip has none, the range to write, and the sampling rate.
    pub options: &'a ExportOptions,
    /// The clock time at which clip time 0 plays, in seconds.
    pub offset: f64,
    /// The number of seconds of the clip that play in one second of the clock; above 0.
    pub rate: f64,
    /// The colour in which the recording is drawn, as sRGB red, green and blue. `None` keeps its
    /// own colours.
    pub tint: Option<[u8; 3]>,
}

impl<'a> PageRecording<'a> {
    /// Creates a page recording that starts at clock time 0, at the rate 1, in its own colours.
    pub fn new(clip: &'a Clip, options: &'a ExportOptions) -> Self {
        Self { clip, options, offset: 0.0, rate: 1.0, tint: None }
    }

    pub(crate) fn display_name(&self) -> String {
        if self.clip.name.is_empty() { self.options.title.clone() } else { self.clip.name.clone() }
    }
}

/// The initial view of a page.
#[derive(Clone, Debug, Serialize)]
pub struct PageView {
    /// The clock time in seconds. `None` is the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// The in point and the out point on the clock, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// The selected node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<SelectedNode>,
    /// The camera. `None` frames everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<PageCamera>,
    /// The playback rate.
    pub speed: f64,
    /// `true` starts to play as soon as the page is open, unless the reader prefers reduced motion.
    pub autoplay: bool,
    /// `true` repeats from the start at the end.
    #[serde(rename = "loop")]
    pub loops: bool,
}

impl Default for PageView {
    fn default() -> Self {
        Self {
            at: None,
            range: None,
            selected: None,
            camera: None,
            speed: 1.0,
            autoplay: true,
            loops: true,
        }
    }
}

/// A reference to a node of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SelectedNode {
    /// The index of the recording.
    pub recording: usize,
    /// The index of the node.
    pub node: usize,
}

/// A camera that orbits a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PageCamera {
    /// The point, in metres.
    pub target: [f64; 3],
    /// The angle of the camera about the Y axis, in degrees. 0 looks from +Z.
    pub yaw: f64,
    /// The angle of the camera above the point, in degrees.
    pub pitch: f64,
    /// The distance of the camera from the point, in metres.
    pub distance: f64,
}

impl<'a> Page<'a> {
    /// Creates a page that shows everything from the start, within [`Bounds::DEFAULT`].
    pub fn new(title: &str, recordings: Vec<PageRecording<'a>>) -> Self {
        let bounds = Some(Bounds::DEFAULT);
        Self { title: title.to_owned(), recordings, view: PageView::default(), bounds }
    }

    /// Packs the recordings without the page and the player, as a source for `<mutoscope-player>`.
    ///
    /// # Errors
    /// Returns an error if `progress` cancels, or if there are too many keys.
    pub fn pack(&self, progress: &mut Progress<'_>) -> Result<(Pack, Report), ExportError> {
        let mut report = Report::default();
        let pack = self.pack_recordings(&mut report, progress)?;
        Ok((pack, report))
    }

    fn pack_recordings(
        &self,
        report: &mut Report,
        progress: &mut Progress<'_>,
    ) -> Result<Pack, ExportError> {
        Pack::new(&self.title, &self.view, &self.recordings, self.bounds, report, progress)
    }

    /// Writes the page and reports progress to `progress`.
    ///
    /// # Errors
    /// Returns an error if `progress` cancels, if there are too many keys, or if writing to `out`
    /// fails.
    pub fn write(
        &self,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        /// The size above which a page gets a warning, because mail servers reject large
        /// attachments.
        const LARGE_PAGE_BYTES: usize = 20_000_000;
        let mut report = Report::default();
        let pack = self.pack_recordings(&mut report, progress)?;
        let size = html::write(self, &pack, out)?;
        let text = format!("a page of {:.2} MB", size as f64 / 1e6);
        if size > LARGE_PAGE_BYTES {
            report.warning(format!(
                "{text}. Export a part with --range, or fewer samples with --fps"
            ));
        } else {
            report.info(text);
        }
        progress.begin_phase(1.0);
        progress.report_progress(1, 1)?;
        Ok(report)
    }
}
