//! Finds the joints of a clip that enclose a palm.

use mutoscope_core::clip::{Clip, NodeId, NodeKind};

/// The fingers in the order in which they leave the palm, each with the words that its joints may
/// be named with. The thumb comes first.
const FINGERS: [&[&str]; 5] =
    [&["thumb"], &["index", "fore"], &["middle", "mid"], &["ring"], &["pinky", "little"]];

/// The joints that enclose the palm of a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palm {
    /// The wrist.
    pub wrist: NodeId,
    /// The fingers from the thumb to the little finger. Each gives an edge of the palm.
    pub fingers: Vec<PalmFinger>,
}

/// A finger, from the palm to its tip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PalmFinger {
    /// The joint near the wrist. If it is `None`, the palm begins between the wrist and the
    /// knuckle.
    pub base: Option<NodeId>,
    /// The joint at which the finger leaves the palm.
    pub knuckle: NodeId,
    /// The joints beyond the knuckle, up to and including the tip.
    pub joints: Vec<NodeId>,
    /// `true` for the thumb. Only the ball of the thumb is in the palm.
    pub is_thumb: bool,
}

impl Palm {
    /// Returns the joints of the hand: the wrist and all joints of the fingers.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let finger_joints = |finger: &PalmFinger| {
            finger.base.into_iter().chain([finger.knuckle]).chain(finger.joints.clone())
        };
        std::iter::once(self.wrist).chain(self.fingers.iter().flat_map(finger_joints))
    }
}

/// Finds the palms of `clip`. A wrist is a joint with at least three children that are named like
/// fingers, not counting the thumb.
pub fn find_palms(clip: &Clip) -> Vec<Palm> {
    let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); clip.nodes.len()];
    for (id, node) in clip.nodes.with_ids() {
        let is_joint = matches!(node.kind, NodeKind::Joint | NodeKind::Tip);
        if let Some(from) = node.bone_from.filter(|_| is_joint) {
            children[from.index()].push(id);
        }
    }
    let palm = |(wrist, _)| palm_at_wrist(clip, &children, wrist);
    clip.nodes.with_ids().filter_map(palm).collect()
}

fn palm_at_wrist(clip: &Clip, children: &[Vec<NodeId>], wrist: NodeId) -> Option<Palm> {
    let chains = &children[wrist.index()];
    let fingers = FINGERS.iter().enumerate().filter_map(|(index, words)| {
        let has_finger_name = |id: &&NodeId| has_word(&clip.nodes[**id].name, words);
        finger_from_chain(clip, children, *chains.iter().find(has_finger_name)?, index == 0)
    });
    let fingers: Vec<PalmFinger> = fingers.collect();
    let long = fingers.iter().filter(|finger| !finger.is_thumb).count();
    (long >= 3).then_some(Palm { wrist, fingers })
}

fn finger_from_chain(
    clip: &Clip,
    children: &[Vec<NodeId>],
    first: NodeId,
    is_thumb: bool,
) -> Option<PalmFinger> {
    /// In a chain of at least this number of joints, the first joint is the metacarpal, even if no
    /// name says so.
    const MIN_JOINTS_WITH_METACARPAL: usize = 5;
    let next = |id: &NodeId| children[id.index()].first().copied();
    let chain: Vec<NodeId> =
        std::iter::successors(Some(first), next).take(clip.nodes.len()).collect();
    let second = *chain.get(1)?;
    let is_metacarpal = clip.nodes[first].name.to_ascii_lowercase().contains("metacarpal");
    if is_thumb || is_metacarpal || chain.len() >= MIN_JOINTS_WITH_METACARPAL {
        let joints = chain[2..].to_vec();
        return Some(PalmFinger { base: Some(first), knuckle: second, joints, is_thumb });
    }
    Some(PalmFinger { base: None, knuckle: first, joints: chain[1..].to_vec(), is_thumb })
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let own = name.rsplit(['/', ':', '|']).next().unwrap_or(name).to_ascii_lowercase();
    words.iter().any(|word| own.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    fn hands() -> Clip {
        let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
        decode(bytes, &ReadOptions::default()).unwrap()
    }

    #[test]
    fn a_hand_has_a_palm_from_the_thumb_to_the_little_finger() {
        let clip = hands();
        let name = |id: NodeId| clip.nodes[id].name.as_str();
        let palms = find_palms(&clip);
        assert_eq!(palms.len(), 2);
        assert_eq!(name(palms[0].wrist), "left/Wrist");
        let knuckles: Vec<&str> = palms[0].fingers.iter().map(|one| name(one.knuckle)).collect();
        let expected = ["ThumbProximalJoint", "IndexKnuckle", "MiddleKnuckle", "RingKnuckle"];
        for (found, expected) in knuckles.iter().zip(expected) {
            assert!(found.ends_with(expected), "{knuckles:?}");
        }
        assert_eq!(knuckles.len(), 5);
        assert!(palms[0].fingers.iter().all(|finger| finger.base.is_some()));
        assert!(palms[0].fingers[0].is_thumb && !palms[0].fingers[1].is_thumb);
        let tips: Vec<&str> =
            palms[0].fingers.iter().map(|one| name(*one.joints.last().unwrap())).collect();
        assert!(tips.iter().all(|tip| tip.ends_with("Tip")), "{tips:?}");
        let joints: Vec<usize> = palms[0].fingers.iter().map(|one| one.joints.len()).collect();
        assert_eq!(joints, [2, 3, 3, 3, 3]);
        assert_eq!(palms[0].nodes().count(), 1 + 4 + 4 * 5);
    }

    fn hand_with_fingers_of(joints: usize) -> Clip {
        let channels = "CHANNELS 3 Zrotation Xrotation Yrotation\n";
        let mut text = format!("HIERARCHY\nROOT LeftHand\n{{ OFFSET 0 0 0\n{channels}");
        for finger in ["Thumb", "Index", "Middle", "Ring", "Pinky"] {
            for joint in 1..=joints {
                text += &format!("JOINT LeftHand{finger}{joint}\n{{ OFFSET 0 3 0\n{channels}");
            }
            text += &"}\n".repeat(joints);
        }
        let zeros = "0 ".repeat(3 * (1 + 5 * joints));
        text += &format!("}}\nMOTION\nFrames: 1\nFrame Time: 0.1\n{zeros}\n");
        decode(SourceFile::new("hand.bvh", text.as_bytes()), &ReadOptions::default()).unwrap()
    }

    #[test]
    fn fingers_without_metacarpals_begin_at_their_knuckle() {
        for (joints, has_base) in [(3, false), (4, false), (5, true)] {
            let clip = hand_with_fingers_of(joints);
            let found = find_palms(&clip);
            assert_eq!(found.len(), 1, "{joints}");
            let index = &found[0].fingers[1];
            assert_eq!(index.base.is_some(), has_base, "{joints}");
            let expected = if has_base { "LeftHandIndex2" } else { "LeftHandIndex1" };
            assert_eq!(clip.nodes[index.knuckle].name, expected);
        }
    }

    #[test]
    fn bodies_without_fingers_have_no_palm() {
        let bytes = include_bytes!("../../../../assets/maya/walk-with-hat.anim");
        let body = decode(SourceFile::new("x.anim", bytes), &ReadOptions::default()).unwrap();
        assert_eq!(find_palms(&body), []);
    }
}
