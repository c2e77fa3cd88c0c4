//! The label file beside a recording.

use std::path::Path;

use bevy::prelude::*;

use super::{EditedLabels, edited::LabelFile, label_path};
use crate::{
    recording::Recording,
    session::{FailedLoading, Files, Jobs, Source},
};
use mutoscope_core::io::storage;
use mutoscope_study::labels::{self, LabelFormat, Labels, find_sidecar};

/// The open recordings with their labels, if they were looked for.
type Labelled<'a> = (Entity, &'a Recording, &'a Source, Option<&'a mut EditedLabels>);

/// Reads the label file beside each recording that was opened or reloaded. Labels that were edited stay.
pub(in crate::session) fn find_labels(
    mut recordings: Query<Labelled<'_>>,
    mut commands: Commands,
    mut files: ResMut<Files>,
    jobs: Res<Jobs>,
) {
    for (entity, recording, source, labels) in &mut recordings {
        let Some(mut labels) = labels else {
            commands.entity(entity).insert(EditedLabels::new(source.clone()));
            continue;
        };
        // Accessed without triggering change detection, until something has changed.
        let quiet = labels.bypass_change_detection();
        if quiet.source != *source {
            *quiet = EditedLabels::new(source.clone());
        }
        let revision = Some(recording.revision());
        if quiet.looked_at != revision {
            quiet.looked_at = revision;
            if let (false, Source::File(path)) = (quiet.is_changed(), source) {
                let path = path.clone();
                quiet.reading.start(&jobs, (), move |_| read_beside(&path));
            }
        }
        let Some((_, result)) = quiet.reading.poll() else { continue };
        match result.unwrap_or_else(|crashed| Err(crashed.to_string())) {
            // What was edited meanwhile stays.
            Ok(Some(file)) if !quiet.is_changed() => take(&mut labels, file, &mut files),
            Ok(_) => {}
            Err(message) => files.failed = Some(failed(source, message)),
        }
    }
}

fn take(labels: &mut EditedLabels, file: LabelFile, files: &mut Files) {
    if let Some(notice) = file.notices.first() {
        let more = match file.notices.len() {
            1 => String::new(),
            count => format!(" ({} more)", count - 1),
        };
        files.say(format!("{}: {}{more}", file.name, notice.message));
    }
    labels.take(file.labels, file.table);
}

fn failed(source: &Source, message: String) -> FailedLoading {
    let path = match source {
        Source::File(path) => find_sidecar(path).map(|(path, _)| path),
        _ => None,
    };
    let name = path.as_deref().map_or_else(|| "the labels".to_owned(), name_of);
    FailedLoading { name, message }
}

/// The labels beside the recording at `path`; nothing if it has no label file.
fn read_beside(path: &Path) -> Result<Option<LabelFile>, String> {
    let Some((path_of_labels, format)) = find_sidecar(path) else { return Ok(None) };
    let is_table = label_path(&Source::File(path.to_owned())).as_ref() == Some(&path_of_labels);
    let mut file = read_as(&path_of_labels, format)?;
    file.table = file.table.filter(|_| is_table);
    Ok(Some(file))
}

/// The labels in the file at `path`, whose extension is its format, and remarks on them.
pub(in crate::session) fn read_file(path: &Path) -> Result<Labels, String> {
    let format = LabelFormat::of_path(path)
        .ok_or_else(|| "expected a file that ends in .csv, .eaf or .TextGrid".to_owned())?;
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    labels::read(&bytes, format).map_err(|error| error.to_string())
}

fn read_as(path: &Path, format: LabelFormat) -> Result<LabelFile, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let Labels { labels, notices } =
        labels::read(&bytes, format).map_err(|error| error.to_string())?;
    Ok(LabelFile {
        name: name_of(path),
        labels,
        notices: notices.iter().cloned().collect(),
        table: Some(bytes.into()),
    })
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
