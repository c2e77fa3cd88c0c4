//! Measures the distances of matched joints in two recordings.

use glam::DVec3;

use super::{JointPair, Timing, joint_distance::distance_between_poses};
use crate::clip::{Clip, Pose};

/// The distance of a joint from its match over all times at which both are visible. Without such a
/// time, all results are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The joint, and the matching joint of the other recording.
    pub joints: JointPair,
    /// The distance at each sample time, in metres, or `None` while one of the joints is hidden.
    pub distances: Vec<Option<f64>>,
    /// The number of sample times at which both joints are visible.
    pub visible_count: usize,
    /// The largest distance, in metres.
    pub max: f64,
    /// The time of the largest distance, in seconds of the first recording.
    pub max_at: f64,
    /// The root mean square distance, in metres.
    pub rms: f64,
    /// The mean offset from the joint of the first recording to its match, in metres.
    pub mean_offset: DVec3,
    /// The root mean square distance in metres after the second joint is moved back by
    /// `mean_offset`. This is near 0 if the recordings differ only by a constant offset in space.
    pub rms_in_place: f64,
    /// The largest angle between the rotations, in radians.
    pub max_angle: f64,
    /// The root mean square of the angles between the rotations, in radians.
    pub rms_angle: f64,
}

/// Measures the distances of `pairs` of joints at `times`, in seconds of the first recording.
pub fn deviations(
    [first, second]: [&Clip; 2],
    pairs: &[JointPair],
    timing: Timing,
    times: &[f64],
) -> Vec<Deviation> {
    let (mut first_pose, mut second_pose) = (Pose::default(), Pose::default());
    let mut sums: Vec<_> = pairs.iter().map(|&pair| DeviationSums::new(pair)).collect();
    for &time in times {
        first.sample_motion(time, &mut first_pose);
        second.sample_motion(timing.to_clip_time(time), &mut second_pose);
        sums.iter_mut().for_each(|sums| sums.add(time, [&first_pose, &second_pose]));
    }
    sums.into_iter().map(DeviationSums::finish).collect()
}

struct DeviationSums {
    deviation: Deviation,
    squared_distances: f64,
    squared_angles: f64,
    offset_sum: DVec3,
}

impl DeviationSums {
    fn new(joints: JointPair) -> Self {
        let deviation = Deviation {
            joints,
            distances: Vec::new(),
            visible_count: 0,
            max: 0.0,
            max_at: 0.0,
            rms: 0.0,
            mean_offset: DVec3::ZERO,
            rms_in_place: 0.0,
            max_angle: 0.0,
            rms_angle: 0.0,
        };
        Self { deviation, squared_distances: 0.0, squared_angles: 0.0, offset_sum: DVec3::ZERO }
    }

    fn add(&mut self, time: f64, [first_pose, second_pose]: [&Pose; 2]) {
        let Self { deviation, .. } = self;
        let JointPair { first, second } = deviation.joints;
        let joint_distance = distance_between_poses([(first_pose, first), (second_pose, second)]);
        deviation.distances.push(joint_distance.map(|joint_distance| joint_distance.distance));
        let Some(joint_distance) = joint_distance else { return };
        let position = |pose: &Pose, joint: crate::clip::NodeId| pose[joint].world.translation;
        deviation.visible_count += 1;
        if joint_distance.distance > deviation.max || deviation.visible_count == 1 {
            (deviation.max, deviation.max_at) = (joint_distance.distance, time);
        }
        deviation.max_angle = deviation.max_angle.max(joint_distance.angle);
        self.squared_distances += joint_distance.distance * joint_distance.distance;
        self.squared_angles += joint_distance.angle * joint_distance.angle;
        self.offset_sum += position(second_pose, second) - position(first_pose, first);
    }

    fn finish(self) -> Deviation {
        let Self { mut deviation, squared_distances, squared_angles, offset_sum } = self;
        if deviation.visible_count > 0 {
            let count = deviation.visible_count as f64;
            deviation.mean_offset = offset_sum / count;
            deviation.rms = (squared_distances / count).sqrt();
            deviation.rms_angle = (squared_angles / count).sqrt();
            // Rounding may make the variance slightly negative.
            let variance = squared_distances / count - deviation.mean_offset.length_squared();
            deviation.rms_in_place = variance.max(0.0).sqrt();
        }
        deviation
    }
}
