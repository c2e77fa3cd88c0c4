//! Files that are whole or not there. On the desktop they are written beside their destination, and
//! moved there when they are complete; in a browser they are written to memory, and then downloaded.
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
pub use page::{Deliver, Unfinished, begin, deliver_by, finish};
#[cfg(not(target_family = "wasm"))]
pub use system::{Unfinished, begin, finish};
#[cfg(not(target_family = "wasm"))]
pub use system::{begin_folder, finish_folder};
