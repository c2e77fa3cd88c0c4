//! The column mapping of tables.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use super::{
    files::{FileFailure, FileOpener, Source, display_name, write_complete_file},
    history::{Edit, EditedValue},
};
use bevy_mutoscope::stage::View;
use mutoscope_core::{formats::MappingFile, read::format_path};
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
    let Some(recording) = opener.open.recording(focus) else { return };
    let (clip, current) = (recording.clip().clone(), recording.asset().options.columns.clone());
    let Some(columns) = clip.columns() else { return };
    match command {
        ColumnsCommand::Change(change) => match change_mapping(columns, &change) {
            Ok(mapping) => {
                let name = match change {
                    MappingChange::Set { key, .. } => format!("setting {key}"),
                    MappingChange::Use { column, .. } => format!("use of column {column}"),
                    MappingChange::Read { .. } => "reading of the columns".to_owned(),
                };
                edit_mapping(&mut opener, focus, name, [current, Some(mapping)]);
            }
            Err(message) => {
                let name = opener.open.source(focus).map_or_else(String::new, Source::name);
                opener.files.failure = Some(FileFailure { name, message });
            }
        },
        ColumnsCommand::Reset => {
            let first = opener.files.options.columns.clone();
            edit_mapping(&mut opener, focus, "resetting the columns".to_owned(), [current, first]);
        }
        ColumnsCommand::Save => save_columns(&mut opener, focus),
    }
}

/// Reads a table again with another mapping. `mappings` are the mappings before and after the edit.
fn edit_mapping(
    opener: &mut FileOpener,
    table: Entity,
    name: String,
    mappings: [Option<MappingFile>; 2],
) {
    let [before, after] = mappings.clone().map(|mapping| EditedValue::Columns(table, mapping));
    let [_, mapping] = mappings;
    let edit = Edit { name, before, after };
    opener.edit_options(table, edit, |options| options.columns = mapping);
}

/// Reads a table again after undo or redo.
pub(in crate::session) fn restore(
    In((table, mapping)): In<(Entity, Option<MappingFile>)>,
    mut opener: FileOpener,
) {
    opener.reload_with(table, |options| options.columns = mapping);
}

/// Saves the mapping of a table next to it.
pub(in crate::session) fn save(In(table): In<Entity>, mut opener: FileOpener) {
    save_columns(&mut opener, table);
}

fn save_columns(opener: &mut FileOpener, table: Entity) {
    let Some(recording) = opener.open.recording(table) else { return };
    let (clip, mapping) = (recording.clip().clone(), recording.asset().options.columns.clone());
    let (Some(columns), Some(source)) = (clip.columns(), opener.open.source(table)) else { return };
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
            return;
        }
    }
    opener.history.mark_saved(EditedValue::Columns(table, mapping));
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
