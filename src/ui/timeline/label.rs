//! Shows the labels of rows: elided names, and triangles that collapse and expand rows.

use bevy_egui::egui::{
    Color32, FontSelection, Rect, RichText, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText,
    WidgetType, pos2,
};

use super::{
    PreparedTimeline,
    rows::{Row, flag_label, group_nodes, signal_label},
    state::RowsState,
};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        Model, display_text,
        icons::{self, Icon},
        style::{Palette, small_font},
        widgets::toggle_in_set,
    },
};
use mutoscope_core::clip::{Clip, GroupId, NodeId, Owner};
use mutoscope_view::timeline::{ItemId, ItemKind};

const INDENT: f32 = 10.0;

pub(super) const TRIANGLE_WIDTH: f32 = 14.0;

pub(super) fn label_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    prepared: &PreparedTimeline,
    row: Row,
    rect: Rect,
    state: &mut RowsState,
) {
    let Some(clip) = model.clip() else { return };
    let palette = Palette::for_visuals(ui.visuals());
    let node = row_node(clip, prepared, row);
    let is_selected = is_node_row(prepared, row) && node.is_some() && model.selected() == node;
    let text = label_text(clip, prepared, row);
    let response = ui.interact(rect, ui.id().with(("label", row)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, format!("Row {text}"))
    });
    if matches!(row, Row::Keys(_)) && (response.hovered() || is_selected) {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let mut left = rect.left() + TRIANGLE_WIDTH;
    let mut right = rect.right() - 4.0;
    let mut color = if is_selected { palette.accent } else { palette.text };
    if let Row::Keys(id) = row {
        let tree = prepared.keys.tree();
        let item = tree.item(id);
        left += INDENT * item.depth as f32;
        match item.kind {
            ItemKind::Group(group) => right = group_size_ui(ui, clip, group, rect),
            ItemKind::Curves(_) | ItemKind::Track(_) => color = palette.dim,
            ItemKind::Node(_) => {}
        }
        if tree.has_children(id) {
            let triangle = rect.with_min_x(left - TRIANGLE_WIDTH).with_max_x(left);
            triangle_ui(ui, prepared, id, triangle, &text, state);
        }
    }
    let text_rect = Rect::from_x_y_ranges(left..=right.max(left + 1.0), rect.y_range());
    if elided_text_ui(ui, text_rect, &text, color) {
        response.clone().on_hover_text(&text);
    }
    if response.clicked() {
        match node {
            Some(_) if is_selected => model.send(Command::View(ViewCommand::Select(None))),
            Some(node) => model.send(Command::View(ViewCommand::Select(Some(model.node(node))))),
            None => toggle_row(prepared, row, state),
        }
    }
}

fn triangle_ui(
    ui: &Ui,
    prepared: &PreparedTimeline,
    id: ItemId,
    rect: Rect,
    name: &str,
    state: &mut RowsState,
) {
    let is_expanded = state.expanded.contains(&id);
    let response = ui.interact(rect, ui.id().with(("fold", id)), Sense::click());
    let label = format!("{} {name}", if is_expanded { "Collapse row" } else { "Expand row" });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let palette = Palette::for_visuals(ui.visuals());
    let color = if response.hovered() { palette.text } else { palette.dim };
    let icon = if is_expanded { Icon::ChevronDown } else { Icon::ChevronRight };
    icons::paint(ui.painter(), rect, icon, color);
    let response = response.on_hover_text(if is_expanded {
        "Collapses the row. Shift+click also collapses all rows below it"
    } else {
        "Expands the row. Shift+click also expands all rows below it"
    });
    if response.clicked() {
        toggle_in_set(&mut state.expanded, id);
        if ui.input(|input| input.modifiers.shift) {
            for below in prepared.keys.tree().descendants(id) {
                if is_expanded {
                    state.expanded.remove(&below);
                } else {
                    state.expanded.insert(below);
                }
            }
        }
    }
}

fn toggle_row(prepared: &PreparedTimeline, row: Row, state: &mut RowsState) {
    if let Row::Keys(id) = row
        && prepared.keys.tree().has_children(id)
    {
        toggle_in_set(&mut state.expanded, id);
    }
}

fn group_size_ui(ui: &Ui, clip: &Clip, group: GroupId, rect: Rect) -> f32 {
    let palette = Palette::for_visuals(ui.visuals());
    let nodes = display_text::format_counted(group_nodes(clip, group).count(), "node", "nodes");
    let galley = ui.painter().layout_no_wrap(nodes, small_font(), palette.dim);
    let position =
        pos2(rect.right() - 4.0 - galley.size().x, rect.center().y - 0.5 * galley.size().y);
    if position.x < rect.left() + 70.0 {
        return rect.right() - 4.0;
    }
    ui.painter().galley(position, galley, palette.dim);
    position.x - 6.0
}

pub(super) fn elided_text_ui(ui: &Ui, rect: Rect, text: &str, color: Color32) -> bool {
    let text = WidgetText::from(RichText::new(text).font(small_font()).color(color));
    let wrap = Some(TextWrapMode::Truncate);
    let galley = text.into_galley(ui, wrap, rect.width(), FontSelection::Default);
    let position = pos2(rect.left(), rect.center().y - 0.5 * galley.size().y);
    let elided = galley.elided;
    ui.painter().galley(position, galley, color);
    elided
}

fn row_node(clip: &Clip, prepared: &PreparedTimeline, row: Row) -> Option<NodeId> {
    let Row::Keys(id) = row else { return None };
    match prepared.keys.tree().item(id).kind {
        ItemKind::Node(node) => Some(node),
        ItemKind::Track(track) => match clip.track(track).owner {
            Owner::Node(node) => Some(node),
            Owner::Group(_) => None,
        },
        ItemKind::Group(_) | ItemKind::Curves(_) => None,
    }
}

fn is_node_row(prepared: &PreparedTimeline, row: Row) -> bool {
    matches!(row, Row::Keys(id) if matches!(prepared.keys.tree().item(id).kind, ItemKind::Node(_)))
}

fn label_text(clip: &Clip, prepared: &PreparedTimeline, row: Row) -> String {
    match row {
        Row::Events(kind) => display_text::capitalised(&prepared.event_row(kind).name),
        Row::Recording | Row::Distance | Row::Element(_) | Row::Labels(_) | Row::LabelDraft => {
            String::new()
        }
        Row::Issues => "Issues".to_owned(),
        Row::Signal(index) => signal_label(clip, &clip.signals[index]),
        Row::Flag(index) => flag_label(clip, &prepared.conditions[index]),
        Row::Keys(id) => match prepared.keys.tree().item(id).kind {
            ItemKind::Group(group) => clip.groups[group.index()].clone(),
            ItemKind::Node(node) => display_text::full_name(clip, node).into_owned(),
            ItemKind::Curves(_) => {
                let count = prepared.keys.tree().child_count(id);
                display_text::format_counted(count, "curve", "curves")
            }
            ItemKind::Track(track) => clip.track(track).property.clone(),
        },
    }
}
