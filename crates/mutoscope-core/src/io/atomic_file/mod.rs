//! Files that are complete or absent. On the desktop they are written to a temporary file in the folder of
//! their destination, and renamed when complete; in a browser they are written to memory, and then
//! downloaded.
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
