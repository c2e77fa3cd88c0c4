//! The outline: lists nodes by group and by parent, to find, select, show and hide them. Its search
//! also finds events, texts, labels and animations.

mod row;
mod rows;

use std::collections::{HashMap, HashSet};

use bevy::prelude::Entity;
use bevy_egui::egui::{
    Margin, Rect, Response, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, WidgetType, pos2,
    scroll_area, vec2,
};

use self::{
    row::{RowLayout, group_ui, indent, node_ui, recording_ui, result_ui, shapes_ui},
    rows::{Row, build_rows},
};
use super::{
    Model,
    icons::{self, Icon},
    search::{RowChoice, RowKeys, Search, SearchResult, find_moments_and_animations},
    style::{Palette, ROW_HEIGHT},
    widgets::{dim_text, heading},
};
use crate::session::{Command, OpenRecording, ViewCommand};
use bevy_mutoscope::{RecordingNode, Revision};
use mutoscope_core::clip::{Clip, GroupId, NodeId};

#[derive(Clone, Debug, Default)]
pub(super) struct OutlineState {
    search: String,
    choice: RowChoice,
    collapsed: HashMap<Entity, Collapsed>,
    selected: Option<RecordingNode>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Collapsed {
    /// The revision of the clip that `nodes` belong to. Another revision may have other nodes.
    revision: Option<Revision>,
    whole_recording: bool,
    groups: HashSet<GroupId>,
    nodes: HashSet<NodeId>,
    shows_shapes: bool,
}

const SCROLL_AREA_ID: &str = "outline rows";

pub(super) fn outline_ui(ui: &mut Ui, model: &Model<'_>, state: &mut OutlineState) {
    if model.recordings.is_empty() {
        return;
    }
    let search_field = search_ui(ui, state);
    ui.add_space(2.0);
    let selected = model.view.selected;
    let newly_selected = selected.filter(|_| selected != state.selected);
    state.selected = selected;
    state.sync_with_recordings(model, newly_selected);
    let results = find_results(model, &state.search);
    let rows = build_all_rows(model, state, &results);
    let has_trees = rows.iter().any(|(_, row)| matches!(row, Row::Node { has_children: true, .. }));
    if rows.iter().all(|(_, row)| *row == Row::Recording) && !state.search.trim().is_empty() {
        let empty_text = dim_text(ui, format!("No matches for “{}”", state.search.trim()));
        ui.label(empty_text);
    }
    let mut keys = RowKeys::default();
    if !state.search.is_empty() {
        let can_be_chosen = |index: &usize| rows[*index].1.can_be_chosen();
        let choices: Vec<_> = (0..rows.len()).filter(can_be_chosen).collect();
        keys = state.choice.read_keys(ui, &search_field, &choices);
    }
    if let Some((recording, row)) = keys.entered.map(|index| rows[index]) {
        let select = |id| ViewCommand::Select(Some(model.for_recording(recording).node(id)));
        model.send_all(match row {
            Row::Result(index) => Some(results[index].command.clone()),
            row => row.node().map(|id| Command::View(select(id))),
        });
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt(SCROLL_AREA_ID).auto_shrink(false);
    let is_target = |(recording, row): &(usize, Row)| {
        let node = row.node().map(|node| model.for_recording(*recording).node(node));
        node.is_some() && node == newly_selected
    };
    if let Some(index) = keys.moved_to.or_else(|| rows.iter().position(is_target)) {
        area = scroll_to_row(ui, area, index);
    }
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
        for index in range {
            let (recording, row) = rows[index];
            let model = &model.for_recording(recording);
            if state.choice.is_chosen(index) {
                let rect =
                    Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), ROW_HEIGHT));
                ui.painter().rect_filled(rect, 3.0, Palette::for_visuals(ui.visuals()).raised);
            }
            ui.push_id(recording, |ui| row_ui(ui, model, row, has_trees, &results, state));
        }
    });
}

fn find_results(model: &Model<'_>, search: &str) -> Vec<SearchResult> {
    if search.trim().is_empty() {
        return Vec::new();
    }
    let search = Search::new(search);
    model.models().flat_map(|model| find_moments_and_animations(&model, &search)).collect()
}

fn build_all_rows(
    model: &Model<'_>,
    state: &OutlineState,
    results: &[SearchResult],
) -> Vec<(usize, Row)> {
    let has_several = model.recordings.len() > 1;
    let expanded = Collapsed::default();
    let rows_of_recording = |open: &OpenRecording<'_>| {
        let collapsed = state.collapsed.get(&open.entity).unwrap_or(&expanded);
        let is_shown =
            !(has_several && collapsed.whole_recording && state.search.trim().is_empty());
        let own = is_shown.then(|| build_rows(open.clip(), &state.search, collapsed));
        let header = has_several.then_some(Row::Recording);
        let index = open.index;
        header.into_iter().chain(own.into_iter().flatten()).map(move |row| (index, row))
    };
    let mut rows: Vec<_> = model.recordings.iter().flat_map(rows_of_recording).collect();
    if !results.is_empty() {
        rows.push((model.focus, Row::ResultHeading));
        rows.extend((0..results.len()).map(|index| (model.focus, Row::Result(index))));
    }
    rows
}

