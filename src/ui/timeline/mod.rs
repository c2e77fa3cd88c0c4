//! The timeline: ruler, range, lanes of what is on and off, markers, and where keys are.
//!
//! | module | what it does |
//! |---|---|
//! | `axis` | which times are shown where; zooming and panning |
//! | `ruler` | ticks at round times |
//! | `gestures` | what dragging and scrolling mean |
//! | `rows` | which rows there are |
//! | `row` | painting one row and its label |
//! | `events` | markers and notices |
//! | `lanes` | what signals say: switches, words, numbers |
//! | `density` | where keys are, each or how dense |
//! | `cache` | what rows show, kept while the axis stays |

mod axis;
mod cache;
mod density;
mod events;
mod gestures;
mod lanes;
mod row;
pub(super) mod rows;
mod ruler;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use bevy_egui::egui::{
    self, Align2, Color32, Rangef, Rect, ScrollArea, Sense, Shape, Stroke, Ui, WidgetInfo,
    WidgetType, pos2, scroll_area::ScrollSource, vec2,
};

use self::{
    axis::{TimeAxis, Window},
    cache::Cache,
    gestures::{Drag, Zones},
};
use super::{
    Model,
    style::{Palette, crisp, small_mono},
    words,
};
use crate::{
    clip::{Clip, GroupId},
    playback::{Clock, TimeCommand},
    viewer::Command,
};

/// What the timeline remembers from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct TimelineState {
    /// Which recording all of this is about.
    generation: u32,
    /// What is shown; everything if nothing was chosen.
    window: Option<Window>,
    /// The groups whose nodes have rows of their own.
    unfolded: HashSet<GroupId>,
    /// What the pointer is dragging.
    drag: Option<Drag>,
    /// Whether the playhead could be seen in the last frame.
    playhead_shown: bool,
    cache: Cache,
}

impl TimelineState {
    /// Lets the clock go if the timeline was taken away while it was dragged.
    pub(super) fn end_drag(&mut self, commands: &mut Vec<Command>) {
        if matches!(self.drag.take(), Some(Drag::Scrub { .. })) {
            commands.push(Command::Time(TimeCommand::Release));
        }
    }
}

/// The width of the column of labels.
const LABELS_WIDTH: f32 = 150.0;
/// The height of the strip for the range, at the top of the ruler.
const RANGE_HEIGHT: f32 = 12.0;
/// The height of the ticks below it.
const TICKS_HEIGHT: f32 = 22.0;
/// The room for the scroll bar.
const RIGHT_MARGIN: f32 = 12.0;

/// The timeline, over all the room that `ui` has.
pub(super) fn timeline_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut TimelineState,
    commands: &mut Vec<Command>,
) {
    let Some(clip) = model.player.clip() else { return };
    let clock = model.player.clock();
    if state.generation != model.player.generation() {
        state.end_drag(commands);
        let generation = model.player.generation();
        *state = TimelineState { generation, playhead_shown: true, ..Default::default() };
    }
    let palette = Palette::of(ui.visuals());
    let areas = Areas::within(ui.available_rect_before_wrap());
    let before = state.window.unwrap_or_else(|| Window::all_of(clock.span()));
    let axis = TimeAxis::new(before, areas.x);
    let mut window = gestures::navigate(ui, &axis, before, clock, &areas);

    let zones = Zones { range: areas.range, scrub: areas.scrub() };
    let responses = surfaces(ui, &zones, clock);
    window = gestures::pan_and_reset(&responses, &axis, window, clock.span());
    gestures::drag(ui, &responses, &axis, model, &mut state.drag, commands);
    if window == before && state.playhead_shown && state.drag.is_none() {
        // Turns the page when the playhead leaves what is shown.
        window = window.showing(clock.time(), clock.span());
    }
    state.playhead_shown = window.showing(clock.time(), clock.span()) == window;
    state.window = (window != Window::all_of(clock.span())).then_some(window);

    let axis = TimeAxis::new(window, areas.x);
    state.cache.aim_at(&axis);
    paint_ruler(ui, &areas, &axis, clock, palette);
    let tracks = areas.body.with_min_x(areas.x.min - 4.0);
    ui.painter().rect_filled(tracks, 0.0, palette.background);
    rows_ui(ui, model, clip, state, &areas, &axis, commands);
    let over = ui.painter().with_clip_rect(areas.tracks.with_min_y(areas.ticks.top()));
    paint_outside_of_range(&over, &areas, &axis, clock, palette);
    paint_hover(ui, &over, &areas, &axis, clock, palette);
    paint_playhead(&over, &areas, axis.x_at(clock.time()), palette);
    ui.advance_cursor_after_rect(areas.all);
}

