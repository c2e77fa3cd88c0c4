//! Painting a pane: round values, lines, keys with their handles.

use std::ops::Range;

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::{
    plot::{Grid, Line},
    source::Source,
    trace,
};
use crate::ui::{
    style::{Palette, crisp, small_mono},
    words,
};
use mutoscope_core::clip::{Interpolation, KeyId};

/// How many points one key is given at least where each is shown.
const POINTS_PER_KEY: f32 = 7.0;
/// The same for keys with handles.
const POINTS_PER_HANDLE: f32 = 28.0;
/// How far round values are apart at least, in points.
const TICK_DISTANCE: f32 = 26.0;
/// How far arrows at the edge are apart at least, in points.
const ARROW_DISTANCE: f32 = 24.0;
/// A point so near to the line between its neighbours, in points, is skipped.
const FLATNESS: f32 = 0.1;

/// Lines at round values; between on and off, where switches change.
pub(super) fn grid(painter: &Painter, grid: &Grid<'_>, is_switch: bool, palette: &Palette) {
    let faint = Stroke::new(1.0, palette.line.gamma_multiply(0.7));
    let strong = Stroke::new(1.0, palette.dim.gamma_multiply(0.45));
    for value in grid.values.ticks(TICK_DISTANCE).values() {
        let is_meant = !is_switch || value == 0.0 || value == 1.0;
        if is_meant {
            let y = crisp(painter, grid.values.y_at(value));
            painter.hline(grid.rect.x_range(), y, if value == 0.0 { strong } else { faint });
        }
    }
    if is_switch {
        let y = grid.values.y_at(0.5);
        let ends = [pos2(grid.rect.left(), y), pos2(grid.rect.right(), y)];
        painter.extend(Shape::dashed_line(&ends, faint, 3.0, 5.0));
    }
}

/// The round values and their unit, over the curves.
pub(super) fn labels(
    painter: &Painter,
    grid: &Grid<'_>,
    unit: &str,
    is_switch: bool,
    normalised: bool,
    palette: &Palette,
) {
    let ticks = grid.values.ticks(TICK_DISTANCE);
    let decimals = ticks.decimals();
    for value in ticks.values() {
        let text = match (is_switch, normalised) {
            (true, _) if value == 0.0 => "off".to_owned(),
            (true, _) if value == 1.0 => "on".to_owned(),
            (true, _) => continue,
            (_, true) => format!("{} %", words::trimmed(100.0 * value, decimals)),
            _ => tick_text(value, decimals, unit),
        };
        label(painter, grid.rect, grid.values.y_at(value), text, palette);
    }
}

fn tick_text(value: f64, decimals: usize, unit: &str) -> String {
    let text = if value == 0.0 { "0".to_owned() } else { words::fixed(value, decimals) };
    words::with_unit(text, unit)
}

/// A value at the left end of its line, if there is room for all of it.
fn label(painter: &Painter, rect: Rect, y: f32, text: String, palette: &Palette) {
    let galley = painter.layout_no_wrap(text, small_mono(), palette.dim);
    let half = 0.5 * galley.size().y;
    if y - half < rect.top() - 1.0 || y + half > rect.bottom() + 1.0 {
        return;
    }
    let place = pos2(rect.left() + 4.0, y - half);
    let behind = Rect::from_min_size(place, galley.size()).expand2(vec2(2.0, -1.0));
    painter.rect_filled(behind, 2.0, palette.background.gamma_multiply(0.85));
    painter.galley(place, galley, palette.dim);
}

