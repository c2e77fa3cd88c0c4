//! The list of the animations in a file, and of its other variants.

use bevy_egui::egui::{
    Align2, FontId, Rect, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, Window, vec2,
};

use super::{
    Model, display_text,
    search::{RowChoice, Search},
    style::{Palette, ROW_HEIGHT, TEXT_SIZE},
    widgets::{dim_text, heading, limit_width, search_field},
};
use crate::session::{Command, Panel, PanelCommand};
use mutoscope_core::clip::Variants;

#[derive(Clone, Debug, Default)]
pub(super) struct AnimationsState {
    search: String,
    wants_focus: bool,
    choice: RowChoice,
}

impl AnimationsState {
    pub(super) fn focus_search(&mut self) {
        self.wants_focus = true;
    }
}

pub(super) fn animations_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut AnimationsState,
    viewport: Rect,
) {
    let Some(clip) = model.clip() else { return };
    let mut open = true;
    Window::new("Animations")
        .open(&mut open)
        .default_pos(viewport.left_top() + vec2(12.0, 12.0))
        .default_width(limit_width(280.0, viewport.width() - 24.0))
        .default_height((0.7 * viewport.height()).clamp(160.0, 480.0))
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            let search_field = search_field(ui, &mut state.search, "Search animations");
            if std::mem::take(&mut state.wants_focus) {
                search_field.request_focus();
            }
            if search_field.changed() {
                state.choice = RowChoice::default();
            }
            let search = Search::new(&state.search);
            // List the animations first, and the other variants after them.
            let mut all_variants: Vec<_> = clip.variants.iter().collect();
            all_variants.sort_by_key(|variants| variants.label != Variants::ANIMATION);
            let empty_text =
                if all_variants.is_empty() { "The file has one animation" } else { "No matches" };
            let rows = all_variants.into_iter().flat_map(|variants| build_rows(variants, &search));
            let rows: Vec<_> = rows.collect();
            let is_choice = |index: &usize| matches!(rows[*index], Row::Variant { .. });
            let choices: Vec<_> = (0..rows.len()).filter(is_choice).collect();
            let keys = state.choice.read_keys(ui, &search_field, &choices);
            if let Some(Row::Variant { variants, index }) = keys.entered.map(|row| &rows[row]) {
                model.send(model.choose_variant(variants.label, Some(&variants.names[*index])));
            }
            rows_ui(ui, model, &rows, empty_text, &state.choice, keys.moved_to);
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::ANIMATIONS)));
    }
}

enum Row<'a> {
    /// The label of the variants, and their number.
    Heading(String),
    /// A variant that the user can choose.
    Variant { variants: &'a Variants, index: usize },
}

fn build_rows<'a>(variants: &'a Variants, search: &Search) -> Vec<Row<'a>> {
    let found = (0..variants.names.len()).filter(|&index| search.matches(&variants.names[index]));
    let names: Vec<_> = found.map(|index| Row::Variant { variants, index }).collect();
    if names.is_empty() {
        return names;
    }
    let plural = if names.len() == 1 { "" } else { "s" };
    let heading = Row::Heading(format!(
        "{}{plural} ({})",
        variants.label,
        display_text::format_count(names.len())
    ));
    std::iter::once(heading).chain(names).collect()
}

fn rows_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    rows: &[Row<'_>],
    empty_text: &str,
    choice: &RowChoice,
    scrolls_to: Option<usize>,
) {
    if rows.is_empty() {
        let empty_text = dim_text(ui, empty_text);
        ui.label(empty_text);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().auto_shrink([false, true]);
    if let Some(row) = scrolls_to {
        let middle = 0.4 * ui.available_height();
        area = area.vertical_scroll_offset((row as f32 * ROW_HEIGHT - middle).max(0.0));
    }
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
        for index in range {
            match &rows[index] {
                Row::Heading(text) => heading(ui, text),
                Row::Variant { variants, index: variant } => {
                    variant_ui(ui, model, variants, *variant, choice.is_chosen(index));
                }
            }
        }
    });
}

fn variant_ui(ui: &mut Ui, model: &Model<'_>, variants: &Variants, index: usize, is_chosen: bool) {
    let name = &variants.names[index];
    let is_current = index == variants.current;
    let palette = Palette::for_visuals(ui.visuals());
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::Button, true, is_current, name.as_str()));
    let color = if is_current { palette.accent } else { palette.text };
    if is_current {
        ui.painter().rect_filled(rect, 3.0, palette.tint(palette.accent, 0.25));
    }
    if is_chosen || response.hovered() && !is_current {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let position = rect.left_center() + vec2(8.0, 0.0);
    painter.text(position, Align2::LEFT_CENTER, name, FontId::proportional(TEXT_SIZE), color);
    if response.clicked() && !is_current {
        model.send(model.choose_variant(variants.label, Some(name)));
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Event, Key};
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::session::FileCommand;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::{ReadOptions, decode};

    fn list() -> Harness<'static, PanelFixture<AnimationsState>> {
        let bytes = include_bytes!("../../assets/gltf/walker.glb");
        let clip = decode(bytes, &ReadOptions::default());
        let mut list =
            show(PanelFixture::with_clip(clip.unwrap()), [600.0, 400.0], |ui, model, state| {
                let viewport = ui.max_rect();
                animations_ui(ui, model, state, viewport);
            });
        list.run();
        list
    }

    #[test]
    fn click_opens_another_animation() {
        let mut list = list();
        list.get_by_label("Walk").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), [], "the animation is already open");
        list.get_by_label("Greet").click();
        list.run();
        let choice = choice(&mut list, "Greet");
        assert_eq!(list.state_mut().take_commands(), [choice]);
    }

    fn choice(list: &mut Harness<'_, PanelFixture<AnimationsState>>, name: &str) -> Command {
        let recording = list.state_mut().reference().entity;
        let (label, name) = (Variants::ANIMATION.to_owned(), Some(name.to_owned()));
        Command::File(FileCommand::ChooseVariant { recording, label, name })
    }

    #[test]
    fn typing_and_enter_choose_an_animation() {
        let mut list = list();
        list.state_mut().state.focus_search();
        list.run();
        list.event(Event::Text("e".to_owned()));
        list.run();
        list.key_press(Key::Enter);
        list.run();
        let greet = choice(&mut list, "Greet");
        assert_eq!(list.state_mut().take_commands(), [greet]);
        for _ in 0..3 {
            list.key_press(Key::Backspace);
        }
        list.key_press(Key::ArrowDown);
        list.run();
        list.key_press(Key::Enter);
        list.run();
        assert_eq!(list.state_mut().take_commands().len(), 1, "the field keeps the focus");
    }

    #[test]
    fn search_filters_the_list() {
        let mut list = list();
        let has = |list: &Harness<'_, _>, name| list.query_by_label(name).is_some();
        assert!(has(&list, "Animations (2)"));
        for (text, found) in [("gre", [false, true]), ("ete", [false, false])] {
            list.get_by_label("Search animations").click();
            list.event(Event::Text(text.to_owned()));
            list.run();
            assert_eq!([has(&list, "Walk"), has(&list, "Greet")], found, "{text}");
        }
        assert!(has(&list, "No matches"));
    }
}
