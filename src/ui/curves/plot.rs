//! One pane: its value axis, and zooming and panning in value.

use std::sync::Arc;

use bevy_egui::egui::{Color32, PointerButton, Pos2, Rect, Ui, pos2, vec2};

use super::{
    CurvesState, Scene, keys, legend, paint,
    pane::{Channel, ChannelId, Content, Pane},
    source::Source,
    strips,
    trace::Trace,
    values::{ValueAxis, ValueWindow},
};
use crate::ui::{CommandSender, style::Palette, timeline::navigate::SCROLL_PER_ZOOM};
use mutoscope_core::{clip::Clip, measure::timeline::TimeAxis};

/// One curve as it is drawn.
pub(super) struct Line<'a> {
    pub(super) channel: &'a Channel,
    /// Where its keys are, if it has any.
    pub(super) source: Option<Source<'a>>,
    pub(super) trace: Arc<Trace>,
    pub(super) scale: Scale,
    pub(super) color: Color32,
    /// The least and the greatest value of its pane.
    pub(super) bounds: Option<(f64, f64)>,
    /// Times whose values are shown, with these: that under the pointer, and the current time.
    pub(super) told: [(f64, f64); 2],
}

/// From values to what the axis of the pane counts: the same, unless it is normalised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    zero: f64,
    one: f64,
}

impl Scale {
    const PLAIN: Self = Self { zero: 0.0, one: 1.0 };

    /// The least value at 0, the greatest at 1; a single value in the middle.
    fn normalised(bounds: Option<(f64, f64)>) -> Self {
        match bounds {
            Some((low, high)) if high > low => Self { zero: low, one: high },
            Some((low, _)) => Self { zero: low - 0.5, one: low + 0.5 },
            None => Self::PLAIN,
        }
    }

    pub(super) fn apply(self, value: f64) -> f64 {
        (value - self.zero) / (self.one - self.zero)
    }
}

/// Where things of a pane are on the screen.
#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub(super) rect: Rect,
    pub(super) time: &'a TimeAxis,
    pub(super) values: ValueAxis,
}

impl Grid<'_> {
    /// Where a value of `line` at `time` is. Not so far outside that it would make endless dashes.
    pub(super) fn place(&self, line: &Line<'_>, time: f64, value: f64) -> Pos2 {
        pos2(self.time.x_at(time), self.y(line, value))
    }

    pub(super) fn y(&self, line: &Line<'_>, value: f64) -> f32 {
        let room = self.rect.height() + 100.0;
        let y = self.values.y_at(line.scale.apply(value));
        y.clamp(self.rect.top() - room, self.rect.bottom() + room)
    }
}

/// Draws `pane` within `rect`.
pub(super) fn plot_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    pane: &Pane,
    rect: Rect,
    state: &mut CurvesState,
    commands: &CommandSender,
) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    if state.folded.contains(&pane.id()) {
        return;
    }
    match pane.content {
        Content::Colors(track) => strips::paint_colors(&painter, scene, track, rect, palette),
        Content::Words(track) => strips::paint_words(&painter, scene, track, rect, palette),
        Content::Curves(_) => {
            let axis = value_axis(ui, scene.clip, pane, rect, state);
            let grid = Grid { rect, time: scene.axis, values: axis };
            let lines = lines(scene, pane, state, palette);
            let selected = scene.model.selected_key();
            let found = keys::under_pointer(ui, &grid, &lines);
            let is_switch = is_of_switches(scene.clip, pane);
            paint::grid(&painter, &grid, is_switch, palette);
            for line in &lines {
                paint::line(&painter, &grid, line, palette);
            }
            for line in &lines {
                let found = found.map(|found| found.key);
                paint::keys(&painter, &grid, line, selected, found, palette);
            }
            paint::labels(&painter, &grid, pane.unit, is_switch, state.normalised, palette);
            paint::dots(&painter, &grid, &lines, palette);
            lines.iter().for_each(|line| paint::values_out_of_sight(&painter, &grid, line));
            keys::key_ui(ui, scene, &grid, pane, &lines, found, commands);
        }
    }
}

/// The value axis of `pane`, zoomed and panned as the pointer says.
fn value_axis(ui: &Ui, clip: &Clip, pane: &Pane, rect: Rect, state: &mut CurvesState) -> ValueAxis {
    let before = state.windows.get(&pane.id()).copied();
    let window = before.unwrap_or_else(|| everything(clip, pane, state));
    let y = rect.shrink2(vec2(0.0, 1.0)).y_range();
    let axis = ValueAxis::new(window, y);
    let moved = navigated(ui, &axis, window, rect);
    if moved == window {
        return axis;
    }
    state.windows.insert(pane.id(), moved);
    ValueAxis::new(moved, y)
}

