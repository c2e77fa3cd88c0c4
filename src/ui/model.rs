//! The data that the panels read.

use bevy::prelude::Entity;
use bevy_egui::egui::TextureId;

use super::{CommandSender, PreparedTimeline};
use crate::{
    recording::{Recording, RecordingKey, RecordingNode, Revision},
    session::{
        Command, EditedLabels, Exports, Files, Issues, Listed, OpenFootage, OpenRecording, Panels,
        Reports, ViewCommand,
    },
    stage::{ScreenPoint, StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, GroupId, KeyId, NodeId, Pose},
    measure::{compare::Timing, timeline::TimeAxis},
    playback::{Clock, TimeCommand},
};

/// The data that the panels read, borrowed from its owners.
///
/// It looks at one recording: the one that a node is selected of, else the reference. A panel that
/// shows several looks at each in turn, with [`Model::looking_at`].
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The open panels and their layout.
    pub panels: &'a Panels,
    /// The open recordings, the reference first.
    pub recordings: &'a [OpenRecording<'a>],
    /// The prepared timeline of each; `None` until its keys were indexed.
    pub timelines: &'a [Option<&'a PreparedTimeline>],
    /// The index of the recording that is looked at.
    pub focus: usize,
    /// The clock of all of them.
    pub clock: &'a Clock,
    /// The view settings.
    pub view: &'a View,
    /// Where they come from.
    pub files: &'a Files,
    /// The time in seconds that the pointer is over somewhere, if it is over any.
    pub hovered: Option<f64>,
    /// The file of the recording that a node is selected of, row by row.
    pub listed: &'a Listed,
    /// Where nodes are on the screen.
    pub screen: &'a StageScreen,
    /// The embedded samples, for the gallery.
    pub samples: &'a [SampleCard],
    /// The reference footage.
    pub footage: &'a OpenFootage,
    /// The running export.
    pub exports: &'a Exports,
    /// The report that is being written.
    pub reports: &'a Reports,
    /// Whether the user holds a file over the window and has not let go yet.
    pub file_hovers: bool,
    /// Takes the commands that panels give.
    pub commands: &'a CommandSender,
}

