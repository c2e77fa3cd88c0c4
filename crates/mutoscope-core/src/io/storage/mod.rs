//! Access to files by path. On the desktop, files are in the file system. In a browser, they are in
//! memory: the files that the user dropped or chose, or that the page fetched.
//!
//! | file | what it does |
//! |---|---|
//! | `system` | the file system |
//! | `memory` | files in memory, by path |
//! | `page` | the files that a page has received |

use std::{borrow::Cow, sync::Arc, time::SystemTime};

#[cfg(any(test, target_family = "wasm"))]
mod memory;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(target_family = "wasm")]
pub use page::{
    File, add_file, file_stamp, files_in, in_memory, is_dir, metadata, open, read, read_at,
};
#[cfg(not(target_family = "wasm"))]
pub use system::{File, file_stamp, files_in, metadata, open, read, read_at};
#[cfg(not(target_family = "wasm"))]
pub use system::{in_memory, is_dir};

/// `true` if a path stays valid after the program is restarted.
pub const PATHS_PERSIST: bool = cfg!(not(target_family = "wasm"));

/// All bytes of a file.
pub type SharedBytes = Arc<Cow<'static, [u8]>>;

/// The metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMetadata {
    /// The size in bytes; 0 for folders in memory.
    pub size: u64,
    /// `true` for a regular file, `false` for a folder, a pipe or a device.
    pub is_file: bool,
    /// The time of the last change. `None` in a browser.
    pub modified: Option<SystemTime>,
}

/// A stamp of an open file. If two stamps of a file differ, the file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The size in bytes.
    pub size: u64,
    /// The modification time; `None` if the system does not provide it.
    pub modified: Option<SystemTime>,
}
