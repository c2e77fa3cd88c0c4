//! Strips of values other than numbers: colours, and text for as long as it holds.

use bevy_egui::egui::{Align2, Color32, Painter, Rect, vec2};

use super::Scene;
use crate::ui::{
    style::{Palette, small},
    swatch::color,
};
use mutoscope_core::{
    clip::{Clip, TrackId, Value},
    measure::timeline::TimeAxis,
};

/// How wide one patch of colour is, in points.
const PATCH: f32 = 3.0;

/// Words narrower than this are not painted one by one, in points.
const NARROWEST: f32 = 3.0;

/// The colours of `track` over time.
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
        let value = scene.clip.value(track, scene.axis.time_at(x + 0.5 * PATCH));
        let now = color(&value, palette);
        if let Some((from, before)) = run.filter(|run| run.1 != now) {
            painter.rect_filled(Rect::from_x_y_ranges(from..=x, strip.y_range()), 0.0, before);
            run = None;
        }
        run.get_or_insert((x, now));
        x += PATCH;
    }
    if let Some((from, last)) = run {
        let rect = Rect::from_x_y_ranges(from..=rect.right(), strip.y_range());
        painter.rect_filled(rect, 0.0, last);
    }
}

/// The words of `track`, each from its key to the next.
pub(super) fn paint_words(
    painter: &Painter,
    scene: &Scene<'_>,
    track: TrackId,
    rect: Rect,
    palette: &Palette,
) {
    let strip = rect.shrink2(vec2(0.0, 3.0));
    for Standing { from, to, key } in standing(scene.clip, track, scene.axis) {
        let rect = Rect::from_x_y_ranges(from..=(to - 1.0).max(from + 1.0), strip.y_range());
        painter.rect_filled(rect, 2.0, palette.tint(palette.neutral, 0.25));
        let Value::Text(text) = scene.clip.track(track).curve.key_value(key) else { continue };
        if rect.width() > 8.0 {
            let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
            let place = rect.left_center() + vec2(4.0, 0.0);
            painter.text(place, Align2::LEFT_CENTER, &*text, small(), palette.text);
        }
    }
}

/// The extent of a key's text on the screen.
struct Standing {
    from: f32,
    to: f32,
    key: usize,
}

/// Of the keys of `track` on `axis`, those that are wide enough to be distinguished: as few as fit.
fn standing(clip: &Clip, track: TrackId, axis: &TimeAxis) -> Vec<Standing> {
    let times = clip.track(track).curve.key_times();
    let mut found = Vec::new();
    let mut key = times.partition_point(|&time| time <= axis.start).saturating_sub(1);
    while let Some(&time) = times.get(key).filter(|&&time| time <= axis.end()) {
        let from = axis.x_at(time).max(axis.left);
        let next = times.get(key + 1).map_or(axis.right, |&next| axis.x_at(next));
        let to = next.min(axis.right);
        found.push(Standing { from, to, key });
        let least = axis.time_at(from + NARROWEST);
        key = (key + 1).max(times.partition_point(|&time| time < least));
    }
    found
}
