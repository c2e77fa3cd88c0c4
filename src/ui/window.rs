//! The layout of the whole window.

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

/// The layout: the state of all panels.
#[derive(Resource, Clone, Debug, Default)]
pub struct UiState {
    /// The text of the path dialog.
    path: String,
    /// The floating panels that were shown in the last frame.
    shown: Vec<Panel>,
    pub(super) bytes: BytesState,
    pub(super) issues: IssuesState,
    pub(super) skeleton: SkeletonState,
    pub(super) columns: ColumnsState,
    pub(super) animations: AnimationsState,
    pub(super) file_list: FileListState,
    pub(super) outline: OutlineState,
    pub(super) timeline: TimelineState,
    pub(super) transport: TransportState,
    /// Whether the user was typing when the last frame ended.
    pub(super) typing: bool,
    /// Keys that wait for a text field.
    pub(super) typed_ahead: TypedAhead,
    /// When the panels were hidden, in seconds of the window's time.
    hidden_since: Option<f64>,
    /// The number of the last confirmation that was shown.
    said: u32,
    /// The last confirmation over the viewport and its time, which is unknown until it is drawn.
    confirmation: Option<(String, Option<f64>)>,
    pub(super) command_palette: CommandPaletteState,
    pub(super) export: ExportState,
    pub(super) save_scene: PathField,
    export_labels: ExportLabelsState,
    report: ReportState,
    label_name: NameState,
    footage: FootageState,
    /// Whether the pressed pointer button was pressed in the viewport.
    pressed_in_picture: bool,
}

/// The viewport, and the owners of pointer and keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowLayout {
    /// The part of the window that no panel covers, in points.
    pub viewport: Rect,
    /// Whether the pointer belongs to a panel.
    pub pointer_taken: bool,
    /// Whether the keyboard belongs to a text field.
    pub keyboard_taken: bool,
}

impl UiState {
    /// Takes `command` if it is about the state that a panel keeps itself, or means that where the pointer is;
    /// returns whether the session need not hear of it.
    pub fn takes(&mut self, command: &Command) -> bool {
        match command {
            Command::Timeline(command) => self.timeline.obey(command),
            Command::Panel(PanelCommand::EditTime) => {
                self.transport.edit_time();
                // The session shows the panels.
                return false;
            }
            command => return self.timeline.takes(command),
        }
        true
    }

    /// Whether a confirmation is where another message would be.
    fn is_confirming(&self, now: f64) -> bool {
        let since = self.confirmation.as_ref().map(|(_, since)| since.unwrap_or(now));
        since.is_some_and(|since| now - since < messages::PASSING_SECS)
    }

    /// Shows a confirmation over the viewport for a while.
    fn say(&mut self, words: String) {
        self.confirmation = Some((words, None));
    }
}

/// Lays out the whole window in `ui`, which covers it, and adds what the user wants to `commands`.
pub fn window_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) -> WindowLayout {
    let window = ui.max_rect();
    let hidden = model.panels.hidden;
    let is_open = model.clip().is_some();
    if !hidden {
        panels_ui(ui, model, state);
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
            messages::passing_ui(ui, "H shows the panels again", viewport, now - since);
        }
    } else {
        state.hidden_since = None;
    }
    floating_ui(ui, model, state, window, viewport);
    state.typing = ui.ctx().text_edit_focused();
    WindowLayout {
        viewport,
        pointer_taken: pointer_is_taken(ui, state, viewport) || !is_open,
        keyboard_taken: state.typing
            || model.panels.path_dialog.is_some()
            || model.panels.would_discard.is_some()
            || model.panels.would_replace.is_some()
            || model.panels.would_open.is_some(),
    }
}

/// The panels along the edges. The rest of `ui` is the viewport.
fn panels_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    let palette = Palette::of(ui.visuals());
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
            .show(ui, |ui| left_ui(ui, model, state));
        let size = outline.response.rect.width();
        note_size(ui, "outline", PanelEdge::Outline, (size, sizes.outline), model.commands);
    }
    if !model.panels.is_collapsed(SidePanel::Inspector, width) {
        let inspector = egui::Panel::right("inspector")
            .default_size(sizes.inspector.unwrap_or(290.0))
            .size_range(260.0..=420.0)
            .frame(frame)
            .show(ui, |ui| inspector::inspector_ui(ui, model));
        let size = inspector.response.rect.width();
        note_size(ui, "inspector", PanelEdge::Inspector, (size, sizes.inspector), model.commands);
    }
}

