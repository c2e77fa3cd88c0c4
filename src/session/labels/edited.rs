//! The labels of an open recording, and what is being done with them.

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
use crate::{
    recording::Revision,
    session::{Job, Source},
};
use mutoscope_core::diagnostics::Notice;
use mutoscope_study::labels::Label;

/// The labels of a recording, on the entity of the [`Recording`](crate::recording::Recording). Times are seconds of
/// the recording.
#[derive(Component, Debug)]
pub struct EditedLabels {
    history: LabelHistory,
    /// Changes with the labels.
    version: u64,
    selected: Option<usize>,
    began: Option<f64>,
    naming: Option<Naming>,
    /// The name and the tier that were given last.
    last: Label,
    /// Whether commands without a recording mean this one.
    pub(in crate::session) is_active: bool,
    /// Whether labels were edited after the scene that the recording is.
    pub(in crate::session) is_edited_last: bool,
    /// Where the recording was read from.
    pub(super) source: Source,
    /// The clip at whose arrival the label file was looked for.
    pub(super) looked_at: Option<Revision>,
    pub(super) reading: Job<(), Result<Option<LabelFile>, String>>,
    /// The content of the table beside the recording, as far as it was read or written.
    pub(super) table: Option<Arc<[u8]>>,
    pub(super) measuring: Measuring,
}

/// The label or range that is being named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Naming {
    /// A new label.
    New {
        /// Its start, in seconds of the recording.
        start: f64,
        /// Its end, in seconds of the recording.
        end: f64,
    },
    /// The label with this index.
    Label(usize),
}

/// A label file that was read.
#[derive(Debug)]
pub(super) struct LabelFile {
    /// Its name, for messages.
    pub(super) name: String,
    pub(super) labels: Vec<Label>,
    pub(super) notices: Vec<Notice>,
    /// Its content, if it is the table that is saved to.
    pub(super) table: Option<Arc<[u8]>>,
}

impl EditedLabels {
    /// No labels yet, of the recording from `source`.
    pub(super) fn new(source: Source) -> Self {
        Self {
            history: LabelHistory::new(Vec::new()),
            version: next_version(),
            selected: None,
            began: None,
            naming: None,
            last: Label::default(),
            is_active: false,
            is_edited_last: false,
            source,
            looked_at: None,
            reading: Job::default(),
            table: None,
            measuring: Measuring::default(),
        }
    }

    /// These labels of the recording from `source`, as they were saved.
    pub fn of(source: Source, labels: Vec<Label>) -> Self {
        Self { history: LabelHistory::new(labels), ..Self::new(source) }
    }

    /// The labels, in the order of their file.
    pub fn labels(&self) -> &[Label] {
        self.history.labels()
    }

    /// Another number after each change of the labels, and for those of each recording.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether there are edits that were not saved.
    pub fn is_changed(&self) -> bool {
        self.history.is_changed()
    }

    /// The index of the selected label, and the label.
    pub fn selected(&self) -> Option<(usize, &Label)> {
        let index = self.selected?;
        Some((index, self.labels().get(index)?))
    }

    /// When the label started that was begun and not ended, in seconds of the recording.
    pub fn began(&self) -> Option<f64> {
        self.began
    }

    /// The label or range that is being named.
    pub fn naming(&self) -> Option<Naming> {
        self.naming
    }

    /// The name that was given last; empty if none was.
    pub fn last_name(&self) -> &str {
        &self.last.label
    }

    /// The names of labels, the ones that are used most first.
    pub fn names(&self) -> Vec<&str> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for label in self.labels().iter().filter(|label| !label.label.is_empty()) {
            *counts.entry(&label.label).or_default() += 1;
        }
        let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// The name of the edit that would be undone.
    pub fn undo_name(&self) -> Option<&str> {
        self.history.undo_name()
    }

    /// The name of the edit that would be made again.
    pub fn redo_name(&self) -> Option<&str> {
        self.history.redo_name()
    }

    /// The measures of the selected label, once they are known, or why there are none.
    pub fn measures(&self) -> Option<Result<&MeasuredRange, &str>> {
        self.measuring.of(self.version, self.selected?)
    }

    /// Selects the label with this index, or none. The next that is added is on its tier.
    pub fn select(&mut self, label: Option<usize>) {
        self.selected = label.filter(|index| *index < self.labels().len());
        if let Some((_, label)) = self.selected() {
            self.last.tier = label.tier.clone();
        }
    }

    /// Begins a label at `start`, or begins none.
    pub fn begin(&mut self, start: Option<f64>) {
        self.began = start;
    }

    /// Asks for a name, or for none.
    pub fn name_next(&mut self, naming: Option<Naming>) {
        self.naming = naming;
    }

