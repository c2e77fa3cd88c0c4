//! The labels of an open recording: their edits, selection and naming.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bevy::prelude::*;

use super::measuring::{MeasuredRange, Measuring};
use crate::session::{files::Source, history::EditedValue, jobs::Job};
use bevy_mutoscope::Revision;
use mutoscope_core::diagnostics::Diagnostic;
use mutoscope_study::labels::Label;

/// The labels of a recording, in clip time. A component on the entity of the
/// [`Recording`](bevy_mutoscope::Recording).
#[derive(Component, Debug)]
pub struct EditedLabels {
    labels: Arc<[Label]>,
    version: u64,
    selected: Option<usize>,
    open_start: Option<f64>,
    naming: Option<Naming>,
    last: Label,
    pub(in crate::session) is_active: bool,
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
            labels: Arc::default(),
            version: next_version(),
            selected: None,
            open_start: None,
            naming: None,
            last: Label::default(),
            is_active: false,
            source,
            searched_revision: None,
            reading: Job::default(),
            table: None,
            measuring: Measuring::default(),
        }
    }

    /// Creates the labels of the recording from `source`.
    pub fn from_saved(source: Source, labels: Vec<Label>) -> Self {
        Self { labels: labels.into(), ..Self::new(source) }
    }

    /// Returns the labels in the order of their file.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Returns a number that changes with each edit and differs between recordings.
    pub fn version(&self) -> u64 {
        self.version
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

    /// Adds a label on the tier that was used last, and selects the label. Returns the name of the
    /// edit.
    pub fn add(&mut self, start: f64, end: f64, name: &str) -> String {
        let label = Label { start, end, label: name.to_owned(), tier: self.last.tier.clone() };
        // Insert the label after all labels that start earlier, because label files are usually
        // sorted by start time.
        let before = self.labels().iter().rposition(|label| label.start <= start);
        let index = before.map_or(0, |before| before + 1);
        self.edit(|labels| labels.insert(index, label.clone()));
        self.last = label;
        self.selected = Some(index);
        format!("adding {}", name_in_message(name))
    }

    /// Changes the times, the name or the tier of a label. Returns the name of the edit. `None` if
    /// the label does not exist or is the same already.
    pub fn change(&mut self, index: usize, to: Label) -> Option<String> {
        let before = self.labels().get(index).filter(|before| **before != to)?;
        let verb = if before.label != to.label {
            "renaming"
        } else if before.tier != to.tier {
            "moving"
        } else {
            "timing"
        };
        let name = format!("{verb} {}", name_in_message(&before.label));
        if verb != "timing" {
            self.last = to.clone();
        }
        self.edit(|labels| labels[index] = to);
        Some(name)
    }

    /// Removes the selected label. Returns the removed label and the name of the edit, or `None` if
    /// no label was selected.
    pub fn remove_selected(&mut self) -> Option<(Label, String)> {
        let (index, label) = self.selected()?;
        let label = label.clone();
        self.edit(|labels| drop(labels.remove(index)));
        self.selected = None;
        let name = format!("removing {}", name_in_message(&label.label));
        Some((label, name))
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
            self.edit(|labels| labels.extend(new));
        }
        count
    }

    /// Returns the labels of the recording as a value of the undo history.
    pub(in crate::session) fn value(&self, recording: Entity) -> EditedValue {
        EditedValue::Labels(recording, self.labels.clone())
    }

    /// Restores labels after undo or redo. If one label differs, selects it.
    pub(super) fn restore(&mut self, labels: Arc<[Label]>) {
        let same = |(a, b): &(&Label, &Label)| a == b;
        let before = self.labels.iter().zip(&*labels).take_while(same).count();
        let [rest, own_rest] = [&labels[before..], &self.labels[before..]];
        let after = rest.iter().rev().zip(own_rest.iter().rev()).take_while(same).count();
        self.selected = (rest.len() - after == 1).then_some(before);
        self.labels = labels;
        self.mark_edited();
    }

    fn edit(&mut self, edit: impl FnOnce(&mut Vec<Label>)) {
        let mut labels = self.labels.to_vec();
        edit(&mut labels);
        self.labels = labels.into();
        self.mark_edited();
    }

    fn mark_edited(&mut self) {
        self.version = next_version();
        self.naming = None;
    }

    /// Replaces the labels by those of their file. Returns `false` if they are the same.
    pub(super) fn load(&mut self, labels: Vec<Label>, table: Option<Arc<[u8]>>) -> bool {
        self.table = table;
        let is_different = labels != self.labels();
        if is_different {
            self.last.tier = labels.first().and_then(|label| label.tier.clone());
            self.labels = labels.into();
            (self.selected, self.naming) = (None, None);
            self.version = next_version();
        }
        is_different
    }

    /// Changes the source after the recording was saved to another file. Returns `false` if it is
    /// the same.
    pub(super) fn set_source(&mut self, source: Source) -> bool {
        let is_different = self.source != source;
        if is_different {
            (self.source, self.table) = (source, None);
        }
        is_different
    }

    pub(super) fn set_table(&mut self, table: Option<Arc<[u8]>>) {
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
        assert_eq!(labels.add(2.0, 3.0, "reach"), "adding reach");
        assert_eq!(labels.selected(), Some((1, &label(2.0, 3.0, "reach"))));
        assert_eq!((labels.last_name(), labels.names()), ("reach", vec!["rest", "reach"]));
        let to = Label { tier: Some("hand".to_owned()), ..label(2.0, 3.5, "grasp") };
        assert_eq!(labels.change(1, to.clone()).as_deref(), Some("renaming reach"));
        assert_eq!(labels.change(1, to), None);
        labels.add(6.0, 6.0, "point");
        assert_eq!(
            labels.labels()[3].tier.as_deref(),
            Some("hand"),
            "the tier of the last changed label"
        );
    }

    #[test]
    fn a_restored_label_is_selected() {
        let names = |names: &str| -> Arc<[Label]> {
            names.split(' ').map(|name| label(1.0, 2.0, name)).collect()
        };
        let mut labels = EditedLabels::new(Source::Sample(0));
        for (restored, selected) in [
            ("a b c", None),
            ("a d c", Some(1)),
            ("a c", None),
            ("a c c", Some(2)),
            ("a b c c", Some(1)),
        ] {
            labels.restore(names(restored));
            assert_eq!(labels.selected().map(|(index, _)| index), selected, "{restored}");
            assert_eq!(labels.labels(), &*names(restored));
        }
    }

    #[test]
    fn existing_labels_are_not_imported_again() {
        let mut labels = EditedLabels::from_saved(Source::Sample(0), vec![label(0.0, 1.0, "a")]);
        assert_eq!(labels.import(vec![label(0.0, 1.0, "a"), label(0.0, 2.0, "a")]), 1);
        assert_eq!(labels.import(vec![label(0.0, 2.0, "a")]), 0);
    }
}
