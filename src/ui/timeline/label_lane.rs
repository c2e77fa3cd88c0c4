//! Labels as bars: playing them, and dragging them or their ends.

use bevy::prelude::Entity;
use bevy_egui::egui::{
    Align2, Color32, CursorIcon, PointerButton, Rect, Response, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    TimelineState, label,
    row::{RowRects, line_ui},
    snapping::Magnets,
};
use crate::{
    session::{Command, EditedLabels, LabelCommand, Naming},
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};
use mutoscope_core::measure::timeline::{Snapped, TimeAxis};
use mutoscope_study::labels::Label;

/// How near to an end of a label the pointer must be to drag it, in points.
const REACH: f32 = 5.0;
/// The narrowest bar, in points.
const NARROWEST: f32 = 3.0;

/// A label that is dragged.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelHold {
    recording: Entity,
    label: usize,
    grip: Grip,
    /// The own time under the pointer when the drag began, in seconds.
    from: f64,
    /// The label as it is dropped.
    now: Label,
}

/// The part of a label that is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    Start,
    End,
    Whole,
}

/// The row with this index of the labels.
pub(super) fn labels_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: usize,
    place: &RowRects,
    [clock_axis, axis]: [&TimeAxis; 2],
    state: &mut TimelineState,
) {
    let Some((open, labels)) = model.open().and_then(|open| Some((open, open.labels?))) else {
        return;
    };
    let Some(rows) = state.label_rows.get(&open.entity) else { return };
    let Some(of_row) = rows.rows.get(row).cloned() else { return };
    name_ui(ui, row, of_row.name.as_deref(), place.label);
    let color = tier_color(ui, of_row.tier);
    let lane = Lane { model, labels, recording: open.entity, track: place.track, axis, color };
    let all = labels.labels();
    let first = of_row.labels.partition_point(|index| all[*index].end < axis.start);
    let mut last_right = f32::NEG_INFINITY;
    for &index in &of_row.labels[first..] {
        let label = &all[index];
        if label.start > axis.end() {
            break;
        }
        // Of labels that are narrower than a point, one is seen.
        if lane.rect(label).right() - last_right < 0.5 {
            continue;
        }
        last_right = lane.rect(label).right();
        lane.bar_ui(ui, index, label, clock_axis, state);
    }
    line_ui(ui, place);
}

/// The row of a label that was begun, or that is being named.
pub(super) fn draft_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    place: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some(labels) = model.labels() else { return };
    let Some([start, end]) = draft(labels, model.time()) else { return };
    name_ui(ui, if labels.labels().is_empty() { 0 } else { usize::MAX }, None, place.label);
    let palette = Palette::of(ui.visuals());
    let [left, right] = [start, end].map(|time| axis.x_at(time));
    let bar = Rect::from_x_y_ranges(left..=right.max(left + NARROWEST), place.track.y_range());
    let bar = bar.shrink2(vec2(0.0, 2.0));
    if labels.naming().is_some() {
        state.named = Some(bar.intersect(place.track));
    }
    let painter = ui.painter().with_clip_rect(place.track.intersect(ui.clip_rect()));
    painter.rect_filled(bar, 3.0, palette.tint(palette.accent, 0.25));
    let edge = Stroke::new(1.0, palette.accent);
    painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    if labels.began().is_some() {
        let text = "W ends the label, Esc cancels it";
        let at = pos2(bar.right() + 8.0, bar.center().y);
        painter.text(at, Align2::LEFT_CENTER, text, small(), palette.dim);
    }
    line_ui(ui, place);
}

/// The times of the label that was begun, until `now`, or that is being named.
pub(super) fn draft(labels: &EditedLabels, now: f64) -> Option<[f64; 2]> {
    match (labels.began(), labels.naming()) {
        (Some(began), _) => Some([began.min(now), began.max(now)]),
        (None, Some(Naming::New { start, end })) => Some([start, end]),
        _ => None,
    }
}

/// The label of the row: what it is in the first one, else the name of its tier.
fn name_ui(ui: &mut Ui, row: usize, tier: Option<&str>, rect: Rect) {
    let palette = Palette::of(ui.visuals());
    let rect = rect.with_min_x(rect.left() + label::TRIANGLE).with_max_x(rect.right() - 4.0);
    let text = match (row, tier) {
        (0, None) => "Labels".to_owned(),
        (0, Some(tier)) => format!("Labels: {tier}"),
        (_, tier) => tier.unwrap_or_default().to_owned(),
    };
    let color = if row == 0 { palette.text } else { palette.dim };
    let is_elided = label::text_ui(ui, rect, &text, color);
    if !text.is_empty() {
        let response = ui.interact(rect, ui.id().with(("labels", row)), Sense::hover());
        response
            .widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Row {text}")));
        if is_elided {
            response.on_hover_text(text);
        }
    }
}

/// The colour of the tier with this index.
fn tier_color(ui: &Ui, tier: usize) -> Color32 {
    let series = Palette::of(ui.visuals()).series;
    series[tier % series.len()]
}

/// A row of labels.
struct Lane<'a> {
    model: &'a Model<'a>,
    labels: &'a EditedLabels,
    recording: Entity,
    track: Rect,
    axis: &'a TimeAxis,
    color: Color32,
}

