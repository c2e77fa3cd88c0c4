//! The command palette: finds commands, files and nodes from a few letters of their names.

use std::{cmp::Reverse, collections::BTreeSet};

use bevy_egui::egui::{
    Align, Align2, Context, FontId, Id, Key, Layout, Margin, Modal, Modifiers, RichText,
    ScrollArea, Sense, TextEdit, Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};

use super::{
    Model,
    action_state::is_available,
    search::Search,
    style::{Palette, TEXT_SIZE, small_font},
    widgets::{dim_text, keys_text, limit_width},
};
use crate::session::{
    ACTIONS, Action, Command, CompareCommand, FileCommand, Panel, PanelCommand, Source, ViewCommand,
};
use mutoscope_core::{
    clip::{Node, NodeId},
    measure::compare::CompareOptions,
};

#[derive(Clone, Debug, Default)]
pub(super) struct CommandPaletteState {
    query: String,
    chosen: usize,
}

struct Entry {
    name: String,
    hint: String,
    keywords: String,
    command: Command,
}

const WIDTH: f32 = 520.0;
const ROW_HEIGHT: f32 = 24.0;
const VISIBLE_ROWS: usize = 12;

pub(super) fn palette_ui(ctx: &Context, model: &Model<'_>, state: &mut CommandPaletteState) {
    let id = Id::new("chooser");
    let top = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 56.0));
    let modal = Modal::new(id).area(top).show(ctx, |ui| {
        ui.set_width(limit_width(WIDTH, ctx.content_rect().width() - 60.0));
        let before = state.query.clone();
        let step = read_arrow_keys(ui);
        field_ui(ui, state);
        if state.query != before {
            state.chosen = 0;
        }
        let found = find_entries(ctx, model, state.query.trim());
        state.chosen = step_choice(state.chosen, step, found.len());
        ui.add_space(4.0);
        let clicked = rows_ui(ui, &found, state.chosen, step != 0 || state.query != before);
        let entered = ui.input(|input| input.key_pressed(Key::Enter)).then_some(state.chosen);
        clicked.or(entered).and_then(|index| found.into_iter().nth(index))
    });
    let closes = modal.inner.is_some() || modal.should_close();
    // Close the palette before its command runs, because the command may open the palette again.
    model.send_all(closes.then_some(Command::Panel(PanelCommand::Toggle(Panel::PALETTE))));
    model.send_all(modal.inner.map(|entry| entry.command));
}

fn read_arrow_keys(ui: &Ui) -> isize {
    ui.input_mut(|input| {
        let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        let page = VISIBLE_ROWS as isize - 1;
        let lines = pressed(Key::ArrowDown) - pressed(Key::ArrowUp);
        lines + page * (pressed(Key::PageDown) - pressed(Key::PageUp))
    })
}

/// Moves `chosen` by `step` rows. A single step wraps around at the ends; a page does not.
fn step_choice(chosen: usize, step: isize, count: usize) -> usize {
    let Some(last) = count.checked_sub(1) else { return 0 };
    let chosen = chosen.min(last);
    match step {
        1 if chosen == last => 0,
        -1 if chosen == 0 => last,
        _ => chosen.saturating_add_signed(step).min(last),
    }
}

fn field_ui(ui: &mut Ui, state: &mut CommandPaletteState) {
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

fn rows_ui(ui: &mut Ui, found: &[Entry], chosen: usize, shows_chosen: bool) -> Option<usize> {
    let mut clicked = None;
    if found.is_empty() {
        let empty_text = dim_text(ui, "No matches");
        ui.label(empty_text);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical()
        .max_height(VISIBLE_ROWS as f32 * ROW_HEIGHT)
        .auto_shrink([false, true]);
    if shows_chosen {
        let first = chosen.saturating_sub(VISIBLE_ROWS - 1);
        area = area.vertical_scroll_offset(first as f32 * ROW_HEIGHT);
    }
    area.show_rows(ui, ROW_HEIGHT, found.len(), |ui, range| {
        for index in range {
            if row_ui(ui, &found[index], index == chosen) {
                clicked = Some(index);
            }
        }
    });
    clicked
}

fn row_ui(ui: &mut Ui, entry: &Entry, is_chosen: bool) -> bool {
    let palette = Palette::for_visuals(ui.visuals());
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &entry.name));
    if is_chosen || response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let inside = UiBuilder::new().max_rect(rect.shrink2(vec2(8.0, 0.0)));
    ui.scope_builder(inside.layout(Layout::right_to_left(Align::Center)), |ui| {
        ui.style_mut().interaction.selectable_labels = false;
        ui.label(RichText::new(&entry.hint).font(small_font()).color(palette.dim));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.style_mut().wrap_mode = Some(bevy_egui::egui::TextWrapMode::Truncate);
            let color = if is_chosen { palette.accent } else { palette.text };
            let font = FontId::proportional(TEXT_SIZE);
            ui.label(RichText::new(&entry.name).font(font).color(color));
        });
    });
    response.clicked()
}

