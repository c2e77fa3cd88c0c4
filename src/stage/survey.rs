//! What a clip does over its whole length: where it moves, and how large its bones are.

use bevy::math::DVec3;

use super::{
    head,
    journey::{Journey, near_most},
    minecraft,
};
use crate::clip::{Clip, Node, NodeId, NodeKind, NodePose, Pose, Reach, Shown};

/// How many times a clip is sampled at, spread evenly over it.
const SAMPLES: usize = 64;

/// The bone length of a hand, in metres: what the sizes of joints and bones are made for.
const HAND_BONE: f64 = 0.035;

/// Farther from the origin than this, in metres, `f32` no longer holds a fingertip.
const FAR: f64 = 500.0;

/// What a clip does over its whole length, in the viewer's space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Survey {
    /// What is subtracted from every place before it is rounded to `f32`.
    pub(super) origin: DVec3,
    /// Where joints were, less the origin.
    pub(super) joints: Vec<DVec3>,
    /// Where the outlines of heads and the origins of rays were, less the origin.
    pub(super) others: Vec<DVec3>,
    /// The mean direction in which heads looked, on the horizontal plane; zero without a head.
    pub(super) heading: DVec3,
    /// The height of the grid, less the origin's.
    pub(super) floor: f64,
    /// How much larger its bones are than those of a hand.
    pub(super) scale: f64,
    /// Where what carries it from place to place is at the start, in the viewer's space.
    pub(super) carried_from: DVec3,
    /// Where joints and others were, seen from where what carries them was at the time.
    pub(super) around: Vec<DVec3>,
    /// Whether it goes so far that little would be seen from where all of it is seen.
    pub(super) goes_far: bool,
}

impl Survey {
    /// Looks through all of `clip`.
    pub(super) fn new(clip: &Clip) -> Self {
        let mut survey = Self::default();
        let mut journey = Journey::default();
        let mut bones = Vec::new();
        let model = clip.skeleton.attached().map(|attached| &attached.model);
        let reaches = match (minecraft::scene(clip), model) {
            (Some(scene), _) => minecraft::reaches(scene),
            (None, Some(model)) => model.reaches(),
            (None, None) => Vec::new(),
        };
        let mut pose = Pose::default();
        for index in 0..SAMPLES {
            let part = index as f64 / (SAMPLES - 1) as f64;
            clip.sample(clip.span.start + clip.span.duration * part, &mut pose);
            let carrier = clip.carrier().map(|id| &pose.nodes[id.index()]);
            if index == 0 {
                survey.carried_from = carrier.map_or(DVec3::ZERO, |node| node.world.translation);
            }
            let seen = (survey.joints.len(), survey.others.len());
            for (id, node) in clip.nodes.with_ids() {
                survey.note(id, node, &pose.nodes, &mut bones);
            }
            reaches.iter().for_each(|reach| survey.note_reach(reach, &pose.nodes));
            if let Some(carrier) = carrier.filter(|node| node.shown) {
                let new = survey.joints[seen.0..].iter().chain(&survey.others[seen.1..]);
                journey.visit(carrier.world.translation, new.copied().collect());
            }
        }
        let near = near_most(&survey.joints);
        survey.joints.retain(&near);
        survey.others.retain(&near);
        let journey = journey.kept_to(&near);
        survey.goes_far = journey.is_far();
        survey.around = journey.around();
        survey.scale = match minecraft::scene(clip) {
            Some(scene) => {
                let near = grown(survey.bounds(), minecraft::NEAR);
                survey.others.extend(minecraft::outlines(scene).into_iter().filter(near));
                minecraft::SCALE
            }
            None if clip.is_loose() => scale_of_loose(survey.bounds()),
            None => scale(&mut bones, &survey.joints),
        };
        survey.rebase();
        survey
    }

