//! The labels of an open recording: their edits, selection and naming.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bevy::prelude::*;

use super::{
    history::{LabelHistory, Step},
    measuring::{MeasuredRange, Measuring},
};
use crate::session::{files::Source, jobs::Job};
use bevy_mutoscope::Revision;
use mutoscope_core::diagnostics::Diagnostic;
use mutoscope_study::labels::Label;

/// The labels of a recording, in clip time. A component on the entity of the
/// [`Recording`](bevy_mutoscope::Recording).
#[derive(Component, Debug)]
pub struct EditedLabels {
    history: LabelHistory,
    version: u64,
    selected: Option<usize>,
    open_start: Option<f64>,
    naming: Option<Naming>,
    last: Label,
    pub(in crate::session) is_active: bool,
    /// Is `true` if the user edited the labels later than the scene of the same recording. Undo
    /// then reverts an edit of the labels.
    pub(in crate::session) is_edited_last: bool,
    pub(super) source: Source,
    pub(super) searched_revision: Option<Revision>,
    pub(super) reading: Job<(), Result<Option<LabelFile>, String>>,
    pub(super) table: Option<Arc<[u8]>>,
    pub(super) measuring: Measuring,
}

/// The label or range for which a name is being entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Naming {
    /// A new label.
    New {
        /// The start in clip time, in seconds.
        start: f64,
        /// The end in clip time, in seconds.
        end: f64,
    },
    /// The label with this index.
    Label(usize),
}

#[derive(Debug)]
pub(super) struct LabelFile {
    pub(super) name: String,
    pub(super) labels: Vec<Label>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) table: Option<Arc<[u8]>>,
}

impl EditedLabels {
    pub(super) fn new(source: Source) -> Self {
        Self {
            history: LabelHistory::new(Vec::new()),
            version: next_version(),
            selected: None,
            open_start: None,
            naming: None,
            last: Label::default(),
            is_active: false,
            is_edited_last: false,
            source,
            searched_revision: None,
            reading: Job::default(),
            table: None,
            measuring: Measuring::default(),
        }
    }

    /// Creates the labels of the recording from `source`. `labels` are the saved labels, so there
    /// are no unsaved edits yet.
    pub fn from_saved(source: Source, labels: Vec<Label>) -> Self {
        Self { history: LabelHistory::new(labels), ..Self::new(source) }
    }

    /// Returns the labels in the order of their file.
    pub fn labels(&self) -> &[Label] {
        self.history.labels()
    }

    /// Returns a number that changes with each edit and differs between recordings.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns `true` if there are unsaved edits.
    pub fn has_unsaved_edits(&self) -> bool {
        self.history.has_unsaved_edits()
    }

    /// Returns the selected label and its index.
    pub fn selected(&self) -> Option<(usize, &Label)> {
        let index = self.selected?;
        Some((index, self.labels().get(index)?))
    }

    /// Returns the start of a label that was begun but not ended, in clip time, in seconds.
    pub fn open_start(&self) -> Option<f64> {
        self.open_start
    }

    /// Returns the label or range for which a name is being entered.
    pub fn naming(&self) -> Option<Naming> {
        self.naming
    }

    /// Returns the last name that was given, or an empty string.
    pub fn last_name(&self) -> &str {
        &self.last.label
    }

    /// Returns the names of the labels, the most frequent first.
    pub fn names(&self) -> Vec<&str> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for label in self.labels().iter().filter(|label| !label.label.is_empty()) {
            *counts.entry(&label.label).or_default() += 1;
        }
        let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// Returns the name of the edit that would be undone.
    pub fn undo_name(&self) -> Option<&str> {
        self.history.undo_name()
    }

    /// Returns the name of the edit that would be redone.
    pub fn redo_name(&self) -> Option<&str> {
        self.history.redo_name()
    }

    /// Returns the measures of the selected label, or why they could not be computed. `None` while
    /// they are not known.
    pub fn measures(&self) -> Option<Result<&MeasuredRange, &str>> {
        self.measuring.get(self.version, self.selected?)
    }

    /// Selects a label or clears the selection. The tier of the selected label becomes the tier of
    /// new labels.
    pub fn select(&mut self, label: Option<usize>) {
        self.selected = label.filter(|index| *index < self.labels().len());
        if let Some((_, label)) = self.selected() {
            self.last.tier = label.tier.clone();
        }
    }

    /// Sets the start of a new label, in clip time. `None` drops a label that was begun.
    pub fn set_open_start(&mut self, start: Option<f64>) {
        self.open_start = start;
    }

    /// Starts to ask for a name. `None` stops asking.
    pub fn set_naming(&mut self, naming: Option<Naming>) {
        self.naming = naming;
    }

    /// Adds a label on the tier that was used last, and selects the label.
    pub fn add(&mut self, start: f64, end: f64, name: &str) {
        let label = Label { start, end, label: name.to_owned(), tier: self.last.tier.clone() };
        // Insert the label after all labels that start earlier, because label files are usually
        // sorted by start time.
        let before = self.labels().iter().rposition(|label| label.start <= start);
        let index = before.map_or(0, |before| before + 1);
        self.edit(format!("adding {}", name_in_message(name)), index, 0, vec![label.clone()]);
        self.last = label;
        self.selected = Some(index);
    }

