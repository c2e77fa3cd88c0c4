//! A whole frame of the panels around the timeline, its shapes tessellated, with no side panels and
//! all rows unfolded: the pointer is over the timeline, and the wheel moves it in every frame.

use std::{hint::black_box, time::Duration};

use bevy_egui::egui::{
    Context, Event, Modifiers, MouseWheelUnit, Pos2, RawInput, Rect, TouchPhase, pos2, vec2,
};
use criterion::{BenchmarkId, Criterion};
use mutoscope::{
    asset::ClipAsset,
    counterpart::Counterpart,
    playback::TimeCommand,
    player::Player,
    stage::{StageScreen, View},
    ui::{Fold, Model, PreparedTimeline, UiState, window_ui},
    viewer::{Command, Comparing, Exports, Files, Findings, Listed},
};

use crate::{
    long_take,
    support::{clip, median, ratio},
};

/// The size of the window.
const SIZE: [f32; 2] = [1920.0, 1080.0];

/// A place on the ruler, where the wheel pans, and one on the rows, where it zooms with Ctrl.
const OVER_RULER: Pos2 = pos2(900.0, 816.0);
const OVER_ROWS: Pos2 = pos2(900.0, 900.0);

struct Panels {
    ctx: Context,
    player: Player,
    timeline: PreparedTimeline,
    view: View,
    files: Files,
    findings: Findings,
    screen: StageScreen,
    state: UiState,
    frame: u32,
}

impl Panels {
    fn new(keys: usize) -> Self {
        let recording = ClipAsset::new(clip(&long_take::recording(keys).bytes()));
        let timeline = PreparedTimeline::new(&recording);
        let mut player = Player::default();
        player.open(recording);
        player.apply(TimeCommand::Pause);
        let folded = Fold::Chosen { folded: true };
        let mut state = UiState::default();
        (state.outline_folded, state.inspector_folded) = (folded, folded);
        let mut panels = Self {
            ctx: Context::default(),
            player,
            timeline,
            view: View::default(),
            files: Files::default(),
            findings: Findings::default(),
            screen: StageScreen::default(),
            state,
            frame: 0,
        };
        panels.state.apply(&Command::UnfoldRows);
        panels.frame();
        // Closer, so that there is somewhere to go.
        for _ in 0..30 {
            panels.frame_after(OVER_ROWS, 30.0, Modifiers::CTRL | Modifiers::COMMAND);
        }
        panels
    }

    fn frame(&mut self) {
        self.frame += 1;
        let there_and_back = if self.frame % 200 < 100 { 7.3 } else { -7.3 };
        self.frame_after(OVER_RULER, there_and_back, Modifiers::NONE);
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
        let model = Model {
            player: &self.player,
            view: &self.view,
            files: &self.files,
            findings: &self.findings,
            listed: &Listed::default(),
            exports: &Exports::default(),
            counterpart: &Counterpart::default(),
            comparing: &Comparing::default(),
            timeline: Some(&self.timeline),
            hovered: None,
            screen: &self.screen,
            samples: &[],
            file_hovers: false,
        };
        let (state, mut commands) = (&mut self.state, Vec::new());
        let mut output = self.ctx.run_ui(input, |ui| {
            window_ui(ui, &model, state, &mut commands);
        });
        // There is no graphics card to give them to.
        output.textures_delta.clear();
        black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
    }
}

/// The frames of the panels at so many keys, and how many times as long the many take.
pub(crate) fn bench(criterion: &mut Criterion, keys: [usize; 2]) {
    let mut panels = keys.map(Panels::new);
    let mut group = criterion.benchmark_group("panels");
    group.sample_size(30).measurement_time(Duration::from_secs(5));
    for (keys, panels) in keys.iter().zip(&mut panels) {
        group.bench_function(BenchmarkId::from_parameter(keys), |bencher| {
            bencher.iter(|| panels.frame());
        });
    }
    group.finish();
    let [few, many] = [0, 1].map(|which| median(|| panels[which].frame()));
    println!(
        "a frame of the panels: {few:?} for {} keys, {many:?} for {}: {:.2} times as long \
         (aim: 1.2, under 2 ms)\n",
        keys[0],
        keys[1],
        ratio(many, few)
    );
}
