//! Cuts curves into chunks of time, so that a page only unpacks what it is about to play.
//!
//! A chunk stores the distinct times of its keys once. A key refers to its time by index, stored as
//! the difference from the index of the previous key. The values of all curves follow, curve by
//! curve and axis by axis, because similar values compress better next to each other.

use mutoscope_core::export::traced::{Interpolate, Key, KeyedCurve, SegmentKind};

use super::{
    bytes::ByteWriter,
    quantise::{Quantise, Stored, quantise_all, write_columns},
    spline::{self, Fit, Smooth},
};

/// The bytes that tell the player how a curve is stored.
const LINES: u8 = 0;
const SPLINE: u8 = 1;

/// The shares of an error bound for removing keys and for quantisation. The remaining share is for
/// tracing, which approximates the curves by linear keys.
pub(super) const SIMPLIFICATION_SHARE: f64 = 0.45;
const QUANTISATION_SHARE: f64 = 0.45;

/// The share of an error bound that a spline may use. It includes quantisation, because a spline is
/// compared with the curve as it will be read.
const SPLINE_SHARE: f64 = 0.75;

/// A spline is only stored if it has at most this many knots for each key that straight lines need,
/// because each corner takes another byte.
const MAX_KNOT_SHARE: f64 = 0.9;

const MIN_TICK_S: f64 = 1e-7;

const CHUNK_LENGTH_S: f64 = 20.0;

/// The smallest number of keys per chunk. It limits the number of chunks by the number of keys,
/// because a small file can declare any duration.
const MIN_KEYS_PER_CHUNK: usize = 2000;

const MAX_CHUNKS: f64 = 4096.0;

#[derive(Debug)]
pub(super) struct Chunks {
    /// The starts of all chunks, and the end of the last, in seconds.
    pub(super) boundaries: Vec<f64>,
    /// The length of a tick in seconds. If it is `None`, the key times are stored as f64 seconds.
    pub(super) tick: Option<f64>,
    /// The sorted times at which the stored curves are compared with the recording.
    pub(super) check_times: Vec<f64>,
    curves: Vec<Vec<ChunkCurve>>,
}

#[derive(Debug)]
struct ChunkCurve {
    /// The key times: in ticks from the start of the chunk if there is a tick, otherwise in
    /// seconds.
    times: Vec<f64>,
    shape: Shape,
    values: Vec<u8>,
}

#[derive(Debug)]
enum Shape {
    /// Straight lines between keys, except from the keys that hold their values.
    Lines { holds: Vec<usize> },
    /// A spline, which may have corners at some keys.
    Spline { corners: Vec<usize> },
}

impl ChunkCurve {
    fn with_lines<T>(keys: &[Key<T>], times: Vec<f64>, values: Vec<u8>) -> Self {
        let is_held = |index: &usize| keys[*index].segment == SegmentKind::Hold;
        let shape = Shape::Lines { holds: (0..keys.len()).filter(is_held).collect() };
        Self { times, shape, values }
    }
}

impl Chunks {
    /// Divides the time between `from` and `to` into chunks. `checks` must be sorted.
    pub(super) fn new(
        from: f64,
        to: f64,
        key_count: usize,
        exact: bool,
        check_times: Vec<f64>,
    ) -> Self {
        let preferred = ((to - from) / CHUNK_LENGTH_S).ceil();
        let count =
            preferred.clamp(1.0, MAX_CHUNKS).min((key_count / MIN_KEYS_PER_CHUNK).max(1) as f64);
        let bound = |index: u32| match f64::from(index) {
            index if index == count => to,
            index => from + (to - from) * (index / count),
        };
        let boundaries: Vec<f64> = (0..=count as u32).map(bound).collect();
        let tick = (!exact).then(|| MIN_TICK_S.max((to - from) / count / (1_u64 << 48) as f64));
        let curves = (1..boundaries.len()).map(|_| Vec::new()).collect();
        Self { boundaries, tick, check_times, curves }
    }

