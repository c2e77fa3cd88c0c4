//! The list of files to step through, with their names, durations, contents and quality.

mod quality;
mod sheet;
mod sort;

pub(super) use self::sheet::contact_sheet_ui;

use std::{borrow::Cow, path::Path};

use bevy_egui::egui::{
    Align2, Painter, Pos2, Rect, RectAlign, ScrollArea, Sense, Stroke, TextEdit, Tooltip, Ui, Vec2,
    WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    Model, display_text,
    icons::{self, Icon},
    search::{Search, read_row_keys},
    style::{Palette, small_font},
    top_bar::severity_icon,
    verdict::{outcome_color, outcome_name, reason_text},
    widgets::{action_icon_button, paint_truncated_name},
};
use crate::session::{
    Command, CompareCommand, FileCommand, FilePreview, FileSort, Panel, PanelCommand,
    RecordingPreview, Source,
};
use mutoscope_core::{
    diagnostics::Severity, measure::compare::CompareOptions, playback::Direction,
};
use mutoscope_study::verdict::Verdict;

const HEADING_HEIGHT: f32 = 24.0;

const ROW_HEIGHT: f32 = 54.0;

const THUMBNAIL_SIZE: Vec2 = vec2(54.0, 40.0);

const DEFAULT_ROWS: usize = 4;

const COUNTED_SEVERITIES: [Severity; 2] = [Severity::Error, Severity::Warning];

#[derive(Clone, Debug, Default)]
pub(super) struct FileListState {
    open: Option<usize>,
    filter: String,
    /// The indices of the shown files.
    order: Vec<usize>,
    order_inputs: Option<OrderInputs>,
    /// The indices of the shown files that can be opened, as far as is known.
    readable: Vec<usize>,
    /// `true` if the user clicked the list last, so that the arrow keys step through it.
    has_arrow_keys: bool,
}

/// The values on which the order depends: the sort setting, the number of files, the number of
/// previews, and the filter.
type OrderInputs = (FileSort, usize, u64, String);

/// The number of files from which the list can be filtered.
const MIN_FILTERED_FILES: usize = 5;

pub(super) fn has_several_files(model: &Model<'_>) -> bool {
    model.files.listed.len() > 1
}

pub(super) fn default_height(model: &Model<'_>) -> f32 {
    HEADING_HEIGHT + model.files.listed.len().min(DEFAULT_ROWS) as f32 * ROW_HEIGHT + 14.0
}

pub(super) fn file_list_ui(ui: &mut Ui, model: &Model<'_>, state: &mut FileListState) {
    let listed = &model.files.listed;
    let open = match model.reference_source() {
        Some(Source::File(path)) => listed.iter().position(|listed| listed == path),
        _ => None,
    };
    let before = state.open;
    let sort_changed = state.sort(model);
    let open_row = open.and_then(|open| state.order.iter().position(|index| *index == open));
    state.open = open;
    heading_ui(ui, model, open_row);
    let list_rect = ui.available_rect_before_wrap();
    if ui.input(|input| input.pointer.any_pressed()) {
        state.has_arrow_keys = ui.rect_contains_pointer(list_rect);
    }
    if listed.len() >= MIN_FILTERED_FILES {
        filter_ui(ui, model, state);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("takes").auto_shrink(false);
    if sort_changed {
        area = area.vertical_scroll_offset(0.0);
    } else if open != before
        && let Some(row) = open_row
    {
        let room = ui.available_height();
        area = area.vertical_scroll_offset((row as f32 * ROW_HEIGHT - 0.4 * room).max(0.0));
    }
    let has_one_format = has_one_format(model);
    area.show_rows(ui, ROW_HEIGHT, state.order.len(), |ui, rows| {
        for index in &state.order[rows] {
            row_ui(ui, model, *index, open == Some(*index), has_one_format);
        }
    });
}

fn filter_ui(ui: &mut Ui, model: &Model<'_>, state: &mut FileListState) {
    let name = "Filter by name";
    ui.horizontal(|ui| {
        let field = TextEdit::singleline(&mut state.filter).hint_text(name).font(small_font());
        let response = ui.add(field.desired_width(ui.available_width() - 40.0));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, name));
        if response.has_focus() {
            let direction = match read_row_keys(ui, 2).signum() {
                1 => Some(Direction::Forward),
                -1 => Some(Direction::Backward),
                _ => None,
            };
            model.send_all(direction.and_then(|direction| state.step(direction)));
        }
        let sheet = Command::Panel(PanelCommand::Toggle(Panel::CONTACT_SHEET));
        action_icon_button(ui, Icon::Tiles, sheet, model.commands);
    });
}

