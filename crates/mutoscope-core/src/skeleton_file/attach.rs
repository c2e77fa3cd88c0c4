//! Joins a recording and a skeleton to one clip.

use std::collections::HashMap;

use super::{
    LoadedSkeleton, codes,
    motion::{adapt_motion, are_angles_relative},
    names::{self, NamedNode},
};
use crate::{
    clip::{
        AttachedSkeleton, Clip, MatchedNode, Motion, Node, NodeId, NodeKind, NodeVisibility, Nodes,
        Owner, Skeleton, Stated, Transform,
    },
    diagnostics::{Diagnostics, Error, SourceLocation},
};

/// The way in which nodes of a recording are matched with nodes of a skeleton.
#[derive(Clone, Copy, Debug)]
pub enum Matching {
    /// By names, as users and programs write them. A diagnostic says how many nodes match.
    ByName,
    /// By ids. The function returns the id of a recorded node. The skeleton supplies the names of
    /// the nodes.
    ById(fn(&Node) -> Option<u32>),
}

/// Attaches `clip` to `skeleton`: matching nodes take over the recorded motion, all others rest.
/// Channels without a track keep the skeleton's rest pose.
///
/// The nodes of the result are those of the skeleton in its order, followed by the nodes of the
/// recording without a match. Nodes that match by name keep the name of the recording. The skeleton
/// may define the up axis. It may also define how a left-handed recording is mirrored, so that the
/// recording faces in the same direction as models.
pub fn attach(
    mut clip: Clip,
    skeleton: &LoadedSkeleton,
    matching: Matching,
    diagnostics: &mut Diagnostics,
) -> Clip {
    if let Some(up) = skeleton.space.up {
        clip.convention.up = Stated::declared(up);
    }
    if let Some(mirror) = skeleton.space.mirror {
        clip.convention.mirror = mirror;
    }
    let joined = JoinedNodes::new(&clip, skeleton, matching, diagnostics);
    let (nodes, ids) = (joined.build_nodes(diagnostics), joined.new_ids());
    let attached = joined.build_attached();
    if let Matching::ByName = matching {
        report_match(&clip, &nodes, &attached, diagnostics);
    }
    let track_owners = clip.tracks.iter_mut().map(|track| &mut track.owner);
    let event_owners = clip.events.iter_mut().filter_map(|event| event.owner.as_mut());
    for owner in track_owners.chain(event_owners) {
        if let Owner::Node(node) = owner {
            *node = ids[node.index()];
        }
    }
    clip.nodes = Nodes::new(nodes, diagnostics);
    clip.humanoid = skeleton.humanoid.clone();
    clip.skeleton = Skeleton::Attached(Box::new(attached));
    clip
}

struct JoinedNodes<'a> {
    clip: &'a Clip,
    skeleton: &'a LoadedSkeleton,
    matching: Matching,
    /// The rest transforms of the skeleton's nodes, in the source space of the recording.
    rest_transforms: Vec<Transform>,
    skeleton_indices: Vec<Option<usize>>,
    recording_indices: Vec<Option<usize>>,
}

impl<'a> JoinedNodes<'a> {
    fn new(
        clip: &'a Clip,
        skeleton: &'a LoadedSkeleton,
        matching: Matching,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let skeleton_indices = match matching {
            Matching::ByName => match_by_name(clip, skeleton, diagnostics),
            Matching::ById(node_id) => match_by_id(clip, skeleton, node_id),
        };
        let mut recording_indices = vec![None; skeleton.nodes.len()];
        for (recorded, skeleton_index) in skeleton_indices.iter().enumerate() {
            if let Some(skeleton_index) = skeleton_index {
                recording_indices[*skeleton_index] = Some(recorded);
            }
        }
        let source_from_viewer = clip.convention.viewer_from_source().inverse();
        let rest_transforms = skeleton
            .nodes
            .iter()
            .map(|node| source_from_viewer.convert_transform(&node.rest))
            .collect();
        Self { clip, skeleton, matching, rest_transforms, skeleton_indices, recording_indices }
    }

