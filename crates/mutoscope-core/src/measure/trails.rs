//! Motion trails: sampled once, and reused for every frame.
//!
//! [`Trails`] keeps the places of joints in chunks of even times. [`Trails::prepare`] samples those
//! that a window touches and that are not there yet, a few in each frame if need be;
//! [`Trails::pieces`] gives them back as slices, so that drawing only walks through memory. Beside
//! the joints it keeps where what carries them is, for drawing motion in place.

use std::{
    collections::BTreeMap,
    ops::{Range, RangeInclusive},
};

use glam::DVec3;

use crate::clip::{Clip, NodeId, Pose};

/// How many places a second a trail has.
const RATE: f64 = 60.0;

/// How many places of each joint are sampled together.
const CHUNK: usize = 128;

/// How many places of all joints are kept; beyond that, chunks far from the window are dropped.
const MOST_KEPT: usize = 1 << 24;

/// A place on a trail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPoint {
    /// In metres, from [`Trails::origin`].
    pub place: [f32; 3],
    /// How fast the joint moves there, in metres a second; negative where it is hidden.
    pub speed: f32,
}

impl TrailPoint {
    /// Whether the joint is visible there.
    pub fn is_shown(&self) -> bool {
        self.speed >= 0.0
    }
}

/// A part of a trail, at even times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPiece<'a> {
    /// The time of the first place, in seconds; [`Trails::INTERVAL`] from one to the next.
    pub start: f64,
    /// Where the joint is.
    pub points: &'a [TrailPoint],
    /// The root motion node at the same times, in metres from [`Trails::origin`]; nothing of a clip
    /// that nothing carries.
    pub carried: &'a [[f32; 3]],
}

/// The trails of some joints of a clip.
///
/// They are those of one clip as it was: when it is read again, or something else is assumed of it,
/// its trails are others.
#[derive(Clone, Debug)]
pub struct Trails {
    joints: Vec<NodeId>,
    /// The times of each joint's own keys, in seconds.
    keys: Vec<Box<[f64]>>,
    start: f64,
    count: usize,
    origin: DVec3,
    root_motion_node: Option<NodeId>,
    /// The sampled chunks, by index: a recording may last for years, and only shown parts are
    /// sampled.
    chunks: BTreeMap<usize, Chunk>,
    pose: Pose,
}

/// Samples that are computed together.
#[derive(Clone, Debug)]
struct Chunk {
    /// The places of joints, joint by joint.
    points: Box<[TrailPoint]>,
    /// The positions of the `root_motion_node`, if there is one.
    carried: Box<[[f32; 3]]>,
}

impl Trails {
    /// From one place of a piece to the next, in seconds.
    pub const INTERVAL: f64 = 1.0 / RATE;

    /// Trails of `joints` over the whole of `clip`, none of which is sampled yet.
    pub fn new(clip: &Clip, joints: Vec<NodeId>) -> Self {
        /// Beyond that, places are as many as can be distinguished all the same.
        const LONGEST: f64 = 1e9;
        let count = (clip.span.duration.min(LONGEST) * RATE).ceil() as usize + 1;
        let keys = joints.iter().map(|&joint| key_times(clip, joint).into()).collect();
        let mut pose = Pose::default();
        clip.sample(clip.span.start, &mut pose);
        let first = joints.first().map(|joint| pose.nodes[joint.index()].world.translation);
        let origin = first.filter(|place| place.is_finite()).unwrap_or(DVec3::ZERO);
        let (root_motion_node, chunks) = (clip.root_motion_node(), BTreeMap::new());
        Self { joints, keys, start: clip.span.start, count, origin, root_motion_node, chunks, pose }
    }

    /// The origin of positions, in metres: recordings may play far from theirs.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The joints, in the order in which they were asked for.
    pub fn joints(&self) -> &[NodeId] {
        &self.joints
    }

    /// Samples what is not there yet of `window`, in seconds, but no more than `most` chunks of two
    /// seconds each; returns whether all of it is there. `clip` is the one that they were made for.
    pub fn prepare(&mut self, clip: &Clip, window: &RangeInclusive<f64>, most: usize) -> bool {
        let indices = self.indices(window);
        let touched = indices.start / CHUNK..indices.end.div_ceil(CHUNK);
        let is_missing = |chunk: &usize| !self.chunks.contains_key(chunk);
        let missing: Vec<usize> =
            touched.clone().filter(is_missing).take(most.saturating_add(1)).collect();
        if !missing.is_empty() {
            self.forget_all_but(&touched);
        }
        // All kept chunks are of the requested window: of years, its beginning.
        if !missing.is_empty() && self.is_full() {
            return false;
        }
        for &chunk in missing.iter().take(most) {
            let sampled = self.sample(clip, chunk);
            self.chunks.insert(chunk, sampled);
        }
        missing.len() <= most
    }

