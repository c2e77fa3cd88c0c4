//! The labels of rows: names, elided where there is no room; triangles that fold.

use bevy_egui::egui::{
    Color32, FontSelection, Rect, RichText, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText,
    WidgetType, pos2,
};

use super::{
    PreparedTimeline,
    rows::{Row, flag_label, nodes_of, signal_label},
    state::RowsState,
};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        Model,
        icons::{self, Icon},
        style::{Palette, small},
        widgets::toggle,
        words,
    },
};
use mutoscope_core::{
    clip::{Clip, GroupId, NodeId, Owner},
    measure::timeline::{ItemId, Kind},
};

/// The indentation of each level of the tree, in points.
const INDENT: f32 = 10.0;

/// The room of a triangle.
pub(super) const TRIANGLE: f32 = 14.0;

/// The label of `row` in `rect`. Its requests to the tree are applied at once.
pub(super) fn label_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    prepared: &PreparedTimeline,
    row: Row,
    rect: Rect,
    state: &mut RowsState,
) {
    let Some(clip) = model.clip() else { return };
    let palette = Palette::of(ui.visuals());
    let node = node_of(clip, prepared, row);
    let is_selected = is_node(prepared, row) && node.is_some() && model.selected() == node;
    let text = label_text(clip, prepared, row);
    let response = ui.interact(rect, ui.id().with(("label", row)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, format!("Row {text}"))
    });
    if matches!(row, Row::Keys(_)) && (response.hovered() || is_selected) {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let mut left = rect.left() + TRIANGLE;
    let mut right = rect.right() - 4.0;
    let mut color = if is_selected { palette.accent } else { palette.text };
    if let Row::Keys(id) = row {
        let tree = prepared.keys.tree();
        let item = tree.item(id);
        left += INDENT * item.depth as f32;
        match item.kind {
            Kind::Group(group) => right = group_size_ui(ui, clip, group, rect),
            Kind::Curves(_) | Kind::Track(_) => color = palette.dim,
            Kind::Node(_) => {}
        }
        if tree.folds(id) {
            let triangle = rect.with_min_x(left - TRIANGLE).with_max_x(left);
            triangle_ui(ui, prepared, id, triangle, &text, state);
        }
    }
    let place = Rect::from_x_y_ranges(left..=right.max(left + 1.0), rect.y_range());
    if text_ui(ui, place, &text, color) {
        response.clone().on_hover_text(&text);
    }
    if response.clicked() {
        match node {
            Some(_) if is_selected => model.send(Command::View(ViewCommand::Select(None))),
            Some(node) => model.send(Command::View(ViewCommand::Select(Some(model.node(node))))),
            None => toggle_fold(prepared, row, state),
        }
    }
}

/// A triangle that folds what is below `id`; with Shift all that is below that, too.
fn triangle_ui(
    ui: &Ui,
    prepared: &PreparedTimeline,
    id: ItemId,
    rect: Rect,
    name: &str,
    state: &mut RowsState,
) {
    let is_open = state.open.contains(&id);
    let response = ui.interact(rect, ui.id().with(("fold", id)), Sense::click());
    let label = format!("{} {name}", if is_open { "Collapse row" } else { "Expand row" });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let palette = Palette::of(ui.visuals());
    let color = if response.hovered() { palette.text } else { palette.dim };
    let icon = if is_open { Icon::ChevronDown } else { Icon::ChevronRight };
    icons::paint(ui.painter(), rect, icon, color);
    let response = response.on_hover_text(if is_open {
        "Collapse; Shift+click: with all below"
    } else {
        "Expand; Shift+click: with all below"
    });
    if response.clicked() {
        toggle(&mut state.open, id);
        if ui.input(|input| input.modifiers.shift) {
            for below in prepared.keys.tree().below(id) {
                if is_open {
                    state.open.remove(&below);
                } else {
                    state.open.insert(below);
                }
            }
        }
    }
}

fn toggle_fold(prepared: &PreparedTimeline, row: Row, state: &mut RowsState) {
    if let Row::Keys(id) = row
        && prepared.keys.tree().folds(id)
    {
        toggle(&mut state.open, id);
    }
}

/// How many nodes a group has, at the end of its label; where that begins.
fn group_size_ui(ui: &Ui, clip: &Clip, group: GroupId, rect: Rect) -> f32 {
    let palette = Palette::of(ui.visuals());
    let nodes = words::counted(nodes_of(clip, group).count(), "node", "nodes");
    let galley = ui.painter().layout_no_wrap(nodes, small(), palette.dim);
    let place = pos2(rect.right() - 4.0 - galley.size().x, rect.center().y - 0.5 * galley.size().y);
    if place.x < rect.left() + 70.0 {
        return rect.right() - 4.0;
    }
    ui.painter().galley(place, galley, palette.dim);
    place.x - 6.0
}

/// `text` as far as there is room; returns whether there was too little.
pub(super) fn text_ui(ui: &Ui, rect: Rect, text: &str, color: Color32) -> bool {
    let text = WidgetText::from(RichText::new(text).font(small()).color(color));
    let wrap = Some(TextWrapMode::Truncate);
    let galley = text.into_galley(ui, wrap, rect.width(), FontSelection::Default);
    let place = pos2(rect.left(), rect.center().y - 0.5 * galley.size().y);
    let elided = galley.elided;
    ui.painter().galley(place, galley, color);
    elided
}

/// The node that a click on the label of `row` selects.
fn node_of(clip: &Clip, prepared: &PreparedTimeline, row: Row) -> Option<NodeId> {
    let Row::Keys(id) = row else { return None };
    match prepared.keys.tree().item(id).kind {
        Kind::Node(node) => Some(node),
        Kind::Track(track) => match clip.track(track).owner {
            Owner::Node(node) => Some(node),
            Owner::Group(_) => None,
        },
        Kind::Group(_) | Kind::Curves(_) => None,
    }
}

fn is_node(prepared: &PreparedTimeline, row: Row) -> bool {
    matches!(row, Row::Keys(id) if matches!(prepared.keys.tree().item(id).kind, Kind::Node(_)))
}

fn label_text(clip: &Clip, prepared: &PreparedTimeline, row: Row) -> String {
    match row {
        Row::Events(kind) => words::capitalised(&prepared.event_row(kind).name),
        Row::Recording | Row::Distance | Row::Element(_) | Row::Labels(_) | Row::LabelDraft => {
            String::new()
        }
        Row::Issues => "Issues".to_owned(),
        Row::Signal(index) => signal_label(clip, &clip.signals[index]),
        Row::Flag(index) => flag_label(clip, &prepared.conditions[index]),
        Row::Keys(id) => match prepared.keys.tree().item(id).kind {
            Kind::Group(group) => clip.groups[group.index()].clone(),
            Kind::Node(node) => words::full_name(clip, node).into_owned(),
            Kind::Curves(_) => {
                let count = prepared.keys.tree().child_count(id);
                words::counted(count, "curve", "curves")
            }
            Kind::Track(track) => clip.track(track).property.clone(),
        },
    }
}
