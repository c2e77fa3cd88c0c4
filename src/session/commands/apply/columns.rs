//! Applies commands on the column mapping of tables.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use mutoscope_core::{clip::ColumnUses, read::format_path};
use mutoscope_logs::{MappingChange, change_mapping, is_printed_mapping, mapping_name};

use super::CommandContext;
use crate::session::{
    ColumnsCommand, FileFailure, Source, files::open_job::display_name,
    files::writing::write_complete_file,
};

impl CommandContext<'_, '_> {
    pub(super) fn apply_columns_command(&mut self, command: ColumnsCommand) {
        let Some(focus) = self.open.focused_recording(self.selected_recording()) else { return };
        let clip = self.open.recording(focus).map(|recording| recording.clip().clone());
        let Some(columns) = clip.as_ref().and_then(|clip| clip.columns()) else { return };
        match command {
            ColumnsCommand::Change(change) => self.change_columns(focus, columns, &change),
            ColumnsCommand::Reset => {
                let columns = self.files.options.columns.clone();
                self.reload_with(focus, |options| options.columns = columns);
            }
            ColumnsCommand::Save => self.save_columns(focus, columns),
        }
    }

    fn change_columns(&mut self, focus: Entity, columns: &ColumnUses, change: &MappingChange) {
        match change_mapping(columns, change) {
            Ok(mapping) => self.reload_with(focus, |options| options.columns = Some(mapping)),
            Err(message) => {
                let name = self.open.source(focus).map_or_else(String::new, Source::name);
                self.files.failure = Some(FileFailure { name, message });
            }
        }
    }

    fn save_columns(&mut self, focus: Entity, columns: &ColumnUses) {
        let Some(source) = self.open.source(focus) else { return };
        let path = source.output_base_path();
        let usual_path = path.with_file_name(mapping_name(&display_name(&path)));
        let path = mapping_output_path(&usual_path);
        match write_complete_file(&path, columns.mapping.as_bytes()) {
            Ok(()) if path == usual_path => {
                self.files.notify(format!("Wrote {}", format_path(&path)));
            }
            Ok(()) => self.files.notify(format!(
                "Wrote {}, because {} was edited by hand. Pass the new file with --columns",
                format_path(&path),
                display_name(&usual_path)
            )),
            Err(error) => {
                let message = format!("cannot be written: {error}");
                self.files.write_failure = Some(FileFailure { name: display_name(&path), message });
            }
        }
    }
}

/// Returns the path to write the mapping to. This is `usual_path`, unless a person has written or
/// edited the file there. In that case, the name gets a number.
fn mapping_output_path(usual_path: &Path) -> PathBuf {
    let is_free = |path: &Path| match fs::read(path) {
        Ok(bytes) => is_printed_mapping(&String::from_utf8_lossy(&bytes)),
        // Do not follow links. Otherwise the name of a dangling link would look free.
        Err(_) => fs::symlink_metadata(path).is_err(),
    };
    if is_free(usual_path) {
        return usual_path.to_owned();
    }
    let name = display_name(usual_path);
    let stem = name.strip_suffix(".columns.toml").unwrap_or(&name).to_owned();
    let mut paths =
        (2_u32..).map(|number| usual_path.with_file_name(format!("{stem}-{number}.columns.toml")));
    paths.find(|path| is_free(path)).expect("there are more numbers than files")
}
