//! The panels: everything that is drawn with egui.
//!
//! Panels are views. A function such as `timeline_ui(ui, model, state, commands)` reads a
//! [`Model`], may change its own layout (zoom, collapsed rows, search), and otherwise only returns
//! the user's input as [`Command`](crate::session::Command)s. The session runs them. So every panel
//! can be tested without a window, an engine or a GPU.
//!
//! An app adds [`UiPlugin`]. Each frame the plugin lays out the window with [`window_ui`], passes
//! the viewport's rectangle to the stage, and appends the commands to the
//! [`CommandQueue`](crate::session::CommandQueue).
//!
//! | module | what it does |
//! |---|---|
//! | `window` | lays out the panels |
//! | `top_bar` | shows the open recordings and the menus |
//! | `transport` | shows play, step, time, speed, looping and range |
//! | `keyboard` | passes key presses to egui with the modifiers held at each press |
//! | `timeline` | draws the ruler, range, lanes, markers and keys |
//! | `curves` | draws tracks as curves over the timeline's axis |
//! | `bytes` | shows the file's bytes or lines, and marks the bytes of keys |
//! | `file_list` | lists and sorts the files of a folder |
//! | `outline` | lists nodes by group |
//! | `inspector` | shows the selection in numbers, and the axes and units |
//! | `hover` | shares the time under the pointer between panels |
//! | `overlay` | draws names, axes and badges over the viewport, and picks nodes in it |
//! | `command_palette` | finds commands, files and nodes from a few letters |
//! | `export`, `report`, `save_scene`, `path_field` | show the dialogs that write files |
//! | `labels` | names and exports labels |
//! | `linked` | asks before a link opens files |
//! | `unsaved` | asks before edits are lost or a file is replaced |
//! | `footage` | shows the reference video in the corner of the viewport |
//! | `animations` | lists the animations in a file |
//! | `gallery`, `messages`, `issues`, `skeleton`, `bone_form`, `columns`, `help` | show optional panels |
//! | `fallback_fonts` | loads fonts of the system, or of a page, for characters that egui's fonts do not have |
//! | `style`, `fonts`, `swatch`, `icons`, `widgets`, `display_text` | define the look and the wording |
//! | `shortcuts`, `actions` | handle keys, and list the available actions |
//! | `wake` | repaints an idle window after a delay |

mod action_state;
mod animations;
mod bone_form;
mod bytes;
mod columns;
mod command_palette;
mod command_sender;
mod curves;
mod display_text;
mod export;
mod fallback_fonts;
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
mod modifier_events;
mod outline;
mod overlay;
mod path_field;
mod plugin;
mod report;
mod save_scene;
mod search;
mod shortcuts;
mod skeleton;
#[cfg(test)]
mod snapshots;
mod style;
mod swatch;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod timeline;
mod top_bar;
mod transport;
mod unsaved;
mod verdict;
mod wake;
mod widgets;
mod window;

pub use command_sender::CommandSender;
pub use model::{Model, SampleCard};
pub use plugin::{FileHover, Samples, UiPlugin};
pub use shortcuts::shortcut_commands;
pub use timeline::PreparedTimeline;
pub use window::{UiState, WindowLayout, window_ui};
