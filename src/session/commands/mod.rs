//! The user's commands, the actions that offer them, and how they are applied.
//!
//! | file | content |
//! |---|---|
//! | `command` | [`Command`], composed of the commands of the features; the queue |
//! | `actions`, `action` | the table of actions: names, keys, tooltips and search words |
//! | `toggle` | settings that are on or off |
//! | `availability` | which actions are available, and which are on |
//! | `dispatch` | passes each queued command to its feature |
//! | `edits` | undoes and saves edits, and asks before they are lost |

mod action;
mod actions;
mod availability;
mod command;
mod dispatch;
mod edits;
mod toggle;

use bevy::prelude::*;

use super::schedule::ApplyStep;

pub use action::{Action, Modifier, Section, Shortcut};
pub use actions::ACTIONS;
pub use availability::{ActionContext, Needs, is_on};
pub use command::{Command, CommandQueue, EditCommand};
pub use edits::PendingCommands;
pub use toggle::Toggle;

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<CommandQueue>()
        .init_resource::<PendingCommands>()
        .add_systems(Update, dispatch::apply_commands.in_set(ApplyStep::Commands));
}
