//! The viewer's own: images without a window, and the plugin in somebody else's app.

mod bevy;
mod capture;
