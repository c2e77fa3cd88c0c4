//! The mapping of the columns of tables.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use mutoscope_core::{clip::ColumnUses, formats::MappingFile, read::path_text};
use mutoscope_logs::{MappingChange, changed_mapping, is_printed_mapping, mapping_name};

use super::Targets;
use crate::session::{
    ColumnsCommand, FailedLoading, Source,
    files::open_request::{OpenMode, OpenRequest, OpenTarget, name_of},
    files::writing::write_whole,
};
use mutoscope_core::measure::compare::CompareOptions;

impl Targets<'_, '_> {
    pub(super) fn columns(&mut self, command: ColumnsCommand) {
        let Some(focus) = self.open.focus(self.selected_recording()) else { return };
        let clip = self.open.recording(focus).map(|recording| recording.clip().clone());
        let Some(columns) = clip.as_ref().and_then(|clip| clip.columns()) else { return };
        match command {
            ColumnsCommand::Change(change) => self.change_columns(focus, columns, &change),
            ColumnsCommand::Reset => self.read_again(focus, self.files.columns.clone()),
            ColumnsCommand::Save => self.save_columns(focus, columns),
        }
    }

    fn change_columns(&mut self, focus: Entity, columns: &ColumnUses, change: &MappingChange) {
        match changed_mapping(columns, change) {
            Ok(mapping) => self.read_again(focus, Some(mapping)),
            Err(message) => {
                let name = self.open.source(focus).map_or_else(String::new, Source::name);
                self.files.failed = Some(FailedLoading { name, message });
            }
        }
    }

    /// Reads a recording again by this mapping, or by what is kept beside it.
    fn read_again(&mut self, focus: Entity, columns: Option<MappingFile>) {
        let Some(source) = self.open.source(focus).cloned() else { return };
        if self.open.reference() == Some(focus) {
            let order = OpenRequest { columns, ..self.order_again(source) };
            self.loading.start(order, &mut self.files, &self.jobs);
            return;
        }
        let on = self.usual_skeleton(&source);
        let order = self.order_for(OpenTarget::Source(source), on, OpenMode::New);
        self.overlays.start(OpenRequest { columns, ..order }, CompareOptions::default());
    }

    /// The mapping by which a recording was read, if it was given or chosen in place of what is kept beside it.
    pub(super) fn columns_of(&self, source: &Source) -> Option<MappingFile> {
        let entities = self.open.entities();
        let open = entities.into_iter().find(|one| self.open.source(*one) == Some(source));
        let clip = open.and_then(|one| self.open.recording(one)).map(|one| one.clip());
        let chosen = clip.and_then(|clip| {
            let file = clip.columns()?.read_by.as_ref().filter(|file| !file.is_beside)?;
            let (name, text) = (file.name.clone(), file.text.clone());
            Some(MappingFile { format: clip.format, name, text })
        });
        chosen.or_else(|| self.files.columns.clone())
    }

    fn save_columns(&mut self, focus: Entity, columns: &ColumnUses) {
        let Some(source) = self.open.source(focus) else { return };
        let path = source.path_for_others();
        let usual = path.with_file_name(mapping_name(&name_of(&path)));
        let path = free_path(&usual);
        match write_whole(&path, columns.mapping.as_bytes()) {
            Ok(()) if path == usual => {
                self.files.say(format!("Wrote {}", path_text(&path)));
            }
            Ok(()) => self.files.say(format!(
                "Wrote {}, as {} was edited by hand; --columns reads it",
                path_text(&path),
                name_of(&usual)
            )),
            Err(error) => {
                let message = format!("cannot be written: {error}");
                self.files.unwritten = Some(FailedLoading { name: name_of(&path), message });
            }
        }
    }
}

/// Where a mapping goes: under its usual name, unless a file is there that no program wrote.
fn free_path(usual: &Path) -> PathBuf {
    let is_free = |path: &Path| match fs::read(path) {
        Ok(bytes) => is_printed_mapping(&String::from_utf8_lossy(&bytes)),
        // Where a link leads does not matter.
        Err(_) => fs::symlink_metadata(path).is_err(),
    };
    if is_free(usual) {
        return usual.to_owned();
    }
    let name = name_of(usual);
    let stem = name.strip_suffix(".columns.toml").unwrap_or(&name).to_owned();
    let mut paths =
        (2_u32..).map(|number| usual.with_file_name(format!("{stem}-{number}.columns.toml")));
    paths.find(|path| is_free(path)).expect("there are more numbers than files")
}
