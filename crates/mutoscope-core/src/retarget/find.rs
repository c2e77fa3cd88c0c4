//! Finds the bones of a body among nodes, by the names of the nodes and their parents.

use super::{
    RetargetError, codes,
    names::{Finger, Part, Phalanx, parse_name},
    tree::Tree,
};
use crate::{
    clip::{HumanBone, HumanBones, Node, NodeId, Nodes, Side},
    diagnostics::{Diagnostics, SourceLocation},
};

pub(super) struct FoundBones {
    pub(super) bones: HumanBones,
    pub(super) diagnostics: Diagnostics,
}

pub(super) fn find_bones(nodes: &Nodes, hips: Option<NodeId>) -> Result<FoundBones, RetargetError> {
    let tree = Tree::new(nodes);
    let parts = nodes.iter().map(|node| parse_name(&node.name)).collect();
    let mut finder = Finder { nodes, tree, parts, top: None, diagnostics: Diagnostics::new() };
    let hips = match hips {
        Some(hips) => Some(hips),
        None => finder.find_hips()?,
    };
    finder.top = hips;
    let mut bones = HumanBones::default();
    bones.set(HumanBone::Hips, hips);
    for side in [Side::Left, Side::Right] {
        finder.find_limbs(side, &mut bones);
        finder.find_fingers(side, &mut bones);
    }
    finder.find_trunk(&mut bones);
    finder.find_face(&mut bones);
    finder.remove_misplaced_bones(&mut bones);
    Ok(FoundBones { bones, diagnostics: finder.diagnostics })
}

/// The maximum number of bodies to search for in one clip.
const MAX_BODIES: usize = 16;

/// Finds the bones of every body among `nodes`. Bodies share no nodes. If no node is named hips, the
/// joint from which both legs descend is used.
pub(super) fn find_all_bones(nodes: &Nodes) -> Vec<HumanBones> {
    let bones = |hips| find_bones(nodes, hips).ok().map(|found| found.bones);
    match find_bones(nodes, None) {
        Ok(found) if found.bones.contains(HumanBone::Hips) => vec![found.bones],
        Ok(found) => {
            let leg = |bone| found.bones.get(bone);
            let legs = leg(HumanBone::LeftUpperLeg).zip(leg(HumanBone::RightUpperLeg));
            let hips = legs.and_then(|(left, right)| Tree::new(nodes).common_ancestor(left, right));
            hips.and_then(|hips| bones(Some(hips))).into_iter().collect()
        }
        Err(_) => separate_hips(nodes).into_iter().filter_map(|hips| bones(Some(hips))).collect(),
    }
}

/// Finds the bones of a body among nodes without parents, such as the joints of a table, by their
/// names alone. Returns `None` if a node has a parent, or if none or several nodes are the hips.
pub fn find_body_without_parents(nodes: &Nodes) -> Option<HumanBones> {
    /// The names of the hips in joint lists of Kinect, OpenPose and Nuitrack. In a hierarchy, they
    /// may name another joint.
    const OTHER_NAMES_OF_HIPS: [&str; 3] = ["spinebase", "midhip", "jointwaist"];
    if nodes.iter().any(|node| node.parent.is_some()) {
        return None;
    }
    // Tables name the hands `left/hand` and `right/hand`.
    let with_side = |node: &Node| {
        let side = match node.side? {
            Side::Left => "left",
            Side::Right => "right",
        };
        parse_name(&format!("{side} {}", node.name.rsplit('/').next()?))
    };
    let part = |node: &Node| parse_name(&node.name).or_else(|| with_side(node));
    let parts: Vec<_> = nodes.iter().map(part).collect();
    let is_hips = |id: &NodeId| {
        let name = nodes[*id].name.chars().filter(|letter| letter.is_alphanumeric());
        let name: String = name.flat_map(char::to_lowercase).collect();
        matches!(parts[id.index()], Some((Part::Hips, None)))
            || OTHER_NAMES_OF_HIPS.contains(&name.as_str())
    };
    let mut hips = nodes.with_ids().map(|(id, _)| id).filter(is_hips);
    let (Some(hips), None) = (hips.next(), hips.next()) else { return None };
    let tree = Tree::new(nodes);
    let finder = Finder { nodes, tree, parts, top: None, diagnostics: Diagnostics::new() };
    let mut bones = HumanBones::default();
    bones.set(HumanBone::Hips, Some(hips));
    for side in [Side::Left, Side::Right] {
        finder.find_limbs(side, &mut bones);
    }
    for (bone, part) in [(HumanBone::Head, Part::Head), (HumanBone::Neck, Part::Neck)] {
        let is_it = |id: &NodeId| finder.part(*id) == Some(part);
        bones.set(bone, finder.candidates().iter().copied().find(is_it));
    }
    Some(bones)
}