/// Zooms with Ctrl or Shift and the wheel, pans with the middle or the right button.
fn navigated(ui: &Ui, axis: &ValueAxis, window: ValueWindow, rect: Rect) -> ValueWindow {
    let mut window = window;
    let pointer = ui.input(|input| input.pointer.hover_pos());
    if let Some(pointer) = pointer.filter(|_| ui.rect_contains_pointer(rect)) {
        let factor = ui.input(|input| {
            let scroll = input.smooth_scroll_delta();
            let by_scroll = f64::from((scroll.x + scroll.y) / SCROLL_PER_ZOOM).exp();
            match (input.modifiers.command, input.modifiers.shift) {
                (true, _) => f64::from(input.zoom_delta()),
                (false, true) => by_scroll,
                (false, false) => 1.0,
            }
        });
        if factor != 1.0 {
            window = window.zoomed(factor, axis.value_at(pointer.y));
        }
    }
    let dragged = ui.input(|input| {
        let buttons = [PointerButton::Middle, PointerButton::Secondary];
        let is_down = buttons.iter().any(|&button| input.pointer.button_down(button));
        let from = input.pointer.press_origin().filter(|origin| rect.contains(*origin));
        from.filter(|_| is_down).map_or(0.0, |_| input.pointer.delta().y)
    });
    if dragged != 0.0 && ui.clip_rect().intersects(rect) {
        window = window.moved(f64::from(dragged) * axis.per_point());
    }
    window
}

/// The window that shows all values of the curves of `pane` that are shown, but for those far away.
fn everything(clip: &Clip, pane: &Pane, state: &mut CurvesState) -> ValueWindow {
    if state.normalised || is_of_switches(clip, pane) {
        return ValueWindow::fitting(0.0, 1.0);
    }
    let mut all = shown(pane, state);
    if all.is_empty() {
        all = pane.channels().iter().map(|channel| channel.id).collect();
    }
    let bounds = all.into_iter().filter_map(|id| state.cache.typical_bounds(clip, id));
    fitting(bounds)
}

/// The least and the greatest value of all channels of `pane` over the whole recording.
pub(super) fn bounds(clip: &Clip, pane: &Pane, state: &mut CurvesState) -> Option<(f64, f64)> {
    let all = pane.channels().iter().filter_map(|channel| state.cache.bounds(clip, channel.id));
    all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn fitting(bounds: impl Iterator<Item = (f64, f64)>) -> ValueWindow {
    let all = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let (low, high) = all.unwrap_or((-1.0, 1.0));
    ValueWindow::fitting(low, high)
}

fn shown(pane: &Pane, state: &CurvesState) -> Vec<ChannelId> {
    let ids = pane.channels().iter().map(|channel| channel.id);
    ids.filter(|id| state.shows(*id)).collect()
}

/// Lets each of `panes` show the values that its curves have within the time that is shown.
pub(super) fn fit(clip: &Clip, panes: &[Pane], state: &mut CurvesState, axis: &TimeAxis) {
    for pane in panes {
        let ids = shown(pane, state);
        let mut bounds = Vec::new();
        for id in ids {
            let scale = scale(clip, id, state);
            if let Some((low, high)) = state.cache.trace(clip, id, axis).bounds() {
                bounds.push((scale.apply(low), scale.apply(high)));
            }
        }
        if !bounds.is_empty() && !is_of_switches(clip, pane) {
            state.windows.insert(pane.id(), fitting(bounds.into_iter()));
        }
    }
}

/// Whether all curves of `pane` are on or off.
fn is_of_switches(clip: &Clip, pane: &Pane) -> bool {
    let is_switch = |track| clip.track(track).curve.is_switch();
    pane.channels().iter().all(|channel| channel.id.track().is_some_and(is_switch))
}

fn scale(clip: &Clip, id: ChannelId, state: &mut CurvesState) -> Scale {
    if state.normalised { Scale::normalised(state.cache.bounds(clip, id)) } else { Scale::PLAIN }
}

/// The curves of `pane` that are shown.
fn lines<'a>(
    scene: &Scene<'a>,
    pane: &'a Pane,
    state: &mut CurvesState,
    palette: &Palette,
) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let bounds = bounds(scene.clip, pane, state);
    for channel in pane.channels() {
        if !state.shows(channel.id) {
            continue;
        }
        let value = |time| (time, state.cache.value(scene.clip, channel.id, scene.axis, time));
        let told = [scene.told, scene.model.time()].map(value);
        lines.push(Line {
            channel,
            source: Source::of(scene.clip, channel.id),
            told,
            trace: state.cache.trace(scene.clip, channel.id, scene.axis),
            scale: scale(scene.clip, channel.id, state),
            color: legend::color(palette, channel.role),
            bounds,
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalised_curves_run_from_zero_to_one() {
        let scale = Scale::normalised(Some((-2.0, 6.0)));
        assert_eq!([-2.0, 0.0, 6.0].map(|value| scale.apply(value)), [0.0, 0.25, 1.0]);
        assert_eq!(Scale::normalised(Some((3.0, 3.0))).apply(3.0), 0.5);
        assert_eq!(Scale::PLAIN.apply(-7.5), -7.5);
    }
}
