//! Bounds-checked readers that know where they are, and how bytes of other files are asked for.

mod bits;
mod cursor;
mod sidecars;

pub use bits::BitReader;
pub use cursor::Cursor;
pub use sidecars::{FetchedSidecars, FolderSidecars, MemorySidecars, NoSidecars, Sidecars};
