//! The keys of a row on an axis: each, or how dense.

use std::ops::Range;

use super::{
    DensitySpan, Glyph, TimeAxis,
    apart::{Lone, Times, take_lone},
    counts::Counts,
    crowd::Crowd,
    points::Points,
    search::first_where,
};
use crate::clip::{Clip, KeyId, KeyTimes, TrackId};

/// More keys than these on the axis are counted and not looked at.
const FEW: usize = 3000;

/// With more curves than this, key shapes are not determined.
const MOST_CURVES: usize = 64;

/// Where the keys of a row are on a [`TimeAxis`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Density {
    /// Separate keys, each by itself, from left to right.
    pub marks: Vec<Mark>,
    /// Where keys are too close to be distinguished, how dense they are, from left to right.
    pub runs: Vec<DensitySpan>,
}

/// A separate key; of several curves, if they have one at the same time.
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
    /// The glyph of the keys at `time`, which are the next ones in `lists`, of those of `visible`
    /// that have any.
    fn at(
        &self,
        time: f64,
        visible: &[Visible<'_>],
        lists: &[Times<'_>],
    ) -> (Glyph, Option<KeyId>) {
        if self.tracks.len() > MOST_CURVES {
            return (Glyph::OTHER, None);
        }
        let of_track = |&track: &TrackId| {
            let list = self.list_of[track.index()];
            let place = visible.binary_search_by_key(&list, |(list, ..)| *list).ok()?;
            let Times { times, next } = lists[place];
            (times.get(next) == Some(&time)).then_some(KeyId { track, index: next })
        };
        let mut found = self.tracks.iter().filter_map(of_track);
        let Some(first) = found.next() else { return (Glyph::OTHER, None) };
        let glyph = |key: KeyId| Glyph::of(&self.clip.track(key.track).curve, key.index);
        (found.map(glyph).fold(glyph(first), Glyph::and), Some(first))
    }
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
            return crowded(&level.on(&Points::of(axis)), densest as f32);
        }
        let visible = self.visible(axis, lists);
        if visible.iter().map(|(_, _, range)| range.len()).sum::<usize>() <= FEW {
            return few(&visible, axis, glyphs);
        }
        let slices = visible.into_iter().map(|(_, times, range)| &times[range]);
        crowded(&Crowd::of_counts(&Points::of(axis).count_keys(slices)), 0.0)
    }

    /// Of its lists those that have keys on `axis`, and which.
    fn visible<'a>(&self, axis: &TimeAxis, lists: &'a [KeyTimes]) -> Vec<Visible<'a>> {
        let mut visible = Vec::with_capacity(self.lists.len());
        let mut guess = 0;
        for &list in &self.lists {
            let times = lists[list as usize].as_slice();
            // Tracks that were recorded together are keyed at about the same rate.
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

/// Keys of lists that are on the axis.
type Visible<'a> = (u32, &'a [f64], Range<usize>);

/// Few keys: separate ones each by itself, the others by their density.
fn few(visible: &[Visible<'_>], axis: &TimeAxis, glyphs: &Glyphs<'_>) -> Density {
    if visible.is_empty() {
        return Density::default();
    }
    let slices = visible.iter().map(|(_, times, range)| &times[range.clone()]);
    let mut counts = Points::of(axis).count_keys(slices);
    let lists = visible.iter().map(|(_, times, range)| Times { times, next: range.start });
    let mut lists: Vec<_> = lists.collect();
    let mut marks = Vec::new();
    take_lone(&mut lists, axis, &mut counts, |Lone { time, room }, lists| {
        let (glyph, key) = glyphs.at(time, visible, lists);
        marks.push(Mark { time, room: room as f32, glyph, key });
    });
    let is_crowded = counts.iter().any(|&keys| keys > 0);
    let runs = if is_crowded { Crowd::of_counts(&counts).runs(0.0) } else { Vec::new() };
    Density { marks, runs }
}

#[cfg(test)]
mod tests;
