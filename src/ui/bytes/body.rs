//! The rows that are seen, and the pointer over them.

use std::ops::Range;

use bevy_egui::egui::{
    Align2, CursorIcon, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    BytesState, head,
    row::{HEIGHT, Row},
};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};
use mutoscope_core::{
    clip::{Clip, KeyId},
    measure::listing::Listing,
};

/// The rows, over all the room that `ui` has. The bytes that are pointed out are those of the selected
/// key, if nothing else is.
pub(super) fn body_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    (clip, listing): (&Clip, &Listing),
    selected: Option<KeyId>,
    pointed_out: &[Range<usize>],
    state: &mut BytesState,
) {
    let palette = Palette::of(ui.visuals());
    let area = ui.available_rect_before_wrap();
    let count = listing.row_count();
    let rect = state.scroll.scroll_ui(ui, area, count, HEIGHT);
    let (first, above) = state.scroll.top();
    let seen = (rect.height() / HEIGHT).ceil() as usize + 1;
    let end = (first + seen).min(count);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, palette.background);
    if first < end {
        let bytes = listing.row(first).start..listing.row(end - 1).end;
        state.marks.bring_up_to_date(clip, listing, bytes, pointed_out);
    }
    let corner =
        |row: usize| pos2(rect.left(), rect.top() + ((row - first) as f32 - above) * HEIGHT);
    let rows = (first..end).map(|row| Row::new(&painter, palette, listing, row, corner(row)));
    let rows: Vec<Row> = match rows.collect::<Result<_, _>>() {
        Ok(rows) => rows,
        Err(error) => {
            let at = rect.left_top() + vec2(8.0, 8.0);
            painter.text(at, Align2::LEFT_TOP, error.message(), small(), palette.warning);
            Vec::new()
        }
    };
    rows.iter().for_each(|row| row.paint(&painter, palette, &state.marks));

    let response = ui.interact(rect, ui.id().with("bytes"), Sense::click());
    response.widget_info(|| {
        let what = selected.map_or_else(|| "no key".to_owned(), |key| head::name(clip, key));
        WidgetInfo::labeled(WidgetType::Other, true, format!("Bytes: {what}"))
    });
    ui.advance_cursor_after_rect(area);
    let Some(pointer) = response.hover_pos() else { return };
    let index = ((pointer.y - rect.top()) / HEIGHT + above).floor().max(0.0) as usize;
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

/// The tooltip of a key: its name, time and value.
fn tooltip_ui(ui: &mut Ui, clip: &Clip, key: KeyId) {
    let palette = Palette::of(ui.visuals());
    let track = clip.track(key.track);
    ui.label(RichText::new(head::name(clip, key)).color(palette.text));
    let time = track.curve.times().as_slice().get(key.index).copied().unwrap_or_default();
    let value = words::value(&track.curve.key_value(key.index));
    let what = format!("{} s: {value} {}", words::trimmed(time, 5), track.unit.symbol());
    ui.label(RichText::new(what.trim_end()).font(small()).color(palette.dim));
}
