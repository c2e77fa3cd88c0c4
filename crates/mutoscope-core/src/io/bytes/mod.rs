//! Bounds-checked readers that know where they are, and how bytes of other files are asked for.

mod bits;
mod content;
mod cursor;
mod large_file;
mod sidecars;

pub use bits::BitReader;
pub use content::{Content, FileContent, Piece};
pub use cursor::Cursor;
pub use large_file::LargeFile;
pub use sidecars::{FetchedSidecars, FolderSidecars, MemorySidecars, NoSidecars, Sidecars};
