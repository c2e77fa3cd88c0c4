//! The subjects of a recording, the times at which it is sampled, and the usual lengths of bones.

use glam::DVec3;
use mutoscope_core::{
    clip::{
        Clip, ComponentVector, HumanBones, KeyTimes, NodeId, NodeKind, NodeVisibility, Pose,
        Rotation, Translation,
    },
    measure::analysis::hand_joint,
    retarget::find_bodies,
};

use super::{check::Need, moment::visible_position};
use crate::{
    body::{find_feet, find_joints},
    quality::limit_samples,
    signal::{Grid, Rate, statistics::median},
    subjects::{HANDS, HandNodes, Subjects},
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

const FINGERS: [[&str; 4]; 4] = [
    ["IndexKnuckle", "IndexMiddleJoint", "IndexDistalJoint", "IndexTip"],
    ["MiddleKnuckle", "MiddleMiddleJoint", "MiddleDistalJoint", "MiddleTip"],
    ["RingKnuckle", "RingMiddleJoint", "RingDistalJoint", "RingTip"],
    ["PinkyKnuckle", "PinkyMiddleJoint", "PinkyDistalJoint", "PinkyTip"],
];

/// The subjects of a recording, with what is usual for them.
pub(super) struct Scene<'a> {
    pub(super) clip: &'a Clip,
    /// In the order of [`HANDS`].
    pub(super) hands: [Option<Hand>; 2],
    pub(super) head: Option<NodeId>,
    pub(super) gaze: Option<NodeId>,
    /// The direction of the gaze as stored.
    pub(super) direction: Option<&'a ComponentVector>,
    pub(super) body: Option<Body>,
    pub(super) markers: Vec<NodeId>,
    /// The distinct key times of the subjects, in seconds.
    pub(super) key_times: Vec<f64>,
    /// The usual interval between samples, in seconds. `None` if a person set the keys.
    pub(super) interval_s: Option<f64>,
}

