//! The command palette: finds commands, files, and all that the open recordings contain, from a
//! few letters of their names.

use std::{cmp::Reverse, collections::BTreeSet};

use bevy_egui::egui::{
    Align, Align2, Context, FontId, Id, Key, Layout, Margin, Modal, RichText, ScrollArea, Sense,
    TextEdit, Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};

use super::{
    Model,
    action_state::is_available,
    search::{
        Search, SearchResult, find_moments_and_animations, node_results, read_row_keys, step_choice,
    },
    style::{Palette, TEXT_SIZE, small_font},
    widgets::{dim_text, keys_text, limit_width},
};
use crate::session::{
    ACTIONS, Action, Command, CompareCommand, FileCommand, Panel, PanelCommand, Source,
};
use mutoscope_core::measure::compare::CompareOptions;

#[derive(Clone, Debug, Default)]
pub(super) struct CommandPaletteState {
    query: String,
    chosen: usize,
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
        let step = read_row_keys(ui, VISIBLE_ROWS);
        field_ui(ui, state);
        if state.query != before {
            state.chosen = 0;
        }
        let found = find_results(ctx, model, state.query.trim());
        state.chosen = step_choice(state.chosen, step, found.len());
        ui.add_space(4.0);
        let clicked = rows_ui(ui, &found, state.chosen, step != 0 || state.query != before);
        let entered = ui.input(|input| input.key_pressed(Key::Enter)).then_some(state.chosen);
        clicked.or(entered).and_then(|index| found.into_iter().nth(index))
    });
    let closes = modal.inner.is_some() || modal.should_close();
    // Close the palette before its command runs, because the command may open the palette again.
    model.send_all(closes.then_some(Command::Panel(PanelCommand::Toggle(Panel::PALETTE))));
    model.send_all(modal.inner.map(|result| result.command));
}

fn field_ui(ui: &mut Ui, state: &mut CommandPaletteState) {
    let edit = TextEdit::singleline(&mut state.query)
        .hint_text("A command, file, node, event or label, such as “fra sel”")
        .desired_width(f32::INFINITY)
        .margin(Margin::symmetric(8, 6));
    let field = ui.add(edit);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Find"));
    if !field.has_focus() {
        field.request_focus();
    }
}

fn rows_ui(
    ui: &mut Ui,
    found: &[SearchResult],
    chosen: usize,
    shows_chosen: bool,
) -> Option<usize> {
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

fn row_ui(ui: &mut Ui, result: &SearchResult, is_chosen: bool) -> bool {
    let palette = Palette::for_visuals(ui.visuals());
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &result.name));
    if is_chosen || response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let inside = UiBuilder::new().max_rect(rect.shrink2(vec2(8.0, 0.0)));
    let hint = match &result.time {
        Some(time) => format!("{} · {time}", result.kind),
        None => result.kind.clone(),
    };
    ui.scope_builder(inside.layout(Layout::right_to_left(Align::Center)), |ui| {
        ui.style_mut().interaction.selectable_labels = false;
        ui.label(RichText::new(hint).font(small_font()).color(palette.dim));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.style_mut().wrap_mode = Some(bevy_egui::egui::TextWrapMode::Truncate);
            let color = if is_chosen { palette.accent } else { palette.text };
            let font = FontId::proportional(TEXT_SIZE);
            ui.label(RichText::new(&result.name).font(font).color(color));
        });
    });
    response.clicked()
}

fn find_results(ctx: &Context, model: &Model<'_>, query: &str) -> Vec<SearchResult> {
    let mut results = action_results(ctx, model);
    results.extend(file_results(model));
    if query.is_empty() {
        return results;
    }
    let search = Search::new(query);
    for model in model.models() {
        results.extend(node_results(&model));
        results.extend(find_moments_and_animations(&model, &search));
    }
    results.extend(comparison_results(model));
    let rank = |result: SearchResult| {
        let more = format!("{} {} {}", result.name, result.kind, result.keywords);
        search.rank(&result.name, &more).map(|rank| (Reverse(rank), result))
    };
    let mut found: Vec<_> = results.into_iter().filter_map(rank).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, result)| result).collect()
}

