//! Measuring the bounds and sizes of a clip.

use std::collections::HashMap;

use bevy::math::DVec3;

use super::{
    appearance, head,
    motion_bounds::{MotionBounds, corners},
    root_path::{RootPath, near_most},
};
use crate::clip::{Clip, GroupId, Node, NodeId, NodeKind, NodePose, Pose, Reach, Shown};

/// How many times a clip is sampled at, spread evenly over it.
const SAMPLES: usize = 64;

/// The bone length of a hand, in metres: what the sizes of joints and bones are made for.
const HAND_BONE: f64 = 0.035;

/// Measures all of `clip`.
pub(super) fn measure(clip: &Clip) -> MotionBounds {
    let reaches: Vec<Reach> = appearance::of(clip).flat_map(|one| (one.reaches)(clip)).collect();
    let mut measuring = Measuring::default();
    let mut pose = Pose::default();
    for index in 0..SAMPLES {
        let part = index as f64 / (SAMPLES - 1) as f64;
        clip.sample(clip.span.start + clip.span.duration * part, &mut pose);
        measuring.visit(clip, &pose, &reaches);
    }
    measuring.finish(clip)
}

/// What is known of a clip so far.
#[derive(Default)]
struct Measuring {
    bounds: MotionBounds,
    path: RootPath,
    bone_lengths: Vec<f64>,
    parked: Parked,
    is_begun: bool,
}

/// The hands whose joints are all in one place: recorders put them there while they see none.
#[derive(Default)]
struct Parked {
    /// For each group where its joints are, how many there are, and whether all are there.
    groups: HashMap<GroupId, (DVec3, usize, bool)>,
}

impl Parked {
    /// From how many joints on a group may be parked: fewer may well be in one place.
    const LEAST: usize = 5;

    fn look_at(&mut self, clip: &Clip, pose: &Pose) {
        self.groups.clear();
        for (id, node) in clip.nodes.with_ids() {
            let here = &pose.nodes[id.index()];
            let (Some(group), true) = (node.group, here.shown && is_joint(node)) else { continue };
            let place = here.world.translation;
            let entry = self.groups.entry(group).or_insert((place, 0, true));
            entry.1 += 1;
            entry.2 &= place.distance(entry.0) < 1e-4;
        }
    }

    /// Whether `node` is of such a hand.
    fn has(&self, node: &Node) -> bool {
        let group = node.group.filter(|_| is_joint(node));
        let group = group.and_then(|group| self.groups.get(&group));
        group.is_some_and(|&(_, count, together)| together && count >= Self::LEAST)
    }
}

fn is_joint(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Joint | NodeKind::Tip)
}

impl Measuring {
    fn visit(&mut self, clip: &Clip, pose: &Pose, reaches: &[Reach]) {
        let root = clip.root_motion_node().map(|id| &pose.nodes[id.index()]);
        if !self.is_begun {
            self.bounds.root_from = root.map_or(DVec3::ZERO, |node| node.world.translation);
            self.is_begun = true;
        }
        let seen = (self.bounds.joints.len(), self.bounds.others.len());
        self.parked.look_at(clip, pose);
        for (id, node) in clip.nodes.with_ids() {
            if !self.parked.has(node) {
                self.note(id, node, &pose.nodes);
            }
        }
        reaches.iter().for_each(|reach| self.note_reach(reach, &pose.nodes));
        if let Some(root) = root.filter(|node| node.shown) {
            let new = self.bounds.joints[seen.0..].iter().chain(&self.bounds.others[seen.1..]);
            self.path.visit(root.world.translation, new.copied().collect());
        }
    }

    fn note(&mut self, id: NodeId, node: &Node, pose: &[NodePose]) {
        let here = &pose[id.index()];
        if !here.shown || node.motion.shown == Shown::Never {
            return;
        }
        let place = here.world.translation;
        match node.kind {
            NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => self.bounds.joints.push(place),
            NodeKind::Ray => self.bounds.others.push(place),
            NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
            NodeKind::Head => {
                let outline = head::OUTLINE.map(|point| place + here.world.rotation * point);
                self.bounds.others.extend(outline);
                let look = here.world.rotation * DVec3::NEG_Z;
                self.bounds.heading += DVec3::new(look.x, 0.0, look.z).normalize_or_zero();
            }
        }
        if let Some(from) = node.bone_from {
            let length = pose[from.index()].world.translation.distance(place);
            if length.is_finite() && length > 0.0 {
                self.bone_lengths.push(length);
            }
        }
    }

    /// Notes the box around what follows a node.
    fn note_reach(&mut self, reach: &Reach, pose: &[NodePose]) {
        let here = &pose[reach.node];
        if here.shown {
            let corners =
                reach.corners().map(|corner| here.world.transform_point(corner.as_dvec3()));
            self.bounds.others.extend(corners);
        }
    }

