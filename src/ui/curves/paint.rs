//! Paints a pane: grid lines, curves, and keys with their handles.

use std::ops::Range;

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::{
    plot::{Grid, Line},
    source::Source,
    trace,
};
use crate::ui::{
    display_text,
    style::{Palette, small_mono_font, snap_to_pixel},
};
use mutoscope_core::clip::{Interpolation, KeyId};

/// All distances below are in points. If the mean distance of the keys is smaller than this, no
/// keys are painted.
const MIN_POINTS_PER_KEY: f32 = 7.0;
const MIN_POINTS_PER_HANDLE: f32 = 28.0;
const MIN_TICK_DISTANCE: f32 = 26.0;
const MIN_ARROW_DISTANCE: f32 = 24.0;
const SIMPLIFY_TOLERANCE: f32 = 0.1;

pub(super) fn paint_grid_lines(
    painter: &Painter,
    grid: &Grid<'_>,
    is_switch: bool,
    palette: &Palette,
) {
    let faint = Stroke::new(1.0, palette.line.gamma_multiply(0.7));
    let strong = Stroke::new(1.0, palette.dim.gamma_multiply(0.45));
    for value in grid.values.ticks(MIN_TICK_DISTANCE).values() {
        let is_labelled = !is_switch || value == 0.0 || value == 1.0;
        if is_labelled {
            let y = snap_to_pixel(painter, grid.values.y_at(value));
            painter.hline(grid.rect.x_range(), y, if value == 0.0 { strong } else { faint });
        }
    }
    if is_switch {
        let y = grid.values.y_at(0.5);
        let ends = [pos2(grid.rect.left(), y), pos2(grid.rect.right(), y)];
        painter.extend(Shape::dashed_line(&ends, faint, 3.0, 5.0));
    }
}

pub(super) fn paint_tick_labels(
    painter: &Painter,
    grid: &Grid<'_>,
    unit: &str,
    is_switch: bool,
    normalised: bool,
    palette: &Palette,
) {
    let ticks = grid.values.ticks(MIN_TICK_DISTANCE);
    let decimals = ticks.decimals();
    for value in ticks.values() {
        let text = match (is_switch, normalised) {
            (true, _) if value == 0.0 => "off".to_owned(),
            (true, _) if value == 1.0 => "on".to_owned(),
            (true, _) => continue,
            (_, true) => format!("{} %", display_text::format_decimal(100.0 * value, decimals)),
            _ => tick_text(value, decimals, unit),
        };
        paint_label(painter, grid.rect, grid.values.y_at(value), text, palette);
    }
}

fn tick_text(value: f64, decimals: usize, unit: &str) -> String {
    let text =
        if value == 0.0 { "0".to_owned() } else { display_text::format_fixed(value, decimals) };
    display_text::append_unit(text, unit)
}

fn paint_label(painter: &Painter, rect: Rect, y: f32, text: String, palette: &Palette) {
    let galley = painter.layout_no_wrap(text, small_mono_font(), palette.dim);
    let half = 0.5 * galley.size().y;
    if y - half < rect.top() - 1.0 || y + half > rect.bottom() + 1.0 {
        return;
    }
    let position = pos2(rect.left() + 4.0, y - half);
    let behind = Rect::from_min_size(position, galley.size()).expand2(vec2(2.0, -1.0));
    painter.rect_filled(behind, 2.0, palette.background.gamma_multiply(0.85));
    painter.galley(position, galley, palette.dim);
}

pub(super) fn paint_line(painter: &Painter, grid: &Grid<'_>, line: &Line<'_>, palette: &Palette) {
    let quiet = Stroke::new(1.2, line.color.gamma_multiply(0.75));
    for stroke in &line.trace.outside {
        let points = simplified_stroke(stroke, |point| pos2(point.x, grid.y(line, point.value)));
        painter.extend(Shape::dashed_line(&points, quiet, 4.0, 4.0));
    }
    for stroke in &line.trace.inside {
        let points = simplified_stroke(stroke, |point| pos2(point.x, grid.y(line, point.value)));
        painter.line(points, Stroke::new(1.5, line.color));
    }
    let cross = Stroke::new(1.4, palette.error);
    let y = grid.rect.bottom() - 7.0;
    let mut last = f32::NEG_INFINITY;
    for &x in line.trace.non_finite.iter().filter(|&&x| grid.rect.x_range().contains(x)) {
        if x - last < 7.0 {
            continue;
        }
        last = x;
        for slope in [3.0, -3.0] {
            painter.line_segment([pos2(x - 3.0, y - slope), pos2(x + 3.0, y + slope)], cross);
        }
    }
}

