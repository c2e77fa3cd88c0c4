//! Undo and redo of scene edits.

use super::{InvalidEdit, SceneChange, SceneDocument, SceneEdit};

/// A scene with the undo and redo steps of its edits.
#[derive(Clone, Debug)]
pub struct SceneHistory {
    document: SceneDocument,
    done: Vec<Step>,
    /// The undone steps. The last step is the one that was undone last.
    undone: Vec<Step>,
    /// The number of done steps at the last save. `None` if neither undo nor redo can restore the
    /// saved content.
    saved: Option<usize>,
    is_step_open: bool,
}

#[derive(Clone, Debug)]
struct Step {
    edit: SceneEdit,
    change: SceneChange,
    name: String,
}

impl SceneHistory {
    /// Creates an empty history for a scene that was read from its file.
    pub fn new(document: SceneDocument) -> Self {
        Self { document, done: Vec::new(), undone: Vec::new(), saved: Some(0), is_step_open: false }
    }

    /// Returns the current scene.
    pub fn document(&self) -> &SceneDocument {
        &self.document
    }

    /// Applies an edit. Edits of the same value are merged into one step until [`Self::end_step`].
    ///
    /// # Errors
    /// See [`SceneEdit::plan`].
    pub fn apply_edit(&mut self, edit: &SceneEdit) -> Result<(), InvalidEdit> {
        let change = edit.plan(&self.document)?;
        if change.has_no_effect() {
            return Ok(());
        }
        let name = edit.name(&self.document);
        self.document.apply(&change);
        self.undone.clear();
        let is_saved = self.saved == Some(self.done.len());
        if self.saved.is_some_and(|saved| saved > self.done.len()) {
            self.saved = None;
        }
        match self.done.last_mut() {
            Some(last) if self.is_step_open && !is_saved && edit.merges_with(&last.edit) => {
                last.change.after = change.after;
            }
            _ => self.done.push(Step { edit: edit.clone(), change, name }),
        }
        self.is_step_open = true;
        Ok(())
    }

    /// Ends the current step, for example when the pointer is released.
    pub fn end_step(&mut self) {
        self.is_step_open = false;
    }

    /// Undoes the last step. Returns its name, or `None` if there is no step.
    pub fn undo(&mut self) -> Option<&str> {
        self.end_step();
        let step = self.done.pop()?;
        self.document.apply(&step.change.inverse());
        self.undone.push(step);
        self.redo_name()
    }

    /// Redoes the step that was undone last. Returns its name, or `None` if there is no such step.
    pub fn redo(&mut self) -> Option<&str> {
        self.end_step();
        let step = self.undone.pop()?;
        self.document.apply(&step.change);
        self.done.push(step);
        self.undo_name()
    }

    /// Returns the name of the step that would be undone.
    pub fn undo_name(&self) -> Option<&str> {
        self.done.last().map(|step| step.name.as_str())
    }

    /// Returns the name of the step that would be redone.
    pub fn redo_name(&self) -> Option<&str> {
        self.undone.last().map(|step| step.name.as_str())
    }

    /// Returns `true` if the scene differs from its file.
    pub fn has_unsaved_changes(&self) -> bool {
        self.saved != Some(self.done.len())
    }

    /// Marks the current content as saved. The upgrades are forgotten, because the saved file has
    /// version 4.
    pub fn mark_saved(&mut self) {
        self.end_step();
        self.document.clear_upgrades();
        self.saved = Some(self.done.len());
    }
}
