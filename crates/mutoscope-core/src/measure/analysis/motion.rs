//! Path length and speed of a joint.

use crate::{
    clip::{Clip, NodeId},
    measure::compare::Path,
};

/// Path length and speed of a joint over a recording, while it is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointMotion {
    /// How long it is visible, in seconds.
    pub visible: f64,
    /// Its path length, in metres.
    pub path_length: f64,
    /// Its mean speed, in metres per second; 0 if it is never visible.
    pub mean_speed: f64,
    /// Its top speed, in metres per second.
    pub max_speed: f64,
    /// The time of its top speed, in seconds.
    pub max_at: f64,
}

/// The motion of `joint`, sampled `rate` times per second.
pub fn joint_motion(clip: &Clip, joint: NodeId, rate: f64) -> JointMotion {
    /// More than is useful, and less than memory holds.
    const MOST: f64 = 1e8;
    let steps = (clip.span.duration * rate).ceil().clamp(1.0, MOST);
    let interval = clip.span.duration / steps;
    if interval <= 0.0 {
        return JointMotion::default();
    }
    let paths = Path::of_joints(clip, &[joint], clip.span.start, interval, steps as usize + 1);
    let path = &paths[0];
    let mut motion = JointMotion::default();
    for pair in path.places.windows(2) {
        if let [Some(from), Some(to)] = pair {
            motion.visible += interval;
            motion.path_length += from.distance(*to);
        }
    }
    for (index, speed) in path.speeds().into_iter().enumerate() {
        if let Some(speed) = speed.filter(|speed| *speed > motion.max_speed) {
            (motion.max_speed, motion.max_at) = (speed, path.time(index));
        }
    }
    if motion.visible > 0.0 {
        motion.mean_speed = motion.path_length / motion.visible;
    }
    motion
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, DecodeRequest};

    /// One metre along X in the first second, three in the second.
    const GOING: &str = "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition \
        Zposition\nEnd Site\n{\nOFFSET 0 100 0\n}\n}\nMOTION\nFrames: 3\nFrame Time: 1\n\
        0 0 0\n100 0 0\n100 0 300\n";

    #[test]
    fn path_length_and_speed_match_known_motion() {
        let clip = formats::decode(GOING.as_bytes(), &DecodeRequest::default()).unwrap();
        assert_eq!(clip.convention.metres_per_unit.value, 0.01);
        let motion = joint_motion(&clip, NodeId::new(0), 50.0);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        near(motion.visible, 2.0);
        near(motion.path_length, 4.0);
        near(motion.mean_speed, 2.0);
        near(motion.max_speed, 3.0);
        assert!(motion.max_at > 1.0);
    }
}
