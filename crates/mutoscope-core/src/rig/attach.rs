//! One clip of a recording and a skeleton.

use std::collections::HashMap;

use super::{
    Rig,
    motion::{are_relative_to_rest, on_skeleton},
    names::{self, Named},
};
use crate::{
    clip::{
        Attached, Clip, Matched, Motion, Node, NodeId, NodeKind, Nodes, Owner, Shown, Skeleton,
        Stated, Transform,
    },
    diagnostics::{Error, Notices, SourceLocation},
};

/// How the nodes of a recording are matched with those of a skeleton.
#[derive(Clone, Copy, Debug)]
pub enum Matching {
    /// By their names, as people and programs write them; how well they fit is noted.
    ByName,
    /// By numbers, and named by the skeleton. The function gives the number of a recording's node.
    ByNumber(fn(&Node) -> Option<u32>),
}

/// Puts what `clip` moves on the nodes of `rig`: those that match take over the motion, the others
/// rest. Channels that no track animates rest as the skeleton has them.
///
/// The nodes are then those of the skeleton, in its order, and after them those of the recording
/// that it does not have. Nodes that match by name keep the recording's name. The skeleton may tell
/// which axis is up, and how a left-handed recording is mirrored so that it faces as models do.
pub fn attach(mut clip: Clip, rig: &Rig, matching: Matching, notices: &mut Notices) -> Clip {
    if let Some(up) = rig.space.up {
        clip.convention.up = Stated::declared(up);
    }
    if let Some(mirror) = rig.space.mirror {
        clip.convention.mirror = mirror;
    }
    let joined = Joined::new(&clip, rig, matching, notices);
    let (nodes, ids) = (joined.nodes(notices), joined.ids());
    let attached = joined.attached();
    if let Matching::ByName = matching {
        report(&clip, &nodes, &attached, notices);
    }
    let owners = clip.tracks.iter_mut().map(|track| &mut track.owner);
    let concerned = clip.events.iter_mut().filter_map(|event| event.owner.as_mut());
    for owner in owners.chain(concerned) {
        if let Owner::Node(node) = owner {
            *node = ids[node.index()];
        }
    }
    clip.nodes = Nodes::new(nodes, notices);
    clip.humanoid = rig.humanoid.clone();
    clip.skeleton = Skeleton::Attached(Box::new(attached));
    clip
}

/// A recording and a skeleton, and their matched nodes.
struct Joined<'a> {
    clip: &'a Clip,
    rig: &'a Rig,
    matching: Matching,
    /// Where the skeleton's nodes rest, in the source space of the recording.
    rests: Vec<Transform>,
    /// For each node of the recording its index in the skeleton.
    in_rig: Vec<Option<usize>>,
    /// For each node of the skeleton its index in the recording.
    in_recording: Vec<Option<usize>>,
}

impl<'a> Joined<'a> {
    fn new(clip: &'a Clip, rig: &'a Rig, matching: Matching, notices: &mut Notices) -> Self {
        let in_rig = match matching {
            Matching::ByName => match_by_name(clip, rig, notices),
            Matching::ByNumber(number) => match_by_number(clip, rig, number),
        };
        let mut in_recording = vec![None; rig.nodes.len()];
        for (recorded, in_rig) in in_rig.iter().enumerate() {
            if let Some(in_rig) = in_rig {
                in_recording[*in_rig] = Some(recorded);
            }
        }
        let source_from_viewer = clip.convention.viewer_from_source().inverse();
        let rests = rig.nodes.iter().map(|node| source_from_viewer.transform(&node.rest)).collect();
        Self { clip, rig, matching, rests, in_rig, in_recording }
    }

    /// For each node of the recording its new id.
    fn ids(&self) -> Vec<NodeId> {
        let mut next = self.rig.nodes.len();
        let id = |in_rig: &Option<usize>| {
            NodeId::new(in_rig.unwrap_or_else(|| {
                next += 1;
                next - 1
            }))
        };
        self.in_rig.iter().map(id).collect()
    }

    /// The skeleton's nodes, and after them what only the recording has.
    fn nodes(&self, notices: &mut Notices) -> Vec<Node> {
        let pairs = self.in_rig.iter().enumerate().filter_map(|(recorded, in_rig)| {
            Some((&self.clip.nodes[NodeId::new(recorded)].motion, self.rests[(*in_rig)?].rotation))
        });
        let is_relative = are_relative_to_rest(self.clip, pairs);
        if is_relative {
            let message = "its rotations are near zero where the skeleton's rest pose has some; \
                           using them as relative to it (joint orientations)";
            notices.info(SourceLocation::File, message);
        }
        let mut nodes: Vec<_> =
            (0..self.rig.nodes.len()).map(|index| self.bone(index, is_relative)).collect();
        let ids = self.ids();
        for (node, in_rig) in self.clip.nodes.iter().zip(&self.in_rig) {
            if in_rig.is_none() {
                nodes.push(Node {
                    parent: node.parent.map(|parent| ids[parent.index()]),
                    bone_from: None,
                    kind: if node.kind.is_of_the_skeleton() { NodeKind::Helper } else { node.kind },
                    ..node.clone()
                });
            }
        }
        nodes
    }

