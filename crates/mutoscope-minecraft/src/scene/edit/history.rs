//! Undo and redo of the edits of a scene.

use super::{InvalidEdit, SceneChange, SceneDocument, SceneEdit};

/// A scene that is edited, and the steps that led there.
#[derive(Clone, Debug)]
pub struct SceneHistory {
    document: SceneDocument,
    done: Vec<Step>,
    /// Undone steps, the latest undone last.
    undone: Vec<Step>,
    /// How many steps were done when it was as the file is; nothing if no steps lead there.
    saved: Option<usize>,
    /// Whether the next edit of the same value is a part of the last step.
    is_open: bool,
}

#[derive(Clone, Debug)]
struct Step {
    edit: SceneEdit,
    change: SceneChange,
    name: String,
}

impl SceneHistory {
    /// The history of a scene as its file is: empty.
    pub fn new(document: SceneDocument) -> Self {
        Self { document, done: Vec::new(), undone: Vec::new(), saved: Some(0), is_open: false }
    }

    /// The scene as it is now.
    pub fn document(&self) -> &SceneDocument {
        &self.document
    }

    /// Makes an edit. Edits of the same value are one step until [`Self::end_step`].
    ///
    /// # Errors
    /// As [`SceneEdit::plan`].
    pub fn edit(&mut self, edit: &SceneEdit) -> Result<(), InvalidEdit> {
        let change = edit.plan(&self.document)?;
        if change.is_nothing() {
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
            Some(last) if self.is_open && !is_saved && edit.continues(&last.edit) => {
                last.change.after = change.after;
            }
            _ => self.done.push(Step { edit: edit.clone(), change, name }),
        }
        self.is_open = true;
        Ok(())
    }

    /// Ends the step that edits belong to: the pointer let go.
    pub fn end_step(&mut self) {
        self.is_open = false;
    }

    /// Undoes the last step; its name, or nothing if there is none.
    pub fn undo(&mut self) -> Option<&str> {
        self.end_step();
        let step = self.done.pop()?;
        self.document.apply(&step.change.inverse());
        self.undone.push(step);
        self.redo_name()
    }

    /// Does the step again that was undone last; its name, or nothing if there is none.
    pub fn redo(&mut self) -> Option<&str> {
        self.end_step();
        let step = self.undone.pop()?;
        self.document.apply(&step.change);
        self.done.push(step);
        self.undo_name()
    }

    /// The name of the step that would be undone.
    pub fn undo_name(&self) -> Option<&str> {
        self.done.last().map(|step| step.name.as_str())
    }

    /// The name of the step that would be done again.
    pub fn redo_name(&self) -> Option<&str> {
        self.undone.last().map(|step| step.name.as_str())
    }

    /// Whether it is not as its file is.
    pub fn is_changed(&self) -> bool {
        self.saved != Some(self.done.len())
    }

    /// Notes that the file is as it is now, which is of version 4.
    pub fn note_saved(&mut self) {
        self.end_step();
        self.document.forget_upgrades();
        self.saved = Some(self.done.len());
    }
}
