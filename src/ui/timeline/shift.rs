//! The bar of a recording on the clock: its name, when it plays, and dragging it earlier or later.

use bevy::prelude::Entity;
use bevy_egui::egui::{
    Align2, CursorIcon, PointerButton, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, vec2,
};

use super::{
    TimelineState,
    label::{self, TRIANGLE},
    row::{RowRects, line_ui},
};
use crate::{
    session::{Command, Compare, OpenRecording},
    ui::{
        Model,
        icons::{self, Icon},
        style::{Palette, small},
        widgets::toggle,
        words,
    },
};
use mutoscope_core::{
    measure::{compare::Timing, timeline::TimeAxis},
    playback::Clock,
};

/// How near an end of the bar must be to what it snaps to, in points.
const NEAR: f32 = 6.0;

/// The owner of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarOf {
    /// A recording.
    Recording(Entity),
    /// The reference footage.
    Footage,
}

/// A bar that is dragged to another offset.
pub(super) struct Bar {
    pub(super) of: BarOf,
    /// Its offset, in seconds.
    pub(super) offset: f64,
    /// Where it starts and ends on the clock, in seconds.
    pub(super) ends: [f64; 2],
}

/// The bar that is dragged: what it is of, the offset when the drag began, and the time under the
/// pointer then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hold {
    of: BarOf,
    offset: f64,
    time: f64,
}

/// The header of a recording's rows, and its bar from its start to its end. That of the reference
/// stays where it is; any other is dragged to another offset.
pub(super) fn bar_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    place: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some(open) = model.open() else { return };
    header_ui(ui, model, open, place.label, state);
    let timing = model.timing();
    let span = open.clip().span;
    let ends = [span.start, span.end()].map(|time| timing.first(time));
    let [left, right] = ends.map(|time| axis.x_at(time));
    let bar = Rect::from_x_y_ranges(left..=right.max(left + 3.0), place.track.y_range());
    let seen = bar.shrink2(vec2(0.0, 2.0)).intersect(place.track);
    let moves = open.index > 0;
    let sense = if moves { Sense::click_and_drag() } else { Sense::hover() };
    let response = ui.interact(seen, ui.id().with("bar"), sense);
    response.widget_info(|| {
        let offset = words::trimmed(timing.offset, 3);
        let label = format!("Recording {}, offset {offset} s", open.letter());
        WidgetInfo::labeled(WidgetType::Slider, moves, label)
    });
    let retime = |timing| Command::Compare(Compare::SetTiming(open.entity, timing));
    let held = Bar { of: BarOf::Recording(open.entity), offset: timing.offset, ends };
    if moves && response.double_clicked() {
        model.send(retime(Timing { offset: 0.0, ..timing }));
        state.hold = None;
    } else if moves && let Some(offset) = dragged(ui, &response, model.clock, axis, &held, state) {
        model.send(retime(Timing { offset, ..timing }));
    }
    let is_held = moves && (response.hovered() || response.dragged());
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    paint_bar(ui, model, bar, place.track, is_held);
    line_ui(ui, place);
    if moves && !response.dragged() {
        response.on_hover_text("Drag to change the offset; double-click to reset it to 0");
    }
}

/// The letter and name of a recording; a click collapses its rows.
fn header_ui(
    ui: &Ui,
    model: &Model<'_>,
    open: &OpenRecording<'_>,
    rect: Rect,
    state: &mut TimelineState,
) {
    let palette = Palette::of(ui.visuals());
    let is_collapsed = state.collapsed.contains(&open.entity);
    let name = open.source.name();
    let response = ui.interact(rect, ui.id().with("header"), Sense::click());
    let verb = if is_collapsed { "Expand" } else { "Collapse" };
    response.widget_info(|| {
        let label = format!("{verb} recording {}", open.letter());
        WidgetInfo::labeled(WidgetType::Button, true, label)
    });
    if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let icon = if is_collapsed { Icon::ChevronRight } else { Icon::ChevronDown };
    icons::paint(ui.painter(), rect.with_max_x(rect.left() + TRIANGLE), icon, palette.dim);
    let color = palette.recording(model.focus);
    let text = format!("{}  {name}", open.letter());
    if label::text_ui(ui, rect.with_min_x(rect.left() + TRIANGLE), &text, color) {
        response.clone().on_hover_text(&name);
    }
    if response.clicked() {
        toggle(&mut state.collapsed, open.entity);
    }
}

