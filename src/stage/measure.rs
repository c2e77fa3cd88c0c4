//! Measuring the bounds and sizes of a clip.

use std::{collections::HashMap, ops::RangeInclusive};

use bevy::math::DVec3;

use super::{
    appearance, head,
    motion_bounds::{MotionBounds, corners},
    root_path::RootPath,
};
use mutoscope_core::{
    clip::{Clip, GroupId, Node, NodeId, NodeKind, NodePose, Pose, Reach, Shown},
    measure::figure::{BoneLengths, MovingParts, PartPlaces, Parts, Proportions, Sides, near_most},
};

/// How many times a clip is sampled at, spread evenly over it.
const SAMPLES: usize = 64;

/// The bone length of a hand, in metres: what the sizes of joints without bones are made for.
const HAND_BONE: f64 = 0.035;

/// How far along a ray is framed where there is nothing else, in metres.
const RAY_FRAMED: f64 = 1.0;

/// Measures all of `clip`.
pub(super) fn measure(clip: &Clip) -> MotionBounds {
    let mut measuring = Measuring::new(clip);
    measuring.visit_all(clip.span.start..=clip.span.end());
    measuring.finish()
}

/// The places between two times of `clip` of the parts that move over its whole length: joints, and
/// everything else. In the viewer's space, without subtracting the origin of `bounds`. For a single time,
/// heads are skipped where there are joints: they would take most of the image.
pub(super) fn places_between(
    clip: &Clip,
    bounds: &MotionBounds,
    times: RangeInclusive<f64>,
) -> [Vec<DVec3>; 2] {
    let is_moment = times.start() == times.end();
    let mut measuring = Measuring::new(clip);
    measuring.visit_all(times);
    let near = near_most(&bounds.recorded());
    let places = measuring.visits.iter().flat_map(|visit| &visit.places);
    let counted = |place: &&Place| {
        measuring.counts(&bounds.moving, place) && place.at.is_finite() && near(&place.at)
    };
    let (joints, mut others): (Vec<Place>, Vec<Place>) =
        places.filter(counted).partition(|place| place.kind == PlaceKind::Joint);
    if is_moment && !joints.is_empty() {
        others.retain(|place| place.kind != PlaceKind::HeadOutline);
    }
    let [joints, mut others]: [Vec<DVec3>; 2] =
        [joints, others].map(|places| places.into_iter().map(|place| place.at).collect());
    if joints.is_empty() && others.is_empty() {
        others.extend(measuring.visits.iter().flat_map(|visit| &visit.rays));
    }
    [joints, others]
}

/// A visible place, and the part that it is of.
#[derive(Clone, Copy, Debug)]
struct Place {
    part: usize,
    at: DVec3,
    /// Where it is for the question whether it counts: an outline does where its eyes do, however little they move.
    of: DVec3,
    kind: PlaceKind,
}

impl Place {
    /// The place of a joint.
    fn joint(part: usize, at: DVec3) -> Self {
        Self { part, at, of: at, kind: PlaceKind::Joint }
    }
}

/// The kind of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceKind {
    Joint,
    /// A point around a head.
    HeadOutline,
    /// A corner of what follows a node.
    Corner,
}

/// The visible places at one time.
struct Visit {
    places: Vec<Place>,
    /// The parts that heads are, and where their eyes are: one that only looks round stays there.
    eyes: Vec<(usize, DVec3)>,
    /// Where rays begin, and a way along them.
    rays: Vec<DVec3>,
    /// Where the root is, if it is shown.
    root: Option<DVec3>,
}

/// The measurements of a clip so far.
struct Measuring<'a> {
    clip: &'a Clip,
    parts: Parts,
    reaches: Vec<Reach>,
    visits: Vec<Visit>,
    parked: Parked,
    /// The sides of the body, where no head says where it looks.
    sides: Sides,
    heading: DVec3,
    root_from: Option<DVec3>,
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

