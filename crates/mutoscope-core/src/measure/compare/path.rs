//! Samples positions of joints at evenly spaced times, and derives velocities and accelerations.

use glam::DVec3;

use crate::clip::{Clip, Hint, NodeId, Pose};

/// The positions of a joint at evenly spaced times, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The time of the first position, in seconds.
    pub start: f64,
    /// The time from one position to the next, in seconds; above 0.
    pub interval: f64,
    /// The positions, or `None` while the joint is hidden.
    pub positions: Vec<Option<DVec3>>,
}

impl Path {
    /// Samples `count` positions of each of `joints`, from the time `start` on and `interval`
    /// seconds apart.
    pub fn sample_joints(
        clip: &Clip,
        joints: &[NodeId],
        start: f64,
        interval: f64,
        count: usize,
    ) -> Vec<Self> {
        let path = |_| Self { start, interval, positions: Vec::with_capacity(count) };
        let mut paths: Vec<_> = joints.iter().map(path).collect();
        let mut sampler = JointSampler::new(clip, joints);
        for index in 0..count {
            let positions = sampler.sample_at(start + index as f64 * interval);
            paths
                .iter_mut()
                .zip(positions)
                .for_each(|(path, position)| path.positions.push(*position));
        }
        paths
    }

    /// Returns the time of the position at `index`, in seconds.
    pub fn time(&self, index: usize) -> f64 {
        self.start + index as f64 * self.interval
    }

    /// Returns the velocity at each position, in m/s: the central difference
    /// `(p[i+1] − p[i−1]) / 2h`. At an end, or next to a hidden position, the one-sided difference
    /// is used. The velocity is `None` if the joint is hidden, or has no visible neighbour.
    pub fn velocities(&self) -> Vec<Option<DVec3>> {
        let difference = |index: usize| {
            let here = self.position(index)?;
            let before = index.checked_sub(1).and_then(|before| self.position(before));
            match (before, self.position(index + 1)) {
                (Some(before), Some(after)) => Some((after - before) / (2.0 * self.interval)),
                (Some(before), None) => Some((here - before) / self.interval),
                (None, Some(after)) => Some((after - here) / self.interval),
                (None, None) => None,
            }
        };
        (0..self.positions.len()).map(difference).collect()
    }

    /// Returns the speed at each position, in m/s: the lengths of [`Self::velocities`].
    pub fn speeds(&self) -> Vec<Option<f64>> {
        self.velocities().into_iter().map(|velocity| velocity.map(DVec3::length)).collect()
    }

    /// Returns the acceleration at each position, in m/s²: the central difference
    /// `(p[i+1] − 2 p[i] + p[i−1]) / h²`. The acceleration is `None` unless the joint is visible
    /// there and at both neighbours.
    pub fn accelerations(&self) -> Vec<Option<DVec3>> {
        let difference = |index: usize| {
            let before = self.position(index.checked_sub(1)?)?;
            let (here, after) = (self.position(index)?, self.position(index + 1)?);
            Some((after - 2.0 * here + before) / (self.interval * self.interval))
        };
        (0..self.positions.len()).map(difference).collect()
    }

    fn position(&self, index: usize) -> Option<DVec3> {
        self.positions.get(index).copied().flatten()
    }
}

pub(crate) struct JointSampler<'a> {
    clip: &'a Clip,
    joints: &'a [NodeId],
    method: SamplingMethod,
    positions: Vec<Option<DVec3>>,
}

enum SamplingMethod {
    /// Evaluates the whole pose of the clip.
    Poses(Box<Pose>),
    /// Evaluates only the joints themselves. This suffices if nothing moves the joints except their
    /// own tracks.
    SingleNodes(Vec<[Hint; 2]>),
}

