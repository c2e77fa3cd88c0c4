//! Exporting clips for other tools.
//!
//! A target is one folder or file here and one row in [`TARGETS`]; targets never import each other.
//! Each writes what it can of a clip and lists in a [`Report`] what it kept, approximated and lost.
//! `docs/export.md` says so for each.
//!
//! | file | what it does |
//! |---|---|
//! | `target`, `video` | the rows of the table; the formats of videos, which are drawn elsewhere |
//! | `glb`, `csv`, `animj`, `anim`, `bvh` | one target each |
//! | `tables` | the targets Parquet and Arrow |
//! | `mcap` | the target MCAP |
//! | `mcmocap` | recordings of Minecraft rewritten, from their own bytes |
//! | `file`, `inputs` | files that are complete or absent; inputs are never overwritten |
//! | `breaks`, `tracer`, `keyed_curve`, `node_motion`, `motions` | from curves of any kind to keys that are linear or held |
//! | `figures` | the same for the parts of figures |
//! | `effort` | the limit of the work for that |
//! | `facts` | metadata of a recording and its export |
//! | `signals`, `turns` | signals as numbers or states; rotations as angles that turn on |
//! | `origin` | the origin that is subtracted where single precision is too coarse |
//! | `names` | names that a target can have |
//! | `table`, `components` | rows of cells; values of several components |
//! | `report`, `watch` | the report afterwards, and the progress meanwhile |

mod anim;
mod animj;
mod breaks;
mod bvh;
mod components;
mod csv;
mod effort;
#[cfg(not(target_family = "wasm"))]
mod facts;
mod figures;
mod file;
mod glb;
mod inputs;
mod keyed_curve;
#[cfg(not(target_family = "wasm"))]
mod mcap;
mod mcmocap;
mod motions;
mod names;
mod node_motion;
mod origin;
mod report;
mod signals;
pub(crate) mod table;
#[cfg(not(target_family = "wasm"))]
mod tables;
mod target;
mod tracer;
mod turns;
mod video;
mod watch;

#[cfg(feature = "viewer")]
pub(crate) use file::real;
pub use file::{write_file, write_files};
pub use inputs::InputFiles;
pub use mcmocap::{MCMOCAP_EXTENSION, rewrite_mcmocap, write_whole};
pub use names::unique_names;
pub use report::{Remark, Report};
pub use target::{ExportOptions, ExportOutput, ExportTarget, MotionWriter};
pub use video::VideoFormat;
pub use watch::{ExportError, Progress};

use crate::clip::Clip;
pub(crate) use report::counted;

/// Every target. A browser has no ffmpeg, and downloads a folder of images as one file.
pub static TARGETS: &[ExportTarget] = &[
    glb::TARGET,
    csv::TARGET,
    animj::TARGET,
    anim::TARGET,
    bvh::TARGET,
    #[cfg(not(target_family = "wasm"))]
    tables::PARQUET,
    #[cfg(not(target_family = "wasm"))]
    tables::ARROW,
    #[cfg(not(target_family = "wasm"))]
    mcap::TARGET,
    ExportTarget::of_video("gif", "animated GIF", "gif", VideoFormat::Gif),
    #[cfg(not(target_family = "wasm"))]
    ExportTarget::of_video("mp4", "MP4 video, needs ffmpeg", "mp4", VideoFormat::Mp4),
    ExportTarget::of_video("png-sequence", "PNG sequence", FRAMES, VideoFormat::PngSequence),
];

/// What the name of a PNG sequence ends with: of a folder, or of what a browser downloads.
const FRAMES: &str = if cfg!(target_family = "wasm") { "zip" } else { "frames" };

/// The export job.
struct Job<'a> {
    clip: &'a Clip,
    /// What it is called: by its own name, or else as its source.
    title: &'a str,
    /// What its source is called.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "tables say it"))]
    source: &'a str,
    from: f64,
    to: f64,
    rate: Option<f64>,
}

impl Job<'_> {
    /// Reports that its start is the target's time 0, where it was not 0 already.
    fn report_start(&self, report: &mut Report) {
        if self.from != 0.0 {
            report.info(format!("it begins at 0: {} s of the recording", self.from));
        }
    }

    /// Says that the events within the range have no place in the target.
    fn report_events(&self, report: &mut Report) {
        let range = self.from..=self.to;
        let events = self.clip.events.iter().filter(|event| range.contains(&event.time)).count();
        if events > 0 {
            report.warning(format!("{} skipped", counted(events, "event")));
        }
    }

    /// Says that signals have no place in the target.
    fn report_signals(&self, report: &mut Report) {
        let names = self.clip.signals.iter().map(|signal| format!("{:?}", signal.name));
        let names: Vec<_> = names.collect();
        if !names.is_empty() {
            report.warning(format!("signals skipped: {}", some_of(&names)));
        }
    }
}

/// The first of `names`, and how many more there are.
pub(crate) fn some_of(names: &[String]) -> String {
    /// How many names a message lists.
    const MOST: usize = 6;
    let listed = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_name_lists_show_six_and_a_count() {
        let names: Vec<String> = ('a'..='h').map(String::from).collect();
        assert_eq!(some_of(&names[..0]), "");
        assert_eq!(some_of(&names[..6]), "a, b, c, d, e, f");
        assert_eq!(some_of(&names), "a, b, c, d, e, f and 2 more");
    }
}
