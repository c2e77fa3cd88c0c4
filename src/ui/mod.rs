//! The panels: everything that is drawn with egui.
//!
//! Panels are views. A function such as `timeline_ui(ui, model, state, commands)` reads a
//! [`Model`], may change its own layout (zoom, collapsed rows, search) and otherwise only returns
//! the user's wishes as [`Command`](crate::session::Command)s. The session acts on them. So every
//! panel can be tested without a window, an engine or a GPU.
//!
//! [`UiPlugin`] is the way into an app: once a frame it lays out the window with [`window_ui`],
//! tells the stage which part of the window is the viewport, and leaves the commands in the
//! [`CommandQueue`](crate::session::CommandQueue).
//!
//! | module | what it draws |
//! |---|---|
//! | `window` | the layout of the panels |
//! | `top_bar` | open recordings, menus |
//! | `transport` | play, step, time, speed, looping, range |
//! | `keyboard` | what is typed, with the modifiers held at each key |
//! | `timeline` | ruler, range, lanes, markers, keys |
//! | `curves` | tracks as curves over the timeline's axis |
//! | `bytes` | the file's bytes or lines, and their keys |
//! | `file_list` | the files to step through, and how they are sorted |
//! | `outline` | nodes by group |
//! | `inspector` | the selection in numbers; axes and units |
//! | `hover` | the time that the pointer is over, shared by all panels |
//! | `overlay` | names, axes and badges over the viewport, and picking in it |
//! | `command_palette` | issue any command, file or node by a few letters |
//! | `export`, `report`, `save_scene`, `path_field` | the dialogs for files that are written |
//! | `labels` | naming and exporting labels |
//! | `linked` | asking before files of a link are opened |
//! | `unsaved` | asking before edits are lost or a file is replaced |
//! | `footage` | the reference video in the corner of the viewport |
//! | `animations` | the animations of a file, by name |
//! | `gallery`, `messages`, `issues`, `skeleton`, `bone_form`, `columns`, `help` | panels that come and go |
//! | `style`, `fonts`, `swatch`, `icons`, `widgets`, `words` | how it looks and reads |
//! | `shortcuts`, `offers` | keys; available actions |
//! | `wake` | drawing again later in a window that rests |

mod animations;
mod bone_form;
mod bytes;
mod columns;
mod command_palette;
mod command_sender;
mod curves;
mod export;
mod file_list;
mod fonts;
mod footage;
mod gallery;
mod help;
mod hover;
mod icons;
mod inspector;
mod issues;
mod keyboard;
mod labels;
mod linked;
mod messages;
mod model;
mod offers;
mod outline;
mod overlay;
mod path_field;
mod plugin;
mod report;
mod save_scene;
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
mod unsaved;
mod wake;
mod widgets;
mod window;
mod words;

pub use command_sender::CommandSender;
pub use model::{Model, SampleCard};
pub use plugin::{FileHover, Samples, UiPlugin};
pub use shortcuts::shortcut_commands;
pub use timeline::PreparedTimeline;
pub use window::{UiState, WindowLayout, window_ui};
