//! The files to step through: their names, how long they play, what they are, and their quality.

mod quality;
mod sort;

use bevy_egui::egui::{
    Align2, Painter, Pos2, Rect, ScrollArea, Sense, Stroke, Ui, Vec2, WidgetInfo, WidgetType, pos2,
    vec2,
};

use super::{
    Model,
    icons::{self, Icon},
    style::{Palette, small},
    top_bar::severity_icon,
    widgets::{action_icon, name_within},
    words,
};
use crate::session::{
    Command, Compare, FileCommand, FilePreview, FileSort, RecordingPreview, Source,
};
use mutoscope_core::{
    diagnostics::Severity, measure::compare::CompareOptions, playback::Direction,
};

/// The height of the line above the list.
const HEADING: f32 = 24.0;

/// The height of a row: a thumbnail, and three lines to its right.
const ROW: f32 = 54.0;

/// The size of the thumbnail.
const THUMBNAIL: Vec2 = vec2(54.0, 40.0);

/// This many rows are seen at first.
const ROWS_AT_FIRST: usize = 4;

/// The severities that are counted for a file.
const DOUBTS: [Severity; 2] = [Severity::Error, Severity::Warning];

/// The state of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct FileListState {
    /// The file that was open in the last frame, to scroll to what was opened elsewhere.
    open: Option<usize>,
    /// The order of the files, and what it was computed from.
    order: Vec<usize>,
    ordered: Option<Ordered>,
}

/// The inputs of an order of files: how it is sorted, and how many files and previews there are.
type Ordered = (FileSort, usize, u64);

/// Whether there is anything to choose from.
pub(super) fn is_of_use(model: &Model<'_>) -> bool {
    model.files.given.len() > 1
}

/// The height that the list has at first.
pub(super) fn default_height(model: &Model<'_>) -> f32 {
    HEADING + model.files.given.len().min(ROWS_AT_FIRST) as f32 * ROW + 14.0
}

/// The list, over all the room that `ui` has.
pub(super) fn file_list_ui(ui: &mut Ui, model: &Model<'_>, state: &mut FileListState) {
    let given = &model.files.given;
    let open = match &model.files.current {
        Some(Source::File(path)) => given.iter().position(|one| one == path),
        _ => None,
    };
    let is_sorted_anew = state.sort(model);
    let open_row = open.and_then(|open| state.order.iter().position(|index| *index == open));
    heading_ui(ui, model, open_row);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("takes").auto_shrink(false);
    if is_sorted_anew {
        area = area.vertical_scroll_offset(0.0);
    } else if open != state.open
        && let Some(row) = open_row
    {
        let room = ui.available_height();
        area = area.vertical_scroll_offset((row as f32 * ROW - 0.4 * room).max(0.0));
    }
    state.open = open;
    let one_format = one_format(model);
    area.show_rows(ui, ROW, given.len(), |ui, rows| {
        for index in &state.order[rows] {
            row_ui(ui, model, *index, open == Some(*index), one_format);
        }
    });
}

impl FileListState {
    /// Sorts the files if anything about that has changed; returns whether it is by something else than before.
    fn sort(&mut self, model: &Model<'_>) -> bool {
        let files = model.files;
        let ordered = Some((files.sort, files.given.len(), files.noted));
        if self.ordered == ordered {
            return false;
        }
        let is_anew = self.ordered.is_some_and(|(sort, ..)| sort != files.sort);
        (self.order, self.ordered) = (files.order(), ordered);
        is_anew
    }
}

/// How many there are, which of them is open, and the way to the next.
fn heading_ui(ui: &mut Ui, model: &Model<'_>, open: Option<usize>) {
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
                    Command::File(FileCommand::Step(Direction::Forward)),
                    model.commands,
                );
                action_icon(
                    ui,
                    Icon::ChevronLeft,
                    Command::File(FileCommand::Step(Direction::Backward)),
                    model.commands,
                );
                ui.add_space(4.0);
                sort::sort_ui(ui, model);
            });
        });
    });
}

