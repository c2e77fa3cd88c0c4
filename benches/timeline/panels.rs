//! Measures a whole frame of the panels around the timeline, tessellated, without side panels and
//! with all rows expanded. The pointer is over the timeline. In every frame the wheel pans, or it
//! zooms in and out a little if the whole recording is visible.

use std::{hint::black_box, time::Duration};

use bevy::prelude::Entity;
use bevy_egui::egui::epaint::Primitive;
use bevy_egui::egui::{
    ClippedPrimitive, Context, Event, Modifiers, MouseWheelUnit, Pos2, RawInput, Rect, TouchPhase,
    pos2, vec2,
};
use bevy_mutoscope::{
    ClipAsset, Recording,
    stage::{HiddenNodes, StageScreen, Tint, View},
};
use criterion::{BenchmarkId, Criterion};
use mutoscope::{
    session::{
        Command, EditHistory, Exports, FileListing, Files, OpenFootage, OpenRecording,
        PanelCommand, Panels, PendingCommands, RecordingDiagnostics, Reports, Settings, SidePanel,
        Source, TimelineCommand,
    },
    ui::{CommandSender, Model, PreparedTimeline, UiState, window_ui},
};
use mutoscope_core::playback::Clock;

use mutoscope_testing::timing::{decode_clip, medians, ratio};

/// In points.
const WINDOW_SIZE: [f32; 2] = [1920.0, 1080.0];

/// Positions on the ruler, where the wheel pans, and on the rows, where the wheel zooms with Ctrl.
const ON_RULER: Pos2 = pos2(900.0, 816.0);
const ON_ROWS: Pos2 = pos2(900.0, 900.0);

/// The visible part of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
enum VisiblePart {
    /// Nearly the whole recording.
    Whole,
    /// About a ninetieth of the recording.
    Close,
}

impl VisiblePart {
    fn description(self) -> &'static str {
        match self {
            Self::Whole => "of the whole hour",
            Self::Close => "ninety times closer",
        }
    }
}

/// The modifiers with which the wheel zooms.
const ZOOM_MODIFIERS: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

struct Window {
    ctx: Context,
    recording: Recording,
    source: Source,
    hidden: HiddenNodes,
    clock: Clock,
    timeline: PreparedTimeline,
    view: View,
    files: Files,
    issues: RecordingDiagnostics,
    screen: StageScreen,
    layout: Panels,
    state: UiState,
    visible_part: VisiblePart,
    frame: u32,
    /// The number of vertices of the last frame.
    vertices: usize,
}

impl Window {
    fn new(key_count: usize, visible_part: VisiblePart) -> Self {
        let asset = ClipAsset::new(decode_clip(
            &mutoscope_testing::long_mrtk::recording(key_count).encode(),
        ));
        let timeline = PreparedTimeline::new(&asset);
        let clock = Clock::new(asset.clip.span);
        let mut layout = Panels::default();
        for side in [SidePanel::Outline, SidePanel::Inspector] {
            layout.apply(&PanelCommand::Collapse(side, true));
        }
        let mut window = Self {
            ctx: Context::default(),
            recording: Recording::new(asset),
            source: Source::File("hour.bin".into()),
            hidden: HiddenNodes::default(),
            clock,
            timeline,
            view: View::default(),
            files: Files::default(),
            issues: RecordingDiagnostics::default(),
            screen: StageScreen::default(),
            layout,
            state: UiState::default(),
            visible_part,
            frame: 0,
            vertices: 0,
        };
        window.state.handle_locally(&Command::Timeline(TimelineCommand::ExpandRows));
        window.run_frame();
        if visible_part == VisiblePart::Close {
            for _ in 0..30 {
                window.run_frame_after(ON_ROWS, 30.0, ZOOM_MODIFIERS);
            }
        }
        window
    }

    fn run_frame(&mut self) {
        self.frame += 1;
        match self.visible_part {
            VisiblePart::Whole => {
                let in_and_out = if self.frame % 20 < 10 { 1.3 } else { -1.3 };
                self.run_frame_after(ON_ROWS, in_and_out, ZOOM_MODIFIERS);
            }
            VisiblePart::Close => {
                let there_and_back = if self.frame % 200 < 100 { 7.3 } else { -7.3 };
                self.run_frame_after(ON_RULER, there_and_back, Modifiers::NONE);
            }
        }
    }

    fn run_frame_after(&mut self, pointer: Pos2, wheel: f32, modifiers: Modifiers) {
        let wheel = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, wheel),
            phase: TouchPhase::Move,
            modifiers,
        };
        let modified = Event::ModifiersChanged(modifiers);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, WINDOW_SIZE.into())),
            events: vec![modified, Event::PointerMoved(pointer), wheel],
            ..RawInput::default()
        };
        let open = OpenRecording {
            entity: Entity::PLACEHOLDER,
            index: 0,
            recording: &self.recording,
            source: &self.source,
            diagnostics: &self.issues,
            tint: Tint::default(),
            hidden: &self.hidden,
            is_visible: true,
            overlay: None,
            features: (None, None, None),
        };
        let model = Model {
            panels: &self.layout,
            pending: &PendingCommands::default(),
            history: &EditHistory::default(),
            recordings: &[open],
            timelines: &[Some(&self.timeline)],
            focus: 0,
            clock: &self.clock,
            view: &self.view,
            files: &self.files,
            settings: &Settings::default(),
            listed: &FileListing::default(),
            exports: &Exports::default(),
            reports: &Reports::default(),
            hovered: None,
            screen: &self.screen,
            samples: &[],
            file_hovers: false,
            footage: &OpenFootage::default(),
            commands: &CommandSender::default(),
        };
        let state = &mut self.state;
        let mut output = self.ctx.run_ui(input, |ui| {
            window_ui(ui, &model, state);
        });
        // Discard the textures, because there is no GPU to upload them to.
        output.textures_delta.clear();
        let drawn = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let vertices = |drawn: &ClippedPrimitive| match &drawn.primitive {
            Primitive::Mesh(mesh) => mesh.vertices.len(),
            Primitive::Callback(_) => 0,
        };
        self.vertices = black_box(drawn).iter().map(vertices).sum();
    }
}

/// Measures frames of the panels with few and with many keys, and prints their ratio.
pub(crate) fn bench(criterion: &mut Criterion, key_counts: [usize; 2]) {
    for visible_part in [VisiblePart::Whole, VisiblePart::Close] {
        let mut windows = key_counts.map(|count| Window::new(count, visible_part));
        let mut group = criterion.benchmark_group("panels");
        group.sample_size(30).measurement_time(Duration::from_secs(5));
        for (count, window) in key_counts.iter().zip(&mut windows) {
            group.bench_function(BenchmarkId::new(visible_part.description(), count), |bencher| {
                bencher.iter(|| window.run_frame());
            });
        }
        group.finish();
        let [few, many] = &mut windows;
        let durations = medians([&mut || few.run_frame(), &mut || many.run_frame()]);
        println!(
            "a frame of the panels {}: {:?} with {} vertices for {} keys, {:?} with {} for {}: {:.2} times as \
             long (aim: 1.2, under 2 ms)\n",
            visible_part.description(),
            durations[0],
            few.vertices,
            key_counts[0],
            durations[1],
            many.vertices,
            key_counts[1],
            ratio(durations[1], durations[0])
        );
    }
}
