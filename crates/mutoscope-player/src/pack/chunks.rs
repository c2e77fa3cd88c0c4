//! Curves cut into chunks of time, so that a page unpacks what it is about to play.
//!
//! A chunk has the distinct times of its keys once; a key names its time by index, as the difference
//! from that of the key before. The values of all curves follow, curve by curve and axis by axis, so that
//! what is alike is side by side when it is compressed.

use mutoscope_core::export::traced::{Interpolate, Key, KeyedCurve, SegmentKind};

use super::bytes::Bytes;

/// The shortest difference of times that is kept, in seconds.
const TICK: f64 = 1e-7;

/// How long a chunk is, in seconds, if there is enough in it.
const LENGTH: f64 = 20.0;

/// The least keys of a recording for each chunk: so the number of chunks depends on the file, not on a
/// declared duration.
const KEYS: usize = 2000;

/// The most chunks.
const MOST: f64 = 4096.0;

/// The chunks of a recording.
#[derive(Debug)]
pub(super) struct Chunks {
    /// Where they begin, and where the last ends, in seconds.
    pub(super) bounds: Vec<f64>,
    /// The length of a tick in seconds; nothing where times are kept as they are.
    pub(super) tick: Option<f64>,
    /// Times at which the result is compared with the recording, ascending.
    pub(super) checks: Vec<f64>,
    pieces: Vec<Vec<Piece>>,
}

/// A curve within a chunk.
#[derive(Debug)]
struct Piece {
    /// In ticks from the start of the chunk, or in seconds.
    times: Vec<f64>,
    /// The keys that hold, by index.
    holds: Vec<usize>,
    values: Vec<u8>,
}

impl Chunks {
    /// The chunks between two times of a recording with this many keys; `checks` are ascending.
    pub(super) fn new(from: f64, to: f64, key_count: usize, exact: bool, checks: Vec<f64>) -> Self {
        let wanted = ((to - from) / LENGTH).ceil();
        let count = wanted.clamp(1.0, MOST).min((key_count / KEYS).max(1) as f64);
        let bound = |index: u32| match f64::from(index) {
            index if index == count => to,
            index => from + (to - from) * (index / count),
        };
        let bounds: Vec<f64> = (0..=count as u32).map(bound).collect();
        let tick = (!exact).then(|| TICK.max((to - from) / count / (1_u64 << 48) as f64));
        let pieces = (1..bounds.len()).map(|_| Vec::new()).collect();
        Self { bounds, tick, checks, pieces }
    }

    /// Adds a curve; `store` writes values and returns them as they will be read. Returns the curve as it
    /// will be read, at each of the times to check.
    pub(super) fn add<T: Interpolate>(
        &mut self,
        curve: &KeyedCurve<T>,
        mut store: impl FnMut(&[T], &mut Bytes) -> Vec<T>,
    ) -> Vec<T> {
        let mut read = Vec::with_capacity(self.checks.len());
        let last = self.pieces.len() - 1;
        for (index, pieces) in self.pieces.iter_mut().enumerate() {
            let [from, to] = [self.bounds[index], self.bounds[index + 1]];
            let keys = within(curve, from, to);
            let (piece, stored) = piece(&keys, from, self.tick, &mut store);
            pieces.push(piece);
            let checks = self.checks[read.len()..].iter().copied();
            read.extend(
                checks.take_while(|time| *time < to || index == last).map(|t| stored.at(t)),
            );
        }
        read
    }

    /// The bytes of each chunk.
    pub(super) fn bytes(self) -> impl Iterator<Item = Vec<u8>> {
        let is_exact = self.tick.is_none();
        self.pieces.into_iter().map(move |pieces| bytes(pieces, is_exact))
    }
}

/// The keys of a curve from one time to another, with keys at both.
fn within<T: Interpolate>(curve: &KeyedCurve<T>, from: f64, to: f64) -> Vec<Key<T>> {
    let keys = curve.keys();
    let first = keys.partition_point(|key| key.time <= from);
    let last = keys.partition_point(|key| key.time < to);
    let segment = match first.checked_sub(1) {
        Some(before) => keys[before].segment,
        None => SegmentKind::Constant,
    };
    let mut within = vec![Key { time: from, value: curve.at(from), segment }];
    within.extend_from_slice(keys.get(first..last).unwrap_or_default());
    if within.iter().any(|key| key.value != within[0].value) || curve.at(to) != within[0].value {
        within.push(Key { time: to, value: curve.at(to), segment: SegmentKind::Constant });
    }
    within
}

