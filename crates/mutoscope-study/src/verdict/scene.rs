//! The subjects of a recording, the times at which it is sampled, and the usual lengths of bones.

use glam::DQuat;
use mutoscope_core::clip::{
    Clip, ComponentVector, KeyTimes, NodeId, NodeKind, Pose, Rotation, Side, Translation,
};

use super::{
    check::Need,
    moment::visible_position,
    subject::{Body, Bone, Foot, Hand, OrientedJoint},
};
use crate::{
    quality::limit_samples,
    signal::{Grid, Rate, statistics::median},
    subjects::Subjects,
};

/// The fewest samples of a recording that can be judged.
const MIN_SAMPLES: usize = 10;

/// A recording whose median interval between keys is longer has authored keys instead of samples.
const MAX_SAMPLE_INTERVAL_S: f64 = 0.06;

/// Keys are samples if this share of the intervals is within half a median of the median.
const MIN_EVEN_SHARE: f64 = 0.8;

/// The number of times at which usual lengths and heights are measured.
const REFERENCE_SAMPLES: usize = 256;

/// Shorter bones have no reliable relative length, in metres.
const MIN_BONE_M: f64 = 0.005;

/// The largest difference between the usual and the lowest heights of the feet on an even floor, in
/// metres.
const MAX_FLOOR_SPREAD_M: f64 = 0.1;

/// Fewer loose points are no set of markers.
const MIN_MARKERS: usize = 3;

/// The largest number of loose points whose key times are merged.
const MAX_TIMED_MARKERS: usize = 16;

