//! Checks that run on every clip, whatever its format: is the data plausible, and where not?
//!
//! Decoders report in their notices what they had to work around. The checks of [`CHECKS`] look at
//! the resulting clip, in the order of time, and report issues with time, node and key. Broken
//! data is a warning; what sound recordings have too (a lost hand, a standstill) is info.
//!
//! Each check goes once over the keys, so that a recording of millions takes no longer than reading
//! it; what comes too often is counted. [`all_issues`] is what the viewer lists, [`unreported_issues`]
//! what the command line adds to the notices.
//!
//! | file | what it looks for |
//! |---|---|
//! | `non_finite.rs` | NaN and infinite values |
//! | `unsorted.rs` | keys that are not in the order of time |
//! | `same_time.rs` | several keys at one time |
//! | `zero_quaternion.rs`, `unit_length.rs` | zero quaternions, and quaternions of another length than 1 |
//! | `long_turn.rs` | more than half a turn from key to key |
//! | `jump.rs` | motion far faster than around it |
//! | `standstill.rs` | equal keys amid motion |
//! | `untracked.rs` | tracking or visibility that is lost |
//! | `early_end.rs` | keys that end before the recording |
//! | `series.rs` | components that belong together: a vector, a rotation |
//! | `runs.rs` | keys in a row |
//! | `report.rs` | collecting and counting issues |

mod early_end;
mod issue;
mod jump;
mod long_turn;
mod non_finite;
mod report;
mod runs;
mod same_time;
mod series;
mod standstill;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod unit_length;
mod unsorted;
mod untracked;
mod zero_quaternion;

pub use issue::Issue;

use std::{ops::ControlFlow, slice};

use self::{
    report::Report,
    series::{Kind, Series},
};
use crate::{
    clip::{Clip, Track, TrackId},
    diagnostics::{Notice, Severity, Topic},
};

/// A check: its topic, and its function.
#[derive(Debug)]
pub struct Check {
    /// The kind of issue that it finds.
    pub topic: Topic,
    /// The severity of its issues.
    pub severity: Severity,
    /// Its rule, in one sentence.
    pub rule: &'static str,
    find: Find,
}

/// The function of a check, called per piece of the clip; or once, if that is little.
#[derive(Debug)]
enum Find {
    EachSeries(fn(&Series<'_>, &mut Report<'_>)),
    EachRotation(fn(&Series<'_>, &mut Report<'_>)),
    EachTrack(fn(TrackId, &Track, &mut Report<'_>)),
    WholeClip(fn(&Subject<'_>, &mut Report<'_>)),
}

/// All checks, in the order in which they run.
pub static CHECKS: [Check; 10] = [
    non_finite::CHECK,
    unsorted::CHECK,
    same_time::CHECK,
    zero_quaternion::CHECK,
    unit_length::CHECK,
    long_turn::CHECK,
    jump::CHECK,
    standstill::CHECK,
    untracked::CHECK,
    early_end::CHECK,
];

/// The input of checks: a clip, and its series.
#[derive(Debug)]
struct Subject<'a> {
    clip: &'a Clip,
    series: Vec<Series<'a>>,
}

impl<'a> Subject<'a> {
    /// The clip with its series.
    fn new(clip: &'a Clip) -> Self {
        Self { clip, series: series::of(clip) }
    }

    /// Runs `check` on the piece with this index, if there is one.
    fn run_on(&self, piece: usize, check: &Check, report: &mut Report<'_>) -> ControlFlow<()> {
        match (&check.find, self.series.get(piece), self.clip.tracks.get(piece)) {
            (Find::EachSeries(find), Some(series), _) => find(series, report),
            (Find::EachRotation(find), Some(series), _) => {
                if matches!(series.kind, Kind::Rotation { .. }) {
                    find(series, report);
                }
            }
            (Find::EachTrack(find), _, Some(track)) => find(TrackId::new(piece), track, report),
            (Find::WholeClip(find), ..) if piece == 0 => find(self, report),
            _ => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }
}

/// All issues in the data of `clip`, in the order of time, those without a time first: the issues
/// of the checks, and the notices of the decoder. What both report is listed once, with the place
/// of the check and the severity of the decoder.
pub fn all_issues(clip: &Clip) -> Vec<Issue> {
    let mut search = Search::new(clip);
    while search.step().is_continue() {}
    search.finish()
}

/// The work of [`all_issues`] in steps of one check on one track or vector, for a thread that has other
/// work as well.
#[derive(Debug)]
pub struct Search<'a> {
    subject: Subject<'a>,
    checks: slice::Iter<'static, Check>,
    running: Option<Running<'a>>,
    issues: Vec<Issue>,
    /// Topics that have a place in the data: the notices of the decoder add nothing to them.
    placed: Vec<Topic>,
}

impl<'a> Search<'a> {
    /// A search for issues in `clip`, before the first check.
    pub fn new(clip: &'a Clip) -> Self {
        Self {
            subject: Subject::new(clip),
            checks: CHECKS.iter(),
            running: None,
            issues: Vec::new(),
            placed: Vec::new(),
        }
    }

