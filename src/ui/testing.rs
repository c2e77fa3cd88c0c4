//! Helpers for tests of panels: recordings, and everything that a model borrows from.

use bevy::prelude::Entity;
use bevy_egui::egui::{Pos2, Ui, Vec2, vec2};
use egui_kittest::{Harness, HarnessBuilder};

use super::{CommandSender, Model, PreparedTimeline, SampleCard, hover, model::focused_index};
use crate::session::{
    Command, Comparing, EditHistory, EditedLabels, EditedScene, Exports, FileListing, Files,
    OpenFootage, OpenRecording, Panels, PendingCommands, RecordingDiagnostics, Reports, Settings,
    Source, ViewCommand,
};
use bevy_mutoscope::{
    ClipAsset, Recording, RecordingKey, RecordingNode,
    stage::{HiddenNodes, Overlay, StageScreen, Tint, View},
};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::Clip,
    decode,
    io::bytes::FolderSidecars,
    measure::compare::Timing,
    playback::{Clock, TimeCommand},
};

pub(super) fn two_hands() -> Clip {
    let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
    decode(bytes, &ReadOptions::from(crate::registry())).unwrap()
}

pub(super) fn a_day() -> Clip {
    let bytes = include_bytes!("../../assets/mcmocap/a-day.mcmocap_rec");
    decode(bytes, &ReadOptions::from(crate::registry())).unwrap()
}

/// Presses the pointer at `from` and moves it `by` points to the right, in two steps. The caller
/// releases it.
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

pub(super) struct FixtureRecording {
    pub(super) entity: Entity,
    pub(super) recording: Recording,
    pub(super) source: Source,
    pub(super) issues: RecordingDiagnostics,
    pub(super) hidden: HiddenNodes,
    pub(super) overlay: Option<Overlay>,
    pub(super) comparing: Option<Comparing>,
    pub(super) scene: Option<EditedScene>,
    pub(super) labels: EditedLabels,
    pub(super) timeline: Option<PreparedTimeline>,
}

impl FixtureRecording {
    fn as_open_recording(&self, index: usize) -> OpenRecording<'_> {
        OpenRecording {
            entity: self.entity,
            index,
            recording: &self.recording,
            source: &self.source,
            diagnostics: &self.issues,
            tint: Tint::for_index(index),
            hidden: &self.hidden,
            is_visible: true,
            overlay: self.overlay.as_ref(),
            features: (self.comparing.as_ref(), self.scene.as_ref(), Some(&self.labels)),
        }
    }
}

#[derive(Default)]
pub(super) struct PanelFixture<S> {
    pub(super) panels: Panels,
    pub(super) pending: PendingCommands,
    pub(super) history: EditHistory,
    pub(super) clock: Clock,
    pub(super) recordings: Vec<FixtureRecording>,
    pub(super) view: View,
    pub(super) files: Files,
    pub(super) settings: Settings,
    pub(super) hovered: Option<f64>,
    pub(super) exports: Exports,
    pub(super) reports: Reports,
    pub(super) footage: OpenFootage,
    pub(super) listed: FileListing,
    pub(super) screen: StageScreen,
    pub(super) samples: Vec<SampleCard>,
    pub(super) file_hovers: bool,
    pub(super) state: S,
    pub(super) sender: CommandSender,
    pub(super) commands: Vec<Command>,
}

impl<S: Default> PanelFixture<S> {
    pub(super) fn with_clip(clip: Clip) -> Self {
        let mut fixture = Self::default();
        fixture.open(clip);
        fixture
    }

    pub(super) fn with_scene() -> Self {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mcmocap-more");
        let path = std::path::Path::new(data).join("trio.mcmocap_scene");
        let bytes = std::fs::read(&path).unwrap();
        let sidecars = FolderSidecars::for_file(&path);
        let scene = SourceFile::new("", &bytes).with_sidecars(&sidecars);
        let clip = decode(scene, &ReadOptions::from(crate::registry())).unwrap();
        let mut fixture = Self::with_clip(clip);
        let source = Source::File("scenes/trio.mcmocap_scene".into());
        let recording = fixture.reference();
        recording.scene = EditedScene::read(source.clone(), std::sync::Arc::new(bytes.into()));
        recording.source = source;
        fixture
    }

    pub(super) fn with_two_hands() -> Self {
        Self::with_clip(two_hands())
    }
}

impl<S> PanelFixture<S> {
    pub(super) fn open(&mut self, clip: Clip) {
        self.clock = Clock::new(clip.span);
        self.recordings.clear();
        self.add(clip, Source::File("takes/first.bin".into()));
    }

    pub(super) fn compare_with(&mut self, clip: Clip, timing: Timing) {
        self.add(clip, Source::File("takes/other.bin".into()));
        let (first, others) = self.recordings.split_first_mut().unwrap();
        let own = others.last_mut().unwrap();
        own.recording.set_timing(timing);
        let (base, placement) = (first.entity, Default::default());
        own.overlay = Some(Overlay::new(base, placement));
        own.comparing = Some(Comparing::measured_immediately(&first.recording, &own.recording));
        self.sample();
    }

