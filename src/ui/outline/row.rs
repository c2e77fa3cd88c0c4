//! Draws the rows of the outline, and handles clicks on them.

use bevy_egui::egui::{
    Align2, Color32, FontId, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use super::Collapsed;
use crate::{
    session::{CameraCommand, Command, OpenRecording, ViewCommand},
    ui::{
        Model, display_text,
        icons::{self, Icon},
        search::SearchResult,
        style::{Palette, ROW_HEIGHT, TEXT_SIZE, small_font},
        timeline::rows::{group_nodes, owner_side},
        widgets::{paint_truncated_name, toggle_in_set},
    },
};
use mutoscope_core::clip::{Clip, GroupId, Node, NodeId, NodeKind, Owner};

#[derive(Clone, Copy)]
pub(super) struct RowLayout {
    pub(super) indent: f32,
    pub(super) has_children: bool,
}

const CHEVRON_WIDTH: f32 = 16.0;

pub(super) fn indent(node: &Node, depth: usize, has_trees: bool) -> f32 {
    const STEP: f32 = 10.0;
    /// The depth at which the indent stops growing, so that names keep enough room.
    const MAX_DEPTH: usize = 12;
    match node.group {
        Some(_) => 20.0,
        None if has_trees => CHEVRON_WIDTH + STEP * depth.min(MAX_DEPTH) as f32,
        None => 4.0,
    }
}

pub(super) fn group_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    group: GroupId,
    state: &mut Collapsed,
) {
    let name = &clip.groups[group.index()];
    let folded = state.groups.contains(&group);
    let (rect, response) = row_rect(ui);
    let verb = if folded { "Expand" } else { "Collapse" };
    response
        .widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("{verb} {name}")));
    let palette = Palette::for_visuals(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let painter = ui.painter();
    let chevron = if folded { Icon::ChevronRight } else { Icon::ChevronDown };
    icons::paint(painter, rect.with_max_x(rect.left() + 16.0), chevron, palette.dim);
    let color = palette.side_color(owner_side(clip, Owner::Group(group)));
    let font = FontId::proportional(TEXT_SIZE);
    let position = pos2(rect.left() + 20.0, rect.center().y);
    let text = painter.text(position, Align2::LEFT_CENTER, name, font, color);
    let untracked = group_nodes(clip, group).all(|node| !is_shown(model, node));
    if untracked {
        let position = pos2(text.right() + 8.0, rect.center().y);
        painter.text(position, Align2::LEFT_CENTER, "untracked", small_font(), palette.dim);
    }
    let hidden = group_nodes(clip, group).all(|node| model.is_hidden(node));
    if eye_ui(ui, &response, !hidden, name) {
        model.send(model.toggle_group(group));
    }
    if response.clicked() {
        toggle_in_set(&mut state.groups, group);
    }
}

pub(super) fn recording_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    open: &OpenRecording<'_>,
    state: &mut Collapsed,
) {
    let name = open.source.name();
    let (rect, response) = row_rect(ui);
    let verb = if state.whole_recording { "Expand" } else { "Collapse" };
    response.widget_info(|| {
        let label = format!("{verb} {}: {name}", open.letter());
        WidgetInfo::labeled(WidgetType::Button, true, label)
    });
    let palette = Palette::for_visuals(ui.visuals());
    let background = if response.hovered() { palette.raised } else { palette.background };
    ui.painter().rect_filled(rect, 3.0, background);
    let chevron = if state.whole_recording { Icon::ChevronRight } else { Icon::ChevronDown };
    icons::paint(ui.painter(), rect.with_max_x(rect.left() + CHEVRON_WIDTH), chevron, palette.dim);
    let color = palette.recording_color(model.focus);
    let color = if open.is_visible { color } else { palette.dim };
    let position = pos2(rect.left() + 20.0, rect.center().y);
    let inside = rect.with_max_x(rect.right() - 24.0).intersect(ui.clip_rect());
    let text = format!("{}  {name}", open.letter());
    let font = FontId::proportional(TEXT_SIZE);
    ui.painter().with_clip_rect(inside).text(position, Align2::LEFT_CENTER, text, font, color);
    if eye_ui(ui, &response, open.is_visible, &format!("recording {}", open.letter())) {
        model.send(Command::View(ViewCommand::ToggleRecording(open.entity)));
    }
    if response.clicked() {
        state.whole_recording = !state.whole_recording;
    }
}

