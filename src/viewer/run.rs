//! Opens the window and runs the app.

use std::{env, ffi::OsString, num::NonZero, thread};

use bevy::app::AppExit;

use super::app::build_app;
use crate::{
    capture::{self, NoDriver, WindowError},
    session::{Command, CommandQueue, SessionPlugin},
};
use bevy_mutoscope::stage::PlayerSkin;
use mutoscope_core::io::parallel::set_thread_count;

/// The reason why the viewer cannot run on this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// No window system is available.
    #[error(
        "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); `mutoscope render` \
         makes images without one"
    )]
    NoDisplay,
    /// The window system does not respond. The field names the displays that were tried.
    #[error(
        "the display cannot be reached ({0}): is its server running, and may this user connect to it? \
         `mutoscope render` makes images without one"
    )]
    DisplayUnreachable(String),
    /// No graphics driver is available.
    #[error(transparent)]
    NoDriver(#[from] NoDriver),
    /// The window closed because of an error.
    #[error("the window closed because of an error, see above")]
    Failed,
}

/// Opens the window, runs `command` if there is one, and returns when the window is closed.
/// `session` holds the reading options; `player_skin` holds the skins of Minecraft players.
///
/// # Errors
/// If there is no display, if it does not respond, if there is no Vulkan driver, or if the app ends
/// with an error.
pub fn run(
    command: Option<Command>,
    session: SessionPlugin,
    player_skin: PlayerSkin,
) -> Result<(), RunError> {
    if !has_display() {
        return Err(RunError::NoDisplay);
    }
    leave_core_for_frames();
    let result = capture::catch_window_errors(|| build_app(session, player_skin));
    let mut app = result.map_err(|why| match why {
        WindowError::MissingDriver => RunError::NoDriver(NoDriver),
        WindowError::MissingDisplay => RunError::DisplayUnreachable(list_displays()),
    })?;
    app.world_mut().resource_mut::<CommandQueue>().0.extend(command);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => Err(RunError::Failed),
    }
}

/// Lets exports use all cores but one, so that the window stays smooth meanwhile.
fn leave_core_for_frames() {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    set_thread_count(NonZero::new(cores - 1).unwrap_or(NonZero::<usize>::MIN));
}

fn has_display() -> bool {
    !cfg!(target_os = "linux") || named_displays().next().is_some()
}

fn list_displays() -> String {
    let named: Vec<_> =
        named_displays().map(|(name, value)| format!("{name}={}", value.display())).collect();
    match named.is_empty() {
        true => "the window system of this machine".to_owned(),
        false => named.join(", "),
    }
}

fn named_displays() -> impl Iterator<Item = (&'static str, OsString)> {
    let value = |name| env::var_os(name).filter(|value| !value.is_empty());
    ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().filter_map(move |name| Some((name, value(name)?)))
}