impl Lane<'_> {
    /// Where a label is.
    fn rect(&self, label: &Label) -> Rect {
        let [left, right] = [label.start, label.end].map(|time| self.axis.x_at(time));
        let y = self.track.y_range();
        Rect::from_x_y_ranges(left..=right.max(left + NARROWEST), y).shrink2(vec2(0.0, 1.5))
    }

    fn bar_ui(
        &self,
        ui: &Ui,
        index: usize,
        label: &Label,
        clock_axis: &TimeAxis,
        state: &mut TimelineState,
    ) {
        let rect = self.rect(label);
        let id = ui.id().with(("bar of label", index));
        let response = ui.interact(rect.intersect(self.track), id, Sense::click_and_drag());
        let times =
            format!("{} to {}", words::exact_time(label.start), words::exact_time(label.end));
        response.widget_info(|| {
            let text = format!("Label {}, {times}", label.label);
            WidgetInfo::labeled(WidgetType::Slider, true, text)
        });
        self.drag(ui, &response, (index, label), clock_axis, state);
        if self.labels.naming() == Some(Naming::Label(index)) {
            state.named = Some(rect.intersect(self.track));
        }
        let held = state.label.as_ref().filter(|hold| self.holds(hold, index));
        let is_selected = self.labels.selected().is_some_and(|(selected, _)| selected == index);
        self.set_cursor(ui, &response, rect, held);
        let shown = held.map_or(rect, |hold| self.rect(&hold.now));
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
                "{}{tier}\n{times}\nClick plays it, double click renames it; drag it or its ends",
                label.label
            ));
        }
    }

    fn holds(&self, hold: &LabelHold, index: usize) -> bool {
        (hold.recording, hold.label) == (self.recording, index)
    }

    fn grip_at(&self, rect: Rect, x: f32) -> Grip {
        // Short labels keep a middle to be dragged by.
        let reach = REACH.min(0.25 * rect.width());
        if x <= rect.left() + reach {
            Grip::Start
        } else if x >= rect.right() - reach {
            Grip::End
        } else {
            Grip::Whole
        }
    }

    fn set_cursor(&self, ui: &Ui, response: &Response, rect: Rect, held: Option<&LabelHold>) {
        let grip = match held {
            Some(hold) => hold.grip,
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

    /// Takes hold of a label, moves it or drops it: only that is an edit.
    fn drag(
        &self,
        ui: &Ui,
        response: &Response,
        (index, label): (usize, &Label),
        clock_axis: &TimeAxis,
        state: &mut TimelineState,
    ) {
        let pointer = response.interact_pointer_pos();
        if let Some(pointer) = pointer
            && response.drag_started_by(PointerButton::Primary)
        {
            let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            state.label = Some(LabelHold {
                recording: self.recording,
                label: index,
                grip: self.grip_at(self.rect(label), from.x),
                from: self.axis.time_at(from.x),
                now: label.clone(),
            });
        }
        let is_snapping = state.options.snapping;
        let Some(hold) = state.label.as_mut().filter(|hold| self.holds(hold, index)) else {
            return;
        };
        if let Some(pointer) = pointer
            && (response.dragged_by(PointerButton::Primary) || response.drag_stopped())
        {
            let by = self.axis.time_at(pointer.x) - hold.from;
            let modifiers = ui.input(|input| input.modifiers);
            let reference = self.model.looking_at(0);
            let magnets = Magnets::new(clock_axis, &reference, None, is_snapping, modifiers);
            (hold.now, state.snapped) = self.dragged(label, hold.grip, by, &magnets);
        }
        if response.drag_stopped() {
            let now = state.label.take().map(|hold| hold.now);
            state.snapped = None;
            if let Some(to) = now.filter(|now| now != label) {
                let recording = self.recording;
                let change = LabelCommand::Change { recording, label: index, to };
                self.model.send(Command::Label(change));
            }
        }
    }

    /// A label of which `grip` is dragged by `by` seconds, snapped to what is near.
    fn dragged(
        &self,
        label: &Label,
        grip: Grip,
        by: f64,
        magnets: &Magnets<'_>,
    ) -> (Label, Option<Snapped>) {
        let timing = self.model.timing();
        // Times of the clock are what snaps.
        let drawn = |time: f64| {
            let snapped = magnets.draw(timing.first(time), &[], true);
            (snapped.map_or(time, |snapped| timing.second(snapped.time)), snapped)
        };
        let mut now = label.clone();
        let snapped = match grip {
            Grip::Start => {
                let (time, snapped) = drawn(label.start + by);
                now.start = time.min(label.end);
                snapped
            }
            Grip::End => {
                let (time, snapped) = drawn(label.end + by);
                now.end = time.max(label.start);
                snapped
            }
            Grip::Whole => {
                let [start, end] = [label.start + by, label.end + by].map(drawn);
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
        let palette = Palette::of(ui.visuals());
        let painter = ui.painter().with_clip_rect(self.track.intersect(ui.clip_rect()));
        let strength = if is_lit || is_selected { 0.5 } else { 0.32 };
        painter.rect_filled(bar, 3.0, palette.tint(self.color, strength));
        let edge = if is_selected { palette.accent } else { palette.tint(self.color, 0.8) };
        painter.rect_stroke(bar, 3.0, Stroke::new(1.0, edge), StrokeKind::Inside);
        let shown = bar.intersect(self.track);
        if shown.width() > 16.0 {
            let text = shown.shrink2(vec2(5.0, 0.0));
            label::text_ui(ui, text, name, palette.text);
        }
    }
}
