//! The window: files, panels and keys around the stage.

mod command;
mod files;

pub use command::{ACTIONS, Action, Command, Section, Toggle};
pub use files::{FailedLoading, Files, Loading, Progress, Source};