    fn new_ids(&self) -> Vec<NodeId> {
        let mut next = self.skeleton.nodes.len();
        let id = |skeleton_index: &Option<usize>| {
            NodeId::new(skeleton_index.unwrap_or_else(|| {
                next += 1;
                next - 1
            }))
        };
        self.skeleton_indices.iter().map(id).collect()
    }

    fn build_nodes(&self, diagnostics: &mut Diagnostics) -> Vec<Node> {
        let pairs =
            self.skeleton_indices.iter().enumerate().filter_map(|(recorded, skeleton_index)| {
                Some((
                    &self.clip.nodes[NodeId::new(recorded)].motion,
                    self.rest_transforms[(*skeleton_index)?].rotation,
                ))
            });
        let is_relative = are_angles_relative(self.clip, pairs);
        if is_relative {
            let message = "its rotations are closer to zero than to the skeleton's rest pose; using \
                           them relative to the rest pose (joint orientations)";
            diagnostics.info(codes::JOINT_ORIENTATIONS, SourceLocation::File, message);
        }
        let mut nodes: Vec<_> = (0..self.skeleton.nodes.len())
            .map(|index| self.skeleton_node(index, is_relative))
            .collect();
        let ids = self.new_ids();
        for (node, skeleton_index) in self.clip.nodes.iter().zip(&self.skeleton_indices) {
            if skeleton_index.is_none() {
                nodes.push(Node {
                    parent: node.parent.map(|parent| ids[parent.index()]),
                    bone_from: None,
                    kind: if node.kind.is_skeleton_part() { NodeKind::Helper } else { node.kind },
                    ..node.clone()
                });
            }
        }
        nodes
    }

    fn skeleton_node(&self, index: usize, is_relative: bool) -> Node {
        let bone = &self.skeleton.nodes[index];
        let rest = self.rest_transforms[index];
        let recorded =
            self.recording_indices[index].map(|index| &self.clip.nodes[NodeId::new(index)]);
        let mut motion = recorded
            .map_or_else(Motion::default, |node| adapt_motion(&node.motion, &rest, is_relative));
        if motion.visibility == NodeVisibility::Never {
            // The skeleton gives a position to the node, so the node can be shown.
            motion.visibility = NodeVisibility::Always;
        }
        let name = match self.matching {
            Matching::ByName => recorded.map_or(&bone.name, |node| &node.name),
            Matching::ById(_) => &bone.name,
        };
        // Show animated nodes of every kind, except locators.
        let is_shown = motion.is_animated() && bone.kind != NodeKind::Locator;
        Node {
            name: name.clone(),
            group: recorded.and_then(|node| node.group),
            parent: bone.parent.map(NodeId::new),
            bone_from: bone.bone_from.map(NodeId::new),
            kind: if is_shown { NodeKind::Joint } else { bone.kind },
            side: recorded.and_then(|node| node.side).or(bone.side),
            rest,
            motion,
        }
    }

    fn build_attached(&self) -> AttachedSkeleton {
        let ids = self.new_ids();
        let matched = |(index, node): (usize, &super::SkeletonNode)| {
            self.recording_indices[index]?;
            Some(MatchedNode { node: NodeId::new(index), name_in_skeleton: node.name.clone() })
        };
        let missing = ids
            .iter()
            .zip(&self.skeleton_indices)
            .filter(|(_, skeleton_index)| skeleton_index.is_none());
        let resting =
            (0..self.skeleton.nodes.len()).filter(|&index| self.recording_indices[index].is_none());
        AttachedSkeleton {
            name: self.skeleton.name.clone(),
            model: self.skeleton.model.clone(),
            matched: self.skeleton.nodes.iter().enumerate().filter_map(matched).collect(),
            missing: missing.map(|(id, _)| *id).collect(),
            resting: resting.map(NodeId::new).collect(),
        }
    }
}

