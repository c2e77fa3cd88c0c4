//! The user's actions: commands, the actions that offer them, and applying them.

mod action;
mod actions;
pub(super) mod apply;
mod availability;
mod command;
mod synonyms;

pub use action::{Action, Modifier, Section, Shortcut};
pub use actions::ACTIONS;
pub use availability::{Needs, Situation, is_on};
pub use command::{
    CameraCommand, ColumnsCommand, Command, CommandQueue, Compare, ConventionCommand,
    ExportCommand, FileCommand, FootageCommand, PanelCommand, PlayheadCommand, SkeletonCommand,
    TimelineCommand, Toggle, ViewCommand,
};
pub use synonyms::synonyms;
