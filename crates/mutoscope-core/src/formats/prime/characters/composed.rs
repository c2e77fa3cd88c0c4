//! Plays all clips of an animation together: in sequence and blended, as its tree describes.
//!
//! This is an approximation. The games play transitions between the clips of a sequence, which we
//! skip. They choose randomly where we take the first clip that can be chosen.

use std::sync::Arc;

use super::{MetaAnimation, MetaNode};
use crate::{
    clip::{
        Clip, Event, Hint, KeyTimesPool, Motion, Node, NodeId, Nodes, Owner, ProceduralAnimation,
        Span, TimeMap, Track, TrackId, Transform,
    },
    diagnostics::Diagnostics,
    formats::prime::convert::{Property, ROTATION, SCALE, TRANSLATION},
};

const MAX_DEPTH: usize = 64;

const MAX_CLIPS: usize = 256;

pub(super) fn can_compose(tree: &MetaAnimation) -> bool {
    tree.depth <= MAX_DEPTH && tree.leaves().take(MAX_CLIPS + 1).count() <= MAX_CLIPS
}

/// Combines the clips of `tree` into one clip. Returns that clip, and the indices of the clips that
/// it plays.
///
/// `clips` are the clips of the leaves, all on one skeleton. A clip that could not be read is
/// `None` and is left out. Every other clip plays its whole span. Returns `None` if no clip is
/// left.
pub(super) fn compose(
    tree: &MetaAnimation,
    clips: Vec<Option<Clip>>,
) -> Option<(Clip, Vec<usize>)> {
    let durations: Vec<_> = clips.iter().map(|clip| Some(clip.as_ref()?.span.duration)).collect();
    let mut planner = Planner { nodes: tree.nodes.iter(), durations: durations.iter(), clip: 0 };
    let plan = planner.plan_node()?;
    let duration = plan.duration();
    let starts: Vec<_> =
        clips.iter().map(|clip| clip.as_ref().map_or(0.0, |clip| clip.span.start)).collect();
    let root = plan.schedule(TimeMap { seconds_per_unit: 1.0, offset_s: 0.0 }, &starts);
    let mut scheduled = Vec::new();
    root.collect_clips(&mut scheduled);
    let first = clips[scheduled.first()?.0].as_ref()?;
    let mut whole = first.clone();
    whole.span = Span { start: 0.0, duration };
    let match_to_whole =
        |clip: Clip| MatchedClip { nodes: match_nodes(&whole.nodes, &clip.nodes), clip };
    let clips: Vec<_> = clips.into_iter().map(|clip| clip.map(match_to_whole)).collect();
    merge_tracks_and_events(&mut whole, &clips, &scheduled);
    let root_motion_node = whole.root_motion_node();
    let rests = whole.nodes.iter().map(|node| node.rest).collect();
    whole.procedural = Some(Arc::new(ComposedAnimation { root, clips, rests, root_motion_node }));
    Some((whole, scheduled.into_iter().map(|(clip, _)| clip).collect()))
}

enum Plan {
    Clip { clip: usize, duration: f64 },
    Blend { parts: Box<[Plan; 2]>, weight: f64, duration: f64, is_in_phase: bool },
    Sequence { parts: Vec<Plan>, duration: f64 },
}

struct Planner<'a> {
    nodes: std::slice::Iter<'a, MetaNode>,
    durations: std::slice::Iter<'a, Option<f64>>,
    clip: usize,
}