impl<'a> Measuring<'a> {
    fn new(clip: &'a Clip) -> Self {
        let has_head = clip.nodes.iter().any(|node| node.kind == NodeKind::Head);
        Self {
            clip,
            parts: Parts::of(clip),
            reaches: appearance::of(clip).flat_map(|one| (one.reaches)(clip)).collect(),
            visits: Vec::new(),
            parked: Parked::default(),
            sides: if has_head { Sides::default() } else { Sides::of(clip) },
            heading: DVec3::ZERO,
            root_from: None,
        }
    }

    fn visit_all(&mut self, times: RangeInclusive<f64>) {
        let (start, end) = times.into_inner();
        let count = if start == end { 1 } else { SAMPLES };
        let mut pose = Pose::default();
        for index in 0..count {
            let part = index as f64 / (SAMPLES - 1) as f64;
            self.clip.sample_motion(start + (end - start) * part, &mut pose);
            self.visit(&pose);
        }
    }

    fn visit(&mut self, pose: &Pose) {
        let root = self.clip.root_motion_node().map(|id| &pose.nodes[id.index()]);
        self.root_from.get_or_insert(root.map_or(DVec3::ZERO, |node| node.world.translation));
        self.parked.look_at(self.clip, pose);
        self.heading += self.sides.facing(pose);
        let root = root.filter(|node| node.shown).map(|node| node.world.translation);
        let mut visit = Visit { places: Vec::new(), eyes: Vec::new(), rays: Vec::new(), root };
        for (id, node) in self.clip.nodes.with_ids() {
            let here = &pose.nodes[id.index()];
            let is_seen = here.shown && node.motion.shown != Shown::Never;
            if is_seen && !self.parked.has(node) {
                self.note(&mut visit, id, node.kind, here);
            }
        }
        for reach in &self.reaches {
            let here = &pose.nodes[reach.node];
            let part = self.parts.part(NodeId::new(reach.node));
            let place = |corner: bevy::math::Vec3| {
                let at = here.world.transform_point(corner.as_dvec3());
                Place { part, at, of: at, kind: PlaceKind::Corner }
            };
            visit.places.extend(reach.corners().map(place).into_iter().filter(|_| here.shown));
        }
        self.visits.push(visit);
    }

    fn note(&mut self, visit: &mut Visit, id: NodeId, kind: NodeKind, here: &NodePose) {
        let (part, at) = (self.parts.part(id), here.world.translation);
        match kind {
            NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => {
                visit.places.push(Place::joint(part, at));
            }
            NodeKind::Ray => {
                visit.rays.extend([at, at + here.world.rotation * DVec3::NEG_Z * RAY_FRAMED]);
            }
            NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
            NodeKind::Head => {
                let outline = head::OUTLINE.map(|point| at + here.world.rotation * point);
                let kind = PlaceKind::HeadOutline;
                visit.places.extend(outline.map(|point| Place { part, at: point, of: at, kind }));
                visit.eyes.push((part, at));
                let look = here.world.rotation * DVec3::NEG_Z;
                self.heading += DVec3::new(look.x, 0.0, look.z).normalize_or_zero();
            }
        }
    }

    fn moving(&self) -> MovingParts {
        let mut parts = PartPlaces::default();
        for visit in &self.visits {
            let others = visit.places.iter().filter(|place| place.kind != PlaceKind::HeadOutline);
            let others = others.map(|place| (place.part, place.at));
            parts.push(others.chain(visit.eyes.iter().copied()));
        }
        parts.moving()
    }

    fn counts(&self, moving: &MovingParts, place: &Place) -> bool {
        moving.counts(place.part, place.of)
    }

