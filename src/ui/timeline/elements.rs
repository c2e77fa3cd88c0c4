//! Shows the elements of a scene as bars over the time in which they play. Dragging a bar changes
//! its delay.

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
    session::{Command, OpenRecording, SceneCommand, ViewCommand},
    ui::{
        CommandSender, Model, display_text,
        style::{Palette, small_font},
    },
};
use bevy_mutoscope::Revision;
use mutoscope_minecraft::{
    Scene, TICKS_PER_SECOND, Take,
    scene::{Element, ElementEdit, SceneEdit, SceneElement},
};
use mutoscope_view::timeline::TimeAxis;

/// A drag of an element's bar. Remains after the drop until the edited scene plays.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ElementDrag {
    recording: Entity,
    element: usize,
    /// The time under the pointer when the drag began, in seconds.
    start_time: f64,
    /// The edit that dropping the bar makes. `None` if it would change nothing.
    edit: Option<ElementEdit>,
    /// In seconds. Positive is later.
    shift_s: f64,
    /// The revision at which the bar was dropped. `None` while it is dragged.
    dropped_at: Option<Revision>,
}

impl ElementDrag {
    pub(super) fn is_dragged(&self) -> bool {
        self.dropped_at.is_none()
    }
}

/// The times at which an element plays, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PlaySpan {
    appears: f64,
    start: f64,
    end: f64,
    loops: bool,
}

pub(super) fn element_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    index: usize,
    rects: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some(open) = model.open() else { return };
    let Some(element) = open.scene().and_then(|scene| scene.elements().get(index)) else { return };
    let played = open.clip().procedural_as::<Scene>();
    let takes = played.map(|scene| &*scene.takes).unwrap_or_default();
    let takes: Vec<&Take> =
        takes.iter().map(|take| &**take).filter(|take| take.element == index).collect();
    element_name_ui(ui, model, element, &takes, rects.label);
    clear_applied_drag(state, open);
    let error = element.content.as_ref().err().map(|error| error.message.clone()).or_else(|| {
        let diagnostic =
            played?.element_diagnostics.iter().find(|diagnostic| diagnostic.element == index);
        diagnostic.map(|diagnostic| diagnostic.message.clone())
    });
    if let (Some(span), Ok(content)) = (PlaySpan::from_takes(&takes), &element.content) {
        let own = ElementBar { model, open, index, element, content };
        own.bar_ui(ui, span, rects, axis, state, model.commands);
    } else if let Some(error) = error {
        let color = Palette::for_visuals(ui.visuals()).error;
        let track = rects.track.with_min_x(rects.track.left() + 6.0);
        if label::elided_text_ui(ui, track, &error, color) {
            let id = ui.id().with(("error", index));
            ui.interact(track, id, Sense::hover()).on_hover_text(&error);
        }
    }
    line_ui(ui, rects);
}

fn element_name_ui(
    ui: &Ui,
    model: &Model<'_>,
    element: &SceneElement,
    takes: &[&Take],
    rect: Rect,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let player = takes.first().map(|take| take.player_node());
    let is_selected = player.is_some() && model.selected() == player;
    let response = ui.interact(rect, ui.id().with(("element", &element.name)), Sense::click());
    response.widget_info(|| {
        let label = format!("Row {}", element.name);
        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, label)
    });
    if response.hovered() || is_selected {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    let color = if is_selected { palette.accent } else { palette.text };
    let text = rect.with_min_x(rect.left() + TRIANGLE_WIDTH).with_max_x(rect.right() - 4.0);
    if label::elided_text_ui(ui, text, &element.name, color) {
        response.clone().on_hover_text(&element.name);
    }
    if response.clicked()
        && let Some(player) = player
    {
        model.send(Command::View(ViewCommand::Select((!is_selected).then(|| model.node(player)))));
    }
}

/// Forgets a dropped bar once the edited scene plays. Until then the bar must be drawn where it was
/// dropped, or it would jump back for some frames.
fn clear_applied_drag(state: &mut TimelineState, open: &OpenRecording<'_>) {
    let is_played = |drag: &ElementDrag| {
        drag.recording == open.entity
            && drag.dropped_at.is_some_and(|revision| revision != open.recording.revision())
    };
    if state.element_drag.as_ref().is_some_and(is_played) {
        state.element_drag = None;
    }
}