    /// The trail of the joint with this index within `window`, in seconds: pieces one after the
    /// other. What is not sampled yet is skipped.
    pub fn pieces(
        &self,
        joint: usize,
        window: &RangeInclusive<f64>,
    ) -> impl Iterator<Item = TrailPiece<'_>> {
        let indices = self.indices(window);
        let touched = indices.start / CHUNK..indices.end.div_ceil(CHUNK);
        self.chunks.range(touched).filter_map(move |(&chunk, sampled)| {
            let first = chunk * CHUNK;
            let of_joint = self.of_joint(sampled, joint)?;
            let from = indices.start.max(first) - first;
            let to = indices.end.min(first + of_joint.len()) - first;
            let points = of_joint.get(from..to)?;
            let carried = sampled.carried.get(from..to).unwrap_or_default();
            Some(TrailPiece { start: self.time(first + from), points, carried })
        })
    }

    /// The times of the keys of the joint with this index within `window`, in seconds.
    pub fn keys(&self, joint: usize, window: &RangeInclusive<f64>) -> &[f64] {
        let keys = &self.keys[joint];
        let from = keys.partition_point(|key| key < window.start());
        let to = keys.partition_point(|key| key <= window.end());
        keys.get(from..to).unwrap_or_default()
    }

    /// Where the joint with this index is at `time`, in seconds, as far as that is sampled: on the
    /// straight line between two places.
    pub fn at(&self, joint: usize, time: f64) -> Option<TrailPoint> {
        let (left, part) = self.step(time);
        let one = self.point(joint, left)?;
        let Some(other) = self.point(joint, left + 1).filter(|_| part > 0.0) else {
            return Some(one);
        };
        let place = between(one.place, other.place, part);
        let is_shown = one.is_shown() && other.is_shown();
        let speed = if is_shown { one.speed + (other.speed - one.speed) * part } else { -1.0 };
        Some(TrailPoint { place, speed })
    }

    /// Where what carries the recording is at `time`, in seconds, as far as that is sampled: in
    /// metres from [`Self::origin`], on the straight line between two places.
    pub fn carried_at(&self, time: f64) -> Option<[f32; 3]> {
        let place = |index: usize| {
            let chunk = self.chunks.get(&(index / CHUNK))?;
            chunk.carried.get(index % CHUNK).copied()
        };
        let (left, part) = self.step(time);
        let one = place(left)?;
        let other = place(left + 1).filter(|_| part > 0.0);
        Some(other.map_or(one, |other| between(one, other, part)))
    }

    /// The index of the place before `time`, and which part of the way to the next it is.
    fn step(&self, time: f64) -> (usize, f32) {
        let steps = ((time - self.start) * RATE).clamp(0.0, (self.count - 1) as f64);
        (steps as usize, steps.fract() as f32)
    }

    /// The time of the place with this index, in seconds.
    fn time(&self, index: usize) -> f64 {
        self.start + index as f64 / RATE
    }

    /// The places within `window`.
    fn indices(&self, window: &RangeInclusive<f64>) -> Range<usize> {
        let index = |time: f64| (time - self.start) * RATE;
        // A cast takes negative values and NaN to 0.
        let from = (index(*window.start()).ceil() as usize).min(self.count);
        let end = index(*window.end());
        let to =
            if end < 0.0 { 0 } else { (end.floor() as usize).saturating_add(1).min(self.count) };
        from..to.max(from)
    }

    fn point(&self, joint: usize, index: usize) -> Option<TrailPoint> {
        let chunk = self.chunks.get(&(index / CHUNK))?;
        self.of_joint(chunk, joint)?.get(index % CHUNK).copied()
    }

    fn of_joint<'a>(&self, chunk: &'a Chunk, joint: usize) -> Option<&'a [TrailPoint]> {
        let length = chunk.points.len() / self.joints.len().max(1);
        chunk.points.get(joint * length..(joint + 1) * length)
    }

    fn is_full(&self) -> bool {
        self.chunks.len() * CHUNK * self.joints.len().max(1) > MOST_KEPT
    }

    fn forget_all_but(&mut self, touched: &Range<usize>) {
        if self.is_full() {
            self.chunks.retain(|chunk, _| touched.contains(chunk));
        }
    }

    /// The places of a chunk, joint by joint, and how fast the joints are there: the central
    /// difference, for which a place before and one after are looked at too.
    fn sample(&mut self, clip: &Clip, chunk: usize) -> Chunk {
        let first = chunk * CHUNK;
        let length = CHUNK.min(self.count - first);
        let hidden = TrailPoint { place: [0.0; 3], speed: -1.0 };
        let mut points = vec![hidden; length * self.joints.len()];
        let mut carried = Vec::new();
        let [mut before, mut here] = [(); 2].map(|()| vec![None; self.joints.len()]);
        for step in 0..length + 2 {
            let time = self.time(first) + (step as f64 - 1.0) / RATE;
            clip.sample_motion(time, &mut self.pose);
            if let Some(root_motion_node) =
                self.root_motion_node.filter(|_| (1..=length).contains(&step))
            {
                let place = self.pose.nodes[root_motion_node.index()].world.translation;
                carried.push((place - self.origin).as_vec3().to_array());
            }
            for (joint, id) in self.joints.iter().enumerate() {
                let stands = &self.pose.nodes[id.index()];
                let after = stands.shown.then_some(stands.world.translation - self.origin);
                if let (Some(index), Some(place)) = (step.checked_sub(2), here[joint]) {
                    let speed = speed(before[joint], place, after);
                    let place: DVec3 = place;
                    points[joint * length + index] =
                        TrailPoint { place: place.as_vec3().to_array(), speed };
                }
                before[joint] = std::mem::replace(&mut here[joint], after);
            }
        }
        Chunk { points: points.into(), carried: carried.into() }
    }
}

