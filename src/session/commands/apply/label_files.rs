//! Files of labels: importing, saving and exporting them, and reports.

use std::path::{Path, PathBuf};

use bevy::prelude::*;

use super::Targets;
use crate::session::{
    FailedLoading, LabelCommand, Panel, Source,
    files::{sorting::is_label_file, writing::written_text},
    labels::{Reported, Saving, label_path, read_file, save, written},
    view::remember::absolute,
};
use mutoscope_study::labels::LabelFormat;

impl Targets<'_, '_> {
    /// Whether files are labels for what is open.
    pub(super) fn adds_labels(&self, files: &[PathBuf]) -> bool {
        self.open.reference().is_some() && files.iter().all(|path| is_label_file(path))
    }

    pub(super) fn import_labels(&mut self, path: &Path) {
        let read = match read_file(path) {
            Ok(read) => read,
            Err(message) => {
                self.files.failed = Some(failed(path, message));
                return;
            }
        };
        let remark = read.notices.iter().next().map(|notice| format!("; {}", notice.message));
        let Some(count) = self.with_labels(|labels| labels.import(read.labels)) else { return };
        let labels = if count == 1 { "label" } else { "labels" };
        self.files.say(format!("Imported {count} {labels}{}", remark.unwrap_or_default()));
    }

    /// Saves the labels of a recording to the table beside it.
    pub(super) fn save_labels(&mut self, recording: Entity, replaces: bool) {
        let Some(source) = self.open.source(recording).cloned() else { return };
        let Some(path) = label_path(&source) else {
            // There is no folder to save it in.
            self.panels.show(Panel::EXPORT_LABELS);
            return;
        };
        let inputs = self.files.inputs();
        let Some(mut labels) = self.open.labels_mut(recording) else { return };
        let content = match written(labels.labels(), LabelFormat::Csv) {
            Ok((content, _)) => content,
            Err(error) => {
                self.files.unwritten = Some(failed(&path, error.to_string()));
                return;
            }
        };
        match save(&content, &path, replaces, labels.known_table(), &inputs) {
            Saving::Done => {
                labels.note_saved(Some(content.into()));
                self.files.say(format!("Saved {}", written_text(&path)));
            }
            Saving::Asks(question) => {
                self.activate_labels(Some(recording));
                self.ask_to_replace(LabelCommand::Save { replaces: true }, question);
            }
            Saving::Failed(message) => {
                self.files.unwritten = Some(failed(&path, message));
            }
        }
    }

    pub(super) fn export_labels(&mut self, path: PathBuf, replaces: bool) {
        let Some(recording) = self.labelled() else { return };
        let inputs = self.files.inputs();
        let is_kept_nowhere =
            self.open.source(recording).is_some_and(|it| label_path(it).is_none());
        let Some(mut labels) = self.open.labels_mut(recording) else { return };
        let result = LabelFormat::of_path(&path)
            .ok_or_else(|| "expected a name that ends in .csv, .eaf or .TextGrid".to_owned())
            .and_then(|format| written(labels.labels(), format).map_err(|error| error.to_string()));
        let (content, remarks) = match result {
            Ok(written) => written,
            Err(message) => {
                self.files.unwritten = Some(failed(&path, message));
                return;
            }
        };
        match save(&content, &path, replaces, None, &inputs) {
            Saving::Done => {
                if is_kept_nowhere {
                    labels.note_saved(None);
                }
                let remark = remarks.first().map_or_else(String::new, |it| format!("; {it}"));
                self.files.say(format!("Wrote {}{remark}", written_text(&path)));
            }
            Saving::Asks(question) => {
                self.ask_to_replace(LabelCommand::Export { path, replaces: true }, question);
            }
            Saving::Failed(message) => {
                self.files.unwritten = Some(failed(&path, message));
            }
        }
    }

    pub(super) fn report(&mut self, path: PathBuf, replaces: bool) {
        if let Err(message) = self.files.inputs().allow(&path) {
            self.files.unwritten = Some(failed(&path, message));
            return;
        }
        if !replaces && cfg!(not(target_family = "wasm")) && path.exists() {
            let question = format!("{} exists already. Replace it?", shown(&path));
            self.ask_to_replace(LabelCommand::Report { path, replaces: true }, question);
            return;
        }
        let recordings: Vec<Reported> =
            self.open.entities().into_iter().filter_map(|one| self.reported(one)).collect();
        self.reports.start(recordings, self.view.areas.clone(), path, &self.jobs);
    }

    fn reported(&self, recording: Entity) -> Option<Reported> {
        let path = match self.open.source(recording)? {
            // Links in the page work wherever it is.
            Source::File(path) => absolute(path).display().to_string(),
            other => other.name(),
        };
        let labels = self.open.labels(recording).map(|labels| labels.labels().to_vec());
        let clip = self.open.recording(recording)?.clip().clone();
        Some(Reported { path, clip, labels: labels.unwrap_or_default() })
    }
}

/// The message of a file that could not be read or written.
fn failed(path: &Path, message: String) -> FailedLoading {
    FailedLoading { name: shown(path), message }
}

/// The name of a file in a message.
fn shown(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
