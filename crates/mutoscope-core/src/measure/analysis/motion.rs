//! Measures the path length and speed of a joint.

use std::iter;

use glam::DVec3;

use crate::{
    clip::{Clip, NodeId, Span},
    measure::compare::JointSampler,
};

/// The path length and speed of a joint over a recording, while it is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointMotion {
    /// The time for which the joint is visible, in seconds.
    pub visible_duration: f64,
    /// The path length, in metres.
    pub path_length: f64,
    /// The mean speed, in m/s; 0 if the joint is never visible.
    pub mean_speed: f64,
    /// The top speed, in m/s.
    pub max_speed: f64,
    /// The time of the top speed, in seconds.
    pub max_at: f64,
}

const MAX_NODE_EVALUATIONS: f64 = (1 << 20) as f64;

const MIN_SAMPLES_PER_GAP: usize = 16;

const MAX_SAMPLES_PER_GAP: usize = 4096;

/// Measures the motion of `joint`, sampled `rate` times per second.
///
/// If even sampling would take too many samples, each gap between the joint's keys gets a limited
/// number of samples. Then the work grows with the number of keys, not with the duration: a
/// recording of several years may have only two keys.
pub fn joint_motion(clip: &Clip, joint: NodeId, rate: f64) -> JointMotion {
    let Span { start, duration } = clip.span;
    if !(duration > 0.0 && duration.is_finite()) || rate.is_nan() {
        return JointMotion::default();
    }
    let joints = [joint];
    let mut accumulator = MotionAccumulator::new(JointSampler::new(clip, &joints));
    let max_samples = MAX_NODE_EVALUATIONS / accumulator.sampler.nodes_per_sample() as f64;
    let steps = (duration * rate).ceil().max(1.0);
    if steps <= max_samples {
        let interval = duration / steps;
        (0..=steps as usize).for_each(|step| accumulator.add_time(start + step as f64 * interval));
        return accumulator.finish();
    }
    let keys = chain_key_times(clip, joint);
    let share = (max_samples / keys.len() as f64) as usize;
    let max_steps = share.clamp(MIN_SAMPLES_PER_GAP, MAX_SAMPLES_PER_GAP) as f64;
    accumulator.add_time(start);
    for gap in keys.windows(2) {
        let steps = ((gap[1] - gap[0]) * rate).ceil().clamp(1.0, max_steps);
        let interval = (gap[1] - gap[0]) / steps;
        (1..steps as usize).for_each(|step| accumulator.add_time(gap[0] + step as f64 * interval));
        accumulator.add_time(gap[1]);
    }
    accumulator.finish()
}

fn chain_key_times(clip: &Clip, joint: NodeId) -> Vec<f64> {
    let chain = iter::successors(Some(joint), |id| clip.nodes[*id].parent);
    let tracks = chain.flat_map(|id| clip.nodes[id].motion.tracks());
    let mut lists: Vec<&[f64]> = tracks.map(|track| clip.track(track).curve.key_times()).collect();
    lists.sort_unstable_by_key(|times| times.as_ptr());
    lists.dedup_by_key(|times| times.as_ptr_range());
    let ends = [clip.span.start, clip.span.end()];
    let inside = |time: &f64| ends[0] < *time && *time < ends[1];
    let mut times: Vec<f64> = lists.into_iter().flatten().copied().filter(inside).collect();
    times.extend(ends);
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    times
}

struct MotionAccumulator<'a> {
    sampler: JointSampler<'a>,
    motion: JointMotion,
    last: [Option<(f64, Option<DVec3>)>; 2],
}

impl<'a> MotionAccumulator<'a> {
    fn new(sampler: JointSampler<'a>) -> Self {
        Self { sampler, motion: JointMotion::default(), last: [None; 2] }
    }

    fn add_time(&mut self, time: f64) {
        let here = self.sampler.sample_at(time)[0];
        if let Some((before, Some(from))) = self.last[1]
            && let Some(to) = here
        {
            self.motion.visible_duration += time - before;
            self.motion.path_length += from.distance(to);
        }
        self.update_max_speed(Some((time, here)));
        self.last = [self.last[1], Some((time, here))];
    }

    /// Measures the speed at the last position, as the central difference of its neighbours. Next
    /// to a hidden position, the difference is one-sided, as in
    /// [`Path`](crate::measure::compare::Path).
    fn update_max_speed(&mut self, next: Option<(f64, Option<DVec3>)>) {
        let visible = |position: Option<(f64, Option<DVec3>)>| Some((position?.0, position?.1?));
        let Some(here) = visible(self.last[1]) else { return };
        let (from, to) = (visible(self.last[0]).unwrap_or(here), visible(next).unwrap_or(here));
        let speed = from.1.distance(to.1) / (to.0 - from.0);
        if speed > self.motion.max_speed {
            (self.motion.max_speed, self.motion.max_at) = (speed, here.0);
        }
    }

    fn finish(mut self) -> JointMotion {
        self.update_max_speed(None);
        if self.motion.visible_duration > 0.0 {
            self.motion.mean_speed = self.motion.path_length / self.motion.visible_duration;
        }
        self.motion
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, SourceFile, decode};

    /// A hip that moves one metre along X in the first second, and three metres along Z in the
    /// second.
    const MOVING_HIP: &str = "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition \
        Zposition\nEnd Site\n{\nOFFSET 0 100 0\n}\n}\nMOTION\nFrames: 3\nFrame Time: 1\n\
        0 0 0\n100 0 0\n100 0 300\n";

    #[test]
    fn path_length_and_speed_match_known_motion() {
        let clip = decode(MOVING_HIP.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(clip.convention.metres_per_unit.value, 0.01);
        let motion = joint_motion(&clip, NodeId::new(0), 50.0);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        near(motion.visible_duration, 2.0);
        near(motion.path_length, 4.0);
        near(motion.mean_speed, 2.0);
        near(motion.max_speed, 3.0);
        assert!(motion.max_at > 1.0);
    }

    #[test]
    fn motion_does_not_depend_on_the_recording_length() {
        let moving_ball = |end: f64| {
            let keys = [(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (end, 4.0)].map(|(time, x)| {
                format!(r#"{{"time": {time:e}, "value": {{"x": {x}, "y": 0, "z": 0}}, "interpolation": "Linear"}}"#)
            });
            let text = format!(
                r#"{{"name": "go", "globalDuration": {end:e}, "tracks": [{{"trackType": "Curve",
                "valueType": "float3", "data": {{"node": "Ball", "property": "Position",
                "keyframes": [{}]}}}}]}}"#,
                keys.join(",")
            );
            decode(SourceFile::new("x.animj", text.as_bytes()), &ReadOptions::default()).unwrap()
        };
        for end in [3.0, 1e6, 3e11, 1e30, 1e300] {
            let clip = moving_ball(end);
            assert_eq!(clip.span.duration, end);
            let motion = joint_motion(&clip, NodeId::new(0), 60.0);
            assert!((motion.path_length - 4.0).abs() < 1e-6, "{end}: {motion:?}");
            assert!((motion.max_speed - 3.0).abs() < 1e-6, "{end}: {motion:?}");
            assert!((1.0..=2.0).contains(&motion.max_at), "{end}: {motion:?}");
            assert!((motion.visible_duration - end).abs() <= 1e-9 * end, "{end}: {motion:?}");
        }
    }
}