/// The subjects of a recording, with what is usual for them.
pub(super) struct Scene<'a> {
    pub(super) clip: &'a Clip,
    /// In the order of [`crate::subjects::HANDS`].
    pub(super) hands: [Option<Hand>; 2],
    pub(super) head: Option<NodeId>,
    pub(super) gaze: Option<NodeId>,
    /// The rays of the left and the right eye.
    pub(super) eyes: Option<[NodeId; 2]>,
    /// The direction of the gaze as stored.
    pub(super) direction: Option<&'a ComponentVector>,
    pub(super) body: Option<Body>,
    pub(super) markers: Vec<NodeId>,
    /// The distinct key times of the subjects, in seconds.
    pub(super) key_times: Vec<f64>,
    /// The usual interval between samples, in seconds. `None` if a person set the keys.
    pub(super) interval_s: Option<f64>,
    /// The distinct key times of the gaze, in seconds.
    pub(super) gaze_times: Vec<f64>,
    /// The usual interval between samples of the gaze, in seconds.
    pub(super) gaze_interval_s: Option<f64>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(clip: &'a Clip) -> Self {
        let subjects = Subjects::from_clip(clip);
        let hands = [0, 1]
            .map(|index| subjects.hands[index].as_ref().map(|nodes| Hand::new(clip, nodes, index)));
        // A program computes the motion of games and of retargeted characters, so that the limits of
        // people and of sensors do not apply to it.
        let is_measured = clip.procedural.is_none();
        // The tracks that a tool binds to objects by their names are relative to parents that the file
        // does not have, so they are no measured points.
        let is_loose = clip.has_only_loose_nodes()
            && !clip.has_only_rigid_bodies()
            && clip.bindings().is_none()
            && hands.iter().all(Option::is_none);
        let root = subjects.root.filter(|_| is_measured && !clip.has_only_loose_nodes());
        let body = root.and_then(|root| Body::new(clip, root));
        let is_marker = |id: &NodeId| {
            let node = &clip.nodes[*id];
            node.kind == NodeKind::Joint && !matches!(node.motion.translation, Translation::Rest)
        };
        let markers = match is_loose {
            true => clip.nodes.with_ids().map(|(id, _)| id).filter(is_marker).collect(),
            false => Vec::new(),
        };
        let direction = subjects.gaze.and_then(|gaze| match &clip.nodes[gaze].motion.rotation {
            Rotation::Direction(vector) => Some(vector),
            _ => None,
        });
        let mut scene = Self {
            clip,
            hands,
            head: subjects.head.filter(|_| is_measured),
            gaze: subjects.gaze,
            eyes: find_eyes(clip),
            direction,
            body,
            markers,
            key_times: Vec::new(),
            interval_s: None,
            gaze_times: merge_key_times(clip, subjects.gaze.into_iter()),
            gaze_interval_s: None,
        };
        scene.key_times = merge_key_times(clip, scene.subjects());
        scene.interval_s = sample_interval(&scene.key_times);
        scene.gaze_interval_s = sample_interval(&scene.gaze_times);
        scene.measure_usual();
        scene
    }

    pub(super) fn subjects(&self) -> impl Iterator<Item = NodeId> {
        let wrists = self.hands.iter().flatten().map(|hand| hand.wrist);
        let root = self.body.as_ref().map(|body| body.root);
        let markers = self.markers.iter().copied().take(MAX_TIMED_MARKERS);
        wrists.chain(self.head).chain(self.gaze).chain(root).chain(markers)
    }

    /// Returns the times at which the recording is sampled, in seconds: its keys, or even times if
    /// its keys are no samples. Returns fewer times for a long recording with many nodes.
    pub(super) fn sample_times(&self) -> Vec<f64> {
        let nodes: Vec<NodeId> = self.subjects().collect();
        if nodes.is_empty() {
            return Vec::new();
        }
        let max_samples = limit_samples(self.clip, &nodes);
        if self.interval_s.is_some() {
            let stride = self.key_times.len().div_ceil(max_samples);
            return self.key_times.iter().copied().step_by(stride).collect();
        }
        let duration = self.clip.span.duration.max(f64::MIN_POSITIVE);
        let rate = Rate::for_clip(self.clip, None, nodes).hz;
        let rate = rate.min((max_samples as f64 - 1.0) / duration);
        let grid = Grid::new(self.clip.span, rate, max_samples);
        grid.map(|grid| (0..grid.count).map(|index| grid.time(index)).collect()).unwrap_or_default()
    }

    /// Returns `true` if a check with this need applies.
    pub(super) fn meets(&self, need: Need, samples: usize) -> bool {
        let has_samples = samples >= MIN_SAMPLES;
        let any_hand = |test: fn(&Hand) -> bool| self.hands.iter().flatten().any(test);
        let any_foot = |test: fn(&Foot) -> bool| {
            let feet = self.body.iter().flat_map(|body| body.feet.iter().flatten());
            feet.filter(|foot| test(foot)).count()
        };
        has_samples
            && match need {
                Need::HandBones => any_hand(|hand| !hand.bones.is_empty()),
                Need::Hand => any_hand(|_| true),
                Need::BothHands => self.hands.iter().all(Option::is_some),
                Need::Fingers => {
                    any_hand(|hand| hand.knuckles.is_some() && !hand.fingers.is_empty())
                }
                Need::OrientedHand => any_hand(|hand| !hand.oriented.is_empty()),
                Need::TrackedHand => any_hand(|hand| hand.has_tracking),
                Need::Head => self.head.is_some(),
                Need::GazeAndHead => self.gaze.is_some() && self.head.is_some(),
                Need::SampledGazeAndHead => {
                    self.gaze.is_some() && self.head.is_some() && self.interval_s.is_some()
                }
                Need::SampledGaze => self.gaze_interval_s.is_some(),
                Need::Eyes => self.eyes.is_some(),
                Need::StoredDirection => self.direction.is_some(),
                Need::Body => self.body.is_some(),
                Need::BodyBones => self.body.as_ref().is_some_and(|body| !body.bones.is_empty()),
                Need::Feet => {
                    any_foot(|_| true) > 0
                        && self.body.as_ref().is_some_and(|body| body.floor.is_some())
                }
                Need::Legs => any_foot(|foot| foot.toe.is_some() && foot.upper_leg.is_some()) == 2,
                Need::Arms => self.body.as_ref().is_some_and(|body| body.arms.is_some()),
                Need::Markers => self.markers.len() >= MIN_MARKERS && self.interval_s.is_some(),
                Need::Samples => self.interval_s.is_some(),
                Need::StatedRate => self.interval_s.is_some() && self.clip.rate_hz.is_some(),
                Need::Keys => !self.key_times.is_empty(),
            }
    }

    /// Measures what is usual: the lengths of bones, the axes of hands, and the heights of the feet
    /// and of the root.
    fn measure_usual(&mut self) {
        let mut bones: Vec<Bone> = self.all_bones().copied().collect();
        let has_axes = self.oriented_joints().next().is_some();
        if bones.is_empty() && self.body.is_none() && !has_axes {
            return;
        }
        let times = self.sample_times();
        let stride = times.len().div_ceil(REFERENCE_SAMPLES).max(1);
        let mut lengths: Vec<Vec<f64>> = vec![Vec::new(); bones.len()];
        let mut axes: Vec<Vec<DQuat>> = vec![Vec::new(); self.oriented_joints().count()];
        let (mut foot_heights, mut root_heights) = (Vec::new(), Vec::new());
        let mut pose = Pose::default();
        for time in times.into_iter().step_by(stride) {
            self.clip.sample_motion(time, &mut pose);
            for (bone, lengths) in bones.iter().zip(&mut lengths) {
                lengths.extend(bone.measure(&pose));
            }
            for ((hand, joint), axes) in self.oriented_joints().zip(&mut axes) {
                axes.extend(hand.axes_relative_to(joint.node, &pose));
            }
            if let Some(body) = &self.body {
                foot_heights.extend(body.lower_foot_height(&pose));
                root_heights.extend(visible_position(&pose, body.root).map(|root| root.y));
            }
        }
        for (bone, lengths) in bones.iter_mut().zip(lengths) {
            bone.length = median(lengths).unwrap_or_default();
        }
        let mut measured = bones.into_iter();
        for own in self.bone_lists() {
            own.iter_mut().zip(measured.by_ref()).for_each(|(own, bone)| *own = bone);
            own.retain(|bone| bone.length >= MIN_BONE_M);
        }
        let oriented = self.hands.iter_mut().flatten().flat_map(|hand| &mut hand.oriented);
        for (joint, axes) in oriented.zip(axes) {
            joint.usual_axes = find_central_rotation(&axes);
        }
        if let Some(body) = &mut self.body {
            body.floor = find_floor(foot_heights);
            body.usual_height = median(root_heights);
        }
    }

    fn oriented_joints(&self) -> impl Iterator<Item = (&Hand, &OrientedJoint)> {
        let hands = self.hands.iter().flatten();
        hands.flat_map(|hand| hand.oriented.iter().map(move |joint| (hand, joint)))
    }

    fn all_bones(&self) -> impl Iterator<Item = &Bone> {
        let hands = self.hands.iter().flatten().map(|hand| &hand.bones);
        hands.chain(self.body.iter().map(|body| &body.bones)).flatten()
    }

    fn bone_lists(&mut self) -> impl Iterator<Item = &mut Vec<Bone>> {
        let hands = self.hands.iter_mut().flatten().map(|hand| &mut hand.bones);
        hands.chain(self.body.iter_mut().map(|body| &mut body.bones))
    }
}

