//! The bar of a recording on the clock shows its name and when it plays. Dragging it changes the
//! offset.

use bevy::prelude::Entity;
use bevy_egui::egui::{
    Align2, CursorIcon, PointerButton, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, vec2,
};

use super::{
    TimelineState,
    label::{self, TRIANGLE_WIDTH},
    row::{RowRects, line_ui},
};
use crate::{
    session::{Command, CompareCommand, OpenRecording},
    ui::{
        Model, display_text,
        icons::{self, Icon},
        style::{Palette, small_font},
        widgets::toggle_in_set,
    },
};
use mutoscope_core::{measure::compare::Timing, playback::Clock};
use mutoscope_view::timeline::TimeAxis;

const SNAP_DISTANCE: f32 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarOwner {
    /// A recording.
    Recording(Entity),
    /// The reference footage.
    Footage,
}

pub(super) struct OffsetBar {
    pub(super) owner: BarOwner,
    /// In seconds.
    pub(super) offset: f64,
    /// The start and end in clock time, in seconds.
    pub(super) ends: [f64; 2],
}

/// A drag of a bar. Has the offset and the time under the pointer at the start of the drag, both in
/// seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BarDrag {
    owner: BarOwner,
    start_offset: f64,
    start_time: f64,
}

pub(super) fn recording_bar_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    rects: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some(open) = model.open() else { return };
    header_ui(ui, model, open, rects.label, state);
    let timing = model.timing();
    let span = open.clip().span;
    let ends = [span.start, span.end()].map(|time| timing.to_clock_time(time));
    let [left, right] = ends.map(|time| axis.x_at(time));
    let bar = Rect::from_x_y_ranges(left..=right.max(left + 3.0), rects.track.y_range());
    let visible = bar.shrink2(vec2(0.0, 2.0)).intersect(rects.track);
    let is_movable = open.index > 0;
    let sense = if is_movable { Sense::click_and_drag() } else { Sense::hover() };
    let response = ui.interact(visible, ui.id().with("bar"), sense);
    response.widget_info(|| {
        let offset = display_text::format_decimal(timing.offset, 3);
        let label = format!("Recording {}, offset {offset} s", open.letter());
        WidgetInfo::labeled(WidgetType::Slider, is_movable, label)
    });
    let retime = |timing| Command::Compare(CompareCommand::SetTiming(open.entity, timing));
    let held = OffsetBar { owner: BarOwner::Recording(open.entity), offset: timing.offset, ends };
    if is_movable && response.double_clicked() {
        model.send(retime(Timing { offset: 0.0, ..timing }));
        state.bar_drag = None;
    } else if is_movable
        && let Some(offset) = dragged_offset(ui, &response, model.clock, axis, &held, state)
    {
        model.send(retime(Timing { offset, ..timing }));
    }
    let is_held = is_movable && (response.hovered() || response.dragged());
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    paint_bar(ui, model, bar, rects.track, is_held);
    line_ui(ui, rects);
    if is_movable && !response.dragged() {
        response.on_hover_text("Drag to change the offset; double-click to reset it to 0");
    }
}

fn header_ui(
    ui: &Ui,
    model: &Model<'_>,
    open: &OpenRecording<'_>,
    rect: Rect,
    state: &mut TimelineState,
) {
    let palette = Palette::for_visuals(ui.visuals());
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
    icons::paint(ui.painter(), rect.with_max_x(rect.left() + TRIANGLE_WIDTH), icon, palette.dim);
    let color = palette.recording_color(model.focus);
    let text = format!("{}  {name}", open.letter());
    if label::elided_text_ui(ui, rect.with_min_x(rect.left() + TRIANGLE_WIDTH), &text, color) {
        response.clone().on_hover_text(&name);
    }
    if response.clicked() {
        toggle_in_set(&mut state.collapsed, open.entity);
    }
}

pub(super) fn dragged_offset(
    ui: &Ui,
    response: &Response,
    clock: &Clock,
    axis: &TimeAxis,
    bar: &OffsetBar,
    state: &mut TimelineState,
) -> Option<f64> {
    let pointer = response.interact_pointer_pos()?;
    let (owner, offset) = (bar.owner, bar.offset);
    if response.drag_started_by(PointerButton::Primary) {
        let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        state.bar_drag =
            Some(BarDrag { owner, start_offset: offset, start_time: axis.time_at(from.x) });
    }
    if response.drag_stopped() || !response.dragged_by(PointerButton::Primary) {
        state.bar_drag = None;
        return None;
    }
    let drag = state.bar_drag.filter(|drag| drag.owner == owner)?;
    let wanted = drag.start_offset + axis.time_at(pointer.x) - drag.start_time;
    let modifiers = ui.input(|input| input.modifiers);
    let snaps = state.options.snapping && !modifiers.command && !modifiers.alt;
    let wanted = if snaps { snapped_offset(clock, axis, bar, wanted) } else { wanted };
    (wanted != offset).then_some(wanted)
}

