//! The undo history that all edits of the user go through.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use bevy::prelude::*;

use mutoscope_core::{
    clip::{Assumptions, FormatId, RotationRule},
    formats::{Fit, MappingFile},
    measure::analysis::NamedArea,
};
use mutoscope_minecraft::scene::SceneDocument;
use mutoscope_study::{labels::Label, verdict::Profile};

/// Something that the user edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Document {
    /// The labels of a recording.
    Labels(Entity),
    /// The scene that a recording plays.
    Scene(Entity),
    /// The column mapping of a table.
    Columns(Entity),
    /// The frame rate that a recording is read with.
    FrameRate(Entity),
    /// The profile of the checks of a recording.
    Checks(Entity),
    /// The areas of interest, which all recordings share.
    Areas,
    /// The way in which the reference is attached to its skeleton, with the bone map.
    Fit,
    /// The axes, units and rotation rule that are assumed of a format.
    Assumptions(FormatId),
}

/// The value of a [`Document`] before or after an edit.
#[derive(Clone, Debug, PartialEq)]
pub enum EditedValue {
    /// The labels of a recording.
    Labels(Entity, Arc<[Label]>),
    /// The scene that a recording plays.
    Scene(Entity, SceneContent),
    /// The column mapping of a table. `None` reads the table without a mapping.
    Columns(Entity, Option<MappingFile>),
    /// The frame rate of a recording in Hz. `None` is the rate of the file.
    FrameRate(Entity, Option<f64>),
    /// The profile of the checks of a recording.
    Checks(Entity, Profile),
    /// The areas of interest.
    Areas(Vec<NamedArea>),
    /// The way in which the reference is attached to its skeleton.
    Fit(Fit),
    /// The assumptions on a format in the settings, and the rotation rule of this run.
    Assumptions(FormatId, Assumptions, Option<RotationRule>),
}

/// A scene, and the bytes that it is decoded from.
#[derive(Clone, Debug)]
pub struct SceneContent {
    /// The scene.
    pub document: Arc<SceneDocument>,
    /// The bytes of the file, or the text of `document` if it was edited.
    pub bytes: Arc<Cow<'static, [u8]>>,
}

impl PartialEq for SceneContent {
    fn eq(&self, other: &Self) -> bool {
        self.document == other.document
    }
}

impl Document {
    /// Returns the recording that the document belongs to. `None` if recordings share the document.
    pub fn recording(self) -> Option<Entity> {
        match self {
            Self::Labels(recording)
            | Self::Scene(recording)
            | Self::Columns(recording)
            | Self::FrameRate(recording)
            | Self::Checks(recording) => Some(recording),
            Self::Areas | Self::Fit | Self::Assumptions(_) => None,
        }
    }
}

impl EditedValue {
    /// Returns the document that has this value.
    pub fn document(&self) -> Document {
        match *self {
            Self::Labels(recording, _) => Document::Labels(recording),
            Self::Scene(recording, _) => Document::Scene(recording),
            Self::Columns(recording, _) => Document::Columns(recording),
            Self::FrameRate(recording, _) => Document::FrameRate(recording),
            Self::Checks(recording, _) => Document::Checks(recording),
            Self::Areas(_) => Document::Areas,
            Self::Fit(_) => Document::Fit,
            Self::Assumptions(format, ..) => Document::Assumptions(format),
        }
    }

    /// Returns `true` if the user can save this value to a file. Assumptions are stored in the
    /// settings immediately. The frame rate and the ways to fit other than a bone map have no file.
    fn has_file(&self) -> bool {
        match self {
            Self::Labels(..)
            | Self::Scene(..)
            | Self::Columns(..)
            | Self::Checks(..)
            | Self::Areas(_) => true,
            Self::Fit(fit) => matches!(fit, Fit::Map(_)),
            Self::FrameRate(..) | Self::Assumptions(..) => false,
        }
    }
}

/// An edit that can be undone.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The name for the user, such as `adding reach`.
    pub name: String,
    /// The value before the edit.
    pub before: EditedValue,
    /// The value after the edit. It belongs to the same document as `before`.
    pub after: EditedValue,
}

/// All edits of this run that can be undone or redone, and the edited documents.
#[derive(Resource, Debug, Default)]
pub struct EditHistory {
    done: Vec<Edit>,
    /// The undone edits. The last one is redone first.
    undone: Vec<Edit>,
    documents: HashMap<Document, DocumentState>,
    is_step_open: bool,
}

#[derive(Debug)]
struct DocumentState {
    /// `None` if no file has a value of the document.
    saved: Option<EditedValue>,
    is_unsaved: bool,
}

