//! Labels with undo and redo.

use mutoscope_study::labels::Label;

#[derive(Clone, Debug, PartialEq)]
struct Splice {
    name: String,
    at: usize,
    before: Vec<Label>,
    after: Vec<Label>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LabelHistory {
    labels: Vec<Label>,
    done: Vec<Splice>,
    undone: Vec<Splice>,
    /// The number of applied edits when the labels were saved. `None` if undo and redo can no
    /// longer restore the saved state.
    saved: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) name: String,
    pub(super) label: Option<usize>,
}

impl LabelHistory {
    pub(super) fn new(labels: Vec<Label>) -> Self {
        Self { labels, saved: Some(0), ..Self::default() }
    }

    pub(super) fn labels(&self) -> &[Label] {
        &self.labels
    }

    pub(super) fn has_unsaved_edits(&self) -> bool {
        self.saved != Some(self.done.len())
    }

    pub(super) fn mark_saved(&mut self) {
        self.saved = Some(self.done.len());
    }

    pub(super) fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    pub(super) fn undo_name(&self) -> Option<&str> {
        self.done.last().map(|splice| &*splice.name)
    }

    pub(super) fn redo_name(&self) -> Option<&str> {
        self.undone.last().map(|splice| &*splice.name)
    }

    pub(super) fn splice(&mut self, name: String, at: usize, count: usize, after: Vec<Label>) {
        let at = at.min(self.labels.len());
        let end = (at + count).min(self.labels.len());
        let before: Vec<Label> = self.labels.splice(at..end, after.iter().cloned()).collect();
        if self.saved.is_some_and(|saved| saved > self.done.len()) {
            self.saved = None;
        }
        self.undone.clear();
        self.done.push(Splice { name, at, before, after });
    }

    pub(super) fn undo(&mut self) -> Option<Step> {
        let splice = self.done.pop()?;
        let Splice { at, before, after, .. } = &splice;
        self.labels.splice(*at..*at + after.len(), before.iter().cloned());
        let step = Step::new(&splice.name, *at, before);
        self.undone.push(splice);
        Some(step)
    }

    pub(super) fn redo(&mut self) -> Option<Step> {
        let splice = self.undone.pop()?;
        let Splice { at, before, after, .. } = &splice;
        self.labels.splice(*at..*at + before.len(), after.iter().cloned());
        let step = Step::new(&splice.name, *at, after);
        self.done.push(splice);
        Some(step)
    }
}

impl Step {
    fn new(name: &str, at: usize, now: &[Label]) -> Self {
        Self { name: name.to_owned(), label: (now.len() == 1).then_some(at) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str) -> Label {
        Label { start: 1.0, end: 2.0, label: name.to_owned(), tier: None }
    }

    fn names(history: &LabelHistory) -> String {
        history.labels().iter().map(|label| &*label.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn edits_are_undone_and_redone() {
        let mut history = LabelHistory::new(vec![label("a"), label("c")]);
        history.splice("adding b".to_owned(), 1, 0, vec![label("b")]);
        history.splice("removing a".to_owned(), 0, 1, Vec::new());
        history.splice("renaming c".to_owned(), 1, 1, vec![label("d")]);
        assert_eq!((names(&history), history.undo_name()), ("b d".to_owned(), Some("renaming c")));
        let undone: Vec<_> = std::iter::from_fn(|| history.undo()).collect();
        assert_eq!(
            undone.iter().map(|step| step.label).collect::<Vec<_>>(),
            [Some(1), Some(0), None]
        );
        assert_eq!((names(&history), history.has_unsaved_edits()), ("a c".to_owned(), false));
        while history.redo().is_some() {}
        assert_eq!((names(&history), history.has_unsaved_edits()), ("b d".to_owned(), true));
    }

    #[test]
    fn labels_are_unsaved_once_the_saved_state_is_unreachable() {
        let mut history = LabelHistory::new(Vec::new());
        history.splice("adding a".to_owned(), 0, 0, vec![label("a")]);
        history.mark_saved();
        history.undo();
        assert!(history.has_unsaved_edits());
        history.redo();
        assert!(!history.has_unsaved_edits());
        history.undo();
        history.splice("adding b".to_owned(), 0, 0, vec![label("b")]);
        assert!(history.has_unsaved_edits(), "the number of edits is equal, but the edits differ");
        assert_eq!(history.redo(), None);
    }
}
