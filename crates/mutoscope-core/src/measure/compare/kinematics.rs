//! Samples the velocity and acceleration of one joint where they are needed, and keeps the samples.

use std::{collections::HashMap, ops::RangeInclusive};

use glam::DVec3;

use super::Path;
use crate::clip::{AnyCurve, Clip, Interpolation, NodeId};

const DEFAULT_SPACING_S: f64 = 1.0 / 60.0;

/// The allowed range of the finest sample interval, in seconds. Recorders take at least ten samples
/// per second, so a longer gap between keys was made by an animator.
const SPACING_RANGE_S: RangeInclusive<f64> = 0.001..=0.1;

const MAX_CHUNKS: usize = 1 << 12;

const MAX_MEASURED_GAPS: usize = 1000;

/// The velocity and acceleration of a joint at one time, in the viewer's space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KinematicSample {
    /// The velocity in m/s, or `None` while the joint is hidden.
    pub velocity: Option<DVec3>,
    /// The acceleration in m/s², or `None` if the joint is hidden at this sample, the one before or
    /// the one after.
    pub acceleration: Option<DVec3>,
}

/// A derivative of the position with respect to time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KinematicQuantity {
    /// The first derivative of the position.
    Velocity,
    /// The second derivative of the position.
    Acceleration,
}

impl KinematicQuantity {
    /// Both quantities.
    pub const ALL: [Self; 2] = [Self::Velocity, Self::Acceleration];
}

/// The magnitude or one component of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorComponent {
    /// The length of the vector.
    Magnitude,
    /// The component along X, to the right.
    X,
    /// The component along Y, upwards.
    Y,
    /// The component along Z, to the back.
    Z,
}

impl VectorComponent {
    /// The magnitude and all components.
    pub const ALL: [Self; 4] = [Self::Magnitude, Self::X, Self::Y, Self::Z];

    fn of_vector(self, vector: DVec3) -> f64 {
        match self {
            Self::Magnitude => vector.length(),
            Self::X => vector.x,
            Self::Y => vector.y,
            Self::Z => vector.z,
        }
    }
}

impl KinematicSample {
    /// Returns one component of a quantity, in m/s or m/s², or `None` if the quantity is missing or
    /// not finite.
    pub fn value(&self, quantity: KinematicQuantity, component: VectorComponent) -> Option<f64> {
        let vector = match quantity {
            KinematicQuantity::Velocity => self.velocity,
            KinematicQuantity::Acceleration => self.acceleration,
        };
        vector.map(|vector| component.of_vector(vector)).filter(|value| value.is_finite())
    }
}

/// A level of detail. Level 0 has the finest sample interval, and each level doubles the interval
/// of the level before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DetailLevel(u32);

/// The velocity and acceleration of one joint over a whole recording.
///
/// Samples are evenly spaced from the start of the recording. If the joint moves in straight lines
/// between its keys, the sample interval is the key interval. Otherwise the velocity would be a
/// step function. For other motion, there are 60 samples per second. Velocity and acceleration are
/// finite differences of [`Path`] positions.
#[derive(Clone, Debug)]
pub struct Kinematics {
    joint: NodeId,
    start: f64,
    duration: f64,
    spacing: f64,
    chunks: HashMap<(DetailLevel, usize), Box<[KinematicSample]>>,
    bounds: [[Option<(f64, f64)>; VectorComponent::ALL.len()]; KinematicQuantity::ALL.len()],
}

impl Kinematics {
    /// The number of samples in a chunk.
    pub const CHUNK_LEN: usize = 64;

    /// Prepares to sample `joint` in `clip`. The samples are taken later, by
    /// [`prepare`](Self::prepare).
    pub fn new(clip: &Clip, joint: NodeId) -> Self {
        let crate::clip::Span { start, duration } = clip.span;
        let (spacing, chunks) = (finest_spacing(clip, joint), HashMap::new());
        Self { joint, start, duration, spacing, chunks, bounds: Default::default() }
    }

    /// Returns the finest level of detail at which a window of `seconds` has at most `max_samples`
    /// samples.
    pub fn detail_for(&self, seconds: f64, max_samples: usize) -> DetailLevel {
        let ratio = seconds / (self.spacing * max_samples.max(1) as f64);
        // The cast turns NaN into 0. Above level 1020, the interval could overflow.
        DetailLevel(ratio.log2().ceil().clamp(0.0, 1020.0) as u32)
    }