    fn note(&mut self, id: NodeId, node: &Node, pose: &[NodePose], bones: &mut Vec<f64>) {
        let here = &pose[id.index()];
        if !here.shown || node.motion.shown == Shown::Never {
            return;
        }
        let place = here.world.translation;
        match node.kind {
            NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => self.joints.push(place),
            NodeKind::Ray => self.others.push(place),
            NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
            NodeKind::Head => {
                let outline = head::OUTLINE.map(|point| place + here.world.rotation * point);
                self.others.extend(outline);
                let look = here.world.rotation * DVec3::NEG_Z;
                self.heading += DVec3::new(look.x, 0.0, look.z).normalize_or_zero();
            }
        }
        if let Some(from) = node.bone_from {
            let length = pose[from.index()].world.translation.distance(place);
            if length.is_finite() && length > 0.0 {
                bones.push(length);
            }
        }
    }

    /// Notes the box around what of a model hangs on a node.
    fn note_reach(&mut self, reach: &Reach, pose: &[NodePose]) {
        let here = &pose[reach.node];
        if here.shown {
            let corners =
                reach.corners().map(|corner| here.world.transform_point(corner.as_dvec3()));
            self.others.extend(corners);
        }
    }

    /// Chooses the origin and the floor, and takes the origin off every place.
    fn rebase(&mut self) {
        let [least, most] = self.bounds();
        let middle = (least + most) / 2.0;
        if middle.length() > FAR {
            // In whole tens of metres, so that the lines of the grid stay where they were.
            self.origin = (middle / 10.0).round() * 10.0;
        }
        self.floor = floor_below(least.y) - self.origin.y;
        self.heading = self.heading.normalize_or_zero();
        for place in self.joints.iter_mut().chain(&mut self.others) {
            *place -= self.origin;
        }
    }

    /// Takes another origin off every place.
    pub(super) fn move_origin(&mut self, origin: DVec3) {
        let way = self.origin - origin;
        self.origin = origin;
        self.floor += way.y;
        self.joints.iter_mut().chain(&mut self.others).for_each(|place| *place += way);
    }

    /// How much room everything takes along a direction of length 1, in metres; what goes far takes
    /// as much as there is around what carries it.
    pub(super) fn extent(&self, along: DVec3) -> f64 {
        let places = match self.goes_far {
            true => [&self.around[..], &[]],
            false => [&self.joints[..], &self.others],
        };
        let all = places.into_iter().flatten().map(|place| place.dot(along));
        let [least, most] = [all.clone().reduce(f64::min), all.reduce(f64::max)];
        most.unwrap_or(0.0) - least.unwrap_or(0.0)
    }

    /// The corners of the box around everything; a point if there is nothing.
    pub(super) fn bounds(&self) -> [DVec3; 2] {
        corners(self.joints.iter().chain(&self.others))
    }
}

impl Default for Survey {
    fn default() -> Self {
        Self {
            origin: DVec3::ZERO,
            joints: Vec::new(),
            others: Vec::new(),
            heading: DVec3::ZERO,
            floor: 0.0,
            scale: 1.0,
            carried_from: DVec3::ZERO,
            around: Vec::new(),
            goes_far: false,
        }
    }
}

/// Whether a place is in a box, or not farther outside of it than `margin`, in metres.
fn grown([least, most]: [DVec3; 2], margin: f64) -> impl Fn(&DVec3) -> bool {
    move |place| place.cmpge(least - margin).all() && place.cmple(most + margin).all()
}

/// The corners of the box around `places`; a point if there are none.
pub(super) fn corners<'a>(places: impl Iterator<Item = &'a DVec3> + Clone) -> [DVec3; 2] {
    [
        places.clone().copied().reduce(DVec3::min).unwrap_or_default(),
        places.copied().reduce(DVec3::max).unwrap_or_default(),
    ]
}

/// The height of a floor under something whose lowest point is at `lowest`: zero if that is just
/// below it, else the next whole tenth of a metre that leaves some air.
fn floor_below(lowest: f64) -> f64 {
    const AIR: f64 = 0.05;
    if (-AIR..0.3).contains(&lowest) { 0.0 } else { ((lowest - AIR) * 10.0).floor() / 10.0 }
}

