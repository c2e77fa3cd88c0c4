//! Offsets for joints of which a recording only says how they turn: without them, a whole body
//! would be drawn as one point.
//!
//! They are laid out for legibility: chains are straight, siblings fan out like fingers, and named
//! limbs go where a body has them. None of it is in the file.

use glam::{DQuat, DVec3};

use super::limbs::{self, Limb};
use crate::{
    clip::{Clip, NodeId, NodeKind, Offset, Pose, Skeleton, Translation},
    diagnostics::{Notices, SourceLocation},
};

/// The length of a placeholder bone in metres, where the recording has no bones to go by.
const BONE: f64 = 0.1;

/// The least length of a bone, over that of the others.
const SHORTEST: f64 = 0.25;

/// The angle between siblings that go on from one bone, in degrees.
const SPREAD: f64 = 35.0;

/// The same where a body has them in one direction.
const APART: f64 = 5.0;

/// Notes in `clip` which of its joints have no place of their own, and their placeholder offsets.
/// The clip is sampled as before; [`Clip::with_placeholder_offsets`] applies the offsets.
pub fn note_unplaced(clip: &mut Clip, notices: &mut Notices) {
    let offsets = Layout::new(clip).offsets();
    if offsets.is_empty() {
        return;
    }
    let (count, plural) = (offsets.len(), if offsets.len() == 1 { "" } else { "s" });
    let message = format!(
        "the recording has no offsets for {count} joint{plural}; using placeholder offsets for \
         drawing. Attach a skeleton with the same names (--rig)"
    );
    notices.info(SourceLocation::File, message);
    clip.skeleton = Skeleton::Unplaced(offsets.into());
}

struct Layout<'a> {
    clip: &'a Clip,
    children: Vec<Vec<usize>>,
    is_unplaced: Vec<bool>,
}

/// The rank of a node among its siblings.
#[derive(Clone, Copy)]
struct Rank {
    place: usize,
    count: usize,
}

/// How a bone continues the one before it.
#[derive(Clone, Copy)]
struct Bone {
    /// In source space, of length 1.
    direction: DVec3,
    /// Over the length of all.
    length: f64,
    limb: Limb,
}

impl<'a> Layout<'a> {
    fn new(clip: &'a Clip) -> Self {
        let mut children = vec![Vec::new(); clip.nodes.len()];
        for (id, node) in clip.nodes.with_ids() {
            if let Some(parent) = node.parent {
                children[parent.index()].push(id.index());
            }
        }
        let mut layout = Self { clip, children, is_unplaced: vec![false; clip.nodes.len()] };
        layout.find_unplaced();
        layout
    }

    /// Joints without an offset from their parent. Of those that are not animated at all, only
    /// those without placed children: others are groups, which are meant to be there.
    fn find_unplaced(&mut self) {
        let nodes = &self.clip.nodes;
        let is_placed = |index: usize| {
            let node = &nodes[NodeId::new(index)];
            !matches!(node.motion.translation, Translation::Rest)
                || node.rest.translation != DVec3::ZERO
        };
        let mut holds_placed = vec![false; nodes.len()];
        for id in nodes.parents_first().iter().rev().map(|id| id.index()) {
            holds_placed[id] =
                self.children[id].iter().any(|&child| is_placed(child) || holds_placed[child]);
        }
        for (id, node) in nodes.with_ids() {
            let index = id.index();
            let may_be_group = !node.motion.moves() && holds_placed[index];
            self.is_unplaced[index] =
                node.kind == NodeKind::Joint && !is_placed(index) && !may_be_group;
        }
        // One root may be at the origin; several would coincide.
        let roots = || nodes.with_ids().filter(|(_, node)| node.parent.is_none());
        let unplaced_roots: Vec<_> =
            roots().map(|(id, _)| id.index()).filter(|&root| self.is_unplaced[root]).collect();
        if let [alone] = unplaced_roots[..] {
            self.is_unplaced[alone] = false;
        }
    }

    fn offsets(&self) -> Vec<Offset> {
        let length = self.typical_length();
        let ranks = self.ranks();
        let start = Bone { direction: DVec3::Y, length: 1.0, limb: Limb::None };
        let mut bones = vec![start; self.clip.nodes.len()];
        let mut offsets = Vec::new();
        for &node in self.clip.nodes.parents_first() {
            let index = node.index();
            let translation = match self.clip.nodes[node].parent {
                Some(parent) => {
                    let name = &self.clip.nodes[node].name;
                    bones[index] = bone(name, ranks[index], &bones[parent.index()]);
                    bones[index].direction * bones[index].length * length
                }
                None => in_rows(ranks[index]) * 2.0 * length,
            };
            if self.is_unplaced[index] {
                offsets.push(Offset { node, translation });
            }
        }
        offsets.sort_by_key(|offset| offset.node);
        offsets
    }

