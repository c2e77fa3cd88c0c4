//! Marks over all rows: the ruler, the range, the pointer, the playhead.

use bevy_egui::egui::{Align2, Color32, Painter, Rangef, Rect, Shape, Stroke, Ui, pos2, vec2};

use super::{layout::Areas, ruler};
use crate::ui::{
    style::{Palette, crisp, small_mono},
    words::{self, Frames},
};
use mutoscope_core::{measure::timeline::TimeAxis, playback::Clock};

/// Ticks, and the range above them. They count seconds, or `frames`.
pub(super) fn paint_ruler(
    ui: &Ui,
    areas: &Areas,
    axis: &TimeAxis,
    clock: &Clock,
    frames: Option<Frames>,
    palette: &Palette,
) {
    let painter = ui.painter();
    painter.rect_filled(areas.range, 3.0, palette.background);
    if let Some(range) = clock.range() {
        let x = Rangef::new(axis.x_at(range.start()), axis.x_at(range.end()));
        let painter = painter.with_clip_rect(areas.range);
        let rect = Rect::from_x_y_ranges(x, areas.range.y_range());
        painter.rect_filled(rect, 3.0, palette.tint(palette.accent, 0.35));
        for edge in [x.min, x.max] {
            let handle = Rect::from_center_size(pos2(edge, rect.center().y), vec2(4.0, 12.0));
            painter.rect_filled(handle, 1.0, palette.accent);
        }
        if x.span() > 64.0 {
            let text = words::duration(range.duration());
            painter.text(rect.center(), Align2::CENTER_CENTER, text, small_mono(), palette.text);
        }
    }
    ruler::paint(painter, areas.ticks, axis, frames, palette);
    let line = Stroke::new(1.0, palette.line);
    painter.hline(areas.body.x_range(), crisp(painter, areas.body.top()), line);
}

/// Shades the time outside of the range.
pub(super) fn paint_outside_of_range(
    painter: &Painter,
    areas: &Areas,
    axis: &TimeAxis,
    clock: &Clock,
    palette: &Palette,
) {
    let Some(range) = clock.range() else { return };
    let (start, end) = (axis.x_at(range.start()), axis.x_at(range.end()));
    shade_outside(painter, areas, start, end, palette.panel.gamma_multiply(0.6));
    for x in [start, end] {
        let line = Stroke::new(1.0, palette.accent.gamma_multiply(0.5));
        painter.vline(crisp(painter, x), areas.tracks.y_range(), line);
    }
}

/// The background of rows, with another colour outside of the recording.
pub(super) fn paint_ground(
    painter: &Painter,
    areas: &Areas,
    axis: &TimeAxis,
    clock: &Clock,
    palette: &Palette,
) {
    painter.rect_filled(areas.body.with_min_x(areas.x.min - 4.0), 0.0, palette.background);
    let (start, end) = (axis.x_at(clock.span().start), axis.x_at(clock.span().end()));
    let color = palette.background.lerp_to_gamma(palette.panel, 0.7);
    shade_outside(painter, areas, start, end, color);
}

fn shade_outside(painter: &Painter, areas: &Areas, start: f32, end: f32, color: Color32) {
    let rows = areas.tracks.with_min_y(areas.body.top());
    let sides = [rows.with_max_x(start.min(rows.right())), rows.with_min_x(end.max(rows.left()))];
    for rect in sides.into_iter().filter(|rect| rect.is_positive()) {
        painter.rect_filled(rect, 0.0, color);
    }
}

/// A hair line at the hovered time, labelled in seconds and `frames`.
pub(super) fn paint_hover(
    painter: &Painter,
    areas: &Areas,
    axis: &TimeAxis,
    time: f64,
    frames: Option<Frames>,
    palette: &Palette,
) {
    let x = crisp(painter, axis.x_at(time));
    let line = Stroke::new(1.0, palette.dim.gamma_multiply(0.6));
    painter.vline(x, areas.scrub().y_range(), line);
    let clock_time = words::fine_time(time, axis.seconds_per_point);
    let text = match frames {
        Some(frames) => format!("{clock_time} · {}", frames.at(time)),
        None => clock_time,
    };
    label_box(painter, x, areas.ticks, text, palette.text, palette.raised);
}

/// How far the teeth of a fold reach to either side, in points, and how high one is.
const TOOTH: (f32, f32) = (2.5, 5.0);

/// A zig-zag band at each fold, over all rows.
pub(super) fn paint_folds(painter: &Painter, areas: &Areas, axis: &TimeAxis, palette: &Palette) {
    let rows = areas.tracks.with_min_y(areas.body.top());
    for gap in axis.folds() {
        let x = Rangef::new(axis.x_at(gap.start), axis.x_at(gap.end));
        let band = Rect::from_x_y_ranges(x, rows.y_range());
        painter.rect_filled(band, 0.0, palette.panel.gamma_multiply(0.85));
        let line = Stroke::new(1.0, palette.dim.gamma_multiply(0.7));
        for edge in [x.min + TOOTH.0, x.max - TOOTH.0] {
            let count = (rows.height() / TOOTH.1).ceil() as usize;
            let tooth = |index: usize| {
                let side = if index.is_multiple_of(2) { -TOOTH.0 } else { TOOTH.0 };
                pos2(edge + side, rows.top() + index as f32 * TOOTH.1)
            };
            painter.line((0..=count).map(tooth).collect(), line);
        }
    }
}

/// A time in a box in the middle of `ticks`, as near to `x` as there is room.
fn label_box(painter: &Painter, x: f32, ticks: Rect, text: String, color: Color32, fill: Color32) {
    let galley = painter.layout_no_wrap(text, small_mono(), color);
    let half = 0.5 * galley.size().x + 5.0;
    let x = x.clamp(ticks.left() + half, (ticks.right() - half).max(ticks.left() + half));
    let rect = Rect::from_center_size(pos2(x, ticks.top() + 8.0), vec2(2.0 * half, 15.0));
    painter.rect_filled(rect, 3.0, fill);
    painter.galley(rect.center() - 0.5 * galley.size(), galley, color);
}

/// The playhead at `x`.
pub(super) fn paint_playhead(painter: &Painter, areas: &Areas, x: f32, palette: &Palette) {
    let stroke = Stroke::new(1.5, palette.accent);
    painter.vline(x, areas.scrub().y_range(), stroke);
    let top = areas.ticks.bottom() - 9.0;
    let head = [(-5.0, 0.0), (5.0, 0.0), (5.0, 4.0), (0.0, 9.0), (-5.0, 4.0)];
    let head = head.map(|(dx, dy)| pos2(x + dx, top + dy)).to_vec();
    painter.add(Shape::convex_polygon(head, palette.accent, Stroke::NONE));
}
