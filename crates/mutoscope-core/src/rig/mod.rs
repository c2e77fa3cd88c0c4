//! Skeletons from other files: for recordings that only say how joints turn.
//!
//! [`formats::decode_skeleton`](crate::formats::decode_skeleton) reads one into a [`Rig`], and
//! [`attach`] puts a recording on it, node by node of the same name or number. Where there is none,
//! [`note_unplaced`] adds placeholder offsets.
//!
//! | file | what it does |
//! |---|---|
//! | `gltf` | reads the nodes and meshes of glTF 2.0, binary or text |
//! | `names` | matches nodes by name |
//! | `attach` | makes one clip of a recording and a skeleton |
//! | `motion` | motions on a skeleton |
//! | `placeholders`, `limbs` | offsets for joints that have none and no skeleton |

mod attach;
pub(crate) mod gltf;
mod limbs;
mod motion;
pub mod names;
mod placeholder_offsets;

pub use attach::{Matching, attach, check_match, matches_few};
pub use limbs::side_of_name;
pub use placeholder_offsets::note_unplaced;

use std::{fmt, sync::Arc};

use crate::{
    clip::{Humanoid, Model, Motion, Node, NodeId, NodeKind, Side, Transform, Up, ViewerMirror},
    diagnostics::Notices,
};

/// A skeleton: nodes with their parents and the places where they rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// Its name for the user: that of its file.
    pub name: String,
    /// The kind of file it is from.
    pub kind: RigKind,
    /// Its nodes, in the order of the file.
    pub nodes: Vec<RigNode>,
    /// Its hints about the space of recordings.
    pub space: RigSpace,
    /// The humanoid body that its nodes are, where the file declares one.
    pub humanoid: Option<Box<Humanoid>>,
    /// Its meshes; `None` where files of its kind have none.
    pub model: Arc<Model>,
    /// The issues in the file.
    pub notices: Notices,
}

impl Rig {
    /// Whether only bones match the nodes of recordings, not names: of figures of boxes.
    pub fn matches_by_bones_only(&self) -> bool {
        self.humanoid.as_ref().is_some_and(|humanoid| !humanoid.boxes.is_empty())
    }
}

/// The content of a skeleton file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigContent {
    /// Its nodes, in the order of the file.
    pub nodes: Vec<RigNode>,
    /// Its meshes.
    pub model: Model,
    /// The humanoid body that its nodes are, where the file declares one.
    pub humanoid: Option<Box<Humanoid>>,
}

/// A node of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct RigNode {
    /// Its name; names may repeat.
    pub name: String,
    /// The number by which recordings know it, in files that number nodes.
    pub id: Option<u32>,
    /// The index of the node that it is relative to.
    pub parent: Option<usize>,
    /// Its rest transform, relative to its parent, in the viewer's space.
    pub rest: Transform,
    /// The index of the node that a bone leads from to it.
    pub bone_from: Option<usize>,
    /// Whether it is a joint, a tip or another kind of node.
    pub kind: NodeKind,
    /// The side of the body that it is on, as far as its own name tells.
    pub side: Option<Side>,
}

impl RigNode {
    /// The node of a clip that rests where this one does and moves by `motion`.
    pub fn node(&self, motion: Motion) -> Node {
        Node {
            name: self.name.clone(),
            group: None,
            parent: self.parent.map(NodeId::new),
            bone_from: self.bone_from.map(NodeId::new),
            kind: self.kind,
            side: self.side,
            rest: self.rest,
            motion,
        }
    }
}

/// A skeleton's hints about the space of the recordings that are put on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RigSpace {
    /// The up axis.
    pub up: Option<Up>,
    /// The axis along which left-handed recordings are mirrored, so that they face as it does.
    pub mirror: Option<ViewerMirror>,
}

/// The kind of a file that a skeleton is read from.
///
/// A plain name: all facts about a kind are in its row of
/// [`formats::SKELETON_FORMATS`](crate::formats::SKELETON_FORMATS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RigKind {
    word: &'static str,
    name: &'static str,
}

impl RigKind {
    /// glTF 2.0, binary or text.
    pub const GLTF: Self = Self::new("gltf", "glTF, GLB or VRM");
    /// FBX.
    pub const FBX: Self = Self::new("fbx", "FBX");
    /// CINF of Metroid Prime 1 and 2.
    pub const CINF: Self = Self::new("cinf", "CINF");

    /// The kind with this word in messages, which no other has, and this name.
    pub const fn new(word: &'static str, name: &'static str) -> Self {
        Self { word, name }
    }

    /// Its word in messages: `gltf`.
    pub const fn word(self) -> &'static str {
        self.word
    }

    /// Its name for users: `glTF, GLB or VRM`.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Display for RigKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
