//! Output files that are either complete or absent. On the desktop, a file is written to a
//! temporary file in the folder of its destination and renamed when it is complete. In a browser,
//! it is written to memory and then downloaded.
//!
//! | file | what it does |
//! |---|---|
//! | `system` | files and folders of the file system |
//! | `page` | downloads |

#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(target_family = "wasm")]
pub(super) use page::temporary_file;
#[cfg(target_family = "wasm")]
pub use page::{Deliver, UnfinishedFile, begin, finish, set_delivery};
#[cfg(not(target_family = "wasm"))]
pub(super) use system::temporary_file;
#[cfg(not(target_family = "wasm"))]
pub use system::{UnfinishedFile, begin, finish};
#[cfg(not(target_family = "wasm"))]
pub use system::{begin_folder, finish_folder};