fn snapped_offset(clock: &Clock, axis: &TimeAxis, bar: &OffsetBar, wanted: f64) -> f64 {
    let OffsetBar { offset, ends, .. } = *bar;
    let targets = [clock.span().start, clock.span().end(), clock.time()];
    let at_ends = ends.iter().flat_map(|end| targets.map(|target| offset + target - end));
    let distance = |offset: &f64| (offset - wanted).abs();
    let nearest = at_ends
        .chain([0.0])
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
        .unwrap_or(wanted);
    let is_near = distance(&nearest) < f64::from(SNAP_DISTANCE) * axis.seconds_per_point;
    if is_near { nearest } else { wanted }
}

fn paint_bar(ui: &Ui, model: &Model<'_>, bar: Rect, track: Rect, is_held: bool) {
    let palette = Palette::for_visuals(ui.visuals());
    let color = palette.recording_color(model.focus);
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    let bar = bar.shrink2(vec2(0.0, 2.0));
    painter.rect_filled(bar, 3.0, palette.tint(color, if is_held { 0.45 } else { 0.3 }));
    let edge = Stroke::new(1.0, palette.tint(color, 0.8));
    painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    let Timing { offset, rate } = model.timing();
    let mut text = String::new();
    // A smaller offset would be shown as zero.
    if offset.abs() >= 0.0005 {
        text = format!("{offset:+.3} s");
    }
    if rate != 1.0 {
        text = format!("{text}  ×{}", display_text::format_decimal(rate, 3));
    }
    let text_position = bar.intersect(track).left_center() + vec2(6.0, 0.0);
    painter.text(text_position, Align2::LEFT_CENTER, text.trim_start(), small_font(), palette.text);
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::pos2;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, PanelUi, drag, show, two_hands};
    use mutoscope_view::timeline::TimeWindow;

    const LANE: PanelUi<TimelineState> = |ui, model, state| {
        let track = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 18.0));
        let label = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 18.0));
        let axis = TimeAxis::new(TimeWindow { start: 0.0, end: 4.0 }, 100.0, 500.0);
        recording_bar_ui(ui, &model.for_recording(1), &RowRects { label, track }, &axis, state);
    };

    fn fixture(timing: Timing) -> PanelFixture<TimelineState> {
        let mut fixture = PanelFixture::with_two_hands();
        fixture.compare_with(two_hands(), timing);
        fixture
    }

    fn commands_of_drag(points: f32) -> Vec<Command> {
        let mut lane = show(fixture(Timing::default()), [500.0, 40.0], LANE);
        let from = pos2(200.0, 9.0);
        drag(&mut lane, from, points);
        let commands = lane.state_mut().take_commands();
        lane.drop_at(from + vec2(points, 0.0));
        lane.step();
        assert_eq!(lane.state().state.bar_drag, None);
        commands
    }

    #[test]
    fn recording_bar_drags_and_snaps() {
        let commands = commands_of_drag(50.0);
        let Some(Command::Compare(CompareCommand::SetTiming(_, timing))) = commands.last() else {
            panic!("{commands:?}")
        };
        assert!((timing.offset - 0.5).abs() < 1e-6 && timing.rate == 1.0, "{timing:?}");
        assert_eq!(commands_of_drag(4.0), [], "the bar snaps back to its offset");
    }

    #[test]
    fn a_double_click_resets_the_offset() {
        let mut lane = show(fixture(Timing { offset: 0.75, rate: 2.0 }), [500.0, 40.0], LANE);
        let bar = lane.get_by_label("Recording B, offset 0.75 s");
        bar.click();
        bar.click();
        lane.run();
        let commands = lane.state_mut().take_commands();
        let [Command::Compare(CompareCommand::SetTiming(_, timing))] = commands[..] else {
            panic!("{commands:?}")
        };
        assert_eq!(timing, Timing { offset: 0.0, rate: 2.0 });
    }

    #[test]
    fn reference_bar_cannot_be_dragged() {
        let mut lane = show(fixture(Timing::default()), [500.0, 40.0], |ui, model, state| {
            LANE(ui, &Model { recordings: &model.recordings[..1], ..*model }, state);
            let track = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 18.0));
            let label = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 18.0));
            let axis = TimeAxis::new(TimeWindow { start: 0.0, end: 4.0 }, 100.0, 500.0);
            recording_bar_ui(ui, &model.for_recording(0), &RowRects { label, track }, &axis, state);
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
