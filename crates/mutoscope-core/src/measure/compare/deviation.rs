//! How far the joints of one recording are from those of another.

use glam::DVec3;

use super::{JointPair, Timing, joint_distance::between};
use crate::clip::{Clip, Pose};

/// The distance of a joint from its match, over all times at which both are visible.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The joints.
    pub joints: JointPair,
    /// How far they are apart at each time that was looked at, in metres; nothing where one is not
    /// to be seen.
    pub distances: Vec<Option<f64>>,
    /// At how many times both are visible; the rest is 0 if at none.
    pub seen: usize,
    /// The farthest that they are apart, in metres.
    pub max: f64,
    /// When that is, in seconds of the first recording.
    pub max_at: f64,
    /// The root of the mean square of how far they are apart, in metres.
    pub rms: f64,
    /// From where the first is on average to where the second is, in metres.
    pub mean: DVec3,
    /// The same as `rms` with the second moved back by `mean`: the rest if the recordings only
    /// differ by a constant offset in space.
    pub rms_in_place: f64,
    /// The largest turn from the one to the other, in radians.
    pub max_angle: f64,
    /// The root of the mean square of these turns, in radians.
    pub rms_angle: f64,
}

/// How far `pairs` of joints are apart at `times` of the first recording, in seconds.
pub fn deviations(
    [first, second]: [&Clip; 2],
    pairs: &[JointPair],
    timing: Timing,
    times: &[f64],
) -> Vec<Deviation> {
    let (mut one, mut other) = (Pose::default(), Pose::default());
    let mut sums: Vec<_> = pairs.iter().map(|&pair| Sums::new(pair)).collect();
    for &time in times {
        first.sample_motion(time, &mut one);
        second.sample_motion(timing.second(time), &mut other);
        sums.iter_mut().for_each(|sums| sums.add(time, [&one, &other]));
    }
    sums.into_iter().map(Sums::finish).collect()
}

struct Sums {
    deviation: Deviation,
    squares: f64,
    squared_angles: f64,
    off: DVec3,
}

impl Sums {
    fn new(joints: JointPair) -> Self {
        let deviation = Deviation {
            joints,
            distances: Vec::new(),
            seen: 0,
            max: 0.0,
            max_at: 0.0,
            rms: 0.0,
            mean: DVec3::ZERO,
            rms_in_place: 0.0,
            max_angle: 0.0,
            rms_angle: 0.0,
        };
        Self { deviation, squares: 0.0, squared_angles: 0.0, off: DVec3::ZERO }
    }

    fn add(&mut self, time: f64, [one, other]: [&Pose; 2]) {
        let Self { deviation, .. } = self;
        let JointPair { first, second } = deviation.joints;
        let apart = between([(one, first), (other, second)]);
        deviation.distances.push(apart.map(|apart| apart.distance));
        let Some(apart) = apart else { return };
        let place =
            |pose: &Pose, joint: crate::clip::NodeId| pose.nodes[joint.index()].world.translation;
        deviation.seen += 1;
        if apart.distance > deviation.max || deviation.seen == 1 {
            (deviation.max, deviation.max_at) = (apart.distance, time);
        }
        deviation.max_angle = deviation.max_angle.max(apart.angle);
        self.squares += apart.distance * apart.distance;
        self.squared_angles += apart.angle * apart.angle;
        self.off += place(other, second) - place(one, first);
    }

    fn finish(self) -> Deviation {
        let Self { mut deviation, squares, squared_angles, off } = self;
        if deviation.seen > 0 {
            let count = deviation.seen as f64;
            deviation.mean = off / count;
            deviation.rms = (squares / count).sqrt();
            deviation.rms_angle = (squared_angles / count).sqrt();
            // The rest may be below rounding.
            let left = squares / count - deviation.mean.length_squared();
            deviation.rms_in_place = left.max(0.0).sqrt();
        }
        deviation
    }
}