    /// Goes on, if there is anything left to do.
    pub fn step(&mut self) -> ControlFlow<()> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => match self.checks.next() {
                Some(check) => Running::new(self.subject.clip, check),
                None => return ControlFlow::Break(()),
            },
        };
        match running.step(&self.subject) {
            ControlFlow::Continue(()) => self.running = Some(running),
            ControlFlow::Break(()) => self.take(running.finish(self.subject.clip)),
        }
        ControlFlow::Continue(())
    }

    fn take(&mut self, found: Found) {
        let Found { topic, said, mut found } = found;
        if !found.is_empty() {
            self.placed.push(topic);
        }
        for issue in &mut found {
            issue.severity = said.map_or(issue.severity, |said| said.max(issue.severity));
        }
        self.issues.append(&mut found);
    }

    /// The issues of the checks that have ended, and the decoder's notices, in the order of time.
    pub fn finish(mut self) -> Vec<Issue> {
        let clip = self.subject.clip;
        let is_placed =
            |notice: &&Notice| notice.topic.is_some_and(|topic| self.placed.contains(&topic));
        let others = clip.notices.iter().filter(|notice| !is_placed(notice));
        self.issues.extend(issue::of_notices(clip, others));
        sort(&mut self.issues);
        self.issues
    }
}

/// The notices of the decoder of `clip` as issues, without running checks.
pub fn noticed(clip: &Clip) -> Vec<Issue> {
    let mut issues = issue::of_notices(clip, clip.notices.iter());
    sort(&mut issues);
    issues
}

/// The issues of the checks in `clip` that its decoder did not report, check by check.
pub fn unreported_issues(clip: &Clip) -> Vec<Issue> {
    let subject = Subject::new(clip);
    let found = CHECKS.iter().map(|check| {
        let mut running = Running::new(clip, check);
        while running.step(&subject).is_continue() {}
        running.finish(clip)
    });
    found.filter(|found| found.said.is_none()).flat_map(|found| found.found).collect()
}

/// Puts issues in the order of time, those without one first.
fn sort(issues: &mut [Issue]) {
    let when = |issue: &Issue| issue.time.unwrap_or(f64::NEG_INFINITY);
    issues.sort_by(|a, b| when(a).total_cmp(&when(b)));
}

/// A check under way.
#[derive(Debug)]
struct Running<'a> {
    check: &'static Check,
    /// How many pieces it has looked at.
    done: usize,
    report: Report<'a>,
}

impl<'a> Running<'a> {
    fn new(clip: &'a Clip, check: &'static Check) -> Self {
        Self { check, done: 0, report: Report::new(clip, check) }
    }

    /// Looks at the next piece, if there is one.
    fn step(&mut self, subject: &Subject<'_>) -> ControlFlow<()> {
        self.done += 1;
        subject.run_on(self.done - 1, self.check, &mut self.report)
    }

    fn finish(self, clip: &Clip) -> Found {
        let topic = self.check.topic;
        let about = clip.notices.iter().filter(|notice| notice.topic == Some(topic));
        let said = about.map(|notice| notice.severity).max();
        Found { topic, said, found: self.report.finish() }
    }
}

/// The issues of one check.
struct Found {
    topic: Topic,
    /// The severity that the decoder gives it, if it reported it.
    said: Option<Severity>,
    found: Vec<Issue>,
}

impl Clip {
    /// All tracks with their ids.
    fn tracks_with_ids(&self) -> impl Iterator<Item = (TrackId, &Track)> {
        (0..self.tracks.len()).map(TrackId::new).zip(&self.tracks)
    }
}
