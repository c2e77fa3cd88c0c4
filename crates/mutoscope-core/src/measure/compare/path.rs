//! Positions of joints at even times, their velocities and accelerations.

use glam::DVec3;

use crate::clip::{Clip, Hint, NodeId, Pose};

/// The positions of a joint at even times, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The time of the first place, in seconds.
    pub start: f64,
    /// The seconds from one place to the next; above 0.
    pub interval: f64,
    /// The places; nothing where the joint is hidden.
    pub places: Vec<Option<DVec3>>,
}

impl Path {
    /// The paths of `joints` through `count` places each, from the time `start` on and `interval`
    /// seconds apart.
    pub fn of_joints(
        clip: &Clip,
        joints: &[NodeId],
        start: f64,
        interval: f64,
        count: usize,
    ) -> Vec<Self> {
        let path = |_| Self { start, interval, places: Vec::with_capacity(count) };
        let mut paths: Vec<_> = joints.iter().map(path).collect();
        let mut places = Places::of(clip, joints);
        for index in 0..count {
            let here = places.at(start + index as f64 * interval);
            paths.iter_mut().zip(here).for_each(|(path, place)| path.places.push(*place));
        }
        paths
    }

    /// The time of the place with this index, in seconds.
    pub fn time(&self, index: usize) -> f64 {
        self.start + index as f64 * self.interval
    }

    /// The velocity of the joint at each position, in metres per second: the central difference
    /// `(p[i+1] − p[i−1]) / 2h`. At an end, or next to a position where it is hidden, the one-sided
    /// difference; nothing without a neighbour.
    pub fn velocities(&self) -> Vec<Option<DVec3>> {
        let difference = |index: usize| {
            let here = self.place(index)?;
            let before = index.checked_sub(1).and_then(|before| self.place(before));
            match (before, self.place(index + 1)) {
                (Some(before), Some(after)) => Some((after - before) / (2.0 * self.interval)),
                (Some(before), None) => Some((here - before) / self.interval),
                (None, Some(after)) => Some((after - here) / self.interval),
                (None, None) => None,
            }
        };
        (0..self.places.len()).map(difference).collect()
    }

    /// The speed of the joint at each position, in metres a second: the lengths of
    /// [`Self::velocities`].
    pub fn speeds(&self) -> Vec<Option<f64>> {
        self.velocities().into_iter().map(|velocity| velocity.map(DVec3::length)).collect()
    }

    /// The acceleration at each position, in metres a second squared: the central difference
    /// `(p[i+1] − 2 p[i] + p[i−1]) / h²`; nothing without both neighbours.
    pub fn accelerations(&self) -> Vec<Option<DVec3>> {
        let difference = |index: usize| {
            let before = self.place(index.checked_sub(1)?)?;
            let (here, after) = (self.place(index)?, self.place(index + 1)?);
            Some((after - 2.0 * here + before) / (self.interval * self.interval))
        };
        (0..self.places.len()).map(difference).collect()
    }

    fn place(&self, index: usize) -> Option<DVec3> {
        self.places.get(index).copied().flatten()
    }
}

/// Where joints are, time by time, for callers that keep few of the places.
pub(crate) struct Places<'a> {
    clip: &'a Clip,
    joints: &'a [NodeId],
    way: Way,
    here: Vec<Option<DVec3>>,
}

enum Way {
    /// By the poses of the whole clip.
    Poses(Box<Pose>),
    /// One by one: nothing moves them but their own tracks, and there is no need of all the others.
    OneByOne(Vec<[Hint; 2]>),
}

impl<'a> Places<'a> {
    pub(crate) fn of(clip: &'a Clip, joints: &'a [NodeId]) -> Self {
        let hang_on_none = joints.iter().all(|id| clip.nodes[*id].parent.is_none());
        let way = match clip.procedural.is_none() && hang_on_none {
            true => Way::OneByOne(vec![[Hint::default(); 2]; joints.len()]),
            false => Way::Poses(Box::default()),
        };
        Self { clip, joints, way, here: Vec::with_capacity(joints.len()) }
    }

    /// How many nodes are evaluated for one time.
    pub(crate) fn cost(&self) -> usize {
        match self.way {
            Way::OneByOne(_) => self.joints.len().max(1),
            Way::Poses(_) => self.clip.nodes.len().max(1),
        }
    }

    /// The place of each joint at `time`, in metres; nothing where it is hidden.
    pub(crate) fn at(&mut self, time: f64) -> &[Option<DVec3>] {
        let Self { clip, joints, way, here } = self;
        here.clear();
        match way {
            Way::OneByOne(hints) => here.extend(joints.iter().zip(hints).map(|(id, hints)| {
                let (stands, is_shown) = clip.sample_node(*id, time, hints);
                (is_shown && stands.is_finite()).then_some(stands.translation)
            })),
            Way::Poses(pose) => {
                clip.sample_motion(time, pose);
                here.extend(joints.iter().map(|id| {
                    let stands = &pose.nodes[id.index()];
                    stands.shown.then_some(stands.world.translation)
                }));
            }
        }
        here
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, DecodeRequest};

    fn path(interval: f64, places: impl Iterator<Item = Option<DVec3>>) -> Path {
        Path { start: 0.0, interval, places: places.collect() }
    }

    #[test]
    fn free_fall_velocity_is_linear() {
        // 9.81 m/s² downwards, 2 m/s sideways at the start.
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
    fn joints_that_hang_on_none_are_where_they_are_in_poses() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        let joints: Vec<NodeId> = clip.nodes.with_ids().map(|(id, _)| id).collect();
        let (start, interval, mut pose, mut hidden) = (-0.5, 0.013, Pose::default(), 0);
        let count = ((clip.span.end() + 1.0) / interval) as usize;
        let paths = Path::of_joints(&clip, &joints, start, interval, count);
        for index in 0..count {
            clip.sample(start + index as f64 * interval, &mut pose);
            for (path, stands) in paths.iter().zip(&pose.nodes) {
                let expected = stands.shown.then_some(stands.world.translation);
                assert_eq!(path.places[index], expected, "{index}");
                hidden += usize::from(expected.is_none());
            }
        }
        assert!(hidden > 0 && hidden < count * joints.len());
    }

    #[test]
    fn differences_beside_a_gap_use_one_neighbour() {
        let x = |x: f64| Some(DVec3::X * x);
        let path = path(0.5, [x(0.0), x(1.0), None, x(5.0), None].into_iter());
        let speeds = path.speeds();
        assert_eq!(speeds, [Some(2.0), Some(2.0), None, None, None]);
        assert!(path.accelerations().iter().all(Option::is_none));
    }
}
