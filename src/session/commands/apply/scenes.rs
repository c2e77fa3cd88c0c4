//! Edits scenes and saves them.

use std::path::PathBuf;

use bevy::prelude::*;

use super::CommandContext;
use crate::session::{
    FileFailure, FilePurpose, SavedScene, SceneCommand, Source,
    files::{folder::folder_of, writing::display_output_path},
    scenes::{SaveOutcome, element_name, location_problem, save_scene},
};
use mutoscope_core::export::InputFiles;
use mutoscope_minecraft::scene::SceneEdit;

impl CommandContext<'_, '_> {
    pub(super) fn apply_scene_command(&mut self, command: SceneCommand) {
        match command {
            SceneCommand::Edit(recording, edit) => self.edit_scene(recording, &edit),
            SceneCommand::EndStep(recording) => {
                if let Some(mut scene) = self.open.scene_mut(recording) {
                    scene.end_step();
                }
            }
            SceneCommand::ChooseRecordings | SceneCommand::AddRecordings(_)
                if self.focused_scene().is_none() =>
            {
                self.report_no_scene();
            }
            SceneCommand::ChooseRecordings => self.choose_files(FilePurpose::SceneElements),
            SceneCommand::AddRecordings(paths) => self.add_recordings(paths),
            SceneCommand::Save { path, replaces } => self.save_scene(path, replaces),
            SceneCommand::KeepFile => {
                if let Some(mut scene) =
                    self.focused_scene().and_then(|entity| self.open.scene_mut(entity))
                {
                    scene.set_question(None);
                }
            }
        }
    }

    pub(super) fn focused_scene(&self) -> Option<Entity> {
        let focus = self.open.focused_recording(self.selected_recording())?;
        self.open.scene(focus).map(|_| focus)
    }

    fn edit_scene(&mut self, recording: Entity, edit: &SceneEdit) {
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        if let Err(why) = scene.edit(edit) {
            self.files.notify(format!("Not changed: {why}"));
        }
        if let Some(mut labels) = self.open.labels_mut(recording) {
            labels.is_edited_last = false;
        }
    }

    fn add_recordings(&mut self, paths: Vec<PathBuf>) {
        let Some(recording) = self.focused_scene() else { return };
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        let mut messages = Vec::new();
        for path in paths {
            let added = element_name(&path).and_then(|name| {
                scene.edit(&SceneEdit::Add(name.clone())).map_err(|why| why.to_string())?;
                Ok(name)
            });
            messages.push(match added {
                Err(why) => why,
                Ok(name) => match location_problem(scene.source(), &path) {
                    None => format!("Added {name}"),
                    Some(problem) => format!("Added {name}, but {problem}"),
                },
            });
        }
        scene.end_step();
        self.files.notify(messages.join("; "));
    }

    fn save_scene(&mut self, path: PathBuf, replaces: bool) {
        let Some(recording) = self.focused_scene() else { return };
        let others = self.other_files(recording);
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        let content = scene.encode();
        let source = scene.source().clone();
        match save_scene(&content, &path, replaces, &source, &others) {
            SaveOutcome::NeedsConfirmation(question) => scene.set_question(Some((path, question))),
            SaveOutcome::Failed(why) => {
                scene.set_save_result(SavedScene { path, result: Err(why) })
            }
            SaveOutcome::Saved(remarks) => {
                let mut remarks = remarks;
                drop(remarks.splice(..0, scene.upgrades().iter().cloned()));
                // If the scene was saved in another folder, keep the original file as the source.
                // The recordings of the scene are searched next to the source, and would not be
                // found in the other folder.
                let is_same_folder = match &source {
                    Source::File(original) => folder_of(original) == folder_of(&path),
                    Source::Sample(_) | Source::Stdin => false,
                };
                let source = if is_same_folder { Source::File(path.clone()) } else { source };
                scene.mark_saved(source.clone(), content);
                self.files.notify(format!("Saved {}", display_output_path(&path)));
                scene.set_save_result(SavedScene { path, result: Ok(remarks) });
                self.open.set_source(recording, source);
            }
        }
    }

    /// Returns all open files except the file of `recording`, so that saving a scene cannot
    /// overwrite them.
    fn other_files(&self, recording: Entity) -> InputFiles {
        let mut inputs = InputFiles::default();
        for other in self.open.entities().into_iter().filter(|other| *other != recording) {
            if let Some(Source::File(path)) = self.open.source(other) {
                inputs.add(path, "an open recording");
            }
        }
        inputs
    }

    pub(super) fn edited_scenes(&self) -> Vec<(Source, crate::session::SceneBytes)> {
        let scenes = self.open.entities().into_iter().filter_map(|entity| self.open.scene(entity));
        let changed = scenes.filter(|scene| scene.has_unsaved_edits());
        changed.map(|scene| (scene.source().clone(), scene.current_bytes())).collect()
    }

    fn report_no_scene(&mut self) {
        let name = "scene".to_owned();
        let message = "no scene is open, so no recording was added. Open a scene first".to_owned();
        self.files.failure = Some(FileFailure { name, message });
    }
}