impl FileListState {
    fn sort(&mut self, model: &Model<'_>) -> bool {
        let files = model.files;
        let order_inputs =
            (files.sort, files.listed.len(), files.preview_count, self.filter.clone());
        if self.order_inputs.as_ref() == Some(&order_inputs) {
            return false;
        }
        let sort_changed = self
            .order_inputs
            .as_ref()
            .is_some_and(|(sort, .., filter)| (*sort, filter) != (files.sort, &self.filter));
        self.order = files.sorted_indices();
        let filter = Search::new(&self.filter);
        self.order.retain(|index| filter.matches(&display_name(&files.listed[*index])));
        let is_readable = |index: &usize| {
            let preview = files.previews.get(&files.listed[*index]);
            !matches!(preview, Some(FilePreview::Unreadable(_)))
        };
        self.readable = self.order.iter().copied().filter(is_readable).collect();
        self.order_inputs = Some(order_inputs);
        sort_changed
    }

    /// Returns `true` if the user clicked the list last, so that the arrow keys step through it.
    pub(super) fn has_arrow_keys(&self) -> bool {
        self.has_arrow_keys
    }

    /// Stops the arrow keys from stepping through the list, because it is not shown.
    pub(super) fn release_arrow_keys(&mut self) {
        self.has_arrow_keys = false;
    }

    /// Returns the command that opens the next or previous shown file. Returns `None` at the ends.
    pub(super) fn step(&self, direction: Direction) -> Option<Command> {
        let open = self.open.and_then(|open| self.readable.iter().position(|file| *file == open));
        let next = match (open, direction) {
            (None, _) => 0,
            (Some(open), Direction::Forward) => open + 1,
            (Some(open), Direction::Backward) => open.checked_sub(1)?,
        };
        Some(Command::File(FileCommand::OpenListed(*self.readable.get(next)?)))
    }
}

