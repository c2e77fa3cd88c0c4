//! Labels: naming ranges, playing, changing and removing labels.

use bevy::prelude::*;

use super::Targets;
use crate::session::{EditedLabels, FilePurpose, LabelCommand, Naming};
use mutoscope_core::{
    measure::compare::Timing,
    playback::{Looping, TimeCommand, TimeRange},
};
use mutoscope_study::labels::Label;

/// Times that differ by less are the same to the eye, in seconds.
const SAME: f64 = 1e-6;

impl Targets<'_, '_> {
    pub(super) fn label(&mut self, command: LabelCommand) {
        match command {
            LabelCommand::Mark => self.mark(false),
            LabelCommand::Repeat => self.mark(true),
            LabelCommand::Name(name) => self.name_label(&name),
            LabelCommand::KeepUnnamed => {
                self.with_labels(|labels| labels.name_next(None));
            }
            LabelCommand::Rename => {
                self.with_labels(|labels| {
                    let selected = labels.selected().map(|(index, _)| Naming::Label(index));
                    labels.name_next(selected);
                });
            }
            LabelCommand::Play { recording, label } => self.play_label(recording, label),
            LabelCommand::Change { recording, label, to } => {
                self.change_label(recording, label, to);
            }
            LabelCommand::Remove => self.remove_label(),
            LabelCommand::ChooseImport => self.choose_files(FilePurpose::Labels),
            LabelCommand::Import(path) => self.import_labels(&path),
            LabelCommand::Export { path, replaces } => self.export_labels(path, replaces),
            LabelCommand::Save { replaces } => {
                if let Some(recording) = self.labelled() {
                    self.save_labels(recording, replaces);
                }
            }
            LabelCommand::Report { path, replaces } => self.report(path, replaces),
        }
    }

    /// The recording whose labels commands without one mean.
    pub(super) fn labelled(&self) -> Option<Entity> {
        let is_active = |one: &Entity| self.open.labels(*one).is_some_and(|it| it.is_active);
        let active = self.open.entities().into_iter().find(is_active);
        active.or_else(|| self.open.focus(self.selected_recording()))
    }

    /// Lets commands without a recording mean the labels of this one; only there is one selected.
    pub(super) fn activate_labels(&mut self, recording: Option<Entity>) {
        for one in self.open.entities() {
            let Some(mut labels) = self.open.labels_mut(one) else { continue };
            labels.is_active = Some(one) == recording;
            if recording.is_some() && !labels.is_active && labels.selected().is_some() {
                labels.select(None);
            }
        }
    }

    pub(super) fn with_labels<T>(&mut self, act: impl FnOnce(&mut EditedLabels) -> T) -> Option<T> {
        let recording = self.labelled()?;
        let mut labels = self.open.labels_mut(recording)?;
        Some(act(&mut labels))
    }

    fn timing(&self, recording: Entity) -> Timing {
        self.open.recording(recording).map(|one| one.timing()).unwrap_or_default()
    }

    /// Names the range, or begins or ends a label at the playhead.
    fn mark(&mut self, repeats: bool) {
        let Some(recording) = self.labelled() else { return };
        let timing = self.timing(recording);
        let clock = self.open.clock();
        let now = timing.second(clock.time());
        let range =
            clock.range().map(|range| [range.start(), range.end()].map(|it| timing.second(it)));
        let Some(mut labels) = self.open.labels_mut(recording) else { return };
        if repeats && labels.last_name().is_empty() {
            self.files.say("No label to repeat yet. Press W to name one".to_owned());
            return;
        }
        let naming = match (labels.began(), range) {
            (Some(began), _) => Naming::New { start: began.min(now), end: began.max(now) },
            (None, Some([start, end])) => match labels.selected() {
                Some((index, label)) if is_range(label, [start, end]) => Naming::Label(index),
                _ => Naming::New { start, end },
            },
            (None, None) => {
                labels.begin(Some(now));
                labels.select(None);
                self.activate_labels(Some(recording));
                return;
            }
        };
        labels.begin(None);
        match naming {
            Naming::New { start, end } if repeats => {
                let name = labels.last_name().to_owned();
                labels.add(start, end, &name);
            }
            // The range has a label already.
            Naming::Label(_) if repeats => {}
            naming => labels.name_next(Some(naming)),
        }
        self.activate_labels(Some(recording));
    }

