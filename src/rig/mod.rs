//! Skeletons from other files: for recordings that only say how joints turn.
//!
//! [`decode`] reads one into a [`Rig`], and [`attach`] puts a recording on it, node by node of the
//! same name. Where there is none, [`note_unplaced`] makes up what is needed to see something.
//!
//! | file | what it does |
//! |---|---|
//! | `gltf` | reads the nodes and meshes of glTF 2.0, binary or text |
//! | `cinf` | reads the bones of Metroid Prime |
//! | `names` | finds the nodes that are meant to be the same |
//! | `attach` | makes one clip of a recording and a skeleton |
//! | `motion` | what a motion does on a skeleton |
//! | `made_up`, `limbs` | offsets for joints that have none and no skeleton |

mod attach;
mod cinf;
mod gltf;
mod limbs;
mod made_up;
mod motion;
pub(crate) mod names;

pub use attach::attach;
pub use made_up::note_unplaced;

use std::sync::Arc;

use crate::{
    bytes::{ReadBeside, nothing_beside},
    clip::{Model, NodeKind, Transform},
    diagnostics::{Error, Notices},
};

/// A skeleton: nodes with their parents and the places where they rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// What its user calls it: the name of its file.
    pub name: String,
    /// The kind of file it is from.
    pub kind: RigKind,
    /// Its nodes, in the order of the file.
    pub nodes: Vec<RigNode>,
    /// What it wears; nothing where files of its kind have no meshes.
    pub model: Arc<Model>,
    /// What was odd about the file.
    pub notices: Notices,
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
    /// Where it stands while nothing moves it, relative to its parent, in the space of the viewer.
    pub rest: Transform,
    /// What it is.
    pub kind: NodeKind,
}

/// The kinds of files that skeletons are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RigKind {
    /// glTF 2.0, binary or text.
    Gltf,
    /// CINF of Metroid Prime 1 and 2.
    Cinf,
}

impl RigKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Gltf, Self::Cinf];

    /// Its word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gltf => "gltf",
            Self::Cinf => "cinf",
        }
    }

    /// Its name as its users say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gltf => "glTF or GLB",
            Self::Cinf => "CINF",
        }
    }

    /// The extensions its files usually have, lower case and without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Gltf => &["glb", "gltf"],
            Self::Cinf => &["cinf"],
        }
    }

    /// Whether such a skeleton is kept in the folder of the recordings that go on it, as where the
    /// files of a game are taken out of an archive.
    pub fn lies_beside_recordings(self) -> bool {
        self == Self::Cinf
    }
}

/// The kind of skeleton that all the `bytes` of a file look like, sound or not; nothing if like
/// none. Recordings may look alike: ask their formats first.
pub fn recognise(bytes: &[u8]) -> Option<RigKind> {
    if gltf::is_recognised(bytes) {
        Some(RigKind::Gltf)
    } else if cinf::is_recognised(bytes) {
        Some(RigKind::Cinf)
    } else {
        None
    }
}

/// Reads the skeleton in `bytes`, which its user calls `name`.
///
/// # Errors
/// If the bytes are of no kind that is known, or contradict it.
pub fn decode(bytes: &[u8], name: &str) -> Result<Rig, Error> {
    decode_beside(bytes, name, &nothing_beside)
}

/// The same; `read` gives the files that it keeps its meshes in.
///
/// # Errors
/// As [`decode`].
pub fn decode_beside(bytes: &[u8], name: &str, read: &ReadBeside<'_>) -> Result<Rig, Error> {
    let mut notices = Notices::new();
    let (kind, nodes, model) = if cinf::begins_like(bytes) {
        (RigKind::Cinf, cinf::decode(bytes, &mut notices)?, Model::default())
    } else {
        let (nodes, model) = gltf::decode(bytes, read, &mut notices)?;
        (RigKind::Gltf, nodes, model)
    };
    Ok(Rig { name: name.to_owned(), kind, nodes, model: Arc::new(model), notices })
}
