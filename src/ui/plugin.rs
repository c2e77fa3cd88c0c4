//! The panels within a Bevy app.

use bevy::{
    asset::AssetEventSystems,
    camera::{CameraOutputMode, visibility::RenderLayers},
    ecs::system::SystemParam,
    prelude::*,
    render::render_resource::BlendState,
    winit::{EventLoopProxyWrapper, WinitUserEvent},
};
use bevy_egui::{
    EguiContexts, EguiGlobalSettings, EguiPostUpdateSet, EguiPreUpdateSet, EguiPrimaryContextPass,
    PrimaryEguiContext, egui, helpers::egui_rect_into_rect,
};

use super::{
    Model, SampleCard, UiState, hover, shortcut_commands, style, timeline, timeline::Preparing,
    unchanged, wake, window_ui,
};
use crate::{
    counterpart::Counterpart,
    player::{Player, PlayerSystems},
    stage::{HoveredTime, StageScreen, StageSystems, StageViewport, View},
    viewer::{Command, Comparing, Exports, Files, Findings, Listed, SavedView},
};

/// Draws the panels, over whatever other cameras draw; expects bevy_egui's own plugin.
#[derive(Clone, Copy, Debug, Default)]
pub struct UiPlugin;

/// What panels do outside of their own pass, within [`Update`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UiSystems {
    /// The keys of another recording begin to be looked through, after the recording is open. What
    /// is seen waits for that: whoever has less urgent work for the same threads, after it.
    Prepare,
}

/// What the user asked for and nobody has done yet, in order.
///
/// Panels and keys add to it; whoever acts on the commands takes them out.
#[derive(Resource, Clone, Debug, Default)]
pub struct CommandQueue(pub Vec<Command>);

/// The embedded samples that the gallery offers, in the order of their indices.
#[derive(Resource, Clone, Debug, Default)]
pub struct Samples(pub Vec<SampleCard>);

/// Whether the user holds a file over the window and has not let go yet.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileHover(pub bool);

impl Plugin for UiPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<CommandQueue>()
            .init_resource::<Comparing>()
            .init_resource::<Counterpart>()
            .init_resource::<FileHover>()
            .init_resource::<HoveredTime>()
            .init_resource::<Files>()
            .init_resource::<Exports>()
            .init_resource::<Findings>()
            .init_resource::<Listed>()
            .init_resource::<Player>()
            .init_resource::<Preparing>()
            .init_resource::<Samples>()
            .init_resource::<StageScreen>()
            .init_resource::<StageViewport>()
            .init_resource::<UiState>()
            .init_resource::<View>()
            // Names are painted where things are in this frame, not where they were.
            .configure_sets(PostUpdate, StageSystems::Screen.before(EguiPostUpdateSet::EndPass))
            // A letter that was never seen before is there with its word: a window that rests draws
            // no next frame for it.
            .configure_sets(
                PostUpdate,
                EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
            )
            .add_systems(Startup, spawn_camera)
            .add_systems(
                PreUpdate,
                unchanged::drop_unchanged_modifiers
                    .after(EguiPreUpdateSet::ProcessInput)
                    .before(EguiPreUpdateSet::BeginPass),
            )
            .add_systems(EguiPrimaryContextPass, (prepare_context, lay_out_window).chain())
            .add_systems(
                Update,
                timeline::prepare.in_set(UiSystems::Prepare).after(PlayerSystems::Sample),
            );
    }
}

/// Panels cover the whole window, the stage's camera only the picture: they need one of their own.
fn spawn_camera(mut commands: Commands, mut settings: ResMut<EguiGlobalSettings>) {
    settings.auto_create_primary_context = false;
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

/// Everything a [`Model`] is made of.
#[derive(SystemParam)]
struct ModelParam<'w> {
    player: Res<'w, Player>,
    view: Res<'w, View>,
    files: Res<'w, Files>,
    timeline: Res<'w, Preparing>,
    hovered: Res<'w, HoveredTime>,
    findings: Res<'w, Findings>,
    exports: Res<'w, Exports>,
    counterpart: Res<'w, Counterpart>,
    comparing: Res<'w, Comparing>,
    listed: Res<'w, Listed>,
    screen: Res<'w, StageScreen>,
    samples: Res<'w, Samples>,
    file_hover: Res<'w, FileHover>,
}

impl ModelParam<'_> {
    fn model(&self) -> Model<'_> {
        Model {
            player: &self.player,
            view: &self.view,
            files: &self.files,
            timeline: self.timeline.of(&self.player),
            hovered: self.hovered.0,
            findings: &self.findings,
            exports: &self.exports,
            counterpart: &self.counterpart,
            comparing: &self.comparing,
            listed: &self.listed,
            screen: &self.screen,
            samples: &self.samples.0,
            file_hovers: self.file_hover.0,
        }
    }
}

/// Gives a new egui context its style, and a way to wake the window.
fn prepare_context(
    mut contexts: EguiContexts,
    window: Option<Res<EventLoopProxyWrapper>>,
    state: Res<UiState>,
    mut done: Local<bool>,
) -> Result {
    if !*done {
        let ctx = contexts.ctx_mut()?;
        style::apply(ctx);
        if state.light {
            ctx.set_theme(egui::Theme::Light);
        }
        if let Some(window) = window {
            let window = (**window).clone();
            wake::wake_when_asked(ctx, move || {
                // If nobody listens any more, the window is closed.
                let _ = window.send_event(WinitUserEvent::WakeUp);
            });
        }
        *done = true;
    }
    Ok(())
}

/// Puts the command that shows what is seen now on the clipboard.
fn copy_view(ctx: &egui::Context, model: &ModelParam, state: &mut UiState) {
    let saved =
        SavedView::of(&model.player, &model.view, &model.screen, &model.files, &model.counterpart);
    match saved.command_line(&model.files) {
        Some(line) => {
            state.say(format!("Copied: {line}"));
            ctx.copy_text(line);
        }
        None => state.say("A sample is not in a file that a command could open".to_owned()),
    }
}

fn lay_out_window(
    mut contexts: EguiContexts,
    model: ModelParam,
    mut state: ResMut<UiState>,
    mut viewport: ResMut<StageViewport>,
    mut queue: ResMut<CommandQueue>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let mut commands = shortcut_commands(ctx, &state);
    // Esc takes away what is open before it takes away the selection.
    if commands.contains(&Command::Select(None)) && state.close_topmost() {
        commands.retain(|command| *command != Command::Select(None));
    }
    let whole_window =
        egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut ui = egui::Ui::new(ctx.clone(), "window".into(), whole_window);
    let layout = window_ui(&mut ui, &model.model(), &mut state, &mut commands);
    hover::settle(model.hovered.0, 0, &mut commands);
    if commands.contains(&Command::CopyView) {
        copy_view(ctx, &model, &mut state);
    }
    let rect = Some(egui_rect_into_rect(layout.picture));
    if !commands.is_empty() || viewport.rect != rect {
        // What commands and another layout do is to be seen, also in a window that rests.
        ctx.request_repaint();
    }
    viewport.set_if_neq(StageViewport {
        rect,
        pointer_taken: layout.pointer_taken,
        keyboard_taken: layout.keyboard_taken,
    });
    commands.retain(|command| !state.apply(command));
    if !commands.is_empty() {
        queue.0.append(&mut commands);
    }
    Ok(())
}
