//! The bones of a body among nodes, by their names and their parents.

use super::{
    names::{Finger, Part, Phalanx, part_of},
    tree::Tree,
};
use crate::clip::{HumanBone, HumanBones, NodeId, Nodes, Side};

/// The bones that were found, and what is worth knowing about it.
pub(super) struct Found {
    pub(super) bones: HumanBones,
    pub(super) remarks: Vec<String>,
}

/// Finds the bones of a body. `hips` are the hips, if they are known.
///
/// # Errors
/// If there are several bodies, and none is more likely to be meant.
pub(super) fn find(nodes: &Nodes, hips: Option<NodeId>) -> Result<Found, String> {
    let tree = Tree::new(nodes);
    let parts = nodes.iter().map(|node| part_of(&node.name)).collect();
    let mut finder = Finder { nodes, tree, parts, top: None, remarks: Vec::new() };
    let hips = match hips {
        Some(hips) => Some(hips),
        None => finder.hips()?,
    };
    finder.top = hips;
    let mut bones = HumanBones::default();
    bones.set(HumanBone::Hips, hips);
    for side in [Side::Left, Side::Right] {
        finder.limbs(side, &mut bones);
        finder.fingers(side, &mut bones);
    }
    finder.trunk(&mut bones);
    finder.face(&mut bones);
    finder.leave_out_contradictions(&mut bones);
    Ok(Found { bones, remarks: finder.remarks })
}

struct Finder<'a> {
    nodes: &'a Nodes,
    tree: Tree,
    /// For each node what its name says.
    parts: Vec<Option<(Part, Option<Side>)>>,
    /// The node that all bones are below.
    top: Option<NodeId>,
    remarks: Vec<String>,
}

