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

/// Why a window cannot be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWindow {
    /// There is nothing to draw with.
    Driver,
    /// The window system does not answer.
    Display,
}

/// Does `work`, which puts a window together. Bevy connects to the window system in it and asks for a driver, and panics
/// if there is none: only then is the driver asked a second time, to tell that from other panics.
///
/// # Errors
/// If there is no driver, or no window system.
///
/// # Panics
/// If the work does for another reason.
pub fn with_driver<T>(work: impl FnOnce() -> T) -> Result<T, NoWindow> {
    let settings = WgpuSettings::default();
    let backends = settings.backends.unwrap_or(Backends::all());
    unless_missing(work, || initialize(backends, &settings).is_ok())
}

/// Does `work`. If it panics, asks whether a driver `is_there`: if not, that is why.
fn unless_missing<T>(
    work: impl FnOnce() -> T,
    is_there: impl FnOnce() -> bool,
) -> Result<T, NoWindow> {
    match silently(work) {
        Ok(made) => Ok(made),
        Err(panic) if told(panic.as_ref()).starts_with(NO_EVENT_LOOP) => Err(NoWindow::Display),
        // It was silent so far.
        Err(panic) if is_there() => panic!("{}", told(panic.as_ref())),
        Err(_) => Err(NoWindow::Driver),
    }
}

/// How the message of `bevy_winit`'s panic begins where the window system does not answer.
const NO_EVENT_LOOP: &str = "Failed to build event loop";

/// The message of a panic.
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
    silently(|| block_on(initialize_renderer(backends, None, settings))).map_err(|_| NoDriver)
}

/// The result of `work`, or what it panicked with; nothing is printed.
fn silently<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    // The hook is the whole process's: two at once would leave the silent one in place.
    static HOOK: Mutex<()> = Mutex::new(());
    let _alone = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
    panic::set_hook(hook);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_caught_silently() {
        assert_eq!(silently(|| 5).ok(), Some(5));
        let panic = silently(|| -> u8 { panic!("no GPU") }).unwrap_err();
        assert_eq!(told(panic.as_ref()), "no GPU");
    }

    #[test]
    fn missing_driver_is_told_and_asked_for_only_after_a_panic() {
        assert_eq!(unless_missing(|| 5, || unreachable!()), Ok(5));
        assert_eq!(
            unless_missing(|| -> u8 { panic!("no window") }, || false),
            Err(NoWindow::Driver)
        );
    }

    #[test]
    fn missing_window_system_is_told_whatever_the_driver() {
        let work = || -> u8 { panic!("{NO_EVENT_LOOP}: Os(OsError)") };
        assert_eq!(unless_missing(work, || unreachable!()), Err(NoWindow::Display));
    }

    #[test]
    #[should_panic(expected = "no window")]
    fn window_that_panics_with_a_driver_panics() {
        let _ = unless_missing(|| -> u8 { panic!("no window") }, || true);
    }
}
