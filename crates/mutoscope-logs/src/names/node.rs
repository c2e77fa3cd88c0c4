//! The nodes that names mean.

use super::{
    joints::{HandJoint, PALM, WRIST},
    words::words,
};

/// The node that a name means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NodeName {
    /// No word names one.
    Nameless,
    /// A side of the body alone.
    Side(bool),
    /// A joint of the hand on this side, if any is named.
    Joint(Option<bool>, usize),
    /// The head.
    Head,
    /// The gaze, of an eye or of both.
    Gaze(Option<bool>),
    /// A hand as a whole, or what it holds, or an eye, on a side.
    OfSide(bool, &'static str),
    /// Anything else, by the name that the file gives it.
    Own(String),
}

impl NodeName {
    /// The node that these words mean, and the frame of reference that they name besides. `own` is
    /// what the file calls it.
    pub(super) fn of(words: &[&str], own: &str) -> (Self, Option<String>) {
        const FRAMES: [&str; 5] = ["device", "world", "global", "local", "cpf"];
        let (frames, core): (Vec<&str>, Vec<&str>) =
            words.iter().partition(|word| FRAMES.contains(word));
        if words.is_empty() {
            return (Self::Nameless, None);
        }
        match known(&core) {
            Some(node) => (node, (!frames.is_empty()).then(|| frames.join(" "))),
            None => (Self::Own(own.to_owned()), None),
        }
    }

    /// The name of the node, on `side` where its words name none.
    pub(crate) fn text(&self, side: Option<bool>) -> String {
        let of = |is_left: bool| if is_left { "left" } else { "right" };
        let on_side = |own: &Option<bool>, name: &str| match own.or(side) {
            Some(is_left) => format!("{}/{name}", of(is_left)),
            None => name.to_owned(),
        };
        match self {
            Self::Nameless => match side {
                Some(is_left) => format!("{}/hand", of(is_left)),
                None => "pose".to_owned(),
            },
            Self::Side(is_left) => format!("{}/hand", of(*is_left)),
            Self::Joint(own, joint) => on_side(own, HandJoint(*joint).name()),
            Self::Head => "head".to_owned(),
            Self::Gaze(own) => on_side(own, "gaze"),
            Self::OfSide(is_left, name) => format!("{}/{name}", of(*is_left)),
            Self::Own(name) => match side {
                Some(is_left) => format!("{}/{name}", of(is_left)),
                None => name.clone(),
            },
        }
    }

    /// The side that its words name.
    pub(crate) fn side(&self) -> Option<bool> {
        match self {
            Self::Side(is_left) | Self::OfSide(is_left, _) => Some(*is_left),
            Self::Joint(side, _) | Self::Gaze(side) => *side,
            Self::Nameless | Self::Head | Self::Own(_) => None,
        }
    }

    /// Whether a flag of the node `self` is also one of `other`.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nameless, _) => true,
            (Self::Side(side), other) => other.side() == Some(*side),
            (Self::OfSide(side, "eye"), Self::Gaze(other)) => Some(*side) == *other,
            (Self::OfSide(side, "hand"), Self::Joint(other, _)) => Some(*side) == *other,
            _ => self == other,
        }
    }
}

/// The side of the body that a word names.
pub(crate) fn side_of_word(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "left" | "l" | "left hand" | "lefthand" | "left_hand" => Some(true),
        "right" | "r" | "right hand" | "righthand" | "right_hand" => Some(false),
        _ => None,
    }
}

fn known(words: &[&str]) -> Option<NodeName> {
    let sides: Vec<bool> = words.iter().filter_map(|word| side_of_word(word)).collect();
    let side = match sides[..] {
        [] => None,
        [side] => Some(side),
        _ => return None,
    };
    let rest: Vec<&str> =
        words.iter().copied().filter(|word| side_of_word(word).is_none()).collect();
    if rest.is_empty() {
        return side.map(NodeName::Side);
    }
    let only = |allowed: &[&str]| rest.iter().all(|word| allowed.contains(word));
    let has = |word: &str| rest.contains(&word);
    if let Some(joint) = joint(&rest) {
        return Some(NodeName::Joint(side, joint.0));
    }
    if has("gaze") && only(&["gaze", "eye", "eyes", "combined", "ray"]) {
        return Some(NodeName::Gaze(side));
    }
    let is_head = has("head") || has("hmd") || has("camera") || has("headset");
    let is_between_eyes = (has("center") || has("centre")) && has("eye");
    let of_head = ["head", "hmd", "camera", "headset", "center", "centre", "eye", "main", "anchor"];
    if (is_head || is_between_eyes) && side.is_none() && only(&of_head) {
        return Some(NodeName::Head);
    }
    let side = side?;
    if has("controller") && only(&["controller", "hand"]) {
        Some(NodeName::OfSide(side, "controller"))
    } else if only(&["hand"]) {
        Some(NodeName::OfSide(side, "hand"))
    } else {
        only(&["eye"]).then_some(NodeName::OfSide(side, "eye"))
    }
}

