//! Creates a renderer without a window, and detects missing drivers.

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

/// A reason why a window cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowError {
    /// No usable graphics driver was found.
    MissingDriver,
    /// The window system does not respond.
    MissingDisplay,
}

/// Calls `work`, which creates a window, and turns Bevy's panics about missing drivers and displays
/// into errors.
///
/// Bevy panics if it finds no window system or no driver. After a panic, this function requests a
/// driver by itself, to find out whether the driver is missing.
///
/// # Errors
/// If there is no driver, or no window system.
///
/// # Panics
/// If `work` panics for another reason.
pub fn catch_window_errors<T>(work: impl FnOnce() -> T) -> Result<T, WindowError> {
    let settings = WgpuSettings::default();
    let backends = settings.backends.unwrap_or(Backends::all());
    catch_window_errors_with(work, || try_initialize(backends, &settings).is_ok())
}

fn catch_window_errors_with<T>(
    work: impl FnOnce() -> T,
    has_driver: impl FnOnce() -> bool,
) -> Result<T, WindowError> {
    match catch_panic_silently(work) {
        Ok(result) => Ok(result),
        Err(panic) if panic_message(panic.as_ref()).starts_with(EVENT_LOOP_PANIC_PREFIX) => {
            Err(WindowError::MissingDisplay)
        }
        // Panic again with the same message, because the silent hook did not print it.
        Err(panic) if has_driver() => panic!("{}", panic_message(panic.as_ref())),
        Err(_) => Err(WindowError::MissingDriver),
    }
}

/// The beginning of the message with which `bevy_winit` panics if the window system does not
/// respond.
const EVENT_LOOP_PANIC_PREFIX: &str = "Failed to build event loop";

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("for an unknown reason")
}

pub(in crate::capture) fn create_renderer() -> Result<RenderCreation, NoDriver> {
    // Do not try OpenGL, because it prints errors if there is no display. Bevy would try OpenGL by
    // default.
    let backends = Backends::from_env().unwrap_or(Backends::PRIMARY);
    try_initialize(backends, &WgpuSettings::default()).map(RenderCreation::Manual)
}

fn try_initialize(
    backends: Backends,
    settings: &WgpuSettings,
) -> Result<RenderResources, NoDriver> {
    // Catch the panic, because Bevy panics if there is no driver and does not return an error.
    catch_panic_silently(|| block_on(initialize_renderer(backends, None, settings)))
        .map_err(|_| NoDriver)
}

fn catch_panic_silently<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    // Hold a lock, because the panic hook is global. If two threads replaced the hook at the same
    // time, one of them could restore the silent hook.
    static HOOK: Mutex<()> = Mutex::new(());
    let _guard = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
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
        assert_eq!(catch_panic_silently(|| 5).ok(), Some(5));
        let panic = catch_panic_silently(|| -> u8 { panic!("no GPU") }).unwrap_err();
        assert_eq!(panic_message(panic.as_ref()), "no GPU");
    }

    #[test]
    fn driver_is_checked_only_after_a_panic() {
        assert_eq!(catch_window_errors_with(|| 5, || unreachable!()), Ok(5));
        assert_eq!(
            catch_window_errors_with(|| -> u8 { panic!("no window") }, || false),
            Err(WindowError::MissingDriver)
        );
    }

    #[test]
    fn missing_window_system_is_reported_without_checking_the_driver() {
        let work = || -> u8 { panic!("{EVENT_LOOP_PANIC_PREFIX}: Os(OsError)") };
        assert_eq!(
            catch_window_errors_with(work, || unreachable!()),
            Err(WindowError::MissingDisplay)
        );
    }

    #[test]
    #[should_panic(expected = "no window")]
    fn other_panics_are_rethrown() {
        let _ = catch_window_errors_with(|| -> u8 { panic!("no window") }, || true);
    }
}
