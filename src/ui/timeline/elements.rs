//! The elements of a scene as bars: when each plays, and dragging it earlier or later.

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
    recording::Revision,
    session::{Command, OpenRecording, SceneCommand, ViewCommand},
    ui::{
        CommandSender, Model,
        style::{Palette, small},
        words,
    },
};
use mutoscope_core::measure::timeline::TimeAxis;
use mutoscope_minecraft::{
    Scene, TICKS_PER_SECOND, Take,
    scene::{Element, ElementEdit, SceneEdit, SceneElement},
};

/// The bar of an element that is dragged, or was just dropped.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ElementHold {
    recording: Entity,
    element: usize,
    /// The time under the pointer when the drag began.
    from: f64,
    /// The edit that dropping it makes.
    edit: Option<ElementEdit>,
    /// How much later it plays then, in seconds.
    later: f64,
    /// The clip in which it does not yet, once it was dropped.
    dropped: Option<Revision>,
}

impl ElementHold {
    /// Whether it is still dragged.
    pub(super) fn is_dragged(&self) -> bool {
        self.dropped.is_none()
    }
}

/// When an element plays, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    /// From when on it is there.
    appears: f64,
    /// From when on it plays.
    start: f64,
    end: f64,
    loops: bool,
}

/// The row of the element with this index.
pub(super) fn element_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    index: usize,
    place: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some(open) = model.open() else { return };
    let Some(element) = open.scene.and_then(|scene| scene.elements().get(index)) else { return };
    let played = open.clip().procedural_as::<Scene>();
    let takes = played.map(|scene| &*scene.takes).unwrap_or_default();
    let takes: Vec<&Take> =
        takes.iter().map(|take| &**take).filter(|take| take.element == index).collect();
    name_ui(ui, model, element, &takes, place.label);
    forget_what_is_played(state, open);
    let error = element.content.as_ref().err().cloned().or_else(|| {
        let issue = played?.issues.iter().find(|issue| issue.element == index);
        issue.map(|issue| issue.message.clone())
    });
    if let (Some(stretch), Ok(content)) = (Stretch::of(&takes), &element.content) {
        let own = Bar { model, open, index, element, content };
        own.bar_ui(ui, stretch, place, axis, state, model.commands);
    } else if let Some(error) = error {
        let color = Palette::of(ui.visuals()).error;
        let track = place.track.with_min_x(place.track.left() + 6.0);
        if label::text_ui(ui, track, &error, color) {
            let id = ui.id().with(("error", index));
            ui.interact(track, id, Sense::hover()).on_hover_text(&error);
        }
    }
    line_ui(ui, place);
}

/// The name of an element; a click selects who plays it.
fn name_ui(ui: &Ui, model: &Model<'_>, element: &SceneElement, takes: &[&Take], rect: Rect) {
    let palette = Palette::of(ui.visuals());
    let player = takes.first().map(|take| take.player());
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
    let text = rect.with_min_x(rect.left() + TRIANGLE).with_max_x(rect.right() - 4.0);
    if label::text_ui(ui, text, &element.name, color) {
        response.clone().on_hover_text(&element.name);
    }
    if response.clicked()
        && let Some(player) = player
    {
        model.send(Command::View(ViewCommand::Select((!is_selected).then(|| model.node(player)))));
    }
}

/// Forgets a dropped bar once the edited scene plays; until then it is drawn where it was dropped.
fn forget_what_is_played(state: &mut TimelineState, open: &OpenRecording<'_>) {
    let is_played = |hold: &ElementHold| {
        hold.recording == open.entity
            && hold.dropped.is_some_and(|revision| revision != open.recording.revision())
    };
    if state.element.as_ref().is_some_and(is_played) {
        state.element = None;
    }
}

impl Stretch {
    /// When these are played, which are of one element.
    fn of(takes: &[&Take]) -> Option<Self> {
        let least = |of: fn(&Take) -> f64| takes.iter().map(|take| of(take)).reduce(f64::min);
        let level = takes.first()?.cue.outermost()?;
        Some(Self {
            appears: least(|take| take.cue.delay())?,
            start: least(|take| take.cue.start())?,
            end: level.end,
            loops: level.loops,
        })
    }

    fn later(self, ticks: f64) -> Self {
        Self {
            appears: (self.appears + ticks).max(0.0),
            start: self.start + ticks,
            end: self.end + ticks,
            ..self
        }
    }
}

/// The bar of an element.
struct Bar<'a> {
    model: &'a Model<'a>,
    open: &'a OpenRecording<'a>,
    index: usize,
    element: &'a SceneElement,
    content: &'a Element,
}