/// The index of the recording that a node is selected of, else of the reference.
pub(super) fn focus_of(recordings: &[OpenRecording<'_>], view: &View) -> usize {
    let selected = view.selected.map(|selected| selected.recording);
    let found = recordings.iter().position(|one| Some(one.entity) == selected);
    found.unwrap_or(0)
}

impl<'a> Model<'a> {
    /// The same, looking at the recording with this index.
    #[must_use]
    pub fn looking_at(&self, focus: usize) -> Self {
        Self { focus, ..*self }
    }

    /// The recording that is looked at, if any is open.
    pub fn open(&self) -> Option<&'a OpenRecording<'a>> {
        self.recordings.get(self.focus)
    }

    /// The recording that is looked at, if any is open.
    pub fn recording(&self) -> Option<&'a Recording> {
        self.open().map(|open| open.recording)
    }

    /// Its clip.
    pub fn clip(&self) -> Option<&'a Clip> {
        self.open().map(|open| open.clip())
    }

    /// Its pose; nothing of a node if nothing is open.
    pub fn pose(&self) -> Option<&'a Pose> {
        self.recording().map(Recording::pose)
    }

    /// The revision of its clip.
    pub fn revision(&self) -> Option<Revision> {
        self.recording().map(Recording::revision)
    }

    /// The times in seconds at which its clip has samples, ascending.
    pub fn sample_times(&self) -> &'a [f64] {
        self.recording().map_or(&[], Recording::sample_times)
    }

    /// Its timing on the clock.
    pub fn timing(&self) -> Timing {
        self.recording().map(Recording::timing).unwrap_or_default()
    }

    /// Its own time now, in seconds.
    pub fn time(&self) -> f64 {
        self.timing().second(self.clock.time())
    }

    /// Its prepared timeline, once its keys were indexed.
    pub fn timeline(&self) -> Option<&'a PreparedTimeline> {
        self.timelines.get(self.focus).copied().flatten()
    }

    /// The issues in its data.
    pub fn issues(&self) -> Option<&'a Issues> {
        self.open().map(|open| open.issues)
    }

    /// Its labels, once they were looked for.
    pub fn labels(&self) -> Option<&'a EditedLabels> {
        self.open()?.labels
    }

    /// The same, looking at the recording whose label is selected or being named; else as this does.
    #[must_use]
    pub fn looking_at_labels(&self) -> Self {
        let is_used = |one: &OpenRecording<'_>| {
            one.labels.is_some_and(|labels| {
                labels.selected().is_some() || labels.naming().is_some() || labels.began().is_some()
            })
        };
        let used = self.recordings.iter().position(is_used);
        used.map_or(*self, |index| self.looking_at(index))
    }

    /// The issues in its data, one by one.
    pub fn all_issues(&self) -> &'a [mutoscope_core::measure::checks::Issue] {
        self.issues().map_or(&[], Issues::all)
    }

    /// A node of it.
    pub fn node(&self, node: NodeId) -> RecordingNode {
        RecordingNode::new(self.entity(), node)
    }

    /// A key of it.
    pub fn key(&self, key: KeyId) -> RecordingKey {
        RecordingKey { recording: self.entity(), key }
    }

    /// The selected node, if it is one of it.
    pub fn selected(&self) -> Option<NodeId> {
        self.view.selected?.of(self.open()?.entity)
    }

    /// The selected key, if it is one of it.
    pub fn selected_key(&self) -> Option<KeyId> {
        self.view.selected_key?.of(self.open()?.entity)
    }

    /// The node that distances are measured from, if it is one of it.
    pub fn measured_from(&self) -> Option<NodeId> {
        self.view.measured_from?.of(self.open()?.entity)
    }

    /// Whether a node of it is hidden.
    pub fn is_hidden(&self, node: NodeId) -> bool {
        self.open().is_some_and(|open| open.hidden.contains(&node))
    }

    /// Where a node of it is on the screen, if it is in sight.
    pub fn point(&self, node: NodeId) -> Option<ScreenPoint> {
        self.screen.point(self.open()?.entity, node)
    }

    /// The models that look at each recording in turn, the reference first.
    pub fn each(&self) -> impl Iterator<Item = Self> + use<'a> {
        let model = *self;
        (0..self.recordings.len()).map(move |index| model.looking_at(index))
    }

    /// The command that shows or hides a group of its nodes.
    pub fn toggle_group(&self, group: GroupId) -> Command {
        Command::View(ViewCommand::ToggleGroup { recording: self.entity(), group })
    }

    /// The time of the clock, in seconds, at which its own time is `time`.
    pub fn on_clock(&self, time: f64) -> f64 {
        self.timing().first(time)
    }

    /// `axis`, which is the clock's, in its own time.
    pub fn axis(&self, axis: &TimeAxis) -> TimeAxis {
        let Timing { offset, rate } = self.timing();
        axis.retimed(offset, rate)
    }

    /// Gives a command.
    pub fn send(&self, command: Command) {
        self.commands.send(command);
    }

    /// Gives several commands.
    pub fn send_all(&self, commands: impl IntoIterator<Item = Command>) {
        self.commands.send_all(commands);
    }

    /// Gives commands that speak of its own time, on the clock's time.
    pub fn send_on_clock(&self, commands: impl IntoIterator<Item = Command>) {
        self.send_all(commands.into_iter().map(|command| match command {
            Command::Time(TimeCommand::Seek(time)) => {
                Command::Time(TimeCommand::Seek(self.on_clock(time)))
            }
            Command::View(ViewCommand::Hover(Some(time))) => {
                Command::View(ViewCommand::Hover(Some(self.on_clock(time))))
            }
            other => other,
        }));
    }

    /// The time in seconds that the pointer is over, as its own time.
    pub fn hovered_time(&self) -> Option<f64> {
        self.hovered.map(|time| self.timing().second(time))
    }

    fn entity(&self) -> Entity {
        self.open().map_or(Entity::PLACEHOLDER, |open| open.entity)
    }
}

/// One embedded sample, as the gallery shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleCard {
    /// Its name.
    pub name: String,
    /// The name of its format.
    pub format: String,
    /// One line that says what is in it.
    pub line: String,
    /// An image of it, 16 to 9; `None` until there is one.
    pub texture: Option<TextureId>,
}