/// The parts of the timeline.
struct Areas {
    all: Rect,
    range: Rect,
    ticks: Rect,
    /// Rows with their labels.
    body: Rect,
    /// Rows without their labels, and all above them.
    tracks: Rect,
    x: Rangef,
}

impl Areas {
    fn within(all: Rect) -> Self {
        let x = Rangef::new(
            all.left() + LABELS_WIDTH,
            (all.right() - RIGHT_MARGIN).max(all.left() + LABELS_WIDTH + 1.0),
        );
        let (ruler, body) = all.split_top_bottom_at_y(all.top() + RANGE_HEIGHT + TICKS_HEIGHT);
        let ruler = Rect::from_x_y_ranges(x, ruler.y_range());
        let (range, ticks) = ruler.split_top_bottom_at_y(all.top() + RANGE_HEIGHT);
        Self { all, range, ticks, body, tracks: Rect::from_x_y_ranges(x, all.y_range()), x }
    }

    fn scrub(&self) -> Rect {
        self.tracks.with_min_y(self.ticks.top())
    }
}

/// The two surfaces that can be dragged on, below everything that is in rows.
fn surfaces(ui: &Ui, zones: &Zones, clock: &Clock) -> gestures::Surfaces {
    let scrub = ui.interact(zones.scrub, ui.id().with("scrub"), Sense::click_and_drag());
    scrub.widget_info(|| WidgetInfo::slider(true, clock.time(), "Timeline"));
    let range = ui.interact(zones.range, ui.id().with("range"), Sense::click_and_drag());
    range.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Range strip"));
    let range = match clock.range() {
        None => range.on_hover_text("Drag to set the range"),
        // What can be dragged is seen now; a tooltip would cover it.
        Some(_) => range,
    };
    gestures::Surfaces { scrub, range }
}

fn paint_ruler(ui: &Ui, areas: &Areas, axis: &TimeAxis, clock: &Clock, palette: &Palette) {
    let painter = ui.painter();
    painter.rect_filled(areas.range, 3.0, palette.background);
    if let Some(range) = clock.range() {
        let x = Rangef::new(axis.x_at(range.start()), axis.x_at(range.end()));
        let painter = painter.with_clip_rect(areas.range);
        let rect = Rect::from_x_y_ranges(x, areas.range.y_range());
        painter.rect_filled(rect, 3.0, palette.tint(palette.accent, 0.35));
        for edge in [x.min, x.max] {
            let handle = Rect::from_center_size(pos2(edge, rect.center().y), vec2(4.0, 12.0));
            painter.rect_filled(handle, 1.0, palette.accent);
        }
        if x.span() > 64.0 {
            let text = words::duration(range.duration());
            painter.text(rect.center(), Align2::CENTER_CENTER, text, small_mono(), palette.text);
        }
    }
    ruler::paint(painter, areas.ticks, axis, palette);
    let line = Stroke::new(1.0, palette.line);
    painter.hline(areas.body.x_range(), crisp(painter, areas.body.top()), line);
}

