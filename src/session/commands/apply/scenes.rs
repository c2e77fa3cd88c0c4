//! Editing scenes and saving them.

use std::path::PathBuf;

use bevy::prelude::*;

use super::Targets;
use crate::session::{
    FailedLoading, FilePurpose, SavedScene, SceneCommand, Source,
    files::{folder::folder_of, writing::written_text},
    scenes::{Saving, element_name, misplaced, save},
};
use mutoscope_core::export::InputFiles;
use mutoscope_minecraft::scene::SceneEdit;

impl Targets<'_, '_> {
    pub(super) fn scene(&mut self, command: SceneCommand) {
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
                self.no_scene();
            }
            SceneCommand::ChooseRecordings => self.choose_files(FilePurpose::SceneElements),
            SceneCommand::AddRecordings(paths) => self.add_recordings(paths),
            SceneCommand::Save { path, replaces } => self.save_scene(path, replaces),
            SceneCommand::KeepFile => {
                if let Some(mut scene) = self.focused_scene().and_then(|it| self.open.scene_mut(it))
                {
                    scene.ask(None);
                }
            }
        }
    }

    /// The recording that commands without one mean, if it is a scene.
    pub(super) fn focused_scene(&self) -> Option<Entity> {
        let focus = self.open.focus(self.selected_recording())?;
        self.open.scene(focus).map(|_| focus)
    }

    fn edit_scene(&mut self, recording: Entity, edit: &SceneEdit) {
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        if let Err(why) = scene.edit(edit) {
            self.files.say(format!("Not changed: {why}"));
        }
        if let Some(mut labels) = self.open.labels_mut(recording) {
            labels.is_edited_last = false;
        }
    }

    fn add_recordings(&mut self, paths: Vec<PathBuf>) {
        let Some(recording) = self.focused_scene() else { return };
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        let mut said = Vec::new();
        for path in paths {
            let added = element_name(&path).and_then(|name| {
                scene.edit(&SceneEdit::Add(name.clone())).map_err(|why| why.to_string())?;
                Ok(name)
            });
            said.push(match added {
                Err(why) => why,
                Ok(name) => match misplaced(scene.source(), &path) {
                    None => format!("Added {name}"),
                    Some(problem) => format!("Added {name}, but {problem}"),
                },
            });
        }
        scene.end_step();
        self.files.say(said.join("; "));
    }

    fn save_scene(&mut self, path: PathBuf, replaces: bool) {
        let Some(recording) = self.focused_scene() else { return };
        let others = self.other_files(recording);
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        let content = scene.written();
        let source = scene.source().clone();
        match save(&content, &path, replaces, &source, &others) {
            Saving::Asks(question) => scene.ask(Some((path, question))),
            Saving::Failed(why) => scene.note(SavedScene { path, result: Err(why) }),
            Saving::Done(remarks) => {
                let mut remarks = remarks;
                drop(remarks.splice(..0, scene.upgrades().iter().cloned()));
                // Elsewhere its recordings would not be found.
                let goes_on_there = match &source {
                    Source::File(own) => folder_of(own) == folder_of(&path),
                    Source::Sample(_) | Source::Stdin => false,
                };
                let source = if goes_on_there { Source::File(path.clone()) } else { source };
                scene.note_saved(source.clone(), content);
                self.files.say(format!("Saved {}", written_text(&path)));
                scene.note(SavedScene { path, result: Ok(remarks) });
                self.open.set_source(recording, source);
            }
        }
    }

    /// The open files other than that of one recording: no scene is written over them.
    fn other_files(&self, recording: Entity) -> InputFiles {
        let mut inputs = InputFiles::default();
        for other in self.open.entities().into_iter().filter(|other| *other != recording) {
            if let Some(Source::File(path)) = self.open.source(other) {
                inputs.add(path, "an open recording");
            }
        }
        inputs
    }

    /// The unsaved scenes among the open recordings, as they are now.
    pub(super) fn edited_scenes(&self) -> Vec<(Source, crate::session::SceneBytes)> {
        let scenes = self.open.entities().into_iter().filter_map(|one| self.open.scene(one));
        let changed = scenes.filter(|scene| scene.is_changed());
        changed.map(|scene| (scene.source().clone(), scene.content())).collect()
    }

    /// Reports that nothing can be added where there is no scene.
    fn no_scene(&mut self) {
        let name = "scene".to_owned();
        let message = "no scene is open to add a recording to. Open one first".to_owned();
        self.files.failed = Some(FailedLoading { name, message });
    }
}
