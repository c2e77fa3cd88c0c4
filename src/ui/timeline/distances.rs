//! The lane of distances from the compared recording, over time.

use bevy_egui::egui::{Align2, Color32, Mesh, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::{
    label::{self, TRIANGLE},
    row::{RowRects, line_ui},
};
use crate::{
    session::{Comparing, Measured},
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};
use mutoscope_core::measure::{compare::Comparison, timeline::TimeAxis};

/// The subject of the lane: the selected joint, if it is matched, else all joints.
fn subject(model: &Model<'_>, comparing: &Comparing) -> String {
    let base = base(model);
    let selected = base.and_then(|base| base.selected());
    let selected = selected.filter(|node| comparing.matching().matched(*node).is_some());
    let node = selected.and_then(|node| base?.clip()?.nodes.get(node.index()));
    match node {
        Some(node) => format!("Distance: {}", node.name),
        None => "Distance: all joints".to_owned(),
    }
}

/// The model of the recording that this one is compared with.
fn base<'a>(model: &Model<'a>) -> Option<Model<'a>> {
    let base = model.open()?.overlay?.base;
    model.each().find(|one| one.open().is_some_and(|open| open.entity == base))
}

/// The label of the lane, and how far the recording is from the other at each time; `axis` is the
/// clock's.
pub(super) fn distances_ui(ui: &mut Ui, model: &Model<'_>, place: &RowRects, axis: &TimeAxis) {
    let Some((comparing, base)) = model.open().and_then(|open| open.comparing).zip(base(model))
    else {
        return;
    };
    let palette = Palette::of(ui.visuals());
    let text = subject(model, comparing);
    let label = place.label.with_min_x(place.label.left() + TRIANGLE);
    if label::text_ui(ui, label, &text, palette.text) {
        let id = ui.id().with("distance label");
        ui.interact(label, id, Sense::hover()).on_hover_text(&text);
    }
    if let Some(measured) = comparing.measured() {
        // Distances are at times of the recording that it is compared with.
        lane_ui(ui, model, (comparing, measured), place.track, &base.axis(axis), &text);
    }
    line_ui(ui, place);
}

fn lane_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    (comparing, measured): (&Comparing, &Measured),
    track: Rect,
    axis: &TimeAxis,
    subject: &str,
) {
    let Ok(comparison) = &measured.comparison else { return };
    let distances = distances(model, comparison, measured);
    let most = distances.iter().flatten().copied().fold(0.0, f64::max);
    let columns = columns(&comparison.times, distances, axis);
    let palette = Palette::of(ui.visuals());
    let tint = palette.recording(model.focus);
    // Distances at another offset are outdated.
    let strength = if comparing.is_measuring() { 0.5 } else { 1.0 };
    let color = |part: f32| palette.tint(tint, strength * (0.35 + 0.6 * part));
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    painter.add(silhouette(&columns, most, track, color));
    let response = ui.interact(track, ui.id().with("distances"), Sense::hover());
    let said = format!("max {}", words::distance(most));
    response
        .widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, format!("{subject}: {said}")));
    let galley = painter.layout_no_wrap(said, small(), palette.text);
    let place = Align2::RIGHT_TOP.anchor_size(track.right_top() - vec2(4.0, -2.0), galley.size());
    painter.rect_filled(place.expand(2.0), 2.0, palette.background.gamma_multiply(0.7));
    painter.galley(place.min, galley, palette.text);
    let Some(pointer) = response.hover_pos() else { return };
    let column = (pointer.x - axis.left) as usize;
    if let Some(Some(metres)) = columns.get(column) {
        let time = words::clock_time(axis.time_at(pointer.x));
        response.on_hover_text_at_pointer(format!("{} at {time}", words::distance(*metres)));
    }
}

/// The distances of the selected joint, if it is matched, else of all together.
fn distances<'a>(
    model: &Model<'_>,
    comparison: &'a Comparison,
    measured: &'a Measured,
) -> &'a [Option<f64>] {
    let of_selected = base(model).and_then(|base| base.selected()).and_then(|selected| {
        let mut all = comparison.deviations.iter();
        all.find(|one| one.joints.first == selected)
    });
    of_selected.map_or(&*measured.together, |one| &one.distances)
}

/// The greatest distance within each point of the axis; between two that were looked at farther apart
/// than that, the first of them.
fn columns(times: &[f64], distances: &[Option<f64>], axis: &TimeAxis) -> Vec<Option<f64>> {
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

/// Columns as high as they are far, over the most.
fn silhouette(
    columns: &[Option<f64>],
    most: f64,
    track: Rect,
    color: impl Fn(f32) -> Color32,
) -> Mesh {
    let mut mesh = Mesh::default();
    let room = track.height() - 3.0;
    for (index, apart) in columns.iter().enumerate() {
        let Some(apart) = apart else { continue };
        let part = if most > 0.0 { (apart / most) as f32 } else { 0.0 };
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
    use mutoscope_core::measure::timeline::Window;

    #[test]
    fn distance_columns_show_the_maximum_and_keep_gaps() {
        let axis = TimeAxis::new(Window { start: 0.0, end: 10.0 }, 0.0, 10.0);
        let times = [1.0, 1.25, 1.5, 4.5, 6.0, 8.0];
        let distances = [Some(1.0), Some(3.0), Some(2.0), None, Some(5.0), Some(6.0)];
        let columns = columns(&times, &distances, &axis);
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
