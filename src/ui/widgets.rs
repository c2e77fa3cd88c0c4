//! Small widgets that several panels share.

use std::{collections::HashSet, hash::Hash};

use bevy_egui::egui::{
    self, Color32, FontId, FontSelection, Margin, Rect, Response, RichText, ScrollArea, Sense,
    TextEdit, TextWrapMode, Ui, Vec2, WidgetInfo, WidgetText, WidgetType, pos2,
};

use super::{
    CommandSender,
    icons::{self, Icon},
    shortcuts::keyboard_shortcut,
    style::{ICON_BUTTON, Palette, TEXT_SIZE, small_font},
};
use crate::session::{Action, Command};

pub(super) fn icon_button(ui: &mut Ui, icon: Icon, label: &str, size: Vec2) -> Response {
    tinted_icon_button(ui, icon, label, size, None)
}

pub(super) fn tinted_icon_button(
    ui: &mut Ui,
    icon: Icon,
    label: &str,
    size: Vec2,
    color: Option<Color32>,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), label));
    if ui.is_rect_visible(rect) {
        let look = *ui.style().interact(&response);
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, look.corner_radius, look.weak_bg_fill);
        }
        let color = color.unwrap_or_else(|| look.text_color());
        icons::paint(ui.painter(), rect, icon, color);
    }
    response
}

pub(super) fn action_icon_button(
    ui: &mut Ui,
    icon: Icon,
    command: Command,
    commands: &CommandSender,
) {
    let name = Action::for_command(&command).map_or("", |action| action.name);
    let response = icon_button(ui, icon, name, ICON_BUTTON);
    if with_action_tooltip(response, &command).clicked() {
        commands.send(command);
    }
}

pub(super) fn with_action_tooltip(response: Response, command: &Command) -> Response {
    let Some(action) = Action::for_command(command) else { return response };
    response.on_hover_ui(|ui| action_tooltip_ui(ui, action))
}

fn action_tooltip_ui(ui: &mut Ui, action: &Action) {
    let palette = Palette::for_visuals(ui.visuals());
    ui.horizontal(|ui| {
        ui.label(action.name);
        let keys = keys_text(ui.ctx(), action);
        ui.label(RichText::new(keys).font(FontId::monospace(11.0)).color(palette.dim));
    });
    if !action.help.is_empty() {
        ui.label(RichText::new(action.help).color(palette.dim));
    }
}

pub(super) fn keys_text(ctx: &egui::Context, action: &Action) -> String {
    let text = |keys: egui::KeyboardShortcut| {
        let pressed = ctx.format_shortcut(&keys);
        // egui names these keys by words, but users know them by their characters.
        match keys.logical_key {
            egui::Key::OpenBracket => pressed.replace("OpenBracket", "["),
            egui::Key::CloseBracket => pressed.replace("CloseBracket", "]"),
            _ => pressed,
        }
    };
    action.keys.iter().filter_map(keyboard_shortcut).map(text).collect::<Vec<_>>().join(" or ")
}

pub(super) fn paint_truncated_name(ui: &Ui, room: Rect, name: &str, color: Color32) -> bool {
    let font = FontId::proportional(TEXT_SIZE);
    let text = WidgetText::from(RichText::new(name).font(font).color(color));
    let wrap = Some(TextWrapMode::Truncate);
    let galley = text.into_galley(ui, wrap, room.width().max(0.0), FontSelection::Default);
    let position = pos2(room.left(), room.center().y - 0.5 * galley.size().y);
    let is_elided = galley.elided;
    ui.painter().galley(position, galley, color);
    is_elided
}

pub(super) fn toggle_in_set<T: Eq + Hash>(set: &mut HashSet<T>, item: T) {
    if !set.remove(&item) {
        set.insert(item);
    }
}

pub(super) fn limit_width(width: f32, room: f32) -> f32 {
    width.min(room).max(0.0)
}

/// Shows a field for a search. It keeps the keyboard focus when the user presses Enter, so that
/// Enter can open several results one after the other.
pub(super) fn search_field(ui: &mut Ui, search: &mut String, label: &str) -> Response {
    let edit = TextEdit::singleline(search).hint_text("Search").desired_width(f32::INFINITY);
    let field = ui.add(edit.margin(Margin::symmetric(6, 3)).return_key(None));
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, label));
    field
}

pub(super) fn heading(ui: &mut Ui, text: &str) {
    let palette = Palette::for_visuals(ui.visuals());
    ui.add_space(6.0);
    ui.label(RichText::new(text).font(small_font()).color(palette.dim).strong());
}

pub(super) fn table(id: &str, columns: usize) -> egui::Grid {
    egui::Grid::new(id).num_columns(columns).spacing([10.0, 2.0]).min_row_height(17.0)
}

pub(super) fn row_list(
    ui: &mut Ui,
    height: f32,
    count: usize,
    mut row: impl FnMut(&mut Ui, usize),
) {
    if count == 0 {
        let empty_text = dim_text(ui, "No matches");
        ui.label(empty_text);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().auto_shrink([false, true]);
    area.show_rows(ui, height, count, |ui, range| range.for_each(|index| row(ui, index)));
}

pub(super) fn dim_text(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).color(Palette::for_visuals(ui.visuals()).dim)
}

pub(super) fn copyable_value(ui: &mut Ui, shown: &str, exact: impl FnOnce() -> String) -> Response {
    let text = RichText::new(shown).font(FontId::monospace(12.0));
    let label = egui::Label::new(text).sense(Sense::click()).extend();
    let response = ui.add(label).on_hover_text("Click to copy");
    if response.clicked() {
        ui.ctx().copy_text(exact());
    }
    response
}

pub(super) fn chip(ui: &mut Ui, text: impl Into<String>, color: Color32) -> Response {
    egui::Frame::new()
        .stroke(egui::Stroke::new(1.0, Palette::for_visuals(ui.visuals()).line))
        .corner_radius(3)
        .inner_margin(egui::Margin::symmetric(5, 0))
        .show(ui, |ui| ui.label(RichText::new(text).font(small_font()).color(color)))
        .response
}
