//! Collects the diagnostics of a check, up to limits.

use std::ops::Range;

use super::{Check, ClipDiagnostic};
use crate::{
    clip::{Clip, KeyId, TrackId},
    diagnostics::{Severity, SourceLocation},
};

const MAX_PER_TRACK: usize = 10;

const MAX_PER_CHECK: usize = 1000;

const MAX_SEPARATE_TRACKS: usize = 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct KeySpan {
    pub(super) track: TrackId,
    pub(super) key: usize,
    pub(super) end: Option<f64>,
}

#[derive(Debug)]
pub(super) struct Report<'a> {
    clip: &'a Clip,
    check: &'static Check,
    findings: Vec<Finding>,
    current_track: Option<TrackCount>,
    dropped_count: usize,
}

#[derive(Debug)]
struct TrackCount {
    track: TrackId,
    count: usize,
    first_unlisted: Option<KeySpan>,
    last: KeySpan,
}

#[derive(Debug)]
struct Finding {
    span: KeySpan,
    time: f64,
    name: String,
    message: String,
}

impl KeySpan {
    pub(super) fn from_keys(track: TrackId, keys: &Range<usize>, times: &[f64]) -> Self {
        let end = (keys.len() > 1).then(|| times[keys.end - 1]);
        Self { track, key: keys.start, end }
    }

    pub(super) fn from_gap(track: TrackId, left: usize, times: &[f64]) -> Self {
        Self { track, key: left, end: Some(times[left + 1]) }
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(clip: &'a Clip, check: &'static Check) -> Self {
        Self { clip, check, findings: Vec::new(), current_track: None, dropped_count: 0 }
    }

    pub(super) fn check(&self) -> &'static Check {
        self.check
    }

    /// Adds a diagnostic at `span`. `describe` returns the subject's name and the message.
    /// `describe` is called only if the diagnostic is listed. Callers must add all diagnostics of
    /// one track in the order of time, and before those of the next track.
    pub(super) fn add(&mut self, span: KeySpan, describe: impl FnOnce() -> (String, String)) {
        let current_track = match &mut self.current_track {
            Some(current_track) if current_track.track == span.track => current_track,
            _ => {
                self.end_track();
                let count =
                    TrackCount { track: span.track, count: 0, first_unlisted: None, last: span };
                self.current_track.insert(count)
            }
        };
        current_track.count += 1;
        current_track.last = span;
        if current_track.count > MAX_PER_TRACK {
            current_track.first_unlisted.get_or_insert(span);
        } else {
            self.push(span, describe);
        }
    }

    pub(super) fn add_on_track(&mut self, span: KeySpan, describe: impl FnOnce() -> String) {
        let clip = self.clip;
        self.add(span, || (clip.track_name(span.track), describe()));
    }

    fn push(&mut self, span: KeySpan, describe: impl FnOnce() -> (String, String)) {
        if self.findings.len() >= MAX_PER_CHECK {
            self.dropped_count += 1;
            return;
        }
        let (name, message) = describe();
        self.findings.push(Finding { span, time: self.start_time(span), name, message });
    }

    fn start_time(&self, span: KeySpan) -> f64 {
        let times = self.clip.track(span.track).curve.times().as_slice();
        times.get(span.key).copied().unwrap_or(self.clip.span.start)
    }

    /// Adds what `later` has collected about other tracks.
    pub(super) fn append(&mut self, mut later: Self) {
        self.end_track();
        later.end_track();
        let free = MAX_PER_CHECK - self.findings.len();
        self.dropped_count += later.dropped_count + later.findings.len().saturating_sub(free);
        self.findings.extend(later.findings.into_iter().take(free));
    }

    fn end_track(&mut self) {
        let Some(TrackCount { track, count, first_unlisted: Some(first), last }) =
            self.current_track.take()
        else {
            return;
        };
        let end = Some(last.end.unwrap_or_else(|| self.start_time(last)));
        let name = self.clip.track_name(track);
        let more = count - MAX_PER_TRACK;
        let topic = self.check.topic.name().to_lowercase();
        let message =
            format!("{} like this on the track ({topic}: {count} in total)", more_issues(more));
        self.push(KeySpan { end, ..first }, || (name, message));
    }

    pub(super) fn finish(mut self) -> Vec<ClipDiagnostic> {
        self.end_track();
        let mut findings = std::mem::take(&mut self.findings);
        let time_and_end =
            |finding: &Finding| (finding.time.to_bits(), finding.span.end.map(f64::to_bits));
        findings.sort_by(|a, b| {
            a.time.total_cmp(&b.time).then_with(|| time_and_end(a).1.cmp(&time_and_end(b).1))
        });
        let mut diagnostics = Vec::new();
        for simultaneous in findings.chunk_by(|a, b| time_and_end(a) == time_and_end(b)) {
            match simultaneous {
                [first, others @ ..] if others.len() >= MAX_SEPARATE_TRACKS => {
                    let more = others.len();
                    let message = format!("{} and {more} more: {}", first.name, first.message);
                    diagnostics.push(self.diagnostic(first, message));
                }
                _ => diagnostics.extend(simultaneous.iter().map(|finding| {
                    self.diagnostic(finding, format!("{}: {}", finding.name, finding.message))
                })),
            }
        }
        if self.dropped_count > 0 {
            diagnostics.push(self.dropped_diagnostic());
        }
        diagnostics
    }

    fn diagnostic(&self, finding: &Finding, message: String) -> ClipDiagnostic {
        let KeySpan { track: id, key: index, end } = finding.span;
        let track = self.clip.track(id);
        let has_key = index < track.curve.key_count();
        ClipDiagnostic {
            code: self.check.topic.code(),
            severity: self.check.severity,
            time: Some(finding.time),
            end,
            owner: Some(track.owner),
            other_nodes: Vec::new(),
            track: Some(id),
            key: has_key.then_some(KeyId { track: id, index }),
            location: if has_key {
                track.source.key_location(index)
            } else {
                track.source.location.clone()
            },
            message,
            measure: None,
        }
    }

    fn dropped_diagnostic(&self) -> ClipDiagnostic {
        let topic = self.check.topic.name().to_lowercase();
        ClipDiagnostic {
            code: self.check.topic.code(),
            severity: self.check.severity.min(Severity::Warning),
            time: None,
            end: None,
            owner: None,
            other_nodes: Vec::new(),
            track: None,
            key: None,
            location: SourceLocation::File,
            message: format!(
                "{} of this kind ({topic}) on other tracks",
                more_issues(self.dropped_count)
            ),
            measure: None,
        }
    }
}

fn more_issues(count: usize) -> String {
    match count {
        1 => "1 more issue".to_owned(),
        _ => format!("{count} more issues"),
    }
}

impl Clip {
    pub(super) fn track_name(&self, id: TrackId) -> String {
        let track = self.track(id);
        match self.owner_name(track.owner) {
            "" => track.property.clone(),
            owner => format!("{owner}.{}", track.property),
        }
    }
}
