//! How one joint moves over a whole recording: its velocity and acceleration, sampled where they are
//! looked at, and kept.

use std::{collections::HashMap, ops::RangeInclusive};

use glam::DVec3;

use super::Path;
use crate::clip::{AnyCurve, Clip, Interpolation, NodeId};

/// The default sample interval, in seconds.
const USUAL_SPACING: f64 = 1.0 / 60.0;

/// The range of the finest sample interval, in seconds. Recorders take ten samples a second and
/// more: longer lines were drawn by an animator.
const SPACINGS: RangeInclusive<f64> = 0.001..=0.1;

/// At most this many chunks are kept; beyond that, those far from the window are dropped.
const MOST_KEPT: usize = 1 << 12;

/// How many gaps between the keys of a curve are used to find their spacing.
const MOST_GAPS: usize = 1000;

/// How a joint moves at one time, in the viewer's space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Movement {
    /// In metres a second; `None` where the joint is hidden.
    pub velocity: Option<DVec3>,
    /// In metres a second squared; nothing where it is hidden just before or after.
    pub acceleration: Option<DVec3>,
}

/// Velocity or acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The change of the position: the velocity.
    Velocity,
    /// The change of the velocity: the acceleration.
    Acceleration,
}

impl Change {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Velocity, Self::Acceleration];
}

/// One number of a velocity or an acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Its length.
    Magnitude,
    /// Its component along X, to the right.
    X,
    /// Its component along Y, up.
    Y,
    /// Its component along Z, to the back.
    Z,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Magnitude, Self::X, Self::Y, Self::Z];

    fn of(self, vector: DVec3) -> f64 {
        match self {
            Self::Magnitude => vector.length(),
            Self::X => vector.x,
            Self::Y => vector.y,
            Self::Z => vector.z,
        }
    }
}

impl Movement {
    /// One number of it, in metres a second, or a second squared; nothing where there is none.
    pub fn number(&self, change: Change, part: Part) -> Option<f64> {
        let vector = match change {
            Change::Velocity => self.velocity,
            Change::Acceleration => self.acceleration,
        };
        vector.map(|vector| part.of(vector)).filter(|number| number.is_finite())
    }
}

/// The sample interval: the finest, or twice that, or four times, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Detail(u32);

/// How one joint moves over a whole recording.
///
/// Moments are at even times from the start of the recording on. Where it was recorded, and runs straight
/// from one sample to the next, they are as far apart as these, so that such lines do not become steps;
/// else 60 a second. Velocity and acceleration are the differences of [`Path`] between such moments.
#[derive(Clone, Debug)]
pub struct Kinematics {
    joint: NodeId,
    start: f64,
    duration: f64,
    spacing: f64,
    chunks: HashMap<(Detail, usize), Box<[Movement]>>,
    /// Of all that was ever sampled, for each change and part.
    bounds: [[Option<(f64, f64)>; Part::ALL.len()]; Change::ALL.len()],
}

impl Kinematics {
    /// How many moments are sampled together.
    pub const CHUNK: usize = 64;

    /// How `joint` moves in `clip`; nothing is sampled yet.
    pub fn new(clip: &Clip, joint: NodeId) -> Self {
        let crate::clip::Span { start, duration } = clip.span;
        let (spacing, chunks) = (spacing(clip, joint), HashMap::new());
        Self { joint, start, duration, spacing, chunks, bounds: Default::default() }
    }

    /// The detail at which a window of this many seconds has no more than `most` moments: the
    /// finest.
    pub fn detail(&self, seconds: f64, most: usize) -> Detail {
        let times_too_many = seconds / (self.spacing * most.max(1) as f64);
        // A cast takes NaN to 0. The coarsest is for 1e306 seconds.
        Detail(times_too_many.log2().ceil().clamp(0.0, 1020.0) as u32)
    }

    /// From moment to moment, in seconds.
    pub fn interval(&self, detail: Detail) -> f64 {
        self.spacing * f64::from(detail.0).exp2()
    }

    /// Samples what is not there yet of `window`, in seconds, but no more than `most` chunks of
    /// [`CHUNK`](Self::CHUNK) moments, which are taken off it. Returns whether all of it is there. `clip` is the one that
    /// this was made for.
    pub fn prepare(
        &mut self,
        clip: &Clip,
        detail: Detail,
        window: &RangeInclusive<f64>,
        most: &mut usize,
    ) -> bool {
        let (first, last) = self.indices(detail, window).into_inner();
        let touched = first / Self::CHUNK..=last / Self::CHUNK;
        let is_missing = |chunk: &usize| !self.chunks.contains_key(&(detail, *chunk));
        let missing: Vec<usize> = touched.clone().filter(is_missing).take(*most + 1).collect();
        if !missing.is_empty() && self.chunks.len() > MOST_KEPT {
            self.chunks.retain(|(of, chunk), _| *of == detail && touched.contains(chunk));
        }
        for &chunk in missing.iter().take(*most) {
            let movements = self.sample(clip, detail, chunk);
            self.note_bounds(&movements);
            self.chunks.insert((detail, chunk), movements);
        }
        let is_complete = missing.len() <= *most;
        *most -= missing.len().min(*most);
        is_complete
    }