impl PlaySpan {
    /// Returns `None` without takes. All takes must be of one element.
    fn from_takes(takes: &[&Take]) -> Option<Self> {
        let min_tick =
            |tick_of: fn(&Take) -> f64| takes.iter().map(|take| tick_of(take)).reduce(f64::min);
        let level = takes.first()?.cue.outermost_level()?;
        Some(Self {
            appears: min_tick(|take| take.cue.delay_ticks())?,
            start: min_tick(|take| take.cue.start_tick())?,
            end: level.end,
            loops: level.loops,
        })
    }

    fn shifted(self, ticks: f64) -> Self {
        Self {
            appears: (self.appears + ticks).max(0.0),
            start: self.start + ticks,
            end: self.end + ticks,
            ..self
        }
    }
}

struct ElementBar<'a> {
    model: &'a Model<'a>,
    open: &'a OpenRecording<'a>,
    index: usize,
    element: &'a SceneElement,
    content: &'a Element,
}

impl ElementBar<'_> {
    fn bar_ui(
        &self,
        ui: &Ui,
        span: PlaySpan,
        rects: &RowRects,
        axis: &TimeAxis,
        state: &mut TimelineState,
        commands: &CommandSender,
    ) {
        let rect = tick_rect(span.appears, span.end, rects.track, axis);
        let id = ui.id().with(("bar", self.index));
        let response = ui.interact(rect.intersect(rects.track), id, Sense::click_and_drag());
        response.widget_info(|| {
            let timing = &self.content.timing;
            let delay = display_text::format_decimal(timing.start_delay + timing.wait_on_start, 3);
            let label = format!("Element {}, delay {delay} s", self.element.name);
            WidgetInfo::labeled(WidgetType::Slider, true, label)
        });
        self.drag(&response, axis, state, commands);
        let is_held =
            |drag: &&ElementDrag| drag.recording == self.open.entity && drag.element == self.index;
        let held = state.element_drag.as_ref().filter(is_held);
        let later = held.map_or(0.0, |drag| (drag.shift_s * TICKS_PER_SECOND).round());
        let is_dragged = held.is_some_and(ElementDrag::is_dragged);
        let is_lit = is_dragged || response.hovered();
        if is_lit {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        let shown = span.shifted(later);
        self.paint(ui, shown, rects.track, axis, is_lit);
        let text = match held {
            Some(drag) if is_dragged => {
                let delay = shown.start / TICKS_PER_SECOND;
                let later = display_text::format_decimal(drag.shift_s, 3);
                let sign = if drag.shift_s > 0.0 { "+" } else { "" };
                let ticks = display_text::format_count(shown.start as usize);
                format!(
                    "from {} s, tick {ticks} ({sign}{later} s)",
                    display_text::format_decimal(delay, 3)
                )
            }
            _ if shown.start > 0.0 => {
                format!(
                    "from {} s",
                    display_text::format_decimal(shown.start / TICKS_PER_SECOND, 3)
                )
            }
            _ => String::new(),
        };
        let palette = Palette::for_visuals(ui.visuals());
        let bar = tick_rect(shown.start, shown.end, rects.track, axis).intersect(rects.track);
        let painter = ui.painter().with_clip_rect(rects.track.intersect(ui.clip_rect()));
        let text_position = bar.left_center() + vec2(6.0, 0.0);
        painter.text(text_position, Align2::LEFT_CENTER, text, small_font(), palette.text);
        if !is_dragged {
            response.on_hover_text("Drag to change the delay, tick by tick");
        }
    }

    fn drag(
        &self,
        response: &Response,
        axis: &TimeAxis,
        state: &mut TimelineState,
        commands: &CommandSender,
    ) {
        let pointer = response.interact_pointer_pos();
        let recording = self.open.entity;
        if let Some(pointer) = pointer
            && response.drag_started_by(PointerButton::Primary)
        {
            let from = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            let element = self.index;
            state.element_drag = Some(ElementDrag {
                recording,
                element,
                start_time: axis.time_at(from.x),
                edit: None,
                shift_s: 0.0,
                dropped_at: None,
            });
        }
        let Some(drag) = &mut state.element_drag else { return };
        if (drag.recording, drag.element) != (recording, self.index) || drag.dropped_at.is_some() {
            return;
        }
        if let Some(pointer) = pointer
            && (response.dragged_by(PointerButton::Primary) || response.drag_stopped())
        {
            let timing = &self.content.timing;
            let wanted = round_to_ticks(ElementEdit::shift_start(
                timing,
                axis.time_at(pointer.x) - drag.start_time,
            ));
            drag.shift_s = wanted.start_shift(timing);
            drag.edit = Some(wanted).filter(|wanted| !wanted.is_applied_to(self.content));
        }
        if response.drag_stopped() {
            match drag.edit.take() {
                None => state.element_drag = None,
                Some(edit) => {
                    drag.dropped_at = Some(self.open.recording.revision());
                    let edit = SceneEdit::Change(self.index, edit);
                    commands.send(Command::Scene(SceneCommand::Edit(recording, edit)));
                }
            }
        }
    }

    fn paint(&self, ui: &Ui, span: PlaySpan, track: Rect, axis: &TimeAxis, is_lit: bool) {
        let palette = Palette::for_visuals(ui.visuals());
        let color = palette.accent;
        let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
        let fill = |from: f64, to: f64, strength: f32| {
            let rect = tick_rect(from, to, track, axis).shrink2(vec2(0.0, 2.0));
            painter.rect_filled(rect, 3.0, palette.tint(color, strength));
            rect
        };
        if span.loops && span.end > span.appears {
            // Draw the later rounds like the first round, but without its delay.
            let period = span.end + 1.0;
            let last = self.model.clip().map_or(0.0, |clip| clip.span.end() * TICKS_PER_SECOND);
            let rounds = (last / period).ceil().clamp(1.0, 64.0) as u32;
            for round in 1..rounds {
                let by = f64::from(round) * period;
                fill(span.start + by, span.end + by, 0.1);
            }
        }
        if span.appears < span.start {
            fill(span.appears, span.start, 0.1);
        }
        let bar = fill(span.start, span.end, if is_lit { 0.4 } else { 0.25 });
        let edge = Stroke::new(1.0, palette.tint(color, 0.7));
        painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    }
}

