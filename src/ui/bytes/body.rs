//! Shows the visible rows, and handles the pointer over them.

use std::ops::Range;

use bevy_egui::egui::{
    Align2, CursorIcon, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    BytesState, header,
    row::{ROW_HEIGHT, Row},
};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        Model, display_text,
        style::{Palette, small_font},
    },
};
use mutoscope_core::clip::{Clip, KeyId};
use mutoscope_view::listing::Listing;

pub(super) fn body_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    listing: &Listing,
    selected: Option<KeyId>,
    highlighted_ranges: &[Range<usize>],
    state: &mut BytesState,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let area = ui.available_rect_before_wrap();
    let count = listing.row_count();
    let rect = state.scroll.scroll_ui(ui, area, count, ROW_HEIGHT);
    let (first, hidden_part) = state.scroll.top();
    let visible = (rect.height() / ROW_HEIGHT).ceil() as usize + 1;
    let end = (first + visible).min(count);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, palette.background);
    if first < end {
        let bytes = listing.row_range(first).start..listing.row_range(end - 1).end;
        state.marks.update(clip, listing, bytes, highlighted_ranges);
    }
    let corner = |row: usize| {
        pos2(rect.left(), rect.top() + ((row - first) as f32 - hidden_part) * ROW_HEIGHT)
    };
    let rows = (first..end).map(|row| Row::new(&painter, palette, listing, row, corner(row)));
    let rows: Vec<Row> = match rows.collect::<Result<_, _>>() {
        Ok(rows) => rows,
        Err(error) => {
            let at = rect.left_top() + vec2(8.0, 8.0);
            painter.text(at, Align2::LEFT_TOP, error.message(), small_font(), palette.warning);
            Vec::new()
        }
    };
    rows.iter().for_each(|row| row.paint(&painter, palette, &state.marks));

    let response = ui.interact(rect, ui.id().with("bytes"), Sense::click());
    response.widget_info(|| {
        let text = selected.map_or_else(|| "no key".to_owned(), |key| header::key_name(clip, key));
        WidgetInfo::labeled(WidgetType::Other, true, format!("Bytes: {text}"))
    });
    ui.advance_cursor_after_rect(area);
    let Some(pointer) = response.hover_pos() else { return };
    let index = ((pointer.y - rect.top()) / ROW_HEIGHT + hidden_part).floor().max(0.0) as usize;
    let Some(row) = rows.get(index) else { return };
    let offset = row.byte_at(pointer);
    let key = offset.and_then(|offset| listing.key_at(clip, offset, selected));
    let Some(key) = key else { return };
    if response.clicked() {
        model.send(Command::View(ViewCommand::SelectKey(model.key(key))));
    }
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_ui_at_pointer(|ui| {
        tooltip_ui(ui, clip, key);
    });
}

fn tooltip_ui(ui: &mut Ui, clip: &Clip, key: KeyId) {
    let palette = Palette::for_visuals(ui.visuals());
    let track = clip.track(key.track);
    ui.label(RichText::new(header::key_name(clip, key)).color(palette.text));
    let time = track.curve.times().as_slice().get(key.index).copied().unwrap_or_default();
    let value = display_text::format_value(&track.curve.key_value(key.index));
    let text =
        format!("{} s: {value} {}", display_text::format_decimal(time, 5), track.unit.symbol());
    ui.label(RichText::new(text.trim_end()).font(small_font()).color(palette.dim));
}