/// Returns the nodes that are named hips and have legs. Among hips above other hips, only those
/// with the most limbs are returned.
fn separate_hips(nodes: &Nodes) -> Vec<NodeId> {
    let tree = Tree::new(nodes);
    let parts: Vec<_> = nodes.iter().map(|node| parse_name(&node.name)).collect();
    let limbs = LimbCounts::count(&tree, &parts);
    let is_hips = |id: &&NodeId| matches!(parts[id.index()], Some((Part::Hips, _)));
    // Search backwards, so that the deepest of several hips with the same limbs wins.
    let hips = tree.depth_first_order().iter().rev().filter(is_hips).copied();
    let mut candidates: Vec<_> = hips.filter(|&id| limbs.has_legs(&tree, id)).collect();
    candidates.sort_by_key(|&id| std::cmp::Reverse(limbs.below(&tree, id).0));
    let mut separate: Vec<NodeId> = Vec::new();
    for id in candidates {
        let overlaps =
            |&other: &NodeId| tree.is_in_subtree(id, other) || tree.is_in_subtree(other, id);
        if separate.len() < MAX_BODIES && !separate.iter().any(overlaps) {
            separate.push(id);
        }
    }
    separate.sort_unstable();
    separate
}

struct Finder<'a> {
    nodes: &'a Nodes,
    tree: Tree,
    parts: Vec<Option<(Part, Option<Side>)>>,
    /// The hips, if known: all bones are below this node.
    top: Option<NodeId>,
    diagnostics: Diagnostics,
}

