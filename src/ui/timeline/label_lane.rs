//! Shows labels as bars. A click plays a label, and bars and their ends can be dragged.

use bevy::prelude::Entity;
use bevy_egui::egui::{
    Align2, Color32, CursorIcon, PointerButton, Rect, Response, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    TimelineState, label,
    row::{RowRects, line_ui},
    snapping::SnapContext,
};
use crate::{
    session::{Command, EditedLabels, LabelCommand, Naming},
    ui::{
        Model, display_text,
        style::{Palette, small_font},
    },
};
use mutoscope_study::labels::Label;
use mutoscope_view::timeline::{Snapped, TimeAxis};

const GRAB_RADIUS: f32 = 5.0;
const MIN_BAR_WIDTH: f32 = 3.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelDrag {
    recording: Entity,
    label: usize,
    grip: Grip,
    /// The clip time under the pointer when the drag began, in seconds.
    start_time: f64,
    result: Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    Start,
    End,
    Whole,
}

/// Shows one row of labels. `clock_axis` is in clock time, `axis` in clip time.
pub(super) fn labels_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: usize,
    rects: &RowRects,
    clock_axis: &TimeAxis,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some((open, labels)) = model.open().and_then(|open| Some((open, open.labels()?))) else {
        return;
    };
    let Some(rows) = state.label_rows.get(&open.entity) else { return };
    let Some(label_row) = rows.rows.get(row).cloned() else { return };
    row_name_ui(ui, row, label_row.name.as_deref(), rects.label);
    let color = tier_color(ui, label_row.tier);
    let lane = LabelLane { model, labels, recording: open.entity, track: rects.track, axis, color };
    let all = labels.labels();
    let first = label_row.labels.partition_point(|index| all[*index].end < axis.start);
    let mut last_right = f32::NEG_INFINITY;
    for &index in &label_row.labels[first..] {
        let label = &all[index];
        if label.start > axis.end() {
            break;
        }
        // Skip a label whose bar ends less than half a point after the previous bar. Otherwise
        // drawing 100,000 labels would take too long.
        if lane.label_rect(label).right() - last_right < 0.5 {
            continue;
        }
        last_right = lane.label_rect(label).right();
        lane.bar_ui(ui, index, label, clock_axis, state);
    }
    line_ui(ui, rects);
}

pub(super) fn draft_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    rects: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some(labels) = model.labels() else { return };
    let Some([start, end]) = draft_times(labels, model.time()) else { return };
    row_name_ui(ui, if labels.labels().is_empty() { 0 } else { usize::MAX }, None, rects.label);
    let palette = Palette::for_visuals(ui.visuals());
    let [left, right] = [start, end].map(|time| axis.x_at(time));
    let bar = Rect::from_x_y_ranges(left..=right.max(left + MIN_BAR_WIDTH), rects.track.y_range());
    let bar = bar.shrink2(vec2(0.0, 2.0));
    if labels.naming().is_some() {
        state.naming_rect = Some(bar.intersect(rects.track));
    }
    let painter = ui.painter().with_clip_rect(rects.track.intersect(ui.clip_rect()));
    painter.rect_filled(bar, 3.0, palette.tint(palette.accent, 0.25));
    let edge = Stroke::new(1.0, palette.accent);
    painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    if labels.open_start().is_some() {
        let text = "W ends the label, Esc cancels it";
        let at = pos2(bar.right() + 8.0, bar.center().y);
        painter.text(at, Align2::LEFT_CENTER, text, small_font(), palette.dim);
    }
    line_ui(ui, rects);
}

pub(super) fn draft_times(labels: &EditedLabels, now: f64) -> Option<[f64; 2]> {
    match (labels.open_start(), labels.naming()) {
        (Some(began), _) => Some([began.min(now), began.max(now)]),
        (None, Some(Naming::New { start, end })) => Some([start, end]),
        _ => None,
    }
}

