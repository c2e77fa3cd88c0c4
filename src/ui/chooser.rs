//! Finding any command, file or node by a few letters.

use std::collections::BTreeSet;

use bevy_egui::egui::{
    Align, Align2, Context, FontId, Id, Key, Layout, Margin, Modal, Modifiers, RichText,
    ScrollArea, Sense, TextEdit, Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};

use super::{
    Model,
    offers::makes_sense,
    search::matches,
    style::{Palette, TEXT_SIZE, small},
    widgets::{dim, keys_text},
};
use crate::{
    clip::NodeId,
    compare::CompareOptions,
    session::{ACTIONS, Action, Command, Compare, Source, Toggle},
};

/// What the list remembers from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct ChooserState {
    query: String,
    /// Which of what was found is chosen with Enter.
    chosen: usize,
}

/// Something to choose.
struct Entry {
    name: String,
    /// What it is, or its keys.
    note: String,
    command: Command,
}

/// The width of the list.
const WIDTH: f32 = 520.0;
/// The height of a row.
const ROW: f32 = 24.0;
/// How many rows are seen at once.
const ROWS: usize = 12;

/// The list over everything, while it is open; a click beside it closes it.
pub(super) fn chooser_ui(
    ctx: &Context,
    model: &Model<'_>,
    state: &mut ChooserState,
    commands: &mut Vec<Command>,
) {
    if !model.panels.palette {
        // It opens with nothing typed.
        *state = ChooserState::default();
        return;
    }
    let id = Id::new("chooser");
    let top = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 56.0));
    let modal = Modal::new(id).area(top).show(ctx, |ui| {
        ui.set_width(WIDTH.min(ctx.content_rect().width() - 60.0));
        let before = state.query.clone();
        let way = arrows(ui);
        field_ui(ui, state);
        if state.query != before {
            state.chosen = 0;
        }
        let found = found(ctx, model, state.query.trim());
        state.chosen = stepped(state.chosen, way, found.len());
        ui.add_space(4.0);
        let clicked = rows_ui(ui, &found, state.chosen, way != 0 || state.query != before);
        let entered = ui.input(|input| input.key_pressed(Key::Enter)).then_some(state.chosen);
        clicked.or(entered).and_then(|index| found.into_iter().nth(index))
    });
    let closes = modal.inner.is_some() || modal.should_close();
    // First, so that what was found may open it again.
    commands.extend(closes.then_some(Command::Toggle(Toggle::Chooser)));
    commands.extend(modal.inner.map(|entry| entry.command));
}

/// How far the arrow keys go through the list.
fn arrows(ui: &Ui) -> isize {
    ui.input_mut(|input| {
        let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        let page = ROWS as isize - 1;
        let lines = pressed(Key::ArrowDown) - pressed(Key::ArrowUp);
        lines + page * (pressed(Key::PageDown) - pressed(Key::PageUp))
    })
}

/// `chosen`, so many further on; a single step leads from either end to the other.
fn stepped(chosen: usize, way: isize, count: usize) -> usize {
    let Some(last) = count.checked_sub(1) else { return 0 };
    let chosen = chosen.min(last);
    match way {
        1 if chosen == last => 0,
        -1 if chosen == 0 => last,
        _ => chosen.saturating_add_signed(way).min(last),
    }
}

fn field_ui(ui: &mut Ui, state: &mut ChooserState) {
    let edit = TextEdit::singleline(&mut state.query)
        .hint_text("A command, file or node, such as “fra sel”")
        .desired_width(f32::INFINITY)
        .margin(Margin::symmetric(8, 6));
    let field = ui.add(edit);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Find"));
    if !field.has_focus() {
        field.request_focus();
    }
}