    /// Returns the sample interval at `detail`, in seconds.
    pub fn interval(&self, detail: DetailLevel) -> f64 {
        self.spacing * f64::from(detail.0).exp2()
    }

    /// Samples the chunks of `window`, in seconds, that are not sampled yet. At most `budget`
    /// chunks are sampled, and their number is subtracted from `budget`. Each chunk has
    /// [`CHUNK_LEN`](Self::CHUNK_LEN) samples. Returns `true` if the whole window is sampled.
    /// `clip` must be the clip that was given to [`new`](Self::new).
    pub fn prepare(
        &mut self,
        clip: &Clip,
        detail: DetailLevel,
        window: &RangeInclusive<f64>,
        budget: &mut usize,
    ) -> bool {
        let (first, last) = self.indices(detail, window).into_inner();
        let touched = first / Self::CHUNK_LEN..=last / Self::CHUNK_LEN;
        let is_missing = |chunk: &usize| !self.chunks.contains_key(&(detail, *chunk));
        let missing: Vec<usize> = touched.clone().filter(is_missing).take(*budget + 1).collect();
        if !missing.is_empty() && self.chunks.len() > MAX_CHUNKS {
            self.chunks.retain(|(level, chunk), _| *level == detail && touched.contains(chunk));
        }
        for &chunk in missing.iter().take(*budget) {
            let samples = self.sample_chunk(clip, detail, chunk);
            self.extend_bounds(&samples);
            self.chunks.insert((detail, chunk), samples);
        }
        let is_complete = missing.len() <= *budget;
        *budget -= missing.len().min(*budget);
        is_complete
    }

    /// Returns the times and samples within `window`, in seconds, and the next sample on either
    /// side of it. Samples that are not taken yet are skipped.
    pub fn samples(
        &self,
        detail: DetailLevel,
        window: &RangeInclusive<f64>,
    ) -> impl Iterator<Item = (f64, KinematicSample)> {
        let (interval, start) = (self.interval(detail), self.start);
        let sample = move |index| Some((start + index as f64 * interval, self.get(detail, index)?));
        let (first, last) = self.indices(detail, window).into_inner();
        self.sampled_chunks(detail, first / Self::CHUNK_LEN..=last / Self::CHUNK_LEN)
            .into_iter()
            .flat_map(move |chunk| {
                let from = chunk * Self::CHUNK_LEN;
                (from.max(first)..=from.saturating_add(Self::CHUNK_LEN - 1).min(last))
                    .filter_map(sample)
            })
    }

    /// Returns the indices of the sampled chunks within `touched`, in ascending order. If `touched`
    /// has more indices than there are sampled chunks, the sampled chunks are filtered instead,
    /// because a window of years touches too many.
    fn sampled_chunks(&self, detail: DetailLevel, touched: RangeInclusive<usize>) -> Vec<usize> {
        if touched.end().saturating_sub(*touched.start()) <= self.chunks.len() {
            return touched.filter(|chunk| self.chunks.contains_key(&(detail, *chunk))).collect();
        }
        let at_level =
            self.chunks.keys().filter(|(level, _)| *level == detail).map(|(_, chunk)| *chunk);
        let mut sampled: Vec<usize> = at_level.filter(|chunk| touched.contains(chunk)).collect();
        sampled.sort_unstable();
        sampled
    }

    /// Returns the sample at `time`, in seconds, with linear interpolation between samples. The
    /// result is empty outside of the recording, and where no samples are taken yet.
    pub fn sample_at(&self, detail: DetailLevel, time: f64) -> KinematicSample {
        let steps = (time - self.start) / self.interval(detail);
        // Tolerate a small error, because rounding may put the first or last sample slightly
        // outside of the recording.
        let (left, last) = ((steps + 1e-9).floor(), self.sample_count(detail) - 1);
        if !(0.0..=last as f64).contains(&left) {
            return KinematicSample::default();
        }
        let before = self.get(detail, left as usize).unwrap_or_default();
        let share = (steps - left).max(0.0);
        if share < 1e-9 {
            return before;
        }
        let after = self.get(detail, left as usize + 1).unwrap_or_default();
        let interpolate =
            |before: Option<DVec3>, after: Option<DVec3>| Some(before?.lerp(after?, share));
        KinematicSample {
            velocity: interpolate(before.velocity, after.velocity),
            acceleration: interpolate(before.acceleration, after.acceleration),
        }
    }

