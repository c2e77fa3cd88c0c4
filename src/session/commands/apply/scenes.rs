//! Editing scenes, saving them, and asking before unsaved edits are lost.

use std::path::PathBuf;

use bevy::prelude::*;

use super::Targets;
use crate::session::{
    Command, Compare, FailedLoading, FileCommand, FilePurpose, SavedScene, SceneCommand, Source,
    files::folder::folder_of,
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
            SceneCommand::Undo => self.step_edits("Undid", |scene| scene.undo()),
            SceneCommand::Redo => self.step_edits("Redid", |scene| scene.redo()),
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
            SceneCommand::Discard => {
                if let Some(command) = self.panels.would_discard.take() {
                    self.obey(*command);
                }
            }
            SceneCommand::KeepOpen => self.panels.would_discard = None,
        }
    }

    /// Whether unsaved edits would be lost by `command`; then that is asked about first.
    pub(super) fn asks_before(&mut self, command: &Command) -> bool {
        let closed = match command {
            Command::File(FileCommand::Open(_))
            | Command::File(FileCommand::OpenSample(_))
            | Command::File(FileCommand::OpenListed(_))
            | Command::File(FileCommand::Step(_))
            | Command::File(FileCommand::ShowGallery)
            | Command::CloseWindow => self.open.entities(),
            Command::File(FileCommand::Close(recording)) => vec![*recording],
            Command::Compare(Compare::Stop) => self.open.entities().into_iter().skip(1).collect(),
            _ => return false,
        };
        let is_changed =
            |one: &Entity| self.open.scene(*one).is_some_and(|scene| scene.is_changed());
        let asks = closed.iter().any(is_changed);
        if asks {
            self.panels.would_discard = Some(Box::new(command.clone()));
        }
        asks
    }

    /// The recording that commands without one mean, if it is a scene.
    fn focused_scene(&self) -> Option<Entity> {
        let focus = self.open.focus(self.selected_recording())?;
        self.open.scene(focus).map(|_| focus)
    }

    fn edit_scene(&mut self, recording: Entity, edit: &SceneEdit) {
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        if let Err(why) = scene.edit(edit) {
            self.files.say(format!("Not changed: {why}"));
        }
    }

    fn step_edits(
        &mut self,
        verb: &str,
        step: impl FnOnce(&mut crate::session::EditedScene) -> Option<String>,
    ) {
        let Some(recording) = self.focused_scene() else {
            self.files.say("Nothing to undo or redo: only edits of scenes are".to_owned());
            return;
        };
        let Some(mut scene) = self.open.scene_mut(recording) else { return };
        let words = match step(&mut scene) {
            Some(name) => format!("{verb}: {name}"),
            None if verb == "Undid" => "Nothing to undo".to_owned(),
            None => "Nothing to redo".to_owned(),
        };
        self.files.say(words);
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
                self.files.say(format!("Saved {}", path.display()));
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