    /// Returns empty chunks with the same boundaries, which a thread fills with the curves of a node.
    pub(super) fn without_curves(&self) -> Self {
        Self {
            boundaries: self.boundaries.clone(),
            tick: self.tick,
            check_times: self.check_times.clone(),
            curves: self.curves.iter().map(|_| Vec::new()).collect(),
        }
    }

    /// Adds the curves of `other`, which has the same boundaries.
    pub(super) fn append(&mut self, other: Self) {
        self.curves.iter_mut().zip(other.curves).for_each(|(chunk, curves)| chunk.extend(curves));
    }

    /// Adds a curve to all chunks. `write` writes a value without loss.
    ///
    /// Returns the value of the stored curve at each check time.
    pub(super) fn add_exact_curve<T: Interpolate>(
        &mut self,
        curve: &KeyedCurve<T>,
        write: impl Fn(T, &mut ByteWriter),
    ) -> Vec<T> {
        self.add_chunk_curves(|from, to, tick, check_times| {
            let mut keys = keys_within(curve, from, to);
            if keys.iter().all(|key| key.value == keys[0].value) {
                keys.truncate(1);
            }
            let mut values = ByteWriter::default();
            keys.iter().for_each(|key| write(key.value, &mut values));
            let mut times: Vec<f64> = keys.iter().map(|key| key.time).collect();
            if let Some(tick) = tick {
                times = to_ticks(&keys, from, tick);
                let stored = times.iter().map(|time| from + time * tick);
                keys.iter_mut().zip(stored).for_each(|(key, time)| key.time = time);
            }
            let chunk_curve = ChunkCurve::with_lines(&keys, times, values.0);
            let stored = KeyedCurve::new(keys);
            (chunk_curve, check_times.iter().map(|&time| stored.value_at(time)).collect())
        })
    }

    /// Adds a curve to all chunks, as a spline or as straight lines between the keys that `simplify`
    /// keeps, whichever needs fewer keys. The stored curve is within `bound` of `curve` if `simplify`
    /// stays within [`SIMPLIFICATION_SHARE`] of `bound`.
    ///
    /// Returns the value of the stored curve at each check time.
    pub(super) fn add_curve<T: Smooth + Quantise>(
        &mut self,
        curve: &KeyedCurve<T>,
        simplify: impl Fn(&KeyedCurve<T>) -> KeyedCurve<T>,
        bound: f64,
    ) -> Vec<T> {
        let values = curve.keys().iter().map(|key| key.value);
        let step = T::grid_step(values, QUANTISATION_SHARE * bound);
        self.add_chunk_curves(|from, to, tick, check_times| {
            let tick = tick.expect("only exact pages have no ticks");
            let check_times: Vec<f64> =
                check_times.iter().map(|time| (time - from) / tick).collect();
            let curve = KeyedCurve::new(keys_within(curve, from, to));
            let times = to_ticks(curve.keys(), from, tick);
            let max_knots = (MAX_KNOT_SHARE * times.len() as f64) as usize;
            let tolerance = SPLINE_SHARE * bound;
            let fit = spline::fit(curve.keys(), &times, tick, tolerance, max_knots, step);
            match choose_shape(&curve, fit, &simplify) {
                Chosen::Spline(Fit { spline, corners, knots }) => {
                    let read = check_times.iter().map(|&time| spline.value_at(time)).collect();
                    let values = encode_values(&knots, &spline.times, step);
                    let shape = Shape::Spline { corners };
                    (ChunkCurve { times: spline.times, shape, values }, read)
                }
                Chosen::Lines(lines) => {
                    let (lines, stored) = build_lines(lines.keys(), from, tick, step);
                    (lines, check_times.iter().map(|&time| stored.value_at(time)).collect())
                }
            }
        })
    }

