//! Determines the time span of a recording.

use super::{Document, settings::Settings};
use crate::{
    clip::{Span, Track},
    diagnostics::{Diagnostics, SourceLocation},
};

/// Returns the time span from `startTime` to `endTime` of the header if it is not empty. Otherwise
/// returns the time range of the keys, as Maya's documentation prescribes.
pub(super) fn clip_span(
    document: &Document,
    settings: &Settings,
    tracks: &[Track],
    diagnostics: &mut Diagnostics,
) -> Span {
    let header = &document.header;
    let keys = key_span(tracks);
    let (Some(start), Some(end)) = (header.start_time, header.end_time) else {
        return keys.unwrap_or_default();
    };
    let [from, to] = [start.value, end.value].map(|time| settings.time().to_seconds(time));
    if to < from {
        let message = "endTime is before startTime; using the range of the keys";
        diagnostics.warning(SourceLocation::line(end.line), message);
    }
    let duration = to - from;
    if duration > 0.0 && duration.is_finite() {
        Span { start: from, duration }
    } else {
        keys.unwrap_or(Span { start: from, duration: 0.0 })
    }
}

fn key_span(tracks: &[Track]) -> Option<Span> {
    let ends = tracks.iter().filter_map(|track| {
        let times = track.curve.key_times();
        Some((*times.first()?, *times.last()?))
    });
    let (from, to) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    Some(Span { start: from, duration: to - from })
}
