//! Meta-animations: trees of animations that are blended, played in sequence or chosen randomly.

use super::{read_name, read_time};
use crate::{
    clip::{CompositionKind, CompositionPart},
    diagnostics::{Error, SourceLocation},
    formats::prime::archive::AssetId,
    io::bytes::Cursor,
};

/// The tree of clips that an animation of a set plays. The nodes are in a list, parents before
/// children, so that trees of any depth can be read, copied and dropped without recursion. The
/// first node is the root.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaAnimation {
    /// The nodes, parents before children.
    pub nodes: Vec<MetaNode>,
    /// The number of levels.
    pub depth: usize,
}

/// A node of a tree of animations.
#[derive(Clone, Debug, PartialEq)]
pub enum MetaNode {
    /// A single animation.
    Play(Leaf),
    /// Two animations that play at the same time, each at its own speed. The blend lasts as long as
    /// the longer one.
    Blend {
        /// The share of the second animation, from 0 to 1.
        weight: f32,
    },
    /// Two animations that play at the same time and are stretched to the same length.
    PhaseBlend {
        /// The share of the second animation, from 0 to 1.
        weight: f32,
    },
    /// A random choice of one child.
    Random {
        /// The limit of each child, from 1 to 100. The game draws a number from 1 to 100 and plays
        /// the first child whose limit is at least this number.
        limits: Vec<u32>,
    },
    /// A sequence: the children play one after the other.
    Sequence {
        /// The number of children.
        children: usize,
    },
}

/// A single animation of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The id of the ANIM. `None` if the file names none.
    pub animation: Option<AssetId>,
    /// The index in the set of the animation that plays only this ANIM.
    pub index: u32,
    /// The name.
    pub name: String,
    /// The start time within the ANIM, in seconds.
    pub start: f32,
}

/// The kind of a node. The kind of a tree is that of its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaKind {
    /// A single animation.
    Play,
    /// A blend of two animations.
    Blend,
    /// A blend of two animations that are stretched to the same length.
    PhaseBlend,
    /// A random choice.
    Random,
    /// A sequence.
    Sequence,
}

impl MetaKind {
    /// Returns the name in `info --json`, for example `phase_blend`.
    pub fn json_name(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Blend => "blend",
            Self::PhaseBlend => "phase_blend",
            Self::Random => "random",
            Self::Sequence => "sequence",
        }
    }

    /// Returns the name in messages, with its article.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Play => "an animation",
            Self::Blend => "a blend",
            Self::PhaseBlend => "a phase blend",
            Self::Random => "a random choice",
            Self::Sequence => "a sequence",
        }
    }
}

impl MetaKind {
    fn to_composition_kind(self) -> CompositionKind {
        match self {
            Self::Play => CompositionKind::Clip,
            Self::Blend => CompositionKind::Blend,
            Self::PhaseBlend => CompositionKind::PhaseBlend,
            Self::Random => CompositionKind::Random,
            Self::Sequence => CompositionKind::Sequence,
        }
    }
}

impl MetaNode {
    fn child_count(&self) -> usize {
        match self {
            Self::Play(_) => 0,
            Self::Blend { .. } | Self::PhaseBlend { .. } => 2,
            Self::Random { limits } => limits.len(),
            Self::Sequence { children } => *children,
        }
    }

    /// Returns the weight of a child in a blend, or its probability in a random choice. Returns
    /// `None` for nodes whose children all play with full weight.
    pub(super) fn share(&self, child: usize) -> Option<f64> {
        match self {
            Self::Blend { weight } | Self::PhaseBlend { weight } => {
                let second = f64::from(*weight);
                Some(if child == 0 { 1.0 - second } else { second })
            }
            Self::Random { limits } => {
                let limit = |&limit: &u32| limit.min(100);
                let before = limits[..child].iter().map(limit).max().unwrap_or(0);
                let chance = limit(&limits[child]).saturating_sub(before);
                Some(f64::from(chance) / 100.0)
            }
            Self::Play(_) | Self::Sequence { .. } => None,
        }
    }

    /// Returns the kind of the node.
    pub fn kind(&self) -> MetaKind {
        match self {
            Self::Play(_) => MetaKind::Play,
            Self::Blend { .. } => MetaKind::Blend,
            Self::PhaseBlend { .. } => MetaKind::PhaseBlend,
            Self::Random { .. } => MetaKind::Random,
            Self::Sequence { .. } => MetaKind::Sequence,
        }
    }
}