    /// Adds the chunk curve that `build` returns to each chunk. `build` gets the start and the end
    /// of a chunk, the tick, and the check times within the chunk, and also returns the stored
    /// values at these.
    fn add_chunk_curves<T>(
        &mut self,
        build: impl Fn(f64, f64, Option<f64>, &[f64]) -> (ChunkCurve, Vec<T>),
    ) -> Vec<T> {
        let mut read = Vec::with_capacity(self.check_times.len());
        let last = self.curves.len() - 1;
        for (index, curves) in self.curves.iter_mut().enumerate() {
            let [from, to] = [self.boundaries[index], self.boundaries[index + 1]];
            let mut checks = &self.check_times[read.len()..];
            if index < last {
                checks = &checks[..checks.partition_point(|time| *time < to)];
            }
            let (chunk_curve, values) = build(from, to, self.tick, checks);
            curves.push(chunk_curve);
            read.extend(values);
        }
        read
    }

    pub(super) fn into_chunk_bytes(self) -> impl Iterator<Item = Vec<u8>> {
        let is_exact = self.tick.is_none();
        self.curves.into_iter().map(move |curves| encode_chunk(curves, is_exact))
    }
}

fn keys_within<T: Interpolate>(curve: &KeyedCurve<T>, from: f64, to: f64) -> Vec<Key<T>> {
    let keys = curve.keys();
    let first = keys.partition_point(|key| key.time <= from);
    let last = keys.partition_point(|key| key.time < to);
    let segment = match first.checked_sub(1) {
        Some(previous) => keys[previous].segment,
        None => SegmentKind::Constant,
    };
    let mut within = vec![Key { time: from, value: curve.value_at(from), segment }];
    within.extend_from_slice(keys.get(first..last).unwrap_or_default());
    if within.iter().any(|key| key.value != within[0].value)
        || curve.value_at(to) != within[0].value
    {
        within.push(Key { time: to, value: curve.value_at(to), segment: SegmentKind::Constant });
    }
    within
}

/// Returns the times of keys in ticks from `from`.
fn to_ticks<T>(keys: &[Key<T>], from: f64, tick: f64) -> Vec<f64> {
    keys.iter().map(|key| ((key.time - from) / tick).round()).collect()
}

/// Stores `keys`. If all their stored values are equal, only the first key is stored. Also returns
/// the stored curve, whose times are in ticks from `from`.
fn build_lines<T: Interpolate + Quantise>(
    keys: &[Key<T>],
    from: f64,
    tick: f64,
    step: f64,
) -> (ChunkCurve, KeyedCurve<T>) {
    let mut keys = keys;
    let mut quantised = quantise_all(keys.iter().map(|key| key.value), step);
    if quantised.iter().all(|value| value.read == quantised[0].read) {
        keys = &keys[..1];
        quantised.truncate(1);
    }
    let times = to_ticks(keys, from, tick);
    let values = encode_values(&quantised, &times, step);
    let stored = keys.iter().zip(&times).zip(quantised);
    let stored =
        stored.map(|((key, &time), Stored { read, .. })| Key { time, value: read, ..*key });
    let stored = KeyedCurve::new(stored.collect());
    (ChunkCurve::with_lines(keys, times, values), stored)
}

/// How a curve is stored within a chunk.
enum Chosen<T> {
    Spline(Fit<T>),
    Lines(KeyedCurve<T>),
}

/// Chooses the spline, or the straight lines between the keys that `simplify` keeps, whichever needs
/// fewer keys.
fn choose_shape<T: Interpolate>(
    curve: &KeyedCurve<T>,
    fit: Option<Fit<T>>,
    simplify: impl Fn(&KeyedCurve<T>) -> KeyedCurve<T>,
) -> Chosen<T> {
    const RUNS: usize = 4;
    const RUN_KEYS: usize = 64;
    let Some(fit) = fit else { return Chosen::Lines(simplify(curve)) };
    let is_smaller = |line_keys: f64| fit.knots.len() as f64 <= MAX_KNOT_SHARE * line_keys;
    // Simplifying all keys takes a third of the time of fitting, so simplify a few runs of keys first.
    // Often these already show that straight lines need more keys.
    let keys = curve.keys();
    if keys.len() > RUNS * RUN_KEYS {
        let run = |index: usize| keys[index * (keys.len() / RUNS)..][..RUN_KEYS].to_vec();
        let count = |index| simplify(&KeyedCurve::new(run(index))).keys().len() - 1;
        let line_keys: usize = (0..RUNS).map(count).sum();
        let share = line_keys as f64 / (RUNS * (RUN_KEYS - 1)) as f64;
        if is_smaller(share * keys.len() as f64) {
            return Chosen::Spline(fit);
        }
    }
    let lines = simplify(curve);
    match is_smaller(lines.keys().len() as f64) {
        true => Chosen::Spline(fit),
        false => Chosen::Lines(lines),
    }
}