pub(super) fn paint_overflow_arrows(painter: &Painter, grid: &Grid<'_>, line: &Line<'_>) {
    let (top, bottom) = (grid.rect.top(), grid.rect.bottom());
    let mut last = [f32::NEG_INFINITY; 2];
    for point in line.trace.inside.iter().flatten() {
        let y = grid.y(line, point.value);
        let is_above = y < top;
        let last = &mut last[usize::from(is_above)];
        if (is_above || y > bottom) && point.x - *last >= MIN_ARROW_DISTANCE {
            *last = point.x;
            let (edge, inward) = if is_above { (top + 1.0, 5.0) } else { (bottom - 1.0, -5.0) };
            let corners = [(0.0, 0.0), (3.5, inward), (-3.5, inward)];
            let corners = corners.map(|(dx, dy)| pos2(point.x + dx, edge + dy)).to_vec();
            painter.add(Shape::convex_polygon(corners, line.color, Stroke::NONE));
        }
    }
}

/// Maps `stroke` to the screen, and removes points that lie on the line between their neighbours.
///
/// A point is removed if the line from the last kept point to the next point stays within
/// [`SIMPLIFY_TOLERANCE`] of all points removed in between. A range of slopes makes each step O(1).
fn simplified_stroke(
    stroke: &trace::Stroke,
    position: impl Fn(&trace::Point) -> Pos2,
) -> Vec<Pos2> {
    let mut points: Vec<Pos2> = Vec::new();
    // The last point that may be removed, and the range of slopes of the lines that may replace it.
    let mut candidate: Option<Pos2> = None;
    let mut slopes = (f32::NEG_INFINITY, f32::INFINITY);
    for next in stroke.iter().map(position) {
        let Some(&kept) = points.last() else {
            points.push(next);
            continue;
        };
        let run = next.x - kept.x;
        let slope = (next.y - kept.y) / run;
        let is_straight = run > 0.0 && slopes.0 <= slope && slope <= slopes.1;
        if let Some(point) = candidate.filter(|_| !is_straight) {
            points.push(point);
            slopes = (f32::NEG_INFINITY, f32::INFINITY);
        }
        let kept = points[points.len() - 1];
        let run = next.x - kept.x;
        if run > 0.0 {
            let (low, high) =
                (next.y - kept.y - SIMPLIFY_TOLERANCE, next.y - kept.y + SIMPLIFY_TOLERANCE);
            slopes = (slopes.0.max(low / run), slopes.1.min(high / run));
        } else {
            slopes = (f32::INFINITY, f32::NEG_INFINITY);
        }
        candidate = Some(next);
    }
    points.extend(candidate);
    points
}

pub(super) fn visible_keys(grid: &Grid<'_>, source: &Source<'_>) -> Range<usize> {
    let times = source.times();
    let from = times.partition_point(|&time| time < grid.time.start);
    let to = times.partition_point(|&time| time <= grid.time.end());
    from..to.max(from)
}

pub(super) fn has_room_for(grid: &Grid<'_>, keys: usize, points: f32) -> bool {
    keys as f32 * points <= grid.rect.width()
}

pub(super) fn paint_keys(
    painter: &Painter,
    grid: &Grid<'_>,
    line: &Line<'_>,
    selected: Option<KeyId>,
    under_pointer: Option<KeyId>,
    palette: &Palette,
) {
    let Some(source) = &line.source else { return };
    let visible = visible_keys(grid, source);
    let is_key = |key: Option<KeyId>, index: usize| {
        key.is_some_and(|key| line.channel.id.key(index) == Some(key))
    };
    let visible_selected =
        selected.filter(|key| is_key(selected, key.index) && visible.contains(&key.index));
    if !has_room_for(grid, visible.len(), MIN_POINTS_PER_KEY) {
        // The keys are too dense to paint all of them, so paint only the selected key.
        if let Some(key) = visible_selected {
            paint_handles(painter, grid, line, key.index, palette.accent);
            paint_key(painter, grid, line, key.index, 5.0, palette.accent, palette);
        }
        return;
    }
    let with_handles = has_room_for(grid, visible.len(), MIN_POINTS_PER_HANDLE);
    // Include the keys just outside the visible range, because their handles reach into the range.
    let last = (visible.end + 1).min(source.times().len());
    for index in visible.start.saturating_sub(1)..last {
        let is_selected = is_key(selected, index);
        if with_handles || is_selected {
            let color = if is_selected { palette.accent } else { line.color.gamma_multiply(0.55) };
            paint_handles(painter, grid, line, index, color);
        }
    }
    for index in visible {
        let is_selected = is_key(selected, index);
        let color = if is_selected { palette.accent } else { line.color };
        let is_large = is_selected || is_key(under_pointer, index);
        let size = if is_large { 5.0 } else { 3.2 };
        paint_key(painter, grid, line, index, size, color, palette);
    }
}

