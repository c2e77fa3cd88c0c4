//! All clips of an animation at once: one after the other and blended, as its tree says.
//!
//! Approximately: the games have transitions between the clips of a sequence, and choose by chance where
//! this takes the first that can be chosen.

use std::sync::Arc;

use super::{MetaAnimation, MetaNode};
use crate::{
    clip::{
        Clip, Event, Hint, KeyTimesPool, Motion, Node, NodeId, Nodes, Owner, ProceduralAnimation,
        Span, TimeMap, Track, TrackId, Transform,
    },
    diagnostics::Notices,
    formats::prime::convert::{Property, ROTATION, SCALE, TRANSLATION},
};

/// How many levels a tree may have to be played whole: those of the games have a few.
const MOST_LEVELS: usize = 64;

/// How many clips it may have.
const MOST_CLIPS: usize = 256;

/// Whether all clips of a tree can be played together.
pub(super) fn can_play_whole(tree: &MetaAnimation) -> bool {
    tree.depth <= MOST_LEVELS && tree.leaves().take(MOST_CLIPS + 1).count() <= MOST_CLIPS
}

/// Plays the clips of `tree` together. `clips` are those of its leaves, on one skeleton, each playing
/// from the start of its span to the end; nothing for those that could not be read, which are left
/// out. Nothing if none is left.
pub(super) fn compose(
    tree: &MetaAnimation,
    clips: Vec<Option<Clip>>,
) -> Option<(Clip, Vec<usize>)> {
    let durations: Vec<_> = clips.iter().map(|clip| Some(clip.as_ref()?.span.duration)).collect();
    let mut planner = Planner { nodes: tree.nodes.iter(), durations: durations.iter(), clip: 0 };
    let plan = planner.plan()?;
    let duration = plan.duration();
    let starts: Vec<_> =
        clips.iter().map(|clip| clip.as_ref().map_or(0.0, |clip| clip.span.start)).collect();
    let root = plan.place(TimeMap { seconds: 1.0, offset: 0.0 }, &starts);
    let mut placed = Vec::new();
    root.clips(&mut placed);
    let first = clips[placed.first()?.0].as_ref()?;
    let mut whole = first.clone();
    whole.span = Span { start: 0.0, duration };
    let on_nodes = |clip: Clip| OnNodes { nodes: same_nodes(&whole.nodes, &clip.nodes), clip };
    let clips: Vec<_> = clips.into_iter().map(|clip| clip.map(on_nodes)).collect();
    gather(&mut whole, &clips, &placed);
    let root_motion_node = whole.root_motion_node();
    let rests = whole.nodes.iter().map(|node| node.rest).collect();
    whole.procedural = Some(Arc::new(Composed { root, clips, rests, root_motion_node }));
    Some((whole, placed.into_iter().map(|(clip, _)| clip).collect()))
}

/// The clips of a tree with their durations in seconds, before their start times are known.
enum Plan {
    Clip { clip: usize, duration: f64 },
    Blend { parts: Box<[Plan; 2]>, weight: f64, duration: f64, is_in_phase: bool },
    Sequence { parts: Vec<Plan>, duration: f64 },
}

/// Plans the nodes of a tree, parents before children.
struct Planner<'a> {
    nodes: std::slice::Iter<'a, MetaNode>,
    /// How long the clips of its leaves are, in seconds; nothing for those that are missing.
    durations: std::slice::Iter<'a, Option<f64>>,
    clip: usize,
}

impl Planner<'_> {
    /// Plans the next node and all below it: as deep as the tree, whose levels are bounded. Nothing
    /// where nothing plays.
    fn plan(&mut self) -> Option<Plan> {
        match self.nodes.next()? {
            MetaNode::Play(_) => {
                let clip = self.clip;
                self.clip += 1;
                self.durations.next()?.map(|duration| Plan::Clip { clip, duration })
            }
            MetaNode::Blend { weight } => self.blend(*weight, false),
            MetaNode::PhaseBlend { weight } => self.blend(*weight, true),
            node @ MetaNode::Random { limits } => {
                // All of them are planned, so that what follows is read from the right place.
                let parts: Vec<_> = (0..limits.len()).map(|_| self.plan()).collect();
                let can_be = |child: usize| node.share(child).is_some_and(|share| share > 0.0);
                let there = parts.into_iter().enumerate();
                let there = there.filter_map(|(child, part)| Some((child, part?)));
                // Of those that can be chosen the first, else the first.
                there.min_by_key(|(child, _)| !can_be(*child)).map(|(_, part)| part)
            }
            MetaNode::Sequence { children } => {
                let parts: Vec<_> = (0..*children).filter_map(|_| self.plan()).collect();
                let duration = parts.iter().map(Plan::duration).sum();
                (!parts.is_empty()).then_some(Plan::Sequence { parts, duration })
            }
        }
    }

    /// Two at once: where one is missing, the other alone.
    fn blend(&mut self, weight: f32, is_in_phase: bool) -> Option<Plan> {
        let (first, second) = (self.plan(), self.plan());
        let (first, second) = match (first, second) {
            (Some(first), Some(second)) => (first, second),
            (one, other) => return one.or(other),
        };
        // A non-finite weight leaves the first alone.
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

    /// The same when its seconds are those of `map`; `starts` are where clips begin.
    fn place(self, map: TimeMap, starts: &[f64]) -> Part {
        match self {
            Self::Clip { clip, .. } => {
                let offset = map.offset - starts[clip] * map.seconds;
                Part::Clip { clip, map: TimeMap { offset, ..map } }
            }
            Self::Blend { parts, weight, duration, is_in_phase } => {
                let parts = parts.map(|part| {
                    let stretch = duration / part.duration();
                    let is_stretched = is_in_phase && stretch.is_finite() && stretch > 0.0;
                    let by = if is_stretched { stretch } else { 1.0 };
                    part.place(TimeMap { seconds: map.seconds * by, ..map }, starts)
                });
                Part::Blend { parts: Box::new(parts), weight }
            }
            Self::Sequence { parts, .. } => {
                let mut end = 0.0;
                let parts = parts.into_iter().map(|part| {
                    let from = TimeMap { offset: map.at(end), ..map };
                    end += part.duration();
                    (map.at(end), part.place(from, starts))
                });
                Part::Sequence(parts.collect())
            }
        }
    }
}