fn row_name_ui(ui: &mut Ui, row: usize, tier: Option<&str>, rect: Rect) {
    let palette = Palette::for_visuals(ui.visuals());
    let rect = rect.with_min_x(rect.left() + label::TRIANGLE_WIDTH).with_max_x(rect.right() - 4.0);
    let text = match (row, tier) {
        (0, None) => "Labels".to_owned(),
        (0, Some(tier)) => format!("Labels: {tier}"),
        (_, tier) => tier.unwrap_or_default().to_owned(),
    };
    let color = if row == 0 { palette.text } else { palette.dim };
    let is_elided = label::elided_text_ui(ui, rect, &text, color);
    if !text.is_empty() {
        let response = ui.interact(rect, ui.id().with(("labels", row)), Sense::hover());
        response
            .widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Row {text}")));
        if is_elided {
            response.on_hover_text(text);
        }
    }
}

fn tier_color(ui: &Ui, tier: usize) -> Color32 {
    let series = Palette::for_visuals(ui.visuals()).series;
    series[tier % series.len()]
}

struct LabelLane<'a> {
    model: &'a Model<'a>,
    labels: &'a EditedLabels,
    recording: Entity,
    track: Rect,
    axis: &'a TimeAxis,
    color: Color32,
}

impl LabelLane<'_> {
    fn label_rect(&self, label: &Label) -> Rect {
        let [left, right] = [label.start, label.end].map(|time| self.axis.x_at(time));
        let y = self.track.y_range();
        Rect::from_x_y_ranges(left..=right.max(left + MIN_BAR_WIDTH), y).shrink2(vec2(0.0, 1.5))
    }

    fn bar_ui(
        &self,
        ui: &Ui,
        index: usize,
        label: &Label,
        clock_axis: &TimeAxis,
        state: &mut TimelineState,
    ) {
        let rect = self.label_rect(label);
        let id = ui.id().with(("bar of label", index));
        let response = ui.interact(rect.intersect(self.track), id, Sense::click_and_drag());
        let times = format!(
            "{} to {}",
            display_text::format_exact_time(label.start),
            display_text::format_exact_time(label.end)
        );
        response.widget_info(|| {
            let text = format!("Label {}, {times}", label.label);
            WidgetInfo::labeled(WidgetType::Slider, true, text)
        });
        self.drag(ui, &response, index, label, clock_axis, state);
        if self.labels.naming() == Some(Naming::Label(index)) {
            state.naming_rect = Some(rect.intersect(self.track));
        }
        let held = state.label_drag.as_ref().filter(|drag| self.is_dragging(drag, index));
        let is_selected = self.labels.selected().is_some_and(|(selected, _)| selected == index);
        self.set_cursor(ui, &response, rect, held);
        let shown = held.map_or(rect, |drag| self.label_rect(&drag.result));
        let is_lit = held.is_some() || response.hovered();
        self.paint(ui, shown, &label.label, is_selected, is_lit);
        if response.clicked_by(PointerButton::Primary) {
            let command = LabelCommand::Play { recording: self.recording, label: index };
            self.model.send(Command::Label(command));
        }
        if response.double_clicked_by(PointerButton::Primary) {
            self.model.send(Command::Label(LabelCommand::Rename));
        }
        if held.is_none() {
            let tier = label.tier.as_ref().map_or_else(String::new, |tier| format!(" · {tier}"));
            response.on_hover_text(format!(
                "{}{tier}\n{times}\nClick to play, double-click to rename, drag to move or resize",
                label.label
            ));
        }
    }

    fn is_dragging(&self, drag: &LabelDrag, index: usize) -> bool {
        (drag.recording, drag.label) == (self.recording, index)
    }

    fn grip_at(&self, rect: Rect, x: f32) -> Grip {
        // Leave half of a short label for dragging it as a whole.
        let reach = GRAB_RADIUS.min(0.25 * rect.width());
        if x <= rect.left() + reach {
            Grip::Start
        } else if x >= rect.right() - reach {
            Grip::End
        } else {
            Grip::Whole
        }
    }

    fn set_cursor(&self, ui: &Ui, response: &Response, rect: Rect, held: Option<&LabelDrag>) {
        let grip = match held {
            Some(drag) => drag.grip,
            None => match response.hover_pos() {
                Some(pointer) if response.hovered() => self.grip_at(rect, pointer.x),
                _ => return,
            },
        };
        let icon = match (grip, held) {
            (Grip::Start | Grip::End, _) => CursorIcon::ResizeHorizontal,
            (Grip::Whole, Some(_)) => CursorIcon::Grabbing,
            (Grip::Whole, None) => CursorIcon::PointingHand,
        };
        ui.ctx().set_cursor_icon(icon);
    }

    fn drag(
        &self,
        ui: &Ui,
        response: &Response,
        index: usize,
        label: &Label,
        clock_axis: &TimeAxis,
        state: &mut TimelineState,
    ) {
        let pointer = response.interact_pointer_pos();
        if let Some(pointer) = pointer
            && response.drag_started_by(PointerButton::Primary)
        {
            let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            state.label_drag = Some(LabelDrag {
                recording: self.recording,
                label: index,
                grip: self.grip_at(self.label_rect(label), from.x),
                start_time: self.axis.time_at(from.x),
                result: label.clone(),
            });
        }
        let is_snapping = state.options.snapping;
        let Some(drag) = state.label_drag.as_mut().filter(|drag| self.is_dragging(drag, index))
        else {
            return;
        };
        if let Some(pointer) = pointer
            && (response.dragged_by(PointerButton::Primary) || response.drag_stopped())
        {
            let by = self.axis.time_at(pointer.x) - drag.start_time;
            let modifiers = ui.input(|input| input.modifiers);
            let reference = self.model.for_recording(0);
            let snap_context =
                SnapContext::new(clock_axis, &reference, None, is_snapping, modifiers);
            (drag.result, state.snapped) = self.dragged_label(label, drag.grip, by, &snap_context);
        }
        if response.drag_stopped() {
            let now = state.label_drag.take().map(|drag| drag.result);
            state.snapped = None;
            if let Some(to) = now.filter(|now| now != label) {
                let recording = self.recording;
                let change = LabelCommand::Change { recording, label: index, to };
                self.model.send(Command::Label(change));
            }
        }
    }

    fn dragged_label(
        &self,
        label: &Label,
        grip: Grip,
        by: f64,
        snap_context: &SnapContext<'_>,
    ) -> (Label, Option<Snapped>) {
        let timing = self.model.timing();
        // Labels are in clip time, but snap targets are in clock time.
        let snap = |time: f64| {
            let snapped = snap_context.snap(timing.to_clock_time(time), &[], true);
            (snapped.map_or(time, |snapped| timing.to_clip_time(snapped.time)), snapped)
        };
        let mut now = label.clone();
        let snapped = match grip {
            Grip::Start => {
                let (time, snapped) = snap(label.start + by);
                now.start = time.min(label.end);
                snapped
            }
            Grip::End => {
                let (time, snapped) = snap(label.end + by);
                now.end = time.max(label.start);
                snapped
            }
            Grip::Whole => {
                let [start, end] = [label.start + by, label.end + by].map(snap);
                let (by, snapped) = match (start.1, end.1) {
                    (None, Some(_)) => (end.0 - label.end, end.1),
                    _ => (start.0 - label.start, start.1),
                };
                (now.start, now.end) = (label.start + by, (label.end + by).max(label.start + by));
                snapped
            }
        };
        (now, snapped)
    }

    fn paint(&self, ui: &Ui, bar: Rect, name: &str, is_selected: bool, is_lit: bool) {
        let palette = Palette::for_visuals(ui.visuals());
        let painter = ui.painter().with_clip_rect(self.track.intersect(ui.clip_rect()));
        let strength = if is_lit || is_selected { 0.5 } else { 0.32 };
        painter.rect_filled(bar, 3.0, palette.tint(self.color, strength));
        let edge = if is_selected { palette.accent } else { palette.tint(self.color, 0.8) };
        painter.rect_stroke(bar, 3.0, Stroke::new(1.0, edge), StrokeKind::Inside);
        let shown = bar.intersect(self.track);
        if shown.width() > 16.0 {
            let text = shown.shrink2(vec2(5.0, 0.0));
            label::elided_text_ui(ui, text, name, palette.text);
        }
    }
}
