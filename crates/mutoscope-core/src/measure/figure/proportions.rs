//! How thick joints and bones are drawn: in proportion to the bones that meet there, so that a
//! finger on a body is a finger, and joints that are close together are no heap of balls.

use crate::clip::{Clip, NodeId, NodeKind, Pose};

/// The radius of a bone of a hand where it begins, in metres.
pub const BONE_RADIUS: f32 = 0.0058;

/// The radius of the largest joints of a hand, in metres: where several bones begin.
pub const LARGEST_JOINT: f32 = 0.009;

/// The radius of what leads to a locator of the size of a hand, in metres.
const THREAD_RADIUS: f32 = 0.0013;

/// The length of most bone of a hand, in metres: what the radii are made for.
const HAND_BONE: f64 = 0.045;

/// The greatest radius of a bone, over its own length.
const THICKEST: f32 = 0.26;

/// The greatest radius of a joint, over its distance from the nearest joint.
const ROOM: f32 = 0.44;

/// How many times bones are measured at, spread evenly over a clip.
const SAMPLES: usize = 9;

/// The length of the bone to each node, in metres; 0 where there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneLengths(Box<[f64]>);

impl BoneLengths {
    /// The median of each bone over the length of `clip`, while it is visible.
    pub fn of(clip: &Clip) -> Self {
        let mut found: Vec<Vec<f64>> = vec![Vec::new(); clip.nodes.len()];
        let mut pose = Pose::default();
        for index in 0..SAMPLES {
            let t = index as f64 / (SAMPLES - 1) as f64;
            clip.sample(clip.span.start + clip.span.duration * t, &mut pose);
            for (id, node) in clip.nodes.with_ids() {
                let Some(from) = node.bone_from else { continue };
                let [from, to] = [from, id].map(|id| pose.nodes[id.index()].world.translation);
                let length = from.distance(to);
                if pose.nodes[id.index()].shown && length.is_finite() && length > 0.0 {
                    found[id.index()].push(length);
                }
            }
        }
        let median = |mut lengths: Vec<f64>| {
            lengths.sort_by(f64::total_cmp);
            lengths.get(lengths.len() / 2).copied().unwrap_or_default()
        };
        Self(found.into_iter().map(median).collect())
    }

    /// How much larger than those of a hand the bones are: by the length such that half of all bone
    /// is in longer ones. Around 1 it is 1: hands differ. Nothing without bones.
    pub fn scale(&self) -> Option<f64> {
        let mut lengths: Vec<f64> = self.0.iter().copied().filter(|length| *length > 0.0).collect();
        lengths.sort_by(|a, b| b.total_cmp(a));
        let half = lengths.iter().sum::<f64>() / 2.0;
        let mut longer = 0.0;
        let typical = lengths.into_iter().find(|length| {
            longer += length;
            longer >= half
        })?;
        Some(rounded_to_a_hand(typical / HAND_BONE))
    }

    fn to(&self, node: NodeId) -> f32 {
        self.0.get(node.index()).copied().unwrap_or_default() as f32
    }
}

/// A scale within what can be drawn; about that of a hand is that of a hand.
fn rounded_to_a_hand(scale: f64) -> f64 {
    if (0.5..=2.0).contains(&scale) { 1.0 } else { scale.clamp(0.05, 50.0) }
}

/// The radii of the joints and bones of a clip, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proportions {
    joints: Box<[f32]>,
    bones: Box<[f32]>,
}

impl Proportions {
    /// The proportions of `clip`, whose bones are `scale` times as large as those of a hand.
    pub fn of(clip: &Clip, lengths: &BoneLengths, scale: f64) -> Self {
        let scale = scale as f32;
        let bones: Box<[f32]> = clip
            .nodes
            .with_ids()
            .map(|(id, node)| bone_radius(node.kind, lengths.to(id), scale))
            .collect();
        let thickest = spread(clip, thickest_bones(clip, &bones));
        let room = room(clip, lengths);
        let begin = begin_counts(clip);
        let joints = clip.nodes.with_ids().map(|(id, node)| {
            let wanted = joint_radius(node.kind, begin[id.index()]) * scale;
            let bone = thickest[id.index()];
            if bone == 0.0 || node.kind == NodeKind::Locator {
                return wanted;
            }
            // A little more than the bones that end there, whose flat ends it hides.
            let in_proportion = wanted * bone / (BONE_RADIUS * scale);
            in_proportion.min(ROOM * room[id.index()]).max(1.04 * bone).min(wanted)
        });
        Self { joints: joints.collect(), bones }
    }

