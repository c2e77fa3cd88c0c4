//! Helpers for tests of panels: a recording, and everything a model borrows from.

use bevy::prelude::Entity;
use bevy_egui::egui::{Pos2, Ui, Vec2, vec2};
use egui_kittest::Harness;

use super::{CommandSender, Model, PreparedTimeline, SampleCard, hover, model::focus_of};
use crate::{
    asset::ClipAsset,
    recording::{HiddenNodes, Overlay, Recording, RecordingKey, RecordingNode, Tint},
    session::{
        Command, Comparing, EditedLabels, EditedScene, Exports, Files, Issues, Listed, OpenFootage,
        OpenRecording, Panels, Reports, Source, ViewCommand,
    },
    stage::{StageScreen, View},
};
use mutoscope_core::{
    clip::Clip,
    measure::compare::Timing,
    playback::{Clock, TimeCommand},
};

/// The sample recording of both hands.
pub(super) fn two_hands() -> Clip {
    let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
    mutoscope_core::formats::decode(bytes, &mutoscope_core::formats::DecodeRequest::default())
        .unwrap()
}

/// The sample recording of Minecraft.
pub(super) fn a_day() -> Clip {
    let bytes = include_bytes!("../../assets/mcmocap/a-day.mcmocap_rec");
    mutoscope_core::formats::decode(bytes, &mutoscope_core::formats::DecodeRequest::default())
        .unwrap()
}

/// Presses the pointer at `from` and moves it by this many points to the right, in two steps.
pub(super) fn drag<S>(harness: &mut Harness<'_, S>, from: Pos2, by: f32) {
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    for part in [0.5, 1.0] {
        harness.hover_at(from + vec2(part * by, 0.0));
        harness.step();
    }
}

/// An open recording and what the session keeps of it.
pub(super) struct DeskRecording {
    pub(super) entity: Entity,
    pub(super) recording: Recording,
    pub(super) source: Source,
    pub(super) issues: Issues,
    pub(super) hidden: HiddenNodes,
    pub(super) overlay: Option<Overlay>,
    pub(super) comparing: Option<Comparing>,
    pub(super) scene: Option<EditedScene>,
    pub(super) labels: EditedLabels,
    pub(super) timeline: Option<PreparedTimeline>,
}

impl DeskRecording {
    fn open(&self, index: usize) -> OpenRecording<'_> {
        OpenRecording {
            entity: self.entity,
            index,
            recording: &self.recording,
            source: &self.source,
            issues: &self.issues,
            tint: Tint::in_turn(index),
            hidden: &self.hidden,
            is_visible: true,
            overlay: self.overlay.as_ref(),
            comparing: self.comparing.as_ref(),
            scene: self.scene.as_ref(),
            labels: Some(&self.labels),
        }
    }
}

/// Everything a model borrows from, and the commands of the panel under test.
#[derive(Default)]
pub(super) struct Desk<S> {
    pub(super) panels: Panels,
    pub(super) clock: Clock,
    pub(super) recordings: Vec<DeskRecording>,
    pub(super) view: View,
    pub(super) files: Files,
    pub(super) hovered: Option<f64>,
    pub(super) exports: Exports,
    pub(super) reports: Reports,
    pub(super) footage: OpenFootage,
    pub(super) listed: Listed,
    pub(super) screen: StageScreen,
    pub(super) samples: Vec<SampleCard>,
    pub(super) file_hovers: bool,
    pub(super) state: S,
    pub(super) sender: CommandSender,
    pub(super) commands: Vec<Command>,
}

impl<S: Default> Desk<S> {
    /// With `clip` open, paused at its start.
    pub(super) fn with(clip: Clip) -> Self {
        let mut desk = Self::default();
        desk.open(clip);
        desk
    }

    /// With a scene of three recordings open.
    pub(super) fn with_scene() -> Self {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mcmocap-more");
        let path = std::path::Path::new(data).join("trio.mcmocap_scene");
        let bytes = std::fs::read(&path).unwrap();
        let sidecars = mutoscope_core::io::bytes::FolderSidecars::of_file(&path);
        let request = mutoscope_core::formats::DecodeRequest::default().sidecars(&sidecars);
        let mut desk = Self::with(mutoscope_core::formats::decode(&bytes, &request).unwrap());
        let source = Source::File("scenes/trio.mcmocap_scene".into());
        let one = desk.reference();
        one.scene = EditedScene::read(source.clone(), std::sync::Arc::new(bytes.into()));
        one.source = source;
        desk
    }

    /// With the sample recording of both hands open.
    pub(super) fn with_two_hands() -> Self {
        Self::with(two_hands())
    }
}

impl<S> Desk<S> {
    /// Opens `clip` in place of all that is open, paused at its start.
    pub(super) fn open(&mut self, clip: Clip) {
        self.clock = Clock::new(clip.span);
        self.recordings.clear();
        self.add(clip, Source::File("takes/first.bin".into()));
    }

