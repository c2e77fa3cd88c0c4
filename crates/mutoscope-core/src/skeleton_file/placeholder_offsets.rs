//! Placeholder offsets for joints of which a recording has rotations only. Without offsets, a whole
//! body would be drawn as a single point.
//!
//! The layout is made to be legible: chains are straight, siblings fan out like fingers, and limbs
//! with known names point in the usual directions. None of this is in the file.

use glam::{DQuat, DVec3};

use super::{
    codes,
    limbs::{self, Limb},
};
use crate::{
    clip::{Clip, NodeId, NodeKind, PlaceholderOffset, Pose, Skeleton, Translation},
    diagnostics::{Diagnostics, SourceLocation, format_count},
};

const DEFAULT_BONE_M: f64 = 0.1;

const MIN_LENGTH_RATIO: f64 = 0.25;

const SIBLING_SPREAD_DEG: f64 = 35.0;

const LIMB_SPREAD_DEG: f64 = 5.0;

/// Finds the joints of `clip` that have no position, and stores placeholder offsets for them.
/// Sampling `clip` ignores these offsets. [`Clip::with_placeholder_offsets`] applies them.
pub fn add_placeholder_offsets(clip: &mut Clip, diagnostics: &mut Diagnostics) {
    let offsets = Layout::new(clip).offsets();
    if offsets.is_empty() {
        return;
    }
    let message = format!(
        "the recording has no offsets for {}; using placeholder offsets for drawing. Attach a \
         skeleton with the same names (--rig)",
        format_count(offsets.len(), "joint")
    );
    diagnostics
        .info(codes::PLACEHOLDER_OFFSETS, SourceLocation::File, message)
        .with("count", offsets.len());
    clip.skeleton = Skeleton::WithoutOffsets(offsets.into());
}

struct Layout<'a> {
    clip: &'a Clip,
    children: Vec<Vec<usize>>,
    lacks_offset: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Rank {
    index: usize,
    count: usize,
}

#[derive(Clone, Copy)]
struct PlaceholderBone {
    /// The direction of the bone, as a unit vector in source space.
    direction: DVec3,
    /// The length of the bone as a multiple of the typical length.
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
        let mut layout = Self { clip, children, lacks_offset: vec![false; clip.nodes.len()] };
        layout.find_joints_without_offset();
        layout
    }

    /// Finds the joints without an offset from their parent. A joint without an animation, but with
    /// descendants that have a position, is taken as a group. A group belongs at the position of
    /// its parent, so it needs no offset.
    fn find_joints_without_offset(&mut self) {
        let nodes = &self.clip.nodes;
        let is_placed = |index: usize| {
            let node = &nodes[NodeId::new(index)];
            !matches!(node.motion.translation, Translation::Rest)
                || node.rest.translation != DVec3::ZERO
        };
        let mut has_placed_descendant = vec![false; nodes.len()];
        for id in nodes.parents_first().iter().rev().map(|id| id.index()) {
            has_placed_descendant[id] = self.children[id]
                .iter()
                .any(|&child| is_placed(child) || has_placed_descendant[child]);
        }
        for (id, node) in nodes.with_ids() {
            let index = id.index();
            let may_be_group = !node.motion.is_animated() && has_placed_descendant[index];
            self.lacks_offset[index] =
                node.kind == NodeKind::Joint && !is_placed(index) && !may_be_group;
        }
        // A single root may stay at the origin. Several roots need offsets, because they would all
        // be at the origin.
        let roots = || nodes.with_ids().filter(|(_, node)| node.parent.is_none());
        let roots_without_offset: Vec<_> =
            roots().map(|(id, _)| id.index()).filter(|&root| self.lacks_offset[root]).collect();
        if let [root] = roots_without_offset[..] {
            self.lacks_offset[root] = false;
        }
    }

    fn offsets(&self) -> Vec<PlaceholderOffset> {
        let length = self.typical_length();
        let ranks = self.sibling_ranks();
        let start = PlaceholderBone { direction: DVec3::Y, length: 1.0, limb: Limb::None };
        let mut bones = vec![start; self.clip.nodes.len()];
        let mut offsets = Vec::new();
        for &node in self.clip.nodes.parents_first() {
            let index = node.index();
            let translation = match self.clip.nodes[node].parent {
                Some(parent) => {
                    let name = &self.clip.nodes[node].name;
                    bones[index] = next_bone(name, ranks[index], &bones[parent.index()]);
                    bones[index].direction * bones[index].length * length
                }
                None => grid_position(ranks[index]) * 2.0 * length,
            };
            if self.lacks_offset[index] {
                offsets.push(PlaceholderOffset { node, translation });
            }
        }
        offsets.sort_by_key(|offset| offset.node);
        offsets
    }

    fn sibling_ranks(&self) -> Vec<Rank> {
        let mut ranks = vec![Rank { index: 0, count: 1 }; self.clip.nodes.len()];
        let nodes = self.clip.nodes.with_ids();
        let roots = nodes.filter(|(_, node)| node.parent.is_none()).map(|(id, _)| id.index());
        let mut rank = |siblings: &[usize]| {
            let without_offset = || siblings.iter().filter(|&&sibling| self.lacks_offset[sibling]);
            let count = without_offset().count();
            without_offset()
                .enumerate()
                .for_each(|(index, &sibling)| ranks[sibling] = Rank { index, count });
        };
        rank(&roots.collect::<Vec<_>>());
        self.children.iter().for_each(|children| rank(children));
        ranks
    }

    fn typical_length(&self) -> f64 {
        let mut pose = Pose::default();
        self.clip.sample(self.clip.span.start, &mut pose);
        let nodes = self.clip.nodes.iter().zip(&pose.nodes);
        let bones = nodes.filter(|(node, _)| node.bone_from.is_some());
        let mut lengths: Vec<_> = bones
            .map(|(_, node_pose)| node_pose.local.translation.length())
            .filter(|length| length.is_finite() && *length > 0.0)
            .collect();
        lengths.sort_by(f64::total_cmp);
        let metres = lengths.get(lengths.len() / 2).copied().unwrap_or(DEFAULT_BONE_M);
        metres / self.clip.convention.metres_per_unit.value
    }
}