/// What was found; tells which was clicked.
fn rows_ui(ui: &mut Ui, found: &[Entry], chosen: usize, shows_chosen: bool) -> Option<usize> {
    let mut clicked = None;
    if found.is_empty() {
        let nothing = dim(ui, "Nothing is called so");
        ui.label(nothing);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().max_height(ROWS as f32 * ROW).auto_shrink([false, true]);
    if shows_chosen {
        let first = chosen.saturating_sub(ROWS - 1);
        area = area.vertical_scroll_offset(first as f32 * ROW);
    }
    area.show_rows(ui, ROW, found.len(), |ui, range| {
        for index in range {
            if row_ui(ui, &found[index], index == chosen) {
                clicked = Some(index);
            }
        }
    });
    clicked
}

/// One row; tells whether it was clicked.
fn row_ui(ui: &mut Ui, entry: &Entry, is_chosen: bool) -> bool {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &entry.name));
    if is_chosen || response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let inside = UiBuilder::new().max_rect(rect.shrink2(vec2(8.0, 0.0)));
    ui.scope_builder(inside.layout(Layout::right_to_left(Align::Center)), |ui| {
        ui.style_mut().interaction.selectable_labels = false;
        ui.label(RichText::new(&entry.note).font(small()).color(palette.dim));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.style_mut().wrap_mode = Some(bevy_egui::egui::TextWrapMode::Truncate);
            let color = if is_chosen { palette.accent } else { palette.text };
            let font = FontId::proportional(TEXT_SIZE);
            ui.label(RichText::new(&entry.name).font(font).color(color));
        });
    });
    response.clicked()
}

/// What is called so; what begins with it stands first.
fn found(ctx: &Context, model: &Model<'_>, query: &str) -> Vec<Entry> {
    let mut found = actions(ctx, model, query);
    found.extend(files(model, query));
    if !query.is_empty() {
        found.extend(nodes(model, query));
        found.extend(counterparts(model, query));
    }
    let query = query.to_lowercase();
    found.sort_by_key(|entry| !entry.name.to_lowercase().starts_with(&query));
    found
}

fn actions(ctx: &Context, model: &Model<'_>, query: &str) -> Vec<Entry> {
    let can_be_done = |action: &&Action| {
        action.command != Command::Toggle(Toggle::Chooser) && makes_sense(&action.command, model)
    };
    let is_meant = |action: &&Action| {
        matches(query, &format!("{} {} {}", action.section.name(), action.name, action.help))
    };
    let entry = |action: &Action| {
        let keys = keys_text(ctx, action);
        let note = if keys.is_empty() { action.section.name().to_owned() } else { keys };
        Entry { name: action.name.to_owned(), note, command: action.command.clone() }
    };
    ACTIONS.iter().filter(can_be_done).filter(is_meant).map(entry).collect()
}

/// The recordings that were open, those that were opened together, and samples.
fn files(model: &Model<'_>, query: &str) -> Vec<Entry> {
    let unlisted = model.files.recent.iter().filter(|path| !model.files.given.contains(path));
    let recent = unlisted.map(|path| Entry {
        name: path.display().to_string(),
        note: "recently open".to_owned(),
        command: Command::OpenPaths(vec![path.clone()]),
    });
    let listed = model.files.given.iter().enumerate().map(|(index, path)| Entry {
        name: path.display().to_string(),
        note: "in the list".to_owned(),
        command: Command::OpenListed(index),
    });
    let samples = model.samples.iter().enumerate().map(|(index, card)| Entry {
        name: card.name.clone(),
        note: format!("sample, {}", card.format),
        command: Command::OpenSample(index),
    });
    let all = recent.chain(listed).chain(samples);
    all.filter(|entry| matches(query, &format!("{} {}", entry.name, entry.note))).collect()
}

/// Recordings that can be held against the one that is open, by the same names.
fn counterparts(model: &Model<'_>, query: &str) -> Vec<Entry> {
    if model.clip().is_none() {
        return Vec::new();
    }
    let entry = |name: String, source: Source| Entry {
        name: format!("Compare with {name}"),
        note: "on the same clock".to_owned(),
        command: Command::Compare(Compare::With(source, CompareOptions::default())),
    };
    let paths: BTreeSet<_> = model.files.recent.iter().chain(&model.files.given).collect();
    let paths = paths.into_iter();
    let files = paths.map(|path| entry(path.display().to_string(), Source::File(path.clone())));
    let samples = model.samples.iter().enumerate();
    let samples = samples.map(|(index, card)| entry(card.name.clone(), Source::Sample(index)));
    files.chain(samples).filter(|entry| matches(query, &entry.name)).collect()
}

