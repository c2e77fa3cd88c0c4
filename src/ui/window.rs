//! Lays out the panels of the window.

use bevy::prelude::Resource;
use bevy_egui::egui::{self, Id, LayerId, Margin, Popup, Rect, Ui};

use super::{
    CommandSender, Model, animations,
    animations::AnimationsState,
    bytes,
    bytes::BytesState,
    columns,
    columns::ColumnsState,
    command_palette,
    command_palette::CommandPaletteState,
    curves::shown_measurements,
    export,
    export::ExportState,
    file_list,
    file_list::FileListState,
    footage,
    footage::FootageState,
    gallery, help, inspector, issues,
    issues::IssuesState,
    labels,
    labels::{ExportLabelsState, NameState},
    linked, messages, outline,
    outline::OutlineState,
    overlay,
    path_field::PathField,
    report,
    report::ReportState,
    save_scene,
    shortcuts::TypedAhead,
    skeleton,
    skeleton::SkeletonState,
    style,
    style::Palette,
    timeline,
    timeline::TimelineState,
    top_bar, transport,
    transport::TransportState,
    unsaved,
    widgets::with_action_tooltip,
};
use crate::session::{
    Command, Confirmation, Panel, PanelCommand, PanelEdge, Panels, SidePanel, Toggle,
};

/// The state of all panels.
#[derive(Resource, Clone, Debug, Default)]
pub struct UiState {
    path: String,
    shown_panels: Vec<Panel>,
    pub(super) bytes: BytesState,
    pub(super) issues: IssuesState,
    pub(super) skeleton: SkeletonState,
    pub(super) columns: ColumnsState,
    pub(super) animations: AnimationsState,
    pub(super) file_list: FileListState,
    pub(super) outline: OutlineState,
    pub(super) timeline: TimelineState,
    pub(super) transport: TransportState,
    pub(super) typing: bool,
    pub(super) typed_ahead: TypedAhead,
    /// The time at which the panels were hidden, in seconds of egui's time.
    hidden_since: Option<f64>,
    last_confirmation: u32,
    confirmation: Option<(Confirmation, Option<f64>)>,
    pub(super) command_palette: CommandPaletteState,
    pub(super) export: ExportState,
    pub(super) save_scene: PathField,
    export_labels: ExportLabelsState,
    report: ReportState,
    label_name: NameState,
    footage: FootageState,
    /// `true` if the pointer button was pressed over the viewport. A drag stays with the viewport or
    /// the panel in which it began.
    pressed_in_viewport: bool,
    /// The height of the window in the last frame, in points.
    window_height: Option<f32>,
}

/// The layout of the window, and the owner of the pointer and of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowLayout {
    /// The part of the window that no panel covers, in points.
    pub viewport: Rect,
    /// `true` if the pointer belongs to a panel.
    pub pointer_taken: bool,
    /// `true` if the keyboard belongs to a text field.
    pub keyboard_taken: bool,
}

impl UiState {
    /// Applies `command` if it concerns only the state of a panel. Returns `true` if the session
    /// does not need the command.
    pub fn handle_locally(&mut self, command: &Command) -> bool {
        match command {
            Command::Timeline(command) => self.timeline.apply_command(command),
            Command::Panel(PanelCommand::EditTime) => {
                self.transport.edit_time();
                // Pass the command on to the session, because the session may have to show hidden
                // panels.
                return false;
            }
            command => return self.timeline.handle_framing(command),
        }
        true
    }

    fn is_confirming(&self, now: f64) -> bool {
        let is_shown = |(message, since): &(Confirmation, Option<f64>)| {
            now - since.unwrap_or(now) < messages::message_duration(message)
        };
        self.confirmation.as_ref().is_some_and(is_shown)
    }

    fn show_confirmation(&mut self, message: Confirmation) {
        self.confirmation = Some((message, None));
    }
}

