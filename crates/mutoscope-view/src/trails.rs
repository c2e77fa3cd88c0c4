//! Samples motion trails once, and reuses the samples in every frame.
//!
//! [`Trails`] keeps the positions of joints in chunks of evenly spaced times. [`Trails::prepare`]
//! samples the missing chunks of a window, if need be a few in each frame. [`Trails::pieces`]
//! returns the samples as slices, so that drawing only walks through memory. The positions of the
//! root motion node are kept next to the joints, so that motion can be drawn in place.

use std::{
    collections::BTreeMap,
    ops::{Range, RangeInclusive},
};

use glam::DVec3;

use mutoscope_core::clip::{Clip, NodeId, Pose};

const RATE_HZ: f64 = 60.0;

const CHUNK_LEN: usize = 128;

const MAX_KEPT_SAMPLES: usize = 1 << 24;

/// A sample of a trail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPoint {
    /// The position in metres, relative to [`Trails::origin`].
    pub position: [f32; 3],
    /// The speed of the joint in m/s; negative while the joint is hidden.
    pub speed: f32,
}

impl TrailPoint {
    /// Returns `true` if the joint is visible at this sample.
    pub fn is_visible(&self) -> bool {
        self.speed >= 0.0
    }
}

/// A part of a trail, at evenly spaced times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPiece<'a> {
    /// The time of the first sample, in seconds. Samples are [`Trails::INTERVAL`] apart.
    pub start: f64,
    /// The samples of the joint.
    pub points: &'a [TrailPoint],
    /// The positions of the root motion node at the same times, in metres relative to
    /// [`Trails::origin`]. Empty if the clip has no such node.
    pub root_positions: &'a [[f32; 3]],
}

/// The trails of some joints of a clip.
///
/// This is a cache for one state of a clip. Create new trails when the clip is reloaded, or when its
/// conventions change.
#[derive(Clone, Debug)]
pub struct Trails {
    joints: Vec<NodeId>,
    keys: Vec<Box<[f64]>>,
    start: f64,
    count: usize,
    origin: DVec3,
    root_motion_node: Option<NodeId>,
    /// The sampled chunks by index. A recording may last for years, so only the chunks of shown
    /// windows exist.
    chunks: BTreeMap<usize, Chunk>,
    pose: Pose,
}

#[derive(Clone, Debug)]
struct Chunk {
    points: Box<[TrailPoint]>,
    root_positions: Box<[[f32; 3]]>,
}

impl Trails {
    /// The time between samples, in seconds.
    pub const INTERVAL: f64 = 1.0 / RATE_HZ;

    /// Prepares trails of `joints` over the whole of `clip`. The samples are taken later, by
    /// [`Trails::prepare`].
    pub fn new(clip: &Clip, joints: Vec<NodeId>) -> Self {
        /// Longer recordings are cut off here, so that sample indices do not overflow.
        const MAX_DURATION_S: f64 = 1e9;
        let count = (clip.span.duration.min(MAX_DURATION_S) * RATE_HZ).ceil() as usize + 1;
        let keys = joints.iter().map(|&joint| key_times(clip, joint).into()).collect();
        let mut pose = Pose::default();
        clip.sample(clip.span.start, &mut pose);
        let first = joints.first().map(|joint| pose[*joint].world.translation);
        let origin = first.filter(|position| position.is_finite()).unwrap_or(DVec3::ZERO);
        let (root_motion_node, chunks) = (clip.root_motion_node(), BTreeMap::new());
        Self { joints, keys, start: clip.span.start, count, origin, root_motion_node, chunks, pose }
    }

    /// Returns the origin of positions, in metres. Positions are relative because `f32` is too
    /// coarse far from the viewer's origin.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Returns the joints in the order in which they were given.
    pub fn joints(&self) -> &[NodeId] {
        &self.joints
    }