impl Finder<'_> {
    fn part(&self, node: NodeId) -> Option<Part> {
        self.parts[node.index()].map(|(part, _)| part)
    }

    /// Returns the node whose name means hips, that has legs below it, and that has the most limbs
    /// below it. If there is no such node, returns the joint of the trunk from which both legs
    /// descend.
    fn find_hips(&mut self) -> Result<Option<NodeId>, RetargetError> {
        let limbs = LimbCounts::count(&self.tree, &self.parts);
        let is_called_so = |id: &&NodeId| self.part(**id) == Some(Part::Hips);
        let called: Vec<_> =
            self.tree.depth_first_order().iter().filter(is_called_so).copied().collect();
        let with_legs = called.iter().copied().filter(|&id| limbs.has_legs(&self.tree, id));
        let with_legs: Vec<_> = with_legs.collect();
        // A root above the real hips may also be named hips. If both have the same number of limbs,
        // `max_by_key` returns the last one, which is the deepest node.
        let best = with_legs.iter().copied().max_by_key(|&id| limbs.below(&self.tree, id).0);
        let Some(best) = best else { return Ok(self.find_trunk_above_legs()) };
        let is_apart = |other: &&NodeId| {
            !self.tree.is_in_subtree(**other, best) && !self.tree.is_in_subtree(best, **other)
        };
        let name = |id: NodeId| &self.nodes[id].name;
        if let Some(&other) = with_legs.iter().find(is_apart) {
            let second = if other == with_legs[0] { best } else { other };
            return Err(RetargetError::SeveralHips(
                name(with_legs[0]).clone(),
                name(second).clone(),
            ));
        }
        if with_legs.len() > 1 {
            let others = with_legs.iter().filter(|&&id| id != best);
            let others: Vec<_> = others.map(|&id| format!("{:?}", name(id))).collect();
            let message = format!(
                "several nodes are called hips; using {:?}, not {}",
                name(best),
                others.join(", ")
            );
            self.diagnostics
                .warning(codes::SEVERAL_HIPS, SourceLocation::File, message)
                .with("name", name(best).as_str());
        }
        Ok(Some(best))
    }

    fn find_trunk_above_legs(&self) -> Option<NodeId> {
        let leg = |side| {
            self.first_node(side, Part::UpperLeg).or_else(|| self.first_node(side, Part::Leg))
        };
        let common = self.tree.common_ancestor(leg(Side::Left)?, leg(Side::Right)?)?;
        (self.part(common) == Some(Part::Spine)).then_some(common)
    }

    fn candidates(&self) -> &[NodeId] {
        self.top.map_or(self.tree.depth_first_order(), |top| self.tree.subtree(top))
    }

    fn first_node(&self, side: Side, part: Part) -> Option<NodeId> {
        let wanted = Some((part, Some(side)));
        self.candidates().iter().copied().find(|id| self.parts[id.index()] == wanted)
    }

    fn find_limbs(&self, side: Side, bones: &mut HumanBones) {
        let first = |part| self.first_node(side, part);
        let (collar, shoulder, upper_arm) =
            (first(Part::Collar), first(Part::Shoulder), first(Part::UpperArm));
        // The names Collar, Shoulder and Elbow form one arm, in which the node named Shoulder is
        // the upper arm.
        let (shoulder, upper_arm) = match (collar, upper_arm) {
            (Some(collar), upper_arm) => (Some(collar), upper_arm.or(shoulder)),
            (None, Some(upper_arm)) => (shoulder, Some(upper_arm)),
            (None, None) => (None, shoulder),
        };
        let (upper_leg, leg, lower_leg) =
            (first(Part::UpperLeg), first(Part::Leg), first(Part::LowerLeg));
        let (upper_leg, lower_leg) = match upper_leg {
            Some(upper_leg) => (Some(upper_leg), lower_leg.or(leg)),
            None => (leg, lower_leg),
        };
        let (foot, toes) = match (first(Part::Ankle), first(Part::Foot), first(Part::Toes)) {
            (Some(ankle), foot, toes) => (Some(ankle), toes.or(foot)),
            (None, foot, toes) => (foot, toes),
        };
        let hand = first(Part::Hand).or_else(|| first(Part::Wrist));
        let found =
            [shoulder, upper_arm, first(Part::LowerArm), hand, upper_leg, lower_leg, foot, toes];
        for (bone, node) in limb_bones(side).into_iter().zip(found) {
            bones.set(bone, node);
        }
    }

    fn find_fingers(&self, side: Side, bones: &mut HumanBones) {
        let is_old =
            self.first_node(side, Part::Finger(Finger::Thumb, Phalanx::Intermediate)).is_some();
        // Iterate backwards so that the first of several nodes for the same bone wins.
        for &id in self.candidates().iter().rev() {
            let Some((Part::Finger(finger, phalanx), Some(of))) = self.parts[id.index()] else {
                continue;
            };
            if of == side
                && let Some(bone) = finger_bone(side, finger, phalanx, is_old)
            {
                bones.set(bone, Some(id));
            }
        }
    }

    fn find_trunk(&self, bones: &mut HumanBones) {
        let arm =
            |[shoulder, upper_arm]: [HumanBone; 2]| bones.get(shoulder).or(bones.get(upper_arm));
        let left = arm([HumanBone::LeftShoulder, HumanBone::LeftUpperArm]);
        let right = arm([HumanBone::RightShoulder, HumanBone::RightUpperArm]);
        let arms = match (left, right) {
            (Some(left), Some(right)) => self.tree.common_ancestor(left, right),
            (one, other) => one.or(other).and_then(|arm| self.nodes[arm].parent),
        };
        let head = self.find_head(arms);
        bones.set(HumanBone::Head, head);
        let neck = head.and_then(|head| self.find_neck(head, arms));
        bones.set(HumanBone::Neck, neck);
        let Some(hips) = bones.get(HumanBone::Hips) else { return };
        let Some(top) = arms.or(neck).or(head).filter(|&top| self.tree.is_in_subtree(top, hips))
        else {
            return;
        };
        let on_the_way = self.tree.ancestors_from(top).take_while(|&node| node != hips);
        let mut spine: Vec<_> =
            on_the_way.filter(|&node| self.part(node) == Some(Part::Spine)).collect();
        spine.reverse();
        let found = match *spine {
            [] => [None; 3],
            [one] => [Some(one), None, None],
            [one, two] => [Some(one), Some(two), None],
            [first, .., last] => [Some(first), Some(spine[spine.len() / 2]), Some(last)],
        };
        for (bone, node) in
            [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest].into_iter().zip(found)
        {
            bones.set(bone, node);
        }
    }

    /// Returns the first node that is named head. If there is none, returns the last joint of the
    /// trunk above the arms, because Rigify names the head as a joint of the spine.
    fn find_head(&self, arms: Option<NodeId>) -> Option<NodeId> {
        let is_head = |id: &&NodeId| self.part(**id) == Some(Part::Head);
        if let Some(&head) = self.candidates().iter().find(is_head) {
            return Some(head);
        }
        let arms = arms?;
        let is_above = |id: &&NodeId| **id != arms && self.part(**id) == Some(Part::Spine);
        self.tree.subtree(arms).iter().rfind(is_above).copied()
    }

    fn find_neck(&self, head: NodeId, arms: Option<NodeId>) -> Option<NodeId> {
        let way = || {
            let above = self.tree.ancestors_from(head).skip(1);
            above.take_while(|&node| Some(node) != arms && Some(node) != self.top)
        };
        let lowest = |part| way().filter(|&node| self.part(node) == Some(part)).last();
        // If no node is named neck but the arms are known, use the lowest joint of the trunk
        // between the arms and the head.
        lowest(Part::Neck).or_else(|| arms.and_then(|_| lowest(Part::Spine)))
    }

    fn find_face(&self, bones: &mut HumanBones) {
        let Some(head) = bones.get(HumanBone::Head) else { return };
        let below = |part, side| {
            let is_it = |id: &&NodeId| self.parts[id.index()] == Some((part, side));
            self.tree.subtree(head).iter().find(is_it).copied()
        };
        bones.set(HumanBone::Jaw, below(Part::Jaw, None));
        bones.set(HumanBone::LeftEye, below(Part::Eye, Some(Side::Left)));
        bones.set(HumanBone::RightEye, below(Part::Eye, Some(Side::Right)));
    }

    fn remove_misplaced_bones(&mut self, bones: &mut HumanBones) {
        let mut left_out = Vec::new();
        for &bone in HumanBone::ALL {
            let (Some(node), Some(above)) = (bones.get(bone), bones.nearest_ancestor(bone)) else {
                continue;
            };
            // Skeletons attach the shoulders and the neck to different joints of the trunk, so only
            // require these bones to be below the hips.
            let is_of_trunk = |bone| (bone as usize) < HumanBone::Head as usize;
            let above = if is_of_trunk(above) { HumanBone::Hips } else { above };
            let Some(top) = bones.get(above) else { continue };
            if node == top || !self.tree.is_in_subtree(node, top) {
                bones.set(bone, None);
                left_out.push((bone, node, above));
            }
        }
        for (bone, node, above) in left_out {
            let name = &self.nodes[node].name;
            let message = format!("{name:?} is not below the {above}; not used as {bone}");
            self.diagnostics
                .warning(codes::MISPLACED_BONE, SourceLocation::File, message)
                .with("name", name.as_str())
                .with("bone", bone.name());
        }
    }
}

