//! Samples the subjects of a recording at the times of a grid.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, Hint, NodeId, Pose, Transform},
    io::progress::{Cancelled, Progress},
    measure::analysis::{Area, Ray},
};

use crate::{
    signal::Grid,
    subjects::{HandNodes, Subjects},
};

const CANCEL_CHECK_INTERVAL: usize = 256;

/// The samples of all subjects, in metres in the viewer's space. A missing sample is NaN or `None`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    /// In the order of [`Subjects::hands`].
    pub(crate) hands: [Option<HandSamples>; 2],
    pub(crate) head: Option<HeadSamples>,
    pub(crate) gaze: Option<Vec<Option<Ray>>>,
    pub(crate) hits: Vec<Option<usize>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct HandSamples {
    pub(crate) wrist: Vec<DVec3>,
    pub(crate) tips: Option<[Vec<DVec3>; 2]>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct HeadSamples {
    pub(crate) positions: Vec<DVec3>,
    pub(crate) rotations: Vec<DQuat>,
}

impl Samples {
    pub(crate) fn from_clip(
        clip: &Clip,
        subjects: &Subjects,
        areas: &[Area],
        grid: &Grid,
        progress: &mut Progress<'_>,
    ) -> Result<Self, Cancelled> {
        let nodes = nodes_to_sample(subjects);
        let needs_poses = areas.iter().any(|area| area.joint.is_some());
        let mut sampler = Sampler::new(clip, &nodes, needs_poses);
        let mut samples = Self::with_capacity(subjects, grid.count);
        for index in 0..grid.count {
            if index % CANCEL_CHECK_INTERVAL == 0 {
                progress.check_cancelled()?;
            }
            let mut transforms = sampler.sample(grid.time(index)).iter().copied();
            let mut next = || transforms.next().flatten();
            for hand in samples.hands.iter_mut().flatten() {
                hand.wrist.push(position_or_nan(next()));
                hand.tips.iter_mut().flatten().for_each(|tip| tip.push(position_or_nan(next())));
            }
            if let Some(head) = &mut samples.head {
                let transform = next();
                head.positions.push(position_or_nan(transform));
                head.rotations.push(transform.map_or(DQuat::NAN, |transform| transform.rotation));
            }
            if let Some(gaze) = &mut samples.gaze {
                let ray = next().and_then(|transform| {
                    let direction = (transform.rotation * DVec3::NEG_Z).try_normalize()?;
                    Some(Ray { origin: transform.translation, direction })
                });
                gaze.push(ray);
                if !areas.is_empty() {
                    samples.hits.push(
                        ray.and_then(|ray| find_nearest_area(areas, ray, sampler.latest_pose())),
                    );
                }
            }
        }
        Ok(samples)
    }

    fn with_capacity(subjects: &Subjects, count: usize) -> Self {
        let empty = || Vec::with_capacity(count);
        let hand = |hand: &HandNodes| HandSamples {
            wrist: empty(),
            tips: hand.tips.map(|_| [empty(), empty()]),
        };
        Self {
            hands: subjects.hands.each_ref().map(|nodes| nodes.as_ref().map(hand)),
            head: subjects
                .head
                .map(|_| HeadSamples { positions: empty(), rotations: Vec::with_capacity(count) }),
            gaze: subjects.gaze.map(|_| Vec::with_capacity(count)),
            hits: Vec::new(),
        }
    }
}

/// Returns the nodes to sample, in the order in which [`Samples::from_clip`] reads their
/// transforms.
fn nodes_to_sample(subjects: &Subjects) -> Vec<NodeId> {
    let hands = subjects.hands.iter().flatten();
    let hand_nodes =
        |hand: &HandNodes| [hand.wrist].into_iter().chain(hand.tips.into_iter().flatten());
    hands.flat_map(hand_nodes).chain(subjects.head).chain(subjects.gaze).collect()
}

fn position_or_nan(transform: Option<Transform>) -> DVec3 {
    transform.map_or(DVec3::NAN, |transform| transform.translation)
}

/// Returns the index of the area that a ray hits nearest to its origin, if any. Without a pose,
/// areas on joints are skipped.
pub(crate) fn find_nearest_area(areas: &[Area], ray: Ray, pose: Option<&Pose>) -> Option<usize> {
    let distance = |area: &Area| match (area.joint, pose) {
        (None, _) => area.shape.hit_distance(ray),
        (Some(_), Some(pose)) => area.hit_distance(ray, pose),
        (Some(_), None) => None,
    };
    let hit = areas.iter().enumerate().filter_map(|(index, area)| Some((index, distance(area)?)));
    hit.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

pub(crate) struct Sampler<'a> {
    clip: &'a Clip,
    nodes: &'a [NodeId],
    mode: SamplingMode,
    transforms: Vec<Option<Transform>>,
}

enum SamplingMode {
    /// Samples poses of the whole clip.
    Poses(Box<Pose>),
    /// Samples single nodes. This is faster, but only correct if nothing except a node's own tracks
    /// moves the node.
    OneByOne(Vec<[Hint; 2]>),
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(clip: &'a Clip, nodes: &'a [NodeId], needs_poses: bool) -> Self {
        let are_roots = nodes.iter().all(|id| clip.nodes[*id].parent.is_none());
        let mode = match clip.procedural.is_none() && are_roots && !needs_poses {
            true => SamplingMode::OneByOne(vec![[Hint::default(); 2]; nodes.len()]),
            false => SamplingMode::Poses(Box::default()),
        };
        Self { clip, nodes, mode, transforms: Vec::with_capacity(nodes.len()) }
    }

    /// Returns the world transform of each node at `time`, in seconds. A transform is `None` if the
    /// node is hidden or the transform is not finite.
    pub(crate) fn sample(&mut self, time: f64) -> &[Option<Transform>] {
        let Self { clip, nodes, mode, transforms } = self;
        transforms.clear();
        match mode {
            SamplingMode::OneByOne(hints) => {
                transforms.extend(nodes.iter().zip(hints).map(|(id, hints)| {
                    let (transform, is_shown) = clip.sample_node(*id, time, hints);
                    (is_shown && transform.is_finite()).then_some(transform)
                }))
            }
            SamplingMode::Poses(pose) => {
                clip.sample_motion(time, pose);
                let visible_transform = |id: &NodeId| {
                    Some(&pose[*id]).filter(|node| node.is_visible).map(|node| node.world)
                };
                transforms.extend(nodes.iter().map(visible_transform));
            }
        }
        transforms
    }

    /// Returns the pose of the latest sample, or `None` if single nodes are sampled.
    pub(crate) fn latest_pose(&self) -> Option<&Pose> {
        match &self.mode {
            SamplingMode::Poses(pose) => Some(pose),
            SamplingMode::OneByOne(_) => None,
        }
    }
}
