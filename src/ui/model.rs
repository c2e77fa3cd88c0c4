//! The data that the panels read.

use bevy::prelude::Entity;
use bevy_egui::egui::TextureId;

use super::{CommandSender, PreparedTimeline};
use crate::session::{
    Command, EditHistory, EditedLabels, Exports, FileCommand, FileListing, Files, OpenFootage,
    OpenRecording, Panels, PendingCommands, RecordingDiagnostics, Reports, Settings, Source,
    ViewCommand, edited_labels_index,
};
use bevy_mutoscope::{
    Recording, RecordingKey, RecordingNode, Revision,
    stage::{StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, GroupId, KeyId, NodeId, Pose},
    measure::compare::Timing,
    playback::{Clock, TimeCommand},
};
use mutoscope_view::timeline::TimeAxis;

/// The data that the panels read, borrowed from its owners.
///
/// A model has one recording in focus: the recording of the selected node, or else the reference. A
/// panel that shows several recordings gets a model for each with [`Model::for_recording`].
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The open panels and their layout.
    pub panels: &'a Panels,
    /// The commands that wait for an answer of the user.
    pub pending: &'a PendingCommands,
    /// The edits that can be undone, and which are unsaved.
    pub history: &'a EditHistory,
    /// The open recordings, the reference first.
    pub recordings: &'a [OpenRecording<'a>],
    /// The prepared timeline of each recording. `None` until its keys are indexed.
    pub timelines: &'a [Option<&'a PreparedTimeline>],
    /// The index of the recording in focus.
    pub focus: usize,
    /// The clock that all recordings share.
    pub clock: &'a Clock,
    /// The view settings.
    pub view: &'a View,
    /// The files of the recordings.
    pub files: &'a Files,
    /// The settings that are kept between runs.
    pub settings: &'a Settings,
    /// The clock time under the pointer, in seconds. `None` if the pointer is not over a time.
    pub hovered: Option<f64>,
    /// The rows of the file of the recording in focus.
    pub listed: &'a FileListing,
    /// The positions of nodes on the screen.
    pub screen: &'a StageScreen,
    /// The embedded samples, for the gallery.
    pub samples: &'a [SampleCard],
    /// The reference footage.
    pub footage: &'a OpenFootage,
    /// The running export.
    pub exports: &'a Exports,
    /// The report that is being written.
    pub reports: &'a Reports,
    /// `true` while the user drags a file over the window.
    pub file_hovers: bool,
    /// The sender for the commands of the panels.
    pub commands: &'a CommandSender,
}

