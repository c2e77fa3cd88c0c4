//! Measures the bounds and sizes of a clip.

use std::{collections::HashMap, ops::RangeInclusive};

use bevy::math::DVec3;

use super::{
    appearance, head,
    motion_bounds::{MotionBounds, bounding_box},
    root_path::RootPath,
};
use mutoscope_core::clip::{
    Clip, GroupId, Node, NodeBounds, NodeId, NodeKind, NodePose, NodeVisibility, Pose,
};
use mutoscope_view::figure::{
    BodySides, BoneLengths, Mannequins, MovingParts, PartPositions, Parts, Proportions,
    inlier_filter,
};

const SAMPLE_COUNT: usize = 64;

/// The typical length of a bone of a hand, in metres. The sizes of joints are designed for bones of
/// this length.
const HAND_BONE_LENGTH: f64 = 0.035;

/// The length of a ray, in metres. The camera frames rays of this length if there is nothing else
/// to frame.
const FRAMED_RAY_LENGTH: f64 = 1.0;

pub(super) fn measure(clip: &Clip, figures: bool) -> MotionBounds {
    let mut measurer = MotionMeasurer::new(clip, figures);
    measurer.sample_range(clip.span.start..=clip.span.end());
    measurer.finish()
}

/// Returns the positions of joints and all other positions between two times of `clip`. Only parts
/// that move during the clip are included. The positions are in the viewer's space, and the origin
/// of `bounds` is not subtracted.
///
/// If both times are equal and there are joints, heads are left out, because they would fill most
/// of the image.
pub(super) fn positions_between(
    clip: &Clip,
    bounds: &MotionBounds,
    times: RangeInclusive<f64>,
) -> [Vec<DVec3>; 2] {
    let is_moment = times.start() == times.end();
    let mut measurer = MotionMeasurer::new(clip, bounds.figures);
    measurer.sample_range(times);
    let near = inlier_filter(&bounds.recorded_positions());
    let points = measurer.samples.iter().flat_map(|sample| &sample.points);
    let included = |point: &&MeasuredPoint| {
        measurer.is_moving(&bounds.moving, point)
            && point.position.is_finite()
            && near(&point.position)
    };
    let (joints, mut others): (Vec<MeasuredPoint>, Vec<MeasuredPoint>) =
        points.filter(included).partition(|point| point.kind == PointKind::Joint);
    if is_moment && !joints.is_empty() {
        others.retain(|point| point.kind != PointKind::HeadOutline);
    }
    let [joints, mut others]: [Vec<DVec3>; 2] =
        [joints, others].map(|points| points.into_iter().map(|point| point.position).collect());
    if joints.is_empty() && others.is_empty() {
        others.extend(measurer.samples.iter().flat_map(|sample| &sample.rays));
    }
    [joints, others]
}

#[derive(Clone, Copy, Debug)]
struct MeasuredPoint {
    part: usize,
    position: DVec3,
    /// The position that decides whether the point is included. For a point on the outline of a
    /// head, this is the position of the eyes. If a person only looks around, the outline moves but
    /// the eyes do not.
    anchor: DVec3,
    kind: PointKind,
}

impl MeasuredPoint {
    fn joint(part: usize, position: DVec3) -> Self {
        Self { part, position, anchor: position, kind: PointKind::Joint }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PointKind {
    Joint,
    /// A point on the outline of a head.
    HeadOutline,
    /// A corner of the box around an object that follows a node.
    Corner,
}

struct PoseSample {
    points: Vec<MeasuredPoint>,
    /// The index of each head among the parts, and the position of its eyes.
    eyes: Vec<(usize, DVec3)>,
    rays: Vec<DVec3>,
    /// The position of the root. `None` if the root is hidden.
    root: Option<DVec3>,
}

struct MotionMeasurer<'a> {
    clip: &'a Clip,
    figures: bool,
    parts: Parts,
    node_bounds: Vec<NodeBounds>,
    samples: Vec<PoseSample>,
    parked: ParkedHands,
    sides: BodySides,
    heading: DVec3,
    root_start: Option<DVec3>,
}

/// Finds hands whose joints are all at the same position. Recorders place them there while they
/// cannot see the hand.
#[derive(Default)]
struct ParkedHands {
    /// For each group: the position of its first joint, the number of joints, and `true` if all
    /// joints are at that position.
    groups: HashMap<GroupId, (DVec3, usize, bool)>,
}

impl ParkedHands {
    const MIN_JOINTS: usize = 5;