    /// Returns the minimum and maximum of a component over all samples so far, or `None` if there
    /// are none.
    pub fn bounds(
        &self,
        quantity: KinematicQuantity,
        component: VectorComponent,
    ) -> Option<(f64, f64)> {
        self.bounds[quantity as usize][component as usize]
    }

    fn extend_bounds(&mut self, samples: &[KinematicSample]) {
        for quantity in KinematicQuantity::ALL {
            for component in VectorComponent::ALL {
                let values = samples.iter().filter_map(|sample| sample.value(quantity, component));
                let bounds = &mut self.bounds[quantity as usize][component as usize];
                for value in values {
                    let (low, high) = bounds.unwrap_or((value, value));
                    *bounds = Some((low.min(value), high.max(value)));
                }
            }
        }
    }

    fn get(&self, detail: DetailLevel, index: usize) -> Option<KinematicSample> {
        self.chunks.get(&(detail, index / Self::CHUNK_LEN))?.get(index % Self::CHUNK_LEN).copied()
    }

    fn sample_count(&self, detail: DetailLevel) -> usize {
        // Tolerate a small error, because rounding may put the last sample slightly behind the end
        // of the recording.
        ((self.duration / self.interval(detail) + 1e-3) as usize).saturating_add(1)
    }

    fn indices(&self, detail: DetailLevel, window: &RangeInclusive<f64>) -> RangeInclusive<usize> {
        let last = self.sample_count(detail) - 1;
        let steps = |time: f64| (time - self.start) / self.interval(detail);
        // A cast from f64 to usize saturates, so negative values and NaN become index 0.
        let from = steps(*window.start()).floor() as usize;
        let to = steps(*window.end()).ceil() as usize;
        from.min(last)..=to.min(last)
    }

    fn sample_chunk(
        &self,
        clip: &Clip,
        detail: DetailLevel,
        chunk: usize,
    ) -> Box<[KinematicSample]> {
        let interval = self.interval(detail);
        let first = chunk * Self::CHUNK_LEN;
        let end = first.saturating_add(Self::CHUNK_LEN).min(self.sample_count(detail));
        let from = first.saturating_sub(1);
        let to = end.saturating_add(1).min(self.sample_count(detail));
        let start = self.start + from as f64 * interval;
        let paths = Path::sample_joints(clip, &[self.joint], start, interval, to - from);
        let changes =
            paths.iter().flat_map(|path| path.velocities().into_iter().zip(path.accelerations()));
        let samples =
            changes.map(|(velocity, acceleration)| KinematicSample { velocity, acceleration });
        samples.skip(first - from).take(end - first).collect()
    }
}

pub(in crate::measure) fn finest_spacing(clip: &Clip, joint: NodeId) -> f64 {
    let chain = std::iter::successors(Some(joint), |id| clip.nodes[*id].parent);
    let tracks = chain.flat_map(|id| clip.nodes[id].motion.tracks());
    let straight = tracks.filter_map(|track| median_linear_gap(&clip.track(track).curve));
    // Use the sample rate of the recording, because a procedural animation moves nodes without
    // keys.
    let driven = clip.procedural.as_ref().and(clip.rate_hz).map(f64::recip);
    let spacing = straight.reduce(f64::max).or(driven).filter(|spacing| spacing.is_finite());
    spacing.unwrap_or(DEFAULT_SPACING_S).clamp(*SPACING_RANGE_S.start(), *SPACING_RANGE_S.end())
}