    /// Adds a label with this name on the tier that was used last, and selects it.
    pub fn add(&mut self, start: f64, end: f64, name: &str) {
        let label = Label { start, end, label: name.to_owned(), tier: self.last.tier.clone() };
        // After those that start before it, as most files have them.
        let before = self.labels().iter().rposition(|one| one.start <= start);
        let at = before.map_or(0, |before| before + 1);
        self.edit(format!("adding {}", words(name)), at, 0, vec![label.clone()]);
        self.last = label;
        self.selected = Some(at);
    }

    /// Gives the label with this index other times, another name or another tier.
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
        let name = format!("{verb} {}", words(&before.label));
        if before.label != to.label || before.tier != to.tier {
            self.last = to.clone();
        }
        self.edit(name, index, 1, vec![to]);
    }

    /// Removes the selected label; its name.
    pub fn remove_selected(&mut self) -> Option<Label> {
        let (index, label) = self.selected()?;
        let label = label.clone();
        self.edit(format!("removing {}", words(&label.label)), index, 1, Vec::new());
        self.selected = None;
        Some(label)
    }

    /// Adds those of `labels` that are not there yet; how many they are.
    pub fn import(&mut self, labels: Vec<Label>) -> usize {
        let key = |one: &Label| {
            (one.start.to_bits(), one.end.to_bits(), one.label.clone(), one.tier.clone())
        };
        let known: HashSet<_> = self.labels().iter().map(key).collect();
        let new: Vec<Label> = labels.into_iter().filter(|one| !known.contains(&key(one))).collect();
        let count = new.len();
        if count > 0 {
            self.edit("importing labels".to_owned(), self.labels().len(), 0, new);
        }
        count
    }

    /// Undoes the last edit; its name.
    pub(in crate::session) fn undo(&mut self) -> Option<String> {
        let step = self.history.undo()?;
        Some(self.took(step))
    }

    /// Makes the edit again that was undone last; its name.
    pub(in crate::session) fn redo(&mut self) -> Option<String> {
        let step = self.history.redo()?;
        Some(self.took(step))
    }

    fn took(&mut self, step: Step) -> String {
        self.touch();
        self.selected = step.label;
        step.name
    }

    fn edit(&mut self, name: String, at: usize, count: usize, after: Vec<Label>) {
        self.history.splice(name, at, count, after);
        self.touch();
    }

    fn touch(&mut self) {
        self.version = next_version();
        self.naming = None;
        self.is_edited_last = true;
    }

    /// Takes the labels of the file, if they are others.
    pub(super) fn take(&mut self, labels: Vec<Label>, table: Option<Arc<[u8]>>) {
        self.table = table;
        if labels != self.labels() {
            self.last.tier = labels.first().and_then(|label| label.tier.clone());
            self.history = LabelHistory::new(labels);
            (self.selected, self.naming) = (None, None);
            self.version = next_version();
        }
    }

    /// Notes that the recording is in another file now, which has no labels beside it yet.
    pub(in crate::session) fn follow(&mut self, source: Source) {
        if self.source == source {
            return;
        }
        (self.source, self.table) = (source, None);
        if !self.labels().is_empty() {
            self.history.note_unsaved();
        }
    }

    /// Notes that the labels are saved; `table` is the content of the table beside the recording.
    pub(in crate::session) fn note_saved(&mut self, table: Option<Arc<[u8]>>) {
        self.history.note_saved();
        if table.is_some() {
            self.table = table;
        }
    }

    /// The content of the table beside the recording, as far as it was read or written.
    pub(in crate::session) fn known_table(&self) -> Option<&[u8]> {
        self.table.as_deref()
    }
}

/// A version that no labels had.
fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The name of a label in a sentence.
fn words(name: &str) -> &str {
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
        let mut labels = EditedLabels::of(Source::Sample(0), saved);
        labels.add(2.0, 3.0, "reach");
        assert_eq!(labels.selected(), Some((1, &label(2.0, 3.0, "reach"))));
        assert_eq!((labels.last_name(), labels.names()), ("reach", vec!["rest", "reach"]));
        labels.change(1, Label { tier: Some("hand".to_owned()), ..label(2.0, 3.5, "grasp") });
        labels.add(6.0, 6.0, "point");
        assert_eq!(labels.labels()[3].tier.as_deref(), Some("hand"), "as the one before");
        assert_eq!(labels.undo().as_deref(), Some("adding point"));
        assert_eq!(labels.undo().as_deref(), Some("renaming reach"));
        assert_eq!(labels.labels()[1], label(2.0, 3.0, "reach"));
    }

    #[test]
    fn labels_that_are_there_are_not_imported_again() {
        let mut labels = EditedLabels::of(Source::Sample(0), vec![label(0.0, 1.0, "a")]);
        assert_eq!(labels.import(vec![label(0.0, 1.0, "a"), label(0.0, 2.0, "a")]), 1);
        assert_eq!(labels.import(vec![label(0.0, 2.0, "a")]), 0);
        assert_eq!(labels.undo().as_deref(), Some("importing labels"));
        assert!(!labels.is_changed());
    }
}