    /// Times and movements within `window`, in seconds, and the next ones outside of it, as far as
    /// they are sampled.
    pub fn movements(
        &self,
        detail: Detail,
        window: &RangeInclusive<f64>,
    ) -> impl Iterator<Item = (f64, Movement)> {
        let (interval, start) = (self.interval(detail), self.start);
        let movement =
            move |index| Some((start + index as f64 * interval, self.get(detail, index)?));
        let (first, last) = self.indices(detail, window).into_inner();
        self.sampled(detail, first / Self::CHUNK..=last / Self::CHUNK).into_iter().flat_map(
            move |chunk| {
                let from = chunk * Self::CHUNK;
                (from.max(first)..=from.saturating_add(Self::CHUNK - 1).min(last))
                    .filter_map(movement)
            },
        )
    }

    /// The sampled chunks among `touched`, ascending: a window of years touches too many to be counted.
    fn sampled(&self, detail: Detail, touched: RangeInclusive<usize>) -> Vec<usize> {
        if touched.end().saturating_sub(*touched.start()) <= self.chunks.len() {
            return touched.filter(|chunk| self.chunks.contains_key(&(detail, *chunk))).collect();
        }
        let of_detail = self.chunks.keys().filter(|(of, _)| *of == detail).map(|(_, chunk)| *chunk);
        let mut sampled: Vec<usize> = of_detail.filter(|chunk| touched.contains(chunk)).collect();
        sampled.sort_unstable();
        sampled
    }

    /// How it moves at `time`, in seconds: between two moments on the straight line from the one to
    /// the other. Nothing outside of the recording, and where it is not sampled.
    pub fn at(&self, detail: Detail, time: f64) -> Movement {
        let steps = (time - self.start) / self.interval(detail);
        // Rounding may take the first or the last moment a little outside.
        let (left, last) = ((steps + 1e-9).floor(), self.count(detail) - 1);
        if !(0.0..=last as f64).contains(&left) {
            return Movement::default();
        }
        let one = self.get(detail, left as usize).unwrap_or_default();
        let part = (steps - left).max(0.0);
        if part < 1e-9 {
            return one;
        }
        let other = self.get(detail, left as usize + 1).unwrap_or_default();
        let mix = |one: Option<DVec3>, other: Option<DVec3>| Some(one?.lerp(other?, part));
        Movement {
            velocity: mix(one.velocity, other.velocity),
            acceleration: mix(one.acceleration, other.acceleration),
        }
    }

    /// The least and the greatest of a number, of all that has been sampled.
    pub fn bounds(&self, change: Change, part: Part) -> Option<(f64, f64)> {
        self.bounds[change as usize][part as usize]
    }

    fn note_bounds(&mut self, movements: &[Movement]) {
        for change in Change::ALL {
            for part in Part::ALL {
                let numbers = movements.iter().filter_map(|it| it.number(change, part));
                let bounds = &mut self.bounds[change as usize][part as usize];
                for number in numbers {
                    let (low, high) = bounds.unwrap_or((number, number));
                    *bounds = Some((low.min(number), high.max(number)));
                }
            }
        }
    }

    fn get(&self, detail: Detail, index: usize) -> Option<Movement> {
        self.chunks.get(&(detail, index / Self::CHUNK))?.get(index % Self::CHUNK).copied()
    }

    /// How many moments there are.
    fn count(&self, detail: Detail) -> usize {
        // The last one may be where the recording ends, but for rounding.
        ((self.duration / self.interval(detail) + 1e-3) as usize).saturating_add(1)
    }

    /// The indices of the samples within `window`, and of one more on either side, as far as there
    /// are any.
    fn indices(&self, detail: Detail, window: &RangeInclusive<f64>) -> RangeInclusive<usize> {
        let last = self.count(detail) - 1;
        let steps = |time: f64| (time - self.start) / self.interval(detail);
        // A cast takes negative values and NaN to 0.
        let from = steps(*window.start()).floor() as usize;
        let to = steps(*window.end()).ceil() as usize;
        from.min(last)..=to.min(last)
    }

