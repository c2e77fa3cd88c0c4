//! Putting the application together.

use bevy::{
    log::{Level, LogPlugin},
    prelude::*,
    window::WindowResolution,
};
use bevy_egui::EguiPlugin;

use super::ViewerPlugin;
use crate::{
    recording::RecordingPlugin,
    session::SessionPlugin,
    stage::{PlayerSkin, StagePlugin},
    ui::UiPlugin,
};

/// The size of the window at first, in logical pixels.
const WINDOW_SIZE: (u32, u32) = (1280, 720);

/// The engine's log on standard error: errors and warnings only.
const LOG_FILTER: &str = "wgpu=error,naga=error,bevy_render=error,bevy_winit=error";

/// The viewer, on the gallery. `session` says how files are read; `player_skin` has the skins of
/// Minecraft players.
pub(super) fn app(session: SessionPlugin, player_skin: PlayerSkin) -> App {
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
    app
}

fn window_plugin() -> WindowPlugin {
    let (width, height) = WINDOW_SIZE;
    WindowPlugin {
        primary_window: Some(Window {
            title: "Mutoscope".to_owned(),
            name: Some("mutoscope".to_owned()),
            resolution: WindowResolution::new(width, height),
            // In a browser: as large as its parent element. The page decides which keys are not the
            // browser's.
            canvas: Some("#mutoscope".to_owned()),
            fit_canvas_to_parent: true,
            prevent_default_event_handling: false,
            ..default()
        }),
        // The session asks first if anything would be lost.
        close_when_requested: false,
        ..default()
    }
}

fn log_plugin() -> LogPlugin {
    LogPlugin { level: Level::WARN, filter: LOG_FILTER.to_owned(), ..default() }
}