/// Lays out the whole window in `ui`, and adds the user's commands to the model's sender.
pub fn window_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) -> WindowLayout {
    let window = ui.max_rect();
    let hidden = model.panels.hidden;
    let is_open = model.clip().is_some();
    if !hidden {
        panels_ui(ui, model, state);
    }
    let shows_outline = !model.panels.is_collapsed(SidePanel::Outline, window.width());
    if hidden || !shows_outline || !file_list::has_several_files(model) {
        state.file_list.release_arrow_keys();
    }
    if hidden || !is_open {
        state.timeline.end_drag(model.commands);
    }
    let viewport = ui.available_rect_before_wrap();
    if is_open {
        overlay::overlay_ui(ui, model, viewport, !hidden);
    } else {
        gallery_ui(ui, model);
    }
    if hidden {
        let now = ui.ctx().time();
        let since = *state.hidden_since.get_or_insert(now);
        if !state.is_confirming(now) {
            let text = "H shows the panels again".to_owned();
            let message = Confirmation { text, ..Confirmation::default() };
            messages::passing_message_ui(ui, model, &message, viewport, now - since);
        }
    } else {
        state.hidden_since = None;
    }
    floating_ui(ui, model, state, window, viewport);
    state.typing = ui.ctx().text_edit_focused();
    WindowLayout {
        viewport,
        pointer_taken: panels_have_pointer(ui, state, viewport) || !is_open,
        keyboard_taken: state.typing
            || model.panels.path_dialog.is_some()
            || model.pending.discard.is_some()
            || model.pending.replacement.is_some()
            || model.panels.pending_link.is_some(),
    }
}

fn panels_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    let palette = Palette::for_visuals(ui.visuals());
    let width = ui.max_rect().width();
    let frame = style::panel_frame(palette);
    egui::Panel::top("top bar")
        .exact_size(32.0)
        .frame(frame.inner_margin(Margin::symmetric(8, 2)))
        .show(ui, |ui| top_bar::top_bar_ui(ui, model));
    if model.clip().is_none() {
        return;
    }
    time_panel_ui(ui, model, state);
    let sizes = model.panels.layout.sizes;
    if !model.panels.is_collapsed(SidePanel::Outline, width) {
        let outline = egui::Panel::left("outline")
            .default_size(sizes.outline.unwrap_or(240.0))
            .size_range(200.0..=360.0)
            .frame(frame)
            .show(ui, |ui| left_panel_ui(ui, model, state));
        let size = outline.response.rect.width();
        send_resize(ui, "outline", PanelEdge::Outline, size, sizes.outline, model.commands);
    }
    if !model.panels.is_collapsed(SidePanel::Inspector, width) {
        let inspector = egui::Panel::right("inspector")
            .default_size(sizes.inspector.unwrap_or(300.0))
            .size_range(280.0..=420.0)
            .frame(frame)
            .show(ui, |ui| {
                // Lay out in a child, so that wide content does not widen the panel.
                let rect = ui.available_rect_before_wrap();
                let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect));
                inside.shrink_clip_rect(rect);
                inspector::inspector_ui(&mut inside, model);
                ui.advance_cursor_after_rect(rect);
            });
        let size = inspector.response.rect.width();
        send_resize(ui, "inspector", PanelEdge::Inspector, size, sizes.inspector, model.commands);
    }
}

fn left_panel_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    if file_list::has_several_files(model) {
        egui::Panel::top("file_list")
            .resizable(true)
            .default_size(file_list::default_height(model))
            .size_range(60.0..=(0.6 * ui.available_height()).max(60.0))
            .frame(egui::Frame::NONE)
            .show(ui, |ui| file_list::file_list_ui(ui, model, &mut state.file_list));
        ui.add_space(4.0);
    }
    outline::outline_ui(ui, model, &mut state.outline);
}

/// Sends the size of a panel while the user drags the panel's edge. `known` is the size that the
/// session stores. A panel can also grow with its content, so the size is sent only during a drag.
fn send_resize(
    ui: &Ui,
    panel: &str,
    edge: PanelEdge,
    size: f32,
    known: Option<f32>,
    commands: &CommandSender,
) {
    if known != Some(size) && ui.ctx().is_being_dragged(Id::new(panel).with(PANEL_EDGE_ID)) {
        commands.send(Command::Panel(PanelCommand::Resize(edge, size)));
    }
}

/// The suffix that egui adds to the id of a panel for the id of its edge. A test checks that egui
/// still uses it.
const PANEL_EDGE_ID: &str = "__resize";

