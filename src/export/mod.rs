//! Taking a clip along into other tools.
//!
//! A target is one folder or file here and one row in [`TARGETS`]; targets never import each other.
//! Each writes what it can of a clip and tells in a [`Report`] what it kept, approximated and lost.
//! `docs/export.md` says so for each.
//!
//! | file | what it does |
//! |---|---|
//! | `glb`, `csv`, `animj`, `anim`, `bvh` | one target each |
//! | `mcmocap` | recordings of Minecraft written anew, from their own bytes |
//! | `file` | whole files or none |
//! | `breaks`, `tracer`, `course`, `motions` | from curves of any kind to keys between which nodes run straight or hold |
//! | `signals`, `turns` | signals as numbers or states; rotations as angles that turn on |
//! | `names` | names that a target can have |
//! | `table` | rows of cells |
//! | `report`, `watch` | what is told, afterwards and meanwhile |

mod anim;
mod animj;
mod breaks;
mod bvh;
mod course;
mod csv;
mod file;
mod glb;
mod mcmocap;
mod motions;
mod names;
mod report;
mod signals;
pub(crate) mod table;
mod tracer;
mod turns;
mod watch;

pub use file::write_file;
pub use mcmocap::{MCMOCAP_EXTENSION, rewrite_mcmocap, write_whole};
pub use report::{Remark, Report};
pub use watch::{ExportError, Progress};

use std::{io::Write, ops::RangeInclusive};

use crate::clip::Clip;
use report::counted;
use watch::Watch;

/// Every target.
pub static TARGETS: [Target; 5] =
    [glb::TARGET, csv::TARGET, animj::TARGET, anim::TARGET, bvh::TARGET];

/// Something a clip can be written as.
#[derive(Debug)]
pub struct Target {
    /// The extension of its files, which is also its word: `glb`.
    pub extension: &'static str,
    /// Its name as its users say it.
    pub name: &'static str,
    /// Writes a clip.
    write: fn(&Job<'_>, &mut dyn Write, &mut Watch<'_>) -> Result<Report, ExportError>,
}

/// What of a clip is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// What it is called where the clip itself has no name: that of its file.
    pub title: String,
    /// From when to when, in seconds; nothing for all of it.
    pub range: Option<RangeInclusive<f64>>,
    /// How many times a second it is sampled; nothing for the recording's own keys.
    pub rate: Option<f64>,
}

/// What is to be written.
struct Job<'a> {
    clip: &'a Clip,
    title: &'a str,
    from: f64,
    to: f64,
    rate: Option<f64>,
}

impl Target {
    /// The target whose files have this extension, in any case.
    pub fn of_extension(extension: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.extension.eq_ignore_ascii_case(extension))
    }

    /// Writes what is wanted of `clip` to `out`, and tells `progress` how far that is.
    ///
    /// What was written before an error is no whole file: [`write_file`] leaves none behind.
    ///
    /// # Errors
    /// If `progress` stops it, if it would come to too much, or if `out` cannot be written to.
    pub fn write(
        &self,
        clip: &Clip,
        wanted: &Wanted,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let (from, to) = wanted
            .range
            .clone()
            .map_or((clip.span.start, clip.span.end()), RangeInclusive::into_inner);
        let title = if clip.name.is_empty() { &wanted.title } else { &clip.name };
        let job = Job { clip, title, from, to: to.max(from), rate: wanted.rate };
        let report = (self.write)(&job, out, &mut Watch::new(progress))?;
        out.flush()?;
        Ok(report)
    }
}

impl Job<'_> {
    /// Says that its start is the target's time 0, where it is not so anyway.
    fn report_start(&self, report: &mut Report) {
        if self.from != 0.0 {
            report.info(format!("it begins at 0: {} s of the recording", self.from));
        }
    }

    /// Says that events have no place in the target.
    fn report_events(&self, report: &mut Report) {
        let events = self.clip.events.len();
        if events > 0 {
            report.warning(format!("{} left out", counted(events, "event")));
        }
    }

    /// Says that signals have no place in the target.
    fn report_signals(&self, report: &mut Report) {
        let names = self.clip.signals.iter().map(|signal| format!("{:?}", signal.name));
        let names: Vec<_> = names.collect();
        if !names.is_empty() {
            report.warning(format!("signals left out: {}", some_of(&names)));
        }
    }
}

/// The first of `names`, and how many more there are.
fn some_of(names: &[String]) -> String {
    /// How many names a message lists.
    const MOST: usize = 6;
    let listed = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
