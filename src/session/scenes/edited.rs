//! The edited scene of an open recording.

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use bevy::prelude::*;

use crate::session::{
    files::Source,
    history::{Edit, EditedValue, SceneContent},
    jobs::Job,
};
use bevy_mutoscope::ClipAsset;
use mutoscope_minecraft::scene::{InvalidEdit, SceneDocument, SceneEdit, SceneElement};

/// The content of a scene file.
pub type SceneBytes = Arc<Cow<'static, [u8]>>;

/// The scene of a recording, with its edits. A component on the entity of the
/// [`Recording`](bevy_mutoscope::Recording).
#[derive(Component, Debug)]
pub struct EditedScene {
    content: SceneContent,
    elements: Vec<SceneElement>,
    source: Source,
    is_upgraded: bool,
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
            content: SceneContent { document: Arc::new(document), bytes: file.clone() },
            source,
            is_upgraded: false,
            playing_bytes: file,
            is_stale: false,
            decoding: Job::default(),
            question: None,
            saved: None,
        })
    }

    /// Returns the current elements, in the order of the file.
    pub fn elements(&self) -> &[SceneElement] {
        &self.elements
    }

    /// Returns one sentence for each difference between the file and version 4, the version that is
    /// written.
    pub fn upgrades(&self) -> &[String] {
        if self.is_upgraded { &[] } else { self.content.document.upgrades() }
    }

    /// Returns the path that would be replaced, and the question to the user.
    pub fn question(&self) -> Option<(&PathBuf, &str)> {
        self.question.as_ref().map(|(path, question)| (path, question.as_str()))
    }

    /// Returns the result of the last attempt to save.
    pub fn save_result(&self) -> Option<&SavedScene> {
        self.saved.as_ref()
    }

    /// Applies an edit to the scene of `recording`. Returns the edit for the undo history.
    ///
    /// # Errors
    /// If the mod would reject the edited scene.
    pub fn edit(&mut self, recording: Entity, edit: &SceneEdit) -> Result<Edit, InvalidEdit> {
        let (name, before) = (edit.name(&self.content.document), self.value(recording));
        let mut document = SceneDocument::clone(&self.content.document);
        edit.apply_to(&mut document)?;
        if document != *self.content.document {
            let bytes = encode(&document);
            self.restore(SceneContent { document: Arc::new(document), bytes });
        }
        Ok(Edit { name, before, after: self.value(recording) })
    }

    /// Returns the scene of `recording` as a value of the undo history.
    pub(in crate::session) fn value(&self, recording: Entity) -> EditedValue {
        EditedValue::Scene(recording, self.content.clone())
    }

    /// Replaces the scene, for example after undo or redo.
    pub(super) fn restore(&mut self, content: SceneContent) {
        self.elements = content.document.elements();
        self.content = content;
        self.is_stale = true;
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    pub(super) fn current_bytes(&self) -> &SceneBytes {
        &self.content.bytes
    }

    pub(super) fn encode(&self) -> SceneBytes {
        encode(&self.content.document)
    }

    pub(super) fn matches_file(&self, source: &Source, file: &SceneBytes) -> bool {
        self.source == *source && (*self.playing_bytes == **file || *self.content.bytes == **file)
    }

    pub(super) fn set_question(&mut self, question: Option<(PathBuf, String)>) {
        self.question = question;
    }

    pub(super) fn set_save_result(&mut self, saved: SavedScene) {
        self.question = None;
        self.saved = Some(saved);
    }

    /// Continues with the scene that was written to a file.
    pub(super) fn set_file(&mut self, source: Source, file: SceneBytes) {
        (self.source, self.content.bytes) = (source, file);
        (self.is_upgraded, self.is_stale) = (true, true);
    }
}

fn encode(document: &SceneDocument) -> SceneBytes {
    Arc::new(Cow::Owned(document.to_json_text().into_bytes()))
}
