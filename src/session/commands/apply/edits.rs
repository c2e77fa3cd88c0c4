//! Undoes and saves edits of labels and scenes, and asks before edits are lost or a file is
//! replaced.

use super::CommandContext;
use crate::session::{
    Command, CompareCommand, EditCommand, EditedLabels, FileCommand, LabelCommand, Panel,
};

impl CommandContext<'_, '_> {
    pub(super) fn apply_edit_command(&mut self, command: EditCommand) {
        match command {
            EditCommand::Undo => self.step_edits(EditStep::Undo),
            EditCommand::Redo => self.step_edits(EditStep::Redo),
            EditCommand::Save => self.save_edits(),
            EditCommand::SaveAndContinue => self.save_and_continue(),
            EditCommand::Discard => {
                if let Some(command) = self.panels.pending_discard.take() {
                    self.dispatch(*command);
                }
            }
            EditCommand::KeepOpen => self.panels.pending_discard = None,
            EditCommand::Replace => {
                if let Some((command, _)) = self.panels.pending_replacement.take() {
                    self.dispatch(*command);
                }
            }
            EditCommand::KeepFile => self.panels.pending_replacement = None,
        }
    }

    /// Returns `true` if `command` would discard unsaved edits. The command is then stored in the
    /// panels until the user has answered the question.
    pub(super) fn ask_before_losing_edits(&mut self, command: &Command) -> bool {
        let closed = match command {
            Command::File(FileCommand::Open(files))
                if self.are_label_files_for_recording(files) =>
            {
                return false;
            }
            Command::File(FileCommand::Open(_))
            | Command::File(FileCommand::OpenSample(_))
            | Command::File(FileCommand::OpenListed(_))
            | Command::File(FileCommand::Step(_))
            | Command::File(FileCommand::ShowGallery)
            | Command::CloseWindow => self.open.entities(),
            Command::File(FileCommand::Close(recording)) => vec![*recording],
            Command::Compare(CompareCommand::Stop) => {
                self.open.entities().into_iter().skip(1).collect()
            }
            _ => return false,
        };
        let loses_edits = closed.into_iter().any(|entity| self.open.has_unsaved_edits(entity));
        if loses_edits {
            self.panels.pending_discard = Some(Box::new(command.clone()));
        }
        loses_edits
    }

    fn step_edits(&mut self, step: EditStep) {
        let Some(recording) = self.label_target() else { return };
        let labels = self.open.labels(recording);
        let is_label_edit_next = |labels: &EditedLabels| {
            let scene = self.open.scene(recording);
            let [label_edit, scene_edit] = match step {
                EditStep::Undo => [labels.undo_name(), scene.and_then(|scene| scene.undo_name())],
                EditStep::Redo => [labels.redo_name(), scene.and_then(|scene| scene.redo_name())],
            };
            label_edit.is_some() && (labels.is_edited_last || scene_edit.is_none())
        };
        let name = if labels.is_some_and(is_label_edit_next) {
            self.open.labels_mut(recording).and_then(|mut labels| match step {
                EditStep::Undo => labels.undo(),
                EditStep::Redo => labels.redo(),
            })
        } else {
            self.open.scene_mut(recording).and_then(|mut scene| match step {
                EditStep::Undo => scene.undo(),
                EditStep::Redo => scene.redo(),
            })
        };
        self.files.notify(match (name, step) {
            (Some(name), EditStep::Undo) => format!("Undid: {name}"),
            (Some(name), EditStep::Redo) => format!("Redid: {name}"),
            (None, EditStep::Undo) => "Nothing to undo".to_owned(),
            (None, EditStep::Redo) => "Nothing to redo".to_owned(),
        });
    }

    fn save_edits(&mut self) {
        let Some(recording) = self.label_target() else { return };
        let has_labels = self.open.labels(recording).is_some_and(EditedLabels::has_unsaved_edits);
        if has_labels {
            self.save_labels(recording, false);
        }
        let scene = self.focused_scene().and_then(|entity| self.open.scene(entity));
        if scene.is_some_and(|scene| scene.has_unsaved_edits() || !has_labels) {
            self.panels.open_panel(Panel::SAVE_SCENE);
        } else if !has_labels {
            self.files.notify("No unsaved edits".to_owned());
        }
    }

    fn save_and_continue(&mut self) {
        let Some(command) = self.panels.pending_discard.take() else { return };
        for recording in self.open.entities() {
            if self.open.labels(recording).is_some_and(EditedLabels::has_unsaved_edits) {
                self.save_labels(recording, false);
            }
        }
        // If anything could not be saved, do not run `command`, because it would discard the edits.
        let is_saved =
            self.open.entities().into_iter().all(|entity| !self.open.has_unsaved_edits(entity));
        if is_saved {
            self.dispatch(*command);
        }
    }

    pub(super) fn ask_to_replace(&mut self, command: LabelCommand, question: String) {
        self.panels.pending_replacement = Some((Box::new(Command::Label(command)), question));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditStep {
    Undo,
    Redo,
}