impl Finder<'_> {
    fn part(&self, node: NodeId) -> Option<Part> {
        self.parts[node.index()].map(|(part, _)| part)
    }

    /// The node with most limbs below it that is called so; without such, the joint of the trunk that both legs
    /// hang from.
    fn hips(&mut self) -> Result<Option<NodeId>, String> {
        let limbs = Limbs::count(&self.tree, &self.parts);
        let is_called_so = |id: &&NodeId| self.part(**id) == Some(Part::Hips);
        let called: Vec<_> = self.tree.order().iter().filter(is_called_so).copied().collect();
        let with_legs = called.iter().copied().filter(|&id| limbs.has_legs(&self.tree, id));
        let with_legs: Vec<_> = with_legs.collect();
        // Of equals the last, which is the deepest: a root may be called hips, too.
        let best = with_legs.iter().copied().max_by_key(|&id| limbs.of(&self.tree, id).0);
        let Some(best) = best else { return Ok(self.trunk_above_legs()) };
        let is_apart =
            |other: &&NodeId| !self.tree.is_in(**other, best) && !self.tree.is_in(best, **other);
        let name = |id: NodeId| &self.nodes[id].name;
        if let Some(&other) = with_legs.iter().find(is_apart) {
            return Err(format!(
                "expected one body, found several hips with legs: {:?} and {:?}. A map of bones can name \
                 one",
                name(with_legs[0]),
                name(if other == with_legs[0] { best } else { other })
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
            self.remarks.push(message);
        }
        Ok(Some(best))
    }

    fn trunk_above_legs(&self) -> Option<NodeId> {
        let leg = |side| self.first(side, Part::UpperLeg).or_else(|| self.first(side, Part::Leg));
        let common = self.tree.common(leg(Side::Left)?, leg(Side::Right)?)?;
        (self.part(common) == Some(Part::Spine)).then_some(common)
    }

    /// The nodes that may be bones, each before those below it.
    fn candidates(&self) -> &[NodeId] {
        self.top.map_or(self.tree.order(), |top| self.tree.below(top))
    }

    /// The first node that is called so.
    fn first(&self, side: Side, part: Part) -> Option<NodeId> {
        let wanted = Some((part, Some(side)));
        self.candidates().iter().copied().find(|id| self.parts[id.index()] == wanted)
    }

    fn limbs(&self, side: Side, bones: &mut HumanBones) {
        let first = |part| self.first(side, part);
        let (collar, shoulder, upper_arm) =
            (first(Part::Collar), first(Part::Shoulder), first(Part::UpperArm));
        // Collar, Shoulder, Elbow: the shoulder is then the upper arm.
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

    fn fingers(&self, side: Side, bones: &mut HumanBones) {
        let is_old = self.first(side, Part::Finger(Finger::Thumb, Phalanx::Intermediate)).is_some();
        // From the last on: the first that is called so counts.
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

    /// The joints of the trunk by their order, the neck and the head.
    fn trunk(&self, bones: &mut HumanBones) {
        let arm =
            |[shoulder, upper_arm]: [HumanBone; 2]| bones.get(shoulder).or(bones.get(upper_arm));
        let left = arm([HumanBone::LeftShoulder, HumanBone::LeftUpperArm]);
        let right = arm([HumanBone::RightShoulder, HumanBone::RightUpperArm]);
        let arms = match (left, right) {
            (Some(left), Some(right)) => self.tree.common(left, right),
            (one, other) => one.or(other).and_then(|arm| self.nodes[arm].parent),
        };
        let head = self.head(arms);
        bones.set(HumanBone::Head, head);
        let neck = head.and_then(|head| self.neck(head, arms));
        bones.set(HumanBone::Neck, neck);
        let Some(hips) = bones.get(HumanBone::Hips) else { return };
        let Some(top) = arms.or(neck).or(head).filter(|&top| self.tree.is_in(top, hips)) else {
            return;
        };
        let on_the_way = self.tree.upwards(top).take_while(|&node| node != hips);
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

    /// The node called head; else the last joint of the trunk above the arms, as in Rigify.
    fn head(&self, arms: Option<NodeId>) -> Option<NodeId> {
        let is_head = |id: &&NodeId| self.part(**id) == Some(Part::Head);
        if let Some(&head) = self.candidates().iter().find(is_head) {
            return Some(head);
        }
        let arms = arms?;
        let is_above = |id: &&NodeId| **id != arms && self.part(**id) == Some(Part::Spine);
        self.tree.below(arms).iter().rfind(is_above).copied()
    }

    /// The lowest joint of the neck.
    fn neck(&self, head: NodeId, arms: Option<NodeId>) -> Option<NodeId> {
        let way = || {
            let above = self.tree.upwards(head).skip(1);
            above.take_while(|&node| Some(node) != arms && Some(node) != self.top)
        };
        let lowest = |part| way().filter(|&node| self.part(node) == Some(part)).last();
        // Where nothing is called neck and the arms are known, what is between them and the head.
        lowest(Part::Neck).or_else(|| arms.and_then(|_| lowest(Part::Spine)))
    }

    fn face(&self, bones: &mut HumanBones) {
        let Some(head) = bones.get(HumanBone::Head) else { return };
        let below = |part, side| {
            let is_it = |id: &&NodeId| self.parts[id.index()] == Some((part, side));
            self.tree.below(head).iter().find(is_it).copied()
        };
        bones.set(HumanBone::Jaw, below(Part::Jaw, None));
        bones.set(HumanBone::LeftEye, below(Part::Eye, Some(Side::Left)));
        bones.set(HumanBone::RightEye, below(Part::Eye, Some(Side::Right)));
    }

    /// Leaves out what does not hang below the bone that it should.
    fn leave_out_contradictions(&mut self, bones: &mut HumanBones) {
        let mut left_out = Vec::new();
        for &bone in HumanBone::ALL {
            let (Some(node), Some(above)) = (bones.get(bone), bones.above(bone)) else { continue };
            // Trunks differ in where shoulders and necks hang.
            let is_of_trunk = |bone| (bone as usize) < HumanBone::Head as usize;
            let above = if is_of_trunk(above) { HumanBone::Hips } else { above };
            let Some(top) = bones.get(above) else { continue };
            if node == top || !self.tree.is_in(node, top) {
                bones.set(bone, None);
                left_out.push((bone, node, above));
            }
        }
        for (bone, node, above) in left_out {
            let name = &self.nodes[node].name;
            self.remarks.push(format!("{name:?} is not below the {above}; not used as {bone}"));
        }
    }
}

/// How many limbs and legs there are before each position in the order of the nodes.
struct Limbs(Vec<[usize; 3]>);

impl Limbs {
    fn count(tree: &Tree, parts: &[Option<(Part, Option<Side>)>]) -> Self {
        let mut counts = vec![[0; 3]];
        for id in tree.order() {
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

    /// Limbs, and legs of either side, below a node.
    fn of(&self, tree: &Tree, node: NodeId) -> (usize, [usize; 2]) {
        let (start, end) = tree.range(node);
        let [limbs, left, right] = [0, 1, 2].map(|index| self.0[end][index] - self.0[start][index]);
        (limbs, [left, right])
    }

    fn has_legs(&self, tree: &Tree, node: NodeId) -> bool {
        !self.of(tree, node).1.contains(&0)
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

/// The bone of a finger. Thumbs that have an intermediate bone have the names of VRM 0.x, as Unity's.
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
