//! Recognises nodes by their names.

use super::{
    joints::{HandJoint, PALM, WRIST},
    words::split_words,
};

/// The node to which a name refers. A side is `true` for left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NodeName {
    /// The name contains no word for a node.
    Nameless,
    /// The name contains a side of the body, but no other word for a node.
    Side(bool),
    /// A hand joint, on this side if the name has one.
    Joint(Option<bool>, usize),
    Head,
    /// The gaze of one eye, or of both.
    Gaze(Option<bool>),
    /// A whole hand, a controller or an eye, on a side.
    OnSide(bool, &'static str),
    /// Any other node, with its name in the file.
    Other(String),
}

impl NodeName {
    pub(super) fn from_words(words: &[&str], own: &str) -> (Self, Option<String>) {
        const FRAMES: [&str; 5] = ["device", "world", "global", "local", "cpf"];
        let (frames, core): (Vec<&str>, Vec<&str>) =
            words.iter().partition(|word| FRAMES.contains(word));
        if words.is_empty() {
            return (Self::Nameless, None);
        }
        match recognise_node(&core) {
            Some(node) => (node, (!frames.is_empty()).then(|| frames.join(" "))),
            None => (Self::Other(own.to_owned()), None),
        }
    }

    pub(crate) fn name_on_side(&self, side: Option<bool>) -> String {
        let side_name = |is_left: bool| if is_left { "left" } else { "right" };
        let on_side = |own: &Option<bool>, name: &str| match own.or(side) {
            Some(is_left) => format!("{}/{name}", side_name(is_left)),
            None => name.to_owned(),
        };
        match self {
            Self::Nameless => match side {
                Some(is_left) => format!("{}/hand", side_name(is_left)),
                None => "pose".to_owned(),
            },
            Self::Side(is_left) => format!("{}/hand", side_name(*is_left)),
            Self::Joint(own, joint) => on_side(own, HandJoint(*joint).name()),
            Self::Head => "head".to_owned(),
            Self::Gaze(own) => on_side(own, "gaze"),
            Self::OnSide(is_left, name) => format!("{}/{name}", side_name(*is_left)),
            Self::Other(name) => match side {
                Some(is_left) => format!("{}/{name}", side_name(is_left)),
                None => name.clone(),
            },
        }
    }

    pub(crate) fn side(&self) -> Option<bool> {
        match self {
            Self::Side(is_left) | Self::OnSide(is_left, _) => Some(*is_left),
            Self::Joint(side, _) | Self::Gaze(side) => *side,
            Self::Nameless | Self::Head | Self::Other(_) => None,
        }
    }

    /// Returns `true` if a flag column with this node name applies to the node `other`.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nameless, _) => true,
            (Self::Side(side), other) => other.side() == Some(*side),
            (Self::OnSide(side, "eye"), Self::Gaze(other)) => Some(*side) == *other,
            (Self::OnSide(side, "hand"), Self::Joint(other, _)) => Some(*side) == *other,
            _ => self == other,
        }
    }
}

pub(crate) fn parse_side(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "left" | "l" | "left hand" | "lefthand" | "left_hand" => Some(true),
        "right" | "r" | "right hand" | "righthand" | "right_hand" => Some(false),
        _ => None,
    }
}

fn recognise_node(words: &[&str]) -> Option<NodeName> {
    let sides: Vec<bool> = words.iter().filter_map(|word| parse_side(word)).collect();
    let side = match sides[..] {
        [] => None,
        [side] => Some(side),
        _ => return None,
    };
    let rest: Vec<&str> = words.iter().copied().filter(|word| parse_side(word).is_none()).collect();
    if rest.is_empty() {
        return side.map(NodeName::Side);
    }
    let only = |allowed: &[&str]| rest.iter().all(|word| allowed.contains(word));
    let has = |word: &str| rest.contains(&word);
    if let Some(joint) = recognise_joint(&rest) {
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
        Some(NodeName::OnSide(side, "controller"))
    } else if only(&["hand"]) {
        Some(NodeName::OnSide(side, "hand"))
    } else {
        only(&["eye"]).then_some(NodeName::OnSide(side, "eye"))
    }
}

fn recognise_joint(words: &[&str]) -> Option<HandJoint> {
    const FILLERS: [&str; 8] = ["hand", "finger", "joint", "phalanx", "ext", "xr", "bone", "id"];
    const FINGERS: [&str; 5] = ["thumb", "index", "ring", "pinky", "little"];
    let words: Vec<&str> = words.iter().copied().filter(|word| !FILLERS.contains(word)).collect();
    match words[..] {
        ["wrist"] => return Some(WRIST),
        ["palm"] => return Some(PALM),
        _ => {}
    }
    let [first, second] = words[..] else { return None };
    // The word `middle` may mean the finger or the intermediate bone.
    let is_finger = |word: &str| FINGERS.contains(&word);
    match (is_finger(first), is_finger(second)) {
        (true, false) => HandJoint::from_words(first, second),
        (false, true) => HandJoint::from_words(second, first),
        (false, false) if first == "middle" || first == "small" => {
            HandJoint::from_words(first, second)
        }
        (false, false) if second == "middle" || second == "small" => {
            HandJoint::from_words(second, first)
        }
        _ => None,
    }
}

pub(crate) fn node_from_label(label: &str) -> NodeName {
    let words = split_words(label);
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match NodeName::from_words(&words, label).0 {
        NodeName::Nameless | NodeName::Side(_) => NodeName::Other(label.to_owned()),
        node => node,
    }
}

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
    let words = split_words(name);
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match words[..] {
        [node] => NODES.contains(&node),
        [node, suffix] => NODES.contains(&node) && SUFFIXES.contains(&suffix),
        ["hand", node, suffix] => NODES.contains(&node) && SUFFIXES.contains(&suffix),
        _ => false,
    }
}

pub(crate) fn is_side_column(name: &str) -> bool {
    let words = split_words(name);
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
    fn maps_labels_of_all_sources_to_one_skeleton() {
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
            assert_eq!(node_from_label(label).name_on_side(None), expected, "{label}");
        }
        assert_eq!(node_from_label("index-finger-tip").name_on_side(Some(false)), "right/IndexTip");
    }

    #[test]
    fn recognises_columns_of_nodes_and_sides() {
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
