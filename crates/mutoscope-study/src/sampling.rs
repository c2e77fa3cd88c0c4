//! Sampling the subjects of a recording at the times of a grid.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, Hint, NodeId, Pose, Transform},
    measure::analysis::{Area, Ray},
};

use crate::{
    signal::Grid,
    subjects::{HandNodes, Subjects},
};

/// After so many samples it is asked whether they are still wanted.
const SAMPLES_BETWEEN_QUESTIONS: usize = 256;

/// The samples of the subjects of a recording, in the viewer's space: metres. NaN where there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    /// Wrist, thumb tip and index tip of the hands, in the order of the subjects.
    pub(crate) hands: [Option<HandSamples>; 2],
    pub(crate) head: Option<HeadSamples>,
    /// The ray of the gaze, and which area it hits.
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
    pub(crate) places: Vec<DVec3>,
    pub(crate) rotations: Vec<DQuat>,
}

impl Samples {
    /// The samples; nothing as soon as `is_cancelled`.
    pub(crate) fn of(
        clip: &Clip,
        subjects: &Subjects,
        areas: &[Area],
        grid: &Grid,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let nodes = nodes(subjects);
        let needs_poses = areas.iter().any(|area| area.joint.is_some());
        let mut sampler = Sampler::of(clip, &nodes, needs_poses);
        let mut samples = Self::with_capacity(subjects, grid.count);
        for index in 0..grid.count {
            if index % SAMPLES_BETWEEN_QUESTIONS == 0 && is_cancelled() {
                return None;
            }
            let mut stands = sampler.at(grid.time(index)).iter().copied();
            let mut next = || stands.next().flatten();
            for hand in samples.hands.iter_mut().flatten() {
                hand.wrist.push(place(next()));
                hand.tips.iter_mut().flatten().for_each(|tip| tip.push(place(next())));
            }
            if let Some(head) = &mut samples.head {
                let stands = next();
                head.places.push(place(stands));
                head.rotations.push(stands.map_or(DQuat::NAN, |stands| stands.rotation));
            }
            if let Some(gaze) = &mut samples.gaze {
                let ray = next().and_then(|stands| {
                    let direction = (stands.rotation * DVec3::NEG_Z).try_normalize()?;
                    Some(Ray { origin: stands.translation, direction })
                });
                gaze.push(ray);
                if !areas.is_empty() {
                    samples.hits.push(ray.and_then(|ray| nearest(areas, ray, sampler.pose())));
                }
            }
        }
        Some(samples)
    }

    fn with_capacity(subjects: &Subjects, count: usize) -> Self {
        let places = || Vec::with_capacity(count);
        let hand = |hand: &HandNodes| HandSamples {
            wrist: places(),
            tips: hand.tips.map(|_| [places(), places()]),
        };
        Self {
            hands: subjects.hands.each_ref().map(|nodes| nodes.as_ref().map(hand)),
            head: subjects
                .head
                .map(|_| HeadSamples { places: places(), rotations: Vec::with_capacity(count) }),
            gaze: subjects.gaze.map(|_| Vec::with_capacity(count)),
            hits: Vec::new(),
        }
    }
}

/// The nodes of the subjects, in the order in which their samples are taken.
fn nodes(subjects: &Subjects) -> Vec<NodeId> {
    let hands = subjects.hands.iter().flatten();
    let of_hand =
        |hand: &HandNodes| [hand.wrist].into_iter().chain(hand.tips.into_iter().flatten());
    hands.flat_map(of_hand).chain(subjects.head).chain(subjects.gaze).collect()
}

fn place(stands: Option<Transform>) -> DVec3 {
    stands.map_or(DVec3::NAN, |stands| stands.translation)
}

/// The index of the area that a ray hits first, if any. Areas that move with joints need a pose.
pub(crate) fn nearest(areas: &[Area], ray: Ray, pose: Option<&Pose>) -> Option<usize> {
    let distance = |area: &Area| match (area.joint, pose) {
        (None, _) => area.shape.distance(ray),
        (Some(_), Some(pose)) => area.distance(ray, pose),
        (Some(_), None) => None,
    };
    let hit = areas.iter().enumerate().filter_map(|(index, area)| Some((index, distance(area)?)));
    hit.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(index, _)| index)
}

/// Where nodes are, time by time.
pub(crate) struct Sampler<'a> {
    clip: &'a Clip,
    nodes: &'a [NodeId],
    way: Way,
    stands: Vec<Option<Transform>>,
}

enum Way {
    /// By the poses of the whole clip.
    Poses(Box<Pose>),
    /// One by one: nothing moves the nodes but their own tracks, and the others are not needed.
    OneByOne(Vec<[Hint; 2]>),
}

impl<'a> Sampler<'a> {
    pub(crate) fn of(clip: &'a Clip, nodes: &'a [NodeId], needs_poses: bool) -> Self {
        let are_roots = nodes.iter().all(|id| clip.nodes[*id].parent.is_none());
        let way = match clip.procedural.is_none() && are_roots && !needs_poses {
            true => Way::OneByOne(vec![[Hint::default(); 2]; nodes.len()]),
            false => Way::Poses(Box::default()),
        };
        Self { clip, nodes, way, stands: Vec::with_capacity(nodes.len()) }
    }

    /// The world transform of each node at `time`, in seconds; `None` where it is hidden or not finite.
    pub(crate) fn at(&mut self, time: f64) -> &[Option<Transform>] {
        let Self { clip, nodes, way, stands } = self;
        stands.clear();
        match way {
            Way::OneByOne(hints) => stands.extend(nodes.iter().zip(hints).map(|(id, hints)| {
                let (transform, is_shown) = clip.sample_node(*id, time, hints);
                (is_shown && transform.is_finite()).then_some(transform)
            })),
            Way::Poses(pose) => {
                clip.sample_motion(time, pose);
                let of = |id: &NodeId| {
                    Some(&pose.nodes[id.index()]).filter(|it| it.shown).map(|it| it.world)
                };
                stands.extend(nodes.iter().map(of));
            }
        }
        stands
    }

    /// The last pose, if the whole clip is sampled.
    pub(crate) fn pose(&self) -> Option<&Pose> {
        match &self.way {
            Way::Poses(pose) => Some(pose),
            Way::OneByOne(_) => None,
        }
    }
}