fn row_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: Row,
    has_trees: bool,
    results: &[SearchResult],
    state: &mut OutlineState,
) {
    let Some(open) = model.open() else { return };
    let clip = open.clip();
    let collapsed = state.collapsed.entry(open.entity).or_default();
    match row {
        Row::Recording => recording_ui(ui, model, open, collapsed),
        Row::ResultHeading => heading(ui, "Events, labels and animations"),
        Row::Result(index) => result_ui(ui, model, &results[index]),
        Row::Group(group) => group_ui(ui, model, clip, group, collapsed),
        Row::ShapesAndEffectors(count) => shapes_ui(ui, count, collapsed),
        Row::Node { id, depth, has_children } => {
            let indent = indent(&clip.nodes[id], depth, has_trees);
            let layout = RowLayout { indent, has_children };
            node_ui(ui, model, clip, id, layout, collapsed);
        }
    }
}

impl OutlineState {
    #[cfg(test)]
    pub(super) fn set_search(&mut self, search: &str) {
        search.clone_into(&mut self.search);
    }

    fn sync_with_recordings(&mut self, model: &Model<'_>, selected: Option<RecordingNode>) {
        let is_open = |entity| model.recordings.iter().any(|open| open.entity == entity);
        self.collapsed.retain(|entity, _| is_open(*entity));
        for open in model.recordings {
            let collapsed = self.collapsed.entry(open.entity).or_default();
            let revision = Some(open.recording.revision());
            if collapsed.revision != revision {
                collapsed.revision = revision;
                collapsed.nodes.clear();
            }
            if let Some(node) = selected.and_then(|selected| selected.node_in(open.entity)) {
                collapsed.expand_to(open.clip(), node);
            }
        }
    }
}

impl Collapsed {
    fn expand_to(&mut self, clip: &Clip, node: NodeId) {
        let parent = |id: NodeId| clip.nodes.get(id.index())?.parent;
        for parent in std::iter::successors(parent(node), |&id| parent(id)) {
            self.nodes.remove(&parent);
        }
        self.whole_recording = false;
    }
}

fn scroll_to_row(ui: &Ui, area: ScrollArea, index: usize) -> ScrollArea {
    let id = ui.make_persistent_id(SCROLL_AREA_ID);
    let height = ui.available_height();
    let offset = scroll_area::State::load(ui.ctx(), id).map_or(0.0, |s| s.offset.y);
    let top = index as f32 * ROW_HEIGHT;
    let is_visible = offset <= top && top + ROW_HEIGHT <= offset + height;
    if is_visible { area } else { area.vertical_scroll_offset((top - 0.4 * height).max(0.0)) }
}

fn search_ui(ui: &mut Ui, state: &mut OutlineState) -> Response {
    let edit = TextEdit::singleline(&mut state.search)
        .hint_text("Search, such as “le tip”")
        .desired_width(f32::INFINITY)
        .margin(Margin { left: 22, right: 22, top: 3, bottom: 3 })
        .return_key(None);
    let response = ui.add(edit);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search the outline"));
    if response.changed() {
        state.choice = RowChoice::default();
    }
    let palette = Palette::for_visuals(ui.visuals());
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
            state.choice = RowChoice::default();
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Event, Key};
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, a_day, show};
    use mutoscope_core::playback::TimeCommand;

    fn search(words: &str) -> Harness<'static, PanelFixture<OutlineState>> {
        let mut outline = show(PanelFixture::with_clip(a_day()), [300.0, 400.0], outline_ui);
        outline.get_by_label("Search the outline").click();
        outline.run();
        outline.event(Event::Text(words.to_owned()));
        outline.run();
        outline
    }

    #[test]
    fn search_finds_entities_by_kind_and_events_by_text() {
        let mut outline = search("zombie");
        assert!(outline.query_by_label("entity/1").is_some(), "a zombie");
        outline.get_by_label_contains("A zombie!").click();
        outline.run();
        let commands = outline.state_mut().take_commands();
        let clip = outline.state().clip();
        let chat = clip.events.iter().find(|event| event.name == "chat").unwrap();
        assert_eq!(commands, [Command::Time(TimeCommand::Seek(chat.time))]);
    }

    #[test]
    fn arrow_keys_choose_a_result_and_enter_opens_it() {
        let mut outline = search("entity");
        let [first, second] = ["entity/0", "entity/1"].map(|name| Some(outline.state().node(name)));
        let mut enter = |keys: &[Key]| {
            for key in keys.iter().chain([&Key::Enter]) {
                outline.key_press(*key);
                outline.run();
            }
            outline.state_mut().take_commands()
        };
        let select = |node| [Command::View(ViewCommand::Select(node))];
        assert_eq!(enter(&[]), select(first), "without an arrow key, the first result");
        assert_eq!(enter(&[Key::ArrowDown, Key::ArrowDown]), select(second));
        assert_eq!(enter(&[Key::ArrowUp]), select(first), "the field keeps the focus");
    }
}