impl<'a> JointSampler<'a> {
    pub(crate) fn new(clip: &'a Clip, joints: &'a [NodeId]) -> Self {
        let have_no_parents = joints.iter().all(|id| clip.nodes[*id].parent.is_none());
        let method = match clip.procedural.is_none() && have_no_parents {
            true => SamplingMethod::SingleNodes(vec![[Hint::default(); 2]; joints.len()]),
            false => SamplingMethod::Poses(Box::default()),
        };
        Self { clip, joints, method, positions: Vec::with_capacity(joints.len()) }
    }

    pub(crate) fn nodes_per_sample(&self) -> usize {
        match self.method {
            SamplingMethod::SingleNodes(_) => self.joints.len().max(1),
            SamplingMethod::Poses(_) => self.clip.nodes.len().max(1),
        }
    }

    pub(crate) fn sample_at(&mut self, time: f64) -> &[Option<DVec3>] {
        let Self { clip, joints, method, positions } = self;
        positions.clear();
        match method {
            SamplingMethod::SingleNodes(hints) => {
                positions.extend(joints.iter().zip(hints).map(|(id, hints)| {
                    let (node, is_shown) = clip.sample_node(*id, time, hints);
                    (is_shown && node.is_finite()).then_some(node.translation)
                }))
            }
            SamplingMethod::Poses(pose) => {
                clip.sample_motion(time, pose);
                positions.extend(joints.iter().map(|id| {
                    let node = &pose[*id];
                    node.is_visible.then_some(node.world.translation)
                }));
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, decode};

    fn path(interval: f64, positions: impl Iterator<Item = Option<DVec3>>) -> Path {
        Path { start: 0.0, interval, positions: positions.collect() }
    }

    #[test]
    fn free_fall_velocity_is_linear() {
        // The body falls at 9.81 m/s², and moves sideways at 2 m/s.
        let fall = |time: f64| DVec3::new(2.0 * time, -0.5 * 9.81 * time * time, 0.0);
        let path = path(0.01, (0..100).map(|step| Some(fall(f64::from(step) * 0.01))));
        let (velocities, accelerations) = (path.velocities(), path.accelerations());
        for index in 1..99 {
            let time = path.time(index);
            let expected = DVec3::new(2.0, -9.81 * time, 0.0);
            assert!(velocities[index].unwrap().abs_diff_eq(expected, 1e-9), "{time}");
            let expected = DVec3::new(0.0, -9.81, 0.0);
            assert!(accelerations[index].unwrap().abs_diff_eq(expected, 1e-8), "{time}");
        }
        assert_eq!((accelerations[0], accelerations[99]), (None, None));
        let speed = path.speeds()[50].unwrap();
        assert!((speed - 2.0_f64.hypot(9.81 * 0.5)).abs() < 1e-9);
    }

    #[test]
    fn single_nodes_match_poses() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let joints: Vec<NodeId> = clip.nodes.with_ids().map(|(id, _)| id).collect();
        let (start, interval, mut pose, mut hidden) = (-0.5, 0.013, Pose::default(), 0);
        let count = ((clip.span.end() + 1.0) / interval) as usize;
        let paths = Path::sample_joints(&clip, &joints, start, interval, count);
        for index in 0..count {
            clip.sample(start + index as f64 * interval, &mut pose);
            for (path, node) in paths.iter().zip(&pose.nodes) {
                let expected = node.is_visible.then_some(node.world.translation);
                assert_eq!(path.positions[index], expected, "{index}");
                hidden += usize::from(expected.is_none());
            }
        }
        assert!(hidden > 0 && hidden < count * joints.len());
    }

    #[test]
    fn differences_next_to_a_gap_use_one_neighbour() {
        let x = |x: f64| Some(DVec3::X * x);
        let path = path(0.5, [x(0.0), x(1.0), None, x(5.0), None].into_iter());
        let speeds = path.speeds();
        assert_eq!(speeds, [Some(2.0), Some(2.0), None, None, None]);
        assert!(path.accelerations().iter().all(Option::is_none));
    }
}
