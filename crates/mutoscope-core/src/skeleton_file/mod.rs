//! Skeletons from other files, for recordings that contain joint rotations only.
//!
//! [`Registry::decode_skeleton`](crate::Registry::decode_skeleton) reads a file into a
//! [`LoadedSkeleton`]. [`attach`] attaches a recording to it by matching nodes by name or id. For
//! recordings without a skeleton, [`add_placeholder_offsets`] adds placeholder offsets.
//!
//! | file | what it does |
//! |---|---|
//! | `gltf` | reads the nodes and meshes of glTF 2.0, binary or text |
//! | `names` | matches nodes by name |
//! | `attach` | joins a recording and a skeleton to one clip |
//! | `motion` | adapts motions to a skeleton |
//! | `placeholder_offsets`, `limbs` | offsets for joints that have neither offsets nor a skeleton |

mod attach;
pub(crate) mod codes;
pub(crate) mod gltf;
mod limbs;
mod motion;
pub mod names;
mod placeholder_offsets;

pub use attach::{Matching, attach, check_match, matches_few};
pub use limbs::side_from_name;
pub use placeholder_offsets::add_placeholder_offsets;

use std::{fmt, path::PathBuf, sync::Arc};

use crate::{
    clip::{
        Humanoid, Model, Motion, Node, NodeId, NodeKind, Side, Transform, UpAxis, ViewerMirror,
    },
    diagnostics::Diagnostics,
};

/// A skeleton: nodes with their parents and rest transforms.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedSkeleton {
    /// The name that the user sees, which is the name of the file.
    pub name: String,
    /// The kind of the file.
    pub kind: SkeletonKind,
    /// The nodes, in the order of the file.
    pub nodes: Vec<SkeletonNode>,
    /// The hints about the space of recordings.
    pub space: SkeletonSpace,
    /// The humanoid body that the nodes form, if the file declares one.
    pub humanoid: Option<Box<Humanoid>>,
    /// The meshes. Empty for kinds of files that have no meshes.
    pub model: Arc<Model>,
    /// The diagnostics of the file.
    pub diagnostics: Diagnostics,
    /// The paths of the other files that the skeleton was read from, such as buffers and textures.
    pub sidecars: Vec<PathBuf>,
}

impl LoadedSkeleton {
    /// Returns `true` for a figure of boxes. Its node names match no recording, so a recording has
    /// to be retargeted bone by bone.
    pub fn matches_by_bones_only(&self) -> bool {
        self.humanoid.as_ref().is_some_and(|humanoid| !humanoid.boxes.is_empty())
    }
}

/// The content of a skeleton file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkeletonContent {
    /// The nodes, in the order of the file.
    pub nodes: Vec<SkeletonNode>,
    /// The meshes.
    pub model: Model,
    /// The humanoid body that the nodes form, if the file declares one.
    pub humanoid: Option<Box<Humanoid>>,
}

/// A node of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletonNode {
    /// The name, which need not be unique.
    pub name: String,
    /// The id that recordings use for the node, in files with node ids.
    pub id: Option<u32>,
    /// The index of the parent.
    pub parent: Option<usize>,
    /// The rest transform relative to the parent, in the viewer's space.
    pub rest: Transform,
    /// The index of the node at the start of the bone that ends at this node.
    pub bone_from: Option<usize>,
    /// The kind of node: a joint, a tip or something else.
    pub kind: NodeKind,
    /// The side of the body, if the node's own name contains it.
    pub side: Option<Side>,
}

impl SkeletonNode {
    /// Converts the node to a node of a clip, with the same rest transform and with this motion.
    pub fn to_node(&self, motion: Motion) -> Node {
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

/// The properties of a skeleton that decide how attached recordings are converted to the viewer's
/// space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkeletonSpace {
    /// The up axis.
    pub up: Option<UpAxis>,
    /// The axis along which left-handed recordings are mirrored, so that they face in the same
    /// direction as the skeleton.
    pub mirror: Option<ViewerMirror>,
}

/// The kind of a file that a skeleton is read from.
///
/// A kind is only a name. All facts about a kind are in its row of
/// [`formats::SKELETON_FORMATS`](crate::formats::SKELETON_FORMATS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SkeletonKind {
    word: &'static str,
    name: &'static str,
}

impl SkeletonKind {
    /// glTF 2.0, binary or text.
    pub const GLTF: Self = Self::new("gltf", "glTF, GLB or VRM");
    /// FBX.
    pub const FBX: Self = Self::new("fbx", "FBX");
    /// CINF of Metroid Prime 1 and 2.
    pub const CINF: Self = Self::new("cinf", "CINF");

    /// Creates a kind. `word` is its unique identifier in messages, and `name` its display name.
    pub const fn new(word: &'static str, name: &'static str) -> Self {
        Self { word, name }
    }

    /// Returns the identifier in messages, such as `gltf`.
    pub const fn as_str(self) -> &'static str {
        self.word
    }

    /// Returns the display name, such as `glTF, GLB or VRM`.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Display for SkeletonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
