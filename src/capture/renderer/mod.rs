//! Creates the renderer of a studio. On the desktop each studio has its own renderer without a
//! window. In a browser it uses the only renderer of the page.

#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(not(target_family = "wasm"))]
pub use system::{WindowError, catch_window_errors};

#[cfg(target_family = "wasm")]
pub use page::share_renderer;

#[cfg(target_family = "wasm")]
pub(super) use page::create_renderer;
#[cfg(not(target_family = "wasm"))]
pub(super) use system::create_renderer;