fn median_linear_gap(curve: &AnyCurve) -> Option<f64> {
    let component = curve.components().first()?;
    let gaps = curve.key_times().windows(2).take(MAX_MEASURED_GAPS).enumerate();
    let straight =
        gaps.filter(|(left, _)| component.interpolation(*left) == Some(Interpolation::Linear));
    let mut gaps: Vec<f64> = straight.map(|(_, pair)| pair[1] - pair[0]).collect();
    let middle = gaps.len() / 2;
    let gap = (!gaps.is_empty()).then(|| *gaps.select_nth_unstable_by(middle, f64::total_cmp).1);
    gap.filter(|gap| *gap > 0.0 && *gap <= *SPACING_RANGE_S.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, SourceFile, decode};

    /// A thrown ball, over one second: it moves to the right at 2 m/s, and falls from rest at 9.81
    /// m/s². The cubic segment is exactly this parabola.
    const FALL: &str = r#"{"name": "fall", "globalDuration": 1, "tracks": [{
        "trackType": "Curve", "valueType": "float3",
        "data": {"node": "Ball", "property": "Position", "keyframes": [
            {"time": 0, "value": {"x": 0, "y": 0, "z": 0}, "interpolation": "CubicBezier",
             "leftTangent": {"x": 0, "y": 0, "z": 0},
             "rightTangent": {"x": 0.6666666666666666, "y": 0, "z": 0}},
            {"time": 1, "value": {"x": 2, "y": -4.905, "z": 0}, "interpolation": "CubicBezier",
             "leftTangent": {"x": 1.3333333333333333, "y": -1.635, "z": 0},
             "rightTangent": {"x": 2, "y": -4.905, "z": 0}}]}}]}"#;

    fn fall() -> (Clip, Kinematics) {
        let clip =
            decode(SourceFile::new("x.animj", FALL.as_bytes()), &ReadOptions::default()).unwrap();
        let kinematics = Kinematics::new(&clip, NodeId::new(0));
        (clip, kinematics)
    }

    fn hand() -> (Clip, NodeId) {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let wrist = clip.nodes.with_ids().find(|(_, node)| node.name == "left/Wrist").unwrap().0;
        (clip, wrist)
    }

    fn sample_all(
        clip: &Clip,
        kinematics: &mut Kinematics,
        detail: DetailLevel,
    ) -> Vec<(f64, KinematicSample)> {
        let window = clip.span.start..=clip.span.end();
        assert!(kinematics.prepare(clip, detail, &window, &mut 10_000));
        kinematics.samples(detail, &window).collect()
    }

    #[test]
    fn free_fall_has_the_acceleration_of_gravity() {
        let (clip, mut kinematics) = fall();
        let detail = DetailLevel::default();
        let samples = sample_all(&clip, &mut kinematics, detail);
        assert_eq!(samples.len(), 61, "60 per second");
        for (time, sample) in &samples[1..60] {
            let [x, y, z] = [VectorComponent::X, VectorComponent::Y, VectorComponent::Z]
                .map(|part| sample.value(KinematicQuantity::Velocity, part).unwrap());
            assert!((x.abs() - 2.0).abs() < 1e-6 && z.abs() < 1e-6, "{time}: {x} {z}");
            assert!((y + 9.81 * time).abs() < 1e-5, "{time}: {y}");
            let speed =
                sample.value(KinematicQuantity::Velocity, VectorComponent::Magnitude).unwrap();
            assert!((speed - 2.0_f64.hypot(9.81 * time)).abs() < 1e-5, "{time}: {speed}");
            let pull =
                sample.value(KinematicQuantity::Acceleration, VectorComponent::Magnitude).unwrap();
            assert!((pull - 9.81).abs() < 2e-3, "{time}: {pull}");
        }
        let (least, greatest) =
            kinematics.bounds(KinematicQuantity::Velocity, VectorComponent::Y).unwrap();
        assert!(greatest < 0.0 && (least + 9.81).abs() < 0.1, "{least} {greatest}");
        // Values between two samples are interpolated, and there are none outside of the recording.
        let between = kinematics
            .sample_at(detail, 0.503)
            .value(KinematicQuantity::Velocity, VectorComponent::Y)
            .unwrap();
        assert!((between + 9.81 * 0.503).abs() < 1e-5, "{between}");
        for outside in [-0.1, 1.1, f64::NAN] {
            assert_eq!(
                kinematics.sample_at(detail, outside),
                KinematicSample::default(),
                "{outside}"
            );
        }
        assert!(kinematics.sample_at(detail, 1.0).velocity.is_some());
    }

    #[test]
    fn chunked_kinematics_match_the_full_path() {
        let (clip, wrist) = hand();
        let mut kinematics = Kinematics::new(&clip, wrist);
        for detail in [DetailLevel(0), DetailLevel(2)] {
            let samples = sample_all(&clip, &mut kinematics, detail);
            let interval = kinematics.interval(detail);
            let count = samples.len();
            assert!(count > 50 && (count - 1) as f64 * interval <= clip.span.duration + 1e-6);
            let path = Path::sample_joints(&clip, &[wrist], clip.span.start, interval, count);
            let whole = path[0].velocities().into_iter().zip(path[0].accelerations());
            for (index, ((time, sample), (velocity, acceleration))) in
                samples.into_iter().zip(whole).enumerate()
            {
                assert_eq!(time, path[0].time(index));
                assert_eq!(sample.velocity, velocity, "{index}");
                let (found, expected) = (sample.acceleration, acceleration);
                assert_eq!(found.is_some(), expected.is_some(), "{index}");
                let off = found.zip(expected).map_or(0.0, |(found, it)| found.distance(it));
                assert!(off < 1e-6, "{index}: {off}");
            }
        }
    }

    #[test]
    fn sample_spacing_follows_the_recording() {
        let (clip, wrist) = hand();
        let tracks = clip.nodes[wrist].motion.tracks();
        let times = clip.track(tracks[0]).curve.key_times();
        let mean = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
        let spacing = Kinematics::new(&clip, wrist).interval(DetailLevel(0));
        assert!((spacing - mean).abs() < 0.2 * mean, "{spacing} {mean}");
        let finest = |bytes: &[u8], extension| {
            let name = format!("take.{extension}");
            let clip = decode(SourceFile::new(&name, bytes), &ReadOptions::default()).unwrap();
            Kinematics::new(&clip, clip.root_motion_node().unwrap()).interval(DetailLevel(0))
        };
        // The curves of this clip are smooth, or have long lines that an animator drew, so the
        // default applies.
        let walk = include_bytes!("../../../../../assets/maya/walk-with-hat.anim");
        assert_eq!(finest(walk, "anim"), DEFAULT_SPACING_S);
        // This clip has a key in every frame.
        let walk = include_bytes!("../../../../../assets/bvh/walk.bvh");
        let spacing = finest(walk, "bvh");
        assert!((spacing - 0.033_333).abs() < 1e-6, "{spacing}");
    }

    #[test]
    fn sampling_stays_within_the_limit() {
        let (clip, wrist) = hand();
        let mut kinematics = Kinematics::new(&clip, wrist);
        let seconds = clip.span.duration;
        let detail = kinematics.detail_for(seconds, 40);
        assert!(seconds / kinematics.interval(detail) <= 40.0);
        assert!(
            seconds / kinematics.interval(DetailLevel(detail.0 - 1)) > 40.0,
            "the next finer level has too many"
        );
        assert_eq!(kinematics.detail_for(0.1, 1000), DetailLevel(0));
        for nonsense in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            assert!(kinematics.interval(kinematics.detail_for(nonsense, 0)).is_finite());
        }
        let window = clip.span.start..=clip.span.end();
        let mut budget = 1;
        assert!(
            !kinematics.prepare(&clip, DetailLevel(0), &window, &mut budget),
            "only one of several chunks"
        );
        assert_eq!(budget, 0);
        assert_eq!(kinematics.samples(DetailLevel(0), &window).count(), Kinematics::CHUNK_LEN);
        budget = 1000;
        assert!(kinematics.prepare(&clip, DetailLevel(0), &window, &mut budget));
        let left_over = budget;
        // Sampling this empty clip would fail, so the chunks are not sampled again.
        let empty = Clip { tracks: Vec::new(), nodes: Default::default(), ..clip };
        assert!(kinematics.prepare(&empty, DetailLevel(0), &window, &mut budget));
        assert_eq!(budget, left_over);
    }

    #[test]
    fn windows_may_be_outside_endless_or_empty_recordings() {
        let (mut clip, wrist) = hand();
        let mut kinematics = Kinematics::new(&clip, wrist);
        for window in [-9.0..=-8.0, 1e9..=2e9, f64::NEG_INFINITY..=f64::INFINITY, 3.0..=1.0] {
            kinematics.prepare(&clip, DetailLevel(0), &window, &mut 1000);
            assert!(kinematics.samples(DetailLevel(0), &window).count() < 1000, "{window:?}");
        }
        clip.span.duration = 1e300;
        let mut endless = Kinematics::new(&clip, wrist);
        let all_of_it = endless.detail_for(clip.span.duration, 100);
        for detail in [DetailLevel(0), all_of_it] {
            let all = clip.span.start..=clip.span.end();
            endless.prepare(&clip, detail, &(1e290..=1e300), &mut 3);
            endless.prepare(&clip, detail, &all, &mut 3);
            let times: Vec<f64> = endless.samples(detail, &all).map(|(time, _)| time).collect();
            assert!(times.is_sorted() && (90..1000).contains(&times.len()), "{}", times.len());
        }
        clip.span.duration = 0.0;
        let mut still = Kinematics::new(&clip, wrist);
        assert_eq!(sample_all(&clip, &mut still, DetailLevel(0))[0].1, KinematicSample::default());
    }
}
