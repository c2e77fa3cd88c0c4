//! The files to step through: their names, how long they play, what they are.

use bevy_egui::egui::{
    Align2, FontId, Rect, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    Model,
    icons::Icon,
    style::{Palette, ROW_HEIGHT, TEXT_SIZE, small},
    widgets::action_icon,
    words,
};
use crate::{
    playback::Direction,
    viewer::{Command, Glance, Source},
};

/// The height of the line above the list.
const HEADING: f32 = 24.0;

/// So many rows are seen at first.
const ROWS_AT_FIRST: usize = 8;

/// What the list remembers from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct TakesState {
    /// The file that was open in the last frame, to scroll to what was opened elsewhere.
    open: Option<usize>,
}

/// Whether there is anything to choose from.
pub(super) fn is_of_use(model: &Model<'_>) -> bool {
    model.files.given.len() > 1
}

/// The height that the list has at first.
pub(super) fn default_height(model: &Model<'_>) -> f32 {
    HEADING + model.files.given.len().min(ROWS_AT_FIRST) as f32 * ROW_HEIGHT + 14.0
}

/// The list, over all the room that `ui` has.
pub(super) fn takes_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut TakesState,
    commands: &mut Vec<Command>,
) {
    let given = &model.files.given;
    let open = match &model.files.current {
        Some(Source::File(path)) => given.iter().position(|one| one == path),
        _ => None,
    };
    heading_ui(ui, model, open, commands);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("takes").auto_shrink(false);
    if open != state.open
        && let Some(row) = open
    {
        let room = ui.available_height();
        area = area.vertical_scroll_offset((row as f32 * ROW_HEIGHT - 0.4 * room).max(0.0));
    }
    state.open = open;
    let one_format = one_format(model);
    area.show_rows(ui, ROW_HEIGHT, given.len(), |ui, rows| {
        for row in rows {
            row_ui(ui, model, row, open == Some(row), one_format, commands);
        }
    });
}

/// How many there are, which of them is open, and the way to the next.
fn heading_ui(ui: &mut Ui, model: &Model<'_>, open: Option<usize>, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let count = model.files.given.len();
    ui.allocate_ui(vec2(ui.available_width(), HEADING), |ui| {
        ui.horizontal_centered(|ui| {
            let text = match open {
                Some(index) => {
                    format!("File {} of {}", words::count(index + 1), words::count(count))
                }
                None => words::counted(count, "file", "files"),
            };
            let text = bevy_egui::egui::RichText::new(text).font(small()).color(palette.dim);
            ui.label(text.strong());
            let right = bevy_egui::egui::Layout::right_to_left(bevy_egui::egui::Align::Center);
            ui.with_layout(right, |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                action_icon(
                    ui,
                    Icon::ChevronRight,
                    Command::StepFile(Direction::Forward),
                    commands,
                );
                action_icon(
                    ui,
                    Icon::ChevronLeft,
                    Command::StepFile(Direction::Backward),
                    commands,
                );
            });
        });
    });
}

fn row_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: usize,
    is_open: bool,
    one_format: bool,
    commands: &mut Vec<Command>,
) {
    let path = &model.files.given[row];
    let glance = model.files.glances.get(path);
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_open, name.as_ref())
    });
    let palette = Palette::of(ui.visuals());
    if is_open {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let is_broken = matches!(glance, Some(Glance::Broken(_)));
    let facts_color = if is_broken { palette.error } else { palette.dim };
    let right = pos2(rect.right() - 6.0, rect.center().y);
    let facts = facts(glance, one_format);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let facts = painter.text(right, Align2::RIGHT_CENTER, facts, small(), facts_color);
    let room = Rect::from_min_max(rect.min, pos2(facts.left() - 8.0, rect.bottom()));
    let color = if is_open { palette.accent } else { palette.text };
    let place = pos2(rect.left() + 6.0, rect.center().y);
    let font = FontId::proportional(TEXT_SIZE);
    painter.with_clip_rect(room.intersect(ui.clip_rect())).text(
        place,
        Align2::LEFT_CENTER,
        &name,
        font,
        color,
    );
    let response = response.on_hover_text(path.display().to_string());
    if response.clicked() && !is_open {
        commands.push(Command::OpenListed(row));
    }
}

/// What a row says on its right: `prime  2.2 s`.
fn facts(glance: Option<&Glance>, one_format: bool) -> String {
    match glance {
        None => "…".to_owned(),
        Some(Glance::Sound { duration, .. }) if one_format => words::duration(*duration),
        Some(Glance::Sound { format, duration }) => {
            format!("{format}   {}", words::duration(*duration))
        }
        Some(Glance::Broken(_)) => "cannot be read".to_owned(),
        Some(Glance::Unseen) => "large".to_owned(),
    }
}

/// Whether all files whose format is known are of the same.
fn one_format(model: &Model<'_>) -> bool {
    let mut formats = model.files.glances.values().filter_map(|glance| match glance {
        Glance::Sound { format, .. } => Some(format),
        Glance::Broken(_) | Glance::Unseen => None,
    });
    let first = formats.next();
    formats.all(|format| Some(format) == first)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::{
        formats::FormatId,
        ui::testing::{Desk, show},
    };

    fn list(formats: [FormatId; 2]) -> Harness<'static, Desk<TakesState>> {
        let mut desk = Desk::with_two_hands();
        let given = ["take 1.ANIM", "take 2.ANIM", "broken.ANIM"].map(PathBuf::from);
        let sound = |format, duration| Glance::Sound { format, duration };
        let glances = [
            sound(formats[0], 2.2),
            sound(formats[1], 12.0),
            Glance::Broken(Some(FormatId::Prime)),
        ];
        desk.files.glances = given.iter().cloned().zip(glances).collect();
        desk.files.current = Some(Source::File(given[1].clone()));
        desk.files.given = given.into();
        show(desk, [240.0, 200.0], takes_ui)
    }

    #[test]
    fn a_click_opens_a_file_and_the_one_that_is_open_stays() {
        let mut list = list([FormatId::Prime; 2]);
        assert!(list.query_by_label("File 2 of 3").is_some());
        list.get_by_label("take 2.ANIM").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), []);
        list.get_by_label("take 1.ANIM").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), [Command::OpenListed(0)]);
        list.get_by_label("Next file").click();
        list.run();
        let expected = Command::StepFile(Direction::Forward);
        assert_eq!(list.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn formats_are_told_where_they_differ() {
        let said = |formats: [FormatId; 2], row: usize| {
            let list = list(formats);
            let desk = list.state();
            let glance = desk.files.glances.get(&desk.files.given[row]);
            let is_one = formats[0] == formats[1];
            facts(glance, is_one)
        };
        assert_eq!(said([FormatId::Prime; 2], 0), "2.2 s");
        assert_eq!(said([FormatId::Prime, FormatId::Maya], 1), "maya   12 s");
        assert_eq!(said([FormatId::Prime; 2], 2), "cannot be read");
        assert_eq!(facts(None, true), "…");
    }
}
