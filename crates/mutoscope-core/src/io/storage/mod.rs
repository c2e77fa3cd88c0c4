//! Access to files by their paths: on the desktop in the file system, in a browser in memory, which
//! has the files that were dropped on the page, chosen or fetched.
//!
//! | file | what it does |
//! |---|---|
//! | `system` | the file system |
//! | `memory` | files in memory, by their paths |
//! | `page` | the files that a page was given |

use std::{borrow::Cow, sync::Arc};

use std::time::SystemTime;

#[cfg(any(test, target_family = "wasm"))]
mod memory;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(target_family = "wasm")]
pub use page::{File, about, files_in, give, in_memory, is_dir, open, read, stamp};
#[cfg(not(target_family = "wasm"))]
pub use system::{File, about, files_in, open, read, stamp};
#[cfg(not(target_family = "wasm"))]
pub use system::{in_memory, is_dir};

/// Whether a path is valid in the next run of the program.
pub const OUTLIVES_A_RUN: bool = cfg!(not(target_family = "wasm"));

/// All bytes of a file.
pub type SharedBytes = Arc<Cow<'static, [u8]>>;

/// The metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// In bytes.
    pub size: u64,
    /// Whether it is a file, rather than a folder, a pipe or a device.
    pub is_file: bool,
}

/// Tells whether an open file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// In bytes.
    pub size: u64,
    /// When it was modified, where the system knows.
    pub modified: Option<SystemTime>,
}
