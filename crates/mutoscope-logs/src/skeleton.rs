//! Derives hands with bones, heads and rays from the names of nodes.

use std::collections::{BTreeMap, HashSet};

use mutoscope_core::{
    clip::{
        Annotations, ColumnUses, GroupId, Motion, Node, NodeId, NodeKind, Owner, Side, TrackId,
        Transform,
    },
    formats::mrtk::JOINTS,
};

use crate::names::{bone_from, joint_index};

/// Returns the names of the groups of nodes and tracks. There is a group for each side of the body,
/// and one for columns that belong to no node.
pub fn group_names() -> Vec<String> {
    ["left", "right", "signals"].map(ToOwned::to_owned).into()
}

/// Returns the group that owns the tracks of a side: `left` for `Some(true)`, `right` for
/// `Some(false)`. Tracks without a side belong to the group `signals`.
pub fn side_owner(side: Option<bool>) -> Owner {
    Owner::Group(GroupId::new(match side {
        Some(true) => 0,
        Some(false) => 1,
        None => 2,
    }))
}

/// Creates a root node whose kind and side follow from its name, such as `left/IndexTip`, `head` or
/// `gaze`.
pub fn node_from_name(name: String, motion: Motion) -> Node {
    let (_, own) = split_person(&name);
    let (side, rest) = match own.split_once('/') {
        Some(("left", rest)) => (Some(Side::Left), rest),
        Some(("right", rest)) => (Some(Side::Right), rest),
        _ => (None, own),
    };
    let joint = side.and_then(|_| joint_index(rest));
    let kind = match (joint, rest) {
        (Some(joint), _) if JOINTS[joint].is_tip() => NodeKind::Tip,
        (None, "head" | "camera") if side.is_none() => NodeKind::Head,
        (None, "gaze") => NodeKind::Ray,
        _ => NodeKind::Joint,
    };
    let group = side.map(|side| GroupId::new(usize::from(side == Side::Right)));
    let rest = Transform::IDENTITY;
    Node { name, group, parent: None, bone_from: None, kind, side, rest, motion }
}

/// Splits the person, with a slash, off a name such as `1/left/IndexTip`, `1/head` or `1/gaze`.
fn split_person(name: &str) -> (&str, &str) {
    let is_known = |own: &str| match own.split_once('/') {
        Some(("left" | "right", joint)) => joint == "gaze" || joint_index(joint).is_some(),
        _ => matches!(own, "head" | "gaze"),
    };
    if name.starts_with("left/") || name.starts_with("right/") {
        return ("", name);
    }
    let mut starts = name.match_indices('/').map(|(at, _)| at + 1);
    name.split_at(starts.find(|at| is_known(&name[*at..])).unwrap_or(0))
}

/// Sets the bones between the joints of each hand of each person.
pub fn link_hands(nodes: &mut [Node]) {
    let mut hands: BTreeMap<String, [Option<usize>; JOINTS.len()]> = BTreeMap::new();
    for (index, node) in nodes.iter().enumerate() {
        let (person, own) = split_person(&node.name);
        if let Some((side @ ("left" | "right"), joint)) = own.split_once('/')
            && let Some(joint) = joint_index(joint)
        {
            let hand = format!("{person}{side}");
            hands.entry(hand).or_insert([None; JOINTS.len()])[joint] = Some(index);
        }
    }
    for of_joint in hands.into_values() {
        for (joint, index) in of_joint.iter().enumerate() {
            let from = bone_from(joint, |from| of_joint[from].is_some());
            if let (Some(index), Some(from)) = (*index, from) {
                nodes[index].bone_from = of_joint[from].map(NodeId::new);
            }
        }
    }
}

/// Describes the subject of a recording with these nodes, such as `both hands, head, gaze`.
pub fn describe_subject(nodes: &[Node]) -> String {
    let has = |side: Side| {
        let is_hand = |node: &Node| node.side == Some(side) && node.kind != NodeKind::Ray;
        nodes.iter().any(is_hand)
    };
    let hands = match (has(Side::Left), has(Side::Right)) {
        (true, true) => Some("both hands".to_owned()),
        (true, false) => Some("left hand".to_owned()),
        (false, true) => Some("right hand".to_owned()),
        (false, false) => None,
    };
    let of_kind = |kind: NodeKind, word: &str| {
        nodes.iter().any(|node| node.kind == kind).then(|| word.to_owned())
    };
    let is_other =
        |node: &&Node| node.side.is_none() && !matches!(node.kind, NodeKind::Head | NodeKind::Ray);
    let others = match nodes.iter().filter(is_other).count() {
        0 => None,
        1 => Some("1 object".to_owned()),
        count => Some(format!("{count} objects")),
    };
    let parts = [hands, of_kind(NodeKind::Head, "head"), of_kind(NodeKind::Ray, "gaze"), others];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The annotations of a recording from a table or a log: the use of each column.
#[derive(Debug)]
pub struct TableAnnotations {
    columns: ColumnUses,
    signals: HashSet<TrackId>,
}

impl TableAnnotations {
    /// Creates the annotations. `signals` are the tracks of columns that became signals.
    pub fn new(columns: ColumnUses, signals: HashSet<TrackId>) -> Self {
        Self { columns, signals }
    }
}

impl Annotations for TableAnnotations {
    fn columns(&self) -> Option<&ColumnUses> {
        Some(&self.columns)
    }

    fn is_signal_column(&self, track: TrackId) -> bool {
        self.signals.contains(&track)
    }
}
