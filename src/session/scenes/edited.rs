//! The scene that an open recording is.

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use bevy::prelude::*;

use crate::{
    asset::ClipAsset,
    session::{Job, Source},
};
use mutoscope_minecraft::scene::{
    InvalidEdit, SceneDocument, SceneEdit, SceneElement, SceneHistory,
};

/// The content of a scene's file.
pub type SceneBytes = Arc<Cow<'static, [u8]>>;

/// The scene of a recording, on the entity of the [`Recording`](crate::recording::Recording): its current
/// content, and the edits that led there.
#[derive(Component, Debug)]
pub struct EditedScene {
    history: SceneHistory,
    elements: Vec<SceneElement>,
    /// Where it was read from, or saved to.
    source: Source,
    /// The content of that.
    file: SceneBytes,
    /// The bytes that the playing clip was decoded from.
    pub(super) shown: SceneBytes,
    /// Whether what plays may not be what the scene says now.
    pub(super) is_stale: bool,
    pub(super) decoding: Job<(), Result<ClipAsset, String>>,
    /// The question that is asked before a file is replaced.
    question: Option<(PathBuf, String)>,
    saved: Option<SavedScene>,
}

/// The result of saving a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedScene {
    /// The path that was written.
    pub path: PathBuf,
    /// Remarks on the saved scene, or why nothing was written.
    pub result: Result<Vec<String>, String>,
}

impl EditedScene {
    /// The scene in this file; nothing if it is none.
    pub fn read(source: Source, file: SceneBytes) -> Option<Self> {
        let document = SceneDocument::read(&file).ok()?;
        Some(Self {
            elements: document.elements(),
            history: SceneHistory::new(document),
            source,
            shown: file.clone(),
            file,
            is_stale: false,
            decoding: Job::default(),
            question: None,
            saved: None,
        })
    }

    /// The same without its first element.
    #[cfg(test)]
    pub(crate) fn with_an_edit(mut self) -> Self {
        self.edit(&SceneEdit::Remove(0)).expect("it has elements");
        self
    }

    /// Its elements as they are now, in the order of the file.
    pub fn elements(&self) -> &[SceneElement] {
        &self.elements
    }

    /// The differences of version 4, which is written, from the file that was read: a sentence
    /// each.
    pub fn upgrades(&self) -> &[String] {
        self.history.document().upgrades()
    }

    /// Whether it has edits that were not saved.
    pub fn is_changed(&self) -> bool {
        self.history.is_changed()
    }

    /// The name of the edit that would be undone.
    pub fn undo_name(&self) -> Option<&str> {
        self.history.undo_name()
    }

    /// The name of the edit that would be made again.
    pub fn redo_name(&self) -> Option<&str> {
        self.history.redo_name()
    }

    /// The file that would be replaced, and what is asked before.
    pub fn question(&self) -> Option<(&PathBuf, &str)> {
        self.question.as_ref().map(|(path, question)| (path, question.as_str()))
    }

    /// The result of saving it last.
    pub fn saved(&self) -> Option<&SavedScene> {
        self.saved.as_ref()
    }

    /// Makes an edit.
    ///
    /// # Errors
    /// If the mod would not take it.
    pub fn edit(&mut self, edit: &SceneEdit) -> Result<(), InvalidEdit> {
        self.history.edit(edit)?;
        self.look_again();
        Ok(())
    }

    /// Ends the step that edits belong to.
    pub fn end_step(&mut self) {
        self.history.end_step();
    }

    /// Undoes the last edit; its name, or nothing if there is none.
    pub fn undo(&mut self) -> Option<String> {
        let name = self.history.undo().map(str::to_owned);
        self.look_again();
        name
    }

    /// Makes the edit again that was undone last; its name, or nothing if there is none.
    pub fn redo(&mut self) -> Option<String> {
        let name = self.history.redo().map(str::to_owned);
        self.look_again();
        name
    }

    fn look_again(&mut self) {
        self.elements = self.history.document().elements();
        self.is_stale = true;
    }

    pub(in crate::session) fn source(&self) -> &Source {
        &self.source
    }

    /// The content that is to be played: of the file, or as it was edited.
    pub(in crate::session) fn content(&self) -> SceneBytes {
        if self.is_changed() { self.written() } else { self.file.clone() }
    }

    /// The file that is written.
    pub(in crate::session) fn written(&self) -> SceneBytes {
        Arc::new(Cow::Owned(self.history.document().text().into_bytes()))
    }

    /// Whether `file` has what is edited: the content of this scene as it is shown or will be.
    pub(super) fn is_of(&self, source: &Source, file: &SceneBytes) -> bool {
        self.source == *source && (*self.shown == **file || *self.content() == **file)
    }

    pub(in crate::session) fn ask(&mut self, question: Option<(PathBuf, String)>) {
        self.question = question;
    }

    /// Notes the result of saving.
    pub(in crate::session) fn note(&mut self, saved: SavedScene) {
        self.question = None;
        self.saved = Some(saved);
    }

    /// Notes that `source` is as the scene is now.
    pub(in crate::session) fn note_saved(&mut self, source: Source, file: SceneBytes) {
        self.history.note_saved();
        (self.source, self.file, self.is_stale) = (source, file, true);
    }
}
