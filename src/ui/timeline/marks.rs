//! Paints the marks over all rows: the ruler, the range, the hovered time and the playhead.

use bevy_egui::egui::{Align2, Color32, Painter, Rangef, Rect, Shape, Stroke, Ui, pos2, vec2};

use super::{layout::Areas, ruler};
use crate::ui::{
    display_text::{self, Frames},
    style::{Palette, small_mono_font, snap_to_pixel},
};
use mutoscope_core::playback::Clock;
use mutoscope_view::timeline::TimeAxis;

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
            let text = display_text::format_duration(range.duration());
            painter.text(
                rect.center(),
                Align2::CENTER_CENTER,
                text,
                small_mono_font(),
                palette.text,
            );
        }
    }
    ruler::paint_ticks(painter, areas.ticks, axis, frames, palette);
    let line = Stroke::new(1.0, palette.line);
    painter.hline(areas.body.x_range(), snap_to_pixel(painter, areas.body.top()), line);
}

pub(super) fn shade_outside_range(
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
        painter.vline(snap_to_pixel(painter, x), areas.tracks.y_range(), line);
    }
}

pub(super) fn paint_background(
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

pub(super) fn paint_hover(
    painter: &Painter,
    areas: &Areas,
    axis: &TimeAxis,
    time: f64,
    frames: Option<Frames>,
    palette: &Palette,
) {
    let x = snap_to_pixel(painter, axis.x_at(time));
    let line = Stroke::new(1.0, palette.dim.gamma_multiply(0.6));
    painter.vline(x, areas.scrub_rect().y_range(), line);
    let clock_time = display_text::format_time_at_zoom(time, axis.seconds_per_point);
    let text = match frames {
        Some(frames) => format!("{clock_time} · {}", frames.format_at(time)),
        None => clock_time,
    };
    paint_time_label(painter, x, areas.ticks, text, palette.text, palette.raised);
}

const TOOTH_WIDTH: f32 = 2.5;
const TOOTH_HEIGHT: f32 = 5.0;

pub(super) fn paint_folds(painter: &Painter, areas: &Areas, axis: &TimeAxis, palette: &Palette) {
    let rows = areas.tracks.with_min_y(areas.body.top());
    for gap in axis.folds() {
        let x = Rangef::new(axis.x_at(gap.start), axis.x_at(gap.end));
        let band = Rect::from_x_y_ranges(x, rows.y_range());
        painter.rect_filled(band, 0.0, palette.panel.gamma_multiply(0.85));
        let line = Stroke::new(1.0, palette.dim.gamma_multiply(0.7));
        for edge in [x.min + TOOTH_WIDTH, x.max - TOOTH_WIDTH] {
            let count = (rows.height() / TOOTH_HEIGHT).ceil() as usize;
            let tooth = |index: usize| {
                let side = if index.is_multiple_of(2) { -TOOTH_WIDTH } else { TOOTH_WIDTH };
                pos2(edge + side, rows.top() + index as f32 * TOOTH_HEIGHT)
            };
            painter.line((0..=count).map(tooth).collect(), line);
        }
    }
}

fn paint_time_label(
    painter: &Painter,
    x: f32,
    ticks: Rect,
    text: String,
    color: Color32,
    fill: Color32,
) {
    let galley = painter.layout_no_wrap(text, small_mono_font(), color);
    let half = 0.5 * galley.size().x + 5.0;
    let x = x.clamp(ticks.left() + half, (ticks.right() - half).max(ticks.left() + half));
    let rect = Rect::from_center_size(pos2(x, ticks.top() + 8.0), vec2(2.0 * half, 15.0));
    painter.rect_filled(rect, 3.0, fill);
    painter.galley(rect.center() - 0.5 * galley.size(), galley, color);
}

pub(super) fn paint_playhead(painter: &Painter, areas: &Areas, x: f32, palette: &Palette) {
    let stroke = Stroke::new(1.5, palette.accent);
    painter.vline(x, areas.scrub_rect().y_range(), stroke);
    let top = areas.ticks.bottom() - 9.0;
    let head = [(-5.0, 0.0), (5.0, 0.0), (5.0, 4.0), (0.0, 9.0), (-5.0, 4.0)];
    let head = head.map(|(dx, dy)| pos2(x + dx, top + dy)).to_vec();
    painter.add(Shape::convex_polygon(head, palette.accent, Stroke::NONE));
}