impl MetaAnimation {
    /// Returns the kind of the tree, which is that of its root.
    pub fn kind(&self) -> MetaKind {
        self.nodes.first().map_or(MetaKind::Sequence, MetaNode::kind)
    }

    /// Returns the animations of the tree, in tree order.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.nodes.iter().filter_map(|node| match node {
            MetaNode::Play(leaf) => Some(leaf),
            _ => None,
        })
    }

    pub(super) fn composition(&self, is_shown: impl Fn(usize) -> bool) -> Vec<CompositionPart> {
        // The ancestors of the next node, outermost first, each with the number of children so far.
        let mut open: Vec<(&MetaNode, usize)> = Vec::new();
        let mut leaves = 0;
        let mut parts = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            while open.last().is_some_and(|(parent, came)| *came >= parent.child_count()) {
                open.pop();
            }
            let depth = open.len();
            let share = open.last_mut().and_then(|(parent, came)| {
                *came += 1;
                parent.share(*came - 1)
            });
            let mut part = CompositionPart {
                depth,
                kind: node.kind().to_composition_kind(),
                name: String::new(),
                source: String::new(),
                share,
                start: 0.0,
                is_current: false,
            };
            if let MetaNode::Play(leaf) = node {
                part.name.clone_from(&leaf.name);
                part.source = leaf.animation.map(|id| format!("ANIM {id}")).unwrap_or_default();
                part.start = f64::from(leaf.start);
                part.is_current = is_shown(leaves);
                leaves += 1;
            } else {
                open.push((node, 0));
            }
            parts.push(part);
        }
        parts
    }

    /// Reads a tree without recursion, because a tree can be as deep as the file is long. A tree
    /// contains its children by value, so it cannot be cyclic.
    pub(super) fn read(cursor: &mut Cursor) -> Result<Self, Error> {
        let (mut nodes, mut depth) = (Vec::new(), 1);
        // The stack of parts that are still to be read. The last part is read next.
        let mut open = vec![PendingPart::Node];
        let mut levels = 0;
        while let Some(next) = open.pop() {
            match next {
                PendingPart::Node => {
                    levels += 1;
                    depth = depth.max(levels);
                    nodes.push(read_node(cursor, nodes.len(), &mut open)?);
                    if matches!(nodes.last(), Some(MetaNode::Play(_))) {
                        levels -= 1;
                    }
                }
                PendingPart::Weight { node } => {
                    let read = cursor.f32_be("the weight of a blend")?;
                    cursor.u8("the timing flag of a blend")?;
                    if let MetaNode::Blend { weight } | MetaNode::PhaseBlend { weight } =
                        &mut nodes[node]
                    {
                        *weight = read;
                    }
                    levels -= 1;
                }
                PendingPart::Children { node, left } => {
                    if left == 0 {
                        levels -= 1;
                        continue;
                    }
                    open.push(PendingPart::Children { node, left: left - 1 });
                    if matches!(nodes[node], MetaNode::Random { .. }) {
                        open.push(PendingPart::Limit { node });
                    }
                    open.push(PendingPart::Node);
                }
                PendingPart::Limit { node } => {
                    let limit = cursor.u32_be("the limit of a random choice")?;
                    if let MetaNode::Random { limits } = &mut nodes[node] {
                        limits.push(limit);
                    }
                }
            }
        }
        Ok(Self { nodes, depth })
    }
}

enum PendingPart {
    /// A node and all nodes below it.
    Node,
    /// The weight of a blend, which the file stores after the children.
    Weight { node: usize },
    /// The remaining children of a node.
    Children { node: usize, left: usize },
    /// The limit of a child of a random choice, which the file stores after the child.
    Limit { node: usize },
}

