//! The recording that is held against the one that plays: a bar that can be dragged, and how far the
//! two are apart.

use bevy_egui::egui::{
    Align2, Color32, CursorIcon, Mesh, PointerButton, Rect, Response, Sense, Stroke, StrokeKind,
    Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::TimelineState;
use crate::{
    compare::{Comparison, Timing},
    session::{Command, Compare, Measured, Source},
    timeline::TimeAxis,
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};

/// How near an end of the bar must be to what it is drawn to, in points.
const NEAR: f32 = 6.0;

/// What was taken hold of: the offset then, and the time under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hold {
    offset: f64,
    time: f64,
}

/// The second recording, from its start to its end; dragged, it is laid earlier or later.
pub(super) fn bar_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    track: Rect,
    axis: &TimeAxis,
    state: &mut TimelineState,
    commands: &mut Vec<Command>,
) {
    let Some(second) = model.counterpart.clip() else { return };
    let timing = model.counterpart.timing();
    let ends = [second.span.start, second.span.end()].map(|time| timing.first(time));
    let [left, right] = ends.map(|time| axis.x_at(time));
    let bar = Rect::from_x_y_ranges(left..=right.max(left + 3.0), track.y_range());
    let seen = bar.shrink2(vec2(0.0, 2.0)).intersect(track);
    let response = ui.interact(seen, ui.id().with("counterpart"), Sense::click_and_drag());
    response.widget_info(|| {
        let label = format!("Second recording, at {} s", words::trimmed(timing.offset, 3));
        WidgetInfo::labeled(WidgetType::Slider, true, label)
    });
    if response.double_clicked() {
        commands.push(Command::Compare(Compare::Lay(Timing { offset: 0.0, ..timing })));
        state.hold = None;
    } else if let Some(offset) = dragged(ui, &response, model, axis, ends, state) {
        commands.push(Command::Compare(Compare::Lay(Timing { offset, ..timing })));
    }
    let is_held = response.hovered() || response.dragged();
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    paint_bar(ui, model, bar, track, is_held);
    if !response.dragged() {
        response.on_hover_text(
            "Drag it to lay the second recording earlier or later; a double click lays it at 0",
        );
    }
}

/// The offset that the bar was dragged to.
fn dragged(
    ui: &Ui,
    response: &Response,
    model: &Model<'_>,
    axis: &TimeAxis,
    ends: [f64; 2],
    state: &mut TimelineState,
) -> Option<f64> {
    let pointer = response.interact_pointer_pos()?;
    let offset = model.counterpart.timing().offset;
    if response.drag_started_by(PointerButton::Primary) {
        let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        state.hold = Some(Hold { offset, time: axis.time_at(from.x) });
    }
    if response.drag_stopped() || !response.dragged_by(PointerButton::Primary) {
        state.hold = None;
        return None;
    }
    let hold = state.hold?;
    let wanted = hold.offset + axis.time_at(pointer.x) - hold.time;
    let modifiers = ui.input(|input| input.modifiers);
    let snaps = state.options.snapping && !modifiers.command && !modifiers.alt;
    let wanted = if snaps { snapped(model, axis, ends, offset, wanted) } else { wanted };
    (wanted != offset).then_some(wanted)
}

/// `wanted`, or the offset near it at which an end of the bar is at an end of the first recording or
/// at the playhead, or nothing is offset at all.
fn snapped(model: &Model<'_>, axis: &TimeAxis, ends: [f64; 2], offset: f64, wanted: f64) -> f64 {
    let clock = model.player.clock();
    let targets = [clock.span().start, clock.span().end(), clock.time()];
    let at_ends = ends.iter().flat_map(|end| targets.map(|target| offset + target - end));
    let distance = |offset: &f64| (offset - wanted).abs();
    let nearest = at_ends
        .chain([0.0])
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
        .unwrap_or(wanted);
    let is_near = distance(&nearest) < f64::from(NEAR) * axis.seconds_per_point;
    if is_near { nearest } else { wanted }
}

fn paint_bar(ui: &Ui, model: &Model<'_>, bar: Rect, track: Rect, is_held: bool) {
    let palette = Palette::of(ui.visuals());
    let color = palette.counterpart;
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    let bar = bar.shrink2(vec2(0.0, 2.0));
    painter.rect_filled(bar, 3.0, palette.tint(color, if is_held { 0.45 } else { 0.3 }));
    let edge = Stroke::new(1.0, palette.tint(color, 0.8));
    painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    let name = model.files.against.as_ref().map(Source::name).unwrap_or_default();
    let place = bar.intersect(track).left_center() + vec2(6.0, 0.0);
    painter.text(place, Align2::LEFT_CENTER, name, small(), palette.text);
}

