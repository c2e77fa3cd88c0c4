//! The panels within a Bevy app.

use bevy::{
    asset::AssetEventSystems,
    camera::{CameraOutputMode, visibility::RenderLayers},
    ecs::system::SystemParam,
    prelude::*,
    render::render_resource::BlendState,
};
use bevy_egui::{
    EguiContexts, EguiGlobalSettings, EguiInputSet, EguiPostUpdateSet, EguiPreUpdateSet,
    EguiPrimaryContextPass, PrimaryEguiContext, egui, helpers::egui_rect_into_rect,
};

use super::{
    CommandSender, Model, SampleCard, UiState, hover, keyboard, model::focus_of, shortcut_commands,
    style, timeline, timeline::Preparing, unchanged, wake, window_ui,
};
use crate::{
    recording::Recording,
    session::{
        CommandQueue, Exports, Files, Listed, OpenFootage, OpenRecording, OpenRecordings, Panels,
        Reports, SessionSystems, Waker,
    },
    stage::{HoveredTime, StageScreen, StageSystems, StageViewport, View},
};
use mutoscope_core::playback::Clock;

/// Draws the panels of a [`SessionPlugin`](crate::session::SessionPlugin), over whatever other
/// cameras draw; expects bevy_egui's own plugin.
#[derive(Clone, Copy, Debug, Default)]
pub struct UiPlugin;

/// The embedded samples that the gallery offers, in the order of their indices.
#[derive(Resource, Clone, Debug, Default)]
pub struct Samples(pub Vec<SampleCard>);

/// Whether the user holds a file over the window and has not let go yet.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileHover(pub bool);

impl Plugin for UiPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<Recording, Preparing>()
            .init_resource::<FileHover>()
            .init_resource::<Samples>()
            .init_resource::<StageViewport>()
            .init_resource::<UiState>()
            // Names are painted where things are in this frame, not where they were.
            .configure_sets(PostUpdate, StageSystems::Screen.before(EguiPostUpdateSet::EndPass))
            // New glyphs are available in the same frame: an idle window draws no next frame for
            // them.
            .configure_sets(
                PostUpdate,
                EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
            )
            .add_systems(Startup, spawn_camera);
        app.add_systems(PostStartup, set_fonts);
        app.add_systems(PreUpdate, keyboard::pass_on_keys.in_set(EguiInputSet::ReadBevyMessages))
            .add_systems(
                PreUpdate,
                unchanged::drop_unchanged_modifiers
                    .after(EguiPreUpdateSet::ProcessInput)
                    .before(EguiPreUpdateSet::BeginPass),
            )
            .add_systems(EguiPrimaryContextPass, (prepare_context, lay_out_window).chain())
            .add_systems(
                Update,
                (timeline::prepare, timeline::skip_gaps).chain().in_set(SessionSystems::Prepare),
            );
    }
}

/// Panels cover the whole window, the stage's camera only the viewport: they need one of their own.
fn spawn_camera(mut commands: Commands, mut settings: ResMut<EguiGlobalSettings>) {
    settings.auto_create_primary_context = false;
    keyboard::take_over(&mut settings);
    let over_the_others = Camera {
        order: 100,
        output_mode: CameraOutputMode::Write {
            blend_state: Some(BlendState::ALPHA_BLENDING),
            clear_color: ClearColorConfig::None,
        },
        clear_color: ClearColorConfig::Custom(Color::NONE),
        ..default()
    };
    commands.spawn((
        Name::new("Camera of the panels"),
        PrimaryEguiContext,
        Camera2d,
        over_the_others,
        RenderLayers::none(),
        Msaa::Off,
    ));
}

/// Before anything is drawn.
fn set_fonts(mut contexts: EguiContexts) -> Result {
    #[cfg(target_family = "wasm")]
    let fonts = super::fonts::for_page();
    #[cfg(not(target_family = "wasm"))]
    let fonts = super::fonts::for_window();
    contexts.ctx_mut()?.set_fonts(fonts);
    Ok(())
}

/// Everything a [`Model`] is made of.
#[derive(SystemParam)]
struct ModelParam<'w, 's> {
    panels: Res<'w, Panels>,
    open: OpenRecordings<'w, 's>,
    timelines: Query<'w, 's, &'static Preparing>,
    view: Res<'w, View>,
    files: Res<'w, Files>,
    hovered: Res<'w, HoveredTime>,
    exports: Res<'w, Exports>,
    reports: Res<'w, Reports>,
    footage: Res<'w, OpenFootage>,
    listed: Res<'w, Listed>,
    screen: Res<'w, StageScreen>,
    samples: Res<'w, Samples>,
    file_hover: Res<'w, FileHover>,
}

impl ModelParam<'_, '_> {
    /// The result of `look` for the model.
    fn with<T>(&self, commands: &CommandSender, look: impl FnOnce(&Model<'_>) -> T) -> T {
        let recordings = self.open.in_order();
        let timeline =
            |open: &OpenRecording<'_>| self.timelines.get(open.entity).ok()?.of(open.recording);
        let timelines: Vec<_> = recordings.iter().map(timeline).collect();
        let no_clock = Clock::default();
        look(&Model {
            panels: &self.panels,
            recordings: &recordings,
            timelines: &timelines,
            focus: focus_of(&recordings, &self.view),
            clock: self.open.clock().unwrap_or(&no_clock),
            view: &self.view,
            files: &self.files,
            hovered: self.hovered.0,
            exports: &self.exports,
            reports: &self.reports,
            footage: &self.footage,
            listed: &self.listed,
            screen: &self.screen,
            samples: &self.samples.0,
            file_hovers: self.file_hover.0,
            commands,
        })
    }
}

/// Gives a new egui context its style and a way to wake the window, and any the theme.
fn prepare_context(
    mut contexts: EguiContexts,
    waker: Res<Waker>,
    panels: Res<Panels>,
    mut done: Local<bool>,
    mut light: Local<bool>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if !*done {
        style::apply(ctx);
        let waker = waker.clone();
        wake::wake_when_asked(ctx, move || waker.wake());
        *done = true;
    }
    if *light != panels.light {
        *light = panels.light;
        ctx.set_theme(if *light { egui::Theme::Light } else { egui::Theme::Dark });
    }
    Ok(())
}

fn lay_out_window(
    mut contexts: EguiContexts,
    model: ModelParam,
    mut state: ResMut<UiState>,
    mut viewport: ResMut<StageViewport>,
    mut queue: ResMut<CommandQueue>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let sender = CommandSender::default();
    sender.send_all(shortcut_commands(ctx, &mut state));
    let whole_window =
        egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut ui = egui::Ui::new(ctx.clone(), "window".into(), whole_window);
    let layout = model.with(&sender, |model| window_ui(&mut ui, model, &mut state));
    let mut commands = sender.take();
    hover::settle(model.hovered.0, &mut commands);
    let rect = Some(egui_rect_into_rect(layout.viewport));
    if !commands.is_empty() || viewport.rect != rect {
        // Commands and layout changes are drawn, also in an idle window.
        ctx.request_repaint();
    }
    viewport.set_if_neq(StageViewport {
        rect,
        pointer_taken: layout.pointer_taken,
        keyboard_taken: layout.keyboard_taken,
    });
    commands.retain(|command| !state.takes(command));
    if !commands.is_empty() {
        queue.0.append(&mut commands);
    }
    Ok(())
}