    /// Samples the chunks of `window`, in seconds, that are not sampled yet, but at most
    /// `max_chunks`. A chunk is about two seconds long. Returns `true` if the whole window is
    /// sampled. `clip` must be the clip that was given to [`Trails::new`].
    pub fn prepare(
        &mut self,
        clip: &Clip,
        window: &RangeInclusive<f64>,
        max_chunks: usize,
    ) -> bool {
        let indices = self.indices(window);
        let touched = indices.start / CHUNK_LEN..indices.end.div_ceil(CHUNK_LEN);
        let is_missing = |chunk: &usize| !self.chunks.contains_key(chunk);
        let missing: Vec<usize> =
            touched.clone().filter(is_missing).take(max_chunks.saturating_add(1)).collect();
        if !missing.is_empty() {
            self.drop_chunks_outside(&touched);
        }
        // Stop here, because all chunks in memory belong to this window. Only the beginning of a
        // window of years is sampled.
        if !missing.is_empty() && self.is_full() {
            return false;
        }
        for &chunk in missing.iter().take(max_chunks) {
            let sampled = self.sample_chunk(clip, chunk);
            self.chunks.insert(chunk, sampled);
        }
        missing.len() <= max_chunks
    }

    /// Returns the trail of the joint at this index within `window`, in seconds, piece by piece.
    /// Parts that are not sampled yet are skipped.
    pub fn pieces(
        &self,
        joint: usize,
        window: &RangeInclusive<f64>,
    ) -> impl Iterator<Item = TrailPiece<'_>> {
        let indices = self.indices(window);
        let touched = indices.start / CHUNK_LEN..indices.end.div_ceil(CHUNK_LEN);
        self.chunks.range(touched).filter_map(move |(&chunk, sampled)| {
            let first = chunk * CHUNK_LEN;
            let joint_points = self.joint_points(sampled, joint)?;
            let from = indices.start.max(first) - first;
            let to = indices.end.min(first + joint_points.len()) - first;
            let points = joint_points.get(from..to)?;
            let root_positions = sampled.root_positions.get(from..to).unwrap_or_default();
            Some(TrailPiece { start: self.time(first + from), points, root_positions })
        })
    }

    /// Returns the key times of the joint at this index within `window`, in seconds.
    pub fn keys(&self, joint: usize, window: &RangeInclusive<f64>) -> &[f64] {
        let keys = &self.keys[joint];
        let from = keys.partition_point(|key| key < window.start());
        let to = keys.partition_point(|key| key <= window.end());
        keys.get(from..to).unwrap_or_default()
    }

    /// Returns the position and speed of the joint at this index at `time`, in seconds, with linear
    /// interpolation between samples. Returns `None` if no sample is taken there yet.
    pub fn point_at(&self, joint: usize, time: f64) -> Option<TrailPoint> {
        let (left, share) = self.locate(time);
        let before = self.point(joint, left)?;
        let Some(after) = self.point(joint, left + 1).filter(|_| share > 0.0) else {
            return Some(before);
        };
        let position = interpolate(before.position, after.position, share);
        let is_shown = before.is_visible() && after.is_visible();
        let speed =
            if is_shown { before.speed + (after.speed - before.speed) * share } else { -1.0 };
        Some(TrailPoint { position, speed })
    }

    /// Returns the position of the root motion node at `time`, in seconds, with linear
    /// interpolation between samples. The position is in metres relative to [`Self::origin`].
    /// Returns `None` if no sample is taken there yet, or if the clip has no such node.
    pub fn root_position_at(&self, time: f64) -> Option<[f32; 3]> {
        let position = |index: usize| {
            let chunk = self.chunks.get(&(index / CHUNK_LEN))?;
            chunk.root_positions.get(index % CHUNK_LEN).copied()
        };
        let (left, share) = self.locate(time);
        let before = position(left)?;
        let after = position(left + 1).filter(|_| share > 0.0);
        Some(after.map_or(before, |after| interpolate(before, after, share)))
    }

    fn locate(&self, time: f64) -> (usize, f32) {
        let steps = ((time - self.start) * RATE_HZ).clamp(0.0, (self.count - 1) as f64);
        (steps as usize, steps.fract() as f32)
    }

    fn time(&self, index: usize) -> f64 {
        self.start + index as f64 / RATE_HZ
    }

    fn indices(&self, window: &RangeInclusive<f64>) -> Range<usize> {
        let index = |time: f64| (time - self.start) * RATE_HZ;
        // The cast turns negative values and NaN into 0.
        let from = (index(*window.start()).ceil() as usize).min(self.count);
        let end = index(*window.end());
        let to =
            if end < 0.0 { 0 } else { (end.floor() as usize).saturating_add(1).min(self.count) };
        from..to.max(from)
    }

    fn point(&self, joint: usize, index: usize) -> Option<TrailPoint> {
        let chunk = self.chunks.get(&(index / CHUNK_LEN))?;
        self.joint_points(chunk, joint)?.get(index % CHUNK_LEN).copied()
    }

    fn joint_points<'a>(&self, chunk: &'a Chunk, joint: usize) -> Option<&'a [TrailPoint]> {
        let length = chunk.points.len() / self.joints.len().max(1);
        chunk.points.get(joint * length..(joint + 1) * length)
    }

    fn is_full(&self) -> bool {
        self.chunks.len() * CHUNK_LEN * self.joints.len().max(1) > MAX_KEPT_SAMPLES
    }

    fn drop_chunks_outside(&mut self, touched: &Range<usize>) {
        if self.is_full() {
            self.chunks.retain(|chunk, _| touched.contains(chunk));
        }
    }

    fn sample_chunk(&mut self, clip: &Clip, chunk: usize) -> Chunk {
        let first = chunk * CHUNK_LEN;
        let length = CHUNK_LEN.min(self.count - first);
        let hidden = TrailPoint { position: [0.0; 3], speed: -1.0 };
        let mut points = vec![hidden; length * self.joints.len()];
        let mut root_positions = Vec::new();
        let [mut before, mut here] = [(); 2].map(|()| vec![None; self.joints.len()]);
        for step in 0..length + 2 {
            let time = self.time(first) + (step as f64 - 1.0) / RATE_HZ;
            clip.sample_motion(time, &mut self.pose);
            if let Some(root_motion_node) =
                self.root_motion_node.filter(|_| (1..=length).contains(&step))
            {
                let position = self.pose[root_motion_node].world.translation;
                root_positions.push((position - self.origin).as_vec3().to_array());
            }
            for (joint, id) in self.joints.iter().enumerate() {
                let node = &self.pose[*id];
                let after = node.is_visible.then_some(node.world.translation - self.origin);
                if let (Some(index), Some(position)) = (step.checked_sub(2), here[joint]) {
                    let speed = central_speed(before[joint], position, after);
                    let position: DVec3 = position;
                    points[joint * length + index] =
                        TrailPoint { position: position.as_vec3().to_array(), speed };
                }
                before[joint] = std::mem::replace(&mut here[joint], after);
            }
        }
        Chunk { points: points.into(), root_positions: root_positions.into() }
    }
}

