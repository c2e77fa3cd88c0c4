//! Shares the time under the pointer between all panels.
//!
//! A widget that stands for a time, such as the timeline or a key in a table, sends
//! [`ViewCommand::Hover`] in every frame in which the pointer is over it. This module reduces the
//! commands of all panels to a single command, and only if the time changed.

use crate::session::{Command, ViewCommand};

/// Replaces all hover commands with at most one. The last hover command wins. Without a hover
/// command, the pointer is not over a time, so the hovered time is `None`. A command is added only
/// if the hovered time differs from `before`.
pub(super) fn merge_hover_commands(before: Option<f64>, commands: &mut Vec<Command>) {
    let mut now = None;
    commands.retain(|command| match command {
        Command::View(ViewCommand::Hover(time)) => {
            now = *time;
            false
        }
        _ => true,
    });
    if now != before {
        commands.push(Command::View(ViewCommand::Hover(now)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::CameraCommand;

    #[test]
    fn only_hover_changes_become_commands() {
        let merged = |before, given: &[Command]| {
            let mut commands = given.to_vec();
            merge_hover_commands(before, &mut commands);
            commands
        };
        let over = |time| Command::View(ViewCommand::Hover(Some(time)));
        assert_eq!(
            merged(None, &[over(1.0), Command::Camera(CameraCommand::FrameAll)]),
            [Command::Camera(CameraCommand::FrameAll), over(1.0)]
        );
        assert_eq!(merged(Some(1.0), &[over(1.0)]), []);
        assert_eq!(merged(Some(1.0), &[]), [Command::View(ViewCommand::Hover(None))]);
        assert_eq!(merged(None, &[]), []);
    }
}