fn encode_values<T>(values: &[Stored<T>], times: &[f64], step: f64) -> Vec<u8> {
    let mut out = ByteWriter::default();
    out.write_f64(step);
    let column = |axis: usize| values.iter().map(|value| value.integers[axis]).collect();
    write_columns(&std::array::from_fn(column), times, &mut out);
    out.0
}

fn encode_chunk(curves: Vec<ChunkCurve>, is_exact: bool) -> Vec<u8> {
    let mut times: Vec<f64> =
        curves.iter().flat_map(|chunk_curve| chunk_curve.times.iter().copied()).collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let mut out = ByteWriter::default();
    out.write_varint(times.len() as u64);
    let mut previous = 0.0;
    for &time in &times {
        if is_exact {
            out.write_f64(time);
        } else {
            out.write_varint((time - previous) as u64);
            previous = time;
        }
    }
    for chunk_curve in &curves {
        out.write_varint(chunk_curve.times.len() as u64);
        let mut previous = 0;
        for time in &chunk_curve.times {
            let index = times.partition_point(|known| known < time);
            out.write_varint((index - previous) as u64);
            previous = index;
        }
        let (kind, marked) = match &chunk_curve.shape {
            Shape::Lines { holds } => (LINES, holds),
            Shape::Spline { corners } => (SPLINE, corners),
        };
        out.write_u8(kind);
        out.write_varint(marked.len() as u64);
        let mut previous = 0;
        for &index in marked {
            out.write_varint((index - previous) as u64);
            previous = index;
        }
    }
    curves.iter().for_each(|chunk_curve| out.0.extend_from_slice(&chunk_curve.values));
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
    fn chunks_join_without_gaps() {
        let checks: Vec<f64> = (0..=600).map(|step| f64::from(step) * 0.1).collect();
        let mut chunks = Chunks::new(0.0, 60.0, 10_000, false, checks.clone());
        assert_eq!(chunks.boundaries, [0.0, 20.0, 40.0, 60.0]);
        let read = chunks.add_exact_curve(&curve(), |value, out| out.write_f64(value.x));
        assert_eq!(read.len(), checks.len());
        for (time, read) in checks.iter().zip(&read) {
            assert!(read.distance(curve().value_at(*time)) < 1e-6, "{time}: {read}");
        }
        assert_eq!(
            chunks.curves.iter().map(|curves| curves[0].times.len()).collect::<Vec<_>>(),
            [3, 3, 3]
        );
    }

    #[test]
    fn number_of_chunks_depends_on_the_number_of_keys() {
        let count =
            |to: f64, keys| Chunks::new(0.0, to, keys, false, Vec::new()).boundaries.len() - 1;
        assert_eq!([count(1e15, 2), count(3600.0, 1_000_000), count(0.0, 50)], [1, 180, 1]);
        assert_eq!(count(1e15, usize::MAX), 4096);
    }

    #[test]
    fn constant_curve_becomes_a_single_key() {
        let mut chunks = Chunks::new(0.0, 1.0, 0, false, vec![0.5]);
        let constant = KeyedCurve::constant(DVec3::Y);
        let read = chunks.add_exact_curve(&constant, |value, out| out.write_f64(value.y));
        assert_eq!((read, chunks.curves[0][0].times.len()), (vec![DVec3::Y], 1));
    }
}
