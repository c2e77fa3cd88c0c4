//! Sets the title and size of the window, and handles the session's requests to it.

use std::path::{Path, PathBuf};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, save_to_disk},
    window::{ClosingWindow, MonitorSelection, PrimaryWindow, WindowCloseRequested, WindowMode},
    winit::{EventLoopProxyWrapper, WinitUserEvent},
};
use bevy_egui::EguiClipboard;

use crate::session::{
    Command, CommandQueue, EditHistory, Files, OpenRecordings, Panels, RecordingItem, Waker,
    WindowRequest,
};

pub(super) const MIN_SIZE_PX: (f32, f32) = (480.0, 320.0);
const MAX_SIDE_PX: f32 = 16_384.0;

pub(super) fn connect_waker(window: Option<Res<EventLoopProxyWrapper>>, mut waker: ResMut<Waker>) {
    if let Some(window) = window {
        let window = (**window).clone();
        *waker = Waker::new(move || {
            // Ignore the error, because sending fails only if the window is already closed.
            let _ = window.send_event(WinitUserEvent::WakeUp);
        });
    }
}

pub(super) fn restore_size(
    panels: Res<Panels>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
) {
    // In a browser the page determines the size.
    if cfg!(target_family = "wasm") {
        return;
    }
    if let (Ok(mut window), Some((width, height))) = (window.single_mut(), panels.window) {
        let (width, height) =
            (width.clamp(MIN_SIZE_PX.0, MAX_SIDE_PX), height.clamp(MIN_SIZE_PX.1, MAX_SIDE_PX));
        window.resolution.set(width, height);
    }
}

pub(super) fn record_size(
    window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>,
    mut panels: ResMut<Panels>,
) {
    if let Ok(window) = window.single() {
        let size = Some((window.width(), window.height()));
        if panels.window != size {
            panels.window = size;
        }
        let full_screen = window.mode != WindowMode::Windowed;
        if panels.full_screen != full_screen {
            panels.full_screen = full_screen;
        }
    }
}

pub(super) fn handle_requests(
    mut requests: MessageReader<WindowRequest>,
    mut files: ResMut<Files>,
    mut clipboard: ResMut<EguiClipboard>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
    mut commands: Commands,
) {
    for request in requests.read() {
        match request {
            // The `dialogs` module handles these requests.
            WindowRequest::ChooseFiles(_) | WindowRequest::ChooseOutput(_) => {}
            WindowRequest::OpenFolder(folder) => open_folder(folder, &mut files),
            // `close_window` handles this request.
            WindowRequest::Close => {}
            WindowRequest::CopyText(text) => clipboard.set_text(text),
            WindowRequest::SaveScreenshot => {
                let path = unused_path("mutoscope", "png");
                files.notify(format!("Saved {}", path.display()));
                commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
            }
            WindowRequest::ToggleFullScreen => {
                if let Ok(mut window) = window.single_mut() {
                    window.mode = toggle_mode(window.mode);
                }
            }
        }
    }
}

#[cfg(not(target_family = "wasm"))]
fn open_folder(folder: &Path, files: &mut Files) {
    // Wait for the file manager in a thread, because some desktops start it slowly.
    let folder = folder.to_owned();
    if let Err(error) = std::thread::Builder::new().spawn(move || {
        if let Err(error) = opener::open(&folder) {
            warn!("cannot open the folder {}: {error}", folder.display());
        }
    }) {
        files.notify(format!("Cannot open the folder: {error}"));
    }
}

/// Does nothing, because a page has no folders.
#[cfg(target_family = "wasm")]
fn open_folder(_folder: &Path, _files: &mut Files) {}

/// Queues a command instead of closing the window, because the session asks first if edits would be
/// lost.
pub(super) fn forward_close_request(
    mut requests: MessageReader<WindowCloseRequested>,
    mut queue: ResMut<CommandQueue>,
) {
    if requests.read().count() > 0 {
        queue.0.push(Command::CloseWindow);
    }
}

/// Closes the window if the session requests it. The window is despawned one frame after the
/// request, because the renderer must release its surface first.
pub(super) fn close_window(
    mut requests: MessageReader<WindowRequest>,
    window: Query<(Entity, Has<ClosingWindow>), With<PrimaryWindow>>,
    waker: Res<Waker>,
    mut commands: Commands,
) {
    let is_requested =
        requests.read().filter(|request| **request == WindowRequest::Close).count() > 0;
    for (window, is_closing) in &window {
        if is_closing {
            commands.entity(window).try_despawn();
        } else if is_requested {
            commands.entity(window).try_insert(ClosingWindow);
            waker.wake();
        }
    }
}

fn toggle_mode(mode: WindowMode) -> WindowMode {
    match mode {
        WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
        _ => WindowMode::Windowed,
    }
}

fn unused_path(stem: &str, extension: &str) -> PathBuf {
    let names = (1..).map(|number| PathBuf::from(format!("{stem}-{number}.{extension}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}

/// Sets the window's title to the names of the open recordings.
///
/// This system must not run in [`Last`], because winit applies changes of the window there. If the
/// title changed after that, the next window event could overwrite the new title.
pub(super) fn update_title(
    open: OpenRecordings,
    history: Res<EditHistory>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
) {
    let name = |recording: &RecordingItem<'_>| {
        let is_changed = history.has_unsaved_edits(recording.entity, recording.index == 0);
        format!("{}{}", if is_changed { "\u{2022} " } else { "" }, recording.source.name())
    };
    let names: Vec<String> = open.in_order().iter().map(name).collect();
    let title = match &names[..] {
        [] => "Mutoscope".to_owned(),
        names => format!("{} — Mutoscope", names.join(", ")),
    };
    if let Ok(mut window) = window.single_mut()
        && window.title != title
    {
        window.title = title;
    }
}
