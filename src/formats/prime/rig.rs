//! Putting an animation on a skeleton.

use super::{Document, bone_name};
use crate::{
    clip::{
        Attached, Clip, Matched, Motion, Node, NodeId, Nodes, Owner, ScaleInheritance, Shown, Side,
        Skeleton, Transform,
    },
    diagnostics::{Notices, Place},
    rig::{Rig, RigNode},
};

/// `clip`, which was made of `document`, with the bones of `rig` for nodes: in their order and by
/// their names. Bones that the skeleton lacks follow, and stand nowhere.
pub(super) fn put_on(
    document: &Document,
    mut clip: Clip,
    rig: &Rig,
    notices: &mut Notices,
) -> Clip {
    let bones = Bones::new(&clip.nodes, rig);
    report_root(document, rig, notices);
    report_match(&clip.nodes, &bones, notices);
    let source_from_viewer = clip.convention.viewer_from_source().inverse();
    let rest = |bone: &RigNode| source_from_viewer.transform(&bone.rest);
    let mut nodes: Vec<_> =
        (0..rig.nodes.len()).map(|index| node(rig, index, rest(&rig.nodes[index]))).collect();
    for (node, in_rig) in clip.nodes.iter().zip(&bones.in_rig) {
        match in_rig {
            // On a skeleton it has a place.
            Some(index) => {
                nodes[*index].motion = Motion { shown: Shown::Always, ..node.motion.clone() };
            }
            None => nodes.push(node.clone()),
        }
    }
    for track in &mut clip.tracks {
        if let Owner::Node(node) = &mut track.owner {
            *node = bones.ids[node.index()];
        }
    }
    clip.skeleton = Skeleton::Attached(Box::new(bones.attached(rig)));
    clip.nodes = Nodes::new(nodes, notices).with_scales(ScaleInheritance::OffsetOnly);
    clip
}

/// Which bones of an animation and of a skeleton are the same.
struct Bones {
    /// For each node of the animation its index in the skeleton.
    in_rig: Vec<Option<usize>>,
    /// For each node of the animation its new id.
    ids: Vec<NodeId>,
}

impl Bones {
    fn new(nodes: &Nodes, rig: &Rig) -> Self {
        let is = |bone: &RigNode, node: &Node| bone.id.is_some_and(|id| bone_name(id) == node.name);
        let in_rig: Vec<Option<usize>> =
            nodes.iter().map(|node| rig.nodes.iter().position(|bone| is(bone, node))).collect();
        let mut beyond = rig.nodes.len()..;
        let mut id = |in_rig: &Option<usize>| in_rig.or_else(|| beyond.next()).map(NodeId::new);
        let ids = in_rig.iter().filter_map(&mut id).collect();
        Self { in_rig, ids }
    }

    fn attached(&self, rig: &Rig) -> Attached {
        let is_moved = |index: &usize| self.in_rig.contains(&Some(*index));
        let (moved, resting): (Vec<_>, Vec<_>) = (0..rig.nodes.len()).partition(is_moved);
        let matched = |index: usize| Matched {
            node: NodeId::new(index),
            name_in_skeleton: rig.nodes[index].name.clone(),
        };
        let missing = self.ids.iter().zip(&self.in_rig).filter(|(_, in_rig)| in_rig.is_none());
        Attached {
            name: rig.name.clone(),
            model: rig.model.clone(),
            matched: moved.into_iter().map(matched).collect(),
            missing: missing.map(|(id, _)| *id).collect(),
            resting: resting.into_iter().map(NodeId::new).collect(),
        }
    }
}

/// A bone at rest: none is turned in the bind pose.
fn node(rig: &Rig, index: usize, rest: Transform) -> Node {
    let bone = &rig.nodes[index];
    // What hangs on the root alone is the body, and the root a place on the ground below it.
    let stands_below = |parent: &usize| {
        let siblings = rig.nodes.iter().filter(|bone| bone.parent == Some(*parent));
        rig.nodes[*parent].parent.is_none() && siblings.count() == 1
    };
    Node {
        name: bone.name.clone(),
        group: None,
        parent: bone.parent.map(NodeId::new),
        bone_from: bone.parent.filter(|parent| !stands_below(parent)).map(NodeId::new),
        kind: bone.kind,
        side: side(&bone.name),
        rest,
        motion: Motion::default(),
    }
}

/// The side of the body that a bone's name tells.
fn side(name: &str) -> Option<Side> {
    match name.get(..2)? {
        "L_" => Some(Side::Left),
        "R_" => Some(Side::Right),
        _ => None,
    }
}

/// In the games the root of every skeleton has one id, by which animations name it.
fn report_root(document: &Document, rig: &Rig, notices: &mut Notices) {
    let roots = || rig.nodes.iter().filter(|bone| bone.parent.is_none());
    let ids: Vec<_> = roots().filter_map(|bone| bone.id).collect();
    if !ids.contains(&document.root_bone) {
        let ids: Vec<_> = ids.iter().map(u32::to_string).collect();
        let message = format!(
            "{}: its root is bone {}, the animation's is bone {}: of another game, where bones \
             have other numbers",
            rig.name,
            ids.join(", "),
            document.root_bone
        );
        notices.warning(Place::File, message);
    }
}

fn report_match(nodes: &Nodes, bones: &Bones, notices: &mut Notices) {
    /// How many bones are named.
    const MOST: usize = 8;
    let found = bones.in_rig.iter().flatten().count();
    let message = format!("{found} of {} bones of this clip exist in the rig", nodes.len());
    if found == nodes.len() {
        return notices.info(Place::File, message);
    }
    let lacks = nodes.iter().zip(&bones.in_rig).filter(|(_, in_rig)| in_rig.is_none());
    let names: Vec<_> = lacks.map(|(node, _)| node.name.as_str()).collect();
    let listed = names[..names.len().min(MOST)].join(", ");
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    notices.warning(Place::File, format!("{message}; it lacks {listed}{more}"));
}
