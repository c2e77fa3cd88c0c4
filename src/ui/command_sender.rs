//! How panels give commands.

use std::cell::RefCell;

use crate::session::Command;

/// Collects the commands that the panels give in a frame, in order; the session applies them afterwards.
#[derive(Debug, Default)]
pub struct CommandSender(RefCell<Vec<Command>>);

impl CommandSender {
    /// Gives a command.
    pub fn send(&self, command: Command) {
        self.0.borrow_mut().push(command);
    }

    /// Gives several commands.
    pub fn send_all(&self, commands: impl IntoIterator<Item = Command>) {
        // What gives them may give others meanwhile.
        commands.into_iter().for_each(|command| self.send(command));
    }

    /// Takes all commands that were given.
    pub fn take(&self) -> Vec<Command> {
        self.0.take()
    }
}
