//! Names ranges, and plays, changes and removes labels.

use std::{collections::HashMap, sync::Arc};

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{EditedLabels, LabelCommand, Naming};
use crate::session::{
    files::{Files, OpenRecordingsMut, ReplaceQuestion},
    history::{Edit, EditHistory},
    view::{FilePurpose, NodeSelected, Panels, WindowRequest},
};
use bevy_mutoscope::{Recording, stage::View};
use mutoscope_core::{
    measure::compare::Timing,
    playback::{Looping, TimeCommand, TimeRange},
};
use mutoscope_study::labels::Label;

const TIME_EPSILON_S: f64 = 1e-6;

/// The recordings and their labels, and the state that commands on labels change.
#[derive(SystemParam)]
pub(in crate::session) struct LabelContext<'w, 's> {
    pub(super) open: OpenRecordingsMut<'w, 's>,
    pub(super) labels: Query<'w, 's, &'static mut EditedLabels>,
    pub(super) history: ResMut<'w, EditHistory>,
    pub(super) view: Res<'w, View>,
    pub(super) files: ResMut<'w, Files>,
    pub(super) panels: ResMut<'w, Panels>,
}

/// Applies a command. Returns a question if the command would replace a file.
pub(in crate::session) fn apply(
    In(command): In<LabelCommand>,
    mut context: LabelContext,
    mut window: MessageWriter<WindowRequest>,
) -> Option<ReplaceQuestion<LabelCommand>> {
    match command {
        LabelCommand::Mark => context.mark_label(false),
        LabelCommand::Repeat => context.mark_label(true),
        LabelCommand::Name(name) => context.name_label(&name),
        LabelCommand::CancelNaming => {
            context.with_labels(|labels| labels.set_naming(None));
        }
        LabelCommand::Rename => {
            context.with_labels(|labels| {
                let selected = labels.selected().map(|(index, _)| Naming::Label(index));
                labels.set_naming(selected);
            });
        }
        LabelCommand::Play { recording, label } => context.play_label(recording, label),
        LabelCommand::Change { recording, label, to } => {
            context.change_label(recording, label, to);
        }
        LabelCommand::Remove => context.remove_label(),
        LabelCommand::ChooseImport => {
            window.write(WindowRequest::ChooseFiles(FilePurpose::Labels));
        }
        LabelCommand::Import(path) => context.import_labels(&path),
        LabelCommand::Export { path, replaces } => return context.export_labels(path, replaces),
        LabelCommand::Save { replaces } => {
            let recording = context.label_target()?;
            return context.save_labels(recording, replaces);
        }
    }
    None
}

/// Cancels the naming or the new label, or else clears the label selection. Returns `false` if
/// there is none of them.
pub(in crate::session) fn cancel(mut context: LabelContext) -> bool {
    context.cancel_label()
}

/// Saves the labels of a recording next to it. Returns a question if another program has changed
/// the file.
pub(in crate::session) fn save(
    In(recording): In<Entity>,
    mut context: LabelContext,
) -> Option<ReplaceQuestion<LabelCommand>> {
    context.save_labels(recording, false)
}

/// Restores the labels of a recording after undo or redo.
pub(in crate::session) fn restore(
    In((recording, restored)): In<(Entity, Arc<[Label]>)>,
    mut labels: Query<&mut EditedLabels>,
) {
    if let Ok(mut labels) = labels.get_mut(recording) {
        labels.restore(restored);
    }
}

/// Deactivates the label selection after a node was selected.
pub(super) fn deactivate_labels(_: On<NodeSelected>, mut context: LabelContext) {
    context.activate_labels(None);
}

/// Returns the labels of each recording.
pub(in crate::session) fn all_labels(
    labels: Query<(Entity, &EditedLabels)>,
) -> HashMap<Entity, Vec<Label>> {
    labels.iter().map(|(entity, labels)| (entity, labels.labels().to_vec())).collect()
}

impl LabelContext<'_, '_> {
    /// Returns the recording that a label command applies to if the command names no recording.
    /// This is the recording with active labels, or else the focused recording.
    pub(super) fn label_target(&self) -> Option<Entity> {
        let is_active =
            |entity: &Entity| self.labels.get(*entity).is_ok_and(|labels| labels.is_active);
        let active = self.open.entities().into_iter().find(is_active);
        active.or_else(|| self.open.focused(&self.view))
    }

    /// Makes this recording the target of label commands that name no recording, and clears the
    /// label selection of all other recordings. `None` deactivates the labels of every recording.
    pub(super) fn activate_labels(&mut self, recording: Option<Entity>) {
        for entity in self.open.entities() {
            let Ok(mut labels) = self.labels.get_mut(entity) else { continue };
            labels.is_active = Some(entity) == recording;
            if recording.is_some() && !labels.is_active && labels.selected().is_some() {
                labels.select(None);
            }
        }
    }

    fn with_labels<T>(&mut self, change: impl FnOnce(&mut EditedLabels) -> T) -> Option<T> {
        let mut labels = self.labels.get_mut(self.label_target()?).ok()?;
        Some(change(&mut labels))
    }

    /// Edits the labels of a recording. `edit` returns the name of the edit, or `None` if it
    /// changed nothing.
    pub(super) fn edit_labels(
        &mut self,
        recording: Entity,
        edit: impl FnOnce(&mut EditedLabels) -> Option<String>,
    ) {
        let Ok(mut labels) = self.labels.get_mut(recording) else { return };
        let before = labels.value(recording);
        if let Some(name) = edit(&mut labels) {
            let after = labels.value(recording);
            self.history.record(Edit { name, before, after });
        }
    }

    fn timing(&self, recording: Entity) -> Timing {
        self.open.recording(recording).map(Recording::timing).unwrap_or_default()
    }

