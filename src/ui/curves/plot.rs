//! Draws one pane, with its value axis, and handles zooming and panning in value.

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
use mutoscope_core::clip::Clip;
use mutoscope_view::timeline::TimeAxis;

pub(super) struct Line<'a> {
    pub(super) channel: &'a Channel,
    /// The keys. `None` if the channel is not a track.
    pub(super) source: Option<Source<'a>>,
    pub(super) trace: Arc<Trace>,
    pub(super) scale: Scale,
    pub(super) color: Color32,
    pub(super) bounds: Option<(f64, f64)>,
    /// The times whose values are shown, with their values: under the pointer, and at the playhead.
    pub(super) readouts: [(f64, f64); 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    zero: f64,
    one: f64,
}

impl Scale {
    const IDENTITY: Self = Self { zero: 0.0, one: 1.0 };

    /// Maps the minimum to 0 and the maximum to 1. A constant curve is at 0.5.
    fn normalised(bounds: Option<(f64, f64)>) -> Self {
        match bounds {
            Some((low, high)) if high > low => Self { zero: low, one: high },
            Some((low, _)) => Self { zero: low - 0.5, one: low + 0.5 },
            None => Self::IDENTITY,
        }
    }

    pub(super) fn apply(self, value: f64) -> f64 {
        (value - self.zero) / (self.one - self.zero)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub(super) rect: Rect,
    pub(super) time: &'a TimeAxis,
    pub(super) values: ValueAxis,
}

impl Grid<'_> {
    /// Returns the position of a value of `line`. The distance from the pane is limited, because a
    /// line that goes far outside would be split into countless dashes.
    pub(super) fn position(&self, line: &Line<'_>, time: f64, value: f64) -> Pos2 {
        pos2(self.time.x_at(time), self.y(line, value))
    }

    pub(super) fn y(&self, line: &Line<'_>, value: f64) -> f32 {
        let room = self.rect.height() + 100.0;
        let y = self.values.y_at(line.scale.apply(value));
        y.clamp(self.rect.top() - room, self.rect.bottom() + room)
    }
}

pub(super) fn plot_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    pane: &Pane,
    rect: Rect,
    state: &mut CurvesState,
    commands: &CommandSender,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    if state.collapsed.contains(&pane.id()) {
        return;
    }
    match pane.content {
        Content::Colors(track) => strips::paint_colors(&painter, scene, track, rect, palette),
        Content::Text(track) => strips::paint_text(&painter, scene, track, rect, palette),
        Content::Curves(_) => {
            let axis = value_axis(ui, scene.clip, pane, rect, state);
            let grid = Grid { rect, time: scene.axis, values: axis };
            let lines = shown_lines(scene, pane, state, palette);
            let selected = scene.model.selected_key();
            let hovered = keys::hovered_key(ui, &grid, &lines);
            let is_switch = has_only_switches(scene.clip, pane);
            paint::paint_grid_lines(&painter, &grid, is_switch, palette);
            for line in &lines {
                paint::paint_line(&painter, &grid, line, palette);
            }
            for line in &lines {
                let hovered = hovered.map(|hovered| hovered.key);
                paint::paint_keys(&painter, &grid, line, selected, hovered, palette);
            }
            paint::paint_tick_labels(
                &painter,
                &grid,
                pane.unit,
                is_switch,
                state.normalised,
                palette,
            );
            paint::paint_readouts(&painter, &grid, &lines, palette);
            lines.iter().for_each(|line| paint::paint_overflow_arrows(&painter, &grid, line));
            keys::key_ui(ui, scene, &grid, pane, &lines, hovered, commands);
        }
    }
}

fn value_axis(ui: &Ui, clip: &Clip, pane: &Pane, rect: Rect, state: &mut CurvesState) -> ValueAxis {
    let before = state.windows.get(&pane.id()).copied();
    let window = before.unwrap_or_else(|| full_window(clip, pane, state));
    let y = rect.shrink2(vec2(0.0, 1.0)).y_range();
    let axis = ValueAxis::new(window, y);
    let navigated = zoom_or_pan(ui, &axis, window, rect);
    if navigated == window {
        return axis;
    }
    state.windows.insert(pane.id(), navigated);
    ValueAxis::new(navigated, y)
}