fn piece<T: Interpolate>(
    keys: &[Key<T>],
    from: f64,
    tick: Option<f64>,
    store: &mut impl FnMut(&[T], &mut Bytes) -> Vec<T>,
) -> (Piece, KeyedCurve<T>) {
    let time = |time: f64| tick.map_or(time, |tick| ((time - from) / tick).round());
    let stored_time = |time: f64| tick.map_or(time, |tick| from + time * tick);
    let mut values = Bytes::default();
    let all: Vec<T> = keys.iter().map(|key| key.value).collect();
    let mut read = store(&all, &mut values);
    let mut keys = keys;
    if read.iter().all(|value| *value == read[0]) {
        keys = &keys[..1];
        values = Bytes::default();
        read = store(&all[..1], &mut values);
    }
    let times: Vec<f64> = keys.iter().map(|key| time(key.time)).collect();
    let is_held = |index: &usize| keys[*index].segment == SegmentKind::Hold;
    let holds = (0..keys.len()).filter(is_held).collect();
    let stored = keys.iter().zip(&times).zip(&read).map(|((key, &time), &value)| Key {
        time: stored_time(time),
        value,
        segment: key.segment,
    });
    let stored = KeyedCurve::new(stored.collect());
    (Piece { times, holds, values: values.0 }, stored)
}

fn bytes(pieces: Vec<Piece>, is_exact: bool) -> Vec<u8> {
    let mut times: Vec<f64> = pieces.iter().flat_map(|piece| piece.times.iter().copied()).collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let mut out = Bytes::default();
    out.count(times.len() as u64);
    let mut before = 0.0;
    for &time in &times {
        if is_exact {
            out.double(time);
        } else {
            out.count((time - before) as u64);
            before = time;
        }
    }
    for piece in &pieces {
        out.count(piece.times.len() as u64);
        let mut before = 0;
        for time in &piece.times {
            let index = times.partition_point(|known| known < time);
            out.count((index - before) as u64);
            before = index;
        }
        out.count(piece.holds.len() as u64);
        let mut before = 0;
        for &hold in &piece.holds {
            out.count((hold - before) as u64);
            before = hold;
        }
    }
    pieces.iter().for_each(|piece| out.0.extend_from_slice(&piece.values));
    out.0
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn key(time: f64, x: f64, segment: SegmentKind) -> Key<DVec3> {
        Key { time, value: DVec3::X * x, segment }
    }

    fn curve() -> KeyedCurve<DVec3> {
        KeyedCurve::new(vec![
            key(0.0, 0.0, SegmentKind::Linear),
            key(15.0, 1.5, SegmentKind::Hold),
            key(30.0, 9.0, SegmentKind::Linear),
            key(50.0, 5.0, SegmentKind::Constant),
            key(60.0, 5.0, SegmentKind::Constant),
        ])
    }

    #[test]
    fn chunks_have_keys_at_both_ends_and_run_on() {
        let checks: Vec<f64> = (0..=600).map(|step| f64::from(step) * 0.1).collect();
        let mut chunks = Chunks::new(0.0, 60.0, 10_000, false, checks.clone());
        assert_eq!(chunks.bounds, [0.0, 20.0, 40.0, 60.0]);
        let read = chunks.add(&curve(), |values, _| values.to_vec());
        assert_eq!(read.len(), checks.len());
        for (time, read) in checks.iter().zip(&read) {
            assert!(read.distance(curve().at(*time)) < 1e-6, "{time}: {read}");
        }
        assert_eq!(
            chunks.pieces.iter().map(|one| one[0].times.len()).collect::<Vec<_>>(),
            [3, 3, 3]
        );
    }

    #[test]
    fn the_number_of_chunks_goes_by_the_keys() {
        let count = |to: f64, keys| Chunks::new(0.0, to, keys, false, Vec::new()).bounds.len() - 1;
        assert_eq!([count(1e15, 2), count(3600.0, 1_000_000), count(0.0, 50)], [1, 180, 1]);
        assert_eq!(count(1e15, usize::MAX), 4096);
    }

    #[test]
    fn what_stands_still_is_one_key() {
        let mut chunks = Chunks::new(0.0, 1.0, 0, false, vec![0.5]);
        let read = chunks.add(&KeyedCurve::still(DVec3::Y), |values, _| values.to_vec());
        assert_eq!((read, chunks.pieces[0][0].times.len()), (vec![DVec3::Y], 1));
    }
}
