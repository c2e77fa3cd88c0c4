//! The contact sheet: a large grid of the listed files.

use bevy_egui::egui::{
    Align2, Rect, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, Window, pos2, vec2,
};

use super::{FileListState, describe_preview, display_name, has_one_format, thumbnail_ui};
use crate::{
    session::{Command, FileCommand, Panel, PanelCommand, Source},
    ui::{
        Model,
        style::{Palette, small_font},
        widgets::paint_truncated_name,
    },
};

const CELL_WIDTH: f32 = 150.0;
const IMAGE_HEIGHT: f32 = 112.0;
const CELL_HEIGHT: f32 = IMAGE_HEIGHT + 40.0;
const GAP: f32 = 8.0;

/// Shows every listed file with its thumbnail, in the order of the list. A click opens the file.
pub(in crate::ui) fn contact_sheet_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut FileListState,
    viewport: Rect,
) {
    state.sort(model);
    let mut open = true;
    Window::new("Files")
        .open(&mut open)
        .default_rect(viewport.shrink(24.0))
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            let columns = ((ui.available_width() + GAP) / (CELL_WIDTH + GAP)).floor().max(1.0);
            let columns = columns as usize;
            let rows = state.order.len().div_ceil(columns);
            let has_one_format = has_one_format(model);
            ui.spacing_mut().item_spacing = vec2(GAP, GAP);
            let area = ScrollArea::vertical().auto_shrink(false);
            area.show_rows(ui, CELL_HEIGHT, rows, |ui, range| {
                for row in range {
                    let files = state.order.iter().skip(row * columns).take(columns);
                    ui.horizontal(|ui| {
                        files.for_each(|index| cell_ui(ui, model, *index, has_one_format));
                    });
                }
            });
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::CONTACT_SHEET)));
    }
}

fn cell_ui(ui: &mut Ui, model: &Model<'_>, index: usize, has_one_format: bool) {
    let path = &model.files.listed[index];
    let preview = model.files.previews.get(path);
    let name = display_name(path);
    let is_open = model.reference_source() == Some(&Source::File(path.clone()));
    let (rect, response) = ui.allocate_exact_size(vec2(CELL_WIDTH, CELL_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, is_open, &*name));
    let palette = Palette::for_visuals(ui.visuals());
    if is_open {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, palette.raised);
    }
    let image = Rect::from_min_size(rect.min, vec2(CELL_WIDTH, IMAGE_HEIGHT)).shrink(4.0);
    thumbnail_ui(ui, ui.painter(), preview, image, response.hovered());
    let text = Rect::from_min_max(pos2(image.left(), image.bottom() + 2.0), rect.max);
    let color = if is_open { palette.accent } else { palette.text };
    paint_truncated_name(ui, text.with_max_y(text.top() + 18.0), &name, color);
    let facts = describe_preview(preview, has_one_format);
    let position = pos2(text.left(), text.top() + 26.0);
    let painter = ui.painter().with_clip_rect(text.intersect(ui.clip_rect()));
    painter.text(position, Align2::LEFT_CENTER, facts, small_font(), palette.dim);
    if response.on_hover_text(path.display().to_string()).clicked() && !is_open {
        model.send(Command::File(FileCommand::OpenListed(index)));
    }
}