impl DocumentState {
    fn new(current: &EditedValue, saved: Option<EditedValue>) -> Self {
        let is_unsaved = current.has_file() && saved.as_ref() != Some(current);
        Self { saved, is_unsaved }
    }
}

/// The maximum number of edits that can be undone.
const MAX_EDITS: usize = 1000;

impl EditHistory {
    /// Records an edit as an undo step of its own. Does nothing if the value stays the same.
    pub fn record(&mut self, edit: Edit) {
        self.end_step();
        self.record_in_step(edit);
        self.end_step();
    }

    /// Records an edit. Edits of the same document with the same name are merged into one undo step
    /// until [`Self::end_step`], because a drag changes a value many times.
    pub fn record_in_step(&mut self, edit: Edit) {
        if edit.before == edit.after {
            return;
        }
        self.set_current(&edit.after, Some(&edit.before));
        self.undone.clear();
        match self.done.last_mut() {
            Some(last)
                if self.is_step_open
                    && last.name == edit.name
                    && last.after.document() == edit.after.document() =>
            {
                last.after = edit.after;
            }
            _ => self.done.push(edit),
        }
        self.is_step_open = true;
        if self.done.len() > MAX_EDITS {
            self.done.remove(0);
        }
    }

    /// Ends the current undo step, for example when the user presses the pointer again.
    pub fn end_step(&mut self) {
        self.is_step_open = false;
    }

    /// Removes the last edit from the edits that can be undone. The caller must restore
    /// [`Edit::before`].
    pub(in crate::session) fn undo(&mut self) -> Option<Edit> {
        self.end_step();
        let edit = self.done.pop()?;
        self.set_current(&edit.before, None);
        self.undone.push(edit.clone());
        Some(edit)
    }

    /// Does the opposite of [`Self::undo`]. The caller must restore [`Edit::after`].
    pub(in crate::session) fn redo(&mut self) -> Option<Edit> {
        self.end_step();
        let edit = self.undone.pop()?;
        self.set_current(&edit.after, None);
        self.done.push(edit.clone());
        Some(edit)
    }

    /// Returns the name of the edit that would be undone.
    pub fn undo_name(&self) -> Option<&str> {
        self.done.last().map(|edit| &*edit.name)
    }

    /// Returns the name of the edit that would be redone.
    pub fn redo_name(&self) -> Option<&str> {
        self.undone.last().map(|edit| &*edit.name)
    }

    /// Marks a document as saved with its current value.
    pub fn mark_saved(&mut self, value: EditedValue) {
        self.end_step();
        self.documents
            .insert(value.document(), DocumentState { is_unsaved: false, saved: Some(value) });
    }

    /// Marks a document as unsaved, because no file has it.
    pub fn mark_unsaved(&mut self, value: &EditedValue) {
        self.documents.insert(value.document(), DocumentState::new(value, None));
    }

    /// Returns `true` if the document has unsaved edits.
    pub fn is_unsaved(&self, document: Document) -> bool {
        self.documents.get(&document).is_some_and(|state| state.is_unsaved)
    }

    /// Returns the documents with unsaved edits, in no particular order.
    pub fn unsaved(&self) -> impl Iterator<Item = Document> {
        self.documents.iter().filter(|(_, state)| state.is_unsaved).map(|(document, _)| *document)
    }

    /// Returns `true` if the recording has unsaved edits. Documents that recordings share count for
    /// the reference.
    pub fn has_unsaved_edits(&self, recording: Entity, is_reference: bool) -> bool {
        self.unsaved().any(|document| match document.recording() {
            Some(edited) => edited == recording,
            None => is_reference,
        })
    }

    /// Drops the edits of a document, because its content was replaced by that of a file.
    pub fn forget(&mut self, document: Document) {
        self.forget_where(|other| other == document);
    }

    /// Drops the edits of a recording, because it was closed or replaced by another one.
    pub fn forget_recording(&mut self, recording: Entity) {
        self.forget_where(|document| document.recording() == Some(recording));
    }

    fn forget_where(&mut self, is_forgotten: impl Fn(Document) -> bool) {
        let is_kept = |edit: &Edit| !is_forgotten(edit.after.document());
        self.done.retain(is_kept);
        self.undone.retain(is_kept);
        self.documents.retain(|document, _| !is_forgotten(*document));
    }

    /// Sets the current value of a document. `saved` is the value of its file if the document has
    /// not been edited before.
    fn set_current(&mut self, current: &EditedValue, saved: Option<&EditedValue>) {
        let known = self.documents.remove(&current.document());
        let saved = known.map_or_else(|| saved.cloned(), |state| state.saved);
        self.documents.insert(current.document(), DocumentState::new(current, saved));
    }
}

