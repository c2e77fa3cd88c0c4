//! Pages: recordings on one clock, and what is shown of them first.

use std::io::Write;

use mutoscope_core::{
    clip::Clip,
    export::{ExportError, ExportOptions, ExportTarget, Job, Progress, Report, Watch},
};
use serde::Serialize;

use crate::{Bounds, Pack, html};

/// A page that plays, within [`Bounds::DEFAULT`].
pub(crate) const TARGET: ExportTarget =
    ExportTarget::of_motion("html", "Web page", "html", |job, out, watch| {
        write_job(job, Some(Bounds::DEFAULT), out, watch)
    });

/// The same with every key in double precision.
pub(crate) const EXACT: ExportTarget =
    ExportTarget::of_motion("html-exact", "Web page, exact", "html", |job, out, watch| {
        write_job(job, None, out, watch)
    });

/// The bounds within which `target` writes pages, which are none for every key in double precision; nothing if it
/// writes other files.
pub fn bounds_of(target: &ExportTarget) -> Option<Option<Bounds>> {
    match target.id {
        id if id == TARGET.id => Some(Some(Bounds::DEFAULT)),
        id if id == EXACT.id => Some(None),
        _ => None,
    }
}

fn write_job(
    job: &Job<'_>,
    bounds: Option<Bounds>,
    out: &mut dyn Write,
    watch: &mut Watch<'_>,
) -> Result<Report, ExportError> {
    let options = ExportOptions {
        title: job.source.to_owned(),
        range: Some(job.from..=job.to),
        rate: job.rate,
    };
    let page =
        Page { bounds, ..Page::new(job.title, vec![PageRecording::new(job.clip, &options)]) };
    page.write_watched(out, watch)
}

/// A page of recordings on one clock.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// Its title.
    pub title: String,
    /// Its recordings; the first is the reference, A.
    pub recordings: Vec<PageRecording<'a>>,
    /// The first view.
    pub view: PageView,
    /// How far nodes may be off in the world; nothing for every key in double precision.
    pub bounds: Option<Bounds>,
}

/// A recording of a page.
#[derive(Clone, Debug)]
pub struct PageRecording<'a> {
    /// The recording.
    pub clip: &'a Clip,
    /// Its name where the clip has none, its range and its sampling.
    pub options: &'a ExportOptions,
    /// When its second 0 is on the clock of the page, in seconds.
    pub offset: f64,
    /// How many of its seconds pass in one of the clock; more than 0.
    pub rate: f64,
    /// The colour that it is drawn in, red, green and blue in sRGB; nothing for its own colours.
    pub tint: Option<[u8; 3]>,
}

impl<'a> PageRecording<'a> {
    /// A recording at its own time and in its own colours.
    pub fn new(clip: &'a Clip, options: &'a ExportOptions) -> Self {
        Self { clip, options, offset: 0.0, rate: 1.0, tint: None }
    }

    /// Its name: its own, or else that of its file.
    pub(crate) fn name(&self) -> String {
        if self.clip.name.is_empty() { self.options.title.clone() } else { self.clip.name.clone() }
    }
}

/// The first view of a page.
#[derive(Clone, Debug, Serialize)]
pub struct PageView {
    /// The time on the clock, in seconds; the start if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// The in point and the out point on the clock, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// The selected node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<Selected>,
    /// The camera; one that sees everything if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<PageCamera>,
    /// The playback rate.
    pub speed: f64,
    /// Whether it plays as soon as it is open. Where the reader prefers reduced motion, it does not.
    pub autoplay: bool,
    /// Whether it starts over at the end.
    #[serde(rename = "loop")]
    pub loops: bool,
}

impl Default for PageView {
    /// From the start, playing over and over.
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

/// A node of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Selected {
    /// The recording by its index.
    pub recording: usize,
    /// The node by its index.
    pub node: usize,
}

/// A camera that looks at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PageCamera {
    /// The point, in metres.
    pub target: [f64; 3],
    /// Where it is around the point, in degrees about Y: 0 is on the side of +Z.
    pub yaw: f64,
    /// How far above the point it is, in degrees.
    pub pitch: f64,
    /// Its distance from the point, in metres.
    pub distance: f64,
}

impl<'a> Page<'a> {
    /// A page of `recordings` that shows everything from the start, within [`Bounds::DEFAULT`].
    pub fn new(title: &str, recordings: Vec<PageRecording<'a>>) -> Self {
        let bounds = Some(Bounds::DEFAULT);
        Self { title: title.to_owned(), recordings, view: PageView::default(), bounds }
    }

    /// Writes the page, and reports progress to `progress`.
    ///
    /// # Errors
    /// If `progress` stops it, there are too many keys, or `out` cannot be written to.
    pub fn write(
        &self,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        self.write_watched(out, &mut Watch::new(progress))
    }

    /// Its recordings without the page and the player: what `<mutoscope-player>` takes as its source.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn pack(&self, progress: &mut Progress<'_>) -> Result<(Pack, Report), ExportError> {
        let mut report = Report::default();
        let pack = self.packed(&mut report, &mut Watch::new(progress))?;
        Ok((pack, report))
    }

    fn packed(&self, report: &mut Report, watch: &mut Watch<'_>) -> Result<Pack, ExportError> {
        Pack::new(&self.title, &self.view, &self.recordings, self.bounds, report, watch)
    }

    fn write_watched(
        &self,
        out: &mut dyn Write,
        watch: &mut Watch<'_>,
    ) -> Result<Report, ExportError> {
        /// From how many bytes on a page is large: it says so itself, and mail does not take it.
        const LARGE: usize = 20_000_000;
        let mut report = Report::default();
        let pack = self.packed(&mut report, watch)?;
        let size = html::write(self, &pack, out)?;
        let text = format!("a page of {:.2} MB", size as f64 / 1e6);
        if size > LARGE {
            report.warning(format!("{text}. --range chooses a part, --fps fewer samples"));
        } else {
            report.info(text);
        }
        watch.now_up_to(1.0);
        watch.at(1, 1)?;
        Ok(report)
    }
}
