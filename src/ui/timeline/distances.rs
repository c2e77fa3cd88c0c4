//! The lane that shows the distance from the compared recording over time.

use bevy_egui::egui::{Align2, Color32, Mesh, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::{
    label::{self, TRIANGLE_WIDTH},
    row::{RowRects, line_ui},
};
use crate::{
    session::{Comparing, MeasuredDistances},
    ui::{
        Model, display_text,
        style::{Palette, small_font},
    },
};
use mutoscope_core::measure::compare::Comparison;
use mutoscope_view::timeline::TimeAxis;

fn lane_title(model: &Model<'_>, comparing: &Comparing) -> String {
    let base = base_model(model);
    let selected = base.and_then(|base| base.selected());
    let selected = selected.filter(|node| comparing.matching().matched(*node).is_some());
    let node = selected.and_then(|node| base?.clip()?.nodes.get(node.index()));
    match node {
        Some(node) => format!("Distance: {}", node.name),
        None => "Distance: all joints".to_owned(),
    }
}

fn base_model<'a>(model: &Model<'a>) -> Option<Model<'a>> {
    let base = model.open()?.overlay?.base;
    model.models().find(|one| one.open().is_some_and(|open| open.entity == base))
}

/// Shows the title and the distances. `axis` is in clock time.
pub(super) fn distances_ui(ui: &mut Ui, model: &Model<'_>, rects: &RowRects, axis: &TimeAxis) {
    let Some((comparing, base)) =
        model.open().and_then(|open| open.comparing()).zip(base_model(model))
    else {
        return;
    };
    let palette = Palette::for_visuals(ui.visuals());
    let text = lane_title(model, comparing);
    let label = rects.label.with_min_x(rects.label.left() + TRIANGLE_WIDTH);
    if label::elided_text_ui(ui, label, &text, palette.text) {
        let id = ui.id().with("distance label");
        ui.interact(label, id, Sense::hover()).on_hover_text(&text);
    }
    // The distances were measured at times of the base recording, so convert the axis to its clip
    // time.
    lane_ui(ui, model, comparing, rects.track, &base.to_clip_axis(axis), &text);
    line_ui(ui, rects);
}

fn lane_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    comparing: &Comparing,
    track: Rect,
    axis: &TimeAxis,
    title: &str,
) {
    let Some(measured) = comparing.measured() else { return };
    let Ok(comparison) = &measured.comparison else { return };
    let distances = shown_distances(model, comparison, measured);
    let max = distances.iter().flatten().copied().fold(0.0, f64::max);
    let columns = max_per_column(&comparison.times, distances, axis);
    let palette = Palette::for_visuals(ui.visuals());
    let tint = palette.recording_color(model.focus);
    // Dim the distances while they are measured again, because the shown distances belong to the
    // previous offset.
    let strength = if comparing.is_measuring() { 0.5 } else { 1.0 };
    let color = |part: f32| palette.tint(tint, strength * (0.35 + 0.6 * part));
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    painter.add(column_mesh(&columns, max, track, color));
    let response = ui.interact(track, ui.id().with("distances"), Sense::hover());
    let max_text = format!("max {}", display_text::format_distance(max));
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Other, true, format!("{title}: {max_text}"))
    });
    let galley = painter.layout_no_wrap(max_text, small_font(), palette.text);
    let text_rect =
        Align2::RIGHT_TOP.anchor_size(track.right_top() - vec2(4.0, -2.0), galley.size());
    painter.rect_filled(text_rect.expand(2.0), 2.0, palette.background.gamma_multiply(0.7));
    painter.galley(text_rect.min, galley, palette.text);
    let Some(pointer) = response.hover_pos() else { return };
    let column = (pointer.x - axis.left) as usize;
    if let Some(Some(metres)) = columns.get(column) {
        let time = display_text::format_clock_time(axis.time_at(pointer.x));
        response.on_hover_text_at_pointer(format!(
            "{} at {time}",
            display_text::format_distance(*metres)
        ));
    }
}

fn shown_distances<'a>(
    model: &Model<'_>,
    comparison: &'a Comparison,
    measured: &'a MeasuredDistances,
) -> &'a [Option<f64>] {
    let of_selected = base_model(model).and_then(|base| base.selected()).and_then(|selected| {
        let mut all = comparison.deviations.iter();
        all.find(|one| one.joints.first == selected)
    });
    of_selected.map_or(&*measured.rms_distances, |one| &one.distances)
}

/// Returns the maximum distance in each column of the axis. Columns are one point wide. A column
/// without samples repeats the distance of the previous sample.
fn max_per_column(times: &[f64], distances: &[Option<f64>], axis: &TimeAxis) -> Vec<Option<f64>> {
    let count = axis.width().ceil().max(1.0) as usize;
    let mut next = times.partition_point(|&time| time < axis.start);
    let column = |index: usize| {
        let end = axis.time_after(index as f64 + 1.0);
        let first = next;
        while next < times.len() && times[next] < end {
            next += 1;
        }
        let inside = distances.get(first..next).unwrap_or_default().iter().flatten().copied();
        let held = || {
            let before = first.checked_sub(1).filter(|_| first < times.len())?;
            distances.get(before).copied().flatten()
        };
        inside.reduce(f64::max).or_else(|| if first == next { held() } else { None })
    };
    (0..count).map(column).collect()
}

fn column_mesh(
    columns: &[Option<f64>],
    max: f64,
    track: Rect,
    color: impl Fn(f32) -> Color32,
) -> Mesh {
    let mut mesh = Mesh::default();
    let room = track.height() - 3.0;
    for (index, distance) in columns.iter().enumerate() {
        let Some(distance) = distance else { continue };
        let part = if max > 0.0 { (distance / max) as f32 } else { 0.0 };
        let left = track.left() + index as f32;
        let bottom = track.bottom() - 1.5;
        let top = bottom - (room * part).max(1.0);
        let rect = Rect::from_min_max(pos2(left, top), pos2(left + 1.0, bottom));
        mesh.add_colored_rect(rect, color(part));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_view::timeline::TimeWindow;

    #[test]
    fn distance_columns_show_the_maximum_and_keep_gaps() {
        let axis = TimeAxis::new(TimeWindow { start: 0.0, end: 10.0 }, 0.0, 10.0);
        let times = [1.0, 1.25, 1.5, 4.5, 6.0, 8.0];
        let distances = [Some(1.0), Some(3.0), Some(2.0), None, Some(5.0), Some(6.0)];
        let columns = max_per_column(&times, &distances, &axis);
        let expected = [
            None,
            Some(3.0),
            Some(2.0),
            Some(2.0),
            None,
            None,
            Some(5.0),
            Some(5.0),
            Some(6.0),
            None,
        ];
        assert_eq!(columns, expected);
    }
}
