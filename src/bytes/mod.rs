//! Bounds-checked readers that know where they are, and how bytes of other files are asked for.

mod beside;
mod bits;
mod cursor;

pub use beside::{ReadBeside, nothing_beside};
pub use bits::BitReader;
pub use cursor::Cursor;