fn match_by_name(
    clip: &Clip,
    skeleton: &LoadedSkeleton,
    diagnostics: &mut Diagnostics,
) -> Vec<Option<usize>> {
    let recorded: Vec<_> = clip
        .nodes
        .iter()
        .map(|node| NamedNode { name: &node.name, parent: node.parent.map(NodeId::index) })
        .collect();
    let bones: Vec<_> = skeleton
        .nodes
        .iter()
        .map(|node| NamedNode { name: &node.name, parent: node.parent })
        .collect();
    for (nodes, what) in [(&recorded, "the recording"), (&bones, "the skeleton")] {
        let repeated = names::repeated_names(nodes);
        if !repeated.is_empty() {
            let message = format!(
                "several nodes of {what} have the same name; using their parents, or else their \
                 order, to distinguish them: {}",
                list_names(&repeated)
            );
            diagnostics
                .warning(codes::REPEATED_NAMES, SourceLocation::File, message)
                .with("count", repeated.len());
        }
    }
    names::match_nodes(&recorded, &bones)
}

fn match_by_id(
    clip: &Clip,
    skeleton: &LoadedSkeleton,
    node_id: fn(&Node) -> Option<u32>,
) -> Vec<Option<usize>> {
    let mut by_id = HashMap::new();
    for (index, bone) in skeleton.nodes.iter().enumerate() {
        if let Some(id) = bone.id {
            by_id.entry(id).or_insert(index);
        }
    }
    clip.nodes.iter().map(|node| by_id.get(&node_id(node)?).copied()).collect()
}

fn report_match(
    clip: &Clip,
    nodes: &[Node],
    attached: &AttachedSkeleton,
    diagnostics: &mut Diagnostics,
) {
    let animated_count = clip.nodes.iter().filter(|node| node.motion.is_animated()).count();
    let name_of = |id: &NodeId| nodes[id.index()].name.as_str();
    let is_animated = |id: &&NodeId| nodes[id.index()].motion.is_animated();
    let missing: Vec<_> = attached.missing.iter().filter(is_animated).map(name_of).collect();
    let matched_count = animated_count - missing.len();
    let message =
        format!("{}: {matched_count} of {animated_count} animated nodes mapped", attached.name);
    let diagnostic = if missing.is_empty() {
        diagnostics.info(codes::MATCHED, SourceLocation::File, message)
    } else if matched_count > 0 {
        let message = format!("{message}; missing: {}", list_names(&missing));
        diagnostics.warning(codes::NODES_MISSING, SourceLocation::File, message)
    } else {
        let resting: Vec<_> = attached.resting.iter().map(name_of).collect();
        let message = format!(
            "{message}. The recording has {}, the skeleton {}",
            list_names(&missing),
            list_names(&resting)
        );
        diagnostics.warning(codes::NODES_MISSING, SourceLocation::File, message)
    };
    diagnostic
        .with("name", attached.name.as_str())
        .with("expected", animated_count)
        .with("found", matched_count);
}

/// Checks that a clip animates at least one node of its skeleton. Otherwise the motion on the
/// skeleton would not be the recorded motion.
///
/// # Errors
/// Fails if the clip has animated nodes, but the skeleton has none of them.
pub fn check_match(clip: &Clip) -> Result<(), Error> {
    let Some(attached) = clip.skeleton.attached() else { return Ok(()) };
    let animated_count = clip.nodes.iter().filter(|node| node.motion.is_animated()).count();
    let has_match =
        attached.matched.iter().any(|matched| clip.nodes[matched.node].motion.is_animated());
    if has_match || animated_count == 0 {
        return Ok(());
    }
    let message = format!(
        "the skeleton {} has none of its {animated_count} animated nodes; not loaded. \
         --allow-unmatched-rig attaches it anyway",
        attached.name
    );
    Err(Error::unsupported(SourceLocation::File, message))
}

/// Returns `true` if the skeleton has less than half of the animated nodes of the clip.
pub fn matches_few(clip: &Clip) -> bool {
    let Some(attached) = clip.skeleton.attached() else { return false };
    let is_animated = |id: &NodeId| clip.nodes[*id].motion.is_animated();
    let matched_count =
        attached.matched.iter().filter(|matched| is_animated(&matched.node)).count();
    matched_count < attached.missing.iter().filter(|id| is_animated(id)).count()
}

fn list_names(names: &[&str]) -> String {
    const MAX_LISTED_NAMES: usize = 8;
    let listed = names.iter().take(MAX_LISTED_NAMES).map(|name| format!("{name:?}"));
    let listed = listed.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_LISTED_NAMES) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
