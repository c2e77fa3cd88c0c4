//! Derives the thickness of joints and bones from the lengths of the bones that meet there. Then a
//! finger of a body is as thin as a finger, and joints that are close together do not overlap.

use mutoscope_core::clip::{Clip, Node, NodeId, NodeKind, Pose};

/// The radius of a bone of a hand at its start, in metres.
pub const BONE_RADIUS: f32 = 0.0058;

/// The radius of the largest hand joints, in metres. Several bones begin at these joints.
pub const MAX_JOINT_RADIUS: f32 = 0.009;

/// The radius, in metres, of the line from a joint to a locator in a hand-sized figure.
const LOCATOR_LINE_RADIUS: f32 = 0.0013;

/// The typical bone length of a hand, in metres. The radii above are made for this length.
const HAND_BONE_LENGTH: f64 = 0.045;

const MAX_BONE_RATIO: f32 = 0.26;

const MAX_JOINT_RATIO: f32 = 0.44;

const SAMPLE_COUNT: usize = 9;

/// The length of the bone that ends at each node, in metres. 0 if no bone ends at that node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneLengths(Box<[f64]>);

impl BoneLengths {
    /// Returns the median length of each bone over the samples of `clip` at which the bone is
    /// visible.
    pub fn from_clip(clip: &Clip) -> Self {
        let mut lengths: Vec<Vec<f64>> = vec![Vec::new(); clip.nodes.len()];
        let mut pose = Pose::default();
        for index in 0..SAMPLE_COUNT {
            let t = index as f64 / (SAMPLE_COUNT - 1) as f64;
            clip.sample(clip.span.start + clip.span.duration * t, &mut pose);
            for (id, node) in clip.nodes.with_ids() {
                let Some(from) = node.bone_from else { continue };
                let [from, to] = [from, id].map(|id| pose[id].world.translation);
                let length = from.distance(to);
                if pose[id].is_visible && length.is_finite() && length > 0.0 {
                    lengths[id.index()].push(length);
                }
            }
        }
        let median = |mut lengths: Vec<f64>| {
            lengths.sort_by(f64::total_cmp);
            lengths.get(lengths.len() / 2).copied().unwrap_or_default()
        };
        Self(lengths.into_iter().map(median).collect())
    }

    /// Returns the bone size relative to the bones of a hand. Returns `None` if there are no bones.
    /// The typical bone length is chosen so that longer bones make up half of the total length.
    /// Sizes near 1 become exactly 1, because the sizes of hands vary.
    pub fn scale(&self) -> Option<f64> {
        let mut lengths: Vec<f64> = self.0.iter().copied().filter(|length| *length > 0.0).collect();
        lengths.sort_by(|a, b| b.total_cmp(a));
        let half = lengths.iter().sum::<f64>() / 2.0;
        let mut longer = 0.0;
        let typical = lengths.into_iter().find(|length| {
            longer += length;
            longer >= half
        })?;
        Some(snap_to_hand_scale(typical / HAND_BONE_LENGTH))
    }

    fn length_to(&self, node: NodeId) -> f32 {
        self.0.get(node.index()).copied().unwrap_or_default() as f32
    }
}

fn snap_to_hand_scale(scale: f64) -> f64 {
    if (0.5..=2.0).contains(&scale) { 1.0 } else { scale.clamp(0.05, 50.0) }
}

/// The radii of the joints and bones of a clip, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proportions {
    joints: Box<[f32]>,
    bones: Box<[f32]>,
}

impl Proportions {
    /// Computes the proportions of `clip`. `scale` is the size of its bones relative to the bones
    /// of a hand.
    pub fn new(clip: &Clip, lengths: &BoneLengths, scale: f64) -> Self {
        let scale = scale as f32;
        let bones: Box<[f32]> = clip
            .nodes
            .with_ids()
            .map(|(id, node)| bone_radius(node.kind, lengths.length_to(id), scale))
            .collect();
        let thickest = fill_missing_radii(clip, thickest_bones(clip, &bones));
        let shortest = shortest_bones(clip, lengths);
        let outgoing = count_outgoing_bones(clip);
        let joints = clip.nodes.with_ids().map(|(id, node)| {
            let full_radius = joint_radius(node.kind, outgoing[id.index()]) * scale;
            let bone = thickest[id.index()];
            if bone == 0.0 || node.kind == NodeKind::Locator {
                return full_radius;
            }
            // Make the joint slightly larger than the bones that end there, so that it hides their
            // flat ends.
            let in_proportion = full_radius * bone / (BONE_RADIUS * scale);
            in_proportion
                .min(MAX_JOINT_RATIO * shortest[id.index()])
                .max(1.04 * bone)
                .min(full_radius)
        });
        Self { joints: joints.collect(), bones }
    }