    /// Adds `clip` to the open recordings and compares it with the reference.
    pub(super) fn compare_with(&mut self, clip: Clip, timing: Timing) {
        self.add(clip, Source::File("takes/other.bin".into()));
        let (first, others) = self.recordings.split_first_mut().unwrap();
        let own = others.last_mut().unwrap();
        own.recording.set_timing(timing);
        let (base, placement) = (first.entity, Default::default());
        own.overlay = Some(Overlay { base, placement, mean: None });
        own.comparing = Some(Comparing::of(&first.recording, &own.recording));
        self.sample();
    }

    fn add(&mut self, clip: Clip, source: Source) {
        let issues = Issues::of(&clip);
        let recording = Recording::new(ClipAsset::new(clip));
        self.recordings.push(DeskRecording {
            entity: Entity::from_raw_u32(self.recordings.len() as u32).unwrap(),
            timeline: Some(PreparedTimeline::new(recording.asset())),
            recording,
            labels: EditedLabels::of(source.clone(), Vec::new()),
            source,
            issues,
            hidden: HiddenNodes::default(),
            overlay: None,
            comparing: None,
            scene: None,
        });
    }

    /// The reference.
    pub(super) fn reference(&mut self) -> &mut DeskRecording {
        &mut self.recordings[0]
    }

    /// The labels of the reference.
    pub(super) fn labels_mut(&mut self) -> &mut EditedLabels {
        &mut self.recordings[0].labels
    }

    /// The clip of the reference.
    pub(super) fn clip(&self) -> &Clip {
        self.recordings[0].recording.clip()
    }

    /// Steers the clock; poses follow.
    pub(super) fn apply(&mut self, command: TimeCommand) {
        let times = self.recordings.first().map(|one| one.recording.asset().sample_times.clone());
        self.clock.apply(command, times.as_deref().unwrap_or_default());
        self.sample();
    }

    fn sample(&mut self) {
        for one in &mut self.recordings {
            one.recording.sample(self.clock.time());
        }
    }

    /// The node of the reference called `name`.
    pub(super) fn node(&self, name: &str) -> RecordingNode {
        let index = self.clip().nodes.iter().position(|node| node.name == name).unwrap();
        self.of(mutoscope_core::clip::NodeId::new(index))
    }

    /// A node of the reference.
    pub(super) fn of(&self, node: mutoscope_core::clip::NodeId) -> RecordingNode {
        RecordingNode::new(self.recordings[0].entity, node)
    }

    /// A key of the reference.
    pub(super) fn key(&self, key: mutoscope_core::clip::KeyId) -> RecordingKey {
        RecordingKey { recording: self.recordings[0].entity, key }
    }

    /// The commands since this was called last.
    pub(super) fn take_commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.commands)
    }
}

/// A panel under test.
pub(super) type PanelUi<S> = fn(&mut Ui, &Model<'_>, &mut S);

/// Shows `panel` in a window of `size`. Commands that steer the clock are obeyed, those about
/// panels, and hovering.
pub(super) fn show<S: 'static>(
    desk: Desk<S>,
    size: impl Into<Vec2>,
    panel: PanelUi<S>,
) -> Harness<'static, Desk<S>> {
    let run = move |ui: &mut Ui, desk: &mut Desk<S>| {
        let all = desk.recordings.iter().enumerate();
        let recordings: Vec<_> = all.map(|(index, one)| one.open(index)).collect();
        let timelines: Vec<_> = desk.recordings.iter().map(|one| one.timeline.as_ref()).collect();
        let model = Model {
            panels: &desk.panels,
            recordings: &recordings,
            timelines: &timelines,
            focus: focus_of(&recordings, &desk.view),
            clock: &desk.clock,
            view: &desk.view,
            files: &desk.files,
            hovered: desk.hovered,
            exports: &desk.exports,
            reports: &desk.reports,
            footage: &desk.footage,
            listed: &desk.listed,
            screen: &desk.screen,
            samples: &desk.samples,
            file_hovers: desk.file_hovers,
            commands: &desk.sender,
        };
        panel(ui, &model, &mut desk.state);
        let mut commands = desk.sender.take();
        hover::settle(desk.hovered, &mut commands);
        for command in commands {
            match &command {
                Command::Panel(command) => desk.panels.apply(command),
                Command::Toggle(toggle) => drop(desk.panels.toggle(*toggle)),
                _ => {}
            }
            match command {
                Command::Time(command) => desk.apply(command),
                Command::View(ViewCommand::Hover(time)) => {
                    desk.hovered = time;
                    continue;
                }
                _ => {}
            }
            desk.commands.push(command);
        }
    };
    Harness::builder().with_size(size).with_step_dt(1.0 / 60.0).build_ui_state(run, desk)
}