impl Planner<'_> {
    /// Plans the next node and all nodes below it. Returns `None` if none of these nodes plays a
    /// clip. The recursion is safe, because [`can_compose`] has limited the depth of the tree.
    fn plan_node(&mut self) -> Option<Plan> {
        match self.nodes.next()? {
            MetaNode::Play(_) => {
                let clip = self.clip;
                self.clip += 1;
                self.durations.next()?.map(|duration| Plan::Clip { clip, duration })
            }
            MetaNode::Blend { weight } => self.plan_blend(*weight, false),
            MetaNode::PhaseBlend { weight } => self.plan_blend(*weight, true),
            node @ MetaNode::Random { limits } => {
                // Plan even the children that the game cannot choose, because planning moves the
                // iterator past the whole subtree.
                let parts: Vec<_> = (0..limits.len()).map(|_| self.plan_node()).collect();
                let can_be_chosen =
                    |child: usize| node.share(child).is_some_and(|share| share > 0.0);
                let readable = parts.into_iter().enumerate();
                let readable = readable.filter_map(|(child, part)| Some((child, part?)));
                // Take the first child that can be chosen, or else the first child.
                readable.min_by_key(|(child, _)| !can_be_chosen(*child)).map(|(_, part)| part)
            }
            MetaNode::Sequence { children } => {
                let parts: Vec<_> = (0..*children).filter_map(|_| self.plan_node()).collect();
                let duration = parts.iter().map(Plan::duration).sum();
                (!parts.is_empty()).then_some(Plan::Sequence { parts, duration })
            }
        }
    }

    fn plan_blend(&mut self, weight: f32, is_in_phase: bool) -> Option<Plan> {
        let (first, second) = (self.plan_node(), self.plan_node());
        let (first, second) = match (first, second) {
            (Some(first), Some(second)) => (first, second),
            (one, other) => return one.or(other),
        };
        // If the weight is not finite, play only the first part.
        let weight = if weight.is_finite() { f64::from(weight).clamp(0.0, 1.0) } else { 0.0 };
        let [one, other] = [first.duration(), second.duration()];
        let duration = if is_in_phase { one + (other - one) * weight } else { one.max(other) };
        Some(Plan::Blend { parts: Box::new([first, second]), weight, duration, is_in_phase })
    }
}

impl Plan {
    fn duration(&self) -> f64 {
        match self {
            Self::Clip { duration, .. }
            | Self::Blend { duration, .. }
            | Self::Sequence { duration, .. } => *duration,
        }
    }

    fn schedule(self, map: TimeMap, starts: &[f64]) -> ScheduledPart {
        match self {
            Self::Clip { clip, .. } => {
                let offset = map.offset_s - starts[clip] * map.seconds_per_unit;
                ScheduledPart::Clip { clip, map: TimeMap { offset_s: offset, ..map } }
            }
            Self::Blend { parts, weight, duration, is_in_phase } => {
                let parts = parts.map(|part| {
                    let stretch = duration / part.duration();
                    let is_stretched = is_in_phase && stretch.is_finite() && stretch > 0.0;
                    let factor = if is_stretched { stretch } else { 1.0 };
                    part.schedule(
                        TimeMap { seconds_per_unit: map.seconds_per_unit * factor, ..map },
                        starts,
                    )
                });
                ScheduledPart::Blend { parts: Box::new(parts), weight }
            }
            Self::Sequence { parts, .. } => {
                let mut end = 0.0;
                let parts = parts.into_iter().map(|part| {
                    let from = TimeMap { offset_s: map.apply(end), ..map };
                    end += part.duration();
                    (map.apply(end), part.schedule(from, starts))
                });
                ScheduledPart::Sequence(parts.collect())
            }
        }
    }
}

#[derive(Debug)]
enum ScheduledPart {
    /// A clip, and the map from the clip's time to the time of the whole animation.
    Clip { clip: usize, map: TimeMap },
    /// Two parts that play at the same time.
    Blend {
        parts: Box<[ScheduledPart; 2]>,
        /// The blend weight of the second part, from 0 to 1.
        weight: f64,
    },
    /// Parts that play one after the other, each with its end time.
    Sequence(Vec<(f64, ScheduledPart)>),
}

impl ScheduledPart {
    fn collect_clips(&self, into: &mut Vec<(usize, TimeMap)>) {
        match self {
            Self::Clip { clip, map } => into.push((*clip, *map)),
            Self::Blend { parts, .. } => parts.iter().for_each(|part| part.collect_clips(into)),
            Self::Sequence(parts) => parts.iter().for_each(|(_, part)| part.collect_clips(into)),
        }
    }
}

fn match_nodes(nodes: &Nodes, others: &Nodes) -> Vec<Option<NodeId>> {
    let same = |(id, node): (NodeId, &Node)| {
        // Bones of the skeleton have the same index in all clips. Bones that the skeleton lacks
        // follow in any order, so compare their names.
        let is_same = id.index() < others.len() && others[id].name == node.name;
        let by_name = || Some(others.with_ids().find(|(_, other)| other.name == node.name)?.0);
        if is_same { Some(id) } else { by_name() }
    };
    nodes.with_ids().map(same).collect()
}