    /// Returns the radius of a joint, in metres.
    pub fn joint_radius(&self, node: NodeId) -> f32 {
        self.joints.get(node.index()).copied().unwrap_or_default()
    }

    /// Returns the radius at the start of the bone that ends at `node`, in metres.
    pub fn bone_radius(&self, node: NodeId) -> f32 {
        self.bones.get(node.index()).copied().unwrap_or_default()
    }
}

fn bone_radius(kind: NodeKind, length: f32, scale: f32) -> f32 {
    match kind {
        NodeKind::Locator => LOCATOR_LINE_RADIUS * scale,
        _ => (BONE_RADIUS * scale).min(MAX_BONE_RATIO * length),
    }
}

fn joint_radius(kind: NodeKind, outgoing: usize) -> f32 {
    match (kind, outgoing) {
        (NodeKind::Tip, _) => 0.0055,
        (NodeKind::Locator, _) => 0.0095,
        (_, 2..) => MAX_JOINT_RADIUS,
        (_, 0) => 0.0065,
        (_, 1) => 0.0068,
    }
}

fn count_outgoing_bones(clip: &Clip) -> Vec<usize> {
    let mut counts = vec![0; clip.nodes.len()];
    for from in clip.nodes.iter().filter_map(|node| node.bone_from) {
        counts[from.index()] += 1;
    }
    counts
}

fn thickest_bones(clip: &Clip, bones: &[f32]) -> Vec<f32> {
    const END_RATIO: f32 = 0.72;
    let mut thickest = vec![0.0_f32; clip.nodes.len()];
    for (id, node) in clip.nodes.with_ids().filter(|(_, node)| node.kind != NodeKind::Locator) {
        let Some(from) = node.bone_from else { continue };
        let radius = bones[id.index()];
        // The radius of a bone is reduced at its end. A joint at the end of a chain gets the full
        // radius below, because no other bone begins there.
        thickest[id.index()] = thickest[id.index()].max(END_RATIO * radius);
        thickest[from.index()] = thickest[from.index()].max(radius);
    }
    let outgoing = count_outgoing_bones(clip);
    for (id, _) in clip.nodes.with_ids().filter(|(id, _)| outgoing[id.index()] == 0) {
        thickest[id.index()] = thickest[id.index()].max(bones[id.index()]);
    }
    thickest
}