/// The files to step through, if there are several, and below them the nodes.
fn left_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    if file_list::is_of_use(model) {
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

/// Says how large a panel is, now and as far as the session knows, when its edge is dragged: a
/// panel that grows with its content was not resized by the user.
fn note_size(
    ui: &Ui,
    panel: &str,
    edge: PanelEdge,
    (now, known): (f32, Option<f32>),
    commands: &CommandSender,
) {
    if known != Some(now) && ui.ctx().is_being_dragged(Id::new(panel).with(PANEL_EDGE)) {
        commands.send(Command::Panel(PanelCommand::Resize(edge, now)));
    }
}

/// egui's id of the edge of a panel, added to the panel's own id. A test checks it.
const PANEL_EDGE: &str = "__resize";

/// Transport and timeline. Its upper edge is dragged to give the timeline more or less room.
fn time_panel_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    let palette = Palette::of(ui.visuals());
    let height = ui.max_rect().height();
    let known = model.panels.layout.sizes.time;
    let default = known.unwrap_or((0.32 * height).clamp(170.0, 320.0));
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
            let (top, toggles) = top.split_left_right_at_x(top.right() - SWITCHES);
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
    note_size(ui, "time", PanelEdge::Time, (size, known), model.commands);
}

/// The bytes of the file, at the right of the timeline.
fn bytes_panel_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState) {
    let width = ui.available_width();
    egui::Panel::right("bytes")
        .resizable(true)
        .default_size(BYTES.min(0.6 * width))
        .size_range(200.0_f32.min(0.5 * width)..=0.8 * width)
        .frame(egui::Frame::NONE.inner_margin(Margin { left: 8, right: 4, top: 0, bottom: 0 }))
        .show(ui, |ui| bytes::bytes_ui(ui, model, &mut state.bytes));
}

/// The room that 16 bytes take, as figures and as letters.
const BYTES: f32 = 556.0;

/// The room for the buttons for curves and bytes, at the end of the transport.
const SWITCHES: f32 = 128.0;

fn switches_ui(ui: &mut Ui, panels: &Panels, commands: &CommandSender) {
    let switches = [
        ("Curves", Command::Toggle(Toggle::Curves), panels.timeline.curves),
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
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.background);
    gallery::gallery_ui(ui, model);
}

/// The floating panels, in front of panels and viewport.
fn floating_ui(ui: &mut Ui, model: &Model<'_>, state: &mut UiState, window: Rect, viewport: Rect) {
    let shows_footage = model.panels.is_open(Panel::FOOTAGE) && !model.panels.hidden;
    if shows_footage && model.clip().is_some() {
        footage::footage_ui(ui, model, &mut state.footage, viewport);
    }
    if let Some(loading) = model.files.loading.as_ref().or(model.files.adding.as_ref()) {
        messages::loading_ui(ui, loading, viewport);
    }
    remark_ui(ui, model, state, viewport);
    if let Some(failed) = &model.files.failed {
        messages::failure_ui(ui, model, failed, viewport);
    } else if let Some(failed) = &model.files.unwritten {
        messages::unwritten_ui(ui, model, failed, viewport);
    } else if let Some(why) = &model.files.refused_link {
        messages::refused_link_ui(ui, model, why, viewport);
    }
    for view in FLOATING.iter().filter(|view| model.panels.is_open(view.panel)) {
        if !state.shown.contains(&view.panel) {
            (view.opens)(state);
        }
        (view.show)(ui, model, state, viewport);
    }
    state.shown = FLOATING.iter().map(|view| view.panel).collect();
    state.shown.retain(|panel| model.panels.is_open(*panel));
    let named = state.timeline.take_named();
    labels::name_ui(ui.ctx(), model, &mut state.label_name, (viewport, named));
    let clicked = state.issues.take_place().or_else(|| state.timeline.take_place());
    if let Some(place) = clicked {
        state.bytes.point_out(place);
    }
    messages::path_dialog_ui(ui.ctx(), model, &mut state.path);
    unsaved::unsaved_ui(ui.ctx(), model);
    unsaved::replace_ui(ui.ctx(), model);
    linked::linked_ui(ui.ctx(), model);
    if model.file_hovers {
        messages::drop_hint_ui(ui, model, window);
    }
}