fn time_panel_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    let palette = Palette::for_visuals(ui.visuals());
    let height = ui.max_rect().height();
    let known = model.panels.layout.sizes.time;
    let default = known.unwrap_or((0.32 * height).clamp(170.0, 320.0));
    // egui keeps the first height of a panel. Forget it if the window gets another height, so that
    // the timeline follows unless the user chose its height.
    if state.window_height.replace(height).is_some_and(|before| before != height) {
        ui.data_mut(|data| data.remove::<egui::PanelState>(Id::new("time")));
    }
    let panel = egui::Panel::bottom("time")
        .resizable(true)
        .default_size(default)
        .size_range(76.0..=(0.7 * height).max(90.0))
        .frame(style::panel_frame(palette).inner_margin(Margin::ZERO))
        .show(ui, |ui| {
            let (top, rest) = {
                let all = ui.available_rect_before_wrap();
                all.split_top_bottom_at_y(all.top() + 36.0)
            };
            let top = top.shrink2(egui::vec2(8.0, 0.0));
            let (top, toggles) = top.split_left_right_at_x(top.right() - SWITCHES_WIDTH);
            ui.scope_builder(egui::UiBuilder::new().max_rect(top), |ui| {
                transport::transport_ui(ui, model, &mut state.transport);
            });
            ui.scope_builder(egui::UiBuilder::new().max_rect(toggles), |ui| {
                switches_ui(ui, model.panels, model.commands);
            });
            let rest = egui::UiBuilder::new().max_rect(rest.with_min_x(rest.left() + 8.0));
            ui.scope_builder(rest, |ui| {
                if model.panels.is_open(Panel::BYTES) {
                    bytes_panel_ui(ui, model, state);
                }
                timeline::timeline_ui(ui, model, &mut state.timeline);
            });
        });
    let size = panel.response.rect.height();
    send_resize(ui, "time", PanelEdge::Time, size, known, model.commands);
}

fn bytes_panel_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    let width = ui.available_width();
    egui::Panel::right("bytes")
        .resizable(true)
        .default_size(BYTES_WIDTH.min(0.6 * width))
        .size_range(200.0_f32.min(0.5 * width)..=0.8 * width)
        .frame(egui::Frame::NONE.inner_margin(Margin { left: 8, right: 4, top: 0, bottom: 0 }))
        .show(ui, |ui| bytes::bytes_ui(ui, model, &mut state.bytes));
}

const BYTES_WIDTH: f32 = 556.0;

const SWITCHES_WIDTH: f32 = 128.0;

fn switches_ui(ui: &mut Ui, panels: &Panels, commands: &CommandSender) {
    let switches = [
        ("Curves", Command::Toggle(Toggle::CURVES), panels.timeline.curves),
        ("Bytes", Command::Panel(PanelCommand::Toggle(Panel::BYTES)), panels.is_open(Panel::BYTES)),
    ];
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (name, command, is_on) in switches {
            let response = ui.add_sized([56.0, 22.0], egui::Button::new(name).selected(is_on));
            if with_action_tooltip(response, &command).clicked() {
                commands.send(command);
            }
        }
    });
}

fn gallery_ui(ui: &mut Ui, model: &Model<'_>) {
    let palette = Palette::for_visuals(ui.visuals());
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.background);
    gallery::gallery_ui(ui, model);
}

fn floating_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState, window: Rect, viewport: Rect) {
    let shows_footage = model.panels.is_open(Panel::FOOTAGE) && !model.panels.hidden;
    if shows_footage && model.clip().is_some() {
        footage::footage_ui(ui, model, &mut state.footage, viewport);
    }
    if let Some(loading) = model.files.loading.as_ref().or(model.files.loading_compared.as_ref()) {
        messages::loading_ui(ui, loading, viewport);
    }
    confirmation_ui(ui, model, state, viewport);
    if let Some(failed) = &model.files.failure {
        messages::failure_ui(ui, model, failed, viewport);
    } else if let Some(failed) = &model.files.write_failure {
        messages::unwritten_ui(ui, model, failed, viewport);
    } else if let Some(why) = &model.files.refused_link {
        messages::refused_link_ui(ui, model, why, viewport);
    }
    for view in FLOATING_PANELS.iter().filter(|view| model.panels.is_open(view.panel)) {
        if !state.shown_panels.contains(&view.panel) {
            (view.on_open)(state);
        }
        (view.show)(ui, model, state, viewport);
    }
    state.shown_panels = FLOATING_PANELS.iter().map(|view| view.panel).collect();
    state.shown_panels.retain(|panel| model.panels.is_open(*panel));
    let naming_rect = state.timeline.take_naming_rect();
    labels::name_ui(ui.ctx(), model, &mut state.label_name, viewport, naming_rect);
    let clicked =
        state.issues.take_clicked_location().or_else(|| state.timeline.take_clicked_location());
    if let Some(location) = clicked {
        state.bytes.highlight(location);
    }
    messages::path_dialog_ui(ui.ctx(), model, &mut state.path);
    unsaved::unsaved_ui(ui.ctx(), model);
    unsaved::replace_ui(ui.ctx(), model);
    linked::linked_ui(ui.ctx(), model);
    if model.file_hovers {
        messages::drop_hint_ui(ui, model, window);
    }
}