/// The clips of a tree with their start times, in seconds of the whole.
#[derive(Debug)]
enum Part {
    /// A clip, with when its times are.
    Clip { clip: usize, map: TimeMap },
    /// Two at once.
    Blend {
        parts: Box<[Part; 2]>,
        /// The share of the second.
        weight: f64,
    },
    /// One after the other, each with when it ends.
    Sequence(Vec<(f64, Part)>),
}

impl Part {
    /// All clips that play, in the order of the tree, and when.
    fn clips(&self, into: &mut Vec<(usize, TimeMap)>) {
        match self {
            Self::Clip { clip, map } => into.push((*clip, *map)),
            Self::Blend { parts, .. } => parts.iter().for_each(|part| part.clips(into)),
            Self::Sequence(parts) => parts.iter().for_each(|(_, part)| part.clips(into)),
        }
    }
}

/// For each of `nodes`, the one of `others` that is the same bone.
fn same_nodes(nodes: &Nodes, others: &Nodes) -> Vec<Option<NodeId>> {
    let same = |(id, node): (NodeId, &Node)| {
        // On one skeleton they have the same places; what it lacks follows in any order.
        let is_same = id.index() < others.len() && others[id].name == node.name;
        let by_name = || Some(others.with_ids().find(|(_, other)| other.name == node.name)?.0);
        if is_same { Some(id) } else { by_name() }
    };
    nodes.with_ids().map(same).collect()
}

/// Puts the tracks and events of the clips that play into `whole`, at the times at which they play.
fn gather(whole: &mut Clip, clips: &[Option<OnNodes>], placed: &[(usize, TimeMap)]) {
    // The owner of each track, and its property without the name of its clip.
    let mut keyed = Vec::new();
    let (mut tracks, mut events, mut pool) = (Vec::new(), Vec::new(), KeyTimesPool::default());
    for &(index, map) in placed {
        let Some(OnNodes { clip, nodes }) = &clips[index] else { continue };
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
            time: map.at(event.time),
            owner: event.owner.and_then(owner),
            ..event.clone()
        }));
    }
    events.sort_by(|a: &Event, b| a.time.total_cmp(&b.time));
    let scales = whole.nodes.scales();
    let moved = whole
        .nodes
        .with_ids()
        .map(|(id, node)| Node { motion: motion(id, node, &keyed), ..node.clone() });
    // They were a tree before.
    whole.nodes = Nodes::new(moved.collect(), &mut Notices::new()).with_scales(scales);
    (whole.tracks, whole.events) = (tracks, events);
}

/// The tracks of a node that play first: they tell who moves, not where.
fn motion(id: NodeId, node: &Node, keyed: &[(Owner, &str)]) -> Motion {
    let track = |property: Property| {
        let wanted = (Owner::Node(id), property.name);
        keyed.iter().position(|one| *one == wanted).map(TrackId::new)
    };
    Motion::of_tracks(track(TRANSLATION), track(ROTATION), track(SCALE), node.motion.shown)
}

/// A clip, and for each node of the whole the one of its own that is the same bone.
#[derive(Debug)]
struct OnNodes {
    clip: Clip,
    nodes: Vec<Option<NodeId>>,
}

/// Moves the nodes of the whole.
#[derive(Debug)]
struct Composed {
    root: Part,
    clips: Vec<Option<OnNodes>>,
    /// Where nodes are that a clip does not know.
    rests: Vec<Transform>,
    root_motion_node: Option<NodeId>,
}

impl ProceduralAnimation for Composed {
    fn animate(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool)) {
        for index in 0..self.rests.len() {
            let (local, shown) = self.local(&self.root, index, time);
            place(NodeId::new(index), local, shown);
        }
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        self.root_motion_node
    }
}

impl Composed {
    /// Where a node is relative to its parent, and whether it is visible.
    fn local(&self, part: &Part, node: usize, time: f64) -> (Transform, bool) {
        match part {
            Part::Clip { clip, map } => {
                let Some(OnNodes { clip, nodes }) = &self.clips[*clip] else {
                    return (self.rests[node], false);
                };
                let Some(id) = nodes[node] else { return (self.rests[node], false) };
                // The shorter of two waits at its end.
                let time = clip.span.clamp((time - map.offset) / map.seconds);
                clip.sample_node_in_source(id, time, &mut [Hint::default(); 2])
            }
            Part::Blend { parts, weight } => {
                let [(from, is_shown), (to, is_other_shown)] =
                    parts.each_ref().map(|part| self.local(part, node, time));
                (between(&from, &to, *weight), is_shown || is_other_shown)
            }
            Part::Sequence(parts) => {
                let now = parts.iter().find(|(end, _)| time < *end).or(parts.last());
                now.map_or((self.rests[node], false), |(_, part)| self.local(part, node, time))
            }
        }
    }
}

/// Between two transforms: rotations turn the short way here, unlike inside of a clip.
fn between(from: &Transform, to: &Transform, share: f64) -> Transform {
    Transform {
        translation: from.translation.lerp(to.translation, share),
        rotation: from.rotation.slerp(to.rotation, share),
        scale: from.scale.lerp(to.scale, share),
    }
}
