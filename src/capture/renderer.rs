//! A renderer that needs no window.

use std::{
    panic,
    sync::{Mutex, PoisonError},
};

use bevy::{
    render::{
        renderer::initialize_renderer,
        settings::{Backends, RenderCreation, WgpuSettings},
    },
    tasks::block_on,
};

use super::CaptureError;

/// Finds a driver and prepares it for drawing.
///
/// # Errors
/// If there is no driver.
pub(super) fn create() -> Result<RenderCreation, CaptureError> {
    let settings = WgpuSettings::default();
    // Not OpenGL, which Bevy would try as well: looking for it without a display is loud.
    let backends = Backends::from_env().unwrap_or(Backends::PRIMARY);
    // Bevy has no other way to tell that there is no driver than to panic.
    let renderer = silently(|| block_on(initialize_renderer(backends, None, &settings)));
    renderer.map(RenderCreation::Manual).ok_or(CaptureError::NoDriver)
}

/// What `work` returns; nothing, and nothing printed, if it panics.
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
    fn a_panic_becomes_nothing() {
        assert_eq!(silently(|| 5), Some(5));
        assert_eq!(silently(|| panic!("no GPU")), None::<()>);
    }
}