/// Fills in missing radii of joints. A radius is missing if all bones at a joint have a length of
/// 0. The radius of the joint at the other end of a bone is used.
fn fill_missing_radii(clip: &Clip, mut thickest: Vec<f32>) -> Vec<f32> {
    let linked = |(id, node): (NodeId, &Node)| Some((node.bone_from?.index(), id.index()));
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

fn shortest_bones(clip: &Clip, lengths: &BoneLengths) -> Vec<f32> {
    let mut shortest = vec![f32::INFINITY; clip.nodes.len()];
    for (id, node) in clip.nodes.with_ids().filter(|(_, node)| node.kind != NodeKind::Locator) {
        let Some(from) = node.bone_from.filter(|_| lengths.length_to(id) > 0.0) else { continue };
        for end in [id, from] {
            shortest[end.index()] = shortest[end.index()].min(lengths.length_to(id));
        }
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    fn clip(bytes: &[u8], name: &str) -> Clip {
        decode(SourceFile::new(name, bytes), &ReadOptions::default()).unwrap()
    }

    fn proportions(clip: &Clip) -> (f64, BoneLengths, Proportions) {
        let lengths = BoneLengths::from_clip(clip);
        let scale = lengths.scale().unwrap();
        let proportions = Proportions::new(clip, &lengths, scale);
        (scale, lengths, proportions)
    }

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
    fn hands_have_scale_one() {
        let hands = clip(include_bytes!("../../../../assets/mrtk/two-hands.bin"), "x.bin");
        let (scale, _, proportions) = proportions(&hands);
        assert_eq!(scale, 1.0);
        for (id, node) in hands.nodes.with_ids().filter(|(_, node)| node.bone_from.is_some()) {
            let bone = proportions.bone_radius(id);
            assert!((0.0035..=BONE_RADIUS).contains(&bone), "{}: {bone}", node.name);
            let joint = proportions.joint_radius(id);
            assert!((0.004..=MAX_JOINT_RADIUS).contains(&joint), "{}: {joint}", node.name);
        }
    }

    #[test]
    fn fingers_of_a_body_are_thin() {
        let body = body();
        let (scale, lengths, proportions) = proportions(&body);
        assert!(scale > 5.0, "limbs set the scale, not fingers: {scale}");
        for (id, node) in body.nodes.with_ids().filter(|(id, _)| lengths.length_to(*id) > 0.0) {
            let thick = proportions.bone_radius(id) / lengths.length_to(id);
            assert!(thick <= MAX_BONE_RATIO + 1e-6, "{}: {thick}", node.name);
        }
        let [thigh, finger] = [2, 6].map(|index| proportions.joint_radius(NodeId::new(index)));
        assert!(finger < 0.3 * thigh, "{finger} {thigh}");
    }

    #[test]
    fn neighbouring_joints_overlap_no_more_than_their_bones() {
        let body = body();
        let (_, lengths, proportions) = proportions(&body);
        for (id, node) in body.nodes.with_ids() {
            let (Some(from), length) = (node.bone_from, lengths.length_to(id)) else { continue };
            let [from, to] = [from, id].map(|id| proportions.joint_radius(id));
            let thickest = 2.0 * 1.04 * proportions.bones.iter().copied().fold(0.0, f32::max);
            assert!(length == 0.0 || from + to <= length.max(thickest), "{}", node.name);
        }
    }

    #[test]
    fn joints_without_bone_length_get_a_radius() {
        let body = body();
        let (_, _, proportions) = proportions(&body);
        let radii = [2, 3, 4].map(|index| proportions.joint_radius(NodeId::new(index)));
        assert!(radii.iter().all(|radius| *radius > 0.0 && *radius <= radii[0]), "{radii:?}");
    }

    #[test]
    fn every_joint_hides_the_flat_ends_of_its_bones() {
        for clip in [
            body(),
            clip(include_bytes!("../../../../assets/maya/walk-with-hat.anim"), "x.anim"),
            clip(include_bytes!("../../../../assets/bvh/walk.bvh"), "x.bvh"),
        ] {
            let (_, lengths, proportions) = proportions(&clip);
            for (id, node) in clip.nodes.with_ids().filter(|(id, _)| lengths.length_to(*id) > 0.0) {
                let Some(from) = node.bone_from.filter(|_| node.kind != NodeKind::Locator) else {
                    continue;
                };
                assert!(
                    proportions.joint_radius(from) > proportions.bone_radius(id),
                    "{}",
                    node.name
                );
                assert!(
                    proportions.joint_radius(id) > 0.72 * proportions.bone_radius(id),
                    "{}",
                    node.name
                );
            }
        }
    }

    #[test]
    fn scale_follows_the_typical_length_within_limits() {
        let scale = |lengths: &[f64]| BoneLengths(lengths.into()).scale();
        assert_eq!(scale(&[0.0, 0.0]), None);
        assert_eq!(scale(&[0.02, 0.03, 0.09, 0.0]), Some(1.0));
        let fingers_and_limbs: Vec<f64> = [[0.03; 40].as_slice(), &[0.4; 6]].concat();
        assert_eq!(scale(&fingers_and_limbs).map(f64::round), Some(9.0));
        assert_eq!([scale(&[1e-9]), scale(&[1e9])], [Some(0.05), Some(50.0)]);
    }
}