    /// The samples of a chunk. Differences use the neighbouring samples of other chunks too, except at the
    /// ends of the recording, where there is one neighbour only.
    fn sample(&self, clip: &Clip, detail: Detail, chunk: usize) -> Box<[Movement]> {
        let interval = self.interval(detail);
        let first = chunk * Self::CHUNK;
        let end = first.saturating_add(Self::CHUNK).min(self.count(detail));
        let from = first.saturating_sub(1);
        let to = end.saturating_add(1).min(self.count(detail));
        let start = self.start + from as f64 * interval;
        let paths = Path::of_joints(clip, &[self.joint], start, interval, to - from);
        let changes =
            paths.iter().flat_map(|path| path.velocities().into_iter().zip(path.accelerations()));
        let movements = changes.map(|(velocity, acceleration)| Movement { velocity, acceleration });
        movements.skip(first - from).take(end - first).collect()
    }
}

/// How far apart moments are at the finest: see [`Kinematics`].
fn spacing(clip: &Clip, joint: NodeId) -> f64 {
    let chain = std::iter::successors(Some(joint), |id| clip.nodes[*id].parent);
    let tracks = chain.flat_map(|id| clip.nodes[id].motion.tracks());
    let straight = tracks.filter_map(|track| straight_gap(&clip.track(track).curve));
    // A procedural animation moves nodes from sample to sample.
    let driven = clip.procedural.as_ref().and(clip.rate_hz).map(f64::recip);
    let spacing = straight.reduce(f64::max).or(driven).filter(|spacing| spacing.is_finite());
    spacing.unwrap_or(USUAL_SPACING).clamp(*SPACINGS.start(), *SPACINGS.end())
}