/// Returns the distinct key times of these nodes, sorted. Tracks that share their times are merged
/// once.
fn merge_key_times(clip: &Clip, nodes: impl Iterator<Item = NodeId>) -> Vec<f64> {
    let mut merged: Vec<&KeyTimes> = Vec::new();
    let mut times = Vec::new();
    for track in nodes.flat_map(|node| clip.nodes[node].motion.tracks()) {
        let curve = &clip.track(track).curve;
        if curve.key_times().is_empty() {
            continue;
        }
        if !merged.iter().any(|known| known.is_shared_with(curve.times())) {
            merged.push(curve.times());
            times.extend_from_slice(curve.key_times());
        }
    }
    // The stable sort merges sorted runs in linear time.
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Returns the rays of the left and the right eye, or `None` unless both move.
fn find_eyes(clip: &Clip) -> Option<[NodeId; 2]> {
    let is_moving = |id: &NodeId| !matches!(clip.nodes[*id].motion.rotation, Rotation::Rest);
    let eye =
        |side| clip.ray_nodes().filter(is_moving).find(|id| clip.nodes[*id].side == Some(side));
    Some([eye(Side::Left)?, eye(Side::Right)?])
}

/// Returns the rotation that is nearest to all others, which an outlier does not change. `None`
/// without rotations.
fn find_central_rotation(rotations: &[DQuat]) -> Option<DQuat> {
    let nearness = |one: &DQuat| rotations.iter().map(|other| one.dot(*other).abs()).sum::<f64>();
    let nearest = rotations.iter().map(|one| (nearness(one), *one));
    nearest.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, rotation)| rotation)
}

/// Returns the median interval of keys that are samples. `None` if the keys are authored.
fn sample_interval(times: &[f64]) -> Option<f64> {
    let intervals: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if intervals.len() + 1 < MIN_SAMPLES {
        return None;
    }
    let median = median(intervals.clone())?;
    let is_even = |interval: &&f64| (*interval - median).abs() < 0.5 * median;
    let even = intervals.iter().filter(is_even).count();
    let are_samples = median > 0.0
        && median <= MAX_SAMPLE_INTERVAL_S
        && even as f64 >= MIN_EVEN_SHARE * intervals.len() as f64;
    are_samples.then_some(median)
}

/// Returns the usual height of the lower foot: the tenth percentile. `None` if the heights suggest
/// stairs or a slope.
fn find_floor(mut heights: Vec<f64>) -> Option<f64> {
    heights.sort_by(f64::total_cmp);
    let percentile = |share: usize| heights.get(heights.len() * share / 100).copied();
    let (floor, middle) = (percentile(10)?, percentile(50)?);
    (middle - floor <= MAX_FLOOR_SPREAD_M).then_some(floor)
}
