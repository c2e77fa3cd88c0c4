//! Shows the tooltip of the key under the pointer, and selects the key on a click.

use bevy_egui::egui::{
    Align2, CursorIcon, LayerId, Order, Pos2, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    Scene,
    legend::format_value,
    paint,
    pane::Pane,
    plot::{Grid, Line},
};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        CommandSender, display_text,
        style::{Palette, small_font},
    },
};
use mutoscope_core::clip::KeyId;

const HIT_RADIUS: f32 = 7.0;

/// The largest number of keys per line that are compared with the pointer. The search begins at the
/// left edge of the hit radius.
const MAX_HIT_TESTED_KEYS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct HoveredKey {
    line: usize,
    pub(super) key: KeyId,
}

pub(super) fn hovered_key(ui: &Ui, grid: &Grid<'_>, lines: &[Line<'_>]) -> Option<HoveredKey> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    if !ui.rect_contains_pointer(grid.rect) {
        return None;
    }
    let near = lines.iter().enumerate().filter_map(|(line, found)| {
        let (distance, key) = nearest_key(grid, found, pointer)?;
        Some((distance, HoveredKey { line, key }))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, found)| found)
}

fn nearest_key(grid: &Grid<'_>, line: &Line<'_>, pointer: Pos2) -> Option<(f32, KeyId)> {
    let source = line.source.as_ref()?;
    let visible = paint::visible_keys(grid, source);
    if !paint::has_room_for(grid, visible.len(), 4.0) {
        return None;
    }
    let earliest = grid.time.time_at(pointer.x - HIT_RADIUS);
    let first = source.times().partition_point(|&time| time < earliest);
    let distances = (first..visible.end).take(MAX_HIT_TESTED_KEYS).filter_map(|index| {
        let key = source.key(index)?;
        let distance = (grid.position(line, key.time, key.value) - pointer).length();
        Some((distance, line.channel.id.key(index)?))
    });
    distances.filter(|(distance, _)| *distance <= HIT_RADIUS).min_by(|a, b| a.0.total_cmp(&b.0))
}

pub(super) fn key_ui(
    ui: &Ui,
    scene: &Scene<'_>,
    grid: &Grid<'_>,
    pane: &Pane,
    lines: &[Line<'_>],
    found: Option<HoveredKey>,
    commands: &CommandSender,
) {
    let Some(HoveredKey { line, key: id }) = found else { return };
    let line = &lines[line];
    let Some(source) = &line.source else { return };
    let Some(key) = source.key(id.index) else { return };
    let position = grid.position(line, key.time, key.value);
    let rect = Rect::from_center_size(position, vec2(2.0 * HIT_RADIUS, 2.0 * HIT_RADIUS));
    // Add the key after the scrubbing area and let it sense drags, so that a press on the key does
    // not scrub.
    let response = ui.interact(rect, ui.id().with(("key", id)), Sense::click_and_drag());
    let text = key_text(scene, pane, line, id.index);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Key {text}")));
    ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    if response.clicked() {
        commands.send(Command::View(ViewCommand::SelectKey(scene.model.key(id))));
    }
    paint_tooltip(ui, grid.rect, position, text);
}

/// Returns for example `x · 0.375 s, frame 9 · 5.00 cm · smooth to step`.
fn key_text(scene: &Scene<'_>, pane: &Pane, line: &Line<'_>, index: usize) -> String {
    let Some(source) = &line.source else { return String::new() };
    let Some(key) = source.key(index) else { return String::new() };
    let frame = display_text::Frames::for_clip(scene.clip).map(|frames| frames.format_at(key.time));
    let frame = frame.map(|frame| format!(", {frame}")).unwrap_or_default();
    let time = display_text::format_decimal(key.time, 4);
    let value = format_value(key.value, line.bounds, pane.unit);
    let interpolations = source.interpolations(index);
    let mut interpolation: Vec<_> =
        interpolations.into_iter().flatten().map(display_text::interpolation_label).collect();
    interpolation.dedup();
    format!("{} · {time} s{frame} · {value} · {}", line.channel.name, interpolation.join(" to "))
        .trim_end_matches(" · ")
        .to_owned()
}

fn paint_tooltip(ui: &Ui, rect: Rect, position: Pos2, text: String) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, ui.id().with("key text")));
    let galley = painter.layout_no_wrap(text, small_font(), palette.text);
    let size = galley.size() + vec2(12.0, 6.0);
    let is_left = position.x + 12.0 + size.x > rect.right();
    let x = if is_left { position.x - 12.0 } else { position.x + 12.0 };
    let align = if is_left { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
    let behind = align.anchor_size(pos2(x, position.y - 8.0), size);
    painter.rect_filled(behind, 3.0, palette.raised);
    painter.galley(behind.min + vec2(6.0, 3.0), galley, palette.text);
}
