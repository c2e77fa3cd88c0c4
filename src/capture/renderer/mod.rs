//! The renderer of a studio: on the desktop its own, which needs no window; in a browser
//! that of the page, which has only one.

#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(not(target_family = "wasm"))]
pub use system::{NoWindow, with_driver};

#[cfg(target_family = "wasm")]
pub use page::lend_renderer;

#[cfg(target_family = "wasm")]
pub(super) use page::create;
#[cfg(not(target_family = "wasm"))]
pub(super) use system::create;
