//! Imports, saves and exports label files.

use std::path::{Path, PathBuf};

use bevy::prelude::*;

use super::{
    LabelCommand,
    apply::LabelContext,
    reading::read_labels,
    saving::{encode_labels, label_path},
};
use crate::session::{
    files::{
        FileFailure, ReplaceQuestion, SaveOutcome, display_name, display_output_path, save_sidecar,
    },
    view::Panel,
};
use mutoscope_study::labels::LabelFormat;

impl LabelContext<'_, '_> {
    pub(super) fn import_labels(&mut self, path: &Path) {
        let read = match read_labels(path) {
            Ok(read) => read,
            Err(message) => {
                self.files.failure = Some(file_failure(path, message));
                return;
            }
        };
        let remark =
            read.diagnostics.iter().next().map(|diagnostic| format!("; {}", diagnostic.message));
        let Some(recording) = self.label_target() else { return };
        let mut count = 0;
        self.edit_labels(recording, |labels| {
            count = labels.import(read.labels);
            (count > 0).then(|| "importing labels".to_owned())
        });
        let labels = if count == 1 { "label" } else { "labels" };
        self.files.notify(format!("Imported {count} {labels}{}", remark.unwrap_or_default()));
    }

    /// Saves the labels next to their recording. Returns a question if another program has changed
    /// the file.
    pub(super) fn save_labels(
        &mut self,
        recording: Entity,
        replaces: bool,
    ) -> Option<ReplaceQuestion<LabelCommand>> {
        let source = self.open.source(recording).cloned()?;
        let Some(path) = label_path(&source) else {
            // The recording has no folder to save a table in, so let the user choose a path.
            self.panels.open_panel(Panel::EXPORT_LABELS);
            return None;
        };
        let inputs = self.open.input_files(self.files.skeleton.as_ref());
        let mut labels = self.labels.get_mut(recording).ok()?;
        let content = match encode_labels(labels.labels(), LabelFormat::Csv) {
            Ok((content, _)) => content,
            Err(error) => {
                self.files.write_failure = Some(file_failure(&path, error.to_string()));
                return None;
            }
        };
        match save_sidecar(&content, &path, replaces, labels.known_table(), &inputs) {
            SaveOutcome::Saved => {
                labels.set_table(Some(content.into()));
                self.history.mark_saved(labels.value(recording));
                self.files.notify(format!("Saved {}", display_output_path(&path)));
            }
            SaveOutcome::NeedsConfirmation(question) => {
                self.activate_labels(Some(recording));
                let command = LabelCommand::Save { replaces: true };
                return Some(ReplaceQuestion { text: question, command });
            }
            SaveOutcome::Failed(message) => {
                self.files.write_failure = Some(file_failure(&path, message));
            }
        }
        None
    }

    pub(super) fn export_labels(
        &mut self,
        path: PathBuf,
        replaces: bool,
    ) -> Option<ReplaceQuestion<LabelCommand>> {
        let recording = self.label_target()?;
        let inputs = self.open.input_files(self.files.skeleton.as_ref());
        let has_no_label_path =
            self.open.source(recording).is_some_and(|source| label_path(source).is_none());
        let labels = self.labels.get(recording).ok()?;
        let result = LabelFormat::from_path(&path)
            .ok_or_else(|| "expected a name that ends in .csv, .eaf or .TextGrid".to_owned())
            .and_then(|format| {
                encode_labels(labels.labels(), format).map_err(|error| error.to_string())
            });
        let (content, remarks) = match result {
            Ok(written) => written,
            Err(message) => {
                self.files.write_failure = Some(file_failure(&path, message));
                return None;
            }
        };
        match save_sidecar(&content, &path, replaces, None, &inputs) {
            SaveOutcome::Saved => {
                if has_no_label_path {
                    self.history.mark_saved(labels.value(recording));
                }
                let remark =
                    remarks.first().map_or_else(String::new, |remark| format!("; {remark}"));
                self.files.notify(format!("Wrote {}{remark}", display_output_path(&path)));
            }
            SaveOutcome::NeedsConfirmation(question) => {
                let command = LabelCommand::Export { path, replaces: true };
                return Some(ReplaceQuestion { text: question, command });
            }
            SaveOutcome::Failed(message) => {
                self.files.write_failure = Some(file_failure(&path, message));
            }
        }
        None
    }
}

fn file_failure(path: &Path, message: String) -> FileFailure {
    FileFailure { name: display_name(path), message }
}
