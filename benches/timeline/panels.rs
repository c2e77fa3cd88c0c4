//! A whole frame of the panels around the timeline, its shapes tessellated, with no side panels and
//! all rows unfolded: the pointer is over the timeline, and the wheel moves it in every frame, or
//! zooms a little in and out where all of it is shown.

use std::{hint::black_box, time::Duration};

use bevy::prelude::Entity;
use bevy_egui::egui::epaint::Primitive;
use bevy_egui::egui::{
    ClippedPrimitive, Context, Event, Modifiers, MouseWheelUnit, Pos2, RawInput, Rect, TouchPhase,
    pos2, vec2,
};
use criterion::{BenchmarkId, Criterion};
use mutoscope::{
    asset::ClipAsset,
    recording::{HiddenNodes, Recording, Tint},
    session::{
        Command, Exports, FileListing, Files, OpenFootage, OpenRecording, PanelCommand, Panels,
        RecordingDiagnostics, Reports, SidePanel, Source, TimelineCommand,
    },
    stage::{StageScreen, View},
    ui::{CommandSender, Model, PreparedTimeline, UiState, window_ui},
};
use mutoscope_core::playback::Clock;

use mutoscope_testing::timing::{decode_clip, medians, ratio};

/// The size of the window.
const SIZE: [f32; 2] = [1920.0, 1080.0];

/// A place on the ruler, where the wheel pans, and one on the rows, where it zooms with Ctrl.
const OVER_RULER: Pos2 = pos2(900.0, 816.0);
const OVER_ROWS: Pos2 = pos2(900.0, 900.0);

/// How much of the recording is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    /// All of it, more or less.
    Whole,
    /// About a ninetieth.
    Close,
}

impl Seen {
    fn words(self) -> &'static str {
        match self {
            Self::Whole => "of the whole hour",
            Self::Close => "ninety times closer",
        }
    }
}

/// The modifiers that are held for the wheel to zoom.
const ZOOMING: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

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
    seen: Seen,
    frame: u32,
    /// How many corners the last frame was drawn with.
    corners: usize,
}

impl Window {
    fn new(keys: usize, seen: Seen) -> Self {
        let asset =
            ClipAsset::new(decode_clip(&mutoscope_testing::long_mrtk::recording(keys).encode()));
        let timeline = PreparedTimeline::new(&asset);
        let clock = Clock::new(asset.clip.span);
        let mut layout = Panels::default();
        for side in [SidePanel::Outline, SidePanel::Inspector] {
            layout.apply(&PanelCommand::Collapse(side, true));
        }
        let mut panels = Self {
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
            seen,
            frame: 0,
            corners: 0,
        };
        panels.state.handle_locally(&Command::Timeline(TimelineCommand::ExpandRows));
        panels.frame();
        if seen == Seen::Close {
            for _ in 0..30 {
                panels.frame_after(OVER_ROWS, 30.0, ZOOMING);
            }
        }
        panels
    }

    fn frame(&mut self) {
        self.frame += 1;
        match self.seen {
            Seen::Whole => {
                let in_and_out = if self.frame % 20 < 10 { 1.3 } else { -1.3 };
                self.frame_after(OVER_ROWS, in_and_out, ZOOMING);
            }
            Seen::Close => {
                let there_and_back = if self.frame % 200 < 100 { 7.3 } else { -7.3 };
                self.frame_after(OVER_RULER, there_and_back, Modifiers::NONE);
            }
        }
    }

    fn frame_after(&mut self, pointer: Pos2, wheel: f32, modifiers: Modifiers) {
        let wheel = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, wheel),
            phase: TouchPhase::Move,
            modifiers,
        };
        let modified = Event::ModifiersChanged(modifiers);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE.into())),
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
            comparing: None,
            scene: None,
            labels: None,
        };
        let model = Model {
            panels: &self.layout,
            recordings: &[open],
            timelines: &[Some(&self.timeline)],
            focus: 0,
            clock: &self.clock,
            view: &self.view,
            files: &self.files,
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
        // There is no graphics card to give them to.
        output.textures_delta.clear();
        let drawn = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let corners = |drawn: &ClippedPrimitive| match &drawn.primitive {
            Primitive::Mesh(mesh) => mesh.vertices.len(),
            Primitive::Callback(_) => 0,
        };
        self.corners = black_box(drawn).iter().map(corners).sum();
    }
}

/// Measures frames of the panels with few and with many keys, and prints their ratio.
pub(crate) fn bench(criterion: &mut Criterion, keys: [usize; 2]) {
    for seen in [Seen::Whole, Seen::Close] {
        let mut panels = keys.map(|keys| Window::new(keys, seen));
        let mut group = criterion.benchmark_group("panels");
        group.sample_size(30).measurement_time(Duration::from_secs(5));
        for (keys, panels) in keys.iter().zip(&mut panels) {
            group.bench_function(BenchmarkId::new(seen.words(), keys), |bencher| {
                bencher.iter(|| panels.frame());
            });
        }
        group.finish();
        let [few, many] = &mut panels;
        let took = medians([&mut || few.frame(), &mut || many.frame()]);
        println!(
            "a frame of the panels {}: {:?} with {} corners for {} keys, {:?} with {} for {}: {:.2} times as \
             long (aim: 1.2, under 2 ms)\n",
            seen.words(),
            took[0],
            few.corners,
            keys[0],
            took[1],
            many.corners,
            keys[1],
            ratio(took[1], took[0])
        );
    }
}
