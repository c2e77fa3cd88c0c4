//! The column mapping of tables.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use super::files::{FileFailure, FileOpener, Source, display_name, write_complete_file};
use bevy_mutoscope::stage::View;
use mutoscope_core::{clip::ColumnUses, read::format_path};
use mutoscope_logs::{MappingChange, change_mapping, is_printed_mapping, mapping_name};

/// A command on the column mapping of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnsCommand {
    /// Changes the mapping and reads the table again.
    Change(MappingChange),
    /// Reads the table again with the mapping that it was opened with.
    Reset,
    /// Writes the current mapping next to the table, where it is found when the table is opened.
    Save,
}

pub(in crate::session) fn apply(
    In(command): In<ColumnsCommand>,
    mut opener: FileOpener,
    view: Res<View>,
) {
    let Some(focus) = opener.open.focused(&view) else { return };
    let clip = opener.open.recording(focus).map(|recording| recording.clip().clone());
    let Some(columns) = clip.as_ref().and_then(|clip| clip.columns()) else { return };
    match command {
        ColumnsCommand::Change(change) => match change_mapping(columns, &change) {
            Ok(mapping) => opener.reload_with(focus, |options| options.columns = Some(mapping)),
            Err(message) => {
                let name = opener.open.source(focus).map_or_else(String::new, Source::name);
                opener.files.failure = Some(FileFailure { name, message });
            }
        },
        ColumnsCommand::Reset => {
            let columns = opener.files.options.columns.clone();
            opener.reload_with(focus, |options| options.columns = columns);
        }
        ColumnsCommand::Save => save_columns(&mut opener, focus, columns),
    }
}

fn save_columns(opener: &mut FileOpener, focus: Entity, columns: &ColumnUses) {
    let Some(source) = opener.open.source(focus) else { return };
    let path = source.output_base_path();
    let usual_path = path.with_file_name(mapping_name(&display_name(&path)));
    let path = mapping_output_path(&usual_path);
    let files = &mut *opener.files;
    match write_complete_file(&path, columns.mapping.as_bytes()) {
        Ok(()) if path == usual_path => files.notify(format!("Wrote {}", format_path(&path))),
        Ok(()) => files.notify(format!(
            "Wrote {}, because {} was edited by hand. Pass the new file with --columns",
            format_path(&path),
            display_name(&usual_path)
        )),
        Err(error) => {
            let message = format!("cannot be written: {error}");
            files.write_failure = Some(FileFailure { name: display_name(&path), message });
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
