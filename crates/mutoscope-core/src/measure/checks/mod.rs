//! Checks every clip, whatever its format, for implausible data.
//!
//! Decoders report diagnostics about data that they had to work around. The checks of [`CHECKS`]
//! examine the resulting clip in the order of time, and report diagnostics with time, node and key.
//! Broken data is a warning. Info is for events that also occur in good recordings, such as a lost
//! hand or a standstill.
//!
//! Each check reads the keys once, so that its time grows linearly with the number of keys.
//! Repeated diagnostics are only counted. The viewer lists the result of [`check_clip`]. The
//! command line adds the result of [`unreported_diagnostics`] to those of the decoder.
//!
//! | file | what it does |
//! |---|---|
//! | `non_finite.rs` | finds NaN and infinite values |
//! | `unsorted.rs` | finds keys that are not in the order of time |
//! | `same_time.rs` | finds several keys at one time |
//! | `zero_quaternion.rs`, `unit_length.rs` | finds quaternions of length 0, or of another length than 1 |
//! | `long_turn.rs` | finds more than half a turn from key to key |
//! | `jump.rs` | finds motion that is much faster than its surroundings |
//! | `standstill.rs` | finds equal keys between motion |
//! | `untracked.rs` | finds lost tracking or visibility |
//! | `early_end.rs` | finds keys that end before the recording |
//! | `series.rs` | groups components into vectors and rotations |
//! | `runs.rs` | finds runs of keys |
//! | `report.rs` | collects and counts diagnostics |
//! | `clip_diagnostic.rs` | the diagnostics themselves |

mod clip_diagnostic;
mod early_end;
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

pub use clip_diagnostic::ClipDiagnostic;

use std::{ops::ControlFlow, slice};

use self::{
    report::Report,
    series::{Series, SeriesKind},
};
use crate::{
    clip::{Clip, Track, TrackId},
    diagnostics::{Diagnostic, Severity, Topic},
};

/// A check: its topic, severity, rule and function.
#[derive(Debug)]
pub struct Check {
    /// The topic of its diagnostics.
    pub topic: Topic,
    /// The severity of its diagnostics.
    pub severity: Severity,
    /// The rule of the check, as text for users.
    pub rule: &'static str,
    function: CheckFn,
}

/// The function of a check. It runs once for each series or track, so that other work can run in
/// between. A cheap check runs once for the whole clip.
#[derive(Debug)]
enum CheckFn {
    EachSeries(fn(&Series<'_>, &mut Report<'_>)),
    EachRotation(fn(&Series<'_>, &mut Report<'_>)),
    EachTrack(fn(TrackId, &Track, &mut Report<'_>)),
    WholeClip(fn(&CheckInput<'_>, &mut Report<'_>)),
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

#[derive(Debug)]
struct CheckInput<'a> {
    clip: &'a Clip,
    series: Vec<Series<'a>>,
}

impl<'a> CheckInput<'a> {
    fn new(clip: &'a Clip) -> Self {
        Self { clip, series: series::all_series(clip) }
    }

    fn run_check(&self, piece: usize, check: &Check, report: &mut Report<'_>) -> ControlFlow<()> {
        match (&check.function, self.series.get(piece), self.clip.tracks.get(piece)) {
            (CheckFn::EachSeries(function), Some(series), _) => function(series, report),
            (CheckFn::EachRotation(function), Some(series), _) => {
                if matches!(series.kind, SeriesKind::Rotation { .. }) {
                    function(series, report);
                }
            }
            (CheckFn::EachTrack(function), _, Some(track)) => {
                function(TrackId::new(piece), track, report)
            }
            (CheckFn::WholeClip(function), ..) if piece == 0 => function(self, report),
            _ => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }
}

/// Returns all diagnostics of `clip`: those of the checks and those of the decoder. They are sorted
/// by time, and those without a time come first. If a check and the decoder report the same topic,
/// only the diagnostics of the check are listed, with the higher severity.
pub fn check_clip(clip: &Clip) -> Vec<ClipDiagnostic> {
    let mut run = CheckRun::new(clip);
    while run.step().is_continue() {}
    run.finish()
}

/// A resumable run of [`check_clip`], for a thread that also has other work. Each step runs one
/// check on one series, on one track or on the whole clip.
#[derive(Debug)]
pub struct CheckRun<'a> {
    input: CheckInput<'a>,
    checks: slice::Iter<'static, Check>,
    running: Option<RunningCheck<'a>>,
    diagnostics: Vec<ClipDiagnostic>,
    /// The topics for which checks found diagnostics. The decoder's diagnostics of these topics are
    /// left out, because they have no keys.
    located_topics: Vec<Topic>,
}

impl<'a> CheckRun<'a> {
    /// Creates a run of all checks on `clip`, before the first step.
    pub fn new(clip: &'a Clip) -> Self {
        Self {
            input: CheckInput::new(clip),
            checks: CHECKS.iter(),
            running: None,
            diagnostics: Vec::new(),
            located_topics: Vec::new(),
        }
    }

    /// Performs the next step, or returns `Break` if all checks have ended.
    pub fn step(&mut self) -> ControlFlow<()> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => match self.checks.next() {
                Some(check) => RunningCheck::new(self.input.clip, check),
                None => return ControlFlow::Break(()),
            },
        };
        match running.step(&self.input) {
            ControlFlow::Continue(()) => self.running = Some(running),
            ControlFlow::Break(()) => self.add_result(running.finish(self.input.clip)),
        }
        ControlFlow::Continue(())
    }

