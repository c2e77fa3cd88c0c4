//! Paints strips of values that are not numbers: colours, and text for as long as it holds.

use bevy_egui::egui::{Align2, Color32, Painter, Rect, vec2};

use super::Scene;
use crate::ui::{
    style::{Palette, small_font},
    swatch::value_color,
};
use mutoscope_core::clip::{Clip, TrackId, Value};
use mutoscope_view::timeline::TimeAxis;

const PATCH_WIDTH: f32 = 3.0;

/// In points. Keys that are closer share a box, so that the number of boxes depends on the width
/// and not on the number of keys.
const MIN_TEXT_WIDTH: f32 = 3.0;

pub(super) fn paint_colors(
    painter: &Painter,
    scene: &Scene<'_>,
    track: TrackId,
    rect: Rect,
    palette: &Palette,
) {
    let strip = rect.shrink2(vec2(0.0, 3.0));
    let mut x = rect.left();
    let mut run: Option<(f32, Color32)> = None;
    while x < rect.right() {
        let value = scene.clip.value(track, scene.axis.time_at(x + 0.5 * PATCH_WIDTH));
        let now = value_color(&value, palette);
        if let Some((from, before)) = run.filter(|run| run.1 != now) {
            painter.rect_filled(Rect::from_x_y_ranges(from..=x, strip.y_range()), 0.0, before);
            run = None;
        }
        run.get_or_insert((x, now));
        x += PATCH_WIDTH;
    }
    if let Some((from, last)) = run {
        let rect = Rect::from_x_y_ranges(from..=rect.right(), strip.y_range());
        painter.rect_filled(rect, 0.0, last);
    }
}

pub(super) fn paint_text(
    painter: &Painter,
    scene: &Scene<'_>,
    track: TrackId,
    rect: Rect,
    palette: &Palette,
) {
    let strip = rect.shrink2(vec2(0.0, 3.0));
    for TextSpan { from, to, key } in visible_text_spans(scene.clip, track, scene.axis) {
        let rect = Rect::from_x_y_ranges(from..=(to - 1.0).max(from + 1.0), strip.y_range());
        painter.rect_filled(rect, 2.0, palette.tint(palette.neutral, 0.25));
        let Value::Text(text) = scene.clip.track(track).curve.key_value(key) else { continue };
        if rect.width() > 8.0 {
            let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
            let position = rect.left_center() + vec2(4.0, 0.0);
            painter.text(position, Align2::LEFT_CENTER, &*text, small_font(), palette.text);
        }
    }
}

struct TextSpan {
    from: f32,
    to: f32,
    key: usize,
}

fn visible_text_spans(clip: &Clip, track: TrackId, axis: &TimeAxis) -> Vec<TextSpan> {
    let times = clip.track(track).curve.key_times();
    let mut spans = Vec::new();
    let mut key = times.partition_point(|&time| time <= axis.start).saturating_sub(1);
    while let Some(&time) = times.get(key).filter(|&&time| time <= axis.end()) {
        let from = axis.x_at(time).max(axis.left);
        let next = times.get(key + 1).map_or(axis.right, |&next| axis.x_at(next));
        let to = next.min(axis.right);
        spans.push(TextSpan { from, to, key });
        let next_time = axis.time_at(from + MIN_TEXT_WIDTH);
        key = (key + 1).max(times.partition_point(|&time| time < next_time));
    }
    spans
}
