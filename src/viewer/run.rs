//! Opening the window.

use std::{env, ffi::OsString};

use bevy::app::AppExit;

use super::app::app;
use crate::{
    capture::{self, NoDriver, NoWindow},
    session::{Command, CommandQueue, SessionPlugin},
    stage::PlayerSkin,
};

/// Why the viewer cannot run on this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There is no window system.
    #[error(
        "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); `mutoscope render` \
         makes images without one"
    )]
    NoDisplay,
    /// The window system does not answer.
    #[error(
        "the display cannot be reached ({0}): is its server running, and may this user connect to it? \
         `mutoscope render` makes images without one"
    )]
    SilentDisplay(String),
    /// There is nothing to draw with.
    #[error(transparent)]
    NoDriver(#[from] NoDriver),
    /// The window closed because of an error.
    #[error("the window closed because of an error, see above")]
    Failed,
}

/// Opens the window, does `command` first, if there is one, and returns when it is closed. `session` says how
/// files are read; `player_skin` has the skins of Minecraft players.
///
/// # Errors
/// If there is no display, if it does not answer, if there is no Vulkan driver, or if the application ends with an error.
pub fn run(
    command: Option<Command>,
    session: SessionPlugin,
    player_skin: PlayerSkin,
) -> Result<(), RunError> {
    if !has_display() {
        return Err(RunError::NoDisplay);
    }
    let made = capture::with_driver(|| app(session, player_skin));
    let mut app = made.map_err(|why| match why {
        NoWindow::Driver => RunError::NoDriver(NoDriver),
        NoWindow::Display => RunError::SilentDisplay(displays()),
    })?;
    app.world_mut().resource_mut::<CommandQueue>().0.extend(command);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => Err(RunError::Failed),
    }
}

fn has_display() -> bool {
    !cfg!(target_os = "linux") || named_displays().next().is_some()
}

/// The displays that the environment names, as text: `DISPLAY=:0`.
fn displays() -> String {
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