impl Bar<'_> {
    fn bar_ui(
        &self,
        ui: &Ui,
        stretch: Stretch,
        place: &RowRects,
        axis: &TimeAxis,
        state: &mut TimelineState,
        commands: &CommandSender,
    ) {
        let rect = rect_of(stretch.appears, stretch.end, place.track, axis);
        let id = ui.id().with(("bar", self.index));
        let response = ui.interact(rect.intersect(place.track), id, Sense::click_and_drag());
        response.widget_info(|| {
            let timing = &self.content.timing;
            let delay = words::trimmed(timing.start_delay + timing.wait_on_start, 3);
            let label = format!("Element {}, delay {delay} s", self.element.name);
            WidgetInfo::labeled(WidgetType::Slider, true, label)
        });
        self.drag(&response, axis, state, commands);
        let is_held =
            |hold: &&ElementHold| hold.recording == self.open.entity && hold.element == self.index;
        let held = state.element.as_ref().filter(is_held);
        let later = held.map_or(0.0, |hold| (hold.later * TICKS_PER_SECOND).round());
        let is_dragged = held.is_some_and(ElementHold::is_dragged);
        let is_lit = is_dragged || response.hovered();
        if is_lit {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        let shown = stretch.later(later);
        self.paint(ui, shown, place.track, axis, is_lit);
        let text = match held {
            Some(hold) if is_dragged => {
                let delay = shown.start / TICKS_PER_SECOND;
                let later = words::trimmed(hold.later, 3);
                let sign = if hold.later > 0.0 { "+" } else { "" };
                let ticks = words::count(shown.start as usize);
                format!("from {} s, tick {ticks} ({sign}{later} s)", words::trimmed(delay, 3))
            }
            _ if shown.start > 0.0 => {
                format!("from {} s", words::trimmed(shown.start / TICKS_PER_SECOND, 3))
            }
            _ => String::new(),
        };
        let palette = Palette::of(ui.visuals());
        let bar = rect_of(shown.start, shown.end, place.track, axis).intersect(place.track);
        let painter = ui.painter().with_clip_rect(place.track.intersect(ui.clip_rect()));
        let at = bar.left_center() + vec2(6.0, 0.0);
        painter.text(at, Align2::LEFT_CENTER, text, small(), palette.text);
        if !is_dragged {
            response.on_hover_text("Drag to change the delay, tick by tick");
        }
    }

    /// Takes hold of the bar, moves it or drops it: only that is an edit.
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
            let from = axis.time_at(from.x);
            let element = self.index;
            state.element = Some(ElementHold {
                recording,
                element,
                from,
                edit: None,
                later: 0.0,
                dropped: None,
            });
        }
        let Some(hold) = &mut state.element else { return };
        if (hold.recording, hold.element) != (recording, self.index) || hold.dropped.is_some() {
            return;
        }
        if let Some(pointer) = pointer
            && (response.dragged_by(PointerButton::Primary) || response.drag_stopped())
        {
            let timing = &self.content.timing;
            let wanted =
                to_ticks(ElementEdit::delayed(timing, axis.time_at(pointer.x) - hold.from));
            hold.later = wanted.delay_by(timing);
            hold.edit = Some(wanted).filter(|wanted| !wanted.is_in(self.content));
        }
        if response.drag_stopped() {
            match hold.edit.take() {
                None => state.element = None,
                Some(edit) => {
                    hold.dropped = Some(self.open.recording.revision());
                    let edit = SceneEdit::Change(self.index, edit);
                    let ends = || Command::Scene(SceneCommand::EndStep(recording));
                    let edit = Command::Scene(SceneCommand::Edit(recording, edit));
                    commands.send_all([ends(), edit, ends()]);
                }
            }
        }
    }

    fn paint(&self, ui: &Ui, stretch: Stretch, track: Rect, axis: &TimeAxis, is_lit: bool) {
        let palette = Palette::of(ui.visuals());
        let color = palette.accent;
        let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
        let fill = |from: f64, to: f64, strength: f32| {
            let rect = rect_of(from, to, track, axis).shrink2(vec2(0.0, 2.0));
            painter.rect_filled(rect, 3.0, palette.tint(color, strength));
            rect
        };
        if stretch.loops && stretch.end > stretch.appears {
            // The next round, which is as all that follow.
            let period = stretch.end + 1.0;
            let last = self.model.clip().map_or(0.0, |clip| clip.span.end() * TICKS_PER_SECOND);
            let rounds = (last / period).ceil().clamp(1.0, 64.0) as u32;
            for round in 1..rounds {
                let by = f64::from(round) * period;
                fill(stretch.start + by, stretch.end + by, 0.1);
            }
        }
        if stretch.appears < stretch.start {
            fill(stretch.appears, stretch.start, 0.1);
        }
        let bar = fill(stretch.start, stretch.end, if is_lit { 0.4 } else { 0.25 });
        let edge = Stroke::new(1.0, palette.tint(color, 0.7));
        painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    }
}

/// The stretch between two ticks.
fn rect_of(from: f64, to: f64, track: Rect, axis: &TimeAxis) -> Rect {
    let [left, right] = [from, to].map(|tick| axis.x_at(tick / TICKS_PER_SECOND));
    Rect::from_x_y_ranges(left..=right.max(left + 3.0), track.y_range())
}

/// The edit at a whole tick.
fn to_ticks(edit: ElementEdit) -> ElementEdit {
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
    use crate::ui::testing::{Desk, PanelUi, drag, show};
    use mutoscope_core::measure::timeline::Window;

    /// The second element alone; 100 points are a second.
    const LANE: PanelUi<TimelineState> = |ui, model, state| {
        let track = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 18.0));
        let label = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 18.0));
        let axis = TimeAxis::new(Window { start: 0.0, end: 4.0 }, 100.0, 500.0);
        element_ui(ui, model, 1, &RowRects { label, track }, &axis, state);
    };

    /// The commands of dragging the bar by this many points, before and after it is dropped.
    fn dragged_by(points: f32) -> [Vec<Command>; 2] {
        let mut lane = show(Desk::with_scene(), [500.0, 40.0], LANE);
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
        let [before, dropped] = dragged_by(52.0);
        assert_eq!(before, [], "one drag is one edit");
        let [_, Command::Scene(SceneCommand::Edit(_, edit)), _] = &dropped[..] else {
            panic!("{dropped:?}")
        };
        assert_eq!(*edit, SceneEdit::Change(1, ElementEdit::StartDelay(0.5)));
        assert_eq!(dragged_by(-60.0)[1], [], "it is nowhere before the start");
        assert_eq!(dragged_by(2.0)[1], [], "less than half a tick");
    }

    #[test]
    fn label_selects_who_plays_it() {
        let mut lane = show(Desk::with_scene(), [500.0, 40.0], LANE);
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
