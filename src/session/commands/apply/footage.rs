//! Opens, moves and closes reference footage.

use super::CommandContext;
use crate::session::{FilePurpose, FootageCommand, Panel, SavedFootage};

impl CommandContext<'_, '_> {
    pub(super) fn apply_footage_command(&mut self, command: FootageCommand) {
        let now = self.open.clock().time();
        match command {
            FootageCommand::Choose => self.choose_files(FilePurpose::Footage),
            FootageCommand::Open(saved) => self.open_footage(saved),
            FootageCommand::Remove => self.footage.close(),
            FootageCommand::SetOffset(offset) => self.footage.set_offset(offset),
            FootageCommand::SetRate(rate) => self.footage.set_rate(rate, &self.jobs),
            FootageCommand::Step(direction) => self.footage.step(direction, now),
            FootageCommand::SetHeight(height) => self.footage.set_height(height),
        }
    }

    fn open_footage(&mut self, saved: SavedFootage) {
        self.footage.open(saved, &self.jobs);
        self.panels.open_panel(Panel::FOOTAGE);
        if self.open.reference().is_none()
            && let Some(name) = self.footage.name()
        {
            self.files.notify(format!("{name} will play with the next recording that is opened"));
        }
    }
}
