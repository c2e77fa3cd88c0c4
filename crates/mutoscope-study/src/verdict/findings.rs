//! Joins the samples at which a check finds its problem, and describes them as diagnostics.

use std::mem;

use mutoscope_core::{
    clip::{Clip, KeyId, NodeId, Owner},
    diagnostics::{Measure, Severity, SourceLocation, format_number},
    measure::checks::ClipDiagnostic,
};

use super::{
    check::{Limit, MotionCheck},
    profile::{CheckedClip, WorstValue},
    sample_values::{Episode, SampleValues},
};

/// The largest number of diagnostics of a check. The last one covers all later problems.
const MAX_EPISODES: usize = 1000;

/// The problems that a check has found.
#[derive(Debug)]
pub(super) struct Findings {
    check: &'static MotionCheck,
    /// `None` for problems without a measured value.
    threshold: Option<f64>,
    severity: Severity,
    /// The latest problem of each subject.
    open: Vec<Episode>,
    closed: Vec<Episode>,
    /// The worst value, even if it does not cross the threshold.
    worst: Option<f64>,
}

impl Findings {
    pub(super) fn new(
        check: &'static MotionCheck,
        threshold: Option<f64>,
        severity: Severity,
    ) -> Self {
        let (open, closed) = (Vec::new(), Vec::new());
        Self { check, threshold, severity, open, closed, worst: None }
    }

    /// Returns an empty list of values, for the samples that follow.
    pub(super) fn new_values(&self) -> SampleValues {
        SampleValues::new(self.check, self.threshold)
    }

    pub(super) fn check(&self) -> &'static MotionCheck {
        self.check
    }

    /// Returns the threshold of a check that measures a value.
    pub(super) fn threshold(&self) -> f64 {
        self.threshold.unwrap_or_default()
    }

    /// Joins the problems of further samples to those of the samples before. Blocks of samples have
    /// to be added in the order of time.
    pub(super) fn add_values(&mut self, values: SampleValues) {
        if let Some(worst) = values.worst {
            self.check.update_worst(&mut self.worst, worst);
        }
        for episode in values.episodes {
            let open = self.open.iter_mut().find(|open| open.subject == episode.subject);
            let Some(open) = open else {
                self.open.push(episode);
                continue;
            };
            if let Some(separate) = open.join(episode, self.check) {
                let ended = mem::replace(open, separate);
                self.close(ended);
            }
        }
    }

    /// Adds a problem with a known start and end, in seconds.
    pub(super) fn add_span(&mut self, start: f64, end: f64, value: f64, nodes: &[NodeId]) {
        self.check.update_worst(&mut self.worst, value);
        if self.check.is_problem(value, self.threshold) {
            self.close(Episode::span(start, end, value, nodes));
        }
    }

    fn close(&mut self, mut episode: Episode) {
        if self.check.limit() == Some(Limit::Duration) {
            episode.worst = episode.duration_s;
            self.check.update_worst(&mut self.worst, episode.duration_s);
            if episode.duration_s <= self.threshold() {
                return;
            }
        }
        if episode.duration_s + 1e-9 < self.check.min_duration_s {
            return;
        }
        if self.closed.len() < MAX_EPISODES {
            self.closed.push(episode);
        } else if let Some(last) = self.closed.last_mut() {
            last.end = last.end.max(episode.end);
            last.add_samples(episode, self.check);
        }
    }

    /// Adds the diagnostics, sorted by time, and the worst value to `checked`.
    pub(super) fn finish(mut self, clip: &Clip, checked: &mut CheckedClip) {
        for episode in mem::take(&mut self.open) {
            self.close(episode);
        }
        self.closed.sort_by(|a, b| a.start.total_cmp(&b.start));
        checked.diagnostics.extend(self.closed.iter().map(|episode| self.describe(clip, episode)));
        if let Some((value, measured)) = self.worst.zip(self.check.measured) {
            let (code, threshold) = (self.check.code, self.threshold());
            checked.worst_values.push(WorstValue { code, measured, threshold, value });
        }
    }

    fn describe(&self, clip: &Clip, episode: &Episode) -> ClipDiagnostic {
        let measure = self.check.measured.map(|measured| Measure {
            name: measured.name,
            value: episode.worst,
            threshold: self.threshold(),
            unit: measured.unit,
        });
        let names: Vec<&str> =
            episode.nodes.iter().take(3).map(|node| clip.nodes[*node].name.as_str()).collect();
        let names = match names.is_empty() {
            true => String::new(),
            false => format!("{}: ", names.join(", ")),
        };
        let value = measure.map(|Measure { name, value, threshold, unit }| {
            let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
            let (value, threshold) = (format_number(value), format_number(threshold));
            format!("; {name} {value}{unit}, threshold {threshold}{unit}")
        });
        let key = episode.nodes.first().and_then(|node| key_at(clip, *node, episode.start));
        ClipDiagnostic {
            code: self.check.code,
            severity: self.severity,
            time: Some(episode.start),
            end: Some(episode.end).filter(|_| episode.samples > 1),
            owner: episode.nodes.first().map(|node| Owner::Node(*node)),
            other_nodes: episode.nodes.iter().skip(1).copied().collect(),
            track: key.map(|key| key.track),
            key,
            location: key.map_or(SourceLocation::File, |KeyId { track, index }| {
                clip.track(track).source.key_location(index)
            }),
            message: format!("{names}{}{}", self.check.problem, value.unwrap_or_default()),
            measure,
        }
    }
}

/// Returns the last key of a node's first track at or before `time`, or its first key.
fn key_at(clip: &Clip, node: NodeId, time: f64) -> Option<KeyId> {
    let track = *clip.nodes[node].motion.tracks().first()?;
    let times = clip.track(track).curve.key_times();
    let after = times.partition_point(|key| *key <= time);
    (!times.is_empty()).then(|| KeyId { track, index: after.saturating_sub(1) })
}