/// The place at this part of the way from one to the other.
fn between(one: [f32; 3], other: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|axis| one[axis] + (other[axis] - one[axis]) * part)
}

/// How fast it goes from `before` through `here` to `after`, in metres a second.
fn speed(before: Option<DVec3>, here: DVec3, after: Option<DVec3>) -> f32 {
    let speed = match (before, after) {
        (Some(before), Some(after)) => before.distance(after) * 0.5 * RATE,
        (Some(beside), None) | (None, Some(beside)) => beside.distance(here) * RATE,
        (None, None) => 0.0,
    };
    speed as f32
}

/// The times of the keys that move a joint itself, each once.
fn key_times(clip: &Clip, joint: NodeId) -> Vec<f64> {
    let tracks = clip.nodes[joint].motion.tracks();
    let curves = tracks.into_iter().map(|track| &clip.track(track).curve);
    let mut times: Vec<f64> = curves.flat_map(|curve| curve.key_times().iter().copied()).collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, DecodeRequest};

    fn clip() -> Clip {
        let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
        formats::decode(bytes, &DecodeRequest::default()).unwrap()
    }

    /// A single late key makes a recording of thirty years.
    #[test]
    fn long_recordings_keep_requested_chunks_only() {
        let mut clip = clip();
        clip.span.duration = 1e12;
        let mut trails = Trails::new(&clip, joints(&clip));
        let all = clip.span.start..=clip.span.end();
        assert!(!trails.prepare(&clip, &all, 2), "there is more to sample");
        assert_eq!(
            trails.pieces(0, &all).map(|piece| piece.points.len()).sum::<usize>(),
            2 * CHUNK
        );
        assert_eq!(trails.chunks.len(), 2);
    }

    #[test]
    fn a_window_of_years_is_not_kept_whole() {
        let mut clip = clip();
        clip.span.duration = 1e12;
        let joints = joints(&clip);
        let (mut trails, all) = (Trails::new(&clip, joints.clone()), 0.0..=1e12);
        // Sampled as in any number of frames.
        for _ in 0..(2 * MOST_KEPT / (CHUNK * joints.len() * 64)) {
            assert!(!trails.prepare(&clip, &all, 64));
        }
        assert!(
            trails.chunks.len() * CHUNK * joints.len() <= MOST_KEPT + 64 * CHUNK * joints.len()
        );
    }

    fn joints(clip: &Clip) -> Vec<NodeId> {
        clip.nodes.with_ids().map(|(id, _)| id).collect()
    }

    #[test]
    fn trail_points_match_poses() {
        let clip = clip();
        let mut trails = Trails::new(&clip, joints(&clip));
        let window = 0.5..=3.25;
        assert!(trails.prepare(&clip, &window, 100));
        let mut pose = Pose::default();
        let mut places = 0;
        for joint in 0..trails.joints().len() {
            for TrailPiece { start, points, .. } in trails.pieces(joint, &window) {
                for (index, point) in points.iter().enumerate() {
                    let time = start + index as f64 / RATE;
                    assert!(window.contains(&time), "{time}");
                    clip.sample(time, &mut pose);
                    let stands = &pose.nodes[trails.joints()[joint].index()];
                    assert_eq!(point.is_shown(), stands.shown, "{time}");
                    let place = DVec3::from_array(point.place.map(f64::from)) + trails.origin();
                    let off = place.distance(stands.world.translation);
                    assert!(!stands.shown || off < 1e-6, "{time}: {off}");
                    places += 1;
                }
            }
        }
        assert_eq!(places, trails.joints().len() * 166, "60 a second, both ends included");
    }

    #[test]
    fn speeds_are_those_of_the_joint() {
        let clip = clip();
        let wrist = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
        let mut trails = Trails::new(&clip, vec![NodeId::new(wrist)]);
        trails.prepare(&clip, &(0.0..=4.0), 100);
        let mut poses = [Pose::default(), Pose::default()];
        let mut compared = 0;
        for step in 60..180 {
            let time = f64::from(step) / RATE;
            clip.sample(time - 1.0 / RATE, &mut poses[0]);
            clip.sample(time + 1.0 / RATE, &mut poses[1]);
            let [before, after] = &poses;
            let (before, after) = (&before.nodes[wrist], &after.nodes[wrist]);
            let point = trails.at(0, time).unwrap();
            if before.shown && after.shown && point.is_shown() {
                let way = before.world.translation.distance(after.world.translation);
                let off = (f64::from(point.speed) - way * 0.5 * RATE).abs();
                assert!(off < 1e-4, "{time}: {off}");
                compared += 1;
            }
        }
        assert!(compared > 50);
    }

    #[test]
    fn trail_points_include_the_root_motion() {
        let bytes = include_bytes!("../../../../assets/maya/walk-with-hat.anim");
        let clip = formats::decode(bytes, &DecodeRequest::default().named("x.anim")).unwrap();
        let root_motion_node = clip.root_motion_node().unwrap();
        let mut trails = Trails::new(&clip, joints(&clip));
        let window = clip.span.start..=clip.span.end();
        assert!(trails.prepare(&clip, &window, 100));
        let mut pose = Pose::default();
        let mut off = |trails: &Trails, time: f64, place: [f32; 3]| {
            clip.sample(time, &mut pose);
            let place = DVec3::from_array(place.map(f64::from)) + trails.origin();
            place.distance(pose.nodes[root_motion_node.index()].world.translation)
        };
        for TrailPiece { start, points, carried } in trails.pieces(1, &window) {
            assert_eq!(points.len(), carried.len());
            for (index, &place) in carried.iter().enumerate() {
                let time = start + index as f64 / RATE;
                assert!(off(&trails, time, place) < 1e-6, "{time}");
            }
        }
        let between = clip.span.start + 10.3 / RATE;
        assert!(off(&trails, between, trails.carried_at(between).unwrap()) < 1e-3);
        let way = |time| DVec3::from_array(trails.carried_at(time).unwrap().map(f64::from));
        let gone = way(clip.span.end()).distance(way(clip.span.start));
        assert!(gone > 1.0, "the sample walks: {gone}");
    }

    #[test]
    fn sampled_chunks_are_reused() {
        let clip = clip();
        let mut trails = Trails::new(&clip, joints(&clip));
        let all = clip.span.start..=clip.span.end();
        assert!(!trails.prepare(&clip, &all, 1), "one chunk of two");
        let points = |trails: &Trails| -> usize {
            trails.pieces(0, &all).map(|piece| piece.points.len()).sum()
        };
        assert_eq!(points(&trails), CHUNK);
        assert!(trails.prepare(&clip, &all, 1));
        assert_eq!(points(&trails), trails.count);
        // Of an empty clip nothing would come: nothing is asked of it.
        let empty = Clip { tracks: Vec::new(), nodes: Default::default(), ..clip };
        assert!(trails.prepare(&empty, &all, 1));
    }

    #[test]
    fn trail_keys_are_the_joints_own_for_any_window() {
        let clip = clip();
        let wrist = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
        let mut trails = Trails::new(&clip, vec![NodeId::new(wrist)]);
        let keys = trails.keys(0, &(1.0..=2.0));
        assert!(keys.len() > 10 && keys.iter().all(|key| (1.0..=2.0).contains(key)));
        for window in [-5.0..=-1.0, 100.0..=200.0, f64::NEG_INFINITY..=f64::INFINITY] {
            trails.prepare(&clip, &window, 1000);
            let points: usize = trails.pieces(0, &window).map(|piece| piece.points.len()).sum();
            assert_eq!(points, if window.contains(&1.0) { trails.count } else { 0 }, "{window:?}");
        }
    }
}