/// Prefix sums over the nodes in depth-first order. Element `i` contains the numbers of limbs, left
/// legs and right legs among the first `i` nodes.
struct LimbCounts(Vec<[usize; 3]>);

impl LimbCounts {
    fn count(tree: &Tree, parts: &[Option<(Part, Option<Side>)>]) -> Self {
        let mut counts = vec![[0; 3]];
        for id in tree.depth_first_order() {
            let [mut limbs, mut left, mut right] = counts[counts.len() - 1];
            if let Some((part, Some(side))) = parts[id.index()] {
                limbs += 1;
                let is_leg = matches!(part, Part::UpperLeg | Part::Leg);
                left += usize::from(is_leg && side == Side::Left);
                right += usize::from(is_leg && side == Side::Right);
            }
            counts.push([limbs, left, right]);
        }
        Self(counts)
    }

    fn below(&self, tree: &Tree, node: NodeId) -> (usize, [usize; 2]) {
        let (start, end) = tree.subtree_range(node);
        let [limbs, left, right] = [0, 1, 2].map(|index| self.0[end][index] - self.0[start][index]);
        (limbs, [left, right])
    }

    fn has_legs(&self, tree: &Tree, node: NodeId) -> bool {
        !self.below(tree, node).1.contains(&0)
    }
}

fn limb_bones(side: Side) -> [HumanBone; 8] {
    use HumanBone as B;
    match side {
        Side::Left => [
            B::LeftShoulder,
            B::LeftUpperArm,
            B::LeftLowerArm,
            B::LeftHand,
            B::LeftUpperLeg,
            B::LeftLowerLeg,
            B::LeftFoot,
            B::LeftToes,
        ],
        Side::Right => [
            B::RightShoulder,
            B::RightUpperArm,
            B::RightLowerArm,
            B::RightHand,
            B::RightUpperLeg,
            B::RightLowerLeg,
            B::RightFoot,
            B::RightToes,
        ],
    }
}

/// Returns the bone of a finger.
///
/// `is_old` is `true` if the thumb has an intermediate bone, as in VRM 0.x and Unity. The proximal
/// bone of such a thumb is the metacarpal bone of VRM 1.0.
fn finger_bone(side: Side, finger: Finger, phalanx: Phalanx, is_old: bool) -> Option<HumanBone> {
    let first = match side {
        Side::Left => HumanBone::LeftThumbMetacarpal,
        Side::Right => HumanBone::RightThumbMetacarpal,
    };
    let index = match (phalanx, finger) {
        (Phalanx::Numbered(number), _) => usize::from(number) - 1,
        (Phalanx::Metacarpal, _) => 0,
        (Phalanx::Proximal, Finger::Thumb) => usize::from(!is_old),
        (Phalanx::Intermediate, _) => 1,
        (Phalanx::Proximal, _) => 0,
        (Phalanx::Distal, _) => 2,
    };
    HumanBone::ALL.get(first as usize + finger as usize * 3 + index).copied()
}
