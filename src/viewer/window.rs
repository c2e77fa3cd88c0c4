//! The window itself: its title and size, and requests of the session.

use std::path::PathBuf;

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, save_to_disk},
    window::{ClosingWindow, MonitorSelection, PrimaryWindow, WindowCloseRequested, WindowMode},
    winit::{EventLoopProxyWrapper, WinitUserEvent},
};
use bevy_egui::EguiClipboard;

use crate::session::{
    Command, CommandQueue, Files, OpenRecording, OpenRecordings, Panels, Waker, WindowRequest,
};

/// The smallest and the largest window that is restored, in logical pixels.
const SMALLEST: (f32, f32) = (480.0, 320.0);
const LARGEST: f32 = 16_384.0;

/// Lets other threads wake the window.
pub(super) fn lend_waker(window: Option<Res<EventLoopProxyWrapper>>, mut waker: ResMut<Waker>) {
    if let Some(window) = window {
        let window = (**window).clone();
        *waker = Waker::new(move || {
            // If the receiver is gone, the window is closed.
            let _ = window.send_event(WinitUserEvent::WakeUp);
        });
    }
}

/// Makes the window as large as it was in the last run.
pub(super) fn restore_size(
    panels: Res<Panels>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
) {
    // In a browser the page determines the size.
    if cfg!(target_family = "wasm") {
        return;
    }
    if let (Ok(mut window), Some((width, height))) = (window.single_mut(), panels.window) {
        let (width, height) = (width.clamp(SMALLEST.0, LARGEST), height.clamp(SMALLEST.1, LARGEST));
        window.resolution.set(width, height);
    }
}

/// Tells the session how large the window is, and whether it fills the screen.
pub(super) fn note_size(
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

/// Carries out the session's requests to the window.
pub(super) fn do_requests(
    mut requests: MessageReader<WindowRequest>,
    mut files: ResMut<Files>,
    mut clipboard: ResMut<EguiClipboard>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
    mut commands: Commands,
) {
    for request in requests.read() {
        match request {
            // The dialogs module handles it.
            WindowRequest::ChooseFiles(_) => {}
            // `close` does it.
            WindowRequest::Close => {}
            WindowRequest::CopyText(text) => clipboard.set_text(text),
            WindowRequest::SaveScreenshot => {
                let path = free_name("mutoscope", "png");
                files.say(format!("Saved {}", path.display()));
                commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
            }
            WindowRequest::ToggleFullScreen => {
                if let Ok(mut window) = window.single_mut() {
                    window.mode = other_mode(window.mode);
                }
            }
        }
    }
}

/// Lets the session decide whether the window closes.
pub(super) fn ask_to_close(
    mut requests: MessageReader<WindowCloseRequested>,
    mut queue: ResMut<CommandQueue>,
) {
    if requests.read().count() > 0 {
        queue.0.push(Command::CloseWindow);
    }
}

/// Closes the window if the session requests it: in the frame after, because what draws has to let go of
/// it first.
pub(super) fn close(
    mut requests: MessageReader<WindowRequest>,
    window: Query<(Entity, Has<ClosingWindow>), With<PrimaryWindow>>,
    waker: Res<Waker>,
    mut commands: Commands,
) {
    let is_asked = requests.read().filter(|request| **request == WindowRequest::Close).count() > 0;
    for (window, is_closing) in &window {
        if is_closing {
            commands.entity(window).try_despawn();
        } else if is_asked {
            commands.entity(window).try_insert(ClosingWindow);
            waker.wake();
        }
    }
}

fn other_mode(mode: WindowMode) -> WindowMode {
    match mode {
        WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
        _ => WindowMode::Windowed,
    }
}

/// A name in the current folder that no file has yet.
fn free_name(stem: &str, extension: &str) -> PathBuf {
    let names = (1..).map(|number| PathBuf::from(format!("{stem}-{number}.{extension}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}

/// Keeps the window's title in step with what plays. Not in [`Last`], where the window system is
/// notified of changes: one that is made after that is lost if an event of the window comes before
/// the next frame.
pub(super) fn name_the_window(
    open: OpenRecordings,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
) {
    let name = |one: &OpenRecording<'_>| {
        format!("{}{}", if one.is_changed() { "\u{2022} " } else { "" }, one.source.name())
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