fn read_node(
    cursor: &mut Cursor,
    index: usize,
    open: &mut Vec<PendingPart>,
) -> Result<MetaNode, Error> {
    /// The size of the shortest node: a kind and a count.
    const MIN_NODE_BYTES: usize = 8;
    let location = SourceLocation::span(cursor.offset(), 4);
    let kind = cursor.u32_be("the kind of a meta-animation")?;
    Ok(match kind {
        0 => MetaNode::Play(Leaf {
            animation: AssetId::read(cursor, "the id of an animation")?,
            index: cursor.u32_be("the index of an animation")?,
            name: read_name(cursor, "the name of an animation")?,
            start: read_time(cursor, "the start of an animation")?,
        }),
        1 | 2 => {
            open.extend([
                PendingPart::Weight { node: index },
                PendingPart::Node,
                PendingPart::Node,
            ]);
            if kind == 1 {
                MetaNode::Blend { weight: 0.0 }
            } else {
                MetaNode::PhaseBlend { weight: 0.0 }
            }
        }
        3 => {
            let left = cursor.count_u32_be(MIN_NODE_BYTES + 4, "random choices")?;
            open.push(PendingPart::Children { node: index, left });
            MetaNode::Random { limits: Vec::new() }
        }
        4 => {
            let left = cursor.count_u32_be(MIN_NODE_BYTES, "animations of a sequence")?;
            open.push(PendingPart::Children { node: index, left });
            MetaNode::Sequence { children: left }
        }
        _ => {
            let expected = "the kind of a meta-animation, 0 to 4";
            return Err(Error::malformed(location, expected, kind));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(id: u32) -> Vec<u8> {
        let mut bytes = [0, id, 7].map(u32::to_be_bytes).concat();
        bytes.extend(b"x\0");
        bytes.extend([0; 8]);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<MetaAnimation, Error> {
        let mut cursor = Cursor::new(bytes);
        let tree = MetaAnimation::read(&mut cursor)?;
        assert!(cursor.is_at_end());
        Ok(tree)
    }

    #[test]
    fn trees_are_read_in_order_with_weights_and_limits() {
        // A sequence of a blend of two and a random choice of two.
        let mut bytes = [4_u32, 2, 1].map(u32::to_be_bytes).concat();
        bytes.extend([play(1), play(2)].concat());
        bytes.extend(0.25_f32.to_be_bytes());
        bytes.push(0);
        bytes.extend([3_u32, 2].map(u32::to_be_bytes).concat());
        bytes.extend([play(3), 30_u32.to_be_bytes().to_vec()].concat());
        bytes.extend([play(0), 100_u32.to_be_bytes().to_vec()].concat());
        let tree = read(&bytes).unwrap();
        let ids: Vec<_> = tree.leaves().map(|leaf| leaf.animation.map(AssetId::number)).collect();
        assert_eq!(ids, [Some(1), Some(2), Some(3), None]);
        assert_eq!((tree.kind(), tree.depth), (MetaKind::Sequence, 3));
        assert_eq!(tree.nodes[0], MetaNode::Sequence { children: 2 });
        assert_eq!(tree.nodes[1], MetaNode::Blend { weight: 0.25 });
        assert_eq!(tree.nodes[4], MetaNode::Random { limits: vec![30, 100] });
        let parts = tree.composition(|leaf| leaf == 0);
        let told: Vec<_> = parts
            .iter()
            .map(|part| (part.depth, part.kind.as_str(), part.source.as_str(), part.share))
            .collect();
        let expected = [
            (0, "sequence", "", None),
            (1, "blend", "", None),
            (2, "clip", "ANIM 00000001", Some(0.75)),
            (2, "clip", "ANIM 00000002", Some(0.25)),
            (1, "random", "", None),
            (2, "clip", "ANIM 00000003", Some(0.3)),
            (2, "clip", "", Some(0.7)),
        ];
        assert_eq!(told, expected);
        let shown: Vec<_> = parts.iter().map(|part| part.is_current).collect();
        assert_eq!(shown, [false, false, true, false, false, false, false]);
    }

    #[test]
    fn deep_trees_never_overflow_the_stack() {
        const DEPTH: usize = 500_000;
        let mut bytes = [4_u32, 1].map(u32::to_be_bytes).concat().repeat(DEPTH);
        bytes.extend(play(5));
        let tree = read(&bytes).unwrap();
        assert_eq!((tree.depth, tree.leaves().count()), (DEPTH + 1, 1));
        assert_eq!(tree.composition(|_| false).last().map(|part| part.depth), Some(DEPTH));
    }

    #[test]
    fn counts_and_kinds_are_checked() {
        assert!(read(&[4_u32, 2_000_000_000].map(u32::to_be_bytes).concat()).is_err());
        assert!(read(&[3_u32, 1, 0, 0].map(u32::to_be_bytes).concat()).is_err());
        let error = read(&7_u32.to_be_bytes()).unwrap_err();
        assert!(error.message().contains("0 to 4, found 7"), "{error}");
    }
}