    fn name_label(&mut self, name: &str) {
        self.with_labels(|labels| {
            let name = match name.trim() {
                "" => labels.last_name().to_owned(),
                name => name.to_owned(),
            };
            // Without a name it would be taken for the whole recording.
            if name.is_empty() {
                return;
            }
            match labels.naming() {
                Some(Naming::New { start, end }) => labels.add(start, end, &name),
                Some(Naming::Label(index)) => {
                    if let Some(label) = labels.labels().get(index).cloned() {
                        labels.change(index, Label { label: name, ..label });
                    }
                }
                None => {}
            }
            labels.name_next(None);
        });
    }

    fn play_label(&mut self, recording: Entity, index: usize) {
        let timing = self.timing(recording);
        let Some(mut labels) = self.open.labels_mut(recording) else { return };
        labels.select(Some(index));
        let Some((_, label)) = labels.selected() else { return };
        let [start, end] = [label.start, label.end].map(|time| timing.first(time));
        self.activate_labels(Some(recording));
        let span = self.open.clock().span();
        if span.clamp(start) >= span.clamp(end) {
            // A point, or a label outside of what plays.
            self.steer([TimeCommand::SetRange(None), TimeCommand::Seek(start), TimeCommand::Pause]);
            return;
        }
        self.steer([
            TimeCommand::SetRange(Some(TimeRange::new(start, end))),
            TimeCommand::SetLooping(Looping::Range),
            TimeCommand::Seek(start),
            TimeCommand::Play,
        ]);
    }

    fn steer<const N: usize>(&mut self, commands: [TimeCommand; N]) {
        commands.into_iter().for_each(|command| self.open.steer(command, None));
    }

    /// Changes a label. The range follows, if it was that of the label.
    fn change_label(&mut self, recording: Entity, index: usize, to: Label) {
        let timing = self.timing(recording);
        let range = self.range_in(timing);
        let Some(mut labels) = self.open.labels_mut(recording) else { return };
        let Some(before) = labels.labels().get(index).cloned() else { return };
        let [start, end] = [to.start, to.end];
        if !(start.is_finite() && end.is_finite() && start <= end) {
            self.files.say("Not changed: a label ends after it starts".to_owned());
            return;
        }
        labels.change(index, to);
        labels.select(Some(index));
        self.activate_labels(Some(recording));
        if range.is_some_and(|range| is_range(&before, range)) && start < end {
            let [start, end] = [start, end].map(|time| timing.first(time));
            self.steer([TimeCommand::SetRange(Some(TimeRange::new(start, end)))]);
        }
    }

    fn remove_label(&mut self) {
        let Some(recording) = self.labelled() else { return };
        let range = self.range_in(self.timing(recording));
        let removed = self.with_labels(EditedLabels::remove_selected).flatten();
        let Some(label) = removed else {
            self.files.say("No label is selected".to_owned());
            return;
        };
        if range.is_some_and(|range| is_range(&label, range)) {
            self.steer([TimeCommand::SetRange(None)]);
        }
    }

    /// Leaves a label that was begun, that is being named or that is selected; whether there was one.
    pub(super) fn leave_label(&mut self) -> bool {
        let Some(recording) = self.labelled() else { return false };
        let range = self.range_in(self.timing(recording));
        let Some(mut labels) = self.open.labels_mut(recording) else { return false };
        if labels.naming().is_some() || labels.began().is_some() {
            labels.name_next(None);
            labels.begin(None);
            return true;
        }
        let Some(label) = labels.selected().map(|(_, label)| label.clone()) else { return false };
        labels.select(None);
        if range.is_some_and(|range| is_range(&label, range)) {
            self.steer([TimeCommand::SetRange(None)]);
        }
        true
    }

    /// The range of the clock, in the time of a recording.
    fn range_in(&self, timing: Timing) -> Option<[f64; 2]> {
        let range = self.open.clock().range()?;
        Some([range.start(), range.end()].map(|time| timing.second(time)))
    }
}

/// Whether a range is that of a label.
fn is_range(label: &Label, [start, end]: [f64; 2]) -> bool {
    (label.start - start).abs() < SAME && (label.end - end).abs() < SAME
}
