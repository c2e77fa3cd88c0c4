//! The keys of every row; which share theirs, none twice.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    Folds, ItemId, TimeAxis, Tree,
    counts::Counts,
    density::{Density, Glyphs, RowKeys},
};
use crate::clip::{Clip, KeyTimes, TrackId};

/// Rows with fewer keys than these are counted key by key.
const WORTH_COUNTING: usize = 4096;

/// This many buckets are made of all rows together; what is left then is counted key by key. A row
/// at the top goes before those below it.
const MOST_BUCKETS: usize = 1 << 23;

/// This many tracks are looked through to see which rows have the same keys, before rows are left
/// to be looked through when they are drawn: in trees as deep as no recording's.
const MOST_LOOKED_THROUGH: usize = 20_000_000;

/// Where the keys of a clip are, row by row: made once, for any axis to be filled from.
///
/// Key times that curves share are held once, here as in the clip; rows with the same keys share
/// what is counted of them.
#[derive(Clone, Debug, Default)]
pub struct KeyIndex {
    tree: Arc<Tree>,
    /// The different key times of all tracks.
    lists: Vec<KeyTimes>,
    /// Of each track of the clip the index of its key times.
    list_of: Vec<u32>,
    /// The keys of each item's row, once they are indexed.
    rows: Vec<Option<Arc<RowKeys>>>,
    /// The keys of all rows together.
    all: Arc<RowKeys>,
    folds: Folds,
}

impl KeyIndex {
    /// Looks at every key of `clip` a few times. `sample_times` are
    /// [its own](Clip::sample_times).
    pub fn new(clip: &Clip, sample_times: &[f64]) -> Self {
        let tree = Tree::new(clip).into();
        let (lists, list_of) = different_lists(clip);
        let mut index = Self { tree, lists, list_of, ..Self::default() };
        index.find_rows();
        index.folds = Folds::of_empty_stretches(moments(clip, sample_times), clip.span);
        index
    }

    /// The rows.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// The long stretches in which no row has anything.
    pub fn folds(&self) -> &Folds {
        &self.folds
    }

    /// The keys of the row of `id` on `axis`. `clip` is the one that this was made of.
    pub fn density(&self, clip: &Clip, id: ItemId, axis: &TimeAxis) -> Density {
        let tracks = self.tree.tracks(id);
        let glyphs = Glyphs { clip, tracks, list_of: &self.list_of };
        match &self.rows[id.index()] {
            Some(keys) => keys.on(axis, &self.lists, &glyphs),
            None => RowKeys::new(self.lists_of(tracks)).on(axis, &self.lists, &glyphs),
        }
    }

    /// The keys of all rows together on `axis`.
    pub fn density_of_all(&self, clip: &Clip, axis: &TimeAxis) -> Density {
        let glyphs = Glyphs { clip, tracks: self.tree.all_tracks(), list_of: &self.list_of };
        self.all.on(axis, &self.lists, &glyphs)
    }

    /// The number of counts kept besides the key times themselves.
    pub fn buckets(&self) -> usize {
        let mut seen = HashSet::new();
        let rows = self.rows.iter().flatten().chain([&self.all]);
        let different = rows.filter(|row| seen.insert(Arc::as_ptr(row)));
        different.map(|row| row.counts.as_ref().map_or(0, Counts::len)).sum()
    }

    /// The indices of the different key times of `tracks`, ascending.
    fn lists_of(&self, tracks: &[TrackId]) -> Box<[u32]> {
        let mut lists: Vec<u32> = tracks.iter().map(|id| self.list_of[id.index()]).collect();
        lists.sort_unstable();
        lists.dedup();
        lists.into()
    }

    fn find_rows(&mut self) {
        let mut known: HashMap<Box<[u32]>, Arc<RowKeys>> = HashMap::new();
        let mut left = MOST_BUCKETS;
        let mut row_of = |tracks: &[TrackId]| {
            let lists = self.lists_of(tracks);
            if let Some(row) = known.get(&lists) {
                return row.clone();
            }
            let mut row = RowKeys::new(lists.clone());
            let times = || row.lists.iter().map(|&list| self.lists[list as usize].as_slice());
            let keys: usize = times().map(<[f64]>::len).sum();
            let cost = Counts::bucket_count(keys);
            if keys >= WORTH_COUNTING && cost <= left {
                left -= cost;
                let counts = Counts::new(times());
                row.counts = counts;
            }
            let row = Arc::new(row);
            known.insert(lists, row.clone());
            row
        };
        let all = row_of(self.tree.all_tracks());
        let mut order: Vec<ItemId> = self.tree.ids().collect();
        order.sort_by_key(|id| self.tree.item(*id).depth);
        let mut rows = vec![None; order.len()];
        let mut looked_through = 0;
        for id in order {
            let tracks = self.tree.tracks(id);
            looked_through += tracks.len();
            if looked_through <= MOST_LOOKED_THROUGH {
                rows[id.index()] = Some(row_of(tracks));
            }
        }
        self.rows = rows;
        self.all = all;
    }
}

/// The different key times of a clip's tracks, and for each track the index of its own.
fn different_lists(clip: &Clip) -> (Vec<KeyTimes>, Vec<u32>) {
    let mut lists: Vec<KeyTimes> = Vec::new();
    let mut known: HashMap<*const f64, u32> = HashMap::new();
    let mut index = |times: &KeyTimes| {
        // Lists without keys may all be at one place.
        *known.entry(times.as_slice().as_ptr()).or_insert_with(|| {
            lists.push(times.clone());
            lists.len() as u32 - 1
        })
    };
    let list_of = clip.tracks.iter().map(|track| index(track.curve.times())).collect();
    (lists, list_of)
}

/// The times of all marks in any row, ascending.
///
/// Sample times may be as many as keys, so they are not copied.
fn moments(clip: &Clip, sample_times: &[f64]) -> impl Iterator<Item = f64> {
    let events = clip.events.iter().map(|event| event.time);
    let notices = clip.notices.iter().filter_map(|notice| notice.time);
    let mut others: Vec<f64> = events.chain(notices).filter(|time| time.is_finite()).collect();
    others.sort_by(f64::total_cmp);
    let mut samples = sample_times.iter().copied().peekable();
    let mut others = others.into_iter().peekable();
    std::iter::from_fn(move || match (samples.peek(), others.peek()) {
        (Some(sample), Some(other)) if other < sample => others.next(),
        (Some(_), _) => samples.next(),
        (None, _) => others.next(),
    })
}
