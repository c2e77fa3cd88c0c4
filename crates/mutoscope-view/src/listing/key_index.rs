//! Finds the keys of tracks by their location in the file.

use std::ops::Range;

use super::{KeyBytes, Listing};
use mutoscope_core::{
    clip::{Clip, KeyId, Track, TrackId},
    diagnostics::SourceLocation,
};

/// The byte span of each track, sorted by start.
#[derive(Debug, Default)]
pub(super) struct KeyIndex(Box<[Entry]>);

#[derive(Debug)]
struct Entry {
    track: TrackId,
    span: Range<usize>,
    /// `true` if the file stores the keys in the order of time. Only then does a binary search find
    /// a key.
    is_sorted: bool,
}

impl KeyIndex {
    pub(super) fn new(clip: &Clip, listing: &Listing) -> Self {
        let ids = (0..clip.tracks.len()).map(TrackId::new);
        let entries =
            ids.zip(&clip.tracks).filter_map(|(id, track)| index_track(id, track, listing));
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort_by_key(|entry| entry.span.start);
        Self(entries.into())
    }

    pub(super) fn keys_within(
        &self,
        clip: &Clip,
        listing: &Listing,
        range: Range<usize>,
        max_keys: usize,
    ) -> Vec<KeyBytes> {
        let mut keys = Vec::new();
        let candidate_count = self.0.partition_point(|entry| entry.span.start < range.end);
        let candidates =
            self.0[..candidate_count].iter().filter(|entry| entry.span.end > range.start);
        for entry in candidates {
            let track = clip.track(entry.track);
            let count = track.curve.key_count();
            let key_extent = |index: usize| key_extent(track, listing, index);
            let first = match entry.is_sorted {
                true => first_key_ending_after(range.start, count, key_extent),
                false => 0,
            };
            for index in first..count {
                let Some(extent) = key_extent(index) else { continue };
                if entry.is_sorted && extent.start >= range.end {
                    break;
                }
                let bytes = listing.location_ranges(&track.source.key_location(index));
                if bytes.iter().any(|one| one.start < range.end && one.end > range.start) {
                    keys.push(KeyBytes { key: KeyId { track: entry.track, index }, bytes });
                    if keys.len() >= max_keys {
                        return keys;
                    }
                }
            }
        }
        keys
    }
}

fn first_key_ending_after(
    offset: usize,
    count: usize,
    key_extent: impl Fn(usize) -> Option<Range<usize>>,
) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if key_extent(middle).is_some_and(|key_extent| key_extent.end <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns a byte range that contains a key: its bytes, or all words that contain its bits. If the
/// keys are in file order, the starts and the ends of these ranges never decrease.
fn key_extent(track: &Track, listing: &Listing, key: usize) -> Option<Range<usize>> {
    let location = track.source.key_location(key);
    let bytes = listing.location_ranges(&location);
    match location {
        SourceLocation::Bits { word, bits } if !bytes.is_empty() => {
            let word = usize::try_from(word).ok()?;
            Some(word..word + usize::try_from(bits.end.div_ceil(32)).ok()? * 4)
        }
        _ => Some(bytes.first()?.start..bytes.last()?.end),
    }
}

fn index_track(id: TrackId, track: &Track, listing: &Listing) -> Option<Entry> {
    let count = track.curve.key_count();
    if count == 0 || !track.source.has_key_locations() {
        return None;
    }
    let extent_of = |index: usize| key_extent(track, listing, index);
    let is_sorted = track.source.out_of_order_keys().next().is_none();
    let union = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
    let span = if is_sorted {
        union(extent_of(0)?, extent_of(count - 1)?)
    } else {
        (0..count).filter_map(extent_of).reduce(union)?
    };
    Some(Entry { track: id, span, is_sorted })
}
