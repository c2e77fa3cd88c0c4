//! A renderer that needs no window.

use std::{
    any::Any,
    panic,
    sync::{Mutex, PoisonError},
    thread,
};

use bevy::{
    render::{
        renderer::initialize_renderer,
        settings::{Backends, RenderCreation, RenderResources, WgpuSettings},
    },
    tasks::block_on,
};

use crate::capture::NoDriver;

/// Does `work`, which puts a window together, while the driver is asked whether it can draw: both take their time, and
/// Bevy, asked to open a window without a driver, panics.
///
/// # Errors
/// If there is no driver, whatever became of the work.
///
/// # Panics
/// If the work does, although there is a driver.
pub fn beside_driver<T>(work: impl FnOnce() -> T) -> Result<T, NoDriver> {
    let settings = WgpuSettings::default();
    let backends = settings.backends.unwrap_or(Backends::all());
    beside(move || drop(block_on(initialize_renderer(backends, None, &settings))), work)
}

/// Does `work` while another thread asks for a driver, which panics if there is none.
fn beside<T>(ask: impl FnOnce() + Send, work: impl FnOnce() -> T) -> Result<T, NoDriver> {
    let both = || {
        thread::scope(|scope| {
            let asked = scope.spawn(ask);
            let made = panic::catch_unwind(panic::AssertUnwindSafe(work));
            (asked.join().is_ok(), made)
        })
    };
    match silently(both) {
        Some((true, Ok(made))) => Ok(made),
        // It was silent so far.
        Some((true, Err(panic))) => panic!("{}", told(panic.as_ref())),
        _ => Err(NoDriver),
    }
}

/// What a panic said.
fn told(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("for an unknown reason")
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

    #[test]
    fn missing_driver_is_told_even_if_the_window_panics_first() {
        fn none() {
            panic!("no GPU");
        }
        assert_eq!(beside(|| (), || 5), Ok(5));
        assert_eq!(beside(none, || 5), Err(NoDriver));
        assert_eq!(beside(none, || -> u8 { panic!("no window") }), Err(NoDriver));
    }

    #[test]
    #[should_panic(expected = "no window")]
    fn window_that_panics_with_a_driver_panics() {
        let _ = beside(|| (), || -> u8 { panic!("no window") });
    }
}
