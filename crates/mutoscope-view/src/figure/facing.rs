//! Finds the direction that a body faces from the joints of its two sides.

use std::collections::HashMap;

use glam::DVec3;

use mutoscope_core::clip::{Clip, NodeId, Pose, split_node_name};

const MIN_PAIRS: usize = 3;

/// Pairs of joints of a body whose names differ only in the side, such as `LeftFoot` and
/// `RightFoot`, or `L_hand` and `R_hand`.
#[derive(Clone, Debug, Default)]
pub struct BodySides {
    pairs: Vec<[NodeId; 2]>,
}

impl BodySides {
    /// Finds the pairs of joints in `clip`. The result is empty if there are too few pairs for a
    /// body.
    pub fn from_clip(clip: &Clip) -> Self {
        let mut sides: HashMap<Vec<String>, [Option<NodeId>; 2]> = HashMap::new();
        for (id, node) in clip.nodes.with_ids() {
            if let Some((rest, side)) = split_side(&node.name) {
                sides.entry(rest).or_default()[side].get_or_insert(id);
            }
        }
        let pairs = sides.into_values().filter_map(|[left, right]| Some([left?, right?]));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        if pairs.len() < MIN_PAIRS {
            pairs.clear();
        }
        Self { pairs }
    }

    /// Returns the direction that the body faces in `pose`, in the viewer's space. The direction is
    /// horizontal and of length 1, or zero if there are no pairs, or if their directions cancel
    /// out.
    pub fn facing(&self, pose: &Pose) -> DVec3 {
        let position = |node: NodeId| pose[node].world.translation;
        let across =
            |[left, right]: &[NodeId; 2]| (position(*right) - position(*left)).normalize_or_zero();
        let right: DVec3 = self.pairs.iter().map(across).filter(|side| side.is_finite()).sum();
        DVec3::Y.cross(right).normalize_or_zero()
    }
}

/// Splits a name into its words and its side: 0 for left, 1 for right. The words do not include the
/// side. Returns `None` if no word names a side.
fn split_side(name: &str) -> Option<(Vec<String>, usize)> {
    let mut words = split_node_name(name);
    let side = |word: &String| match word.as_str() {
        "left" | "l" => Some(0),
        "right" | "r" => Some(1),
        _ => None,
    };
    let (index, side) =
        words.iter().enumerate().find_map(|(index, word)| Some((index, side(word)?)))?;
    words.remove(index);
    Some((words, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    #[test]
    fn names_are_split_at_their_side() {
        let sided = |name| split_side(name).map(|(rest, side)| (rest.concat(), side));
        assert_eq!(sided("mixamorig:LeftUpLeg"), Some(("upleg".to_owned(), 0)));
        assert_eq!(sided("R_foreArm"), Some(("forearm".to_owned(), 1)));
        assert_eq!(sided("Bip01 L Finger0"), Some(("bip01finger0".to_owned(), 0)));
        assert_eq!(sided("thigh.L.001"), Some(("thigh001".to_owned(), 0)));
        assert_eq!(sided("Head"), None);
        assert_eq!(sided("Relax"), None);
    }

    #[test]
    fn walkers_face_their_direction_of_motion() {
        let walks: [(&[u8], &str); 3] = [
            (include_bytes!("../../../../assets/bvh/walk.bvh"), "walk.bvh"),
            (include_bytes!("../../../../assets/gltf/walker.glb"), "walker.glb"),
            (include_bytes!("../../../../assets/maya/walk-with-hat.anim"), "walk.anim"),
        ];
        for (bytes, name) in walks {
            let clip = decode(SourceFile::new(name, bytes), &ReadOptions::default()).unwrap();
            let sides = BodySides::from_clip(&clip);
            let root = clip.root_motion_node().unwrap().index();
            let mut pose = Pose::default();
            let mut faced = DVec3::ZERO;
            let positions = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| {
                clip.sample(clip.span.start + part * clip.span.duration, &mut pose);
                faced += sides.facing(&pose);
                pose.nodes[root].world.translation
            });
            let walked = (positions[4] - positions[0]).normalize();
            assert!(walked.dot(faced / 5.0) > 0.9, "{name}: {walked}, {faced}");
        }
    }

    #[test]
    fn clips_without_sides_have_no_facing() {
        let show = include_bytes!("../../../../assets/animj/lantern-show.animj");
        let clip = decode(show, &ReadOptions::default()).unwrap();
        let mut pose = Pose::default();
        clip.sample(1.0, &mut pose);
        assert_eq!(BodySides::from_clip(&clip).facing(&pose), DVec3::ZERO);
    }
}
