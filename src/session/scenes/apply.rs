//! Edits scenes and saves them.

use std::path::PathBuf;

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    EditedScene, SavedScene, SceneCommand,
    adding::{element_name, location_problem},
    saving::{SaveOutcome, save_scene},
};
use crate::session::{
    files::{FileFailure, Files, OpenRecordingsMut, Source, display_output_path, folder_of},
    history::{EditHistory, SceneContent},
    view::{FilePurpose, WindowRequest},
};
use bevy_mutoscope::stage::View;
use mutoscope_core::export::InputFiles;
use mutoscope_minecraft::scene::SceneEdit;

/// The recordings and their scenes, and the messages to the user.
#[derive(SystemParam)]
pub(in crate::session) struct SceneContext<'w, 's> {
    open: OpenRecordingsMut<'w, 's>,
    scenes: Query<'w, 's, &'static mut EditedScene>,
    history: ResMut<'w, EditHistory>,
    view: Res<'w, View>,
    files: ResMut<'w, Files>,
}

pub(in crate::session) fn apply(
    In(command): In<SceneCommand>,
    mut context: SceneContext,
    mut window: MessageWriter<WindowRequest>,
) {
    match command {
        SceneCommand::Edit(recording, edit) => {
            let Ok(mut scene) = context.scenes.get_mut(recording) else { return };
            match scene.edit(recording, &edit) {
                Ok(recorded) if matches!(edit, SceneEdit::Change(..)) => {
                    context.history.record_in_step(recorded);
                }
                Ok(recorded) => context.history.record(recorded),
                Err(why) => context.files.notify(format!("Not changed: {why}")),
            }
        }
        SceneCommand::ChooseRecordings | SceneCommand::AddRecordings(_)
            if context.focused_scene().is_none() =>
        {
            context.files.failure = Some(no_scene_failure());
        }
        SceneCommand::ChooseRecordings => {
            window.write(WindowRequest::ChooseFiles(FilePurpose::SceneElements));
        }
        SceneCommand::AddRecordings(paths) => context.add_recordings(paths),
        SceneCommand::Save { path, replaces } => context.save_scene(path, replaces),
        SceneCommand::KeepFile => {
            let focus = context.focused_scene();
            if let Some(mut scene) = focus.and_then(|focus| context.scenes.get_mut(focus).ok()) {
                scene.set_question(None);
            }
        }
    }
}

/// Restores the scene of a recording after undo or redo.
pub(in crate::session) fn restore(
    In((recording, content)): In<(Entity, SceneContent)>,
    mut scenes: Query<&mut EditedScene>,
) {
    if let Ok(mut scene) = scenes.get_mut(recording) {
        scene.restore(content);
    }
}

impl SceneContext<'_, '_> {
    fn focused_scene(&self) -> Option<Entity> {
        self.open.focused(&self.view).filter(|focus| self.scenes.contains(*focus))
    }

    fn add_recordings(&mut self, paths: Vec<PathBuf>) {
        let Some(recording) = self.focused_scene() else { return };
        let Ok(mut scene) = self.scenes.get_mut(recording) else { return };
        let mut messages = Vec::new();
        for path in paths {
            let added = element_name(&path).and_then(|name| {
                let edit = SceneEdit::Add(name.clone());
                let edit = scene.edit(recording, &edit).map_err(|why| why.to_string())?;
                self.history.record(edit);
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
        self.files.notify(messages.join("; "));
    }

    fn save_scene(&mut self, path: PathBuf, replaces: bool) {
        let Some(recording) = self.focused_scene() else { return };
        let others = self.other_files(recording);
        let Ok(mut scene) = self.scenes.get_mut(recording) else { return };
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
                scene.set_file(source.clone(), content);
                self.history.mark_saved(scene.value(recording));
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
}

fn no_scene_failure() -> FileFailure {
    FileFailure {
        name: "scene".to_owned(),
        message: "no scene is open, so no recording was added. Open a scene first".to_owned(),
    }
}