    fn finish(self) -> MotionBounds {
        let (clip, moving) = (self.clip, self.moving());
        let mut bounds = MotionBounds {
            heading: self.heading,
            root_from: self.root_from.unwrap_or_default(),
            ..MotionBounds::default()
        };
        let mut path = RootPath::default();
        for visit in &self.visits {
            let counted = visit.places.iter().filter(|place| self.counts(&moving, place));
            for place in counted.clone() {
                match place.kind {
                    PlaceKind::Joint => bounds.joints.push(place.at),
                    _ => bounds.others.push(place.at),
                }
            }
            if let Some(root) = visit.root {
                path.visit(root, counted.map(|place| place.at).collect());
            }
        }
        // Of all of them: joints that hardly move are far from a head beside them, measured by their own motion.
        let near = near_most(&[&bounds.joints[..], &bounds.others].concat());
        bounds.joints.retain(&near);
        bounds.others.retain(&near);
        if bounds.joints.is_empty() && bounds.others.is_empty() {
            bounds.others.extend(self.visits.iter().flat_map(|visit| &visit.rays));
        }
        bounds.moving = moving;
        let path = path.kept_to(&near);
        bounds.goes_far = path.is_far();
        bounds.around = path.around();
        for one in appearance::of(clip) {
            let near = grown(bounds.bounds(), one.surroundings_within);
            bounds.others.extend((one.surroundings)(clip).into_iter().filter(near));
        }
        let lengths = BoneLengths::of(clip);
        let scale = appearance::of(clip).find_map(|one| one.scale);
        bounds.scale = match scale {
            Some(scale) => scale,
            None if clip.is_loose() => scale_of_loose(bounds.bounds()),
            None => lengths.scale().unwrap_or_else(|| scale_without_bones(&bounds.joints)),
        };
        bounds.proportions = Proportions::of(clip, &lengths, bounds.scale);
        bounds.rebase();
        bounds
    }
}

/// Whether a place is in a box, or not farther outside of it than `margin`, in metres.
fn grown([least, most]: [DVec3; 2], margin: f64) -> impl Fn(&DVec3) -> bool {
    move |place| place.cmpge(least - margin).all() && place.cmple(most + margin).all()
}

/// The scale of joints without bones between them: as if bones were a small part of where they go,
/// so that they can be seen.
fn scale_without_bones(joints: &[DVec3]) -> f64 {
    const PART: f64 = 0.05;
    let [least, most] = corners(joints.iter());
    let bone = PART * (most - least).length();
    let scale = if bone.is_normal() { bone / HAND_BONE } else { 1.0 };
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
    use mutoscope_core::{
        clip::Nodes,
        diagnostics::Notices,
        formats::{self, DecodeRequest},
    };

    #[test]
    fn nearness_includes_a_margin_around_the_box() {
        let near = grown([DVec3::ZERO, DVec3::ONE], 2.0);
        assert!(near(&DVec3::splat(0.5)) && near(&DVec3::new(2.9, -1.9, 0.0)));
        assert!(!near(&DVec3::new(3.1, 0.0, 0.0)) && !near(&DVec3::new(0.0, -2.1, 0.0)));
    }

    #[test]
    fn joints_without_bones_scale_with_their_space() {
        assert_eq!(scale_without_bones(&[]), 1.0);
        assert_eq!(scale_without_bones(&[DVec3::X]), 1.0, "what stays where it is");
        assert_eq!(scale_without_bones(&[DVec3::ZERO, DVec3::X * 7.0]).round(), 10.0);
    }

    #[test]
    fn gaze_alone_is_framed_with_a_way_along_it() {
        let mut clip = sample_clip();
        let mut nodes = clip.nodes.to_vec();
        for node in nodes.iter_mut().filter(|node| node.kind != NodeKind::Ray) {
            node.motion.shown = Shown::Never;
        }
        clip.nodes = Nodes::new(nodes, &mut Notices::new());
        let bounds = measure(&clip);
        let [least, most] = bounds.bounds();
        assert!((0.9..3.0).contains(&least.distance(most)), "{least} {most}");
    }

    /// MRTK has a hand that it does not see in one place, which is often the origin.
    #[test]
    fn parked_hands_do_not_count() {
        let clip = sample_clip();
        let mut pose = Pose::default();
        clip.sample(clip.span.start + 1.0, &mut pose);
        let joints = |pose: &Pose| {
            let mut measuring = Measuring::new(&clip);
            measuring.visit(pose);
            measuring.visits[0].places.iter().filter(|place| place.kind == PlaceKind::Joint).count()
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
    fn walkers_are_seen_from_where_they_face() {
        let walk = include_bytes!("../../assets/bvh/walk.bvh");
        let clip = formats::decode(walk, &DecodeRequest::default()).unwrap();
        let heading = measure(&clip).heading;
        assert!(heading.z > 0.9, "the walk leads along +Z: {heading}");
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