fn zoom_or_pan(ui: &Ui, axis: &ValueAxis, window: ValueWindow, rect: Rect) -> ValueWindow {
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
            window = window.zoomed_at(factor, axis.value_at(pointer.y));
        }
    }
    let dragged = ui.input(|input| {
        let buttons = [PointerButton::Middle, PointerButton::Secondary];
        let is_down = buttons.iter().any(|&button| input.pointer.button_down(button));
        let from = input.pointer.press_origin().filter(|origin| rect.contains(*origin));
        from.filter(|_| is_down).map_or(0.0, |_| input.pointer.delta().y)
    });
    if dragged != 0.0 && ui.clip_rect().intersects(rect) {
        window = window.panned(f64::from(dragged) * axis.values_per_point());
    }
    window
}

fn full_window(clip: &Clip, pane: &Pane, state: &mut CurvesState) -> ValueWindow {
    if state.normalised || has_only_switches(clip, pane) {
        return ValueWindow::fitting(0.0, 1.0);
    }
    let mut all = shown_channels(pane, state);
    if all.is_empty() {
        all = pane.channels().iter().map(|channel| channel.id).collect();
    }
    let bounds = all.into_iter().filter_map(|id| state.cache.typical_bounds(clip, id));
    window_for_bounds(bounds)
}

pub(super) fn pane_bounds(clip: &Clip, pane: &Pane, state: &mut CurvesState) -> Option<(f64, f64)> {
    let all = pane.channels().iter().filter_map(|channel| state.cache.bounds(clip, channel.id));
    all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn window_for_bounds(bounds: impl Iterator<Item = (f64, f64)>) -> ValueWindow {
    let all = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let (low, high) = all.unwrap_or((-1.0, 1.0));
    ValueWindow::fitting(low, high)
}

fn shown_channels(pane: &Pane, state: &CurvesState) -> Vec<ChannelId> {
    let ids = pane.channels().iter().map(|channel| channel.id);
    ids.filter(|id| state.shows(*id)).collect()
}

pub(super) fn fit_panes(clip: &Clip, panes: &[Pane], state: &mut CurvesState, axis: &TimeAxis) {
    for pane in panes {
        let ids = shown_channels(pane, state);
        let mut bounds = Vec::new();
        for id in ids {
            let scale = channel_scale(clip, id, state);
            if let Some((low, high)) = state.cache.trace(clip, id, axis).bounds() {
                bounds.push((scale.apply(low), scale.apply(high)));
            }
        }
        if !bounds.is_empty() && !has_only_switches(clip, pane) {
            state.windows.insert(pane.id(), window_for_bounds(bounds.into_iter()));
        }
    }
}

fn has_only_switches(clip: &Clip, pane: &Pane) -> bool {
    let is_switch = |track| clip.track(track).curve.is_switch();
    pane.channels().iter().all(|channel| channel.id.track().is_some_and(is_switch))
}

fn channel_scale(clip: &Clip, id: ChannelId, state: &mut CurvesState) -> Scale {
    if state.normalised { Scale::normalised(state.cache.bounds(clip, id)) } else { Scale::IDENTITY }
}

fn shown_lines<'a>(
    scene: &Scene<'a>,
    pane: &'a Pane,
    state: &mut CurvesState,
    palette: &Palette,
) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let bounds = pane_bounds(scene.clip, pane, state);
    for channel in pane.channels() {
        if !state.shows(channel.id) {
            continue;
        }
        let value = |time| (time, state.cache.value_at(scene.clip, channel.id, scene.axis, time));
        let readouts = [scene.readout_time, scene.model.time()].map(value);
        lines.push(Line {
            channel,
            source: Source::for_channel(scene.clip, channel.id),
            readouts,
            trace: state.cache.trace(scene.clip, channel.id, scene.axis),
            scale: channel_scale(scene.clip, channel.id, state),
            color: legend::role_color(palette, channel.role),
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
        assert_eq!(Scale::IDENTITY.apply(-7.5), -7.5);
    }
}