fn find_entries(ctx: &Context, model: &Model<'_>, query: &str) -> Vec<Entry> {
    let mut entries = action_entries(ctx, model);
    entries.extend(file_entries(model));
    if query.is_empty() {
        return entries;
    }
    entries.extend(node_entries(model));
    entries.extend(comparison_entries(model));
    let search = Search::new(query);
    let rank = |entry: Entry| {
        let rank =
            search.rank(&entry.name, &format!("{} {} {}", entry.name, entry.hint, entry.keywords));
        rank.map(|rank| (Reverse(rank), entry))
    };
    let mut found: Vec<_> = entries.into_iter().filter_map(rank).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, entry)| entry).collect()
}

fn action_entries(ctx: &Context, model: &Model<'_>) -> Vec<Entry> {
    let is_offered = |action: &&Action| {
        action.command != Command::Panel(PanelCommand::Toggle(Panel::PALETTE))
            && is_available(&action.command, model)
    };
    let entry = |action: &Action| {
        let keys = keys_text(ctx, action);
        let section = action.section.name();
        let hint = if keys.is_empty() { section.to_owned() } else { keys };
        let keywords = format!("{section} {} {}", action.help, action.synonyms);
        Entry { name: action.name.to_owned(), hint, keywords, command: action.command.clone() }
    };
    ACTIONS.iter().filter(is_offered).map(entry).collect()
}

fn file_entries(model: &Model<'_>) -> Vec<Entry> {
    let entry = |name: String, hint: &str, command: Command| Entry {
        name,
        hint: hint.to_owned(),
        keywords: String::new(),
        command,
    };
    let unlisted = model.settings.recent().filter(|path| !model.files.listed.contains(path));
    let recent = unlisted.map(|path| {
        let command = Command::File(FileCommand::Open(vec![path.clone()]));
        entry(path.display().to_string(), "recent file", command)
    });
    let listed = model.files.listed.iter().enumerate().map(|(index, path)| {
        entry(
            path.display().to_string(),
            "in the list of files",
            Command::File(FileCommand::OpenListed(index)),
        )
    });
    let samples = model.samples.iter().enumerate().map(|(index, card)| {
        let hint = format!("example, {}", card.format);
        entry(card.name.clone(), &hint, Command::File(FileCommand::OpenSample(index)))
    });
    recent.chain(listed).chain(samples).collect()
}

fn comparison_entries(model: &Model<'_>) -> Vec<Entry> {
    if model.clip().is_none() {
        return Vec::new();
    }
    let entry = |name: String, source: Source| Entry {
        name: format!("Compare with {name}"),
        hint: "on the same clock".to_owned(),
        keywords: String::new(),
        command: Command::Compare(CompareCommand::Add(source, CompareOptions::default())),
    };
    let paths: BTreeSet<_> = model.settings.recent().chain(&model.files.listed).collect();
    let paths = paths.into_iter();
    let files = paths.map(|path| entry(path.display().to_string(), Source::File(path.clone())));
    let samples = model.samples.iter().enumerate();
    let samples = samples.map(|(index, card)| entry(card.name.clone(), Source::Sample(index)));
    files.chain(samples).collect()
}