fn row_ui(ui: &mut Ui, model: &Model<'_>, index: usize, is_open: bool, one_format: bool) {
    let path = &model.files.given[index];
    let glance = model.files.previews.get(path);
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_open, name.as_ref())
    });
    let palette = Palette::of(ui.visuals());
    if is_open {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let inside = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let thumbnail = Rect::from_min_size(rect.min + vec2(3.0, 7.0), THUMBNAIL);
    thumbnail_ui(ui, &inside, glance, thumbnail, response.hovered());
    let left = thumbnail.right() + 8.0;
    let color = if is_open { palette.accent } else { palette.text };
    let middle = rect.center().y - 16.0;
    let room = Rect::from_x_y_ranges(left..=rect.right() - 4.0, middle - 8.0..=middle + 8.0);
    name_within(ui, room, &name, color);
    let is_broken = matches!(glance, Some(FilePreview::Unreadable(_)));
    let color = if is_broken { palette.error } else { palette.dim };
    let place = pos2(left, rect.center().y + 1.0);
    let facts = inside.text(place, Align2::LEFT_CENTER, facts(glance, one_format), small(), color);
    if let Some(FilePreview::Recording(seen)) = glance {
        doubts_ui(&inside, palette, seen, facts.right_center());
        let place = pos2(left, rect.center().y + 16.0);
        quality::glance_ui(&inside, palette, (&seen.quality, model.files.sort.by), place);
    }
    let is_it = |source: &Source| *source == Source::File(path.clone());
    if let Some(index) = model.files.compared.iter().position(is_it) {
        let mark = rect.with_min_x(rect.right() - 3.0);
        inside.rect_filled(mark, 0.0, palette.recording(index + 1));
    }
    let response = response.on_hover_ui(|ui| {
        ui.label(path.display().to_string());
        if let Some(FilePreview::Recording(seen)) = glance {
            quality::whole_ui(ui, &seen.quality);
        }
        ui.label("Shift+click: compare it with the open recording");
    });
    if !response.clicked() {
        return;
    }
    if ui.input(|input| input.modifiers.shift) {
        let source = Source::File(path.clone());
        model.send(Command::Compare(Compare::With(source, CompareOptions::default())));
    } else if !is_open {
        model.send(Command::File(FileCommand::OpenListed(index)));
    }
}

/// The thumbnail of a file; it moves while the pointer is over it.
fn thumbnail_ui(
    ui: &Ui,
    painter: &Painter,
    glance: Option<&FilePreview>,
    place: Rect,
    is_hovered: bool,
) {
    let palette = Palette::of(ui.visuals());
    painter.rect_filled(place, 3.0, palette.background);
    let Some(FilePreview::Recording(RecordingPreview { thumbnail, duration, .. })) = glance else {
        return;
    };
    let mut strokes = &thumbnail.still;
    if is_hovered && !thumbnail.frames.is_empty() {
        let part = (ui.ctx().time() / duration.clamp(0.5, 4.0)).fract();
        let frame = (part * thumbnail.frames.len() as f64) as usize;
        strokes = &thumbnail.frames[frame.min(thumbnail.frames.len() - 1)];
        ui.ctx().request_repaint_after_secs(0.05);
    }
    let square = Rect::from_center_size(place.center(), Vec2::splat(place.height() - 8.0));
    for stroke in strokes.iter() {
        let ends = stroke.ends.map(|[x, y]| square.min + square.size() * vec2(x, y));
        let color = palette.side(stroke.side);
        if ends[0] == ends[1] {
            painter.circle_filled(ends[0], 1.2, color);
        } else {
            painter.line_segment(ends, Stroke::new(1.2, color));
        }
    }
}

/// The number of errors and warnings of a file, after its other facts.
fn doubts_ui(painter: &Painter, palette: &Palette, seen: &RecordingPreview, mut place: Pos2) {
    for (count, severity) in seen.errors_and_warnings.into_iter().zip(DOUBTS) {
        if count > 0 {
            let color = palette.severity(severity);
            let icon = Rect::from_center_size(place + vec2(14.0, 0.0), Vec2::splat(14.0));
            icons::paint(painter, icon, severity_icon(severity), color);
            let place_of_count = icon.right_center() + vec2(2.0, 0.0);
            let count = words::count(count);
            let text = painter.text(place_of_count, Align2::LEFT_CENTER, count, small(), color);
            place = text.right_center();
        }
    }
}

/// The facts below a file's name: `prime · 2.2 s · 34 curves`.
fn facts(glance: Option<&FilePreview>, one_format: bool) -> String {
    match glance {
        None => "…".to_owned(),
        Some(FilePreview::Recording(RecordingPreview { format, duration, tracks, .. })) => {
            let duration = words::duration(*duration);
            let tracks = words::counted(*tracks, "curve", "curves");
            match one_format {
                true => format!("{duration} · {tracks}"),
                false => format!("{format} · {duration} · {tracks}"),
            }
        }
        Some(FilePreview::Unreadable(_)) => "cannot be read".to_owned(),
        Some(FilePreview::TooLarge) => "too large for a preview".to_owned(),
    }
}

