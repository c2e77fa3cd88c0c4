//! An index of the keys of tracks by their place in the file.

use std::ops::Range;

use super::{KeyBytes, Listing};
use crate::{
    clip::{Clip, KeyId, Track, TrackId},
    diagnostics::SourceLocation,
};

/// The index: a range of bytes for each track, by where it begins.
#[derive(Debug, Default)]
pub(super) struct KeyIndex(Box<[Entry]>);

/// Where the keys of a track are.
#[derive(Debug)]
struct Entry {
    track: TrackId,
    /// From the first byte of any of its keys to the end of the last.
    span: Range<usize>,
    /// Whether the file has them in the order of time, so that they can be searched.
    is_sorted: bool,
}

impl KeyIndex {
    /// Where `listing` has the keys of `clip`.
    pub(super) fn new(clip: &Clip, listing: &Listing) -> Self {
        let ids = (0..clip.tracks.len()).map(TrackId::new);
        let entries = ids.zip(&clip.tracks).filter_map(|(id, track)| entry(id, track, listing));
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort_by_key(|entry| entry.span.start);
        Self(entries.into())
    }

    /// The keys that have bytes within `range`, `most` at most.
    pub(super) fn within(
        &self,
        clip: &Clip,
        listing: &Listing,
        range: Range<usize>,
        most: usize,
    ) -> Vec<KeyBytes> {
        let mut found = Vec::new();
        let begin_before = self.0.partition_point(|entry| entry.span.start < range.end);
        let near = self.0[..begin_before].iter().filter(|entry| entry.span.end > range.start);
        for entry in near {
            let track = clip.track(entry.track);
            let count = track.curve.key_count();
            let reach = |index: usize| reach(track, listing, index);
            let first = match entry.is_sorted {
                true => first_that_ends_after(range.start, count, reach),
                false => 0,
            };
            for index in first..count {
                let Some(reached) = reach(index) else { continue };
                if entry.is_sorted && reached.start >= range.end {
                    break;
                }
                let bytes = listing.bytes_at(&track.source.key(index));
                if bytes.iter().any(|one| one.start < range.end && one.end > range.start) {
                    found.push(KeyBytes { key: KeyId { track: entry.track, index }, bytes });
                    if found.len() >= most {
                        return found;
                    }
                }
            }
        }
        found
    }
}

/// The first of `count` keys, which are in the order of the file, whose reach ends after `offset`.
fn first_that_ends_after(
    offset: usize,
    count: usize,
    reach: impl Fn(usize) -> Option<Range<usize>>,
) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if reach(middle).is_some_and(|reach| reach.end <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Where a key is, give or take: its bytes, or all of the words that have bits of it. In the order of
/// keys it never goes back.
fn reach(track: &Track, listing: &Listing, key: usize) -> Option<Range<usize>> {
    let place = track.source.key(key);
    let bytes = listing.bytes_at(&place);
    match place {
        SourceLocation::Bits { word, bits } if !bytes.is_empty() => {
            let word = usize::try_from(word).ok()?;
            Some(word..word + usize::try_from(bits.end.div_ceil(32)).ok()? * 4)
        }
        _ => Some(bytes.first()?.start..bytes.last()?.end),
    }
}

/// Where the keys of a track are; nothing if the listing has none of them.
fn entry(id: TrackId, track: &Track, listing: &Listing) -> Option<Entry> {
    let count = track.curve.key_count();
    if count == 0 || !track.source.has_key_places() {
        return None;
    }
    let span_of = |index: usize| reach(track, listing, index);
    let is_sorted = track.source.out_of_order().next().is_none();
    let joined = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
    let span = if is_sorted {
        joined(span_of(0)?, span_of(count - 1)?)
    } else {
        (0..count).filter_map(span_of).reduce(joined)?
    };
    Some(Entry { track: id, span, is_sorted })
}