/// The joint of a hand that these words mean, if there is no other word.
fn joint(words: &[&str]) -> Option<HandJoint> {
    const FILLERS: [&str; 8] = ["hand", "finger", "joint", "phalanx", "ext", "xr", "bone", "id"];
    const FINGERS: [&str; 5] = ["thumb", "index", "ring", "pinky", "little"];
    let words: Vec<&str> = words.iter().copied().filter(|word| !FILLERS.contains(word)).collect();
    match words[..] {
        ["wrist"] => return Some(WRIST),
        ["palm"] => return Some(PALM),
        _ => {}
    }
    let [first, second] = words[..] else { return None };
    // The middle finger's name is also a word for the bone in the middle.
    let is_finger = |word: &str| FINGERS.contains(&word);
    match (is_finger(first), is_finger(second)) {
        (true, false) => HandJoint::of(first, second),
        (false, true) => HandJoint::of(second, first),
        (false, false) if first == "middle" || first == "small" => HandJoint::of(first, second),
        (false, false) if second == "middle" || second == "small" => HandJoint::of(second, first),
        _ => None,
    }
}

/// The node that a label in a column of nodes means.
pub(crate) fn joint_of_label(label: &str) -> NodeName {
    let words = words(label);
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match NodeName::of(&words, label).0 {
        NodeName::Nameless | NodeName::Side(_) => NodeName::Own(label.to_owned()),
        node => node,
    }
}

/// Whether a column has the names of nodes, by its own name; and whether it says so by `name`.
pub(crate) fn is_node_column(name: &str) -> bool {
    const NODES: [&str; 12] = [
        "node",
        "joint",
        "bone",
        "landmark",
        "marker",
        "object",
        "device",
        "tracker",
        "keypoint",
        "rigidbody",
        "segment",
        "limb",
    ];
    const SUFFIXES: [&str; 6] = ["name", "id", "uid", "index", "label", "no"];
    let words = words(name);
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match words[..] {
        [node] => NODES.contains(&node),
        [node, suffix] => NODES.contains(&node) && SUFFIXES.contains(&suffix),
        ["hand", node, suffix] => NODES.contains(&node) && SUFFIXES.contains(&suffix),
        _ => false,
    }
}

/// Whether a column may have the sides of hands, by its own name.
pub(crate) fn is_side_column(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    matches!(
        words[..],
        ["hand" | "side" | "handedness" | "chirality"]
            | ["hand", "type" | "side" | "name" | "label"]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_of_all_sources_are_one_skeleton() {
        let cases = [
            ("left index-finger-phalanx-proximal", "left/IndexKnuckle"),
            ("right thumb-phalanx-distal", "right/ThumbDistalJoint"),
            ("R_Middle_Intermediate", "right/MiddleMiddleJoint"),
            ("RightMiddleMiddleJoint", "right/MiddleMiddleJoint"),
            ("LeftHand_LittleIntermediate", "left/PinkyMiddleJoint"),
            ("left THUMB_CMC", "left/ThumbMetacarpalJoint"),
            ("left THUMB_MCP", "left/ThumbProximalJoint"),
            ("left THUMB_IP", "left/ThumbDistalJoint"),
            ("left INDEX_FINGER_PIP", "left/IndexMiddleJoint"),
            ("XR_HAND_JOINT_LITTLE_TIP_EXT left", "left/PinkyTip"),
            ("leftIndexMiddleJoint", "left/IndexMiddleJoint"),
            ("Left Hand_Index1", "left/IndexKnuckle"),
            ("left_thumb_tip", "left/ThumbTip"),
            ("rightPalm", "right/Palm"),
            ("CenterEyeAnchor", "head"),
            ("combined_gaze", "gaze"),
            ("L_gaze", "left/gaze"),
            ("RightController", "right/controller"),
            ("cup", "cup"),
            ("left_cup", "left_cup"),
            ("left right IndexTip", "left right IndexTip"),
        ];
        for (label, expected) in cases {
            assert_eq!(joint_of_label(label).text(None), expected, "{label}");
        }
        assert_eq!(joint_of_label("index-finger-tip").text(Some(false)), "right/IndexTip");
    }

    #[test]
    fn columns_of_nodes_and_sides_are_known_by_their_names() {
        for name in ["node", "joint", "jointName", "landmark_id", "object_uid", "marker"] {
            assert!(is_node_column(name), "{name}");
        }
        for name in ["frame", "hand", "GameObject_Cup", "node_count"] {
            assert!(!is_node_column(name), "{name}");
        }
        for name in ["Hand", "handedness", "side", "handType"] {
            assert!(is_side_column(name), "{name}");
        }
    }
}
