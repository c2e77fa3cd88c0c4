//! The panels: everything that is drawn with egui.
//!
//! Panels are views. A function such as `timeline_ui(ui, model, state, commands)` reads a
//! [`Model`], may change how things are laid out (what is zoomed, folded, searched for) and
//! otherwise only says what the user wants, as [`Command`](crate::session::Command)s. The session
//! acts on them. So every panel can be tested without a window, an engine or a GPU.
//!
//! [`UiPlugin`] is the way into an app: once a frame it lays out the window with [`window_ui`],
//! tells the stage which part of the window is the picture, and leaves the commands in the
//! [`CommandQueue`](crate::session::CommandQueue).
//!
//! | module | what it draws |
//! |---|---|
//! | `window` | which panel stands where |
//! | `top_bar` | what is open, menus |
//! | `transport` | play, step, time, speed, looping, range |
//! | `timeline` | ruler, range, lanes, markers, keys |
//! | `curves` | what moves as curves over the timeline's axis |
//! | `bytes` | the file as it is: bytes or lines, and whose they are |
//! | `file_list` | the files to step through |
//! | `outline` | nodes by group |
//! | `inspector` | what is selected, in numbers; what the file's numbers mean |
//! | `hover` | the time that the pointer is over, shared by all panels |
//! | `overlay` | names, axes and badges over the picture, and picking in it |
//! | `command_palette` | finding any command, file or node by a few letters |
//! | `export` | taking a recording along |
//! | `gallery`, `messages`, `findings`, `skeleton`, `help` | what is there at times |
//! | `style`, `swatch`, `icons`, `widgets`, `words` | how it looks and reads |
//! | `shortcuts`, `offers` | keys; what can be done now |
//! | `wake` | drawing again later in a window that rests |

mod bytes;
mod command_palette;
mod curves;
mod export;
mod file_list;
mod findings;
mod gallery;
mod help;
mod hover;
mod icons;
mod inspector;
mod messages;
mod model;
mod offers;
mod outline;
mod overlay;
mod plugin;
mod search;
mod shortcuts;
mod skeleton;
mod style;
mod swatch;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod timeline;
mod top_bar;
mod transport;
mod unchanged;
mod wake;
mod widgets;
mod window;
mod words;

pub use model::{Model, SampleCard};
pub use plugin::{FileHover, Samples, UiPlugin};
pub use shortcuts::shortcut_commands;
pub use timeline::PreparedTimeline;
pub use window::{UiState, WindowLayout, window_ui};