struct FloatingPanel {
    panel: Panel,
    on_open: fn(&mut UiState),
    show: fn(&mut Ui, &Model<'_>, &mut UiState, Rect),
}

/// All floating panels, from back to front.
static FLOATING_PANELS: &[FloatingPanel] = &[
    FloatingPanel {
        panel: Panel::ISSUES,
        on_open: |_| {},
        show: |ui, model, state, viewport| {
            issues::issues_ui(ui, model, &mut state.issues, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::NODE_MAPPING,
        on_open: |_| {},
        show: |ui, model, state, viewport| {
            skeleton::skeleton_ui(ui, model, &mut state.skeleton, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::COLUMNS,
        on_open: |_| {},
        show: |ui, model, state, viewport| {
            columns::columns_ui(ui, model, &mut state.columns, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::ANIMATIONS,
        on_open: |state| state.animations.focus_search(),
        show: |ui, model, state, viewport| {
            animations::animations_ui(ui, model, &mut state.animations, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::CONTACT_SHEET,
        on_open: |_| {},
        show: |ui, model, state, viewport| {
            file_list::contact_sheet_ui(ui, model, &mut state.file_list, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::EXPORT,
        on_open: |state| state.export.focus_path(),
        show: |ui, model, state, viewport| {
            let curves = &state.timeline.curves;
            let measured = model.clip().map(|clip| shown_measurements(model, clip, curves));
            let measured = measured.unwrap_or_default();
            export::export_ui(ui, model, &mut state.export, &measured, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::SAVE_SCENE,
        on_open: |state| state.save_scene.focus(),
        show: |ui, model, state, viewport| {
            save_scene::save_scene_ui(ui, model, &mut state.save_scene, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::EXPORT_LABELS,
        on_open: |state| state.export_labels.focus_path(),
        show: |ui, model, state, viewport| {
            labels::export_labels_ui(ui, model, &mut state.export_labels, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::REPORT,
        on_open: |state| state.report.focus_path(),
        show: |ui, model, state, viewport| {
            report::report_ui(ui, model, &mut state.report, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::HELP,
        on_open: |_| {},
        show: |ui, model, _, _| help::help_ui(ui.ctx(), model.commands),
    },
    FloatingPanel {
        panel: Panel::PALETTE,
        on_open: |state| state.command_palette = CommandPaletteState::default(),
        show: |ui, model, state, _| {
            command_palette::palette_ui(ui.ctx(), model, &mut state.command_palette);
        },
    },
];

fn confirmation_ui(ui: &Ui, model: &Model<'_>, state: &mut UiState, viewport: Rect) {
    let confirmation = &model.files.confirmation;
    if state.last_confirmation != confirmation.number {
        state.last_confirmation = confirmation.number;
        state.show_confirmation(confirmation.clone());
    }
    // The Export dialog says itself what it has written.
    let exported = model.exports.last.as_ref().filter(|_| model.panels.is_open(Panel::EXPORT));
    let exported = exported.map(|exported| &exported.path);
    let now = ui.ctx().time();
    if let Some((message, since)) = &mut state.confirmation
        && (message.written.is_none() || message.written.as_ref() != exported)
    {
        let age = now - *since.get_or_insert(now);
        messages::passing_message_ui(ui, model, message, viewport, age);
    }
}

fn panels_have_pointer(ui: &Ui, state: &mut UiState, viewport: Rect) -> bool {
    let ctx = ui.ctx();
    let over_viewport = ctx.pointer_latest_pos().is_some_and(|pointer| {
        let behind_all =
            ctx.layer_id_at(pointer).is_none_or(|layer| layer == LayerId::background());
        viewport.contains(pointer) && behind_all && !Popup::is_any_open(ctx)
    });
    let (pressed, down) =
        ctx.input(|input| (input.pointer.any_pressed(), input.pointer.any_down()));
    // Give the pointer to the panel while a panel edge is dragged. The edge overlaps the viewport
    // by a few points, so the drag may have begun over the viewport.
    let edge_is_dragged = ctx.dragged_id().is_some();
    if pressed || !down {
        state.pressed_in_viewport = over_viewport;
    }
    !state.pressed_in_viewport || edge_is_dragged
}