fn interpolate(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share)
}

fn central_speed(before: Option<DVec3>, here: DVec3, after: Option<DVec3>) -> f32 {
    let speed = match (before, after) {
        (Some(before), Some(after)) => before.distance(after) * 0.5 * RATE_HZ,
        (Some(neighbour), None) | (None, Some(neighbour)) => neighbour.distance(here) * RATE_HZ,
        (None, None) => 0.0,
    };
    speed as f32
}

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
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    fn clip() -> Clip {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        decode(bytes, &ReadOptions::default()).unwrap()
    }

    /// A single late key makes this recording last for 30 000 years.
    #[test]
    fn preparing_a_long_window_stops_at_its_budget() {
        let mut clip = clip();
        clip.span.duration = 1e12;
        let mut trails = Trails::new(&clip, joints(&clip));
        let all = clip.span.start..=clip.span.end();
        assert!(!trails.prepare(&clip, &all, 2), "there is more to sample");
        assert_eq!(
            trails.pieces(0, &all).map(|piece| piece.points.len()).sum::<usize>(),
            2 * CHUNK_LEN
        );
        assert_eq!(trails.chunks.len(), 2);
    }

    #[test]
    fn samples_of_long_windows_are_limited() {
        let mut clip = clip();
        clip.span.duration = 1e12;
        let joints = joints(&clip);
        let (mut trails, all) = (Trails::new(&clip, joints.clone()), 0.0..=1e12);
        // Call `prepare` as often as many frames would.
        for _ in 0..(2 * MAX_KEPT_SAMPLES / (CHUNK_LEN * joints.len() * 64)) {
            assert!(!trails.prepare(&clip, &all, 64));
        }
        assert!(
            trails.chunks.len() * CHUNK_LEN * joints.len()
                <= MAX_KEPT_SAMPLES + 64 * CHUNK_LEN * joints.len()
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
        let mut samples = 0;
        for joint in 0..trails.joints().len() {
            for TrailPiece { start, points, .. } in trails.pieces(joint, &window) {
                for (index, point) in points.iter().enumerate() {
                    let time = start + index as f64 / RATE_HZ;
                    assert!(window.contains(&time), "{time}");
                    clip.sample(time, &mut pose);
                    let node = &pose[trails.joints()[joint]];
                    assert_eq!(point.is_visible(), node.is_visible, "{time}");
                    let position =
                        DVec3::from_array(point.position.map(f64::from)) + trails.origin();
                    let off = position.distance(node.world.translation);
                    assert!(!node.is_visible || off < 1e-6, "{time}: {off}");
                    samples += 1;
                }
            }
        }
        assert_eq!(samples, trails.joints().len() * 166, "60 per second, including both ends");
    }

    #[test]
    fn speeds_match_the_joint() {
        let clip = clip();
        let wrist = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
        let mut trails = Trails::new(&clip, vec![NodeId::new(wrist)]);
        trails.prepare(&clip, &(0.0..=4.0), 100);
        let mut poses = [Pose::default(), Pose::default()];
        let mut compared = 0;
        for step in 60..180 {
            let time = f64::from(step) / RATE_HZ;
            clip.sample(time - 1.0 / RATE_HZ, &mut poses[0]);
            clip.sample(time + 1.0 / RATE_HZ, &mut poses[1]);
            let [before, after] = &poses;
            let (before, after) = (&before.nodes[wrist], &after.nodes[wrist]);
            let point = trails.point_at(0, time).unwrap();
            if before.is_visible && after.is_visible && point.is_visible() {
                let distance = before.world.translation.distance(after.world.translation);
                let error = (f64::from(point.speed) - distance * 0.5 * RATE_HZ).abs();
                assert!(error < 1e-4, "{time}: {error}");
                compared += 1;
            }
        }
        assert!(compared > 50);
    }

    #[test]
    fn trail_points_include_the_root_motion() {
        let bytes = include_bytes!("../../../assets/maya/walk-with-hat.anim");
        let clip = decode(SourceFile::new("x.anim", bytes), &ReadOptions::default()).unwrap();
        let root_motion_node = clip.root_motion_node().unwrap();
        let mut trails = Trails::new(&clip, joints(&clip));
        let window = clip.span.start..=clip.span.end();
        assert!(trails.prepare(&clip, &window, 100));
        let mut pose = Pose::default();
        let mut distance_from_pose = |trails: &Trails, time: f64, position: [f32; 3]| {
            clip.sample(time, &mut pose);
            let position = DVec3::from_array(position.map(f64::from)) + trails.origin();
            position.distance(pose[root_motion_node].world.translation)
        };
        for TrailPiece { start, points, root_positions } in trails.pieces(1, &window) {
            assert_eq!(points.len(), root_positions.len());
            for (index, &position) in root_positions.iter().enumerate() {
                let time = start + index as f64 / RATE_HZ;
                assert!(distance_from_pose(&trails, time, position) < 1e-6, "{time}");
            }
        }
        let between_samples = clip.span.start + 10.3 / RATE_HZ;
        assert!(
            distance_from_pose(
                &trails,
                between_samples,
                trails.root_position_at(between_samples).unwrap()
            ) < 1e-3
        );
        let root_position =
            |time| DVec3::from_array(trails.root_position_at(time).unwrap().map(f64::from));
        let walked = root_position(clip.span.end()).distance(root_position(clip.span.start));
        assert!(walked > 1.0, "the sample walks: {walked}");
    }

    #[test]
    fn sampled_chunks_are_reused() {
        let mut clip = clip();
        let mut trails = Trails::new(&clip, joints(&clip));
        let all = clip.span.start..=clip.span.end();
        assert!(!trails.prepare(&clip, &all, 1), "one chunk of two");
        let points = |trails: &Trails| -> usize {
            trails.pieces(0, &all).map(|piece| piece.points.len()).sum()
        };
        assert_eq!(points(&trails), CHUNK_LEN);
        assert!(trails.prepare(&clip, &all, 1));
        assert_eq!(points(&trails), trails.count);
        // Sampling an empty clip would fail, so the chunks are not sampled again.
        clip.tracks = Vec::new();
        clip.nodes = Default::default();
        assert!(trails.prepare(&clip, &all, 1));
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
