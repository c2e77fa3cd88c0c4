//! The user's commands, the actions that offer them, and how they are applied.

mod action;
mod actions;
pub(super) mod apply;
mod availability;
mod command;
mod synonyms;

pub use action::{Action, Modifier, Section, Shortcut};
pub use actions::ACTIONS;
pub use availability::{ActionContext, Needs, is_on};
pub use command::{
    CameraCommand, ColumnsCommand, Command, CommandQueue, CompareCommand, ConventionCommand,
    ExportCommand, FileCommand, FootageCommand, PanelCommand, PlayheadCommand, SkeletonCommand,
    TimelineCommand, Toggle, ViewCommand,
};
pub use synonyms::synonyms;