fn node_entries(model: &Model<'_>) -> Vec<Entry> {
    let Some(clip) = model.clip() else { return Vec::new() };
    let entry = |(id, node): (NodeId, &Node)| Entry {
        name: node.name.clone(),
        hint: "node".to_owned(),
        keywords: String::new(),
        command: Command::View(ViewCommand::Select(Some(model.node(id)))),
    };
    clip.nodes.with_ids().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use crate::session::CameraCommand;
    use bevy_egui::egui::{Event, accesskit::Role};
    use egui_kittest::{
        Harness,
        kittest::{NodeT as _, Queryable as _},
    };

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    fn harness(query: &str) -> Harness<'static, PanelFixture<CommandPaletteState>> {
        let mut fixture = PanelFixture::<CommandPaletteState>::with_two_hands();
        fixture.panels.apply(&PanelCommand::Toggle(Panel::PALETTE));
        query.clone_into(&mut fixture.state.query);
        fixture.settings.add_recent("takes/walk.anim".into());
        let mut harness = show(fixture, [900.0, 600.0], |ui, model, state| {
            palette_ui(ui.ctx(), model, state);
        });
        harness.run();
        harness
    }

    fn is_listed(harness: &Harness<'_, PanelFixture<CommandPaletteState>>, name: &str) -> bool {
        harness.query_by_role_and_label(Role::Button, name).is_some()
    }

    #[test]
    fn typing_filters_the_list_and_enter_runs_the_first() {
        let mut harness = harness("");
        assert!(is_listed(&harness, "Play or pause"));
        harness.event(Event::Text("fra sel".to_owned()));
        harness.run();
        assert!(!is_listed(&harness, "Play or pause"));
        harness.key_press(Key::Enter);
        harness.run();
        let expected = [
            Command::Panel(PanelCommand::Toggle(Panel::PALETTE)),
            Command::Camera(CameraCommand::FrameSelected),
        ];
        assert_eq!(harness.state_mut().take_commands(), expected);
        assert!(!harness.state().panels.is_open(Panel::PALETTE));
    }

    #[test]
    fn arrow_keys_move_through_results() {
        let mut harness = harness("left index");
        let knuckle = harness.state().node("left/IndexKnuckle");
        let mut rows: Vec<_> = harness
            .query_all_by_role(Role::Button)
            .filter_map(|row| Some((row.rect().top(), row.accesskit_node().label()?)))
            .collect();
        rows.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let steps = rows.iter().position(|(_, name)| name == "left/IndexKnuckle").unwrap();
        assert!(steps > 0, "{rows:?}");
        for _ in 0..steps {
            harness.key_press(Key::ArrowDown);
            harness.run();
        }
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(
            harness.state_mut().take_commands()[1..],
            [Command::View(ViewCommand::Select(Some(knuckle)))]
        );
    }

    #[test]
    fn recent_files_can_be_found_and_opened() {
        let mut harness = harness("walk");
        harness.get_by_role_and_label(Role::Button, "takes/walk.anim").click();
        harness.run();
        let expected = Command::File(FileCommand::Open(vec!["takes/walk.anim".into()]));
        assert_eq!(harness.state_mut().take_commands()[1..], [expected]);
    }

    #[test]
    fn recent_files_can_be_compared() {
        let mut harness = harness("compare walk");
        harness.get_by_role_and_label(Role::Button, "Compare with takes/walk.anim").click();
        harness.run();
        let source = Source::File("takes/walk.anim".into());
        let expected = Command::Compare(CompareCommand::Add(source, CompareOptions::default()));
        assert_eq!(harness.state_mut().take_commands()[1..], [expected]);
    }

    #[test]
    fn result_stepping_wraps_around() {
        let cases = [(0, -1, 5, 4), (4, 1, 5, 0), (3, 11, 5, 4), (2, -11, 5, 0), (9, 0, 3, 2)];
        for (chosen, step, count, expected) in cases {
            assert_eq!(step_choice(chosen, step, count), expected);
        }
        assert_eq!(step_choice(3, 1, 0), 0);
    }

    #[test]
    fn every_available_action_is_found_by_name() {
        let fixture = PanelFixture::<()>::with_two_hands();
        show(fixture, [900.0, 600.0], |ui, model, ()| {
            for action in ACTIONS.iter().filter(|action| is_available(&action.command, model)) {
                let found = find_entries(ui.ctx(), model, action.name);
                let is_found = found.iter().any(|entry| entry.command == action.command);
                let is_expected =
                    action.command != Command::Panel(PanelCommand::Toggle(Panel::PALETTE));
                assert_eq!(is_found, is_expected, "{}", action.name);
            }
        });
    }
}
