//! The key under the pointer: its tooltip, and a click that selects it.

use bevy_egui::egui::{
    Align2, CursorIcon, LayerId, Order, Pos2, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    Scene,
    legend::number_text,
    paint,
    pane::Pane,
    plot::{Grid, Line},
    source::Source,
};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        CommandSender,
        style::{Palette, small},
        words,
    },
};
use mutoscope_core::clip::KeyId;

/// How near the pointer must be to a key to mean it, in points.
const REACH: f32 = 7.0;

/// The nearest key is searched among at most this many around the pointer.
const MOST_KEYS: usize = 64;

/// A key of one of several lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The index of the line.
    line: usize,
    pub(super) key: KeyId,
}

/// The key nearest to the pointer, if one is near and there is room to tell keys apart.
pub(super) fn under_pointer(ui: &Ui, grid: &Grid<'_>, lines: &[Line<'_>]) -> Option<Found> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    if !ui.rect_contains_pointer(grid.rect) {
        return None;
    }
    let near = lines.iter().enumerate().filter_map(|(line, found)| {
        let (distance, key) = nearest(grid, found, pointer)?;
        Some((distance, Found { line, key }))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, found)| found)
}

/// The nearest key of a line, and how far it is.
fn nearest(grid: &Grid<'_>, line: &Line<'_>, pointer: Pos2) -> Option<(f32, KeyId)> {
    let source = line.source.as_ref()?;
    let visible = paint::visible(grid, source);
    if !paint::are_apart(grid, visible.len(), 4.0) {
        return None;
    }
    let least = grid.time.time_at(pointer.x - REACH);
    let first = source.times().partition_point(|&time| time < least);
    let distances = (first..visible.end).take(MOST_KEYS).filter_map(|index| {
        let key = source.key(index)?;
        let distance = (grid.place(line, key.time, key.value) - pointer).length();
        Some((distance, line.channel.id.key(index)?))
    });
    distances.filter(|(distance, _)| *distance <= REACH).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The clickable key `found` with its tooltip.
pub(super) fn key_ui(
    ui: &Ui,
    scene: &Scene<'_>,
    grid: &Grid<'_>,
    pane: &Pane,
    lines: &[Line<'_>],
    found: Option<Found>,
    commands: &CommandSender,
) {
    let Some(Found { line, key: id }) = found else { return };
    let line = &lines[line];
    let Some(source) = &line.source else { return };
    let Some(key) = source.key(id.index) else { return };
    let place = grid.place(line, key.time, key.value);
    let rect = Rect::from_center_size(place, vec2(2.0 * REACH, 2.0 * REACH));
    // Above what scrubs, dragging included: a press here means the key.
    let response = ui.interact(rect, ui.id().with(("key", id)), Sense::click_and_drag());
    let text = key_text(scene, pane, (line, source), id.index);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Key {text}")));
    ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    if response.clicked() {
        commands.send(Command::View(ViewCommand::SelectKey(scene.model.key(id))));
    }
    paint_text(ui, grid.rect, place, text);
}

/// `x · 0.375 s, frame 9 · 5.00 cm · smooth to step`.
fn key_text(
    scene: &Scene<'_>,
    pane: &Pane,
    (line, source): (&Line<'_>, &Source<'_>),
    index: usize,
) -> String {
    let Some(key) = source.key(index) else { return String::new() };
    let frame = words::Frames::of(scene.clip).map(|frames| frames.at(key.time));
    let frame = frame.map(|frame| format!(", {frame}")).unwrap_or_default();
    let time = words::trimmed(key.time, 4);
    let value = number_text(key.value, line.bounds, pane.unit);
    let interpolations = source.interpolations(index);
    let mut interpolation: Vec<_> =
        interpolations.into_iter().flatten().map(words::interpolation).collect();
    interpolation.dedup();
    format!("{} · {time} s{frame} · {value} · {}", line.channel.name, interpolation.join(" to "))
        .trim_end_matches(" · ")
        .to_owned()
}

/// `text` in a box next to `place`, on the side where there is room.
fn paint_text(ui: &Ui, rect: Rect, place: Pos2, text: String) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, ui.id().with("key text")));
    let galley = painter.layout_no_wrap(text, small(), palette.text);
    let size = galley.size() + vec2(12.0, 6.0);
    let is_left = place.x + 12.0 + size.x > rect.right();
    let x = if is_left { place.x - 12.0 } else { place.x + 12.0 };
    let align = if is_left { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
    let behind = align.anchor_size(pos2(x, place.y - 8.0), size);
    painter.rect_filled(behind, 3.0, palette.raised);
    painter.galley(behind.min + vec2(6.0, 3.0), galley, palette.text);
}