/// A panel that floats over the viewport.
struct FloatingPanel {
    panel: Panel,
    /// Makes its state ready for being opened.
    opens: fn(&mut UiState),
    show: fn(&mut Ui, &Model<'_>, &mut UiState, Rect),
}

/// All of them, from back to front.
static FLOATING: &[FloatingPanel] = &[
    FloatingPanel {
        panel: Panel::ISSUES,
        opens: |_| {},
        show: |ui, model, state, viewport| {
            issues::issues_ui(ui, model, &mut state.issues, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::NODE_MAPPING,
        opens: |_| {},
        show: |ui, model, state, viewport| {
            skeleton::skeleton_ui(ui, model, &mut state.skeleton, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::COLUMNS,
        opens: |_| {},
        show: |ui, model, state, viewport| {
            columns::columns_ui(ui, model, &mut state.columns, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::ANIMATIONS,
        opens: |_| {},
        show: |ui, model, state, viewport| {
            animations::animations_ui(ui, model, &mut state.animations, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::EXPORT,
        opens: |state| state.export.focus_path(),
        show: |ui, model, state, viewport| {
            export::export_ui(ui, model, &mut state.export, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::SAVE_SCENE,
        opens: |state| state.save_scene.focus(),
        show: |ui, model, state, viewport| {
            save_scene::save_scene_ui(ui, model, &mut state.save_scene, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::EXPORT_LABELS,
        opens: |state| state.export_labels.focus_path(),
        show: |ui, model, state, viewport| {
            labels::export_labels_ui(ui, model, &mut state.export_labels, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::REPORT,
        opens: |state| state.report.focus_path(),
        show: |ui, model, state, viewport| {
            report::report_ui(ui, model, &mut state.report, viewport);
        },
    },
    FloatingPanel {
        panel: Panel::HELP,
        opens: |_| {},
        show: |ui, model, _, _| help::help_ui(ui.ctx(), model.commands),
    },
    FloatingPanel {
        panel: Panel::PALETTE,
        opens: |state| state.command_palette = CommandPaletteState::default(),
        show: |ui, model, state, _| {
            command_palette::palette_ui(ui.ctx(), model, &mut state.command_palette);
        },
    },
];

/// Shows a confirmation for a while: where an image was saved, that something was copied.
fn remark_ui(ui: &Ui, model: &Model<'_>, state: &mut UiState, viewport: Rect) {
    let Confirmation { number, words } = &model.files.confirmation;
    if state.said != *number {
        state.said = *number;
        state.say(words.clone());
    }
    let now = ui.ctx().time();
    if let Some((words, since)) = &mut state.confirmation {
        messages::passing_ui(ui, words, viewport, now - *since.get_or_insert(now));
    }
}

/// Whether the pointer belongs to a panel: it is over one, or was pressed there. A drag from the
/// viewport stays the viewport's, wherever it goes.
fn pointer_is_taken(ui: &Ui, state: &mut UiState, viewport: Rect) -> bool {
    let ctx = ui.ctx();
    let over_picture = ctx.pointer_latest_pos().is_some_and(|pointer| {
        let behind_all =
            ctx.layer_id_at(pointer).is_none_or(|layer| layer == LayerId::background());
        viewport.contains(pointer) && behind_all && !Popup::is_any_open(ctx)
    });
    let (pressed, down) =
        ctx.input(|input| (input.pointer.any_pressed(), input.pointer.any_down()));
    // A panel's edge reaches into the viewport: resizing takes the pointer from the first moment.
    let edge_is_dragged = ctx.dragged_id().is_some();
    if pressed || !down {
        state.pressed_in_picture = over_picture;
    }
    !state.pressed_in_picture || edge_is_dragged
}