/// A curve: dashed outside of its keys, a cross where it has no value.
pub(super) fn line(painter: &Painter, grid: &Grid<'_>, line: &Line<'_>, palette: &Palette) {
    let quiet = Stroke::new(1.2, line.color.gamma_multiply(0.75));
    for stroke in &line.trace.outside {
        let points = thinned(stroke, |point| pos2(point.x, grid.y(line, point.value)));
        painter.extend(Shape::dashed_line(&points, quiet, 4.0, 4.0));
    }
    for stroke in &line.trace.inside {
        let points = thinned(stroke, |point| pos2(point.x, grid.y(line, point.value)));
        painter.line(points, Stroke::new(1.5, line.color));
    }
    let cross = Stroke::new(1.4, palette.error);
    let y = grid.rect.bottom() - 7.0;
    let mut last = f32::NEG_INFINITY;
    for &x in line.trace.broken.iter().filter(|&&x| grid.rect.x_range().contains(x)) {
        if x - last < 7.0 {
            continue;
        }
        last = x;
        for slope in [3.0, -3.0] {
            painter.line_segment([pos2(x - 3.0, y - slope), pos2(x + 3.0, y + slope)], cross);
        }
    }
}

/// Small arrows at the upper or lower edge, where a curve is beyond it.
pub(super) fn values_out_of_sight(painter: &Painter, grid: &Grid<'_>, line: &Line<'_>) {
    let (top, bottom) = (grid.rect.top(), grid.rect.bottom());
    let mut last = [f32::NEG_INFINITY; 2];
    for point in line.trace.inside.iter().flatten() {
        let y = grid.y(line, point.value);
        let is_above = y < top;
        let last = &mut last[usize::from(is_above)];
        if (is_above || y > bottom) && point.x - *last >= ARROW_DISTANCE {
            *last = point.x;
            let (edge, inward) = if is_above { (top + 1.0, 5.0) } else { (bottom - 1.0, -5.0) };
            let corners = [(0.0, 0.0), (3.5, inward), (-3.5, inward)];
            let corners = corners.map(|(dx, dy)| pos2(point.x + dx, edge + dy)).to_vec();
            painter.add(Shape::convex_polygon(corners, line.color, Stroke::NONE));
        }
    }
}

/// `stroke` on the screen, without points that change nothing.
fn thinned(stroke: &trace::Stroke, place: impl Fn(&trace::Point) -> Pos2) -> Vec<Pos2> {
    let mut points: Vec<Pos2> = Vec::new();
    // The last that may be skipped, and the slopes of lines from the last kept past all that were.
    let mut waiting: Option<Pos2> = None;
    let mut slopes = (f32::NEG_INFINITY, f32::INFINITY);
    for next in stroke.iter().map(place) {
        let Some(&kept) = points.last() else {
            points.push(next);
            continue;
        };
        let run = next.x - kept.x;
        let slope = (next.y - kept.y) / run;
        let is_straight = run > 0.0 && slopes.0 <= slope && slope <= slopes.1;
        if let Some(point) = waiting.filter(|_| !is_straight) {
            points.push(point);
            slopes = (f32::NEG_INFINITY, f32::INFINITY);
        }
        let kept = points[points.len() - 1];
        let run = next.x - kept.x;
        if run > 0.0 {
            let (low, high) = (next.y - kept.y - FLATNESS, next.y - kept.y + FLATNESS);
            slopes = (slopes.0.max(low / run), slopes.1.min(high / run));
        } else {
            slopes = (f32::INFINITY, f32::NEG_INFINITY);
        }
        waiting = Some(next);
    }
    points.extend(waiting);
    points
}

/// The keys of a line that are on the axis, by index.
pub(super) fn visible(grid: &Grid<'_>, source: &Source<'_>) -> Range<usize> {
    let times = source.times();
    let from = times.partition_point(|&time| time < grid.time.start);
    let to = times.partition_point(|&time| time <= grid.time.end());
    from..to.max(from)
}

/// Whether there is room to distinguish this many keys.
pub(super) fn are_apart(grid: &Grid<'_>, keys: usize, points: f32) -> bool {
    keys as f32 * points <= grid.rect.width()
}