fn rows_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    state: &mut TimelineState,
    areas: &Areas,
    axis: &TimeAxis,
    commands: &mut Vec<Command>,
) {
    let (events, lanes) = (state.cache.events(clip), state.cache.lanes(clip));
    let rows = rows::rows(clip, events.len(), &lanes, &state.unfolded, model.view.selected);
    let mut body = ui.new_child(egui::UiBuilder::new().max_rect(areas.body));
    let area = ScrollArea::vertical().auto_shrink(false).scroll_source(ScrollSource {
        drag: egui::scroll_area::DragScroll::Never,
        ..ScrollSource::ALL
    });
    area.show_viewport(&mut body, |ui, viewport| {
        ui.set_height(rows.len() as f32 * row::HEIGHT);
        let first = (viewport.top() / row::HEIGHT).floor().max(0.0) as usize;
        let top = ui.max_rect().top();
        let visible = (viewport.height() / row::HEIGHT).ceil() as usize + 1;
        for (index, &row) in rows.iter().enumerate().skip(first).take(visible) {
            let y = top + index as f32 * row::HEIGHT;
            let all = Rect::from_x_y_ranges(areas.body.x_range(), y..=y + row::HEIGHT);
            let place = row::Place {
                label: all.with_max_x(areas.x.min - 6.0),
                track: Rect::from_x_y_ranges(areas.x, all.y_range()),
            };
            row::row_ui(ui, model, clip, row, &place, axis, state, commands);
        }
    });
}

fn paint_outside_of_range(
    painter: &egui::Painter,
    areas: &Areas,
    axis: &TimeAxis,
    clock: &Clock,
    palette: &Palette,
) {
    let Some(range) = clock.range() else { return };
    let shade = palette.panel.gamma_multiply(0.6);
    let (start, end) = (axis.x_at(range.start()), axis.x_at(range.end()));
    let rows = areas.tracks.with_min_y(areas.body.top());
    for rect in [rows.with_max_x(start.min(rows.right())), rows.with_min_x(end.max(rows.left()))] {
        if rect.is_positive() {
            painter.rect_filled(rect, 0.0, shade);
        }
    }
    for x in [start, end] {
        let line = Stroke::new(1.0, palette.accent.gamma_multiply(0.5));
        painter.vline(crisp(painter, x), areas.tracks.y_range(), line);
    }
}

/// A hair line under the pointer, with its time.
fn paint_hover(
    ui: &Ui,
    painter: &egui::Painter,
    areas: &Areas,
    axis: &TimeAxis,
    clock: &Clock,
    palette: &Palette,
) {
    if !ui.rect_contains_pointer(areas.tracks) {
        return;
    }
    let Some(pointer) = ui.input(|input| input.pointer.hover_pos()) else { return };
    let x = crisp(painter, pointer.x);
    let line = Stroke::new(1.0, palette.dim.gamma_multiply(0.6));
    painter.vline(x, areas.scrub().y_range(), line);
    let text = words::clock_time(clock.span().clamp(axis.time_at(pointer.x)));
    label_box(painter, x, areas.ticks, text, palette.text, palette.raised);
}

/// A time in a box in the middle of `ticks`, as near to `x` as there is room.
fn label_box(
    painter: &egui::Painter,
    x: f32,
    ticks: Rect,
    text: String,
    color: Color32,
    fill: Color32,
) {
    let galley = painter.layout_no_wrap(text, small_mono(), color);
    let half = 0.5 * galley.size().x + 5.0;
    let x = x.clamp(ticks.left() + half, (ticks.right() - half).max(ticks.left() + half));
    let rect = Rect::from_center_size(pos2(x, ticks.top() + 8.0), vec2(2.0 * half, 15.0));
    painter.rect_filled(rect, 3.0, fill);
    painter.galley(rect.center() - 0.5 * galley.size(), galley, color);
}

fn paint_playhead(painter: &egui::Painter, areas: &Areas, x: f32, palette: &Palette) {
    let stroke = Stroke::new(1.5, palette.accent);
    painter.vline(x, areas.scrub().y_range(), stroke);
    let top = areas.ticks.bottom() - 9.0;
    let head = [(-5.0, 0.0), (5.0, 0.0), (5.0, 4.0), (0.0, 9.0), (-5.0, 4.0)];
    let head = head.map(|(dx, dy)| pos2(x + dx, top + dy)).to_vec();
    painter.add(Shape::convex_polygon(head, palette.accent, Stroke::NONE));
}