pub(super) fn focused_index(recordings: &[OpenRecording<'_>], view: &View) -> usize {
    let selected = view.selected.map(|selected| selected.recording);
    let found = recordings.iter().position(|one| Some(one.entity) == selected);
    found.unwrap_or(0)
}

impl<'a> Model<'a> {
    /// Returns the model with the recording at `focus` in focus.
    #[must_use]
    pub fn for_recording(&self, focus: usize) -> Self {
        Self { focus, ..*self }
    }

    /// Returns the recording in focus with its files and labels. `None` if no recording is open.
    pub fn open(&self) -> Option<&'a OpenRecording<'a>> {
        self.recordings.get(self.focus)
    }

    /// Returns the source of the reference. `None` if no recording is open.
    pub fn reference_source(&self) -> Option<&'a Source> {
        self.recordings.first().map(|reference| reference.source)
    }

    /// Returns the recording in focus. `None` if no recording is open.
    pub fn recording(&self) -> Option<&'a Recording> {
        self.open().map(|open| open.recording)
    }

    /// Returns the clip of the recording in focus. `None` if no recording is open.
    pub fn clip(&self) -> Option<&'a Clip> {
        self.open().map(|open| open.clip())
    }

    /// Returns the pose of the recording in focus. `None` if no recording is open.
    pub fn pose(&self) -> Option<&'a Pose> {
        self.recording().map(Recording::pose)
    }

    /// Returns the revision of the clip in focus. `None` if no recording is open.
    pub fn revision(&self) -> Option<Revision> {
        self.recording().map(Recording::revision)
    }

    /// Returns the sample times of the clip in focus, in seconds, ascending.
    pub fn sample_times(&self) -> &'a [f64] {
        self.recording().map_or(&[], Recording::sample_times)
    }

    /// Returns the timing of the recording in focus on the clock.
    pub fn timing(&self) -> Timing {
        self.recording().map(Recording::timing).unwrap_or_default()
    }

    /// Returns the current clip time of the recording in focus, in seconds.
    pub fn time(&self) -> f64 {
        self.timing().to_clip_time(self.clock.time())
    }

    /// Returns the prepared timeline of the recording in focus. `None` until its keys are indexed.
    pub fn timeline(&self) -> Option<&'a PreparedTimeline> {
        self.timelines.get(self.focus).copied().flatten()
    }

    /// Returns the issues of the recording in focus. `None` if no recording is open.
    pub fn issues(&self) -> Option<&'a RecordingDiagnostics> {
        self.open().map(|open| open.diagnostics)
    }

    /// Returns the labels of the recording in focus. `None` until their file has been read.
    pub fn labels(&self) -> Option<&'a EditedLabels> {
        self.open()?.labels()
    }

    /// Returns the model with the recording in focus whose label is selected or being edited.
    /// Without such a label, the focus stays.
    #[must_use]
    pub fn for_edited_labels(&self) -> Self {
        let used = edited_labels_index(self.recordings);
        used.map_or(*self, |index| self.for_recording(index))
    }

    /// Returns the list of issues of the recording in focus.
    pub fn all_issues(&self) -> &'a [mutoscope_core::measure::checks::ClipDiagnostic] {
        self.issues().map_or(&[], RecordingDiagnostics::all)
    }

    /// Returns a node of the recording in focus, as it is used in commands.
    pub fn node(&self, node: NodeId) -> RecordingNode {
        RecordingNode::new(self.entity(), node)
    }

    /// Returns a key of the recording in focus, as it is used in commands.
    pub fn key(&self, key: KeyId) -> RecordingKey {
        RecordingKey { recording: self.entity(), key }
    }

    /// Returns the selected node. `None` if it belongs to another recording.
    pub fn selected(&self) -> Option<NodeId> {
        self.view.selected?.node_in(self.open()?.entity)
    }

    /// Returns the selected key. `None` if it belongs to another recording.
    pub fn selected_key(&self) -> Option<KeyId> {
        self.view.selected_key?.key_in(self.open()?.entity)
    }

    /// Returns the nodes from which the selected node is measured. Empty if they belong to another
    /// recording.
    pub fn measured_from(&self) -> Vec<NodeId> {
        let Some(open) = self.open() else { return Vec::new() };
        let nodes = self.view.measured_from.iter();
        nodes.filter_map(|node| node.node_in(open.entity)).collect()
    }

    /// Returns `true` if the node is hidden in the recording in focus.
    pub fn is_hidden(&self, node: NodeId) -> bool {
        self.open().is_some_and(|open| open.hidden.contains(&node))
    }

    /// Returns a model for each recording, the reference first.
    pub fn models(&self) -> impl Iterator<Item = Self> + use<'a> {
        let model = *self;
        (0..self.recordings.len()).map(move |index| model.for_recording(index))
    }

    /// Returns the command that reloads the recording in focus as the variant `name` of the group
    /// `label`. If `name` is `None`, the decoder chooses the variant.
    pub fn choose_variant(&self, label: &str, name: Option<&str>) -> Command {
        let (label, name) = (label.to_owned(), name.map(str::to_owned));
        Command::File(FileCommand::ChooseVariant { recording: self.entity(), label, name })
    }

    /// Returns the command that shows or hides a group of nodes.
    pub fn toggle_group(&self, group: GroupId) -> Command {
        Command::View(ViewCommand::ToggleGroup { recording: self.entity(), group })
    }

    /// Converts a clip time of the recording in focus to clock time, in seconds.
    pub fn to_clock_time(&self, time: f64) -> f64 {
        self.timing().to_clock_time(time)
    }

    /// Converts `axis` from clock time to the clip time of the recording in focus.
    pub fn to_clip_axis(&self, axis: &TimeAxis) -> TimeAxis {
        let Timing { offset, rate } = self.timing();
        axis.retimed(offset, rate)
    }

    /// Sends a command.
    pub fn send(&self, command: Command) {
        self.commands.send(command);
    }

    /// Sends several commands.
    pub fn send_all(&self, commands: impl IntoIterator<Item = Command>) {
        self.commands.send_all(commands);
    }

    /// Sends commands, after converting their clip times to clock time.
    pub fn send_in_clip_time(&self, commands: impl IntoIterator<Item = Command>) {
        self.send_all(commands.into_iter().map(|command| match command {
            Command::Time(TimeCommand::Seek(time)) => {
                Command::Time(TimeCommand::Seek(self.to_clock_time(time)))
            }
            Command::View(ViewCommand::Hover(Some(time))) => {
                Command::View(ViewCommand::Hover(Some(self.to_clock_time(time))))
            }
            other => other,
        }));
    }

    /// Returns the time under the pointer as clip time, in seconds. `None` if the pointer is not
    /// over a time.
    pub fn hovered_time(&self) -> Option<f64> {
        self.hovered.map(|time| self.timing().to_clip_time(time))
    }

    /// Returns the entity of the recording in focus.
    pub fn entity(&self) -> Entity {
        self.open().map_or(Entity::PLACEHOLDER, |open| open.entity)
    }
}

/// An embedded sample, as the gallery shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleCard {
    /// The name of the sample.
    pub name: String,
    /// The name of the file format.
    pub format: String,
    /// A description in one line.
    pub description: String,
    /// An image with a ratio of 16:9. `None` until it is loaded.
    pub texture: Option<TextureId>,
}
