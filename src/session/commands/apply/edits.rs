//! Edits of any kind: undoing them, saving them, and asking before they are lost or a file is replaced.

use super::Targets;
use crate::session::{
    Command, Compare, EditCommand, EditedLabels, FileCommand, LabelCommand, Panel,
};

impl Targets<'_, '_> {
    pub(super) fn edit(&mut self, command: EditCommand) {
        match command {
            EditCommand::Undo => self.step_edits(Direction::Back),
            EditCommand::Redo => self.step_edits(Direction::Forth),
            EditCommand::Save => self.save_edits(),
            EditCommand::SaveAndContinue => self.save_and_continue(),
            EditCommand::Discard => {
                if let Some(command) = self.panels.would_discard.take() {
                    self.obey(*command);
                }
            }
            EditCommand::KeepOpen => self.panels.would_discard = None,
            EditCommand::Replace => {
                if let Some((command, _)) = self.panels.would_replace.take() {
                    self.obey(*command);
                }
            }
            EditCommand::KeepFile => self.panels.would_replace = None,
        }
    }

    /// Whether unsaved edits would be lost by `command`; then that is asked about first.
    pub(super) fn asks_before(&mut self, command: &Command) -> bool {
        let closed = match command {
            Command::File(FileCommand::Open(files)) if self.adds_labels(files) => return false,
            Command::File(FileCommand::Open(_))
            | Command::File(FileCommand::OpenSample(_))
            | Command::File(FileCommand::OpenListed(_))
            | Command::File(FileCommand::Step(_))
            | Command::File(FileCommand::ShowGallery)
            | Command::CloseWindow => self.open.entities(),
            Command::File(FileCommand::Close(recording)) => vec![*recording],
            Command::Compare(Compare::Stop) => self.open.entities().into_iter().skip(1).collect(),
            _ => return false,
        };
        let asks = closed.into_iter().any(|one| self.open.is_changed(one));
        if asks {
            self.panels.would_discard = Some(Box::new(command.clone()));
        }
        asks
    }

    /// Undoes or makes again what was edited last of a recording: its labels or the scene that it is.
    fn step_edits(&mut self, direction: Direction) {
        let Some(recording) = self.labelled() else { return };
        let labels = self.open.labels(recording);
        let is_of_labels = |labels: &EditedLabels| {
            let scene = self.open.scene(recording);
            let [own, other] = match direction {
                Direction::Back => [labels.undo_name(), scene.and_then(|scene| scene.undo_name())],
                Direction::Forth => [labels.redo_name(), scene.and_then(|scene| scene.redo_name())],
            };
            own.is_some() && (labels.is_edited_last || other.is_none())
        };
        let name = if labels.is_some_and(is_of_labels) {
            self.open.labels_mut(recording).and_then(|mut labels| match direction {
                Direction::Back => labels.undo(),
                Direction::Forth => labels.redo(),
            })
        } else {
            self.open.scene_mut(recording).and_then(|mut scene| match direction {
                Direction::Back => scene.undo(),
                Direction::Forth => scene.redo(),
            })
        };
        self.files.say(match (name, direction) {
            (Some(name), Direction::Back) => format!("Undid: {name}"),
            (Some(name), Direction::Forth) => format!("Redid: {name}"),
            (None, Direction::Back) => "Nothing to undo".to_owned(),
            (None, Direction::Forth) => "Nothing to redo".to_owned(),
        });
    }

    fn save_edits(&mut self) {
        let Some(recording) = self.labelled() else { return };
        let has_labels = self.open.labels(recording).is_some_and(EditedLabels::is_changed);
        if has_labels {
            self.save_labels(recording, false);
        }
        let scene = self.focused_scene().and_then(|one| self.open.scene(one));
        if scene.is_some_and(|scene| scene.is_changed() || !has_labels) {
            self.panels.show(Panel::SAVE_SCENE);
        } else if !has_labels {
            self.files.say("No unsaved edits".to_owned());
        }
    }

    fn save_and_continue(&mut self) {
        let Some(command) = self.panels.would_discard.take() else { return };
        for recording in self.open.entities() {
            if self.open.labels(recording).is_some_and(EditedLabels::is_changed) {
                self.save_labels(recording, false);
            }
        }
        // What could not be saved is not lost: then what was asked for is not done.
        let is_saved = self.open.entities().into_iter().all(|one| !self.open.is_changed(one));
        if is_saved {
            self.obey(*command);
        }
    }

    /// Asks before `command` replaces a file.
    pub(super) fn ask_to_replace(&mut self, command: LabelCommand, question: String) {
        self.panels.would_replace = Some((Box::new(Command::Label(command)), question));
    }
}

/// A direction through edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Back,
    Forth,
}