/// Whether all files whose format is known are of the same.
fn one_format(model: &Model<'_>) -> bool {
    let mut formats = model.files.previews.values().filter_map(|glance| match glance {
        FilePreview::Recording(seen) => Some(seen.format),
        FilePreview::Unreadable(_) | FilePreview::TooLarge => None,
    });
    let first = formats.next();
    formats.all(|format| Some(format) == first)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use bevy_egui::egui::Modifiers;
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::{
        session::{FileOrder, Thumbnail},
        ui::testing::{Desk, show},
    };
    use mutoscope_core::formats::FormatId;
    use mutoscope_study::Quality;

    fn list(formats: [FormatId; 2]) -> Harness<'static, Desk<FileListState>> {
        let mut desk = Desk::with_two_hands();
        let given = ["take 1.ANIM", "take 2.ANIM", "broken.ANIM"].map(PathBuf::from);
        let sound = |format, duration| {
            let (tracks, errors_and_warnings, thumbnail) = (34, [0, 1], Thumbnail::default());
            let quality = Quality { loss: Some(1.0 / duration), ..Quality::default() };
            FilePreview::Recording(RecordingPreview {
                format,
                duration,
                tracks,
                errors_and_warnings,
                quality,
                thumbnail,
            })
        };
        let previews = [
            sound(formats[0], 2.2),
            sound(formats[1], 12.0),
            FilePreview::Unreadable(Some(FormatId::PRIME)),
        ];
        desk.files.previews = given.iter().cloned().zip(previews).collect();
        desk.files.current = Some(Source::File(given[1].clone()));
        desk.files.given = given.into();
        show(desk, [240.0, 200.0], file_list_ui)
    }

    #[test]
    fn click_opens_another_file() {
        let mut list = list([FormatId::PRIME; 2]);
        assert!(list.query_by_label("File 2 of 3").is_some());
        list.get_by_label("take 2.ANIM").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), []);
        list.get_by_label("take 1.ANIM").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), [Command::File(FileCommand::OpenListed(0))]);
        list.get_by_label("Next file").click();
        list.run();
        let expected = Command::File(FileCommand::Step(Direction::Forward));
        assert_eq!(list.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn shift_click_compares() {
        let mut list = list([FormatId::PRIME; 2]);
        list.get_by_label("take 1.ANIM").click_modifiers(Modifiers::SHIFT);
        list.run();
        let source = Source::File("take 1.ANIM".into());
        let expected = Command::Compare(Compare::With(source, CompareOptions::default()));
        assert_eq!(list.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn files_are_sorted_from_the_menu_and_the_place_of_the_open_one_follows() {
        let mut list = list([FormatId::PRIME; 2]);
        list.get_by_label("Sort: as opened").click();
        list.run();
        list.get_by_label("Loss").click();
        list.run();
        let by_loss = FileSort { by: FileOrder::Loss, reversed: false };
        let sorted = |sort| [Command::File(FileCommand::Sort(sort))];
        assert_eq!(list.state_mut().take_commands(), sorted(by_loss));
        list.state_mut().files.sort = FileSort { reversed: true, ..by_loss };
        list.run();
        list.get_by_label("File 1 of 3");
        let top = |name: &str| list.get_by_label(name).rect().top();
        assert!(top("take 2.ANIM") < top("take 1.ANIM"), "a twelfth is lost, then half");
        assert!(top("take 1.ANIM") < top("broken.ANIM"), "of which nothing is known");
        list.get_by_label("Largest first").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), sorted(by_loss));
    }

    #[test]
    fn formats_are_shown_where_they_differ() {
        let said = |formats: [FormatId; 2], row: usize| {
            let list = list(formats);
            let desk = list.state();
            let glance = desk.files.previews.get(&desk.files.given[row]);
            let is_one = formats[0] == formats[1];
            facts(glance, is_one)
        };
        assert_eq!(said([FormatId::PRIME; 2], 0), "2.2 s · 34 curves");
        assert_eq!(said([FormatId::PRIME, FormatId::MAYA], 1), "maya · 12 s · 34 curves");
        assert_eq!(said([FormatId::PRIME; 2], 2), "cannot be read");
        assert_eq!(facts(None, true), "…");
    }
}
