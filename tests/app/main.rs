//! The viewer's own: images without a window, and the plugin in somebody else's app.

mod bevy;
mod capture;

/// Before any test: formats and targets of other crates.
#[ctor::ctor]
fn register() {
    mutoscope::register();
}