    /// The node of the skeleton with this index, moved as the recording says.
    fn bone(&self, index: usize, is_relative: bool) -> Node {
        let bone = &self.rig.nodes[index];
        let rest = self.rests[index];
        let recorded = self.in_recording[index].map(|index| &self.clip.nodes[NodeId::new(index)]);
        let mut motion = recorded
            .map_or_else(Motion::default, |node| on_skeleton(&node.motion, &rest, is_relative));
        if motion.shown == Shown::Never {
            // On a skeleton it has a position.
            motion.shown = Shown::Always;
        }
        let name = match self.matching {
            Matching::ByName => recorded.map_or(&bone.name, |node| &node.name),
            Matching::ByNumber(_) => &bone.name,
        };
        // Animated nodes are visible, whatever their kind; locators stay locators.
        let is_seen = motion.moves() && bone.kind != NodeKind::Locator;
        Node {
            name: name.clone(),
            group: recorded.and_then(|node| node.group),
            parent: bone.parent.map(NodeId::new),
            bone_from: bone.bone_from.map(NodeId::new),
            kind: if is_seen { NodeKind::Joint } else { bone.kind },
            side: recorded.and_then(|node| node.side).or(bone.side),
            rest,
            motion,
        }
    }

    fn attached(&self) -> Attached {
        let ids = self.ids();
        let matched = |(index, node): (usize, &super::RigNode)| {
            self.in_recording[index]?;
            Some(Matched { node: NodeId::new(index), name_in_skeleton: node.name.clone() })
        };
        let missing = ids.iter().zip(&self.in_rig).filter(|(_, in_rig)| in_rig.is_none());
        let resting = (0..self.rig.nodes.len()).filter(|&index| self.in_recording[index].is_none());
        Attached {
            name: self.rig.name.clone(),
            model: self.rig.model.clone(),
            matched: self.rig.nodes.iter().enumerate().filter_map(matched).collect(),
            missing: missing.map(|(id, _)| *id).collect(),
            resting: resting.map(NodeId::new).collect(),
        }
    }
}

/// For each node of the recording the index of the skeleton's node that has its name. Reports names
/// that are not unique.
fn match_by_name(clip: &Clip, rig: &Rig, notices: &mut Notices) -> Vec<Option<usize>> {
    let recorded: Vec<_> = clip
        .nodes
        .iter()
        .map(|node| Named { name: &node.name, parent: node.parent.map(NodeId::index) })
        .collect();
    let bones: Vec<_> =
        rig.nodes.iter().map(|node| Named { name: &node.name, parent: node.parent }).collect();
    for (nodes, what) in [(&recorded, "the recording"), (&bones, "the skeleton")] {
        let repeated = names::repeated(nodes);
        if !repeated.is_empty() {
            let message = format!(
                "several nodes of {what} have the same name; using their parents, or else their \
                 order, to distinguish them: {}",
                list(&repeated)
            );
            notices.warning(SourceLocation::File, message);
        }
    }
    names::pair(&recorded, &bones)
}

/// For each node of the recording the index of the skeleton's first node that has its number.
fn match_by_number(clip: &Clip, rig: &Rig, number: fn(&Node) -> Option<u32>) -> Vec<Option<usize>> {
    let mut by_number = HashMap::new();
    for (index, bone) in rig.nodes.iter().enumerate() {
        if let Some(id) = bone.id {
            by_number.entry(id).or_insert(index);
        }
    }
    clip.nodes.iter().map(|node| by_number.get(&number(node)?).copied()).collect()
}

/// Reports how well the two match: a warning if the skeleton lacks an animated node.
fn report(clip: &Clip, nodes: &[Node], attached: &Attached, notices: &mut Notices) {
    let moving = clip.nodes.iter().filter(|node| node.motion.moves()).count();
    let name_of = |id: &NodeId| nodes[id.index()].name.as_str();
    let moves = |id: &&NodeId| nodes[id.index()].motion.moves();
    let lacks: Vec<_> = attached.missing.iter().filter(moves).map(name_of).collect();
    let fits = moving - lacks.len();
    let message = format!("{}: {fits} of {moving} animated nodes mapped", attached.name);
    if lacks.is_empty() {
        notices.info(SourceLocation::File, message);
    } else if fits > 0 {
        notices.warning(SourceLocation::File, format!("{message}; missing: {}", list(&lacks)));
    } else {
        let rests: Vec<_> = attached.resting.iter().map(name_of).collect();
        let message =
            format!("{message}. The recording has {}, the skeleton {}", list(&lacks), list(&rests));
        notices.warning(SourceLocation::File, message);
    }
}

/// Whether the skeleton that a clip was put on has any node that the recording animates: without one, what
/// plays is not the recording's motion.
///
/// # Errors
/// If it has none, although something is animated.
pub fn check_match(clip: &Clip) -> Result<(), Error> {
    let Some(attached) = clip.skeleton.attached() else { return Ok(()) };
    let moving = clip.nodes.iter().filter(|node| node.motion.moves()).count();
    let fits = attached.matched.iter().any(|one| clip.nodes[one.node].motion.moves());
    if fits || moving == 0 {
        return Ok(());
    }
    let message = format!(
        "the skeleton {} has none of its {moving} animated nodes; not loaded. \
         --allow-unmatched-rig attaches it anyway",
        attached.name
    );
    Err(Error::unsupported(SourceLocation::File, message))
}

/// Whether the skeleton that a clip was put on has less than half of the nodes that it animates.
pub fn matches_few(clip: &Clip) -> bool {
    let Some(attached) = clip.skeleton.attached() else { return false };
    let moves = |id: &NodeId| clip.nodes[*id].motion.moves();
    let fits = attached.matched.iter().filter(|one| moves(&one.node)).count();
    fits < attached.missing.iter().filter(|id| moves(id)).count()
}

/// The first of `names`, and how many more there are.
fn list(names: &[&str]) -> String {
    /// How many names a message lists.
    const MOST: usize = 8;
    let listed = names.iter().take(MOST).map(|name| format!("{name:?}"));
    let listed = listed.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