fn tick_rect(from: f64, to: f64, track: Rect, axis: &TimeAxis) -> Rect {
    let [left, right] = [from, to].map(|tick| axis.x_at(tick / TICKS_PER_SECOND));
    Rect::from_x_y_ranges(left..=right.max(left + 3.0), track.y_range())
}

fn round_to_ticks(edit: ElementEdit) -> ElementEdit {
    let whole = |seconds: f64| (seconds * TICKS_PER_SECOND).round() / TICKS_PER_SECOND;
    match edit {
        ElementEdit::StartDelay(seconds) => ElementEdit::StartDelay(whole(seconds)),
        ElementEdit::WaitOnStart(seconds) => ElementEdit::WaitOnStart(whole(seconds)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::pos2;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, PanelUi, drag, show};
    use mutoscope_view::timeline::TimeWindow;

    const LANE: PanelUi<TimelineState> = |ui, model, state| {
        let track = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 18.0));
        let label = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 18.0));
        let axis = TimeAxis::new(TimeWindow { start: 0.0, end: 4.0 }, 100.0, 500.0);
        element_ui(ui, model, 1, &RowRects { label, track }, &axis, state);
    };

    fn commands_of_drag(points: f32) -> [Vec<Command>; 2] {
        let mut lane = show(PanelFixture::with_scene(), [500.0, 40.0], LANE);
        lane.run();
        let bar = lane.get_by_label("Element q, delay 0 s").rect();
        let from = pos2(bar.left() + 10.0, 9.0);
        drag(&mut lane, from, points);
        let before = lane.state_mut().take_commands();
        lane.drop_at(from + vec2(points, 0.0));
        lane.step();
        [before, lane.state_mut().take_commands()]
    }

    #[test]
    fn dragged_element_is_delayed_tick_by_tick() {
        let [before, dropped] = commands_of_drag(52.0);
        assert_eq!(before, [], "one drag is one edit");
        let [Command::Scene(SceneCommand::Edit(_, edit))] = &dropped[..] else {
            panic!("{dropped:?}")
        };
        assert_eq!(*edit, SceneEdit::Change(1, ElementEdit::StartDelay(0.5)));
        assert_eq!(commands_of_drag(-60.0)[1], [], "the delay cannot be negative");
        assert_eq!(commands_of_drag(2.0)[1], [], "a drag below half a tick is no edit");
    }

    #[test]
    fn label_selects_the_player() {
        let mut lane = show(PanelFixture::with_scene(), [500.0, 40.0], LANE);
        lane.run();
        lane.get_by_label("Row q").click();
        lane.run();
        let player = lane.state().node("q/player");
        assert_eq!(
            lane.state_mut().take_commands(),
            [Command::View(ViewCommand::Select(Some(player)))]
        );
    }
}
