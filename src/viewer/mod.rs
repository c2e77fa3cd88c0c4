//! The window and its connection to the desktop.
//!
//! | file | what it does |
//! |---|---|
//! | `app`, `run` | puts the app together and runs it |
//! | `window` | the window's title, size and screenshots; other requests of the session |
//! | `console` | the console on Windows, and errors where there is none |
//! | `dialogs`, `drop` | files that are chosen, and that are dropped onto the window |
//! | `page` | the same for a page in a browser |
//! | `pictures` | the images of the gallery |
//! | `idle` | idling while nothing moves |

mod app;
#[cfg(not(target_family = "wasm"))]
mod console;
#[cfg(not(target_family = "wasm"))]
mod dialogs;
#[cfg(not(target_family = "wasm"))]
mod drop;
mod idle;
#[cfg(target_family = "wasm")]
pub mod page;
mod pictures;
#[cfg(not(target_family = "wasm"))]
mod run;
mod window;

#[cfg(not(target_family = "wasm"))]
pub(crate) use console::{has_reader, leave_own_console, show_failure};
#[cfg(not(target_family = "wasm"))]
pub use run::{RunError, run};

use bevy::prelude::*;

use crate::session::SessionSystems;

/// The window's services for the session: file dialogs, dropped files, screenshots, its title, and
/// idling.
#[derive(Clone, Copy, Debug, Default)]
struct ViewerPlugin;

impl Plugin for ViewerPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(files)
            .add_systems(PreStartup, window::lend_waker)
            .add_systems(Startup, pictures::show_sample_pictures)
            .add_systems(PostStartup, window::restore_size)
            .add_systems(Update, window::ask_to_close.in_set(SessionSystems::Input))
            .add_systems(Update, (window::do_requests, window::close).after(SessionSystems::Apply))
            .add_systems(PostUpdate, (window::name_the_window, window::note_size))
            .add_systems(Last, idle::rest_while_nothing_moves);
    }
}

/// Opens files that are dropped onto the window or chosen in a dialog.
#[cfg(not(target_family = "wasm"))]
fn files(app: &mut App) {
    app.init_resource::<dialogs::OpenDialog>().add_systems(
        Update,
        (
            (drop::take_dropped_files, dialogs::answer).in_set(SessionSystems::Input),
            dialogs::choose_files.after(SessionSystems::Apply),
        ),
    );
}

/// Opens files from the page.
#[cfg(target_family = "wasm")]
fn files(app: &mut App) {
    app.add_systems(
        Update,
        (
            page::listen.in_set(SessionSystems::Input),
            page::choose_files.after(SessionSystems::Apply),
        ),
    )
    .add_systems(Last, page::describe);
}
