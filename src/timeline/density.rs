//! The keys of a row on an axis: each, or how dense.

use std::ops::Range;

use super::{
    Glyph, Run, TimeAxis,
    counts::Counts,
    crowd::{Crowd, points_of},
};
use crate::clip::{Clip, KeyId, KeyTimes, TrackId};

/// More keys than these on the axis are counted and not looked at.
const FEW: usize = 3000;

/// How much room a key has at least that is shown by itself, in points.
const ROOM: f32 = 7.0;

/// Of more curves than these nobody asks how they run on either side of a key.
const MOST_CURVES: usize = 64;

/// Where the keys of a row are on a [`TimeAxis`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Density {
    /// Keys that stand apart, each by itself, from left to right.
    pub marks: Vec<Mark>,
    /// Where keys are too close to be told apart, how dense they are, from left to right.
    pub runs: Vec<Run>,
}

/// A key that stands apart; of several curves, if they have one at the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// When, in seconds.
    pub time: f64,
    /// How far the next one is, on either side, in points.
    pub room: f32,
    /// How the curves run there.
    pub glyph: Glyph,
    /// The key of one of the curves.
    pub key: Option<KeyId>,
}

/// The curves of a row, to ask how they run.
pub(super) struct Glyphs<'a> {
    pub(super) clip: &'a Clip,
    pub(super) tracks: &'a [TrackId],
    /// Of each track of the clip the index of its key times.
    pub(super) list_of: &'a [u32],
}

impl Glyphs<'_> {
    /// What is known of the keys at one time: lists of key times, and the index in each.
    fn at(&self, keys: &[Key]) -> (Glyph, Option<KeyId>) {
        if self.tracks.len() > MOST_CURVES {
            return (Glyph::OTHER, None);
        }
        let of_track = |track: &TrackId| {
            let list = self.list_of[track.index()];
            let key = keys.iter().find(|key| key.list == list)?;
            Some(KeyId { track: *track, index: key.index as usize })
        };
        let mut found = self.tracks.iter().filter_map(of_track);
        let Some(first) = found.next() else { return (Glyph::OTHER, None) };
        let glyph = |key: KeyId| Glyph::of(&self.clip.track(key.track).curve, key.index);
        (found.map(glyph).fold(glyph(first), Glyph::and), Some(first))
    }
}

/// A key of a list of key times.
#[derive(Clone, Copy, Debug)]
struct Key {
    time: f64,
    list: u32,
    index: u32,
}

/// The keys of a row: which lists of key times they are in, and where there are many, how many
/// are before any time.
#[derive(Clone, Debug, Default)]
pub(super) struct RowKeys {
    /// The indices of the lists, ascending.
    pub(super) lists: Box<[u32]>,
    pub(super) counts: Option<Counts>,
}

impl RowKeys {
    /// The keys of these lists, not yet counted.
    pub(super) fn new(lists: Box<[u32]>) -> Self {
        Self { lists, counts: None }
    }

    /// Where they are on `axis`.
    pub(super) fn on(&self, axis: &TimeAxis, lists: &[KeyTimes], glyphs: &Glyphs<'_>) -> Density {
        let level = self.counts.as_ref().and_then(|counts| counts.level(axis.seconds_per_point));
        if let Some(level) = level.filter(|level| level.within(axis.start, axis.end) > FEW as f64) {
            let densest = level.peak(axis.seconds_per_point);
            return crowded(&level.on(&axis.pieces(), points_of(axis)), densest as f32);
        }
        let visible = self.visible(axis, lists);
        if visible.iter().map(|(_, _, range)| range.len()).sum::<usize>() <= FEW {
            return few(&visible, axis, glyphs);
        }
        let slices = visible.into_iter().map(|(_, times, range)| &times[range]);
        crowded(&Crowd::of_keys(slices, &axis.pieces(), points_of(axis)), 0.0)
    }

    /// Of its lists those that have keys on `axis`, and which.
    fn visible<'a>(&self, axis: &TimeAxis, lists: &'a [KeyTimes]) -> Vec<Visible<'a>> {
        let mut visible = Vec::with_capacity(self.lists.len());
        let mut guess = 0;
        for &list in &self.lists {
            let times = lists[list as usize].as_slice();
            // What was recorded together is keyed at the same rate, more or less.
            let from = first_where(times, guess, |time| time >= axis.start);
            let to = first_where(times, from, |time| time > axis.end);
            if from < to {
                visible.push((list, times, from..to));
            }
            guess = from;
        }
        visible
    }
}

/// Nothing but how dense keys are.
fn crowded(crowd: &Crowd, densest: f32) -> Density {
    Density { marks: Vec::new(), runs: crowd.runs(densest) }
}

/// The index of the first of `times` for which `is_there` holds, which it does for all after it:
/// searched for outwards from `guess`.
fn first_where(times: &[f64], guess: usize, is_there: impl Fn(f64) -> bool) -> usize {
    let mut low = guess.min(times.len());
    let mut high = low;
    let mut stride = 1;
    while low > 0 && is_there(times[low - 1]) {
        high = low - 1;
        low = low.saturating_sub(stride);
        stride *= 2;
    }
    while high < times.len() && !is_there(times[high]) {
        low = high + 1;
        high = (high + stride).min(times.len());
        stride *= 2;
    }
    low + times[low..high].partition_point(|&time| !is_there(time))
}

/// Keys of lists that are on the axis.
type Visible<'a> = (u32, &'a [f64], Range<usize>);

/// Few keys: those that stand apart each by itself, the others by how dense they are.
fn few(visible: &[Visible<'_>], axis: &TimeAxis, glyphs: &Glyphs<'_>) -> Density {
    let mut keys: Vec<Key> = Vec::new();
    for (list, times, range) in visible {
        let key = |index: usize| Key { time: times[index], list: *list, index: index as u32 };
        keys.extend(range.clone().map(key));
    }
    if visible.len() > 1 {
        keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
    let at_one_time: Vec<&[Key]> = keys.chunk_by(|a, b| a.time == b.time).collect();
    let places: Vec<f32> = at_one_time.iter().map(|keys| axis.x_at(keys[0].time)).collect();
    let mut crowd = vec![0; points_of(axis)];
    let mut marks = Vec::new();
    for (index, keys) in at_one_time.iter().enumerate() {
        let x = places[index];
        let left = index.checked_sub(1).map_or(f32::INFINITY, |left| x - places[left]);
        let room = places.get(index + 1).map_or(left, |right| left.min(right - x));
        if room >= ROOM {
            let (glyph, key) = glyphs.at(keys);
            marks.push(Mark { time: keys[0].time, room, glyph, key });
        } else {
            let point = ((x - axis.left).max(0.0) as usize).min(crowd.len() - 1);
            crowd[point] += 1;
        }
    }
    let runs = match marks.len() == places.len() {
        true => Vec::new(),
        false => Crowd::of_counts(&crowd).runs(0.0),
    };
    Density { marks, runs }
}

#[cfg(test)]
mod tests;
