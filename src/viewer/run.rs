//! Opening the window.

use bevy::app::AppExit;

use super::app::app;
use crate::{
    capture,
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
    /// There is nothing to draw with.
    #[error(transparent)]
    NoDriver(#[from] capture::NoDriver),
    /// The window closed because of an error.
    #[error("the window closed because of an error, see above")]
    Failed,
}

/// Opens the window, does `command` first, if there is one, and returns when it is closed. `session` says how
/// files are read; `player_skin` has the skins of Minecraft players.
///
/// # Errors
/// If there is no display or no Vulkan driver, or if the application ends with an error.
pub fn run(
    command: Option<Command>,
    session: SessionPlugin,
    player_skin: PlayerSkin,
) -> Result<(), RunError> {
    if !has_display() {
        return Err(RunError::NoDisplay);
    }
    let mut app = capture::with_driver(|| app(session, player_skin))?;
    app.world_mut().resource_mut::<CommandQueue>().0.extend(command);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => Err(RunError::Failed),
    }
}

fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