fn merge_tracks_and_events(
    whole: &mut Clip,
    clips: &[Option<MatchedClip>],
    scheduled: &[(usize, TimeMap)],
) {
    // The owner of each track, and its property name before the clip name is appended.
    let mut keyed = Vec::new();
    let (mut tracks, mut events, mut pool) = (Vec::new(), Vec::new(), KeyTimesPool::default());
    for &(index, map) in scheduled {
        let Some(MatchedClip { clip, nodes }) = &clips[index] else { continue };
        let owner = |owner: Owner| match owner {
            Owner::Node(id) => {
                let of_whole = nodes.iter().position(|node| *node == Some(id))?;
                Some(Owner::Node(NodeId::new(of_whole)))
            }
            Owner::Group(_) => None,
        };
        for track in &clip.tracks {
            let Some(owner) = owner(track.owner) else { continue };
            keyed.push((owner, track.property.as_str()));
            tracks.push(Track {
                owner,
                property: format!("{} ({})", track.property, clip.name),
                curve: track.curve.retimed(map, &mut pool),
                ..track.clone()
            });
        }
        events.extend(clip.events.iter().map(|event| Event {
            time: map.apply(event.time),
            owner: event.owner.and_then(owner),
            ..event.clone()
        }));
    }
    events.sort_by(|a: &Event, b| a.time.total_cmp(&b.time));
    let scales = whole.nodes.scale_inheritance();
    let moved = whole
        .nodes
        .with_ids()
        .map(|(id, node)| Node { motion: first_motion(id, node, &keyed), ..node.clone() });
    // `Nodes::new` finds no problems, because the nodes already formed a tree.
    whole.nodes =
        Nodes::new(moved.collect(), &mut Diagnostics::new()).with_scale_inheritance(scales);
    (whole.tracks, whole.events) = (tracks, events);
}

/// Returns a motion that refers to the first track of each property. These tracks only show which
/// properties are animated, because `ComposedAnimation` computes the pose.
fn first_motion(id: NodeId, node: &Node, keyed: &[(Owner, &str)]) -> Motion {
    let track = |property: Property| {
        let wanted = (Owner::Node(id), property.name);
        keyed.iter().position(|one| *one == wanted).map(TrackId::new)
    };
    Motion::from_tracks(track(TRANSLATION), track(ROTATION), track(SCALE), node.motion.visibility)
}

#[derive(Debug)]
struct MatchedClip {
    clip: Clip,
    nodes: Vec<Option<NodeId>>,
}

#[derive(Debug)]
struct ComposedAnimation {
    root: ScheduledPart,
    clips: Vec<Option<MatchedClip>>,
    rests: Vec<Transform>,
    root_motion_node: Option<NodeId>,
}

impl ProceduralAnimation for ComposedAnimation {
    fn animate(&self, time: f64, set_node: &mut dyn FnMut(NodeId, Transform, bool)) {
        for index in 0..self.rests.len() {
            let (local, shown) = self.local_transform(&self.root, index, time);
            set_node(NodeId::new(index), local, shown);
        }
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        self.root_motion_node
    }
}

impl ComposedAnimation {
    fn local_transform(&self, part: &ScheduledPart, node: usize, time: f64) -> (Transform, bool) {
        match part {
            ScheduledPart::Clip { clip, map } => {
                let Some(MatchedClip { clip, nodes }) = &self.clips[*clip] else {
                    return (self.rests[node], false);
                };
                let Some(id) = nodes[node] else { return (self.rests[node], false) };
                // When the shorter clip of a blend has ended, it holds its last frame.
                let time = clip.span.clamp((time - map.offset_s) / map.seconds_per_unit);
                clip.sample_node_in_source(id, time, &mut [Hint::default(); 2])
            }
            ScheduledPart::Blend { parts, weight } => {
                let [(from, is_shown), (to, is_other_shown)] =
                    parts.each_ref().map(|part| self.local_transform(part, node, time));
                (interpolate_transforms(&from, &to, *weight), is_shown || is_other_shown)
            }
            ScheduledPart::Sequence(parts) => {
                let now = parts.iter().find(|(end, _)| time < *end).or(parts.last());
                now.map_or((self.rests[node], false), |(_, part)| {
                    self.local_transform(part, node, time)
                })
            }
        }
    }
}

fn interpolate_transforms(from: &Transform, to: &Transform, share: f64) -> Transform {
    Transform {
        translation: from.translation.lerp(to.translation, share),
        rotation: from.rotation.slerp(to.rotation, share),
        scale: from.scale.lerp(to.scale, share),
    }
}
