//! Imports, saves and exports label files, and writes reports.

use std::path::{Path, PathBuf};

use bevy::prelude::*;

use super::CommandContext;
use crate::session::{
    FileFailure, LabelCommand, Panel, Source,
    files::{sorting::is_label_file, writing::display_output_path},
    labels::{ReportInput, SaveOutcome, encode_labels, label_path, read_labels, save_labels},
    view::persistence::absolute_path,
};
use mutoscope_study::labels::LabelFormat;

impl CommandContext<'_, '_> {
    pub(super) fn are_label_files_for_recording(&self, files: &[PathBuf]) -> bool {
        self.open.reference().is_some() && files.iter().all(|path| is_label_file(path))
    }

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
        let Some(count) = self.edit_labels(|labels| labels.import(read.labels)) else { return };
        let labels = if count == 1 { "label" } else { "labels" };
        self.files.notify(format!("Imported {count} {labels}{}", remark.unwrap_or_default()));
    }

    pub(super) fn save_labels(&mut self, recording: Entity, replaces: bool) {
        let Some(source) = self.open.source(recording).cloned() else { return };
        let Some(path) = label_path(&source) else {
            // The recording has no folder to save a table in, so let the user choose a path.
            self.panels.open_panel(Panel::EXPORT_LABELS);
            return;
        };
        let inputs = self.files.open_files();
        let Some(mut labels) = self.open.labels_mut(recording) else { return };
        let content = match encode_labels(labels.labels(), LabelFormat::Csv) {
            Ok((content, _)) => content,
            Err(error) => {
                self.files.write_failure = Some(file_failure(&path, error.to_string()));
                return;
            }
        };
        match save_labels(&content, &path, replaces, labels.known_table(), &inputs) {
            SaveOutcome::Saved => {
                labels.mark_saved(Some(content.into()));
                self.files.notify(format!("Saved {}", display_output_path(&path)));
            }
            SaveOutcome::NeedsConfirmation(question) => {
                self.activate_labels(Some(recording));
                self.ask_to_replace(LabelCommand::Save { replaces: true }, question);
            }
            SaveOutcome::Failed(message) => {
                self.files.write_failure = Some(file_failure(&path, message));
            }
        }
    }

    pub(super) fn export_labels(&mut self, path: PathBuf, replaces: bool) {
        let Some(recording) = self.label_target() else { return };
        let inputs = self.files.open_files();
        let has_no_label_path =
            self.open.source(recording).is_some_and(|source| label_path(source).is_none());
        let Some(mut labels) = self.open.labels_mut(recording) else { return };
        let result = LabelFormat::from_path(&path)
            .ok_or_else(|| "expected a name that ends in .csv, .eaf or .TextGrid".to_owned())
            .and_then(|format| {
                encode_labels(labels.labels(), format).map_err(|error| error.to_string())
            });
        let (content, remarks) = match result {
            Ok(written) => written,
            Err(message) => {
                self.files.write_failure = Some(file_failure(&path, message));
                return;
            }
        };
        match save_labels(&content, &path, replaces, None, &inputs) {
            SaveOutcome::Saved => {
                if has_no_label_path {
                    labels.mark_saved(None);
                }
                let remark =
                    remarks.first().map_or_else(String::new, |remark| format!("; {remark}"));
                self.files.notify(format!("Wrote {}{remark}", display_output_path(&path)));
            }
            SaveOutcome::NeedsConfirmation(question) => {
                self.ask_to_replace(LabelCommand::Export { path, replaces: true }, question);
            }
            SaveOutcome::Failed(message) => {
                self.files.write_failure = Some(file_failure(&path, message));
            }
        }
    }

    pub(super) fn write_report(&mut self, path: PathBuf, replaces: bool) {
        if let Err(error) = self.files.open_files().check_output(&path) {
            self.files.write_failure = Some(file_failure(&path, error.to_string()));
            return;
        }
        if !replaces && cfg!(not(target_family = "wasm")) && path.exists() {
            let question = format!("{} exists already. Replace it?", display_name(&path));
            self.ask_to_replace(LabelCommand::Report { path, replaces: true }, question);
            return;
        }
        let recordings: Vec<ReportInput> = self
            .open
            .entities()
            .into_iter()
            .filter_map(|entity| self.report_input(entity))
            .collect();
        self.reports.start(recordings, self.view.areas.clone(), path, &self.jobs);
    }

    fn report_input(&self, recording: Entity) -> Option<ReportInput> {
        let path = match self.open.source(recording)? {
            // Use the absolute path, so that links in the report work wherever the page is stored.
            Source::File(path) => absolute_path(path).display().to_string(),
            other => other.name(),
        };
        let labels = self.open.labels(recording).map(|labels| labels.labels().to_vec());
        let clip = self.open.recording(recording)?.clip().clone();
        Some(ReportInput { path, clip, labels: labels.unwrap_or_default() })
    }
}

fn file_failure(path: &Path, message: String) -> FileFailure {
    FileFailure { name: display_name(path), message }
}

fn display_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