/// How much larger than a hand's the bones with these lengths are. Around 1 it is 1: hands differ.
/// Without bones, as if they were a small part of where `joints` go, so that they can be seen.
fn scale(bones: &mut [f64], joints: &[DVec3]) -> f64 {
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
    fn the_floor_is_just_below_what_moves() {
        let cases =
            [(0.0, 0.0), (0.2, 0.0), (-0.04, 0.0), (-0.52, -0.6), (1.0, 0.9), (-0.58, -0.7)];
        for (lowest, floor) in cases {
            assert!((floor_below(lowest) - floor).abs() < 1e-9, "{lowest}");
        }
    }

    #[test]
    fn near_is_in_a_box_and_around_it() {
        let near = grown([DVec3::ZERO, DVec3::ONE], 2.0);
        assert!(near(&DVec3::splat(0.5)) && near(&DVec3::new(2.9, -1.9, 0.0)));
        assert!(!near(&DVec3::new(3.1, 0.0, 0.0)) && !near(&DVec3::new(0.0, -2.1, 0.0)));
    }

    #[test]
    fn hands_are_of_size_one_and_bodies_larger() {
        assert_eq!(scale(&mut [0.02, 0.03, 0.09], &[]), 1.0);
        assert_eq!(scale(&mut [], &[]), 1.0);
        assert_eq!(scale(&mut [], &[DVec3::X]), 1.0, "what stays where it is");
        assert_eq!(scale(&mut [], &[DVec3::ZERO, DVec3::X * 7.0]).round(), 10.0);
        assert_eq!(scale(&mut [0.35; 3], &[]).round(), 10.0);
    }

    #[test]
    fn slots_without_bones_are_as_large_as_their_space_allows() {
        let of_box = |side: f64| scale_of_loose([DVec3::ZERO, DVec3::X * side]);
        assert!(of_box(2.0) > 2.0 && of_box(20.0) > 20.0, "{} {}", of_box(2.0), of_box(20.0));
        assert_eq!((of_box(0.0), of_box(1e9)), (1.0, 50.0));
    }

    #[test]
    fn a_clip_far_away_is_brought_near_in_whole_tens_of_metres() {
        let far = DVec3::new(100_003.0, 64.2, -7.0);
        let mut survey = Survey { joints: vec![far], ..Survey::default() };
        survey.rebase();
        assert_eq!(survey.origin, DVec3::new(100_000.0, 60.0, -10.0));
        assert_eq!(survey.joints, [far - survey.origin]);
        assert!((survey.floor - 4.1).abs() < 1e-9, "{}", survey.floor);
    }

    #[test]
    fn another_origin_leaves_everything_where_it_is() {
        let mut survey = Survey::new(&sample_clip());
        let (before, way) = (survey.clone(), DVec3::new(10.0, -20.0, 5.0));
        survey.move_origin(survey.origin + way);
        let place = |survey: &Survey| survey.joints[7] + survey.origin;
        assert!(place(&survey).abs_diff_eq(place(&before), 1e-9));
        assert!((survey.floor + survey.origin.y - before.floor - before.origin.y).abs() < 1e-9);
        assert!((survey.extent(DVec3::X) - before.extent(DVec3::X)).abs() < 1e-9);
        let [least, most] = survey.bounds();
        assert_eq!(survey.extent(DVec3::Y), most.y - least.y);
    }

    #[test]
    fn the_sample_has_hands_below_and_in_front_of_the_head() {
        let survey = Survey::new(&sample_clip());
        assert_eq!(survey.origin, DVec3::ZERO);
        assert_eq!(survey.scale, 1.0);
        assert!(survey.heading.z < -0.9, "{}", survey.heading);
        let mean = |places: &[DVec3]| places.iter().sum::<DVec3>() / places.len() as f64;
        let (joints, head) = (mean(&survey.joints), mean(&survey.others));
        assert!(joints.y < head.y && joints.z < head.z, "{joints} {head}");
        assert!(survey.floor < survey.bounds()[0].y);
    }
}