/// What the lane of distances is about: the selected joint, if it has a like, else all.
pub(super) fn subject(model: &Model<'_>) -> String {
    let selected = model.view.selected.filter(|node| model.counterpart.like(*node).is_some());
    let node = selected.and_then(|node| model.player.clip()?.nodes.get(node.index()));
    match node {
        Some(node) => format!("Apart: {}", node.name),
        None => "Apart: all joints".to_owned(),
    }
}

/// How far the two are apart at each time.
pub(super) fn apart_ui(ui: &mut Ui, model: &Model<'_>, track: Rect, axis: &TimeAxis) {
    let measured = model.comparing.measured(model.player, model.counterpart);
    let Some(measured) = measured else { return };
    let Ok(comparison) = &measured.comparison else { return };
    let distances = distances(model, comparison, measured);
    let most = distances.iter().flatten().copied().fold(0.0, f64::max);
    let columns = columns(&comparison.times, distances, axis);
    let palette = Palette::of(ui.visuals());
    // What was measured of another offset is on its way out.
    let strength = if model.comparing.is_measuring() { 0.5 } else { 1.0 };
    let color = |part: f32| palette.tint(palette.counterpart, strength * (0.35 + 0.6 * part));
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    painter.add(silhouette(&columns, most, track, color));
    let response = ui.interact(track, ui.id().with("apart"), Sense::hover());
    let said = format!("at most {}", words::distance(most));
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Other, true, format!("{}: {said}", subject(model)))
    });
    let font = small();
    let galley = painter.layout_no_wrap(said, font, palette.text);
    let place = Align2::RIGHT_TOP.anchor_size(track.right_top() - vec2(4.0, -2.0), galley.size());
    painter.rect_filled(place.expand(2.0), 2.0, palette.background.gamma_multiply(0.7));
    painter.galley(place.min, galley, palette.text);
    let Some(pointer) = response.hover_pos() else { return };
    let column = (pointer.x - axis.left) as usize;
    if let Some(Some(apart)) = columns.get(column) {
        let time = words::clock_time(axis.time_at(pointer.x));
        response.on_hover_text_at_pointer(format!("{} apart at {time}", words::distance(*apart)));
    }
}

/// Those of the selected joint, if it has a like, else of all together.
fn distances<'a>(
    model: &Model<'_>,
    comparison: &'a Comparison,
    measured: &'a Measured,
) -> &'a [Option<f64>] {
    let of_selected = model.view.selected.and_then(|selected| {
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
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::{
        asset::ClipAsset,
        timeline::Window,
        ui::testing::{Desk, show, two_hands},
    };

    /// What dragging the bar by so many points asks for; 100 points are a second.
    fn dragged_by(points: f32) -> Vec<Command> {
        let mut desk = Desk::<TimelineState>::with_two_hands();
        desk.counterpart.open(ClipAsset::new(two_hands()));
        let mut lane = show(desk, [400.0, 40.0], |ui, model, state, commands| {
            let track = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 18.0));
            let axis = TimeAxis::new(Window { start: 0.0, end: 4.0 }, 0.0, 400.0);
            bar_ui(ui, model, track, &axis, state, commands);
        });
        let from = pos2(100.0, 9.0);
        lane.hover_at(from);
        lane.step();
        lane.drag_at(from);
        lane.step();
        for part in [0.5, 1.0] {
            lane.hover_at(from + vec2(part * points, 0.0));
            lane.step();
        }
        let asked = lane.state_mut().take_commands();
        lane.drop_at(from + vec2(points, 0.0));
        lane.step();
        assert_eq!(lane.state().state.hold, None);
        asked
    }

    #[test]
    fn the_bar_is_dragged_and_drawn_to_ends() {
        let asked = dragged_by(50.0);
        let Some(Command::Compare(Compare::Lay(timing))) = asked.last() else {
            panic!("{asked:?}")
        };
        assert!((timing.offset - 0.5).abs() < 1e-6 && timing.rate == 1.0, "{timing:?}");
        assert_eq!(dragged_by(4.0), [], "near where it was it stays there");
    }

    #[test]
    fn a_double_click_lays_it_at_nought() {
        let mut desk = Desk::<TimelineState>::with_two_hands();
        desk.counterpart.open(ClipAsset::new(two_hands()));
        desk.counterpart.set_timing(Timing { offset: 0.75, rate: 2.0 });
        let mut lane = show(desk, [400.0, 40.0], |ui, model, state, commands| {
            let track = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 18.0));
            let axis = TimeAxis::new(Window { start: 0.0, end: 4.0 }, 0.0, 400.0);
            bar_ui(ui, model, track, &axis, state, commands);
        });
        let bar = lane.get_by_label("Second recording, at 0.75 s");
        bar.click();
        bar.click();
        lane.run();
        let expected = Compare::Lay(Timing { offset: 0.0, rate: 2.0 });
        assert_eq!(lane.state_mut().take_commands(), [Command::Compare(expected)]);
    }

    #[test]
    fn a_column_shows_the_farthest_within_it_and_gaps_stay_gaps() {
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
