//! Saves the areas of interest next to a recording, and reads them again.
//!
//! `take.areas.txt` has a line for each area of `take.bin`, in the form of the option `--area`. Empty
//! lines and lines that begin with `#` are ignored.

use std::{fmt::Write as _, path::PathBuf};

use bevy::prelude::*;

use super::AreaCommand;
use crate::session::{
    files::{
        FileFailure, Files, OpenRecordings, ReferenceOpened, ReplaceQuestion, SaveOutcome, Source,
        display_name, display_output_path, save_sidecar,
    },
    history::{Document, EditHistory, EditedValue},
};
use bevy_mutoscope::stage::View;
use mutoscope_core::{io::storage, measure::analysis::NamedArea};

/// The bytes of the area file that was read or written last. The file is replaced without a
/// question if it still has these bytes.
#[derive(Resource, Default)]
pub(in crate::session) struct AreaFile(Option<Vec<u8>>);

/// The maximum size of an area file. No person draws as many areas as this file could hold.
const MAX_BYTES: u64 = 1 << 20;

fn area_path(source: &Source) -> PathBuf {
    source.sidecar_path(".areas.txt")
}

/// Reads the areas next to the reference. The current areas are kept if they are not saved, if the
/// command line named them, or if the reference has no area file.
pub(super) fn read_areas(
    opened: On<ReferenceOpened>,
    mut file: ResMut<AreaFile>,
    mut view: ResMut<View>,
    mut history: ResMut<EditHistory>,
    mut files: ResMut<Files>,
) {
    file.0 = None;
    let Source::File(_) = &opened.source else { return };
    let path = area_path(&opened.source);
    if opened.has_requested_areas
        || history.is_unsaved(Document::Areas)
        || !storage::metadata(&path).is_ok_and(|metadata| metadata.size <= MAX_BYTES)
    {
        return;
    }
    let read = storage::read(&path).map_err(|error| format!("cannot be read: {error}"));
    match read.and_then(|bytes| Ok((parse_areas(&String::from_utf8_lossy(&bytes))?, bytes))) {
        Ok((areas, bytes)) => {
            view.areas = areas;
            file.0 = Some(bytes.to_vec());
            history.forget(Document::Areas);
        }
        Err(message) => {
            files.failure = Some(FileFailure { name: display_name(&path), message });
        }
    }
}

fn parse_areas(text: &str) -> Result<Vec<NamedArea>, String> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let areas = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    areas
        .map(|(number, line)| line.parse().map_err(|error| format!("at line {number}: {error}")))
        .collect()
}

impl AreaFile {
    /// Writes the areas next to the reference. Returns a question if another program has written
    /// the file.
    pub(super) fn save(
        &mut self,
        replaces: bool,
        open: &OpenRecordings,
        areas: &[NamedArea],
        history: &mut EditHistory,
        files: &mut Files,
    ) -> Option<ReplaceQuestion<AreaCommand>> {
        let path = open.reference_source().map_or_else(|| "areas.txt".into(), area_path);
        let content = format_areas(areas).into_bytes();
        let inputs = open.input_files(files.skeleton.as_ref());
        match save_sidecar(&content, &path, replaces, self.0.as_deref(), &inputs) {
            SaveOutcome::Saved => {
                self.0 = Some(content);
                history.mark_saved(EditedValue::Areas(areas.to_vec()));
                files.notify(format!("Saved {}", display_output_path(&path)));
            }
            SaveOutcome::NeedsConfirmation(text) => {
                let command = AreaCommand::Save { replaces: true };
                return Some(ReplaceQuestion { text, command });
            }
            SaveOutcome::Failed(message) => {
                files.write_failure = Some(FileFailure { name: display_name(&path), message });
            }
        }
        None
    }
}

fn format_areas(areas: &[NamedArea]) -> String {
    let mut text = String::new();
    for area in areas {
        writeln!(text, "{area}").expect("writing to a string does not fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_areas_are_read_again() {
        let text = "cup=sphere:0,1,-1,0.5\n# the door\n\ndoor=box:1,1,-2,1,2,0.1@Hips\n";
        let areas = parse_areas(text).unwrap();
        assert_eq!(areas.len(), 2);
        assert_eq!(parse_areas(&format_areas(&areas)).unwrap(), areas);
        let error = parse_areas("cup=sphere:0,1,-1,0.5\nscreen").unwrap_err();
        assert!(error.starts_with("at line 2: "), "{error}");
        assert_eq!(
            area_path(&Source::File("a/take.bin".into())),
            PathBuf::from("a/take.areas.txt")
        );
    }
}