fn nodes(model: &Model<'_>, query: &str) -> Vec<Entry> {
    let Some(clip) = model.clip() else { return Vec::new() };
    let nodes = (0..clip.nodes.len()).map(NodeId::new);
    let entry = |id: NodeId| Entry {
        name: clip.nodes[id].name.clone(),
        note: "node".to_owned(),
        command: Command::Select(Some(model.node(id))),
    };
    nodes.filter(|id| matches(query, &clip.nodes[*id].name)).map(entry).collect()
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Event, accesskit::Role};
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{Desk, show};

    fn harness(query: &str) -> Harness<'static, Desk<ChooserState>> {
        let mut desk = Desk::<ChooserState>::with_two_hands();
        desk.panels.palette = true;
        query.clone_into(&mut desk.state.query);
        desk.files.recent = vec!["takes/walk.anim".into()];
        let mut harness = show(desk, [900.0, 600.0], |ui, model, state, commands| {
            chooser_ui(ui.ctx(), model, state, commands);
        });
        harness.run();
        harness
    }

    fn is_listed(harness: &Harness<'_, Desk<ChooserState>>, name: &str) -> bool {
        harness.query_by_role_and_label(Role::Button, name).is_some()
    }

    #[test]
    fn what_is_typed_narrows_the_list_and_enter_does_the_first() {
        let mut harness = harness("");
        assert!(is_listed(&harness, "Play or pause"));
        harness.event(Event::Text("fra sel".to_owned()));
        harness.run();
        assert!(!is_listed(&harness, "Play or pause"));
        harness.key_press(Key::Enter);
        harness.run();
        let expected = [Command::Toggle(Toggle::Chooser), Command::FrameSelected];
        assert_eq!(harness.state_mut().take_commands(), expected);
        assert!(!harness.state().panels.palette);
    }

    #[test]
    fn arrows_go_through_what_was_found() {
        let mut harness = harness("left index");
        let tip = harness.state().node("left/IndexTip");
        let names: Vec<_> = {
            let clip = harness.state().clip();
            let ids = clip.nodes.with_ids().filter(|(_, node)| matches("left index", &node.name));
            ids.map(|(id, _)| id).collect()
        };
        let steps = names.iter().position(|id| *id == tip).unwrap();
        for _ in 0..steps {
            harness.key_press(Key::ArrowDown);
            harness.run();
        }
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state_mut().take_commands()[1..], [Command::Select(Some(tip))]);
    }

    #[test]
    fn files_that_were_open_are_found_and_clicked() {
        let mut harness = harness("walk");
        harness.get_by_role_and_label(Role::Button, "takes/walk.anim").click();
        harness.run();
        let expected = Command::OpenPaths(vec!["takes/walk.anim".into()]);
        assert_eq!(harness.state_mut().take_commands()[1..], [expected]);
    }

    #[test]
    fn what_was_open_can_be_compared_with() {
        let mut harness = harness("compare walk");
        harness.get_by_role_and_label(Role::Button, "Compare with takes/walk.anim").click();
        harness.run();
        let source = Source::File("takes/walk.anim".into());
        let expected = Command::Compare(Compare::With(source, CompareOptions::default()));
        assert_eq!(harness.state_mut().take_commands()[1..], [expected]);
    }

    #[test]
    fn a_step_leads_from_either_end_to_the_other() {
        let cases = [(0, -1, 5, 4), (4, 1, 5, 0), (3, 11, 5, 4), (2, -11, 5, 0), (9, 0, 3, 2)];
        for (chosen, way, count, expected) in cases {
            assert_eq!(stepped(chosen, way, count), expected);
        }
        assert_eq!(stepped(3, 1, 0), 0);
    }

    #[test]
    fn every_action_but_the_list_itself_can_be_found_by_its_name() {
        let desk = Desk::<()>::with_two_hands();
        show(desk, [900.0, 600.0], |ui, model, (), _| {
            for action in ACTIONS.iter().filter(|action| makes_sense(&action.command, model)) {
                let found = found(ui.ctx(), model, action.name);
                let is_found = found.iter().any(|entry| entry.command == action.command);
                let is_expected = action.command != Command::Toggle(Toggle::Chooser);
                assert_eq!(is_found, is_expected, "{}", action.name);
            }
        });
    }
}