fn action_results(ctx: &Context, model: &Model<'_>) -> Vec<SearchResult> {
    let is_offered = |action: &&Action| {
        action.command != Command::Panel(PanelCommand::Toggle(Panel::PALETTE))
            && is_available(&action.command, model)
    };
    let result = |action: &Action| {
        let keys = keys_text(ctx, action);
        let section = action.section.name();
        let hint = if keys.is_empty() { section.to_owned() } else { keys };
        let keywords = format!("{section} {} {}", action.help, action.synonyms);
        let command = action.command.clone();
        SearchResult { keywords, ..SearchResult::new(action.name.to_owned(), hint, command) }
    };
    ACTIONS.iter().filter(is_offered).map(result).collect()
}

fn file_results(model: &Model<'_>) -> Vec<SearchResult> {
    let unlisted = model.settings.recent().filter(|path| !model.files.listed.contains(path));
    let recent = unlisted.map(|path| {
        let command = Command::File(FileCommand::Open(vec![path.clone()]));
        SearchResult::new(path.display().to_string(), "recent file", command)
    });
    let listed = model.files.listed.iter().enumerate().map(|(index, path)| {
        let command = Command::File(FileCommand::OpenListed(index));
        SearchResult::new(path.display().to_string(), "in the list of files", command)
    });
    let samples = model.samples.iter().enumerate().map(|(index, card)| {
        let hint = format!("example, {}", card.format);
        let command = Command::File(FileCommand::OpenSample(index));
        SearchResult::new(card.name.clone(), hint, command)
    });
    recent.chain(listed).chain(samples).collect()
}

fn comparison_results(model: &Model<'_>) -> Vec<SearchResult> {
    if model.clip().is_none() {
        return Vec::new();
    }
    let result = |name: String, source: Source| {
        let command = CompareCommand::Add(source, CompareOptions::default());
        let name = format!("Compare with {name}");
        SearchResult::new(name, "on the same clock", Command::Compare(command))
    };
    let paths: BTreeSet<_> = model.settings.recent().chain(&model.files.listed).collect();
    let paths = paths.into_iter();
    let files = paths.map(|path| result(path.display().to_string(), Source::File(path.clone())));
    let samples = model.samples.iter().enumerate();
    let samples = samples.map(|(index, card)| result(card.name.clone(), Source::Sample(index)));
    files.chain(samples).collect()
}

#[cfg(test)]
mod tests {
    use crate::session::{CameraCommand, ViewCommand};
    use bevy_egui::egui::{Event, accesskit::Role};
    use egui_kittest::{
        Harness,
        kittest::{NodeT as _, Queryable as _},
    };

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::playback::TimeCommand;

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
    fn each_begin_of_a_pinch_is_found() {
        let mut harness = harness("right pinch");
        let begins = harness.query_all_by_role_and_label(Role::Button, "right/pinch");
        let begins: Vec<_> = begins.map(|row| row.rect().top()).collect();
        assert_eq!(begins.len(), 2, "{begins:?}");
        harness.query_all_by_role_and_label(Role::Button, "right/pinch").last().unwrap().click();
        harness.run();
        let found = &harness.state_mut().take_commands()[1..];
        let [Command::Time(TimeCommand::Seek(time))] = *found else { panic!("{found:?}") };
        assert!((time - 2.2).abs() < 1e-6, "{time}");
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
    fn every_available_action_is_found_by_name() {
        let fixture = PanelFixture::<()>::with_two_hands();
        show(fixture, [900.0, 600.0], |ui, model, ()| {
            for action in ACTIONS.iter().filter(|action| is_available(&action.command, model)) {
                let found = find_results(ui.ctx(), model, action.name);
                let is_found = found.iter().any(|result| result.command == action.command);
                let is_expected =
                    action.command != Command::Panel(PanelCommand::Toggle(Panel::PALETTE));
                assert_eq!(is_found, is_expected, "{}", action.name);
            }
        });
    }
}