/// Drops the edits of recordings that were closed.
pub(in crate::session) fn forget_closed(
    closed: On<Remove, bevy_mutoscope::Recording>,
    mut history: ResMut<EditHistory>,
) {
    history.forget_recording(closed.entity);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn areas(count: usize) -> EditedValue {
        let area: NamedArea = "cup=sphere:0,1,-1,0.5".parse().unwrap();
        EditedValue::Areas(vec![area; count])
    }

    fn edit(name: &str, before: EditedValue, after: EditedValue) -> Edit {
        Edit { name: name.to_owned(), before, after }
    }

    fn rate(index: u32, rate_hz: f64) -> EditedValue {
        EditedValue::FrameRate(Entity::from_raw_u32(index).unwrap(), Some(rate_hz))
    }

    #[test]
    fn edits_are_undone_and_redone_across_documents() {
        let mut history = EditHistory::default();
        history.record(edit("adding cup", areas(0), areas(1)));
        history.record(edit("frame rate", rate(1, 30.0), rate(1, 60.0)));
        assert_eq!((history.undo_name(), history.redo_name()), (Some("frame rate"), None));
        assert_eq!(history.undo().unwrap().before, rate(1, 30.0));
        assert_eq!(history.undo().unwrap().before, areas(0));
        assert_eq!((history.undo(), history.redo_name()), (None, Some("adding cup")));
        assert_eq!(history.redo().unwrap().after, areas(1));
        history.record(edit("adding cup", areas(1), areas(2)));
        assert_eq!(history.redo(), None, "an edit drops the undone ones");
    }

    #[test]
    fn a_drag_is_one_undo_step() {
        let mut history = EditHistory::default();
        for count in 0..5 {
            history.record_in_step(edit("changing cup", areas(count), areas(count + 1)));
        }
        history.end_step();
        history.record_in_step(edit("changing cup", areas(5), areas(6)));
        history.record_in_step(edit("changing door", areas(6), areas(7)));
        let undone: Vec<_> = std::iter::from_fn(|| Some(history.undo()?.before)).collect();
        assert_eq!(undone, [areas(6), areas(5), areas(0)]);
        history.record(edit("adding cup", areas(0), areas(1)));
        history.record(edit("adding cup", areas(1), areas(2)));
        assert_eq!(history.undo().unwrap().before, areas(1), "each addition is a step");
    }

    #[test]
    fn a_document_is_unsaved_while_it_differs_from_its_file() {
        let mut history = EditHistory::default();
        history.record(edit("adding cup", areas(0), areas(1)));
        assert!(history.is_unsaved(Document::Areas));
        history.undo();
        assert_eq!(history.unsaved().count(), 0);
        history.redo();
        history.mark_saved(areas(1));
        assert_eq!(history.unsaved().count(), 0);
        history.undo();
        assert!(history.is_unsaved(Document::Areas), "the file has one area");
        history.record(edit("adding cup", areas(0), areas(1)));
        assert!(!history.is_unsaved(Document::Areas), "the file has the same area");
        history.record(edit("frame rate", rate(1, 30.0), rate(1, 60.0)));
        assert_eq!(history.unsaved().count(), 0, "a frame rate has no file");
        history.mark_unsaved(&areas(1));
        let reference = Entity::from_raw_u32(1).unwrap();
        assert!(history.has_unsaved_edits(reference, true));
        assert!(!history.has_unsaved_edits(reference, false));
    }

    #[test]
    fn edits_of_closed_recordings_are_dropped() {
        let mut history = EditHistory::default();
        history.record(edit("frame rate", rate(1, 30.0), rate(1, 60.0)));
        history.record(edit("adding cup", areas(0), areas(1)));
        history.record(edit("frame rate", rate(2, 30.0), rate(2, 60.0)));
        history.undo();
        history.forget_recording(Entity::from_raw_u32(2).unwrap());
        assert_eq!(history.redo(), None);
        history.forget(Document::Areas);
        assert_eq!(history.unsaved().count(), 0);
        assert_eq!(history.undo().unwrap().before, rate(1, 30.0));
        assert_eq!(history.undo(), None);
    }

    #[test]
    fn the_oldest_edits_are_dropped() {
        let mut history = EditHistory::default();
        for count in 0..MAX_EDITS + 10 {
            history.record(edit("frame rate", rate(1, count as f64), rate(1, count as f64 + 1.0)));
        }
        let count = std::iter::from_fn(|| history.undo()).count();
        assert_eq!(count, MAX_EDITS);
    }
}
