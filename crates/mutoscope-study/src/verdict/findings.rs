//! Joins the samples at which a check finds its problem, and describes them as diagnostics.

use mutoscope_core::{
    clip::{Clip, KeyId, NodeId, Owner},
    diagnostics::{Measure, Severity, SourceLocation, format_number},
    measure::checks::ClipDiagnostic,
};

use super::{
    check::{Limit, MotionCheck},
    moment::Moment,
    profile::{CheckedClip, WorstValue},
};

/// Problems of one subject with a shorter pause between them are joined, in seconds.
const MAX_PAUSE_S: f64 = 0.5;

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
    open: Vec<(usize, Episode)>,
    closed: Vec<Episode>,
    /// The worst value, even if it does not cross the threshold.
    worst: Option<f64>,
    /// All values, if they are recorded instead of joined.
    recorded: Option<Vec<RecordedValue>>,
}

/// The value of one subject at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedValue {
    pub(super) subject: usize,
    pub(super) time: f64,
    pub(super) value: f64,
}

#[derive(Clone, Debug)]
struct Episode {
    start: f64,
    end: f64,
    last_index: usize,
    samples: usize,
    /// The total time of the samples with the problem, in seconds.
    duration_s: f64,
    worst: f64,
    nodes: Vec<NodeId>,
}

impl Findings {
    pub(super) fn new(
        check: &'static MotionCheck,
        threshold: Option<f64>,
        severity: Severity,
    ) -> Self {
        let (open, closed) = (Vec::new(), Vec::new());
        Self { check, threshold, severity, open, closed, worst: None, recorded: None }
    }

    /// Creates findings that record every value, also those without a problem.
    pub(super) fn recording(check: &'static MotionCheck, threshold: f64) -> Self {
        let recorded = Some(Vec::new());
        Self { recorded, ..Self::new(check, Some(threshold), check.severity) }
    }

    /// Returns the recorded values, in the order of time.
    pub(super) fn recorded(&self) -> &[RecordedValue] {
        self.recorded.as_deref().unwrap_or_default()
    }

    pub(super) fn check(&self) -> &'static MotionCheck {
        self.check
    }

    /// Returns the threshold of a check that measures a value.
    pub(super) fn threshold(&self) -> f64 {
        self.threshold.unwrap_or_default()
    }

    /// Adds the value of a subject at one time. A value that does not cross the threshold is
    /// skipped. `subject` keeps problems of different hands, feet or markers apart.
    pub(super) fn add(
        &mut self,
        subject: usize,
        moment: &Moment<'_>,
        value: f64,
        nodes: &[NodeId],
    ) {
        if let Some(recorded) = &mut self.recorded {
            recorded.push(RecordedValue { subject, time: moment.time, value });
            return;
        }
        self.update_worst(value);
        if !self.is_problem(value) {
            return;
        }
        let episode = Episode {
            start: moment.time,
            end: moment.time,
            last_index: moment.index,
            samples: 1,
            duration_s: moment.elapsed_s,
            worst: value,
            nodes: nodes.to_vec(),
        };
        let joins_samples_only = self.limit() == Some(Limit::Duration);
        let known = self.open.iter().position(|(key, _)| *key == subject);
        let Some(known) = known else {
            self.open.push((subject, episode));
            return;
        };
        let open = &mut self.open[known].1;
        let is_next = moment.index == open.last_index + 1;
        if is_next || !joins_samples_only && moment.time - open.end <= MAX_PAUSE_S {
            let is_worse = is_worse(self.check, value, open.worst);
            open.end = moment.time;
            open.last_index = moment.index;
            open.samples += 1;
            open.duration_s += moment.elapsed_s;
            if is_worse {
                (open.worst, open.nodes) = (value, episode.nodes);
            }
        } else {
            let ended = std::mem::replace(open, episode);
            self.close(ended);
        }
    }

    /// Adds a problem with a known start and end, in seconds.
    pub(super) fn add_span(&mut self, start: f64, end: f64, value: f64, nodes: &[NodeId]) {
        self.update_worst(value);
        if self.is_problem(value) {
            let (samples, duration_s) = (usize::from(end > start) + 1, end - start);
            let nodes = nodes.to_vec();
            self.close(Episode {
                start,
                end,
                last_index: 0,
                samples,
                duration_s,
                worst: value,
                nodes,
            });
        }
    }

    fn update_worst(&mut self, value: f64) {
        let is_new = self.worst.is_none_or(|worst| is_worse(self.check, value, worst));
        if value.is_finite() && is_new {
            self.worst = Some(value);
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.check.measured.map(|measured| measured.limit)
    }

    fn is_problem(&self, value: f64) -> bool {
        match self.limit() {
            Some(Limit::Above) => value > self.threshold(),
            Some(Limit::Below) => value < self.threshold(),
            Some(Limit::Duration) | None => true,
        }
    }

    fn close(&mut self, mut episode: Episode) {
        if self.limit() == Some(Limit::Duration) {
            episode.worst = episode.duration_s;
            self.update_worst(episode.duration_s);
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
            last.samples += episode.samples;
            if is_worse(self.check, episode.worst, last.worst) {
                (last.worst, last.nodes) = (episode.worst, episode.nodes);
            }
        }
    }

    /// Adds the diagnostics, sorted by time, and the worst value to `checked`.
    pub(super) fn finish(mut self, clip: &Clip, checked: &mut CheckedClip) {
        for (_, episode) in std::mem::take(&mut self.open) {
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

fn is_worse(check: &MotionCheck, value: f64, than: f64) -> bool {
    match check.measured.map(|measured| measured.limit) {
        Some(Limit::Below) => value < than,
        _ => value > than,
    }
}

/// Returns the last key of a node's first track at or before `time`, or its first key.
fn key_at(clip: &Clip, node: NodeId, time: f64) -> Option<KeyId> {
    let track = *clip.nodes[node].motion.tracks().first()?;
    let times = clip.track(track).curve.key_times();
    let after = times.partition_point(|key| *key <= time);
    (!times.is_empty()).then(|| KeyId { track, index: after.saturating_sub(1) })
}
