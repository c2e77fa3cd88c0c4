//! The time that the pointer is over, shared by all panels.
//!
//! Whatever stands for a time (a place on the timeline, a key in a table) gives
//! [`ViewCommand::Hover`] in every frame in which the pointer is over it. All panels together give one
//! command, when the time changes.

use crate::session::{Command, ViewCommand};

/// Makes the commands about hovering one, if the hovered time is another than `before`, or none.
pub(super) fn settle(before: Option<f64>, commands: &mut Vec<Command>) {
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
        let settled = |before, given: &[Command]| {
            let mut commands = given.to_vec();
            settle(before, &mut commands);
            commands
        };
        let over = |time| Command::View(ViewCommand::Hover(Some(time)));
        assert_eq!(
            settled(None, &[over(1.0), Command::Camera(CameraCommand::FrameAll)]),
            [Command::Camera(CameraCommand::FrameAll), over(1.0)]
        );
        assert_eq!(settled(Some(1.0), &[over(1.0)]), []);
        assert_eq!(settled(Some(1.0), &[]), [Command::View(ViewCommand::Hover(None))]);
        assert_eq!(settled(None, &[]), []);
    }
}