    fn finish(self, clip: &Clip) -> MotionBounds {
        let Self { mut bounds, path, mut bone_lengths, .. } = self;
        let near = near_most(&bounds.joints);
        bounds.joints.retain(&near);
        bounds.others.retain(&near);
        let path = path.kept_to(&near);
        bounds.goes_far = path.is_far();
        bounds.around = path.around();
        for one in appearance::of(clip) {
            let near = grown(bounds.bounds(), one.surroundings_within);
            bounds.others.extend((one.surroundings)(clip).into_iter().filter(near));
        }
        let scale = appearance::of(clip).find_map(|one| one.scale);
        bounds.scale = match scale {
            Some(scale) => scale,
            None if clip.is_loose() => scale_of_loose(bounds.bounds()),
            None => scale_of_bones(&mut bone_lengths, &bounds.joints),
        };
        bounds.rebase();
        bounds
    }
}

/// Whether a place is in a box, or not farther outside of it than `margin`, in metres.
fn grown([least, most]: [DVec3; 2], margin: f64) -> impl Fn(&DVec3) -> bool {
    move |place| place.cmpge(least - margin).all() && place.cmple(most + margin).all()
}

/// How much larger than a hand's the bones with these lengths are. Around 1 it is 1: hands differ.
/// Without bones, as if they were a small part of where `joints` go, so that they can be seen.
fn scale_of_bones(bones: &mut [f64], joints: &[DVec3]) -> f64 {
    const PART: f64 = 0.05;
    bones.sort_by(f64::total_cmp);
    let [least, most] = corners(joints.iter());
    let of_the_way = Some(PART * (most - least).length()).filter(|way| way.is_normal());
    let median = bones.get(bones.len() / 2).copied().or(of_the_way).unwrap_or(HAND_BONE);
    let scale = median / HAND_BONE;
    if (0.5..2.0).contains(&scale) { 1.0 } else { scale.clamp(0.05, 50.0) }
}

/// The same for a recording without bones that moves within this box: its nodes are to be found in
/// it.
fn scale_of_loose([least, most]: [DVec3; 2]) -> f64 {
    const PART_OF_BOX: f64 = 0.04;
    let size = least.distance(most) * PART_OF_BOX / HAND_BONE;
    if size > 0.0 && size.is_finite() { size.clamp(0.05, 50.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::sample_clip;

    #[test]
    fn nearness_includes_a_margin_around_the_box() {
        let near = grown([DVec3::ZERO, DVec3::ONE], 2.0);
        assert!(near(&DVec3::splat(0.5)) && near(&DVec3::new(2.9, -1.9, 0.0)));
        assert!(!near(&DVec3::new(3.1, 0.0, 0.0)) && !near(&DVec3::new(0.0, -2.1, 0.0)));
    }

    #[test]
    fn hands_are_of_size_one_and_bodies_larger() {
        assert_eq!(scale_of_bones(&mut [0.02, 0.03, 0.09], &[]), 1.0);
        assert_eq!(scale_of_bones(&mut [], &[]), 1.0);
        assert_eq!(scale_of_bones(&mut [], &[DVec3::X]), 1.0, "what stays where it is");
        assert_eq!(scale_of_bones(&mut [], &[DVec3::ZERO, DVec3::X * 7.0]).round(), 10.0);
        assert_eq!(scale_of_bones(&mut [0.35; 3], &[]).round(), 10.0);
    }

    /// MRTK has a hand that it does not see in one place, which is often the origin.
    #[test]
    fn parked_hands_do_not_count() {
        let clip = sample_clip();
        let mut pose = Pose::default();
        clip.sample(clip.span.start + 1.0, &mut pose);
        let joints = |pose: &Pose| {
            let mut measuring = Measuring::default();
            measuring.visit(&clip, pose, &[]);
            measuring.bounds.joints.len()
        };
        let all = joints(&pose);
        let left = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
        let left = clip.nodes[NodeId::new(left)].group;
        let of_left: Vec<_> = clip
            .nodes
            .with_ids()
            .filter(|(_, node)| node.group == left && is_joint(node))
            .collect();
        for (id, _) in &of_left {
            pose.nodes[id.index()].world.translation = DVec3::ZERO;
        }
        assert_eq!(joints(&pose), all - of_left.len());
        assert!(of_left.len() > 20);
    }

    #[test]
    fn boneless_nodes_scale_with_their_space() {
        let of_box = |side: f64| scale_of_loose([DVec3::ZERO, DVec3::X * side]);
        assert!(of_box(2.0) > 2.0 && of_box(20.0) > 20.0, "{} {}", of_box(2.0), of_box(20.0));
        assert_eq!((of_box(0.0), of_box(1e9)), (1.0, 50.0));
    }

    #[test]
    fn example_hands_are_below_and_in_front_of_the_head() {
        let bounds = measure(&sample_clip());
        assert_eq!(bounds.origin, DVec3::ZERO);
        assert_eq!(bounds.scale, 1.0);
        assert!(bounds.heading.z < -0.9, "{}", bounds.heading);
        let mean = |places: &[DVec3]| places.iter().sum::<DVec3>() / places.len() as f64;
        let (joints, head) = (mean(&bounds.joints), mean(&bounds.others));
        assert!(joints.y < head.y && joints.z < head.z, "{joints} {head}");
        assert!(bounds.floor < bounds.bounds()[0].y);
    }
}
