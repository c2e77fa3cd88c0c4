//! The channel from the panels to the session.

use std::cell::RefCell;

use crate::session::Command;

/// Collects the commands of the panels during a frame, in order. The session runs them after the
/// frame.
#[derive(Debug, Default)]
pub struct CommandSender(RefCell<Vec<Command>>);

impl CommandSender {
    /// Adds a command.
    pub fn send(&self, command: Command) {
        self.0.borrow_mut().push(command);
    }

    /// Adds several commands.
    pub fn send_all(&self, commands: impl IntoIterator<Item = Command>) {
        // Borrow the list again for each command, because `commands` may itself send commands while
        // it is iterated.
        commands.into_iter().for_each(|command| self.send(command));
    }

    /// Removes and returns all collected commands.
    pub fn take_commands(&self) -> Vec<Command> {
        self.0.take()
    }
}
