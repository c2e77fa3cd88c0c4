//! The viewer in a web page. It opens the files that the link to the page names, and receives files
//! from the browser.
//!
//! | file | what it does |
//! |---|---|
//! | `start` | fetches the files that a link names, and starts the viewer |
//! | `inbox` | receives dropped and chosen files |
//! | `describe` | describes the page for screen readers |
//!
//! A path begins with the number of the drop, or with `link` for fetched files. So files that the
//! user gave together share a folder, separate from earlier files.

mod describe;
mod inbox;
mod start;

pub(super) use describe::describe;
pub(super) use inbox::{choose_files, receive_messages};
pub use start::start;
