//! CINF: the bones of a character and their rest pose.

mod decode;
mod tree;

pub use decode::decode_skeleton;
pub use tree::Tree;

use super::Game;

/// The bones of a character, as the file has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// The game whose layout it has.
    pub game: Game,
    /// The bones, in file order.
    pub bones: Vec<Bone>,
}

/// A bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its id, by which animations name it.
    pub id: u32,
    /// The id of its parent: that of no bone, if it has none.
    pub parent: u32,
    /// Where it is, relative to the skeleton as a whole, in metres.
    pub origin: [f32; 3],
    /// Its name; not every bone has one.
    pub name: Option<String>,
    /// Where it begins, in bytes from the start of the file.
    pub offset: usize,
}

impl Skeleton {
    /// The index of the bone with this id; of several, of the first.
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.bones.iter().position(|bone| bone.id == id)
    }
}
