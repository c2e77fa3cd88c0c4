//! Path length and speed of a joint.

use std::iter;

use glam::DVec3;

use crate::{
    clip::{Clip, NodeId, Span},
    measure::compare::Places,
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

/// How many evaluations of nodes an even rate may take for any recording, however few keys it has.
const FREE: f64 = (1 << 20) as f64;

/// How many times are looked at between two keys of a joint, at least: for each, an even rate may take as many.
const LEAST_IN_A_GAP: usize = 16;

/// The most times that are looked at between two keys.
const MOST_IN_A_GAP: usize = 4096;

/// The motion of `joint`, sampled `rate` times per second.
///
/// A recording may last for years and have two keys: then it is sampled between the keys of the joint, at
/// `rate` where that takes no more than its share, so that the work grows with the keys and not with the
/// duration.
pub fn joint_motion(clip: &Clip, joint: NodeId, rate: f64) -> JointMotion {
    let Span { start, duration } = clip.span;
    if !(duration > 0.0 && duration.is_finite()) || rate.is_nan() {
        return JointMotion::default();
    }
    let joints = [joint];
    let mut follower = Follower::new(Places::of(clip, &joints));
    let free = FREE / follower.places.cost() as f64;
    let steps = (duration * rate).ceil().max(1.0);
    if steps <= free {
        let interval = duration / steps;
        (0..=steps as usize).for_each(|step| follower.go_to(start + step as f64 * interval));
        return follower.finish();
    }
    let keys = own_times(clip, joint);
    let share = (free / keys.len() as f64) as usize;
    let most = share.clamp(LEAST_IN_A_GAP, MOST_IN_A_GAP) as f64;
    follower.go_to(start);
    for gap in keys.windows(2) {
        let steps = ((gap[1] - gap[0]) * rate).ceil().clamp(1.0, most);
        let interval = (gap[1] - gap[0]) / steps;
        (1..steps as usize).for_each(|step| follower.go_to(gap[0] + step as f64 * interval));
        follower.go_to(gap[1]);
    }
    follower.finish()
}

/// The key times of a joint and its ancestors, and the ends of the recording, in seconds: ascending, each
/// once.
fn own_times(clip: &Clip, joint: NodeId) -> Vec<f64> {
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

/// Adds up the motion of a joint from time to time.
struct Follower<'a> {
    places: Places<'a>,
    motion: JointMotion,
    /// The last two times with the places there, the later one last.
    last: [Option<(f64, Option<DVec3>)>; 2],
}

impl<'a> Follower<'a> {
    fn new(places: Places<'a>) -> Self {
        Self { places, motion: JointMotion::default(), last: [None; 2] }
    }

    fn go_to(&mut self, time: f64) {
        let here = self.places.at(time)[0];
        if let Some((before, Some(from))) = self.last[1]
            && let Some(to) = here
        {
            self.motion.visible += time - before;
            self.motion.path_length += from.distance(to);
        }
        self.note_speed(Some((time, here)));
        self.last = [self.last[1], Some((time, here))];
    }

    /// The speed at the last position, before the joint goes to `next`: the central difference. Next to a
    /// position where the joint is hidden, the one-sided difference, as in
    /// [`Path`](crate::measure::compare::Path).
    fn note_speed(&mut self, next: Option<(f64, Option<DVec3>)>) {
        let seen = |place: Option<(f64, Option<DVec3>)>| Some((place?.0, place?.1?));
        let Some(here) = seen(self.last[1]) else { return };
        let (from, to) = (seen(self.last[0]).unwrap_or(here), seen(next).unwrap_or(here));
        let speed = from.1.distance(to.1) / (to.0 - from.0);
        if speed > self.motion.max_speed {
            (self.motion.max_speed, self.motion.max_at) = (speed, here.0);
        }
    }

    fn finish(mut self) -> JointMotion {
        self.note_speed(None);
        if self.motion.visible > 0.0 {
            self.motion.mean_speed = self.motion.path_length / self.motion.visible;
        }
        self.motion
    }
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

    /// The same motion, then ten thousand years of nothing, as one late key makes them.
    #[test]
    fn motion_is_found_in_a_recording_of_any_length() {
        let going = |end: f64| {
            let keys = [(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (end, 4.0)].map(|(time, x)| {
                format!(r#"{{"time": {time:e}, "value": {{"x": {x}, "y": 0, "z": 0}}, "interpolation": "Linear"}}"#)
            });
            let text = format!(
                r#"{{"name": "go", "globalDuration": {end:e}, "tracks": [{{"trackType": "Curve",
                "valueType": "float3", "data": {{"node": "Ball", "property": "Position",
                "keyframes": [{}]}}}}]}}"#,
                keys.join(",")
            );
            let request = DecodeRequest::default().named("x.animj");
            formats::decode(text.as_bytes(), &request).unwrap()
        };
        for end in [3.0, 1e6, 3e11, 1e30, 1e300] {
            let clip = going(end);
            assert_eq!(clip.span.duration, end);
            let motion = joint_motion(&clip, NodeId::new(0), 60.0);
            assert!((motion.path_length - 4.0).abs() < 1e-6, "{end}: {motion:?}");
            assert!((motion.max_speed - 3.0).abs() < 1e-6, "{end}: {motion:?}");
            assert!((1.0..=2.0).contains(&motion.max_at), "{end}: {motion:?}");
            assert!((motion.visible - end).abs() <= 1e-9 * end, "{end}: {motion:?}");
        }
    }
}
