//! Finds the keys of a row on an axis: single keys, or the density of keys.

use std::ops::Range;

use super::{
    DensitySpan, Glyph, TimeAxis,
    counts::CountPyramid,
    isolated_keys::{IsolatedKey, TimeCursor, take_isolated_keys},
    point_density::PointCounts,
    points::AxisPoints,
    search::find_first,
};
use mutoscope_core::clip::{Clip, KeyId, KeyTimes, TrackId};

const MAX_SCANNED_KEYS: usize = 3000;

const MAX_GLYPH_CURVES: usize = 64;

/// The keys of a row on a [`TimeAxis`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Density {
    /// The keys that are drawn one by one, from left to right.
    pub marks: Vec<KeyMark>,
    /// The densities where keys are too close to be drawn one by one, from left to right.
    pub runs: Vec<DensitySpan>,
}

/// A key that is drawn by itself. Several curves of the row may have a key at this time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyMark {
    /// The time in seconds.
    pub time: f64,
    /// The distance to the nearest other key, in points.
    pub room: f32,
    /// The shape of the curve on either side of the key.
    pub glyph: Glyph,
    /// The key of one of the curves. `None` if the row has too many curves to find one.
    pub key: Option<KeyId>,
}

pub(super) struct RowCurves<'a> {
    pub(super) clip: &'a Clip,
    pub(super) tracks: &'a [TrackId],
    pub(super) list_of_track: &'a [u32],
}

impl RowCurves<'_> {
    /// Returns the glyph of the keys at `time`, and the first of these keys. `cursors` are in the
    /// order of `visible`. Each cursor is at the first key that is not before `time`.
    fn glyph_at(
        &self,
        time: f64,
        visible: &[VisibleKeys<'_>],
        cursors: &[TimeCursor<'_>],
    ) -> (Glyph, Option<KeyId>) {
        if self.tracks.len() > MAX_GLYPH_CURVES {
            return (Glyph::OTHER, None);
        }
        let key_of_track = |&track: &TrackId| {
            let list = self.list_of_track[track.index()];
            let index = visible.binary_search_by_key(&list, |keys| keys.list).ok()?;
            let TimeCursor { times, next } = cursors[index];
            (times.get(next) == Some(&time)).then_some(KeyId { track, index: next })
        };
        let mut keys = self.tracks.iter().filter_map(key_of_track);
        let Some(first) = keys.next() else { return (Glyph::OTHER, None) };
        let glyph_of_key =
            |key: KeyId| Glyph::for_key(&self.clip.track(key.track).curve, key.index);
        (keys.map(glyph_of_key).fold(glyph_of_key(first), Glyph::merged_with), Some(first))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct RowKeys {
    pub(super) lists: Box<[u32]>,
    pub(super) counts: Option<CountPyramid>,
}

impl RowKeys {
    pub(super) fn new(lists: Box<[u32]>) -> Self {
        Self { lists, counts: None }
    }

    pub(super) fn density_on(
        &self,
        axis: &TimeAxis,
        lists: &[KeyTimes],
        curves: &RowCurves<'_>,
    ) -> Density {
        let level = self.counts.as_ref().and_then(|counts| counts.level(axis.seconds_per_point));
        if let Some(level) =
            level.filter(|level| level.keys_within(axis.start, axis.end) > MAX_SCANNED_KEYS as f64)
        {
            let max_density = level.peak_within(axis.seconds_per_point);
            return dense_density(
                &level.cumulative_counts(&AxisPoints::from_axis(axis)),
                max_density as f32,
            );
        }
        let visible = self.visible_keys(axis, lists);
        if visible.iter().map(|keys| keys.range.len()).sum::<usize>() <= MAX_SCANNED_KEYS {
            return sparse_density(&visible, axis, curves);
        }
        let slices = visible.into_iter().map(|keys| &keys.times[keys.range]);
        dense_density(
            &PointCounts::from_counts(&AxisPoints::from_axis(axis).count_keys(slices)),
            0.0,
        )
    }

    fn visible_keys<'a>(&self, axis: &TimeAxis, lists: &'a [KeyTimes]) -> Vec<VisibleKeys<'a>> {
        let mut visible = Vec::with_capacity(self.lists.len());
        let mut guess = 0;
        for &list in &self.lists {
            let times = lists[list as usize].as_slice();
            // Use the index in the previous list as the guess for this list. Tracks that were
            // recorded together have about the same key rate.
            let from = find_first(times, guess, |time| time >= axis.start);
            let to = find_first(times, from, |time| time > axis.end);
            if from < to {
                visible.push(VisibleKeys { list, times, range: from..to });
            }
            guess = from;
        }
        visible
    }
}

fn dense_density(counts: &PointCounts, max_density: f32) -> Density {
    Density { marks: Vec::new(), runs: counts.density_spans(max_density) }
}

struct VisibleKeys<'a> {
    list: u32,
    times: &'a [f64],
    range: Range<usize>,
}

fn sparse_density(visible: &[VisibleKeys<'_>], axis: &TimeAxis, curves: &RowCurves<'_>) -> Density {
    if visible.is_empty() {
        return Density::default();
    }
    let slices = visible.iter().map(|keys| &keys.times[keys.range.clone()]);
    let mut counts = AxisPoints::from_axis(axis).count_keys(slices);
    let cursors =
        visible.iter().map(|keys| TimeCursor { times: keys.times, next: keys.range.start });
    let mut cursors: Vec<_> = cursors.collect();
    let mut marks = Vec::new();
    take_isolated_keys(&mut cursors, axis, &mut counts, |IsolatedKey { time, room }, cursors| {
        let (glyph, key) = curves.glyph_at(time, visible, cursors);
        marks.push(KeyMark { time, room: room as f32, glyph, key });
    });
    let is_crowded = counts.iter().any(|&keys| keys > 0);
    let runs =
        if is_crowded { PointCounts::from_counts(&counts).density_spans(0.0) } else { Vec::new() };
    Density { marks, runs }
}

#[cfg(test)]
mod tests;