pub(super) struct Hand {
    pub(super) wrist: NodeId,
    pub(super) joints: Vec<NodeId>,
    pub(super) bones: Vec<Bone>,
    /// The joints of the fingers from the knuckle to the tip.
    pub(super) fingers: Vec<[NodeId; 4]>,
    /// The knuckles of the index finger and of the little finger.
    pub(super) knuckles: Option<[NodeId; 2]>,
    pub(super) has_tracking: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Bone {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// The median length, in metres.
    pub(super) length: f64,
}

pub(super) struct Body {
    pub(super) root: NodeId,
    pub(super) joints: Vec<NodeId>,
    pub(super) bones: Vec<Bone>,
    /// The left and the right foot.
    pub(super) feet: [Option<Foot>; 2],
    /// The usual height of the lower foot, in metres. `None` if the floor is not even.
    pub(super) floor: Option<f64>,
}

#[derive(Clone, Copy)]
pub(super) struct Foot {
    pub(super) foot: NodeId,
    pub(super) toe: Option<NodeId>,
    pub(super) upper_leg: Option<NodeId>,
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
            direction,
            body,
            markers,
            key_times: Vec::new(),
            interval_s: None,
        };
        scene.key_times = scene.merge_key_times();
        scene.interval_s = sample_interval(&scene.key_times);
        scene.measure_usual();
        scene
    }

    pub(super) fn subjects(&self) -> impl Iterator<Item = NodeId> {
        let wrists = self.hands.iter().flatten().map(|hand| hand.wrist);
        let root = self.body.as_ref().map(|body| body.root);
        let markers = self.markers.iter().copied().take(MAX_TIMED_MARKERS);
        wrists.chain(self.head).chain(self.gaze).chain(root).chain(markers)
    }

    /// Merges the key times of the subjects. Tracks that share their times are merged once.
    fn merge_key_times(&self) -> Vec<f64> {
        let mut merged: Vec<&KeyTimes> = Vec::new();
        let mut times = Vec::new();
        for track in self.subjects().flat_map(|node| self.clip.nodes[node].motion.tracks()) {
            let curve = &self.clip.track(track).curve;
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
                Need::TrackedHand => any_hand(|hand| hand.has_tracking),
                Need::Head => self.head.is_some(),
                Need::GazeAndHead => self.gaze.is_some() && self.head.is_some(),
                Need::StoredDirection => self.direction.is_some(),
                Need::Body => self.body.is_some(),
                Need::BodyBones => self.body.as_ref().is_some_and(|body| !body.bones.is_empty()),
                Need::Feet => {
                    any_foot(|_| true) > 0
                        && self.body.as_ref().is_some_and(|body| body.floor.is_some())
                }
                Need::Legs => any_foot(|foot| foot.toe.is_some() && foot.upper_leg.is_some()) == 2,
                Need::Markers => self.markers.len() >= MIN_MARKERS && self.interval_s.is_some(),
                Need::Samples => self.interval_s.is_some(),
                Need::StatedRate => self.interval_s.is_some() && self.clip.rate_hz.is_some(),
                Need::Keys => !self.key_times.is_empty(),
            }
    }

    /// Measures the usual lengths of bones and the usual heights of feet.
    fn measure_usual(&mut self) {
        let times = self.sample_times();
        let stride = times.len().div_ceil(REFERENCE_SAMPLES).max(1);
        let mut bones: Vec<Bone> = self.all_bones().copied().collect();
        let feet: Vec<NodeId> = self
            .body
            .iter()
            .flat_map(|body| body.feet.iter().flatten())
            .map(|foot| foot.foot)
            .collect();
        if bones.is_empty() && feet.is_empty() {
            return;
        }
        let mut lengths: Vec<Vec<f64>> = vec![Vec::new(); bones.len()];
        let mut heights = Vec::new();
        let mut pose = Pose::default();
        for time in times.into_iter().step_by(stride) {
            self.clip.sample_motion(time, &mut pose);
            for (bone, lengths) in bones.iter().zip(&mut lengths) {
                lengths.extend(bone.measure(&pose));
            }
            let feet = feet.iter().filter_map(|foot| visible_position(&pose, *foot));
            heights.extend(feet.map(|foot| foot.y).reduce(f64::min));
        }
        for (bone, lengths) in bones.iter_mut().zip(lengths) {
            bone.length = median(lengths).unwrap_or_default();
        }
        let mut measured = bones.into_iter();
        for own in self.bone_lists() {
            own.iter_mut().zip(measured.by_ref()).for_each(|(own, bone)| *own = bone);
            own.retain(|bone| bone.length >= MIN_BONE_M);
        }
        if let Some(body) = &mut self.body {
            body.floor = find_floor(heights);
        }
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

impl Hand {
    fn new(clip: &Clip, nodes: &HandNodes, index: usize) -> Self {
        let joints = nodes_connected_to(clip, nodes.wrist);
        let joint = |name| hand_joint(clip, HANDS[index].0, name);
        let finger = |names: [&'static str; 4]| {
            let [knuckle, middle, distal, tip] = names.map(joint);
            Some([knuckle?, middle?, distal?, tip?])
        };
        let visibility = clip.nodes[nodes.wrist].motion.visibility;
        Self {
            wrist: nodes.wrist,
            bones: bones_of(clip, &joints),
            joints,
            fingers: FINGERS.into_iter().filter_map(finger).collect(),
            knuckles: joint("IndexKnuckle").zip(joint("PinkyKnuckle")).map(<[NodeId; 2]>::from),
            has_tracking: matches!(visibility, NodeVisibility::While(_)),
        }
    }
}

impl Bone {
    fn measure(&self, pose: &Pose) -> Option<f64> {
        Some(visible_position(pose, self.from)?.distance(visible_position(pose, self.to)?))
    }

    /// Returns the deviation of the length from the median, relative to the median.
    pub(super) fn deviation(&self, pose: &Pose) -> Option<f64> {
        Some((self.measure(pose)? / self.length - 1.0).abs())
    }
}

impl Body {
    fn new(clip: &Clip, root: NodeId) -> Option<Self> {
        let joints = find_joints(clip, root);
        // Authors move hats and the joints of robots on purpose, so that only the bones of people and
        // measured points are rigid.
        let people = find_bodies(clip);
        let is_human =
            |id: NodeId| people.iter().flat_map(HumanBones::iter).any(|(_, node)| node == id);
        let is_rigid = |bone: &Bone| {
            clip.nodes[bone.to].parent.is_none() || is_human(bone.from) && is_human(bone.to)
        };
        let mut bones = bones_of(clip, &joints);
        if bones.is_empty() {
            return None;
        }
        bones.retain(is_rigid);
        let foot = |foot: NodeId| {
            let mut children = clip.nodes.with_ids().filter(|(_, node)| node.parent == Some(foot));
            Foot {
                foot,
                toe: children.next().map(|(toe, _)| toe),
                upper_leg: clip.nodes[foot].parent.and_then(|knee| clip.nodes[knee].parent),
            }
        };
        let feet = find_feet(clip, &joints, &[]).map(|found| found.map(foot));
        Some(Self { root, joints, bones, feet, floor: None })
    }

    /// Returns the direction in which the body faces according to its sides, and the one in which
    /// its toes point, both on the ground. `None` unless the body stands.
    pub(super) fn facing(&self, pose: &Pose) -> Option<[DVec3; 2]> {
        let [left, right] = self.feet;
        let (left, right) = (left?, right?);
        let position = |node: Option<NodeId>| visible_position(pose, node?);
        let across = position(left.upper_leg)? - position(right.upper_leg)?;
        let toes = |foot: Foot| Some(position(foot.toe)? - position(Some(foot.foot))?);
        let toes = toes(left)?.normalize_or_zero() + toes(right)?.normalize_or_zero();
        let on_ground = |direction: DVec3| {
            let flat = DVec3::new(direction.x, 0.0, direction.z);
            flat.try_normalize().filter(|_| flat.length() > 0.5 * direction.length())
        };
        let hips = position(left.upper_leg)?;
        let is_upright =
            hips.y > position(Some(left.foot))?.y && hips.y > position(Some(right.foot))?.y;
        Some([on_ground(across)?.cross(DVec3::Y), on_ground(toes)?]).filter(|_| is_upright)
    }
}

fn bones_of(clip: &Clip, joints: &[NodeId]) -> Vec<Bone> {
    let bone = |to: &NodeId| {
        let from = clip.nodes[*to].bone_from?;
        joints.contains(&from).then_some(Bone { from, to: *to, length: 0.0 })
    };
    joints.iter().filter_map(bone).collect()
}

/// Returns `top` and the nodes whose bones lead back to it.
fn nodes_connected_to(clip: &Clip, top: NodeId) -> Vec<NodeId> {
    let leads_to_top = |id: NodeId| {
        let mut chain = std::iter::successors(Some(id), |node| clip.nodes[*node].bone_from);
        // A damaged file may have a cycle, so follow the bones no farther than there are nodes.
        chain.by_ref().take(clip.nodes.len()).any(|node| node == top)
    };
    clip.nodes.with_ids().map(|(id, _)| id).filter(|id| leads_to_top(*id)).collect()
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