    /// For each node its rank among those of its parent that have no place.
    fn ranks(&self) -> Vec<Rank> {
        let mut ranks = vec![Rank { place: 0, count: 1 }; self.clip.nodes.len()];
        let nodes = self.clip.nodes.with_ids();
        let roots = nodes.filter(|(_, node)| node.parent.is_none()).map(|(id, _)| id.index());
        let mut rank = |siblings: &[usize]| {
            let unplaced = || siblings.iter().filter(|&&one| self.is_unplaced[one]);
            let count = unplaced().count();
            unplaced().enumerate().for_each(|(place, &one)| ranks[one] = Rank { place, count });
        };
        rank(&roots.collect::<Vec<_>>());
        self.children.iter().for_each(|children| rank(children));
        ranks
    }

    /// The median length of the bones that the recording has, in source units; else a tenth of a
    /// metre.
    fn typical_length(&self) -> f64 {
        let mut pose = Pose::default();
        self.clip.sample(self.clip.span.start, &mut pose);
        let nodes = self.clip.nodes.iter().zip(&pose.nodes);
        let bones = nodes.filter(|(node, _)| node.bone_from.is_some());
        let mut lengths: Vec<_> = bones
            .map(|(_, stands)| stands.local.translation.length())
            .filter(|length| length.is_finite() && *length > 0.0)
            .collect();
        lengths.sort_by(f64::total_cmp);
        let metres = lengths.get(lengths.len() / 2).copied().unwrap_or(BONE);
        metres / self.clip.convention.metres_per_unit.value
    }
}

/// The bone that leads to the node with this name, after the one `before`.
fn bone(name: &str, rank: Rank, before: &Bone) -> Bone {
    let limb = match limbs::of_name(name) {
        Limb::None => before.limb,
        limb => limb,
    };
    let begins = limb != before.limb;
    let direction = match limbs::direction(limb, limbs::side_of_name(name), begins) {
        Some(direction) => fanned(direction, rank, APART),
        None => fanned(before.direction, rank, SPREAD),
    };
    let is_fan = rank.count > 2 && !begins;
    let length = match limb {
        Limb::Finger if begins => 0.6,
        Limb::Leg if !begins => 2.2,
        Limb::Arm if !begins => 1.6,
        Limb::Toe => 0.8,
        Limb::Arm | Limb::Leg | Limb::Trunk if begins => 1.0,
        _ if is_fan => (before.length * 0.6).max(SHORTEST),
        _ => before.length,
    };
    Bone { direction, length, limb }
}

/// The direction of one of several bones about `direction`, each `step` degrees from the next, or
/// less if they are many.
fn fanned(direction: DVec3, Rank { place, count }: Rank, step: f64) -> DVec3 {
    /// The angle between the outermost of many, in degrees.
    const WIDEST: f64 = 150.0;
    let step = (WIDEST / count.max(1) as f64).min(step).to_radians();
    let angle = (place as f64 - (count as f64 - 1.0) / 2.0) * step;
    // Upright ones spread sideways, level ones as the fingers of a level hand.
    let axis = if direction.y.abs() > 0.5 { DVec3::NEG_Z } else { DVec3::Y };
    DQuat::from_axis_angle(axis, angle) * direction
}

/// Places on the floor, one unit from each other, of several that have no parent.
fn in_rows(Rank { place, count }: Rank) -> DVec3 {
    let columns = (count as f64).sqrt().ceil().max(1.0) as usize;
    DVec3::new((place % columns) as f64, 0.0, (place / columns) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sibling_offsets_fan_out_evenly() {
        assert!(fanned(DVec3::Y, Rank { place: 0, count: 1 }, SPREAD).abs_diff_eq(DVec3::Y, 1e-12));
        let three: Vec<_> =
            (0..3).map(|place| fanned(DVec3::Y, Rank { place, count: 3 }, SPREAD)).collect();
        assert!(three[0].x < -0.5 && three[2].x > 0.5 && three[1].abs_diff_eq(DVec3::Y, 1e-12));
        let many: Vec<_> =
            (0..30).map(|place| fanned(DVec3::X, Rank { place, count: 30 }, SPREAD)).collect();
        for pair in many.windows(2) {
            assert!((pair[0].angle_between(pair[1]).to_degrees() - 5.0).abs() < 1e-9);
        }
    }
}