    fn update(&mut self, clip: &Clip, pose: &Pose) {
        self.groups.clear();
        for (id, node) in clip.nodes.with_ids() {
            let here = &pose[id];
            let (Some(group), true) = (node.group, here.is_visible && is_joint(node)) else {
                continue;
            };
            let position = here.world.translation;
            let entry = self.groups.entry(group).or_insert((position, 0, true));
            entry.1 += 1;
            entry.2 &= position.distance(entry.0) < 1e-4;
        }
    }

    fn contains(&self, node: &Node) -> bool {
        let group = node.group.filter(|_| is_joint(node));
        let group = group.and_then(|group| self.groups.get(&group));
        group.is_some_and(|&(_, count, together)| together && count >= Self::MIN_JOINTS)
    }
}

fn is_joint(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Joint | NodeKind::Tip)
}

impl<'a> MotionMeasurer<'a> {
    fn new(clip: &'a Clip, figures: bool) -> Self {
        let has_head = clip.nodes.iter().any(|node| node.kind == NodeKind::Head);
        Self {
            clip,
            figures,
            parts: Parts::from_clip(clip),
            node_bounds: appearance::appearances_of(clip, figures)
                .flat_map(|appearance| (appearance.node_bounds)(clip))
                .collect(),
            samples: Vec::new(),
            parked: ParkedHands::default(),
            sides: if has_head { BodySides::default() } else { BodySides::from_clip(clip) },
            heading: DVec3::ZERO,
            root_start: None,
        }
    }

    fn sample_range(&mut self, times: RangeInclusive<f64>) {
        let (start, end) = times.into_inner();
        let count = if start == end { 1 } else { SAMPLE_COUNT };
        let mut pose = Pose::default();
        for index in 0..count {
            let part = index as f64 / (SAMPLE_COUNT - 1) as f64;
            self.clip.sample_motion(start + (end - start) * part, &mut pose);
            self.add_sample(&pose);
        }
    }

    fn add_sample(&mut self, pose: &Pose) {
        let root = self.clip.root_motion_node().map(|id| &pose[id]);
        self.root_start.get_or_insert(root.map_or(DVec3::ZERO, |node| node.world.translation));
        self.parked.update(self.clip, pose);
        self.heading += self.sides.facing(pose);
        let root = root.filter(|node| node.is_visible).map(|node| node.world.translation);
        let mut sample =
            PoseSample { points: Vec::new(), eyes: Vec::new(), rays: Vec::new(), root };
        for (id, node) in self.clip.nodes.with_ids() {
            let here = &pose[id];
            let is_seen = here.is_visible && node.motion.visibility != NodeVisibility::Never;
            if is_seen && !self.parked.contains(node) {
                self.add_node(&mut sample, id, node.kind, here);
            }
        }
        for bounds in &self.node_bounds {
            let here = &pose.nodes[bounds.node];
            let part = self.parts.part(NodeId::new(bounds.node));
            let point = |corner: bevy::math::Vec3| {
                let at = here.world.transform_point(corner.as_dvec3());
                MeasuredPoint { part, position: at, anchor: at, kind: PointKind::Corner }
            };
            sample
                .points
                .extend(bounds.corners().map(point).into_iter().filter(|_| here.is_visible));
        }
        self.samples.push(sample);
    }

    fn add_node(&mut self, sample: &mut PoseSample, id: NodeId, kind: NodeKind, here: &NodePose) {
        let (part, at) = (self.parts.part(id), here.world.translation);
        match kind {
            NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => {
                sample.points.push(MeasuredPoint::joint(part, at));
            }
            NodeKind::Ray => {
                sample
                    .rays
                    .extend([at, at + here.world.rotation * DVec3::NEG_Z * FRAMED_RAY_LENGTH]);
            }
            NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
            NodeKind::Head => {
                let outline = head::OUTLINE_POINTS.map(|point| at + here.world.rotation * point);
                let kind = PointKind::HeadOutline;
                sample.points.extend(outline.map(|point| MeasuredPoint {
                    part,
                    position: point,
                    anchor: at,
                    kind,
                }));
                sample.eyes.push((part, at));
                let look = here.world.rotation * DVec3::NEG_Z;
                self.heading += DVec3::new(look.x, 0.0, look.z).normalize_or_zero();
            }
        }
    }

