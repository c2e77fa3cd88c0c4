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

/// Joins arrays of bytes. This is faster than `flat_map`, which appends byte by byte.
pub(crate) fn join_arrays<const N: usize>(arrays: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    arrays.collect::<Vec<_>>().into_flattened()
}