    /// The radius of a joint.
    pub fn joint(&self, node: NodeId) -> f32 {
        self.joints.get(node.index()).copied().unwrap_or_default()
    }

    /// The radius of the bone to a node, where it begins.
    pub fn bone(&self, node: NodeId) -> f32 {
        self.bones.get(node.index()).copied().unwrap_or_default()
    }
}

fn bone_radius(kind: NodeKind, length: f32, scale: f32) -> f32 {
    match kind {
        NodeKind::Locator => THREAD_RADIUS * scale,
        _ => (BONE_RADIUS * scale).min(THICKEST * length),
    }
}

/// The radius of a joint of a hand where this many bones begin, in metres.
fn joint_radius(kind: NodeKind, bones_from_here: usize) -> f32 {
    match (kind, bones_from_here) {
        (NodeKind::Tip, _) => 0.0055,
        (NodeKind::Locator, _) => 0.0095,
        (_, 2..) => LARGEST_JOINT,
        (_, 0) => 0.0065,
        (_, 1) => 0.0068,
    }
}

/// How many bones begin at each node.
fn begin_counts(clip: &Clip) -> Vec<usize> {
    let mut counts = vec![0; clip.nodes.len()];
    for from in clip.nodes.iter().filter_map(|node| node.bone_from) {
        counts[from.index()] += 1;
    }
    counts
}

/// The radius of the thickest bone that begins or ends at each node; threads are no bones.
fn thickest_bones(clip: &Clip, bones: &[f32]) -> Vec<f32> {
    /// Bones are slimmer where they end.
    const END: f32 = 0.72;
    let mut thickest = vec![0.0_f32; clip.nodes.len()];
    for (id, node) in clip.nodes.with_ids().filter(|(_, node)| node.kind != NodeKind::Locator) {
        let Some(from) = node.bone_from else { continue };
        let radius = bones[id.index()];
        // The last joint of a chain is as thick as its bone; others have the next bone as well.
        thickest[id.index()] = thickest[id.index()].max(END * radius);
        thickest[from.index()] = thickest[from.index()].max(radius);
    }
    let begin = begin_counts(clip);
    for (id, _) in clip.nodes.with_ids().filter(|(id, _)| begin[id.index()] == 0) {
        thickest[id.index()] = thickest[id.index()].max(bones[id.index()]);
    }
    thickest
}

/// The same where nodes at the same place as the one that their bone is from are as thick as that,
/// and the other way round.
fn spread(clip: &Clip, mut thickest: Vec<f32>) -> Vec<f32> {
    let linked =
        |(id, node): (NodeId, &crate::clip::Node)| Some((node.bone_from?.index(), id.index()));
    let pairs: Vec<(usize, usize)> = clip.nodes.with_ids().filter_map(linked).collect();
    for &(from, to) in pairs.iter().rev() {
        if thickest[from] == 0.0 {
            thickest[from] = thickest[to];
        }
    }
    for &(from, to) in &pairs {
        if thickest[to] == 0.0 {
            thickest[to] = thickest[from];
        }
    }
    thickest
}

