//! The window and its connection to the desktop.
//!
//! | file | what it does |
//! |---|---|
//! | `app`, `run` | build the app and run it |
//! | `window` | sets the title and size of the window, and handles requests of the session |
//! | `console` | leaves the console on Windows, and shows errors if there is none |
//! | `dialogs`, `drop` | open files from dialogs and from drag and drop |
//! | `page` | opens files in a browser |
//! | `pictures` | loads the images of the gallery |
//! | `idle` | stops drawing while nothing moves |

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
pub(crate) use console::{leave_own_console, show_error_dialog, stderr_has_reader};
#[cfg(not(target_family = "wasm"))]
pub use run::{RunError, run};

use bevy::prelude::*;

use crate::session::SessionSystems;

#[derive(Clone, Copy, Debug, Default)]
struct ViewerPlugin;

impl Plugin for ViewerPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(add_file_systems)
            .add_systems(PreStartup, window::connect_waker)
            .add_systems(Startup, pictures::load_sample_cards)
            .add_systems(PostStartup, window::restore_size)
            .add_systems(Update, window::forward_close_request.in_set(SessionSystems::Input))
            .add_systems(
                Update,
                (window::handle_requests, window::close_window).after(SessionSystems::Apply),
            )
            .add_systems(PostUpdate, (window::update_title, window::record_size))
            .add_systems(Last, idle::set_update_mode);
    }
}

#[cfg(not(target_family = "wasm"))]
fn add_file_systems(app: &mut App) {
    app.init_resource::<dialogs::OpenDialog>().add_systems(
        Update,
        (
            (drop::open_dropped_files, dialogs::handle_dialog_result).in_set(SessionSystems::Input),
            dialogs::choose_files.after(SessionSystems::Apply),
        ),
    );
}

#[cfg(target_family = "wasm")]
fn add_file_systems(app: &mut App) {
    app.add_systems(
        Update,
        (
            page::receive_messages.in_set(SessionSystems::Input),
            page::choose_files.after(SessionSystems::Apply),
        ),
    )
    .add_systems(Last, page::describe);
}
