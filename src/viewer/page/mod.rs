//! The viewer in a page: it starts on what a link requests, and takes files from the browser.
//!
//! | file | what it does |
//! |---|---|
//! | `start` | fetches what a link names, and starts the viewer |
//! | `inbox` | receives files that are dropped and chosen |
//! | `describe` | describes the page for screen readers |
//!
//! A path begins with the number of the drop, or with `link` for fetched files. So files that were
//! given together are in one folder, apart from those that were given before.

mod describe;
mod inbox;
mod start;

pub(super) use describe::describe;
pub(super) use inbox::{choose_files, listen};
pub use start::start;