    fn add(&mut self, clip: Clip, source: Source) {
        let issues = RecordingDiagnostics::check_immediately(&clip);
        let recording = Recording::new(ClipAsset::new(clip));
        self.recordings.push(FixtureRecording {
            entity: Entity::from_raw_u32(self.recordings.len() as u32).unwrap(),
            timeline: Some(PreparedTimeline::new(recording.asset())),
            recording,
            labels: EditedLabels::from_saved(source.clone(), Vec::new()),
            source,
            issues,
            hidden: HiddenNodes::default(),
            overlay: None,
            comparing: None,
            scene: None,
        });
    }

    pub(super) fn reference(&mut self) -> &mut FixtureRecording {
        &mut self.recordings[0]
    }

    pub(super) fn labels_mut(&mut self) -> &mut EditedLabels {
        &mut self.recordings[0].labels
    }

    pub(super) fn clip(&self) -> &Clip {
        self.recordings[0].recording.clip()
    }

    pub(super) fn apply(&mut self, command: TimeCommand) {
        let times = self
            .recordings
            .first()
            .map(|recording| recording.recording.asset().sample_times.clone());
        self.clock.apply(command, times.as_deref().unwrap_or_default());
        self.sample();
    }

    fn sample(&mut self) {
        for recording in &mut self.recordings {
            recording.recording.sample(self.clock.time());
        }
    }

    pub(super) fn node(&self, name: &str) -> RecordingNode {
        let index = self.clip().nodes.iter().position(|node| node.name == name).unwrap();
        self.recording_node(mutoscope_core::clip::NodeId::new(index))
    }

    pub(super) fn recording_node(&self, node: mutoscope_core::clip::NodeId) -> RecordingNode {
        RecordingNode::new(self.recordings[0].entity, node)
    }

    pub(super) fn recording_key(&self, key: mutoscope_core::clip::KeyId) -> RecordingKey {
        RecordingKey { recording: self.recordings[0].entity, key }
    }

    pub(super) fn take_commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.commands)
    }
}

pub(super) type PanelUi<S> = fn(&mut Ui, &Model<'_>, &mut S);

pub(super) fn show<S: 'static>(
    fixture: PanelFixture<S>,
    size: impl Into<Vec2>,
    panel: PanelUi<S>,
) -> Harness<'static, PanelFixture<S>> {
    show_in(Harness::builder().with_size(size), fixture, panel)
}

pub(super) fn show_in<S: 'static>(
    builder: HarnessBuilder<PanelFixture<S>>,
    fixture: PanelFixture<S>,
    panel: PanelUi<S>,
) -> Harness<'static, PanelFixture<S>> {
    let run = move |ui: &mut Ui, fixture: &mut PanelFixture<S>| {
        let all = fixture.recordings.iter().enumerate();
        let recordings: Vec<_> =
            all.map(|(index, recording)| recording.as_open_recording(index)).collect();
        let timelines: Vec<_> =
            fixture.recordings.iter().map(|recording| recording.timeline.as_ref()).collect();
        let model = Model {
            panels: &fixture.panels,
            pending: &fixture.pending,
            history: &fixture.history,
            recordings: &recordings,
            timelines: &timelines,
            focus: focused_index(&recordings, &fixture.view),
            clock: &fixture.clock,
            view: &fixture.view,
            files: &fixture.files,
            settings: &fixture.settings,
            hovered: fixture.hovered,
            exports: &fixture.exports,
            reports: &fixture.reports,
            footage: &fixture.footage,
            listed: &fixture.listed,
            screen: &fixture.screen,
            samples: &fixture.samples,
            file_hovers: fixture.file_hovers,
            commands: &fixture.sender,
        };
        panel(ui, &model, &mut fixture.state);
        let mut commands = fixture.sender.take_commands();
        hover::merge_hover_commands(fixture.hovered, &mut commands);
        for command in commands {
            match &command {
                Command::Panel(command) => fixture.panels.apply(command),
                Command::Toggle(toggle) => {
                    toggle.switch(&mut fixture.view, &mut fixture.panels);
                }
                _ => {}
            }
            match command {
                Command::Time(command) => fixture.apply(command),
                Command::View(ViewCommand::Hover(time)) => {
                    fixture.hovered = time;
                    continue;
                }
                _ => {}
            }
            fixture.commands.push(command);
        }
    };
    builder.with_step_dt(1.0 / 60.0).build_ui_state(run, fixture)
}

/// Returns a code of decoders that no check has.
pub(crate) fn decoder_code() -> mutoscope_core::diagnostics::Code {
    let codes = mutoscope_core::formats::CODES.iter().copied().flatten();
    codes.copied().find(|code| code.topic().is_none()).expect("decoders have codes")
}
