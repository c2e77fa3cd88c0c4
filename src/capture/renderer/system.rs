//! A renderer that needs no window.

use std::{
    panic,
    sync::{Mutex, PoisonError},
};

use bevy::{
    render::{
        renderer::initialize_renderer,
        settings::{Backends, RenderCreation, RenderResources, WgpuSettings},
    },
    tasks::block_on,
};

use crate::capture::NoDriver;

/// Whether a window could be drawn: Bevy, asked to open one without a driver, panics.
///
/// # Errors
/// If there is no driver.
pub fn probe_driver() -> Result<(), NoDriver> {
    let settings = WgpuSettings::default();
    let backends = settings.backends.unwrap_or(Backends::all());
    initialize(backends, &settings).map(drop)
}

/// Finds a driver and prepares it for drawing without a window.
///
/// # Errors
/// If there is no driver.
pub(in crate::capture) fn create() -> Result<RenderCreation, NoDriver> {
    // Not OpenGL, which Bevy would try as well: without a display that prints errors.
    let backends = Backends::from_env().unwrap_or(Backends::PRIMARY);
    initialize(backends, &WgpuSettings::default()).map(RenderCreation::Manual)
}

fn initialize(backends: Backends, settings: &WgpuSettings) -> Result<RenderResources, NoDriver> {
    // Bevy has no other way to tell that there is no driver than to panic.
    silently(|| block_on(initialize_renderer(backends, None, settings))).ok_or(NoDriver)
}

/// The result of `work`; nothing, and nothing printed, if it panics.
fn silently<T>(work: impl FnOnce() -> T) -> Option<T> {
    // The hook is the whole process's: two at once would leave the silent one in place.
    static HOOK: Mutex<()> = Mutex::new(());
    let _alone = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
    panic::set_hook(hook);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_caught_silently() {
        assert_eq!(silently(|| 5), Some(5));
        assert_eq!(silently(|| panic!("no GPU")), None::<()>);
    }
}
