//! The whole recording in one strip: how dense its keys are, and which part of it is shown. The
//! part can be moved, and its ends dragged.

use bevy_egui::egui::{
    Color32, CursorIcon, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use super::{TimelineState, keys, layout::Areas};
use crate::ui::{
    Model,
    style::{Palette, crisp, small},
    words,
};
use mutoscope_core::{
    clip::Span,
    measure::timeline::{TimeAxis, Window},
};

/// How near the pointer must be to an end of what is shown to take hold of it, in points.
const REACH: f32 = 6.0;

/// How narrow what is shown may be dragged, in points of the strip.
const NARROWEST: f32 = 1.0;

/// So much of the strip is marked as shown at least, in points.
const LEAST: f32 = 4.0;

/// The dragged end of the visible part, or all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pull {
    /// Its left end; the right one stays at this time.
    Start { end: f64 },
    /// Its right end; the left one stays at this time.
    End { start: f64 },
    /// All of it, taken hold of this many points from where it begins.
    Move { from_start: f32 },
}

/// Lets the part that is `shown` be moved and resized; the part that is to be shown then.
pub(super) fn overview_ui(
    ui: &Ui,
    model: &Model<'_>,
    areas: &Areas,
    shown: &TimeAxis,
    state: &mut TimelineState,
) -> Option<Window> {
    let all = whole_axis(model, areas);
    let response = ui.interact(areas.overview, ui.id().with("overview"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Overview"));
    let ends = part(&all, shown);
    let pressed = ui.input(|input| input.pointer.primary_pressed());
    let pointer = response.interact_pointer_pos();
    if let Some(pointer) = pointer.filter(|_| pressed && response.is_pointer_button_down_on()) {
        state.overview = Some(taken(pointer, &all, shown, ends));
    }
    set_cursor(ui, response.hover_pos(), state.overview, ends);
    let pull = state.overview?;
    if !ui.input(|input| input.pointer.primary_down()) {
        state.overview = None;
    }
    if response.double_clicked() {
        state.overview = None;
        return Some(Window::all_of(model.clock.span()));
    }
    let pointer = ui.input(|input| input.pointer.latest_pos())?;
    Some(pulled(pull, pointer.x, &all, shown, model.clock.span()))
}

/// The whole recording over the whole width.
fn whole_axis(model: &Model<'_>, areas: &Areas) -> TimeAxis {
    TimeAxis::new(Window::all_of(model.clock.span()), areas.x.min, areas.x.max)
}

/// Where the part that is shown begins and ends in the strip.
fn part(all: &TimeAxis, shown: &TimeAxis) -> (f32, f32) {
    let (start, end) = (all.x_at(shown.start), all.x_at(shown.end));
    let more = 0.5 * (LEAST - (end - start)).max(0.0);
    ((start - more).max(all.left), (end + more).min(all.right))
}

fn taken(pointer: Pos2, all: &TimeAxis, shown: &TimeAxis, (start, end): (f32, f32)) -> Pull {
    let (to_start, to_end) = ((pointer.x - start).abs(), (pointer.x - end).abs());
    // Of a narrow part the ends are taken from outside only, or it could not be moved.
    let inside = (start..=end).contains(&pointer.x) && end - start < 4.0 * REACH;
    if to_start.min(to_end) <= REACH && !inside {
        return if to_start < to_end {
            Pull::Start { end: shown.end }
        } else {
            Pull::End { start: shown.start }
        };
    }
    let is_on_it = (start..=end).contains(&pointer.x);
    let width = all.x_at(shown.end) - all.x_at(shown.start);
    let from_start = if is_on_it { pointer.x - all.x_at(shown.start) } else { 0.5 * width };
    Pull::Move { from_start }
}

/// The window after dragging `pull` to `x`.
fn pulled(pull: Pull, x: f32, all: &TimeAxis, shown: &TimeAxis, span: Span) -> Window {
    let time = all.time_at(x.clamp(all.left, all.right));
    let least = |from: f64, points: f32| all.time_at(all.x_at(from) + points);
    match pull {
        Pull::Start { end } => Window { start: time.min(least(end, -NARROWEST)), end },
        Pull::End { start } => Window { start, end: time.max(least(start, NARROWEST)) },
        Pull::Move { from_start } => shown.moved_to(all.time_at(x - from_start), span),
    }
}

fn set_cursor(ui: &Ui, pointer: Option<Pos2>, pull: Option<Pull>, (start, end): (f32, f32)) {
    let icon = match (pull, pointer) {
        (Some(Pull::Start { .. } | Pull::End { .. }), _) => CursorIcon::ResizeHorizontal,
        (Some(Pull::Move { .. }), _) => CursorIcon::Grabbing,
        (None, Some(pointer)) => {
            let reaches = (pointer.x - start).abs().min((pointer.x - end).abs()) <= REACH;
            if reaches { CursorIcon::ResizeHorizontal } else { CursorIcon::Grab }
        }
        (None, None) => return,
    };
    ui.ctx().set_cursor_icon(icon);
}

/// Paints the strip.
pub(super) fn paint(
    ui: &Ui,
    model: &Model<'_>,
    areas: &Areas,
    shown: &TimeAxis,
    state: &mut TimelineState,
) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    let strip = areas.overview;
    painter.rect_filled(strip, 3.0, palette.background);
    let all = whole_axis(model, areas);
    let inside = painter.with_clip_rect(strip);
    if let (Some(prepared), Some(clip)) = (model.timeline(), model.clip()) {
        let density = state.overview_cache.whole(clip, &prepared.keys, &all);
        let color = palette.tint(palette.neutral, 0.55);
        keys::paint_runs(&inside, &density.runs, strip.expand2(vec2(0.0, 1.0)), color);
        for mark in &density.marks {
            let size =
                Rect::from_center_size(pos2(all.x_at(mark.time), strip.center().y), vec2(2.0, 8.0));
            inside.rect_filled(size, 0.0, color);
        }
        for &moment in prepared.moments.iter() {
            let x = crisp(painter, all.x_at(moment));
            inside.vline(x, strip.top()..=strip.top() + 4.0, Stroke::new(1.0, palette.text));
        }
    }
    let clock = model.clock;
    if let Some(range) = clock.range() {
        let x = all.x_at(range.start())..=all.x_at(range.end());
        let rect = Rect::from_x_y_ranges(x, strip.bottom() - 3.0..=strip.bottom());
        inside.rect_filled(rect, 1.0, palette.accent.gamma_multiply(0.7));
    }
    paint_part(&inside, strip, part(&all, shown), palette);
    let x = crisp(painter, all.x_at(clock.time()));
    inside.vline(x, strip.y_range(), Stroke::new(1.0, palette.accent));
    let length = words::duration(clock.span().duration);
    let place = pos2(areas.all.left() + 14.0, strip.center().y);
    let align = bevy_egui::egui::Align2::LEFT_CENTER;
    painter.text(place, align, format!("All of {length}"), small(), palette.dim);
}

/// The part outside of the window, darker, and the window's ends as handles.
fn paint_part(painter: &Painter, strip: Rect, (start, end): (f32, f32), palette: &Palette) {
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