    fn find_moving_parts(&self) -> MovingParts {
        let mut parts = PartPositions::default();
        for sample in &self.samples {
            let others = sample.points.iter().filter(|point| point.kind != PointKind::HeadOutline);
            let others = others.map(|point| (point.part, point.position));
            parts.push(others.chain(sample.eyes.iter().copied()));
        }
        parts.find_moving_parts()
    }

    fn is_moving(&self, moving: &MovingParts, point: &MeasuredPoint) -> bool {
        moving.includes(point.part, point.anchor)
    }

    fn finish(self) -> MotionBounds {
        let (clip, moving) = (self.clip, self.find_moving_parts());
        let mut bounds = MotionBounds {
            heading: self.heading,
            root_start: self.root_start.unwrap_or_default(),
            ..MotionBounds::default()
        };
        let mut path = RootPath::default();
        for sample in &self.samples {
            let included = sample.points.iter().filter(|point| self.is_moving(&moving, point));
            for point in included.clone() {
                match point.kind {
                    PointKind::Joint => bounds.joints.push(point.position),
                    _ => bounds.others.push(point.position),
                }
            }
            if let Some(root) = sample.root {
                path.add_sample(root, included.map(|point| point.position).collect());
            }
        }
        // Compute the filter from joints and other positions together. A filter from joints that
        // hardly move would remove the head, because the head is far away compared with their
        // motion.
        let near = inlier_filter(&[&bounds.joints[..], &bounds.others].concat());
        bounds.joints.retain(&near);
        bounds.others.retain(&near);
        if bounds.joints.is_empty() && bounds.others.is_empty() {
            bounds.others.extend(self.samples.iter().flat_map(|sample| &sample.rays));
        }
        bounds.moving = moving;
        bounds.figures = self.figures;
        let path = path.filter_near(&near);
        bounds.has_long_path = path.is_long();
        bounds.around_root = path.relative_positions();
        for appearance in appearance::appearances_of(clip, self.figures) {
            let near = is_near_box(bounds.bounds(), appearance.max_surroundings_distance);
            bounds.others.extend((appearance.surroundings)(clip).into_iter().filter(near));
        }
        let lengths = BoneLengths::from_clip(clip);
        let scale =
            appearance::appearances_of(clip, self.figures).find_map(|appearance| appearance.scale);
        bounds.scale = match scale {
            Some(scale) => scale,
            None if clip.has_only_loose_nodes() => scale_of_loose_nodes(bounds.bounds()),
            None => lengths.scale().unwrap_or_else(|| scale_without_bones(&bounds.joints)),
        };
        bounds.proportions = Proportions::new(clip, &lengths, bounds.scale);
        bounds.mannequins = Mannequins::from_clip(clip, 1.0);
        bounds.rebase();
        bounds
    }
}

fn is_near_box([min, max]: [DVec3; 2], margin: f64) -> impl Fn(&DVec3) -> bool {
    move |point| point.cmpge(min - margin).all() && point.cmple(max + margin).all()
}

fn scale_without_bones(joints: &[DVec3]) -> f64 {
    const BONE_SHARE: f64 = 0.05;
    let [min, max] = bounding_box(joints.iter());
    let bone = BONE_SHARE * (max - min).length();
    let scale = if bone.is_normal() { bone / HAND_BONE_LENGTH } else { 1.0 };
    if (0.5..2.0).contains(&scale) { 1.0 } else { scale.clamp(0.05, 50.0) }
}

