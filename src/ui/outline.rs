//! The outline: every node by group, to find, select, show and hide.

use std::collections::HashSet;

use bevy_egui::egui::{
    Align2, Color32, FontId, Margin, Pos2, Rect, Response, ScrollArea, Sense, Stroke, StrokeKind,
    TextEdit, Ui, WidgetInfo, WidgetType, pos2, scroll_area, vec2,
};

use super::{
    Model,
    icons::{self, Icon},
    search,
    style::{Palette, ROW_HEIGHT, TEXT_SIZE, small},
    timeline::rows::{nodes_of, side_of},
    widgets::{dim, toggle},
    words,
};
use crate::{
    clip::{Clip, GroupId, NodeId, NodeKind, Owner},
    viewer::Command,
};

/// What the outline remembers from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct OutlineState {
    /// What is searched for.
    search: String,
    /// The groups whose nodes are folded away.
    folded: HashSet<GroupId>,
    /// What was selected in the last frame, to scroll to what was selected elsewhere.
    selected: Option<NodeId>,
}

/// What the list scrolls under.
const ROWS: &str = "outline rows";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Group(GroupId),
    Node(NodeId),
}

/// The outline, over all the room that `ui` has.
pub(super) fn outline_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut OutlineState,
    commands: &mut Vec<Command>,
) {
    let Some(clip) = model.player.clip() else { return };
    search_ui(ui, state);
    ui.add_space(2.0);
    let rows = rows(clip, state);
    if rows.is_empty() {
        let nothing = dim(ui, format!("Nothing is called “{}”", state.search.trim()));
        ui.label(nothing);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt(ROWS).auto_shrink(false);
    let newly_selected = model.view.selected.filter(|_| model.view.selected != state.selected);
    state.selected = model.view.selected;
    let target =
        newly_selected.and_then(|node| rows.iter().position(|row| *row == Row::Node(node)));
    if let Some(index) = target {
        area = scrolled_to(ui, area, index);
    }
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
        for &row in &rows[range] {
            match row {
                Row::Group(group) => group_ui(ui, model, clip, group, state, commands),
                Row::Node(node) => node_ui(ui, model, clip, node, commands),
            }
        }
    });
}

/// `area` scrolled so that the row at `index` can be seen, if it cannot be already.
fn scrolled_to(ui: &Ui, area: ScrollArea, index: usize) -> ScrollArea {
    let id = ui.make_persistent_id(ROWS);
    let height = ui.available_height();
    let offset = scroll_area::State::load(ui.ctx(), id).map_or(0.0, |s| s.offset.y);
    let top = index as f32 * ROW_HEIGHT;
    let is_visible = offset <= top && top + ROW_HEIGHT <= offset + height;
    if is_visible { area } else { area.vertical_scroll_offset((top - 0.4 * height).max(0.0)) }
}

fn search_ui(ui: &mut Ui, state: &mut OutlineState) {
    let edit = TextEdit::singleline(&mut state.search)
        .hint_text("Search, such as “le tip”")
        .desired_width(f32::INFINITY)
        .margin(Margin { left: 22, right: 22, top: 3, bottom: 3 });
    let response = ui.add(edit);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search the outline"));
    let palette = Palette::of(ui.visuals());
    let rect = response.rect;
    let left = Rect::from_min_size(rect.min, vec2(22.0, rect.height()));
    icons::paint(ui.painter(), left, Icon::Search, palette.dim);
    if !state.search.is_empty() {
        let right = Rect::from_min_max(pos2(rect.right() - 22.0, rect.top()), rect.max);
        let clear = ui.interact(right, response.id.with("clear"), Sense::click());
        clear.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Clear the search"));
        icons::paint(ui.painter(), right, Icon::Close, palette.dim);
        if clear.clicked() {
            state.search.clear();
        }
    }
}

/// The rows from top to bottom. A search unfolds every group it finds something in.
fn rows(clip: &Clip, state: &OutlineState) -> Vec<Row> {
    let searching = !state.search.trim().is_empty();
    let is_found = |id: &NodeId| search::matches(&state.search, &clip.nodes[*id].name);
    let mut rows = Vec::with_capacity(clip.nodes.len() + clip.groups.len());
    for group in (0..clip.groups.len()).map(GroupId::new) {
        let members: Vec<_> = nodes_of(clip, group).filter(is_found).collect();
        if members.is_empty() {
            continue;
        }
        rows.push(Row::Group(group));
        if searching || !state.folded.contains(&group) {
            rows.extend(members.into_iter().map(Row::Node));
        }
    }
    let loose = clip.nodes.with_ids().filter(|(_, node)| node.group.is_none());
    rows.extend(loose.map(|(id, _)| id).filter(is_found).map(Row::Node));
    rows
}