/// The length of the shortest bone at each node, apart from bones without length.
fn room(clip: &Clip, lengths: &BoneLengths) -> Vec<f32> {
    let mut room = vec![f32::INFINITY; clip.nodes.len()];
    for (id, node) in clip.nodes.with_ids().filter(|(_, node)| node.kind != NodeKind::Locator) {
        let Some(from) = node.bone_from.filter(|_| lengths.to(id) > 0.0) else { continue };
        for end in [id, from] {
            room[end.index()] = room[end.index()].min(lengths.to(id));
        }
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, DecodeRequest};

    fn clip(bytes: &[u8], name: &str) -> Clip {
        formats::decode(bytes, &DecodeRequest::default().named(name)).unwrap()
    }

    fn proportions(clip: &Clip) -> (f64, BoneLengths, Proportions) {
        let lengths = BoneLengths::of(clip);
        let scale = lengths.scale().unwrap();
        let proportions = Proportions::of(clip, &lengths, scale);
        (scale, lengths, proportions)
    }

    /// A body in BVH: two long bones, a chain of fingers at their end, and joints in one place.
    fn body() -> Clip {
        let mut text = String::from(
            "HIERARCHY\nROOT hips\n{ OFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n",
        );
        let offsets = ["0 40 0", "0 45 0", "0 0 0", "0 0 0", "0 4 0", "0 3 0", "0 0.2 0", "0 2 0"];
        for (index, offset) in offsets.iter().enumerate() {
            text += &format!(
                "JOINT j{index}\n{{ OFFSET {offset}\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            );
        }
        text += &"}\n".repeat(offsets.len() + 1);
        let zeros = "0 ".repeat(3 * (offsets.len() + 1));
        text += &format!("MOTION\nFrames: 2\nFrame Time: 0.1\n{zeros}\n{zeros}\n");
        clip(text.as_bytes(), "body.bvh")
    }

    #[test]
    fn a_hand_is_of_scale_one_and_as_thick_as_ever() {
        let hands = clip(include_bytes!("../../../../../assets/mrtk/two-hands.bin"), "x.bin");
        let (scale, _, proportions) = proportions(&hands);
        assert_eq!(scale, 1.0);
        for (id, node) in hands.nodes.with_ids().filter(|(_, node)| node.bone_from.is_some()) {
            let bone = proportions.bone(id);
            assert!((0.0035..=BONE_RADIUS).contains(&bone), "{}: {bone}", node.name);
            let joint = proportions.joint(id);
            assert!((0.004..=LARGEST_JOINT).contains(&joint), "{}: {joint}", node.name);
        }
    }

    #[test]
    fn fingers_on_a_body_are_as_thin_as_fingers() {
        let body = body();
        let (scale, lengths, proportions) = proportions(&body);
        assert!(scale > 5.0, "by the limbs, not by the fingers: {scale}");
        for (id, node) in body.nodes.with_ids().filter(|(id, _)| lengths.to(*id) > 0.0) {
            let thick = proportions.bone(id) / lengths.to(id);
            assert!(thick <= THICKEST + 1e-6, "{}: {thick}", node.name);
        }
        let [thigh, finger] = [2, 6].map(|index| proportions.joint(NodeId::new(index)));
        assert!(finger < 0.3 * thigh, "{finger} {thigh}");
    }

    #[test]
    fn joints_beside_each_other_do_not_overlap_more_than_their_bones() {
        let body = body();
        let (_, lengths, proportions) = proportions(&body);
        for (id, node) in body.nodes.with_ids() {
            let (Some(from), length) = (node.bone_from, lengths.to(id)) else { continue };
            let [from, to] = [from, id].map(|id| proportions.joint(id));
            let thickest = 2.0 * 1.04 * proportions.bones.iter().copied().fold(0.0, f32::max);
            assert!(length == 0.0 || from + to <= length.max(thickest), "{}", node.name);
        }
    }

    #[test]
    fn joints_in_one_place_are_as_thick_as_each_other() {
        let body = body();
        let (_, _, proportions) = proportions(&body);
        let radii = [2, 3, 4].map(|index| proportions.joint(NodeId::new(index)));
        assert!(radii.iter().all(|radius| *radius > 0.0 && *radius <= radii[0]), "{radii:?}");
    }

    #[test]
    fn every_joint_hides_the_flat_ends_of_its_bones() {
        for clip in [
            body(),
            clip(include_bytes!("../../../../../assets/maya/walk-with-hat.anim"), "x.anim"),
            clip(include_bytes!("../../../../../assets/bvh/walk.bvh"), "x.bvh"),
        ] {
            let (_, lengths, proportions) = proportions(&clip);
            for (id, node) in clip.nodes.with_ids().filter(|(id, _)| lengths.to(*id) > 0.0) {
                let Some(from) = node.bone_from.filter(|_| node.kind != NodeKind::Locator) else {
                    continue;
                };
                assert!(proportions.joint(from) > proportions.bone(id), "{}", node.name);
                assert!(proportions.joint(id) > 0.72 * proportions.bone(id), "{}", node.name);
            }
        }
    }

    #[test]
    fn scales_are_by_most_bone_and_within_limits() {
        let scale = |lengths: &[f64]| BoneLengths(lengths.into()).scale();
        assert_eq!(scale(&[0.0, 0.0]), None);
        assert_eq!(scale(&[0.02, 0.03, 0.09, 0.0]), Some(1.0));
        let fingers_and_limbs: Vec<f64> = [[0.03; 40].as_slice(), &[0.4; 6]].concat();
        assert_eq!(scale(&fingers_and_limbs).map(f64::round), Some(9.0));
        assert_eq!([scale(&[1e-9]), scale(&[1e9])], [Some(0.05), Some(50.0)]);
    }
}
