//! The edited scene of an open recording.

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use bevy::prelude::*;

use crate::session::{files::Source, jobs::Job};
use bevy_mutoscope::ClipAsset;
use mutoscope_minecraft::scene::{
    InvalidEdit, SceneDocument, SceneEdit, SceneElement, SceneHistory,
};

/// The content of a scene file.
pub type SceneBytes = Arc<Cow<'static, [u8]>>;

/// The scene of a recording, with its edits. A component on the entity of the
/// [`Recording`](bevy_mutoscope::Recording).
#[derive(Component, Debug)]
pub struct EditedScene {
    history: SceneHistory,
    elements: Vec<SceneElement>,
    source: Source,
    saved_bytes: SceneBytes,
    pub(super) playing_bytes: SceneBytes,
    pub(super) is_stale: bool,
    pub(super) decoding: Job<(), Result<ClipAsset, String>>,
    question: Option<(PathBuf, String)>,
    saved: Option<SavedScene>,
}

/// The result of saving a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedScene {
    /// The path of the file.
    pub path: PathBuf,
    /// Remarks on the saved scene, or why nothing was written.
    pub result: Result<Vec<String>, String>,
}

impl EditedScene {
    /// Reads a scene. Returns `None` if `file` is not a valid scene.
    pub fn read(source: Source, file: SceneBytes) -> Option<Self> {
        let document = SceneDocument::read(&file).ok()?;
        Some(Self {
            elements: document.elements(),
            history: SceneHistory::new(document),
            source,
            playing_bytes: file.clone(),
            saved_bytes: file,
            is_stale: false,
            decoding: Job::default(),
            question: None,
            saved: None,
        })
    }

    #[cfg(test)]
    pub(crate) fn with_first_element_removed(mut self) -> Self {
        self.edit(&SceneEdit::Remove(0)).expect("the scene has elements");
        self
    }

    /// Returns the current elements, in the order of the file.
    pub fn elements(&self) -> &[SceneElement] {
        &self.elements
    }

    /// Returns one sentence for each difference between the file and version 4, the version that is
    /// written.
    pub fn upgrades(&self) -> &[String] {
        self.history.document().upgrades()
    }

    /// Returns `true` if there are unsaved edits.
    pub fn has_unsaved_edits(&self) -> bool {
        self.history.has_unsaved_changes()
    }

    /// Returns the name of the edit that would be undone.
    pub fn undo_name(&self) -> Option<&str> {
        self.history.undo_name()
    }

    /// Returns the name of the edit that would be redone.
    pub fn redo_name(&self) -> Option<&str> {
        self.history.redo_name()
    }

    /// Returns the path that would be replaced, and the question to the user.
    pub fn question(&self) -> Option<(&PathBuf, &str)> {
        self.question.as_ref().map(|(path, question)| (path, question.as_str()))
    }

    /// Returns the result of the last attempt to save.
    pub fn save_result(&self) -> Option<&SavedScene> {
        self.saved.as_ref()
    }

    /// Applies an edit.
    ///
    /// # Errors
    /// If the mod would reject the edited scene.
    pub fn edit(&mut self, edit: &SceneEdit) -> Result<(), InvalidEdit> {
        self.history.apply_edit(edit)?;
        self.update_elements();
        Ok(())
    }

    /// Ends the current undo step.
    pub fn end_step(&mut self) {
        self.history.end_step();
    }

    /// Undoes the last edit. Returns its name, or `None` if there is no edit to undo.
    pub fn undo(&mut self) -> Option<String> {
        let name = self.history.undo().map(str::to_owned);
        self.update_elements();
        name
    }

    /// Redoes the last undone edit. Returns its name, or `None` if there is no edit to redo.
    pub fn redo(&mut self) -> Option<String> {
        let name = self.history.redo().map(str::to_owned);
        self.update_elements();
        name
    }

    fn update_elements(&mut self) {
        self.elements = self.history.document().elements();
        self.is_stale = true;
    }

    pub(in crate::session) fn source(&self) -> &Source {
        &self.source
    }

    pub(in crate::session) fn current_bytes(&self) -> SceneBytes {
        if self.has_unsaved_edits() { self.encode() } else { self.saved_bytes.clone() }
    }

    pub(in crate::session) fn encode(&self) -> SceneBytes {
        Arc::new(Cow::Owned(self.history.document().to_json_text().into_bytes()))
    }

    pub(super) fn matches_file(&self, source: &Source, file: &SceneBytes) -> bool {
        self.source == *source && (*self.playing_bytes == **file || *self.current_bytes() == **file)
    }

    pub(in crate::session) fn set_question(&mut self, question: Option<(PathBuf, String)>) {
        self.question = question;
    }

    pub(in crate::session) fn set_save_result(&mut self, saved: SavedScene) {
        self.question = None;
        self.saved = Some(saved);
    }

    pub(in crate::session) fn mark_saved(&mut self, source: Source, file: SceneBytes) {
        self.history.mark_saved();
        (self.source, self.saved_bytes, self.is_stale) = (source, file, true);
    }
}
