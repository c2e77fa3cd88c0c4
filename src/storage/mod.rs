//! Access to files by their paths: on the desktop in the file system, in a browser in memory, which
//! has the files that were dropped on the page, chosen or fetched.
//!
//! | file | what it does |
//! |---|---|
//! | `system` | the file system |
//! | `memory` | files in memory, by their paths |
//! | `page` | the files that a page was given |

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

/// Whether a path is valid in the next run of the program.
#[cfg(feature = "viewer")]
pub(crate) const OUTLIVES_A_RUN: bool = cfg!(not(target_family = "wasm"));

/// The metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct About {
    /// In bytes.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code, reason = "only the viewer uses it"))]
    pub(crate) size: u64,
    /// Whether it is a file, rather than a folder, a pipe or a device.
    pub(crate) is_file: bool,
}