fn paint_handles(
    painter: &Painter,
    grid: &Grid<'_>,
    line: &Line<'_>,
    index: usize,
    color: Color32,
) {
    let Some(source) = &line.source else { return };
    let Some(key) = source.key(index) else { return };
    let handles = source.handles(index);
    let position = grid.position(line, key.time, key.value);
    for end in [handles.before, handles.after].into_iter().flatten() {
        let end = grid.position(line, key.time + end.seconds, key.value + end.value);
        if (end - position).length() < 5.0 {
            continue;
        }
        painter.line_segment([position, end], Stroke::new(1.0, color));
        painter.circle_filled(end, 2.0, color);
    }
}

fn paint_key(
    painter: &Painter,
    grid: &Grid<'_>,
    line: &Line<'_>,
    index: usize,
    size: f32,
    color: Color32,
    palette: &Palette,
) {
    let Some(source) = &line.source else { return };
    let Some(key) = source.key(index).filter(|key| key.value.is_finite()) else { return };
    let centre = grid.position(line, key.time, key.value);
    let ring = Stroke::new(1.0, palette.background);
    let [before, after] = source.interpolations(index);
    let shape = match after.or(before) {
        Some(Interpolation::Step | Interpolation::StepNext | Interpolation::Nearest) => {
            let rect = Rect::from_center_size(centre, vec2(1.7 * size, 1.7 * size));
            painter.rect_filled(rect.expand(1.0), 0.0, palette.background);
            Shape::rect_filled(rect, 0.0, color)
        }
        Some(Interpolation::Smooth) => {
            painter.circle_filled(centre, size + 1.0, palette.background);
            Shape::circle_filled(centre, size, color)
        }
        Some(Interpolation::Linear) | None => {
            let size = 1.2 * size;
            let corners = [(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)];
            let corners = corners.map(|(dx, dy)| centre + vec2(dx, dy)).to_vec();
            Shape::convex_polygon(corners, color, ring)
        }
    };
    painter.add(shape);
}

/// Paints rings on the curves at the times whose values are shown. Rings are hollow, so that nobody
/// mistakes them for keys.
pub(super) fn paint_readouts(
    painter: &Painter,
    grid: &Grid<'_>,
    lines: &[Line<'_>],
    palette: &Palette,
) {
    for line in lines {
        for ((time, value), size) in line.readouts.into_iter().zip([2.5, 3.5]) {
            if value.is_finite() && grid.time.contains(time) {
                let position = grid.position(line, time, value);
                painter.circle(position, size, palette.background, Stroke::new(1.5, line.color));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collinear_points_are_removed_and_corners_kept() {
        let stroke: trace::Stroke = (0..100)
            .map(f64::from)
            .map(|x| trace::Point { x: x as f32, value: if x < 50.0 { x } else { 49.0 } })
            .collect();
        let points = simplified_stroke(&stroke, |point| pos2(point.x, point.value as f32));
        assert_eq!(points, [pos2(0.0, 0.0), pos2(49.0, 49.0), pos2(99.0, 49.0)]);
    }

    #[test]
    fn simplified_lines_stay_within_tolerance() {
        let wave = |x: f32| 40.0 * (x * 0.02).sin();
        let point = |x: i32| trace::Point { x: x as f32, value: f64::from(wave(x as f32)) };
        let stroke: trace::Stroke = (0..1000).map(point).collect();
        let points = simplified_stroke(&stroke, |point| pos2(point.x, point.value as f32));
        assert!(points.len() < 500, "{}", points.len());
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            for x in a.x as i32..=b.x as i32 {
                let between = a.y + (b.y - a.y) * (x as f32 - a.x) / (b.x - a.x);
                assert!((between - wave(x as f32)).abs() < 0.2, "{x}");
            }
        }
    }

    #[test]
    fn vertical_steps_are_kept() {
        let point = |(x, value)| trace::Point { x, value };
        let steps = [(0.0, 1.0), (5.0, 1.0), (5.0, 3.0), (9.0, 3.0)].map(point).to_vec();
        let points = simplified_stroke(&steps, |point| pos2(point.x, point.value as f32));
        assert_eq!(points.len(), 4, "{points:?}");
    }
}
