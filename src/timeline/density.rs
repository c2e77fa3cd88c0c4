//! The keys of a row on an axis: each, or how dense.

use std::ops::Range;

use super::{Glyph, TimeAxis, counts::Counts};
use crate::clip::{Clip, KeyId, KeyTimes, TrackId};

/// How many heights a density can have.
pub const LEVELS: u8 = 10;

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

/// A stretch of the axis in which keys are equally dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// How many points from the left end of the axis it begins.
    pub from: u32,
    /// And where it ends.
    pub to: u32,
    /// How dense, within 1..=[`LEVELS`].
    pub level: u8,
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
        let shown = self.lists.iter().map(|&list| {
            let times = lists[list as usize].as_slice();
            (list, times, on_axis(times, axis))
        });
        let mut visible = Vec::with_capacity(self.lists.len());
        let mut count = 0;
        for (list, times, range) in shown {
            count += range.len();
            if !range.is_empty() {
                visible.push((list, times, range));
            }
        }
        if count <= FEW {
            return few(&visible, axis, glyphs);
        }
        let (counted, densest) = match self.level(axis) {
            Some(level) => {
                let counted = buckets_of(axis, |time| level.before(time));
                (smooth(&counted), level.peak(axis.seconds_per_point))
            }
            None => {
                let slices = visible.iter().map(|(_, times, range)| &times[range.clone()]);
                (smooth(&count_keys(slices, axis)), 0.0)
            }
        };
        Density { marks: Vec::new(), runs: runs(&counted, densest as f32) }
    }

    fn level(&self, axis: &TimeAxis) -> Option<super::counts::CountsAt<'_>> {
        self.counts.as_ref()?.level(axis.seconds_per_point)
    }
}

/// Which of `times` are on `axis`.
fn on_axis(times: &[f64], axis: &TimeAxis) -> Range<usize> {
    let from = times.partition_point(|&time| time < axis.start);
    let to = from + times[from..].partition_point(|&time| time <= axis.end());
    from..to
}

/// The end of each point of the axis, in seconds.
fn edges(axis: &TimeAxis) -> impl Iterator<Item = f64> + '_ {
    let count = axis.width().ceil().max(1.0) as usize;
    (1..=count).map(|point| axis.time_after(point as f64))
}

/// How many keys there are within each point of the axis, where `before` tells how many are before
/// a time.
fn buckets_of(axis: &TimeAxis, before: impl Fn(f64) -> f64) -> Vec<f32> {
    let mut last = before(axis.start);
    let count = |edge| {
        let now = before(edge);
        let inside = now - last;
        last = now;
        inside as f32
    };
    edges(axis).map(count).collect()
}

/// How many keys of each slice there are within each point of the axis.
fn count_keys<'a>(slices: impl Iterator<Item = &'a [f64]>, axis: &TimeAxis) -> Vec<f32> {
    let edges: Vec<f64> = edges(axis).collect();
    let mut buckets = vec![0.0; edges.len()];
    for mut rest in slices {
        let mut inside = 0;
        for (bucket, &edge) in buckets.iter_mut().zip(&edges) {
            if rest.is_empty() {
                break;
            }
            // Recorders write at an even rate: as many as before, more or less.
            inside = count_before(rest, edge, inside);
            *bucket += inside as f32;
            rest = &rest[inside..];
        }
        // At the right end there may be one that stands on it.
        if let Some(last) = buckets.last_mut() {
            *last += rest.len() as f32;
        }
    }
    buckets
}

/// How many of `times` lie before `end`: searched for outwards from `guess`.
fn count_before(times: &[f64], end: f64, guess: usize) -> usize {
    let mut low = guess.min(times.len());
    let mut high = low;
    let mut stride = 1;
    while low > 0 && times[low - 1] >= end {
        high = low;
        low = low.saturating_sub(stride);
        stride *= 2;
    }
    while high < times.len() && times[high] < end {
        low = high;
        high = (high + stride).min(times.len());
        stride *= 2;
    }
    low + times[low..high].partition_point(|&time| time < end)
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
    let mut crowd = vec![0.0; axis.width().ceil().max(1.0) as usize];
    let mut marks = Vec::new();
    for (index, keys) in at_one_time.iter().enumerate() {
        let x = places[index];
        let left = index.checked_sub(1).map_or(f32::INFINITY, |left| x - places[left]);
        let room = places.get(index + 1).map_or(left, |right| left.min(right - x));
        if room >= ROOM {
            let (glyph, key) = glyphs.at(keys);
            marks.push(Mark { time: keys[0].time, room, glyph, key });
        } else {
            let point = (x - axis.left).max(0.0) as usize;
            crowd[point.min(places_in(axis))] += 1.0;
        }
    }
    let runs = if marks.len() == places.len() { Vec::new() } else { runs(&smooth(&crowd), 0.0) };
    Density { marks, runs }
}

fn places_in(axis: &TimeAxis) -> usize {
    axis.width().ceil().max(1.0) as usize - 1
}

/// The mean over five points, so that rates which do not divide the width do not flicker.
fn smooth(buckets: &[f32]) -> Vec<f32> {
    let mean = |index: usize| {
        let window = &buckets[index.saturating_sub(2)..(index + 3).min(buckets.len())];
        let mean = window.iter().sum::<f32>() / window.len() as f32;
        // A lone key would be a wide flat bump: it keeps its place.
        if buckets[index] == 0.0 && mean < 1.0 { 0.0 } else { mean }
    };
    (0..buckets.len()).map(mean).collect()
}

/// Neighbours of the same level together. The tallest are as dense as the densest of all, and as
/// `densest`.
fn runs(densities: &[f32], densest: f32) -> Vec<Run> {
    let densest = densities.iter().copied().fold(densest, f32::max);
    let mut runs: Vec<Run> = Vec::new();
    for (index, &density) in densities.iter().enumerate() {
        if density <= 0.0 {
            continue;
        }
        let part = (density / densest).sqrt();
        let level = (part * f32::from(LEVELS)).round().clamp(2.0, f32::from(LEVELS)) as u8;
        let from = index as u32;
        match runs.last_mut() {
            Some(run) if run.to == from && run.level == level => run.to += 1,
            _ => runs.push(Run { from, to: from + 1, level }),
        }
    }
    runs
}

#[cfg(test)]
mod tests;
