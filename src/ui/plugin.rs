//! Adds the panels to a Bevy app.

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
    CommandSender, Model, SampleCard, UiState,
    fallback_fonts::{FallbackFonts, load_fallback_fonts},
    hover, keyboard,
    model::focused_index,
    modifier_events, shortcut_commands, style, timeline,
    timeline::TimelinePreparation,
    wake, window_ui,
};
use crate::session::{
    AllOpenRecordings, Command, CommandQueue, EditCommand, EditHistory, Exports, FileListing,
    Files, OpenFootage, OpenRecording, Panels, PendingCommands, Reports, SessionSystems, Settings,
    Waker,
};
use bevy_mutoscope::{
    Recording,
    stage::{HoveredTime, StageScreen, StageSystems, StageTheme, StageViewport, View},
};
use mutoscope_core::playback::Clock;

/// Draws the panels of a [`SessionPlugin`](crate::session::SessionPlugin) over all other cameras.
/// Requires the plugin of bevy_egui.
#[derive(Clone, Copy, Debug, Default)]
pub struct UiPlugin;

/// The embedded samples in the gallery, in the order of their indices.
#[derive(Resource, Clone, Debug, Default)]
pub struct Samples(pub Vec<SampleCard>);

/// Set to `true` while the user drags a file over the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileHover(pub bool);

impl Plugin for UiPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<Recording, TimelinePreparation>()
            .init_resource::<FileHover>()
            .init_resource::<Samples>()
            .init_resource::<StageViewport>()
            .init_resource::<UiState>()
            // Compute screen positions before the panels are painted. Otherwise names would be one
            // frame behind their nodes.
            .configure_sets(PostUpdate, StageSystems::Screen.before(EguiPostUpdateSet::EndPass))
            // Upload new glyphs in the same frame, because an idle window draws no next frame that
            // could show them.
            .configure_sets(
                PostUpdate,
                EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
            )
            .add_systems(Startup, spawn_camera);
        app.add_systems(PostStartup, set_fonts)
            .init_resource::<FallbackFonts>()
            .add_systems(Update, load_fallback_fonts);
        app.add_systems(
            PreUpdate,
            keyboard::send_key_events.in_set(EguiInputSet::ReadBevyMessages),
        )
        .add_systems(
            PreUpdate,
            modifier_events::drop_unchanged_modifiers
                .after(EguiPreUpdateSet::ProcessInput)
                .before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(EguiPrimaryContextPass, (prepare_context, lay_out_window).chain())
        .add_systems(
            Update,
            (timeline::prepare_timelines, timeline::skip_gaps)
                .chain()
                .in_set(SessionSystems::Prepare),
        );
    }
}

/// Adds a camera for the panels, because they cover the whole window, but the stage's camera only
/// the viewport.
fn spawn_camera(mut commands: Commands, mut settings: ResMut<EguiGlobalSettings>) {
    settings.auto_create_primary_context = false;
    keyboard::disable_default_input(&mut settings);
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

fn set_fonts(mut contexts: EguiContexts) -> Result {
    contexts.ctx_mut()?.set_fonts(super::fonts::at_start());
    Ok(())
}

/// The resources of the session that panels read.
#[derive(SystemParam)]
struct SessionState<'w> {
    panels: Res<'w, Panels>,
    pending: Res<'w, PendingCommands>,
    history: Res<'w, EditHistory>,
    files: Res<'w, Files>,
    settings: Res<'w, Settings>,
    exports: Res<'w, Exports>,
    reports: Res<'w, Reports>,
    footage: Res<'w, OpenFootage>,
    listed: Res<'w, FileListing>,
}

#[derive(SystemParam)]
struct ModelParam<'w, 's> {
    session: SessionState<'w>,
    open: AllOpenRecordings<'w, 's>,
    timelines: Query<'w, 's, &'static TimelinePreparation>,
    view: Res<'w, View>,
    hovered: Res<'w, HoveredTime>,
    screen: Res<'w, StageScreen>,
    samples: Res<'w, Samples>,
    file_hover: Res<'w, FileHover>,
}

impl ModelParam<'_, '_> {
    fn with_model<T>(&self, commands: &CommandSender, look: impl FnOnce(&Model<'_>) -> T) -> T {
        let recordings = self.open.in_order();
        let timeline = |open: &OpenRecording<'_>| {
            self.timelines.get(open.entity).ok()?.timeline_for(open.recording)
        };
        let timelines: Vec<_> = recordings.iter().map(timeline).collect();
        let no_clock = Clock::default();
        look(&Model {
            panels: &self.session.panels,
            pending: &self.session.pending,
            history: &self.session.history,
            recordings: &recordings,
            timelines: &timelines,
            focus: focused_index(&recordings, &self.view),
            clock: self.open.clock().unwrap_or(&no_clock),
            view: &self.view,
            files: &self.session.files,
            settings: &self.session.settings,
            hovered: self.hovered.0,
            exports: &self.session.exports,
            reports: &self.session.reports,
            footage: &self.session.footage,
            listed: &self.session.listed,
            screen: &self.screen,
            samples: &self.samples.0,
            file_hovers: self.file_hover.0,
            commands,
        })
    }
}

fn prepare_context(
    mut contexts: EguiContexts,
    waker: Res<Waker>,
    panels: Res<Panels>,
    mut stage_theme: ResMut<StageTheme>,
    mut done: Local<bool>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if !*done {
        style::apply(ctx);
        let waker = waker.clone();
        wake::wake_for_repaints(ctx, move || waker.wake());
        *done = true;
    }
    let (theme, own) = match panels.light {
        true => (StageTheme::Light, egui::Theme::Light),
        false => (StageTheme::Dark, egui::Theme::Dark),
    };
    if stage_theme.set_if_neq(theme) {
        ctx.set_theme(own);
    }
    Ok(())
}

/// Returns `true` if the user begins another change: presses the pointer, or a key that leaves a
/// field or ends a word. All changes during one drag are therefore a single undo step.
fn starts_undo_step(ctx: &egui::Context) -> bool {
    const KEYS: [egui::Key; 3] = [egui::Key::Tab, egui::Key::Enter, egui::Key::Space];
    ctx.input(|input| input.pointer.any_pressed() || KEYS.iter().any(|key| input.key_pressed(*key)))
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
    if starts_undo_step(ctx) {
        sender.send(Command::Edit(EditCommand::EndStep));
    }
    sender.send_all(shortcut_commands(ctx, &mut state));
    let whole_window =
        egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut ui = egui::Ui::new(ctx.clone(), "window".into(), whole_window);
    let layout = model.with_model(&sender, |model| window_ui(&mut ui, model, &mut state));
    let mut commands = sender.take_commands();
    hover::merge_hover_commands(model.hovered.0, &mut commands);
    let rect = Some(egui_rect_into_rect(layout.viewport));
    if !commands.is_empty() || viewport.rect != rect {
        // Draw another frame even if the window is idle, so that the user sees the effect of
        // commands and layout changes.
        ctx.request_repaint();
    }
    viewport.set_if_neq(StageViewport {
        rect,
        pointer_taken: layout.pointer_taken,
        keyboard_taken: layout.keyboard_taken,
    });
    commands.retain(|command| !state.handle_locally(command));
    if !commands.is_empty() {
        queue.0.append(&mut commands);
    }
    Ok(())
}