/// How far apart the keys of a curve are between which it runs straight: the middle one of the first
/// gaps; nothing if there are none, or it was not recorded.
fn straight_gap(curve: &AnyCurve) -> Option<f64> {
    let component = curve.components().first()?;
    let gaps = curve.key_times().windows(2).take(MOST_GAPS).enumerate();
    let straight =
        gaps.filter(|(left, _)| component.interpolation(*left) == Some(Interpolation::Linear));
    let mut gaps: Vec<f64> = straight.map(|(_, pair)| pair[1] - pair[0]).collect();
    let middle = gaps.len() / 2;
    let gap = (!gaps.is_empty()).then(|| *gaps.select_nth_unstable_by(middle, f64::total_cmp).1);
    gap.filter(|gap| *gap > 0.0 && *gap <= *SPACINGS.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, DecodeRequest};

    /// A ball that is thrown: 2 m/s to the right, falling from rest at 9.81 m/s². A cubic that is a
    /// parabola, over one second.
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
            formats::decode(FALL.as_bytes(), &DecodeRequest::default().named("x.animj")).unwrap();
        let kinematics = Kinematics::new(&clip, NodeId::new(0));
        (clip, kinematics)
    }

    fn hand() -> (Clip, NodeId) {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        let wrist = clip.nodes.with_ids().find(|(_, node)| node.name == "left/Wrist").unwrap().0;
        (clip, wrist)
    }

    /// All of it at `detail`, at once.
    fn all(clip: &Clip, kinematics: &mut Kinematics, detail: Detail) -> Vec<(f64, Movement)> {
        let window = clip.span.start..=clip.span.end();
        assert!(kinematics.prepare(clip, detail, &window, &mut 10_000));
        kinematics.movements(detail, &window).collect()
    }

    #[test]
    fn free_fall_has_the_acceleration_of_gravity() {
        let (clip, mut kinematics) = fall();
        let detail = Detail::default();
        let movements = all(&clip, &mut kinematics, detail);
        assert_eq!(movements.len(), 61, "60 a second");
        for (time, movement) in &movements[1..60] {
            let [x, y, z] = [Part::X, Part::Y, Part::Z]
                .map(|part| movement.number(Change::Velocity, part).unwrap());
            assert!((x.abs() - 2.0).abs() < 1e-6 && z.abs() < 1e-6, "{time}: {x} {z}");
            assert!((y + 9.81 * time).abs() < 1e-5, "{time}: {y}");
            let speed = movement.number(Change::Velocity, Part::Magnitude).unwrap();
            assert!((speed - 2.0_f64.hypot(9.81 * time)).abs() < 1e-5, "{time}: {speed}");
            let pull = movement.number(Change::Acceleration, Part::Magnitude).unwrap();
            assert!((pull - 9.81).abs() < 2e-3, "{time}: {pull}");
        }
        let (least, greatest) = kinematics.bounds(Change::Velocity, Part::Y).unwrap();
        assert!(greatest < 0.0 && (least + 9.81).abs() < 0.1, "{least} {greatest}");
        // Between two moments, and outside of all.
        let between = kinematics.at(detail, 0.503).number(Change::Velocity, Part::Y).unwrap();
        assert!((between + 9.81 * 0.503).abs() < 1e-5, "{between}");
        for outside in [-0.1, 1.1, f64::NAN] {
            assert_eq!(kinematics.at(detail, outside), Movement::default(), "{outside}");
        }
        assert!(kinematics.at(detail, 1.0).velocity.is_some());
    }

    #[test]
    fn chunked_kinematics_match_the_full_path() {
        let (clip, wrist) = hand();
        let mut kinematics = Kinematics::new(&clip, wrist);
        for detail in [Detail(0), Detail(2)] {
            let movements = all(&clip, &mut kinematics, detail);
            let interval = kinematics.interval(detail);
            let count = movements.len();
            assert!(count > 50 && (count - 1) as f64 * interval <= clip.span.duration + 1e-6);
            let path = Path::of_joints(&clip, &[wrist], clip.span.start, interval, count);
            let whole = path[0].velocities().into_iter().zip(path[0].accelerations());
            for (index, ((time, movement), (velocity, acceleration))) in
                movements.into_iter().zip(whole).enumerate()
            {
                assert_eq!(time, path[0].time(index));
                assert_eq!(movement.velocity, velocity, "{index}");
                let (found, expected) = (movement.acceleration, acceleration);
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
        let spacing = Kinematics::new(&clip, wrist).interval(Detail(0));
        assert!((spacing - mean).abs() < 0.2 * mean, "{spacing} {mean}");
        let finest = |bytes: &[u8], extension| {
            let clip = formats::decode(
                bytes,
                &DecodeRequest { extension: Some(extension), ..DecodeRequest::default() },
            )
            .unwrap();
            Kinematics::new(&clip, clip.root_motion_node().unwrap()).interval(Detail(0))
        };
        // Smooth curves and long lines, drawn by hand.
        let walk = include_bytes!("../../../../../assets/maya/walk-with-hat.anim");
        assert_eq!(finest(walk, "anim"), USUAL_SPACING);
        // A clip with a key at every frame.
        let walk = include_bytes!("../../../../../assets/bvh/walk.bvh");
        let spacing = finest(walk, "bvh");
        assert!((spacing - 0.033_333).abs() < 1e-6, "{spacing}");
    }

    #[test]
    fn sampling_stays_within_the_limit() {
        let (clip, wrist) = hand();
        let mut kinematics = Kinematics::new(&clip, wrist);
        let seconds = clip.span.duration;
        let detail = kinematics.detail(seconds, 40);
        assert!(seconds / kinematics.interval(detail) <= 40.0);
        assert!(seconds / kinematics.interval(Detail(detail.0 - 1)) > 40.0, "the finest of them");
        assert_eq!(kinematics.detail(0.1, 1000), Detail(0));
        for nonsense in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            assert!(kinematics.interval(kinematics.detail(nonsense, 0)).is_finite());
        }
        let window = clip.span.start..=clip.span.end();
        let mut most = 1;
        assert!(!kinematics.prepare(&clip, Detail(0), &window, &mut most), "one chunk of some");
        assert_eq!(most, 0);
        assert_eq!(kinematics.movements(Detail(0), &window).count(), Kinematics::CHUNK);
        most = 1000;
        assert!(kinematics.prepare(&clip, Detail(0), &window, &mut most));
        let left = most;
        // Sampled chunks are not sampled again: an empty clip is enough.
        let empty = Clip { tracks: Vec::new(), nodes: Default::default(), ..clip };
        assert!(kinematics.prepare(&empty, Detail(0), &window, &mut most));
        assert_eq!(most, left);
    }

    #[test]
    fn windows_outside_and_empty_recordings_are_handled() {
        let (mut clip, wrist) = hand();
        let mut kinematics = Kinematics::new(&clip, wrist);
        for window in [-9.0..=-8.0, 1e9..=2e9, f64::NEG_INFINITY..=f64::INFINITY, 3.0..=1.0] {
            kinematics.prepare(&clip, Detail(0), &window, &mut 1000);
            assert!(kinematics.movements(Detail(0), &window).count() < 1000, "{window:?}");
        }
        clip.span.duration = 1e300;
        let mut endless = Kinematics::new(&clip, wrist);
        let all_of_it = endless.detail(clip.span.duration, 100);
        for detail in [Detail(0), all_of_it] {
            let all = clip.span.start..=clip.span.end();
            endless.prepare(&clip, detail, &(1e290..=1e300), &mut 3);
            endless.prepare(&clip, detail, &all, &mut 3);
            let times: Vec<f64> = endless.movements(detail, &all).map(|(time, _)| time).collect();
            assert!(times.is_sorted() && (90..1000).contains(&times.len()), "{}", times.len());
        }
        clip.span.duration = 0.0;
        let mut still = Kinematics::new(&clip, wrist);
        assert_eq!(all(&clip, &mut still, Detail(0))[0].1, Movement::default());
    }
}
