//! Indexes the keys of every row, and shares them between rows with the same keys.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    Folds, ItemId, TimeAxis, Tree,
    counts::CountPyramid,
    density::{Density, RowCurves, RowKeys},
};
use mutoscope_core::clip::{Clip, KeyTimes, TrackId};

const MIN_COUNTED_KEYS: usize = 4096;

/// The maximum total number of buckets in all rows. Rows near the top of the tree get buckets
/// first. When no more buckets are left, the keys of a row are counted one by one.
const MAX_BUCKETS: usize = 1 << 23;

/// The maximum total number of tracks that are scanned to find rows with the same keys. The
/// remaining rows are scanned when they are drawn. This happens only in trees that are deeper than
/// those of real recordings.
const MAX_SCANNED_TRACKS: usize = 20_000_000;

/// The keys of a clip, by row. The index is built once, and then provides the keys for any axis.
///
/// Curves that share their key times also share one list here. Rows with the same keys share their
/// key counts.
#[derive(Clone, Debug, Default)]
pub struct KeyIndex {
    tree: Arc<Tree>,
    lists: Vec<KeyTimes>,
    list_of_track: Vec<u32>,
    rows: Vec<Option<Arc<RowKeys>>>,
    all: Arc<RowKeys>,
    folds: Folds,
}

impl KeyIndex {
    /// Indexes the keys of `clip`. `sample_times` must be the [sample times of the
    /// clip](Clip::sample_times).
    pub fn new(clip: &Clip, sample_times: &[f64]) -> Self {
        let tree = Tree::new(clip).into();
        let (lists, list_of_track) = distinct_key_times(clip);
        let mut index = Self { tree, lists, list_of_track, ..Self::default() };
        index.index_rows();
        index.folds = Folds::from_empty_stretches(mark_times(clip, sample_times), clip.span);
        index
    }

    /// Returns the rows.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns the long gaps in which no row has a key or mark.
    pub fn folds(&self) -> &Folds {
        &self.folds
    }

    /// Returns the keys of the row of `id` on `axis`. `clip` must be the clip that was given to
    /// [`new`](Self::new).
    pub fn density(&self, clip: &Clip, id: ItemId, axis: &TimeAxis) -> Density {
        let tracks = self.tree.tracks(id);
        let curves = RowCurves { clip, tracks, list_of_track: &self.list_of_track };
        match &self.rows[id.index()] {
            Some(keys) => keys.density_on(axis, &self.lists, &curves),
            None => {
                RowKeys::new(self.lists_of_tracks(tracks)).density_on(axis, &self.lists, &curves)
            }
        }
    }

    /// Returns the keys of all rows together on `axis`.
    pub fn density_of_all(&self, clip: &Clip, axis: &TimeAxis) -> Density {
        let curves =
            RowCurves { clip, tracks: self.tree.all_tracks(), list_of_track: &self.list_of_track };
        self.all.density_on(axis, &self.lists, &curves)
    }

    /// Returns the number of stored counts, which the index needs in addition to the key times.
    pub fn bucket_count(&self) -> usize {
        let mut seen = HashSet::new();
        let rows = self.rows.iter().flatten().chain([&self.all]);
        let different = rows.filter(|row| seen.insert(Arc::as_ptr(row)));
        different.map(|row| row.counts.as_ref().map_or(0, CountPyramid::len)).sum()
    }

    fn lists_of_tracks(&self, tracks: &[TrackId]) -> Box<[u32]> {
        let mut lists: Vec<u32> = tracks.iter().map(|id| self.list_of_track[id.index()]).collect();
        lists.sort_unstable();
        lists.dedup();
        lists.into()
    }

    fn index_rows(&mut self) {
        let mut known: HashMap<Box<[u32]>, Arc<RowKeys>> = HashMap::new();
        let mut buckets_left = MAX_BUCKETS;
        let mut row_of = |tracks: &[TrackId]| {
            let lists = self.lists_of_tracks(tracks);
            if let Some(row) = known.get(&lists) {
                return row.clone();
            }
            let mut row = RowKeys::new(lists.clone());
            let times = || row.lists.iter().map(|&list| self.lists[list as usize].as_slice());
            let keys: usize = times().map(<[f64]>::len).sum();
            let cost = CountPyramid::bucket_count(keys);
            if keys >= MIN_COUNTED_KEYS && cost <= buckets_left {
                buckets_left -= cost;
                let counts = CountPyramid::new(times());
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
        let mut scanned = 0;
        for id in order {
            let tracks = self.tree.tracks(id);
            scanned += tracks.len();
            if scanned <= MAX_SCANNED_TRACKS {
                rows[id.index()] = Some(row_of(tracks));
            }
        }
        self.rows = rows;
        self.all = all;
    }
}

fn distinct_key_times(clip: &Clip) -> (Vec<KeyTimes>, Vec<u32>) {
    let mut lists: Vec<KeyTimes> = Vec::new();
    let mut known: HashMap<*const f64, u32> = HashMap::new();
    let mut index = |times: &KeyTimes| {
        // Two empty lists may share an address. This is correct, because they are equal.
        *known.entry(times.as_slice().as_ptr()).or_insert_with(|| {
            lists.push(times.clone());
            lists.len() as u32 - 1
        })
    };
    let list_of_track = clip.tracks.iter().map(|track| index(track.curve.times())).collect();
    (lists, list_of_track)
}

/// Returns the times of all marks in any row, ascending. The sample times are merged without
/// copying them, because there may be as many sample times as keys.
fn mark_times(clip: &Clip, sample_times: &[f64]) -> impl Iterator<Item = f64> {
    let events = clip.events.iter().map(|event| event.time);
    let diagnostics = clip.diagnostics.iter().filter_map(|diagnostic| diagnostic.time);
    let mut others: Vec<f64> = events.chain(diagnostics).filter(|time| time.is_finite()).collect();
    others.sort_by(f64::total_cmp);
    let mut samples = sample_times.iter().copied().peekable();
    let mut others = others.into_iter().peekable();
    std::iter::from_fn(move || match (samples.peek(), others.peek()) {
        (Some(sample), Some(other)) if other < sample => others.next(),
        (Some(_), _) => samples.next(),
        (None, _) => others.next(),
    })
}
