//! CINF: the bones of a character and their rest pose.

mod decode;
mod tree;

pub use decode::decode_skeleton;
pub use tree::Tree;

use super::Game;

/// The bones of a character as stored in a CINF.
#[derive(Clone, Debug, PartialEq)]
pub struct CinfSkeleton {
    /// The game that uses this layout.
    pub game: Game,
    /// The bones, in file order.
    pub bones: Vec<Bone>,
}

/// A bone and its position at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The id by which animations name the bone.
    pub id: u32,
    /// The id of the parent. A root has an id here that no bone has.
    pub parent: u32,
    /// The position relative to the whole skeleton, in metres.
    pub origin: [f32; 3],
    /// The name, if the bone has one.
    pub name: Option<String>,
    /// The offset of the bone, in bytes from the start of the file.
    pub offset: usize,
}

impl CinfSkeleton {
    /// Returns the index of the first bone with this id, or `None` if there is no such bone.
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.bones.iter().position(|bone| bone.id == id)
    }
}
