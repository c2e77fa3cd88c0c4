//! The panels: everything that is drawn with egui.
//!
//! Panels are views. A function such as `timeline_ui(ui, model, state, commands)` reads a
//! [`Model`], may change how things are laid out (what is zoomed, folded, searched for) and
//! otherwise only says what the user wants, as [`Command`](crate::viewer::Command)s. Whoever owns
//! the model acts on them. So every panel can be tested without a window, an engine or a GPU.
//!
//! [`UiPlugin`] is the way into an app: once a frame it lays out the window with [`window_ui`],
//! tells the stage which part of the window is the picture, and leaves the commands in the
//! [`CommandQueue`].

mod model;
mod plugin;
mod shortcuts;
mod window;

pub use model::{Model, SampleCard};
pub use plugin::{CommandQueue, FileHover, Samples, UiPlugin};
pub use shortcuts::shortcut_commands;
pub use window::{UiState, WindowLayout, window_ui};
