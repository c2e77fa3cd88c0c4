//! The content of files, bounds-checked readers that report locations, and sources of sidecar
//! files.

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
