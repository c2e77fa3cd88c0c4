//! Reads the label file next to a recording.

use std::path::Path;

use bevy::prelude::*;

use super::{EditedLabels, edited::LabelFile, saving::label_path};
use crate::session::{
    files::{FileFailure, Files, Source, SourceChanged},
    history::{Document, EditHistory},
    jobs::Jobs,
};
use bevy_mutoscope::Recording;
use mutoscope_core::io::storage;
use mutoscope_study::labels::{self, LabelFormat, Labels, find_sidecar};

/// An open recording with its labels. The labels are `None` until the label file was looked for.
type Labelled<'a> = (Entity, &'a Recording, &'a Source, Option<&'a mut EditedLabels>);

pub(in crate::session) fn find_labels(
    mut recordings: Query<Labelled<'_>>,
    mut history: ResMut<EditHistory>,
    mut commands: Commands,
    mut files: ResMut<Files>,
    jobs: Res<Jobs>,
) {
    for (entity, recording, source, labels) in &mut recordings {
        let Some(mut labels) = labels else {
            commands.entity(entity).insert(EditedLabels::new(source.clone()));
            continue;
        };
        let has_unsaved_edits = history.is_unsaved(Document::Labels(entity));
        // Bypass change detection, because polling a running job is not a change of the component.
        let untracked = labels.bypass_change_detection();
        if untracked.source != *source {
            *untracked = EditedLabels::new(source.clone());
        }
        let revision = Some(recording.revision());
        if untracked.searched_revision != revision {
            untracked.searched_revision = revision;
            if let (false, Source::File(path)) = (has_unsaved_edits, source) {
                let path = path.clone();
                untracked.reading.start(&jobs, (), move |_| read_sidecar(&path));
            }
        }
        let Some((_, result)) = untracked.reading.poll() else { continue };
        match result.unwrap_or_else(|crashed| Err(crashed.to_string())) {
            // Do not load the file if the user has edited the labels while it was being read.
            // Otherwise the edits would be lost.
            Ok(Some(file)) if !has_unsaved_edits => {
                if load_file(&mut labels, file, &mut files) {
                    history.forget(Document::Labels(entity));
                }
            }
            Ok(_) => {}
            Err(message) => files.failure = Some(label_file_failure(source, message)),
        }
    }
}

/// Keeps the labels of a recording that was saved to another file.
///
/// The labels are unsaved from then on, because the new file has no label file yet.
pub(super) fn follow_source(
    changed: On<SourceChanged>,
    mut labels: Query<&mut EditedLabels>,
    mut history: ResMut<EditHistory>,
) {
    if let Ok(mut labels) = labels.get_mut(changed.entity)
        && labels.set_source(changed.source.clone())
        && !labels.labels().is_empty()
    {
        history.mark_unsaved(&labels.value(changed.entity));
    }
}

fn load_file(labels: &mut EditedLabels, file: LabelFile, files: &mut Files) -> bool {
    if let Some(diagnostic) = file.diagnostics.first() {
        let more = match file.diagnostics.len() {
            1 => String::new(),
            count => format!(" ({} more)", count - 1),
        };
        files.notify(format!("{}: {}{more}", file.name, diagnostic.message));
    }
    labels.load(file.labels, file.table)
}

fn label_file_failure(source: &Source, message: String) -> FileFailure {
    let path = match source {
        Source::File(path) => find_sidecar(path).map(|(path, _)| path),
        _ => None,
    };
    let name = path.as_deref().map_or_else(|| "the labels".to_owned(), name_of);
    FileFailure { name, message }
}

fn read_sidecar(path: &Path) -> Result<Option<LabelFile>, String> {
    let Some((sidecar_path, format)) = find_sidecar(path) else { return Ok(None) };
    let is_table = label_path(&Source::File(path.to_owned())).as_ref() == Some(&sidecar_path);
    let mut file = read_label_file(&sidecar_path, format)?;
    file.table = file.table.filter(|_| is_table);
    Ok(Some(file))
}

pub(in crate::session) fn read_labels(path: &Path) -> Result<Labels, String> {
    let format = LabelFormat::from_path(path)
        .ok_or_else(|| "expected a file that ends in .csv, .eaf or .TextGrid".to_owned())?;
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    labels::read(&bytes, format).map_err(|error| error.to_string())
}

fn read_label_file(path: &Path, format: LabelFormat) -> Result<LabelFile, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let Labels { labels, diagnostics } =
        labels::read(&bytes, format).map_err(|error| error.to_string())?;
    Ok(LabelFile {
        name: name_of(path),
        labels,
        diagnostics: diagnostics.iter().cloned().collect(),
        table: Some(bytes.into()),
    })
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
