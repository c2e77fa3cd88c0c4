//! Shows the whole recording in a strip: the density of its keys, and the visible window. The
//! window can be moved, and its ends can be dragged.

use bevy_egui::egui::{
    Color32, CursorIcon, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use super::{TimelineState, keys, layout::Areas};
use crate::ui::{
    Model, display_text,
    style::{Palette, small_font, snap_to_pixel},
};
use mutoscope_core::clip::Span;
use mutoscope_view::timeline::{TimeAxis, TimeWindow};

const GRAB_RADIUS: f32 = 6.0;

const MIN_WINDOW_WIDTH: f32 = 1.0;

const MIN_MARKED_WIDTH: f32 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OverviewDrag {
    /// Moves the left end. The right end stays at `end`.
    Start { end: f64 },
    /// Moves the right end. The left end stays at `start`.
    End { start: f64 },
    /// Moves the whole window. `from_start` is the distance from its left end to the pointer, in
    /// points.
    Move { from_start: f32 },
}

pub(super) fn overview_ui(
    ui: &Ui,
    model: &Model<'_>,
    areas: &Areas,
    shown: &TimeAxis,
    state: &mut TimelineState,
) -> Option<TimeWindow> {
    let all = whole_axis(model, areas);
    let response = ui.interact(areas.overview, ui.id().with("overview"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Overview"));
    let ends = window_edges(&all, shown);
    let pressed = ui.input(|input| input.pointer.primary_pressed());
    let pointer = response.interact_pointer_pos();
    if let Some(pointer) = pointer.filter(|_| pressed && response.is_pointer_button_down_on()) {
        state.overview_drag = Some(begin_drag(pointer, &all, shown, ends));
    }
    set_cursor(ui, response.hover_pos(), state.overview_drag, ends);
    let drag = state.overview_drag?;
    if !ui.input(|input| input.pointer.primary_down()) {
        state.overview_drag = None;
    }
    if response.double_clicked() {
        state.overview_drag = None;
        return Some(TimeWindow::around(model.clock.span()));
    }
    let pointer = ui.input(|input| input.pointer.latest_pos())?;
    Some(window_after_drag(drag, pointer.x, &all, shown, model.clock.span()))
}

fn whole_axis(model: &Model<'_>, areas: &Areas) -> TimeAxis {
    TimeAxis::new(TimeWindow::around(model.clock.span()), areas.x.min, areas.x.max)
}

fn window_edges(all: &TimeAxis, shown: &TimeAxis) -> (f32, f32) {
    let (start, end) = (all.x_at(shown.start), all.x_at(shown.end));
    let widening = 0.5 * (MIN_MARKED_WIDTH - (end - start)).max(0.0);
    ((start - widening).max(all.left), (end + widening).min(all.right))
}

fn begin_drag(
    pointer: Pos2,
    all: &TimeAxis,
    shown: &TimeAxis,
    (start, end): (f32, f32),
) -> OverviewDrag {
    let (to_start, to_end) = ((pointer.x - start).abs(), (pointer.x - end).abs());
    // If the window is narrow, its ends can be grabbed only from outside. Otherwise no part would
    // be left for moving the window.
    let inside = (start..=end).contains(&pointer.x) && end - start < 4.0 * GRAB_RADIUS;
    if to_start.min(to_end) <= GRAB_RADIUS && !inside {
        return if to_start < to_end {
            OverviewDrag::Start { end: shown.end }
        } else {
            OverviewDrag::End { start: shown.start }
        };
    }
    let is_inside = (start..=end).contains(&pointer.x);
    let width = all.x_at(shown.end) - all.x_at(shown.start);
    let from_start = if is_inside { pointer.x - all.x_at(shown.start) } else { 0.5 * width };
    OverviewDrag::Move { from_start }
}

fn window_after_drag(
    drag: OverviewDrag,
    x: f32,
    all: &TimeAxis,
    shown: &TimeAxis,
    span: Span,
) -> TimeWindow {
    let time = all.time_at(x.clamp(all.left, all.right));
    let offset_time = |from: f64, points: f32| all.time_at(all.x_at(from) + points);
    match drag {
        OverviewDrag::Start { end } => {
            TimeWindow { start: time.min(offset_time(end, -MIN_WINDOW_WIDTH)), end }
        }
        OverviewDrag::End { start } => {
            TimeWindow { start, end: time.max(offset_time(start, MIN_WINDOW_WIDTH)) }
        }
        OverviewDrag::Move { from_start } => shown.moved_to(all.time_at(x - from_start), span),
    }
}

fn set_cursor(
    ui: &Ui,
    pointer: Option<Pos2>,
    drag: Option<OverviewDrag>,
    (start, end): (f32, f32),
) {
    let icon = match (drag, pointer) {
        (Some(OverviewDrag::Start { .. } | OverviewDrag::End { .. }), _) => {
            CursorIcon::ResizeHorizontal
        }
        (Some(OverviewDrag::Move { .. }), _) => CursorIcon::Grabbing,
        (None, Some(pointer)) => {
            let reaches = (pointer.x - start).abs().min((pointer.x - end).abs()) <= GRAB_RADIUS;
            if reaches { CursorIcon::ResizeHorizontal } else { CursorIcon::Grab }
        }
        (None, None) => return,
    };
    ui.ctx().set_cursor_icon(icon);
}

pub(super) fn paint_overview(
    ui: &Ui,
    model: &Model<'_>,
    areas: &Areas,
    shown: &TimeAxis,
    state: &mut TimelineState,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter();
    let strip = areas.overview;
    painter.rect_filled(strip, 3.0, palette.background);
    let all = whole_axis(model, areas);
    let inside = painter.with_clip_rect(strip);
    if let (Some(prepared), Some(clip)) = (model.timeline(), model.clip()) {
        let density = state.overview_cache.overview_density(clip, &prepared.keys, &all);
        let color = palette.tint(palette.neutral, 0.55);
        keys::paint_density(&inside, &density.runs, strip.expand2(vec2(0.0, 1.0)), color);
        for mark in &density.marks {
            let size =
                Rect::from_center_size(pos2(all.x_at(mark.time), strip.center().y), vec2(2.0, 8.0));
            inside.rect_filled(size, 0.0, color);
        }
        for &time in prepared.event_times.iter() {
            let x = snap_to_pixel(painter, all.x_at(time));
            inside.vline(x, strip.top()..=strip.top() + 4.0, Stroke::new(1.0, palette.text));
        }
    }
    let clock = model.clock;
    if let Some(range) = clock.range() {
        let x = all.x_at(range.start())..=all.x_at(range.end());
        let rect = Rect::from_x_y_ranges(x, strip.bottom() - 3.0..=strip.bottom());
        inside.rect_filled(rect, 1.0, palette.accent.gamma_multiply(0.7));
    }
    paint_window(&inside, strip, window_edges(&all, shown), palette);
    let x = snap_to_pixel(painter, all.x_at(clock.time()));
    inside.vline(x, strip.y_range(), Stroke::new(1.0, palette.accent));
    let length = display_text::format_duration(clock.span().duration);
    let text_position = pos2(areas.all.left() + 14.0, strip.center().y);
    let align = bevy_egui::egui::Align2::LEFT_CENTER;
    painter.text(text_position, align, format!("All of {length}"), small_font(), palette.dim);
}

fn paint_window(painter: &Painter, strip: Rect, (start, end): (f32, f32), palette: &Palette) {
    let outside: Color32 = palette.panel.gamma_multiply(0.7);
    for rect in [strip.with_max_x(start), strip.with_min_x(end)] {
        if rect.is_positive() {
            painter.rect_filled(rect, 0.0, outside);
        }
    }
    let rect = Rect::from_x_y_ranges(start..=end, strip.y_range());
    painter.rect_stroke(rect, 2.0, Stroke::new(1.0, palette.dim), StrokeKind::Inside);
    for x in [start, end] {
        let handle = Rect::from_center_size(pos2(x, strip.center().y), vec2(4.0, 9.0));
        painter.rect_filled(handle, 1.0, palette.dim);
    }
}