    fn add_result(&mut self, result: CheckResult) {
        let CheckResult { topic, decoder_severity, mut diagnostics } = result;
        if !diagnostics.is_empty() {
            self.located_topics.push(topic);
        }
        for diagnostic in &mut diagnostics {
            diagnostic.severity = decoder_severity
                .map_or(diagnostic.severity, |severity| severity.max(diagnostic.severity));
        }
        self.diagnostics.append(&mut diagnostics);
    }

    /// Returns the diagnostics of all checks that have ended, and those of the decoder, sorted by
    /// time.
    pub fn finish(mut self) -> Vec<ClipDiagnostic> {
        let clip = self.input.clip;
        let is_located = |diagnostic: &&Diagnostic| {
            diagnostic.code.topic().is_some_and(|topic| self.located_topics.contains(&topic))
        };
        let others = clip.diagnostics.iter().filter(|diagnostic| !is_located(diagnostic));
        self.diagnostics.extend(clip_diagnostic::from_decoder(clip, others));
        sort_by_time(&mut self.diagnostics);
        self.diagnostics
    }
}

/// Returns the diagnostics of the decoder of `clip`, without running checks.
pub fn decoder_diagnostics(clip: &Clip) -> Vec<ClipDiagnostic> {
    let mut diagnostics = clip_diagnostic::from_decoder(clip, clip.diagnostics.iter());
    sort_by_time(&mut diagnostics);
    diagnostics
}

/// Runs all checks. Returns the diagnostics of the checks whose topic the decoder of `clip` did not
/// report.
pub fn unreported_diagnostics(clip: &Clip) -> Vec<ClipDiagnostic> {
    unreported_diagnostics_of(clip, |_| true)
}

/// Returns the same as [`unreported_diagnostics`], but runs only the checks for which `is_needed`
/// returns `true`.
pub fn unreported_diagnostics_of(
    clip: &Clip,
    is_needed: impl Fn(&Check) -> bool,
) -> Vec<ClipDiagnostic> {
    let input = CheckInput::new(clip);
    let results = CHECKS.iter().filter(|check| is_needed(check)).map(|check| {
        let mut running = RunningCheck::new(clip, check);
        while running.step(&input).is_continue() {}
        running.finish(clip)
    });
    results
        .filter(|result| result.decoder_severity.is_none())
        .flat_map(|result| result.diagnostics)
        .collect()
}

fn sort_by_time(diagnostics: &mut [ClipDiagnostic]) {
    let time = |diagnostic: &ClipDiagnostic| diagnostic.time.unwrap_or(f64::NEG_INFINITY);
    diagnostics.sort_by(|a, b| time(a).total_cmp(&time(b)));
}

#[derive(Debug)]
struct RunningCheck<'a> {
    check: &'static Check,
    next_piece: usize,
    report: Report<'a>,
}

impl<'a> RunningCheck<'a> {
    fn new(clip: &'a Clip, check: &'static Check) -> Self {
        Self { check, next_piece: 0, report: Report::new(clip, check) }
    }

    fn step(&mut self, input: &CheckInput<'_>) -> ControlFlow<()> {
        self.next_piece += 1;
        input.run_check(self.next_piece - 1, self.check, &mut self.report)
    }

    fn finish(self, clip: &Clip) -> CheckResult {
        let topic = self.check.topic;
        let same_topic =
            clip.diagnostics.iter().filter(|diagnostic| diagnostic.code.topic() == Some(topic));
        let decoder_severity = same_topic.map(|diagnostic| diagnostic.severity).max();
        CheckResult { topic, decoder_severity, diagnostics: self.report.finish() }
    }
}

struct CheckResult {
    topic: Topic,
    decoder_severity: Option<Severity>,
    diagnostics: Vec<ClipDiagnostic>,
}

impl Clip {
    fn tracks_with_ids(&self) -> impl Iterator<Item = (TrackId, &Track)> {
        (0..self.tracks.len()).map(TrackId::new).zip(&self.tracks)
    }
}
