//! Integration tests of the viewer: images without a window, and the plugins in another app.

mod bevy;
mod capture;

/// Registers the formats and targets of other crates before any test runs.
#[ctor::ctor]
fn register() {
    mutoscope::register();
}
