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

use std::ops::ControlFlow;

use self::{
    report::Report,
    series::{Series, SeriesKind},
};
use crate::{
    clip::{Clip, Track, TrackId},
    diagnostics::{Diagnostic, Severity, Topic},
    io::parallel::map_all_in_order,
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

/// The function of a check. It runs once for each series or track, so that several threads can share
/// the work. A cheap check runs once for the whole clip.
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

    /// Returns the number of pieces of work: each series, each track, and the whole clip.
    fn piece_count(&self) -> usize {
        self.series.len() + self.clip.tracks.len() + 1
    }

    /// Runs a check on one piece. `None` if the check does not examine such pieces.
    fn run_check(&self, piece: usize, check: &'static Check) -> Option<Report<'a>> {
        let mut report = Report::new(self.clip, check);
        let tracks = self.series.len()..self.series.len() + self.clip.tracks.len();
        match (&check.function, self.series.get(piece)) {
            (CheckFn::EachSeries(function), Some(series)) => function(series, &mut report),
            (CheckFn::EachRotation(function), Some(series))
                if matches!(series.kind, SeriesKind::Rotation { .. }) =>
            {
                function(series, &mut report);
            }
            (CheckFn::EachTrack(function), None) if tracks.contains(&piece) => {
                let id = TrackId::new(piece - tracks.start);
                function(id, self.clip.track(id), &mut report);
            }
            (CheckFn::WholeClip(function), None) if piece == tracks.end => {
                function(self, &mut report);
            }
            _ => return None,
        }
        Some(report)
    }
}

/// Returns all diagnostics of `clip`: those of the checks and those of the decoder. They are sorted
/// by time, and those without a time come first. If a check and the decoder report the same topic,
/// only the diagnostics of the check are listed, with the higher severity.
pub fn check_clip(clip: &Clip) -> Vec<ClipDiagnostic> {
    let mut run = CheckRun::new(clip);
    run.run_on_all_threads();
    run.finish()
}

/// A resumable run of [`check_clip`], for a thread that also has other work. Each step runs one
/// check on one series, on one track or on the whole clip.
#[derive(Debug)]
pub struct CheckRun<'a> {
    input: CheckInput<'a>,
    reports: Vec<Report<'a>>,
    next_piece: usize,
    next_report: usize,
}

impl<'a> CheckRun<'a> {
    /// Creates a run of all checks on `clip`, before the first step.
    pub fn new(clip: &'a Clip) -> Self {
        Self::of_checks(clip, |_| true)
    }

    fn of_checks(clip: &'a Clip, is_needed: impl Fn(&Check) -> bool) -> Self {
        let needed = CHECKS.iter().filter(|check| is_needed(check));
        let reports = needed.map(|check| Report::new(clip, check)).collect();
        Self { input: CheckInput::new(clip), reports, next_piece: 0, next_report: 0 }
    }

    /// Performs the next step, or returns `Break` if all checks have ended.
    pub fn step(&mut self) -> ControlFlow<()> {
        while self.next_piece < self.input.piece_count() {
            let Some(report) = self.reports.get_mut(self.next_report) else {
                (self.next_piece, self.next_report) = (self.next_piece + 1, 0);
                continue;
            };
            self.next_report += 1;
            if let Some(found) = self.input.run_check(self.next_piece, report.check()) {
                report.append(found);
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }

    /// Runs all checks on all threads, instead of step by step. The diagnostics are the same.
    fn run_on_all_threads(&mut self) {
        let Self { input, reports, .. } = self;
        let checks: Vec<_> = reports.iter().map(Report::check).collect();
        let run_piece = |piece: usize| -> Vec<_> {
            checks.iter().map(|check| input.run_check(piece, check)).collect()
        };
        map_all_in_order(input.piece_count(), run_piece, |found| {
            for (report, found) in reports.iter_mut().zip(found) {
                found.into_iter().for_each(|found| report.append(found));
            }
        });
    }

    /// Returns the diagnostics of the steps so far, and those of the decoder, sorted by time.
    pub fn finish(self) -> Vec<ClipDiagnostic> {
        let clip = self.input.clip;
        let mut all = Vec::new();
        // The decoder's diagnostics of these topics are left out, because they have no keys.
        let mut located_topics = Vec::new();
        for CheckResult { topic, decoder_severity, mut diagnostics } in self.into_results() {
            if !diagnostics.is_empty() {
                located_topics.push(topic);
            }
            for diagnostic in &mut diagnostics {
                let own = diagnostic.severity;
                diagnostic.severity = decoder_severity.map_or(own, |severity| severity.max(own));
            }
            all.append(&mut diagnostics);
        }
        let is_located = |diagnostic: &&Diagnostic| {
            diagnostic.code.topic().is_some_and(|topic| located_topics.contains(&topic))
        };
        let others = clip.diagnostics.iter().filter(|diagnostic| !is_located(diagnostic));
        all.extend(clip_diagnostic::from_decoder(clip, others));
        sort_by_time(&mut all);
        all
    }

    fn into_results(self) -> impl Iterator<Item = CheckResult> {
        let clip = self.input.clip;
        self.reports.into_iter().map(|report| {
            let topic = report.check().topic;
            let same_topic =
                clip.diagnostics.iter().filter(|diagnostic| diagnostic.code.topic() == Some(topic));
            let decoder_severity = same_topic.map(|diagnostic| diagnostic.severity).max();
            CheckResult { topic, decoder_severity, diagnostics: report.finish() }
        })
    }
}

struct CheckResult {
    topic: Topic,
    /// The highest severity of the topic that the decoder has reported.
    decoder_severity: Option<Severity>,
    diagnostics: Vec<ClipDiagnostic>,
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
    let mut run = CheckRun::of_checks(clip, is_needed);
    run.run_on_all_threads();
    run.into_results()
        .filter(|result| result.decoder_severity.is_none())
        .flat_map(|result| result.diagnostics)
        .collect()
}

fn sort_by_time(diagnostics: &mut [ClipDiagnostic]) {
    let time = |diagnostic: &ClipDiagnostic| diagnostic.time.unwrap_or(f64::NEG_INFINITY);
    diagnostics.sort_by(|a, b| time(a).total_cmp(&time(b)));
}

impl Clip {
    fn tracks_with_ids(&self) -> impl Iterator<Item = (TrackId, &Track)> {
        (0..self.tracks.len()).map(TrackId::new).zip(&self.tracks)
    }
}
