//! The window and its connection to the desktop.
//!
//! | file | what it does |
//! |---|---|
//! | `run` | puts the app together and runs it |
//! | `window` | the window's title, size and screenshots; other requests of the session |
//! | `dialogs`, `drop` | files that are chosen, and that are dropped onto the window |
//! | `pictures` | the images of the gallery |
//! | `idle` | idling while nothing moves |

mod dialogs;
mod drop;
mod idle;
mod pictures;
mod run;
mod window;

pub use run::{RunError, run};

use bevy::prelude::*;

use crate::session::SessionSystems;

/// The window's services for the session: file dialogs, dropped files, screenshots, its title, and
/// idling.
#[derive(Clone, Copy, Debug, Default)]
struct ViewerPlugin;

impl Plugin for ViewerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<dialogs::OpenDialog>()
            .add_systems(PreStartup, window::lend_waker)
            .add_systems(Startup, pictures::show_sample_pictures)
            .add_systems(PostStartup, window::restore_size)
            .add_systems(
                Update,
                (
                    (drop::take_dropped_files, dialogs::answer).in_set(SessionSystems::Input),
                    (dialogs::choose_files, window::do_requests).after(SessionSystems::Apply),
                ),
            )
            .add_systems(PostUpdate, (window::name_the_window, window::note_size))
            .add_systems(Last, idle::rest_while_nothing_moves);
    }
}
