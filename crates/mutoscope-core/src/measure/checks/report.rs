//! Collecting the issues of a check, up to limits.

use std::ops::Range;

use super::{Check, Issue};
use crate::{
    clip::{Clip, KeyId, TrackId},
    diagnostics::{Severity, SourceLocation},
};

/// At most this many issues of one check on one track are reported one by one; the others are
/// counted.
const PER_TRACK: usize = 10;

/// At most this many issues of one check are kept.
const MOST: usize = 1000;

/// Equal issues at the same time on more tracks than this are reported once.
const ALIKE: usize = 2;

/// Where something was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeySpan {
    /// The track, or the first of those that belong together.
    pub(super) track: TrackId,
    /// The key that it is about, or begins at.
    pub(super) key: usize,
    /// When it ends, in seconds, if it takes a while.
    pub(super) end: Option<f64>,
}

/// Gathers what one check finds.
#[derive(Debug)]
pub(super) struct Report<'a> {
    clip: &'a Clip,
    check: &'a Check,
    found: Vec<Found>,
    /// How many there were on the last track, and where the unreported ones begin.
    on_track: Option<OnTrack>,
    dropped: usize,
}

#[derive(Debug)]
struct OnTrack {
    track: TrackId,
    count: usize,
    first_untold: Option<KeySpan>,
    last: KeySpan,
}

#[derive(Debug)]
struct Found {
    span: KeySpan,
    time: f64,
    /// The node or group that it is about.
    name: String,
    what: String,
}

impl KeySpan {
    /// These keys of `track`, whose keys are at `times`.
    pub(super) fn of_keys(track: TrackId, keys: &Range<usize>, times: &[f64]) -> Self {
        let end = (keys.len() > 1).then(|| times[keys.end - 1]);
        Self { track, key: keys.start, end }
    }

    /// From the key at `left` to the next.
    pub(super) fn of_gap(track: TrackId, left: usize, times: &[f64]) -> Self {
        Self { track, key: left, end: Some(times[left + 1]) }
    }
}

impl<'a> Report<'a> {
    /// Nothing found yet by `check` in `clip`.
    pub(super) fn new(clip: &'a Clip, check: &'a Check) -> Self {
        Self { clip, check, found: Vec::new(), on_track: None, dropped: 0 }
    }

    /// Adds an issue at `span`; `what` gives the message, and is only called if it is reported.
    /// Tracks come one after the other, their issues in the order of time.
    pub(super) fn add(&mut self, span: KeySpan, what: impl FnOnce() -> (String, String)) {
        let on_track = match &mut self.on_track {
            Some(on_track) if on_track.track == span.track => on_track,
            _ => {
                self.end_track();
                let fresh = OnTrack { track: span.track, count: 0, first_untold: None, last: span };
                self.on_track.insert(fresh)
            }
        };
        on_track.count += 1;
        on_track.last = span;
        if on_track.count > PER_TRACK {
            on_track.first_untold.get_or_insert(span);
        } else {
            self.put(span, what);
        }
    }

    /// Adds an issue about one track: `what` follows the track's name in the message.
    pub(super) fn add_on_track(&mut self, span: KeySpan, what: impl FnOnce() -> String) {
        let clip = self.clip;
        self.add(span, || (clip.track_name(span.track), what()));
    }

    fn put(&mut self, span: KeySpan, what: impl FnOnce() -> (String, String)) {
        if self.found.len() >= MOST {
            self.dropped += 1;
            return;
        }
        let (name, what) = what();
        self.found.push(Found { span, time: self.time_of(span), name, what });
    }

    fn time_of(&self, span: KeySpan) -> f64 {
        let times = self.clip.track(span.track).curve.times().as_slice();
        times.get(span.key).copied().unwrap_or(self.clip.span.start)
    }

    /// Reports how many more there were on the track that ends.
    fn end_track(&mut self) {
        let Some(OnTrack { track, count, first_untold: Some(first), last }) = self.on_track.take()
        else {
            return;
        };
        let end = Some(last.end.unwrap_or_else(|| self.time_of(last)));
        let name = self.clip.track_name(track);
        let more = count - PER_TRACK;
        let topic = self.check.topic.name().to_lowercase();
        let what = format!("{more} more of the same here ({topic}: {count} in all)");
        self.put(KeySpan { end, ..first }, || (name, what));
    }

    /// The issues, in the order of time; those of many tracks at the same time once.
    pub(super) fn finish(mut self) -> Vec<Issue> {
        self.end_track();
        let mut found = std::mem::take(&mut self.found);
        let when = |found: &Found| (found.time.to_bits(), found.span.end.map(f64::to_bits));
        found.sort_by(|a, b| a.time.total_cmp(&b.time).then_with(|| when(a).1.cmp(&when(b).1)));
        let mut issues = Vec::new();
        for alike in found.chunk_by(|a, b| when(a) == when(b)) {
            match alike {
                [first, others @ ..] if others.len() >= ALIKE => {
                    let more = others.len();
                    let message = format!("{} and {more} more: {}", first.name, first.what);
                    issues.push(self.issue(first, message));
                }
                _ => issues.extend(
                    alike
                        .iter()
                        .map(|found| self.issue(found, format!("{}: {}", found.name, found.what))),
                ),
            }
        }
        if self.dropped > 0 {
            issues.push(self.about_dropped());
        }
        issues
    }

    fn issue(&self, found: &Found, message: String) -> Issue {
        let KeySpan { track: id, key: index, end } = found.span;
        let track = self.clip.track(id);
        let has_key = index < track.curve.key_count();
        Issue {
            severity: self.check.severity,
            topic: Some(self.check.topic),
            time: Some(found.time),
            end,
            owner: Some(track.owner),
            track: Some(id),
            key: has_key.then_some(KeyId { track: id, index }),
            place: if has_key { track.source.key(index) } else { track.source.place.clone() },
            message,
        }
    }

    fn about_dropped(&self) -> Issue {
        let topic = self.check.topic.name().to_lowercase();
        Issue {
            severity: self.check.severity.min(Severity::Warning),
            topic: Some(self.check.topic),
            time: None,
            end: None,
            owner: None,
            track: None,
            key: None,
            place: SourceLocation::File,
            message: format!("{} more of the same kind ({topic}) on other tracks", self.dropped),
        }
    }
}

impl Clip {
    /// The name of a track: `left/Wrist.position.x`.
    pub(super) fn track_name(&self, id: TrackId) -> String {
        let track = self.track(id);
        match self.owner_name(track.owner) {
            "" => track.property.clone(),
            owner => format!("{owner}.{}", track.property),
        }
    }
}