/// The keys of a line where there is room for them, and their handles where there is for those.
pub(super) fn keys(
    painter: &Painter,
    grid: &Grid<'_>,
    line: &Line<'_>,
    selected: Option<KeyId>,
    under_pointer: Option<KeyId>,
    palette: &Palette,
) {
    let Some(source) = &line.source else { return };
    let visible = visible(grid, source);
    let is_one = |key: Option<KeyId>, index: usize| {
        key.is_some_and(|key| line.channel.id.key(index) == Some(key))
    };
    let some = selected.filter(|key| is_one(selected, key.index) && visible.contains(&key.index));
    if !are_apart(grid, visible.len(), POINTS_PER_KEY) {
        // Too many, but for the one that was asked for.
        if let Some(key) = some {
            handles(painter, grid, (line, source), key.index, palette.accent);
            glyph(painter, grid, (line, source), key.index, 5.0, palette.accent, palette);
        }
        return;
    }
    let with_handles = are_apart(grid, visible.len(), POINTS_PER_HANDLE);
    // Handles of keys just outside of the visible range reach in.
    let last = (visible.end + 1).min(source.times().len());
    for index in visible.start.saturating_sub(1)..last {
        let is_selected = is_one(selected, index);
        if with_handles || is_selected {
            let color = if is_selected { palette.accent } else { line.color.gamma_multiply(0.55) };
            handles(painter, grid, (line, source), index, color);
        }
    }
    for index in visible {
        let is_selected = is_one(selected, index);
        let color = if is_selected { palette.accent } else { line.color };
        let is_large = is_selected || is_one(under_pointer, index);
        let size = if is_large { 5.0 } else { 3.2 };
        glyph(painter, grid, (line, source), index, size, color, palette);
    }
}

/// A key's tangent handles, to scale.
fn handles(
    painter: &Painter,
    grid: &Grid<'_>,
    (line, source): (&Line<'_>, &Source<'_>),
    index: usize,
    color: Color32,
) {
    let Some(key) = source.key(index) else { return };
    let handles = source.handles(index);
    let place = grid.place(line, key.time, key.value);
    for end in [handles.before, handles.after].into_iter().flatten() {
        let end = grid.place(line, key.time + end.seconds, key.value + end.value);
        if (end - place).length() < 5.0 {
            continue;
        }
        painter.line_segment([place, end], Stroke::new(1.0, color));
        painter.circle_filled(end, 2.0, color);
    }
}

/// A key: square where it steps, a diamond where it goes on straight, round where smooth.
fn glyph(
    painter: &Painter,
    grid: &Grid<'_>,
    (line, source): (&Line<'_>, &Source<'_>),
    index: usize,
    size: f32,
    color: Color32,
    palette: &Palette,
) {
    let Some(key) = source.key(index).filter(|key| key.value.is_finite()) else {
        return;
    };
    let centre = grid.place(line, key.time, key.value);
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

/// Rings on the curves at the times whose values are shown, hollow unlike keys.
pub(super) fn dots(painter: &Painter, grid: &Grid<'_>, lines: &[Line<'_>], palette: &Palette) {
    for line in lines {
        for ((time, value), size) in line.told.into_iter().zip([2.5, 3.5]) {
            if value.is_finite() && grid.time.shows(time) {
                let place = grid.place(line, time, value);
                painter.circle(place, size, palette.background, Stroke::new(1.5, line.color));
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
        let points = thinned(&stroke, |point| pos2(point.x, point.value as f32));
        assert_eq!(points, [pos2(0.0, 0.0), pos2(49.0, 49.0), pos2(99.0, 49.0)]);
    }

    #[test]
    fn simplified_lines_stay_within_tolerance() {
        let wave = |x: f32| 40.0 * (x * 0.02).sin();
        let point = |x: i32| trace::Point { x: x as f32, value: f64::from(wave(x as f32)) };
        let stroke: trace::Stroke = (0..1000).map(point).collect();
        let points = thinned(&stroke, |point| pos2(point.x, point.value as f32));
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
        let points = thinned(&steps, |point| pos2(point.x, point.value as f32));
        assert_eq!(points.len(), 4, "{points:?}");
    }
}
