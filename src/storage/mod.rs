//! Where files are. On the desktop that is the file system. A page in a browser has none: there it is
//! memory, with the files that were dropped on the page, picked or fetched.
//!
//! Whoever looks for files by their paths asks here, and so finds them in both.
//!
//! | file | what it does |
//! |---|---|
//! | `system` | the file system |
//! | `memory` | files in memory, by their paths |
//! | `page` | those that a page was given |

#[cfg(any(test, target_family = "wasm"))]
mod memory;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(target_family = "wasm")]
pub(crate) use page::{about, files_in, give, is_dir, open, read};
#[cfg(not(target_family = "wasm"))]
pub(crate) use system::{about, files_in, read};
#[cfg(all(not(target_family = "wasm"), feature = "viewer"))]
pub(crate) use system::{is_dir, open};

/// Whether a file that is at a path now will be there when the program is started anew.
#[cfg(feature = "viewer")]
pub(crate) const OUTLIVES_A_RUN: bool = cfg!(not(target_family = "wasm"));

/// What is known of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct About {
    /// In bytes.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code, reason = "only the viewer waits for it"))]
    pub(crate) size: u64,
    /// Whether it is a file, rather than a folder, a pipe or a device.
    pub(crate) is_file: bool,
}
