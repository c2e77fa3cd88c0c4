//! Builds the Bevy app of the viewer.

use bevy::{
    log::{Level, LogPlugin},
    prelude::*,
    window::{WindowResizeConstraints, WindowResolution},
};
use bevy_egui::EguiPlugin;

use super::{ViewerPlugin, window::MIN_SIZE_PX};
use crate::{session::SessionPlugin, ui::UiPlugin};
use bevy_mutoscope::{
    RecordingPlugin,
    stage::{PlayerSkin, StagePlugin},
};

/// The initial size of the window, in logical pixels.
const WINDOW_SIZE: (u32, u32) = (1280, 720);

/// Bevy logs only the errors of these modules to standard error. For all other modules, it logs
/// warnings too.
const LOG_FILTER: &str = "wgpu=error,naga=error,bevy_render=error,bevy_winit=error";

pub(super) fn build_app(session: SessionPlugin, player_skin: PlayerSkin) -> App {
    let mut app = App::new();
    let plugins = DefaultPlugins.set(window_plugin()).set(log_plugin()).set(asset_plugin());
    app.add_plugins(plugins).add_plugins((
        EguiPlugin::default(),
        RecordingPlugin,
        StagePlugin::viewer(),
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
            resize_constraints: WindowResizeConstraints {
                min_width: MIN_SIZE_PX.0,
                min_height: MIN_SIZE_PX.1,
                ..default()
            },
            // In a browser, the canvas has the size of its parent element. The event handlers of
            // `browser::take_over_canvas` decide whether the viewer or the browser gets a key.
            canvas: Some("#mutoscope".to_owned()),
            fit_canvas_to_parent: true,
            prevent_default_event_handling: false,
            ..default()
        }),
        // Bevy must not close the window by itself, because the session first asks the user if
        // edits would be lost.
        close_when_requested: false,
        ..default()
    }
}

fn asset_plugin() -> AssetPlugin {
    // The session watches the files of recordings itself. Without this, Bevy warns that there is no
    // folder `assets` to watch.
    AssetPlugin { watch_for_changes_override: Some(false), ..default() }
}

fn log_plugin() -> LogPlugin {
    LogPlugin { level: Level::WARN, filter: LOG_FILTER.to_owned(), ..default() }
}
