//! Exporting clips for other tools.
//!
//! A target is one folder or file here and one row of the registry: [`targets`]. Targets never import each
//! other. Other crates [`register`] rows of their own.
//! Each writes what it can of a clip and lists in a [`Report`] what it kept, approximated and lost.
//! `docs/export.md` says so for each.
//!
//! | file | what it does |
//! |---|---|
//! | `target`, `video` | the rows of the table; the formats of videos, which are drawn elsewhere |
//! | `glb`, `csv`, `animj`, `anim`, `bvh` | one target each |
//! | `registry` | the rows of this crate, and those of others |
//! | `file`, `inputs` | files that are complete or absent; inputs are never overwritten |
//! | `breaks`, `tracer`, `keyed_curve`, `node_motion`, `motions` | from curves of any kind to keys that are linear or held |
//! | `figures` | the same for the parts of figures |
//! | `traced` | the same for targets of other crates |
//! | `effort` | the limit of the work for that |
//! | `facts` | metadata of a recording and its export |
//! | `signals`, `turns` | signals as numbers or states; rotations as angles that turn on |
//! | `origin` | the origin that is subtracted where single precision is too coarse |
//! | `names` | names that a target can have |
//! | `table`, `components` | rows of cells; values of several components |
//! | `report`, `watch` | the report afterwards, and the progress meanwhile |

mod anim;
mod animj;
pub mod breaks;
mod bvh;
pub mod components;
mod csv;
mod effort;
mod facts;
mod figures;
mod file;
mod glb;
mod inputs;
mod keyed_curve;
mod motions;
pub mod names;
mod node_motion;
mod origin;
mod registry;
mod report;
mod signals;
pub mod table;
mod target;
pub mod traced;
mod tracer;
mod turns;
mod video;
mod watch;

pub use file::{real, write_file, write_files, write_whole};
pub use inputs::InputFiles;
pub use registry::{register, targets};
pub use report::{Remark, Report};
pub use target::{
    ExportOptions, ExportOutput, ExportTarget, MotionWriter, TableBeside, WriteMotion,
};
pub use video::{VIDEOS, VideoFormat};
pub use watch::{ExportError, Progress, Watch};

use std::collections::BTreeSet;

use crate::clip::Clip;
pub use report::counted;

/// The targets of this crate.
static BUILT_IN: [ExportTarget; 5] =
    [glb::TARGET, csv::TARGET, animj::TARGET, anim::TARGET, bvh::TARGET];

/// An export job: what of which recording is written.
pub struct Job<'a> {
    /// The recording.
    pub clip: &'a Clip,
    /// Its title: its own name, or else that of its source.
    pub title: &'a str,
    /// The name of its source.
    pub source: &'a str,
    /// The start of the range, in seconds.
    pub from: f64,
    /// The end of the range, in seconds; no less than the start.
    pub to: f64,
    /// How many times a second it is sampled; nothing for the recording's own keys.
    pub rate: Option<f64>,
    /// The shortest gap between keys that are inserted, in seconds.
    pub shortest: f64,
}

impl Job<'_> {
    /// Reports that its start is the target's time 0, where it was not 0 already.
    pub fn report_start(&self, report: &mut Report) {
        if self.from != 0.0 {
            report.info(format!("it begins at 0: {} s of the recording", self.from));
        }
    }

    /// Says that the events within the range have no place in the target.
    pub fn report_events(&self, report: &mut Report) {
        let range = self.from..=self.to;
        let events = self.clip.events.iter().filter(|event| range.contains(&event.time)).count();
        if events > 0 {
            report.warning(format!("{} skipped", counted(events, "event")));
        }
    }

    /// Says that signals have no place in the target.
    pub fn report_signals(&self, report: &mut Report) {
        self.report_signals_except(&BTreeSet::new(), report);
    }

    /// Says that signals have no place in the target, except for those whose indices are `kept`.
    pub fn report_signals_except(&self, kept: &BTreeSet<usize>, report: &mut Report) {
        let signals = self.clip.signals.iter().enumerate();
        let lost = signals.filter(|(index, _)| !kept.contains(index));
        let names: Vec<_> = lost.map(|(_, signal)| format!("{:?}", signal.name)).collect();
        if !names.is_empty() {
            report.warning(format!("signals skipped: {}", some_of(&names)));
        }
    }
}

/// The first of `names`, and how many more there are.
pub fn some_of(names: &[String]) -> String {
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