    fn mark_label(&mut self, repeats: bool) {
        let Some(recording) = self.label_target() else { return };
        let timing = self.timing(recording);
        let clock = self.open.clock();
        let now = timing.to_clip_time(clock.time());
        let range = clock
            .range()
            .map(|range| [range.start(), range.end()].map(|time| timing.to_clip_time(time)));
        let Ok(mut labels) = self.labels.get_mut(recording) else { return };
        if repeats && labels.last_name().is_empty() {
            self.files.notify("No label to repeat yet. Press W to name one".to_owned());
            return;
        }
        let naming = match (labels.open_start(), range) {
            (Some(began), _) => Naming::New { start: began.min(now), end: began.max(now) },
            (None, Some([start, end])) => match labels.selected() {
                Some((index, label)) if has_range(label, [start, end]) => Naming::Label(index),
                _ => Naming::New { start, end },
            },
            (None, None) => {
                labels.set_open_start(Some(now));
                labels.select(None);
                self.activate_labels(Some(recording));
                return;
            }
        };
        labels.set_open_start(None);
        match naming {
            Naming::New { start, end } if repeats => {
                let name = labels.last_name().to_owned();
                self.edit_labels(recording, |labels| Some(labels.add(start, end, &name)));
            }
            // The selected label already covers the range, so do not add a second label.
            Naming::Label(_) if repeats => {}
            naming => labels.set_naming(Some(naming)),
        }
        self.activate_labels(Some(recording));
    }

    fn name_label(&mut self, name: &str) {
        let Some(recording) = self.label_target() else { return };
        self.edit_labels(recording, |labels| {
            let name = match name.trim() {
                "" => labels.last_name().to_owned(),
                name => name.to_owned(),
            };
            // Do not add a label without a name, because it would be read as a label of the whole
            // recording.
            if name.is_empty() {
                return None;
            }
            let naming = labels.naming();
            labels.set_naming(None);
            match naming? {
                Naming::New { start, end } => Some(labels.add(start, end, &name)),
                Naming::Label(index) => {
                    let label = labels.labels().get(index).cloned()?;
                    labels.change(index, Label { label: name, ..label })
                }
            }
        });
    }

    fn play_label(&mut self, recording: Entity, index: usize) {
        let timing = self.timing(recording);
        let Ok(mut labels) = self.labels.get_mut(recording) else { return };
        labels.select(Some(index));
        let Some((_, label)) = labels.selected() else { return };
        let [start, end] = [label.start, label.end].map(|time| timing.to_clock_time(time));
        self.activate_labels(Some(recording));
        let span = self.open.clock().span();
        if span.clamp(start) >= span.clamp(end) {
            // There is no range to play, because the label is a point in time or lies outside the
            // playable span.
            self.open.apply_to_clock([
                TimeCommand::SetRange(None),
                TimeCommand::Seek(start),
                TimeCommand::Pause,
            ]);
            return;
        }
        self.open.apply_to_clock([
            TimeCommand::SetRange(Some(TimeRange::new(start, end))),
            TimeCommand::SetLooping(Looping::Range),
            TimeCommand::Seek(start),
            TimeCommand::Play,
        ]);
    }

    fn change_label(&mut self, recording: Entity, index: usize, to: Label) {
        let timing = self.timing(recording);
        let range = self.clip_range(timing);
        let Ok(labels) = self.labels.get(recording) else { return };
        let Some(before) = labels.labels().get(index).cloned() else { return };
        let [start, end] = [to.start, to.end];
        if !(start.is_finite() && end.is_finite() && start <= end) {
            self.files.notify("Not changed: a label cannot end before it starts".to_owned());
            return;
        }
        self.edit_labels(recording, |labels| {
            let name = labels.change(index, to);
            labels.select(Some(index));
            name
        });
        self.activate_labels(Some(recording));
        if range.is_some_and(|range| has_range(&before, range)) && start < end {
            let [start, end] = [start, end].map(|time| timing.to_clock_time(time));
            self.open.apply_to_clock([TimeCommand::SetRange(Some(TimeRange::new(start, end)))]);
        }
    }

    fn remove_label(&mut self) {
        let Some(recording) = self.label_target() else { return };
        let range = self.clip_range(self.timing(recording));
        let mut removed = None;
        self.edit_labels(recording, |labels| {
            let (label, name) = labels.remove_selected()?;
            removed = Some(label);
            Some(name)
        });
        let Some(label) = removed else {
            self.files.notify("No label is selected".to_owned());
            return;
        };
        if range.is_some_and(|range| has_range(&label, range)) {
            self.open.apply_to_clock([TimeCommand::SetRange(None)]);
        }
    }

    fn cancel_label(&mut self) -> bool {
        let Some(recording) = self.label_target() else { return false };
        let range = self.clip_range(self.timing(recording));
        let Ok(mut labels) = self.labels.get_mut(recording) else { return false };
        if labels.naming().is_some() || labels.open_start().is_some() {
            labels.set_naming(None);
            labels.set_open_start(None);
            return true;
        }
        let Some(label) = labels.selected().map(|(_, label)| label.clone()) else { return false };
        labels.select(None);
        if range.is_some_and(|range| has_range(&label, range)) {
            self.open.apply_to_clock([TimeCommand::SetRange(None)]);
        }
        true
    }

    /// Returns the range of the clock in clip time, in seconds.
    fn clip_range(&self, timing: Timing) -> Option<[f64; 2]> {
        let range = self.open.clock().range()?;
        Some([range.start(), range.end()].map(|time| timing.to_clip_time(time)))
    }
}

fn has_range(label: &Label, [start, end]: [f64; 2]) -> bool {
    (label.start - start).abs() < TIME_EPSILON_S && (label.end - end).abs() < TIME_EPSILON_S
}