fn scale_of_loose_nodes([min, max]: [DVec3; 2]) -> f64 {
    const BONE_SHARE: f64 = 0.04;
    let size = min.distance(max) * BONE_SHARE / HAND_BONE_LENGTH;
    if size > 0.0 && size.is_finite() { size.clamp(0.05, 50.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::sample_clip;
    use mutoscope_core::{
        clip::Nodes,
        diagnostics::Diagnostics,
        formats::{ReadOptions, decode},
    };

    #[test]
    fn near_box_includes_the_margin() {
        let near = is_near_box([DVec3::ZERO, DVec3::ONE], 2.0);
        assert!(near(&DVec3::splat(0.5)) && near(&DVec3::new(2.9, -1.9, 0.0)));
        assert!(!near(&DVec3::new(3.1, 0.0, 0.0)) && !near(&DVec3::new(0.0, -2.1, 0.0)));
    }

    #[test]
    fn joints_without_bones_scale_with_their_space() {
        assert_eq!(scale_without_bones(&[]), 1.0);
        assert_eq!(
            scale_without_bones(&[DVec3::X]),
            1.0,
            "a node that does not move has the default scale"
        );
        assert_eq!(scale_without_bones(&[DVec3::ZERO, DVec3::X * 7.0]).round(), 10.0);
    }

    #[test]
    fn gaze_alone_is_framed_with_part_of_its_ray() {
        let mut clip = sample_clip();
        let mut nodes = clip.nodes.to_vec();
        for node in nodes.iter_mut().filter(|node| node.kind != NodeKind::Ray) {
            node.motion.visibility = NodeVisibility::Never;
        }
        clip.nodes = Nodes::new(nodes, &mut Diagnostics::new());
        let bounds = measure(&clip, true);
        let [min, max] = bounds.bounds();
        assert!((0.9..3.0).contains(&min.distance(max)), "{min} {max}");
    }

    /// MRTK records all joints of an untracked hand at one position, often the origin.
    #[test]
    fn parked_hands_are_not_measured() {
        let clip = sample_clip();
        let mut pose = Pose::default();
        clip.sample(clip.span.start + 1.0, &mut pose);
        let joints = |pose: &Pose| {
            let mut measurer = MotionMeasurer::new(&clip, true);
            measurer.add_sample(pose);
            measurer.samples[0].points.iter().filter(|point| point.kind == PointKind::Joint).count()
        };
        let all = joints(&pose);
        let left = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
        let left = clip.nodes[NodeId::new(left)].group;
        let left_joints: Vec<_> = clip
            .nodes
            .with_ids()
            .filter(|(_, node)| node.group == left && is_joint(node))
            .collect();
        for (id, _) in &left_joints {
            pose[*id].world.translation = DVec3::ZERO;
        }
        assert_eq!(joints(&pose), all - left_joints.len());
        assert!(left_joints.len() > 20);
    }

    #[test]
    fn boneless_nodes_scale_with_their_space() {
        let scale_for_extent = |side: f64| scale_of_loose_nodes([DVec3::ZERO, DVec3::X * side]);
        assert!(
            scale_for_extent(2.0) > 2.0 && scale_for_extent(20.0) > 20.0,
            "{} {}",
            scale_for_extent(2.0),
            scale_for_extent(20.0)
        );
        assert_eq!((scale_for_extent(0.0), scale_for_extent(1e9)), (1.0, 50.0));
    }

    #[test]
    fn heading_of_a_walk_is_its_direction() {
        let walk = include_bytes!("../../../../assets/bvh/walk.bvh");
        let clip = decode(walk, &ReadOptions::default()).unwrap();
        let heading = measure(&clip, true).heading;
        assert!(heading.z > 0.9, "the walk leads along +Z: {heading}");
    }

    #[test]
    fn example_hands_are_below_and_in_front_of_the_head() {
        let bounds = measure(&sample_clip(), true);
        assert_eq!(bounds.origin, DVec3::ZERO);
        assert_eq!(bounds.scale, 1.0);
        assert!(bounds.heading.z < -0.9, "{}", bounds.heading);
        let mean = |points: &[DVec3]| points.iter().sum::<DVec3>() / points.len() as f64;
        let (joints, head) = (mean(&bounds.joints), mean(&bounds.others));
        assert!(joints.y < head.y && joints.z < head.z, "{joints} {head}");
        assert!(bounds.floor < bounds.bounds()[0].y);
    }
}
