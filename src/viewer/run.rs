//! Putting the application together and running it.

use std::path::PathBuf;

use bevy::{
    app::AppExit,
    log::{Level, LogPlugin},
    prelude::*,
    window::WindowResolution,
};
use bevy_egui::EguiPlugin;

use super::ViewerPlugin;
use crate::{
    capture,
    recording::RecordingPlugin,
    session::{Command, CommandQueue, SessionPlugin},
    stage::{PlayerSkin, StagePlugin},
    ui::UiPlugin,
};

/// The size of the window at first, in logical pixels.
const WINDOW_SIZE: (u32, u32) = (1280, 720);

/// The engine's log on standard error: errors and warnings only.
const LOG_FILTER: &str = "wgpu=error,naga=error,bevy_render=error,bevy_winit=error";

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

/// Opens the window on `paths`, or on the gallery, and returns when it is closed. `session` says how
/// files are read; `player_skin` has the skins of Minecraft players.
///
/// # Errors
/// If there is no display or no Vulkan driver, or if the application ends with an error.
pub fn run(
    paths: Vec<PathBuf>,
    session: SessionPlugin,
    player_skin: PlayerSkin,
) -> Result<(), RunError> {
    if !has_display() {
        return Err(RunError::NoDisplay);
    }
    capture::probe_driver()?;
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(window_plugin()).set(log_plugin())).add_plugins((
        EguiPlugin::default(),
        RecordingPlugin,
        StagePlugin,
        session,
        UiPlugin,
        ViewerPlugin,
    ));
    app.insert_resource(player_skin);
    if !paths.is_empty() {
        app.world_mut().resource_mut::<CommandQueue>().0.push(Command::OpenPaths(paths));
    }
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => Err(RunError::Failed),
    }
}

fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn window_plugin() -> WindowPlugin {
    let (width, height) = WINDOW_SIZE;
    WindowPlugin {
        primary_window: Some(Window {
            title: "Mutoscope".to_owned(),
            name: Some("mutoscope".to_owned()),
            resolution: WindowResolution::new(width, height),
            ..default()
        }),
        ..default()
    }
}

fn log_plugin() -> LogPlugin {
    LogPlugin { level: Level::WARN, filter: LOG_FILTER.to_owned(), ..default() }
}