fn group_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    group: GroupId,
    state: &mut OutlineState,
    commands: &mut Vec<Command>,
) {
    let name = &clip.groups[group.index()];
    let folded = state.folded.contains(&group);
    let (rect, response) = row_rect(ui);
    let verb = if folded { "Unfold" } else { "Fold" };
    response
        .widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("{verb} {name}")));
    let palette = Palette::of(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let painter = ui.painter();
    let chevron = if folded { Icon::ChevronRight } else { Icon::ChevronDown };
    icons::paint(painter, rect.with_max_x(rect.left() + 16.0), chevron, palette.dim);
    let color = palette.side(side_of(clip, Owner::Group(group)));
    let font = FontId::proportional(TEXT_SIZE);
    let place = pos2(rect.left() + 20.0, rect.center().y);
    let text = painter.text(place, Align2::LEFT_CENTER, name, font, color);
    let untracked = nodes_of(clip, group).all(|node| !is_shown(model, node));
    if untracked {
        let place = pos2(text.right() + 8.0, rect.center().y);
        painter.text(place, Align2::LEFT_CENTER, "untracked", small(), palette.dim);
    }
    let hidden = nodes_of(clip, group).all(|node| model.view.hidden.contains(&node));
    if eye_ui(ui, &response, !hidden, name) {
        commands.push(Command::ToggleGroup(group));
    }
    if response.clicked() {
        toggle(&mut state.folded, group);
    }
}

fn node_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId, commands: &mut Vec<Command>) {
    let node = &clip.nodes[id];
    let selected = model.view.selected == Some(id);
    let (rect, response) = row_rect(ui);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, &node.name)
    });
    let palette = Palette::of(ui.visuals());
    if selected {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let hidden = model.view.hidden.contains(&id);
    let is_dim = hidden || !is_shown(model, id);
    let indent = if node.group.is_some() { 20.0 } else { 4.0 };
    let dot = palette.side(node.side).gamma_multiply(if is_dim { 0.4 } else { 1.0 });
    paint_kind(ui, pos2(rect.left() + indent + 4.0, rect.center().y), node.kind, dot);
    let color = match (selected, is_dim) {
        (true, _) => palette.accent,
        (_, true) => palette.dim,
        _ => palette.text,
    };
    let place = pos2(rect.left() + indent + 14.0, rect.center().y);
    let font = FontId::proportional(TEXT_SIZE);
    let painter =
        ui.painter().with_clip_rect(rect.with_max_x(rect.right() - 24.0).intersect(ui.clip_rect()));
    painter.text(place, Align2::LEFT_CENTER, words::full_name(clip, id), font, color);
    if eye_ui(ui, &response, !hidden, &node.name) {
        commands.push(Command::ToggleNode(id));
    }
    if response.double_clicked() {
        commands.extend([Command::Select(Some(id)), Command::FrameSelected]);
    } else if response.clicked() {
        commands.push(Command::Select((!selected).then_some(id)));
    }
}

/// Whether there is something to see of a node now.
fn is_shown(model: &Model<'_>, node: NodeId) -> bool {
    model.player.pose().nodes.get(node.index()).is_none_or(|pose| pose.shown)
}

fn row_rect(ui: &mut Ui) -> (Rect, Response) {
    ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click())
}

/// A mark for what a node is: a shape for each kind.
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

/// The eye at the end of a row, seen when it matters; tells whether it was clicked.
fn eye_ui(ui: &Ui, row: &Response, open: bool, name: &str) -> bool {
    let rect = row.rect.with_min_x(row.rect.right() - 24.0);
    let response = ui.interact(rect, row.id.with("eye"), Sense::click());
    let verb = if open { "Hide" } else { "Show" };
    let label = format!("{verb} {name}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let palette = Palette::of(ui.visuals());
    let icon = if open { Icon::Eye } else { Icon::EyeClosed };
    if response.hovered() {
        icons::paint(ui.painter(), rect, icon, palette.text);
    } else if row.hovered() || !open {
        icons::paint(ui.painter(), rect, icon, palette.dim);
    }
    response.on_hover_text(label).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing;

    #[test]
    fn a_search_leaves_what_it_finds_and_unfolds_it() {
        let clip = testing::two_hands();
        let names = |state: &OutlineState| -> Vec<String> {
            let name = |row: Row| match row {
                Row::Group(group) => clip.groups[group.index()].clone(),
                Row::Node(node) => clip.nodes[node].name.clone(),
            };
            rows(&clip, state).into_iter().map(name).collect()
        };
        let folded = HashSet::from([GroupId::new(0)]);
        let mut state = OutlineState { folded, ..OutlineState::default() };
        assert!(!names(&state).contains(&"left/IndexTip".to_owned()));
        state.search = "le ind tip".to_owned();
        assert_eq!(names(&state), ["left", "left/IndexTip"]);
        state.search = "cam".to_owned();
        assert_eq!(names(&state), ["camera"]);
        state.search = "no such thing".to_owned();
        assert!(names(&state).is_empty());
    }
}
