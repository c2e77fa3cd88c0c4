//! The outline: every node by group and by what it hangs on, to find, select, show and hide.

mod row;
mod rows;

use std::collections::HashSet;

use bevy_egui::egui::{
    Margin, Rect, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, WidgetType, pos2, scroll_area, vec2,
};

use self::{
    row::{Place, aside_ui, group_ui, indent, node_ui},
    rows::{Row, rows},
};
use super::{
    Model,
    icons::{self, Icon},
    style::{Palette, ROW_HEIGHT},
    widgets::dim,
};
use crate::{
    clip::{Clip, GroupId, NodeId},
    session::Command,
};

/// What the outline remembers from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct OutlineState {
    /// What is searched for.
    search: String,
    /// The recording that the rest is about.
    generation: u32,
    /// The groups whose nodes are folded away.
    folded: HashSet<GroupId>,
    /// The nodes below which everything is folded away.
    folded_nodes: HashSet<NodeId>,
    /// Whether shapes and effectors are not folded away.
    shows_aside: bool,
    /// What was selected in the last frame, to scroll to what was selected elsewhere.
    selected: Option<NodeId>,
}

/// What the list scrolls under.
const ROWS: &str = "outline rows";

/// The outline, over all the room that `ui` has.
pub(super) fn outline_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut OutlineState,
    commands: &mut Vec<Command>,
) {
    let Some(clip) = model.player.clip() else { return };
    if state.generation != model.player.generation() {
        state.generation = model.player.generation();
        state.folded_nodes.clear();
    }
    search_ui(ui, state);
    ui.add_space(2.0);
    let newly_selected = model.view.selected.filter(|_| model.view.selected != state.selected);
    state.selected = model.view.selected;
    if let Some(node) = newly_selected {
        state.unfold_to(clip, node);
    }
    let rows = rows(clip, state);
    let has_trees = rows.iter().any(|row| matches!(row, Row::Node { has_children: true, .. }));
    if rows.is_empty() {
        let nothing = dim(ui, format!("Nothing is called “{}”", state.search.trim()));
        ui.label(nothing);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt(ROWS).auto_shrink(false);
    let target =
        newly_selected.and_then(|node| rows.iter().position(|row| row.node() == Some(node)));
    if let Some(index) = target {
        area = scrolled_to(ui, area, index);
    }
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
        for &row in &rows[range] {
            match row {
                Row::Group(group) => group_ui(ui, model, clip, group, state, commands),
                Row::Aside(count) => aside_ui(ui, count, state),
                Row::Node { id, depth, has_children } => {
                    let indent = indent(&clip.nodes[id], depth, has_trees);
                    let place = Place { indent, has_children };
                    node_ui(ui, model, clip, id, place, state, commands);
                }
            }
        }
    });
}

impl OutlineState {
    /// Unfolds what `node` stands below.
    fn unfold_to(&mut self, clip: &Clip, node: NodeId) {
        let parents = std::iter::successors(clip.nodes[node].parent, |&id| clip.nodes[id].parent);
        for parent in parents {
            self.folded_nodes.remove(&parent);
        }
    }
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
