//! Exports clips for other tools.
//!
//! A target is one folder or file here and one row of [`Targets`].
//! Targets never import each other. Each target writes what it can
//! of a clip and lists in a [`Report`] what it kept, approximated and lost. `docs/export.md`
//! describes the losses of each target.
//!
//! | file | what it does |
//! |---|---|
//! | `targets` | the targets that a program knows |
//! | `motion_options`, `adjust` | the options that change the motion, applied before a target sees it |
//! | `options` | the options of single targets, as data |
//! | `target`, `video` | the types of the registry's rows; the video formats, which other crates render |
//! | `fbx`, `csv`, `anim`, `bvh`, `mrtk`, `prime` | one target each |
//! | `glb` | two targets of the same container: GLB and VRM animation |
//! | `resonite` | two targets with the same content: AnimJ and AnimX |
//! | `file`, `inputs` | writes output files atomically; refuses to overwrite input files |
//! | `key_times`, `tracer`, `keyed_curve`, `node_motion`, `motions` | converts curves of any kind to linear and held keys |
//! | `figures` | does the same for the parts of figures |
//! | `geometry`, `images` | the rules of meshes and images that several targets share |
//! | `thinning` | removes keys that interpolation restores within given bounds |
//! | `linear_keys` | converts held keys to linear ones, with f32 times |
//! | `traced` | offers traced motion to targets of other crates |
//! | `time_steps` | the precision of the key times that a target stores |
//! | `budget` | limits the number of evaluations while tracing |
//! | `metadata` | metadata of a recording and its export |
//! | `signals`, `euler` | signals as numbers or states; rotations as unwrapped Euler angles |
//! | `origin` | the origin that is subtracted where f32 would be too coarse |
//! | `names` | makes names valid and unique for a target |
//! | `table`, `components` | writes rows of cells; splits values into components |
//! | `decimal` | writes numbers in decimal digits |
//! | `report`, `error`, `codes` | the report after an export; the reasons why an export fails; their codes |

mod adjust;
mod anim;
mod budget;
mod bvh;
mod codes;
pub mod components;
mod csv;
mod decimal;
mod error;
mod euler;
mod fbx;
mod figures;
mod file;
mod geometry;
mod glb;
mod images;
mod inputs;
pub mod key_times;
mod keyed_curve;
mod linear_keys;
mod metadata;
mod motion_options;
mod motions;
mod mrtk;
pub mod names;
mod node_motion;
mod options;
mod origin;
mod prime;
mod report;
mod resonite;
mod signals;
pub mod table;
mod target;
mod targets;
mod thinning;
mod time_steps;
pub mod traced;
mod tracer;
mod video;

pub use crate::io::progress::{Cancelled, Progress};
pub use error::ExportError;
pub use file::{resolve_links, write_atomically, write_file, write_files};
pub use inputs::{InputFiles, OverwriteError};
pub use motion_options::{FileAxis, InPlace, MotionOptions, ParseRestPoseError, RestPose};
pub use options::{OptionKind, OptionValue, TargetOption, TargetSettings};
pub use report::{Remark, Report};
pub use target::{ExportOptions, ExportOutput, ExportTarget, MotionWriter, SideTable, WriteMotion};
pub use targets::Targets;
pub use time_steps::TimeSteps;
pub use video::{VIDEO_TARGETS, VideoFormat};

use std::{collections::BTreeSet, path::Path, sync::Arc};

/// The codes of the diagnostics of exports.
pub const CODES: &[&[crate::diagnostics::Code]] = &[codes::CODES];

use crate::clip::{Clip, Event, single_precision_error_s};
use crate::diagnostics::format_count;

static BUILT_IN: [ExportTarget; 10] = [
    glb::TARGET,
    glb::VRMA,
    fbx::TARGET,
    csv::TARGET,
    resonite::ANIMJ,
    resonite::ANIMX,
    anim::TARGET,
    bvh::TARGET,
    mrtk::TARGET,
    prime::TARGET,
];

/// An export job: the recording, the range and the sampling of one export.
pub struct Job<'a> {
    /// The recording.
    pub clip: &'a Clip,
    /// The title: the clip's own name, or the name of its source if it has none.
    pub title: &'a str,
    /// The name of the source.
    pub source: &'a str,
    /// The start of the range, in seconds of [`Self::clip`], whose speed may differ from the recording.
    pub from: f64,
    /// The end of the range, in seconds. Never before the start.
    pub to: f64,
    /// The sampling rate in Hz. `None` keeps the recording's own keys.
    pub rate: Option<f64>,
    /// The options that changed the motion. The clip has the changed motion.
    pub motion: &'a MotionOptions,
    /// The options that only some targets have.
    pub settings: &'a TargetSettings,
    /// Further animations of the same nodes, without the options that change the motion.
    pub takes: &'a [Arc<Clip>],
    /// The minimum distance between inserted keys, in seconds.
    pub min_key_gap: f64,
    /// The distances between jumps and the keys that are inserted beside them.
    pub time_steps: TimeSteps,
    /// The path of the file that is written. A target may put temporary files into its folder. `None`
    /// if there is no file, or no file system.
    pub path: Option<&'a Path>,
}

impl Job<'_> {
    /// Reports which time of the recording becomes time 0 of the file. Reports nothing if that time
    /// is 0.
    pub fn report_start(&self, report: &mut Report) {
        if self.from != 0.0 {
            let start_s = self.from * self.motion.speed;
            report.info(format!("time 0 of the file is {start_s} s of the recording"));
        }
    }

    /// Returns the events within the range, each with its time in seconds. An event whose rounded
    /// time lies just outside of the range has the time of the border.
    pub fn events(&self) -> impl Iterator<Item = (f64, &Event)> {
        let is_at =
            |border: f64, time: f64| (border - time).abs() <= single_precision_error_s(border);
        self.clip.events.iter().filter_map(move |event| {
            let time = event.time.clamp(self.from, self.to);
            (time == event.time || is_at(time, event.time)).then_some((time, event))
        })
    }

    /// Returns `true` if the whole recording is written with its own keys.
    pub(crate) fn is_unchanged(&self) -> bool {
        let span = self.clip.span;
        self.rate.is_none() && (self.from, self.to) == (span.start, span.end())
    }

    /// Warns that the events within the range are skipped, because the target cannot hold events.
    pub fn report_events(&self, report: &mut Report) {
        let events = self.events().count();
        if events > 0 {
            report.warning(format!("{} skipped", format_count(events, "event")));
        }
    }

    /// Warns that all signals are skipped, because the target cannot hold signals.
    pub fn report_signals(&self, report: &mut Report) {
        self.report_signals_except(&BTreeSet::new(), report);
    }

    /// Warns that signals are skipped, except those whose indices are in `kept`.
    pub fn report_signals_except(&self, kept: &BTreeSet<usize>, report: &mut Report) {
        let signals = self.clip.signals.iter().enumerate();
        let lost = signals.filter(|(index, _)| !kept.contains(index));
        let names: Vec<_> = lost.map(|(_, signal)| format!("{:?}", signal.name)).collect();
        if !names.is_empty() {
            report.warning(format!("signals skipped: {}", list_names(&names)));
        }
    }
}

/// Lists the first six of `names`, followed by the number of the remaining names.
pub fn list_names(names: &[String]) -> String {
    const MAX_LISTED: usize = 6;
    let listed = names.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_LISTED) {
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
        assert_eq!(list_names(&names[..0]), "");
        assert_eq!(list_names(&names[..6]), "a, b, c, d, e, f");
        assert_eq!(list_names(&names), "a, b, c, d, e, f and 2 more");
    }
}
