//! Determines the time span of a recording.

use super::{Document, codes, settings::Settings};
use crate::{
    clip::{Span, Track},
    diagnostics::{Diagnostics, SourceLocation, format_count, format_number},
};

const KEY_TOLERANCE_UNITS: f64 = 1e-3;

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
        diagnostics.warning(codes::INVALID_TIME_RANGE, SourceLocation::line(end.line), message);
    }
    let duration = to - from;
    if duration > 0.0 && duration.is_finite() {
        let span = Span { start: from, duration };
        report_keys_outside(span, end.line, settings, tracks, diagnostics);
        span
    } else {
        keys.unwrap_or(Span { start: from, duration: 0.0 })
    }
}

/// Warns about keys that are not played, because some writers state a range that does not fit their
/// keys.
fn report_keys_outside(
    span: Span,
    line: u32,
    settings: &Settings,
    tracks: &[Track],
    diagnostics: &mut Diagnostics,
) {
    // Header and keys may be rounded differently.
    let tolerance = settings.time().to_seconds(KEY_TOLERANCE_UNITS).abs();
    let is_outside = |time: &f64| *time < span.start - tolerance || *time > span.end() + tolerance;
    let outside =
        tracks.iter().flat_map(|track| track.curve.key_times()).filter(|time| is_outside(time));
    let count = outside.count();
    if let (1.., Some(keys)) = (count, key_span(tracks)) {
        let [from, to, first, last] =
            [span.start, span.end(), keys.start, keys.end()].map(format_number);
        let are = if count == 1 { "is" } else { "are" };
        let message = format!(
            "{} {are} outside of startTime and endTime, and the keys last from {first} s to {last} s; playing \
             only {from} s to {to} s, as stated",
            format_count(count, "key")
        );
        diagnostics
            .warning(codes::KEYS_OUTSIDE_RANGE, SourceLocation::line(line), message)
            .with("count", count);
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