fn heading_ui(ui: &mut Ui, model: &Model<'_>, open: Option<usize>) {
    let palette = Palette::for_visuals(ui.visuals());
    let count = model.files.listed.len();
    ui.allocate_ui(vec2(ui.available_width(), HEADING_HEIGHT), |ui| {
        ui.horizontal_centered(|ui| {
            let text = match open {
                Some(index) => {
                    format!(
                        "{} of {}",
                        display_text::format_count(index + 1),
                        display_text::format_count(count)
                    )
                }
                None => display_text::format_counted(count, "file", "files"),
            };
            let text = bevy_egui::egui::RichText::new(text).font(small_font()).color(palette.dim);
            ui.label(text.strong());
            let right = bevy_egui::egui::Layout::right_to_left(bevy_egui::egui::Align::Center);
            ui.with_layout(right, |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                action_icon_button(
                    ui,
                    Icon::ChevronRight,
                    Command::File(FileCommand::Step(Direction::Forward)),
                    model.commands,
                );
                action_icon_button(
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

fn row_ui(ui: &mut Ui, model: &Model<'_>, index: usize, is_open: bool, has_one_format: bool) {
    let path = &model.files.listed[index];
    let preview = model.files.previews.get(path);
    let name = display_name(path);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_open, &*name));
    let palette = Palette::for_visuals(ui.visuals());
    if is_open {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let inside = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let thumbnail = Rect::from_min_size(rect.min + vec2(3.0, 7.0), THUMBNAIL_SIZE);
    thumbnail_ui(ui, &inside, preview, thumbnail, response.hovered());
    let left = thumbnail.right() + 8.0;
    let color = if is_open { palette.accent } else { palette.text };
    let middle = rect.center().y - 16.0;
    let mut right = rect.right() - 4.0;
    let verdict = verdict_on(model, path, preview);
    if let Some(Verdict { outcome, .. }) = verdict {
        let position = pos2(right, middle);
        let color = outcome_color(palette, *outcome);
        let name = outcome_name(*outcome);
        right = inside.text(position, Align2::RIGHT_CENTER, name, small_font(), color).left() - 6.0;
    }
    let room = Rect::from_x_y_ranges(left..=right, middle - 8.0..=middle + 8.0);
    paint_truncated_name(ui, room, &name, color);
    let is_broken = matches!(preview, Some(FilePreview::Unreadable(_)));
    let color = if is_broken { palette.error } else { palette.dim };
    let position = pos2(left, rect.center().y + 1.0);
    let facts = inside.text(
        position,
        Align2::LEFT_CENTER,
        describe_preview(preview, has_one_format),
        small_font(),
        color,
    );
    if let Some(FilePreview::Recording(recording)) = preview {
        severity_counts_ui(&inside, palette, recording, facts.right_center());
        let position = pos2(left, rect.center().y + 16.0);
        quality::summary_ui(&inside, palette, &recording.quality, model.files.sort.by, position);
    }
    let mut compared = model.recordings.iter().skip(1);
    if let Some(open) = compared.find(|open| *open.source == Source::File(path.clone())) {
        let mark = rect.with_min_x(rect.right() - 3.0);
        inside.rect_filled(mark, 0.0, palette.recording_color(open.index));
    }
    // Show the tooltip to the right of the list. Below the row, it would cover the next files.
    let mut tooltip = Tooltip::for_enabled(&response);
    tooltip.popup = tooltip.popup.align(RectAlign::RIGHT_START);
    tooltip.show(|ui| {
        ui.label(path.display().to_string());
        for reason in verdict.iter().flat_map(|verdict| &verdict.reasons) {
            ui.label(reason_text(reason));
        }
        if let Some(FilePreview::Recording(recording)) = preview {
            quality::table_ui(ui, &recording.quality);
        }
        ui.label("Shift+click compares it with the open recording");
    });
    if !response.clicked() {
        return;
    }
    if ui.input(|input| input.modifiers.shift) {
        let source = Source::File(path.clone());
        model.send(Command::Compare(CompareCommand::Add(source, CompareOptions::default())));
    } else if !is_open {
        model.send(Command::File(FileCommand::OpenListed(index)));
    }
}

/// Returns the verdict on a listed file. The verdict on an open recording follows its muted checks.
fn verdict_on<'a>(
    model: &Model<'a>,
    path: &Path,
    preview: Option<&'a FilePreview>,
) -> Option<&'a Verdict> {
    let open = model
        .recordings
        .iter()
        .find(|open| matches!(open.source, Source::File(open) if open == path));
    open.and_then(|open| open.diagnostics.verdict()).or(match preview {
        Some(FilePreview::Recording(recording)) => Some(&recording.verdict),
        _ => None,
    })
}

fn thumbnail_ui(
    ui: &Ui,
    painter: &Painter,
    preview: Option<&FilePreview>,
    rect: Rect,
    is_hovered: bool,
) {
    let palette = Palette::for_visuals(ui.visuals());
    painter.rect_filled(rect, 3.0, palette.background);
    let Some(FilePreview::Recording(RecordingPreview { thumbnail, duration, .. })) = preview else {
        return;
    };
    let mut strokes = &thumbnail.still;
    if is_hovered && !thumbnail.frames.is_empty() {
        let part = (ui.ctx().time() / duration.clamp(0.5, 4.0)).fract();
        let frame = (part * thumbnail.frames.len() as f64) as usize;
        strokes = &thumbnail.frames[frame.min(thumbnail.frames.len() - 1)];
        ui.ctx().request_repaint_after_secs(0.05);
    }
    let square = Rect::from_center_size(rect.center(), Vec2::splat(rect.height() - 8.0));
    for stroke in strokes.iter() {
        let ends = stroke.ends.map(|[x, y]| square.min + square.size() * vec2(x, y));
        let color = palette.side_color(stroke.side);
        if ends[0] == ends[1] {
            painter.circle_filled(ends[0], 1.2, color);
        } else {
            painter.line_segment(ends, Stroke::new(1.2, color));
        }
    }
}

fn severity_counts_ui(
    painter: &Painter,
    palette: &Palette,
    recording: &RecordingPreview,
    mut position: Pos2,
) {
    for (count, severity) in recording.errors_and_warnings.into_iter().zip(COUNTED_SEVERITIES) {
        if count > 0 {
            let color = palette.severity_color(severity);
            let icon = Rect::from_center_size(position + vec2(14.0, 0.0), Vec2::splat(14.0));
            icons::paint(painter, icon, severity_icon(severity), color);
            let count_position = icon.right_center() + vec2(2.0, 0.0);
            let count = display_text::format_count(count);
            let text =
                painter.text(count_position, Align2::LEFT_CENTER, count, small_font(), color);
            position = text.right_center();
        }
    }
}

fn describe_preview(preview: Option<&FilePreview>, has_one_format: bool) -> String {
    match preview {
        None => "…".to_owned(),
        Some(FilePreview::Recording(RecordingPreview { format, duration, tracks, .. })) => {
            let duration = display_text::format_duration(*duration);
            let tracks = display_text::format_counted(*tracks, "curve", "curves");
            match has_one_format {
                true => format!("{duration} · {tracks}"),
                false => format!("{format} · {duration} · {tracks}"),
            }
        }
        Some(FilePreview::Unreadable(_)) => "cannot be read".to_owned(),
        Some(FilePreview::TooLarge) => "too large for a preview".to_owned(),
    }
}

fn display_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()
}

fn has_one_format(model: &Model<'_>) -> bool {
    let mut formats = model.files.previews.values().filter_map(|preview| match preview {
        FilePreview::Recording(recording) => Some(recording.format),
        FilePreview::Unreadable(_) | FilePreview::TooLarge => None,
    });
    let first = formats.next();
    formats.all(|format| Some(format) == first)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use bevy_egui::egui::{Event, Modifiers};
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::{
        session::{FileOrder, Thumbnail},
        ui::testing::{PanelFixture, show},
    };
    use mutoscope_core::formats::FormatId;
    use mutoscope_study::{Quality, verdict::Verdict};

    fn list(formats: [FormatId; 2]) -> Harness<'static, PanelFixture<FileListState>> {
        let mut fixture = PanelFixture::with_two_hands();
        let given = ["take 1.ANIM", "take 2.ANIM", "broken.ANIM"].map(PathBuf::from);
        let readable = |format, duration| {
            let (tracks, errors_and_warnings, thumbnail) = (34, [0, 1], Thumbnail::default());
            let quality = Quality { loss: Some(1.0 / duration), ..Quality::default() };
            FilePreview::Recording(RecordingPreview {
                format,
                duration,
                tracks,
                size: 1 << 20,
                modified: None,
                errors_and_warnings,
                quality,
                verdict: Verdict::default(),
                thumbnail,
            })
        };
        let previews = [
            readable(formats[0], 2.2),
            readable(formats[1], 12.0),
            FilePreview::Unreadable(Some(FormatId::PRIME)),
        ];
        fixture.files.previews = given.iter().cloned().zip(previews).collect();
        fixture.reference().source = Source::File(given[1].clone());
        fixture.files.listed = given.into();
        show(fixture, [240.0, 200.0], file_list_ui)
    }

    #[test]
    fn click_opens_another_file() {
        let mut list = list([FormatId::PRIME; 2]);
        assert!(list.query_by_label("2 of 3").is_some());
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
    fn arrow_keys_step_through_readable_files() {
        let mut list = list([FormatId::PRIME; 2]);
        assert!(!list.state().state.has_arrow_keys());
        list.get_by_label("take 2.ANIM").click();
        list.run();
        let state = &list.state().state;
        assert!(state.has_arrow_keys(), "the user clicked the list");
        let open = |index| Some(Command::File(FileCommand::OpenListed(index)));
        assert_eq!(state.step(Direction::Backward), open(0));
        assert_eq!(state.step(Direction::Forward), None, "the last file is broken");
    }

    #[test]
    fn shift_click_compares() {
        let mut list = list([FormatId::PRIME; 2]);
        list.get_by_label("take 1.ANIM").click_modifiers(Modifiers::SHIFT);
        list.run();
        let source = Source::File("take 1.ANIM".into());
        let expected = Command::Compare(CompareCommand::Add(source, CompareOptions::default()));
        assert_eq!(list.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn sorting_updates_the_position_of_the_open_file() {
        let mut list = list([FormatId::PRIME; 2]);
        list.get_by_label("Sort: as opened").click();
        list.run();
        list.get_by_label("Lost tracking").click();
        list.run();
        let by_loss = FileSort { by: FileOrder::Loss, reversed: false };
        let sorted = |sort| [Command::File(FileCommand::Sort(sort))];
        assert_eq!(list.state_mut().take_commands(), sorted(by_loss));
        list.state_mut().files.sort = FileSort { reversed: true, ..by_loss };
        list.run();
        list.get_by_label("1 of 3");
        let top = |name: &str| list.get_by_label(name).rect().top();
        assert!(top("take 2.ANIM") < top("take 1.ANIM"), "the loss is 1/12 and 1/2");
        assert!(top("take 1.ANIM") < top("broken.ANIM"), "unreadable files come last");
        list.get_by_label("Largest first").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), sorted(by_loss));
    }

    #[test]
    fn filter_shows_matching_names() {
        let mut list = list([FormatId::PRIME; 2]);
        assert!(list.query_by_label("Filter by name").is_none(), "three files need no filter");
        list.state_mut().files.listed.extend(["walk.ANIM", "Walk back.ANIM"].map(PathBuf::from));
        list.run();
        list.get_by_label("Filter by name").click();
        list.event(Event::Text("walk".to_owned()));
        list.run();
        let is_shown = |name| list.query_by_label(name).is_some();
        assert!(is_shown("walk.ANIM") && is_shown("Walk back.ANIM") && !is_shown("take 1.ANIM"));
    }

    #[test]
    fn formats_are_shown_only_if_they_differ() {
        let describe_row = |formats: [FormatId; 2], row: usize| {
            let list = list(formats);
            let fixture = list.state();
            let preview = fixture.files.previews.get(&fixture.files.listed[row]);
            let is_same_format = formats[0] == formats[1];
            describe_preview(preview, is_same_format)
        };
        assert_eq!(describe_row([FormatId::PRIME; 2], 0), "2.2 s · 34 curves");
        assert_eq!(describe_row([FormatId::PRIME, FormatId::MAYA], 1), "maya · 12 s · 34 curves");
        assert_eq!(describe_row([FormatId::PRIME; 2], 2), "cannot be read");
        assert_eq!(describe_preview(None, true), "…");
    }
}