pub(super) fn shapes_ui(ui: &mut Ui, count: usize, state: &mut Collapsed) {
    let text = display_text::format_counted(count, "shape or effector", "shapes and effectors");
    let (rect, response) = row_rect(ui);
    let verb = if state.shows_shapes { "Collapse" } else { "Expand" };
    let label = format!("{verb} {text}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let palette = Palette::for_visuals(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let chevron = if state.shows_shapes { Icon::ChevronDown } else { Icon::ChevronRight };
    icons::paint(ui.painter(), rect.with_max_x(rect.left() + CHEVRON_WIDTH), chevron, palette.dim);
    let position = pos2(rect.left() + 20.0, rect.center().y);
    ui.painter().text(position, Align2::LEFT_CENTER, text, small_font(), palette.dim);
    if response.clicked() {
        state.shows_shapes = !state.shows_shapes;
    }
}

pub(super) fn result_ui(ui: &mut Ui, model: &Model<'_>, result: &SearchResult) {
    let (rect, response) = row_rect(ui);
    let SearchResult { name, kind, time, command, .. } = result;
    let hint = time.as_ref().unwrap_or(kind);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
    let palette = Palette::for_visuals(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let position = pos2(rect.right() - 4.0, rect.center().y);
    let hint_rect =
        ui.painter().text(position, Align2::RIGHT_CENTER, hint, small_font(), palette.dim);
    let room = rect.with_min_x(rect.left() + 6.0).with_max_x(hint_rect.left() - 8.0);
    paint_truncated_name(ui, room, name, palette.text);
    if response.on_hover_text(format!("{kind}: {name}")).clicked() {
        model.send(command.clone());
    }
}

fn chevron_ui(ui: &Ui, row: &Response, left: f32, folded: bool, name: &str) -> bool {
    let rect = row.rect.with_min_x(left).with_max_x(left + CHEVRON_WIDTH);
    let response = ui.interact(rect, row.id.with("fold"), Sense::click());
    let label = format!("{} {name}", if folded { "Expand" } else { "Collapse" });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let palette = Palette::for_visuals(ui.visuals());
    let color = if response.hovered() { palette.text } else { palette.dim };
    let icon = if folded { Icon::ChevronRight } else { Icon::ChevronDown };
    icons::paint(ui.painter(), rect, icon, color);
    response.clicked()
}

pub(super) fn node_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    id: NodeId,
    RowLayout { indent, has_children }: RowLayout,
    state: &mut Collapsed,
) {
    let node = &clip.nodes[id];
    let selected = model.selected() == Some(id);
    let (rect, response) = row_rect(ui);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, &node.name)
    });
    let palette = Palette::for_visuals(ui.visuals());
    if selected {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let hidden = model.is_hidden(id);
    let is_dim = hidden || !is_shown(model, id);
    let left = rect.left() + indent - CHEVRON_WIDTH;
    let is_folded = state.nodes.contains(&id);
    if has_children && chevron_ui(ui, &response, left, is_folded, &node.name) {
        toggle_in_set(&mut state.nodes, id);
    }
    let dot = palette.side_color(node.side).gamma_multiply(if is_dim { 0.4 } else { 1.0 });
    paint_kind(ui, pos2(rect.left() + indent + 4.0, rect.center().y), node.kind, dot);
    let color = match (selected, is_dim) {
        (true, _) => palette.accent,
        (_, true) => palette.dim,
        _ => palette.text,
    };
    let room =
        Rect::from_x_y_ranges(rect.left() + indent + 14.0..=rect.right() - 24.0, rect.y_range());
    let name = display_text::full_name(clip, id);
    let response = match paint_truncated_name(ui, room, &name, color) {
        true => response.on_hover_text(&*name),
        false => response,
    };
    if eye_ui(ui, &response, !hidden, &node.name) {
        model.send(Command::View(ViewCommand::ToggleNode(model.node(id))));
    }
    if response.double_clicked() {
        model.send_all([
            Command::View(ViewCommand::Select(Some(model.node(id)))),
            Command::Camera(CameraCommand::FrameSelected),
        ]);
    } else if response.clicked() {
        model.send(Command::View(ViewCommand::Select((!selected).then(|| model.node(id)))));
    }
}

fn is_shown(model: &Model<'_>, node: NodeId) -> bool {
    let pose = model.pose().and_then(|pose| pose.nodes.get(node.index()));
    pose.is_none_or(|pose| pose.is_visible)
}

fn row_rect(ui: &mut Ui) -> (Rect, Response) {
    ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click())
}

fn paint_kind(ui: &Ui, centre: Pos2, kind: NodeKind, color: Color32) {
    let painter = ui.painter();
    let stroke = Stroke::new(1.4, color);
    match kind {
        NodeKind::Joint => {
            painter.circle_filled(centre, 2.5, color);
        }
        NodeKind::Tip => {
            painter.circle_stroke(centre, 2.5, stroke);
        }
        NodeKind::Locator => {
            painter.line_segment([centre - vec2(3.0, 0.0), centre + vec2(3.0, 0.0)], stroke);
            painter.line_segment([centre - vec2(0.0, 3.0), centre + vec2(0.0, 3.0)], stroke);
        }
        NodeKind::Head => {
            let rect = Rect::from_center_size(centre, vec2(7.0, 6.0));
            painter.rect_stroke(rect, 1.5, stroke, StrokeKind::Middle);
        }
        NodeKind::Ray => painter.arrow(centre - vec2(4.0, 0.0), vec2(8.0, 0.0), stroke),
        NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {
            let rect = Rect::from_center_size(centre, vec2(4.0, 4.0));
            painter.rect_stroke(rect, 0.0, stroke, StrokeKind::Middle);
        }
    }
}

fn eye_ui(ui: &Ui, row: &Response, open: bool, name: &str) -> bool {
    let rect = row.rect.with_min_x(row.rect.right() - 24.0);
    let response = ui.interact(rect, row.id.with("eye"), Sense::click());
    let verb = if open { "Hide" } else { "Show" };
    let label = format!("{verb} {name}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let palette = Palette::for_visuals(ui.visuals());
    let icon = if open { Icon::Eye } else { Icon::EyeClosed };
    if response.hovered() {
        icons::paint(ui.painter(), rect, icon, palette.text);
    } else if row.hovered() || !open {
        icons::paint(ui.painter(), rect, icon, palette.dim);
    }
    response.on_hover_text(label).clicked()
}