/// The offset that the bar was dragged to.
pub(super) fn dragged(
    ui: &Ui,
    response: &Response,
    clock: &Clock,
    axis: &TimeAxis,
    bar: &Bar,
    state: &mut TimelineState,
) -> Option<f64> {
    let pointer = response.interact_pointer_pos()?;
    let (of, offset) = (bar.of, bar.offset);
    if response.drag_started_by(PointerButton::Primary) {
        let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        state.hold = Some(Hold { of, offset, time: axis.time_at(from.x) });
    }
    if response.drag_stopped() || !response.dragged_by(PointerButton::Primary) {
        state.hold = None;
        return None;
    }
    let hold = state.hold.filter(|hold| hold.of == of)?;
    let wanted = hold.offset + axis.time_at(pointer.x) - hold.time;
    let modifiers = ui.input(|input| input.modifiers);
    let snaps = state.options.snapping && !modifiers.command && !modifiers.alt;
    let wanted = if snaps { snapped(clock, axis, bar, wanted) } else { wanted };
    (wanted != offset).then_some(wanted)
}

/// `wanted`, or the offset near it at which an end of the bar is at an end of the clock or at the
/// playhead, or the offset is 0.
fn snapped(clock: &Clock, axis: &TimeAxis, bar: &Bar, wanted: f64) -> f64 {
    let Bar { offset, ends, .. } = *bar;
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
    let color = palette.recording(model.focus);
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    let bar = bar.shrink2(vec2(0.0, 2.0));
    painter.rect_filled(bar, 3.0, palette.tint(color, if is_held { 0.45 } else { 0.3 }));
    let edge = Stroke::new(1.0, palette.tint(color, 0.8));
    painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    let Timing { offset, rate } = model.timing();
    let mut text = String::new();
    // Less would be shown as zero.
    if offset.abs() >= 0.0005 {
        text = format!("{offset:+.3} s");
    }
    if rate != 1.0 {
        text = format!("{text}  ×{}", words::trimmed(rate, 3));
    }
    let place = bar.intersect(track).left_center() + vec2(6.0, 0.0);
    painter.text(place, Align2::LEFT_CENTER, text.trim_start(), small(), palette.text);
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::pos2;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{Desk, PanelUi, drag, show, two_hands};
    use mutoscope_core::measure::timeline::Window;

    /// The bar of B alone; 100 points are a second.
    const LANE: PanelUi<TimelineState> = |ui, model, state| {
        let track = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 18.0));
        let label = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 18.0));
        let axis = TimeAxis::new(Window { start: 0.0, end: 4.0 }, 100.0, 500.0);
        bar_ui(ui, &model.looking_at(1), &RowRects { label, track }, &axis, state);
    };

    fn desk(timing: Timing) -> Desk<TimelineState> {
        let mut desk = Desk::with_two_hands();
        desk.compare_with(two_hands(), timing);
        desk
    }

    /// The commands of dragging the bar by this many points.
    fn dragged_by(points: f32) -> Vec<Command> {
        let mut lane = show(desk(Timing::default()), [500.0, 40.0], LANE);
        let from = pos2(200.0, 9.0);
        drag(&mut lane, from, points);
        let asked = lane.state_mut().take_commands();
        lane.drop_at(from + vec2(points, 0.0));
        lane.step();
        assert_eq!(lane.state().state.hold, None);
        asked
    }

    #[test]
    fn recording_bar_drags_and_snaps() {
        let asked = dragged_by(50.0);
        let Some(Command::Compare(Compare::SetTiming(_, timing))) = asked.last() else {
            panic!("{asked:?}")
        };
        assert!((timing.offset - 0.5).abs() < 1e-6 && timing.rate == 1.0, "{timing:?}");
        assert_eq!(dragged_by(4.0), [], "near its offset it stays there");
    }

    #[test]
    fn a_double_click_resets_the_offset() {
        let mut lane = show(desk(Timing { offset: 0.75, rate: 2.0 }), [500.0, 40.0], LANE);
        let bar = lane.get_by_label("Recording B, offset 0.75 s");
        bar.click();
        bar.click();
        lane.run();
        let asked = lane.state_mut().take_commands();
        let [Command::Compare(Compare::SetTiming(_, timing))] = asked[..] else {
            panic!("{asked:?}")
        };
        assert_eq!(timing, Timing { offset: 0.0, rate: 2.0 });
    }

    #[test]
    fn reference_bar_cannot_be_dragged() {
        let mut lane = show(desk(Timing::default()), [500.0, 40.0], |ui, model, state| {
            LANE(ui, &Model { recordings: &model.recordings[..1], ..*model }, state);
            let track = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 18.0));
            let label = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 18.0));
            let axis = TimeAxis::new(Window { start: 0.0, end: 4.0 }, 100.0, 500.0);
            bar_ui(ui, &model.looking_at(0), &RowRects { label, track }, &axis, state);
        });
        let from = pos2(200.0, 9.0);
        lane.hover_at(from);
        lane.step();
        lane.drag_at(from);
        lane.step();
        lane.hover_at(from + vec2(60.0, 0.0));
        lane.step();
        assert_eq!(lane.state_mut().take_commands(), []);
    }
}
