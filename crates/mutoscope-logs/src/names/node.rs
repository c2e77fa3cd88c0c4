//! Recognises nodes by their names.

use super::{
    joints::{HandJoint, PALM, WRIST},
    vocabulary::VOCABULARY,
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
    /// Returns the node that `words` name, and the frame of reference. `own` is the name of the
    /// object in the file.
    pub(super) fn from_words(words: &[&str], own: &str) -> (Self, Option<String>) {
        let frames = &VOCABULARY.frames;
        let is_frame = |word: &&&str| frames.any.has(word) || frames.known.has(word);
        let (found, core): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| is_frame(word));
        let frame = (!found.is_empty()).then(|| found.join(" "));
        match (&core[..], &found[..]) {
            ([], []) => return (Self::Nameless, None),
            ([], [only]) if frames.any.has(only) => return (Self::Nameless, frame),
            ([], _) => return (Self::Other(own.to_owned()), None),
            _ => {}
        }
        if let Some(node) = recognise_node(&core) {
            return (node, frame);
        }
        // The words of an object stay together, so a frame of reference stands before or after them.
        let is_any = |word: Option<&&str>| word.is_some_and(|word| frames.any.has(word));
        let (first, last) = (is_any(words.first()), is_any(words.last()));
        let object = match (first, last) {
            (true, false) => remove_word(own, words[0], true),
            (false, true) => remove_word(own, words[words.len() - 1], false),
            _ => None,
        };
        match object {
            Some((object, frame)) => (Self::Other(object), Some(frame)),
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
            Self::Side(is_left) => format!("{}/pose", side_name(*is_left)),
            Self::Joint(own, joint) => on_side(own, HandJoint(*joint).name()),
            Self::Head => "head".to_owned(),
            Self::Gaze(own) => on_side(own, "gaze"),
            Self::OnSide(is_left, name) => format!("{}/{name}", side_name(*is_left)),
            Self::Other(name) => on_side(&None, name),
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

/// Removes the first or the last word with the separator next to it. Returns the rest and the word,
/// or `None` if nothing remains.
fn remove_word(name: &str, word: &str, is_first: bool) -> Option<(String, String)> {
    let rest = match is_first {
        true => name.get(word.len()..),
        false => name.get(..name.len().checked_sub(word.len())?),
    };
    let rest =
        rest?.trim_matches(|character: char| !character.is_alphanumeric() && character != ')');
    (!rest.is_empty()).then(|| (rest.to_owned(), word.to_owned()))
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
    let nodes = &VOCABULARY.nodes;
    let only = |allowed: &[&str]| rest.iter().all(|word| allowed.contains(word));
    let has = |word: &str| rest.contains(&word);
    if let Some(joint) = recognise_joint(&rest) {
        return Some(NodeName::Joint(side, joint.0));
    }
    let is_of_gaze = |word: &&str| nodes.gaze.has(word) || nodes.beside_gaze.has(word);
    if rest.iter().any(|word| nodes.gaze.has(word)) && rest.iter().all(is_of_gaze) {
        return Some(NodeName::Gaze(side));
    }
    let is_head = rest.iter().any(|word| nodes.head.has(word));
    let is_between_eyes = (has("center") || has("centre")) && has("eye");
    let is_of_head = |word: &&str| nodes.head.has(word) || nodes.beside_head.has(word);
    if (is_head || is_between_eyes) && side.is_none() && rest.iter().all(is_of_head) {
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
    const FINGERS: [&str; 5] = ["thumb", "index", "ring", "pinky", "little"];
    let is_joint_word = |word: &&str| !VOCABULARY.nodes.beside_joint.has(word);
    let words: Vec<&str> = words.iter().copied().filter(is_joint_word).collect();
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

/// The rows that a column tells apart in a long table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKey {
    /// The node.
    Node,
    /// The side of the body.
    Side,
    /// The person.
    Group,
}

impl RowKey {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let words = split_words(name);
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let long = &VOCABULARY.long;
        let compound = words.concat();
        match words[..] {
            _ if long.node.has(&compound) => Some(Self::Node),
            [side] if long.side.has(side) => Some(Self::Side),
            [group] if long.group.has(group) => Some(Self::Group),
            ["hand", suffix] if long.side_suffixes.has(suffix) => Some(Self::Side),
            [.., node, suffix] if long.suffixes.has(suffix) && words.len() <= 3 => {
                let is_plain = words.len() == 2 || words[0] == "hand";
                match node {
                    _ if long.node.has(node) && is_plain => Some(Self::Node),
                    _ if long.group.has(node) && words.len() == 2 => Some(Self::Group),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Returns whether a word means yes or no. Returns `None` for unknown words.
pub(crate) fn parse_flag(text: &str) -> Option<bool> {
    // Large tables have millions of these two words, and the vocabulary is slower.
    match text {
        "true" => return Some(true),
        "false" => return Some(false),
        _ => {}
    }
    let letters = |character: &char| character.is_alphanumeric();
    let word: String = text.chars().filter(letters).flat_map(char::to_lowercase).collect();
    if VOCABULARY.flags.no.has(&word) {
        return Some(false);
    }
    VOCABULARY.flags.yes.has(&word).then_some(true)
}

/// Returns `true` if the object of rows may have this name in the names of their columns, because
/// every row has another object.
pub(crate) fn is_generic_object(name: &NodeName) -> bool {
    match name {
        NodeName::Nameless => true,
        NodeName::Other(name) => VOCABULARY.long.node.has(&name.to_lowercase()),
        _ => false,
    }
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
    fn recognises_columns_of_nodes_sides_and_people() {
        for name in ["node", "joint", "jointName", "landmark_id", "object_uid", "marker"] {
            assert_eq!(RowKey::from_name(name), Some(RowKey::Node), "{name}");
        }
        for name in ["frame", "GameObject_Cup", "node_count"] {
            assert_eq!(RowKey::from_name(name), None, "{name}");
        }
        for name in ["Hand", "handedness", "side", "handType"] {
            assert_eq!(RowKey::from_name(name), Some(RowKey::Side), "{name}");
        }
        for name in ["body_id", "person", "PlayerId", "subject"] {
            assert_eq!(RowKey::from_name(name), Some(RowKey::Group), "{name}");
        }
    }
}