    /// Changes the times, the name or the tier of a label.
    pub fn change(&mut self, index: usize, to: Label) {
        let Some(before) = self.labels().get(index) else { return };
        if *before == to {
            return;
        }
        let verb = if before.label != to.label {
            "renaming"
        } else if before.tier != to.tier {
            "moving"
        } else {
            "timing"
        };
        let name = format!("{verb} {}", name_in_message(&before.label));
        if before.label != to.label || before.tier != to.tier {
            self.last = to.clone();
        }
        self.edit(name, index, 1, vec![to]);
    }

    /// Removes the selected label. Returns the removed label, or `None` if no label was selected.
    pub fn remove_selected(&mut self) -> Option<Label> {
        let (index, label) = self.selected()?;
        let label = label.clone();
        self.edit(format!("removing {}", name_in_message(&label.label)), index, 1, Vec::new());
        self.selected = None;
        Some(label)
    }

    /// Adds those of `labels` that do not exist yet. Returns the number of added labels.
    pub fn import(&mut self, labels: Vec<Label>) -> usize {
        let key = |label: &Label| {
            (label.start.to_bits(), label.end.to_bits(), label.label.clone(), label.tier.clone())
        };
        let known: HashSet<_> = self.labels().iter().map(key).collect();
        let new: Vec<Label> =
            labels.into_iter().filter(|label| !known.contains(&key(label))).collect();
        let count = new.len();
        if count > 0 {
            self.edit("importing labels".to_owned(), self.labels().len(), 0, new);
        }
        count
    }

    pub(in crate::session) fn undo(&mut self) -> Option<String> {
        let step = self.history.undo()?;
        Some(self.apply_step(step))
    }

    pub(in crate::session) fn redo(&mut self) -> Option<String> {
        let step = self.history.redo()?;
        Some(self.apply_step(step))
    }

    fn apply_step(&mut self, step: Step) -> String {
        self.mark_edited();
        self.selected = step.label;
        step.name
    }

    fn edit(&mut self, name: String, at: usize, count: usize, after: Vec<Label>) {
        self.history.splice(name, at, count, after);
        self.mark_edited();
    }

    fn mark_edited(&mut self) {
        self.version = next_version();
        self.naming = None;
        self.is_edited_last = true;
    }

    pub(super) fn load(&mut self, labels: Vec<Label>, table: Option<Arc<[u8]>>) {
        self.table = table;
        if labels != self.labels() {
            self.last.tier = labels.first().and_then(|label| label.tier.clone());
            self.history = LabelHistory::new(labels);
            (self.selected, self.naming) = (None, None);
            self.version = next_version();
        }
    }

    /// Changes the source after the recording was saved to another file. The labels are unsaved
    /// from then on, because the new file has no label file yet.
    pub(in crate::session) fn set_source(&mut self, source: Source) {
        if self.source == source {
            return;
        }
        (self.source, self.table) = (source, None);
        if !self.labels().is_empty() {
            self.history.mark_unsaved();
        }
    }

    pub(in crate::session) fn mark_saved(&mut self, table: Option<Arc<[u8]>>) {
        self.history.mark_saved();
        if table.is_some() {
            self.table = table;
        }
    }

    pub(in crate::session) fn known_table(&self) -> Option<&[u8]> {
        self.table.as_deref()
    }
}

fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn name_in_message(name: &str) -> &str {
    if name.is_empty() { "a label" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(start: f64, end: f64, name: &str) -> Label {
        Label { start, end, label: name.to_owned(), tier: None }
    }

    #[test]
    fn labels_are_added_in_the_order_of_time_and_selected() {
        let saved = vec![label(0.0, 1.0, "rest"), label(4.0, 5.0, "rest")];
        let mut labels = EditedLabels::from_saved(Source::Sample(0), saved);
        labels.add(2.0, 3.0, "reach");
        assert_eq!(labels.selected(), Some((1, &label(2.0, 3.0, "reach"))));
        assert_eq!((labels.last_name(), labels.names()), ("reach", vec!["rest", "reach"]));
        labels.change(1, Label { tier: Some("hand".to_owned()), ..label(2.0, 3.5, "grasp") });
        labels.add(6.0, 6.0, "point");
        assert_eq!(
            labels.labels()[3].tier.as_deref(),
            Some("hand"),
            "the tier of the last changed label"
        );
        assert_eq!(labels.undo().as_deref(), Some("adding point"));
        assert_eq!(labels.undo().as_deref(), Some("renaming reach"));
        assert_eq!(labels.labels()[1], label(2.0, 3.0, "reach"));
    }

    #[test]
    fn existing_labels_are_not_imported_again() {
        let mut labels = EditedLabels::from_saved(Source::Sample(0), vec![label(0.0, 1.0, "a")]);
        assert_eq!(labels.import(vec![label(0.0, 1.0, "a"), label(0.0, 2.0, "a")]), 1);
        assert_eq!(labels.import(vec![label(0.0, 2.0, "a")]), 0);
        assert_eq!(labels.undo().as_deref(), Some("importing labels"));
        assert!(!labels.has_unsaved_edits());
    }
}