fn next_bone(name: &str, rank: Rank, before: &PlaceholderBone) -> PlaceholderBone {
    let limb = match limbs::limb_from_name(name) {
        Limb::None => before.limb,
        limb => limb,
    };
    let starts_limb = limb != before.limb;
    let direction = match limbs::limb_direction(limb, limbs::side_from_name(name), starts_limb) {
        Some(direction) => fan_direction(direction, rank, LIMB_SPREAD_DEG),
        None => fan_direction(before.direction, rank, SIBLING_SPREAD_DEG),
    };
    let is_fan = rank.count > 2 && !starts_limb;
    let length = match limb {
        Limb::Finger if starts_limb => 0.6,
        Limb::Leg if !starts_limb => 2.2,
        Limb::Arm if !starts_limb => 1.6,
        Limb::Toe => 0.8,
        Limb::Arm | Limb::Leg | Limb::Trunk if starts_limb => 1.0,
        _ if is_fan => (before.length * 0.6).max(MIN_LENGTH_RATIO),
        _ => before.length,
    };
    PlaceholderBone { direction, length, limb }
}

fn fan_direction(direction: DVec3, Rank { index, count }: Rank, step: f64) -> DVec3 {
    const MAX_FAN_DEG: f64 = 150.0;
    let step = (MAX_FAN_DEG / count.max(1) as f64).min(step).to_radians();
    let angle = (index as f64 - (count as f64 - 1.0) / 2.0) * step;
    // Spread vertical bones sideways. Spread all other bones about the vertical axis, like the
    // fingers of a horizontal hand.
    let axis = if direction.y.abs() > 0.5 { DVec3::NEG_Z } else { DVec3::Y };
    DQuat::from_axis_angle(axis, angle) * direction
}

fn grid_position(Rank { index, count }: Rank) -> DVec3 {
    let columns = (count as f64).sqrt().ceil().max(1.0) as usize;
    DVec3::new((index % columns) as f64, 0.0, (index / columns) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sibling_offsets_fan_out_evenly() {
        assert!(
            fan_direction(DVec3::Y, Rank { index: 0, count: 1 }, SIBLING_SPREAD_DEG)
                .abs_diff_eq(DVec3::Y, 1e-12)
        );
        let three: Vec<_> = (0..3)
            .map(|index| fan_direction(DVec3::Y, Rank { index, count: 3 }, SIBLING_SPREAD_DEG))
            .collect();
        assert!(three[0].x < -0.5 && three[2].x > 0.5 && three[1].abs_diff_eq(DVec3::Y, 1e-12));
        let many: Vec<_> = (0..30)
            .map(|index| fan_direction(DVec3::X, Rank { index, count: 30 }, SIBLING_SPREAD_DEG))
            .collect();
        for pair in many.windows(2) {
            assert!((pair[0].angle_between(pair[1]).to_degrees() - 5.0).abs() < 1e-9);
        }
    }
}
