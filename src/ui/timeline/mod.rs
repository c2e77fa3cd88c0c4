//! The timeline: ruler, range, lanes of what is on and off, markers, and where keys are; or
//! curves below the ruler.
//!
//! | module | what it does |
//! |---|---|
//! | `axis` | which times are shown where; zooming and panning |
//! | `ruler` | ticks at round times |
//! | `marks` | range, pointer and playhead over all rows |
//! | `gestures` | what dragging and scrolling mean |
//! | `rows` | which rows there are |
//! | `row` | painting one row and its label |
//! | `events` | markers |
//! | `findings` | what is odd, and what is worth a look |
//! | `lanes` | what signals say: `switches`, words, how numbers `run` |
//! | `density` | where keys are, each or how dense |
//! | `cache` | what rows show, kept while the axis stays |

pub(super) mod axis;
mod cache;
mod density;
mod events;
mod findings;
pub(super) mod gestures;
mod lanes;
mod marks;
mod row;
pub(super) mod rows;
mod ruler;
mod run;
mod switches;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use bevy_egui::egui::{
    self, Rangef, Rect, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2,
    scroll_area::ScrollSource,
};

use self::{
    axis::{TimeAxis, Window},
    cache::Cache,
    gestures::{Drag, Zones},
};
use super::{
    Model,
    curves::{self, CurvesState},
    style::Palette,
    words::Frames,
};
use crate::{
    clip::{Clip, GroupId, Span},
    playback::{Clock, TimeCommand},
    viewer::{Command, Toggle},
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
    /// Where the playhead was in the last frame, and whether it could be seen.
    playhead: Option<(f64, bool)>,
    cache: Cache,
    /// Whether there are curves below the ruler, in place of rows.
    shows_curves: bool,
    /// Whether the ruler counts frames, where the recording has a rate.
    pub(super) counts_frames: bool,
    pub(super) curves: CurvesState,
}

impl TimelineState {
    /// Does what `command` asks for, if it is about the timeline's looks alone; tells whether it
    /// was. What frames the picture fits the curves while the pointer is over them.
    pub(super) fn apply(&mut self, command: &Command) -> bool {
        let over_curves = self.shows_curves && self.curves.is_under_pointer();
        match command {
            Command::Toggle(Toggle::Curves) => self.shows_curves ^= true,
            Command::Toggle(Toggle::Frames) => self.counts_frames ^= true,
            Command::Toggle(Toggle::NormalisedCurves) => {
                self.curves.normalised ^= true;
                self.curves.show_all();
            }
            Command::FitCurves => self.curves.fit(),
            Command::FrameSelected if over_curves => self.curves.fit(),
            Command::FrameAll if over_curves => {
                self.window = None;
                self.curves.show_all();
            }
            _ => return false,
        }
        true
    }

    /// Whether there are curves below the ruler.
    pub(super) fn shows_curves(&self) -> bool {
        self.shows_curves
    }

    /// Shows curves below the ruler, or rows.
    pub(super) fn show_curves(&mut self, shows: bool) {
        self.shows_curves = shows;
    }

    /// The same looks for another recording.
    fn for_another_recording(&self, generation: u32) -> Self {
        Self {
            generation,
            shows_curves: self.shows_curves,
            counts_frames: self.counts_frames,
            curves: self.curves.for_another_recording(),
            ..Self::default()
        }
    }

    /// Where time may be looked at: curves go on outside of the recording.
    fn roam(&self, span: Span) -> Span {
        if !self.shows_curves {
            return span;
        }
        Span { start: span.start - span.duration, duration: 3.0 * span.duration }
    }

    /// `window`, turned like a page to where the playhead has gone: out of sight while it was
    /// seen, or anywhere by other means than playing on.
    fn following(&self, window: Window, clock: &Clock, roam: Span) -> Window {
        let follows = self.drag.is_none()
            && self.playhead.is_none_or(|(time, was_shown)| {
                was_shown || (time != clock.time() && !clock.is_running())
            });
        if follows { window.showing(clock.time(), roam) } else { window }
    }

    /// Lets the clock go if the timeline was taken away while it was dragged.
    pub(super) fn end_drag(&mut self, commands: &mut Vec<Command>) {
        if matches!(self.drag.take(), Some(Drag::Scrub { .. })) {
            commands.push(Command::Time(TimeCommand::Release));
        }
    }
}

/// The width of the column of labels.
const LABELS_WIDTH: f32 = 168.0;
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
        *state = state.for_another_recording(generation);
    }
    let palette = Palette::of(ui.visuals());
    let areas = Areas::within(ui.available_rect_before_wrap());
    let all = Window::all_of(clock.span());
    let roam = state.roam(clock.span());
    let before = state.window.unwrap_or(all).within(roam);
    let axis = TimeAxis::new(before, areas.x);
    let mut window = gestures::navigate(ui, &axis, before, roam, &areas, state.shows_curves);

    let zones = Zones { range: areas.range, scrub: areas.scrub() };
    let responses = surfaces(ui, &zones, clock);
    window = gestures::pan(&responses, &axis, window, roam);
    if responses.shows_all() {
        window = all;
        state.curves.show_all();
    }
    gestures::drag(ui, &responses, &axis, model, &mut state.drag, commands);
    if window == before {
        window = state.following(window, clock, roam);
    }
    let is_seen = window.showing(clock.time(), roam) == window;
    state.playhead = Some((clock.time(), is_seen));
    state.window = (window != all).then_some(window);

    let axis = TimeAxis::new(window, areas.x);
    let frames = Frames::of(clip);
    let counted = frames.filter(|_| state.counts_frames);
    marks::paint_ruler(ui, &areas, &axis, clock, counted, palette);
    marks::paint_ground(ui.painter(), &areas, &axis, clock, palette);
    if state.shows_curves {
        curves_ui(ui, model, clip, state, &areas, &axis, commands);
    } else {
        state.cache.aim_at(&axis);
        rows_ui(ui, model, clip, state, &areas, &axis, commands);
    }
    let over = ui.painter().with_clip_rect(areas.tracks.with_min_y(areas.ticks.top()));
    marks::paint_outside_of_range(&over, &areas, &axis, clock, palette);
    marks::paint_hover(ui, &over, &areas, &axis, frames, palette);
    marks::paint_playhead(&over, &areas, axis.x_at(clock.time()), palette);
    ui.advance_cursor_after_rect(areas.all);
}

/// Curves, with their switches beside the ruler.
fn curves_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    state: &mut TimelineState,
    areas: &Areas,
    axis: &TimeAxis,
    commands: &mut Vec<Command>,
) {
    let corner = Rect::from_min_max(areas.all.min, pos2(areas.x.min - 6.0, areas.body.top()));
    let frames = state.counts_frames;
    curves::toolbar_ui(ui, model, clip, &mut state.curves, frames, corner, commands);
    let place = curves::Place { body: areas.body, x: areas.x };
    curves::curves_ui(ui, model, clip, &mut state.curves, &place, axis, commands);
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
    let (loose, conditions) = (state.cache.loose(clip), state.cache.conditions(clip));
    let selected = model.view.selected;
    let mut rows =
        rows::rows(clip, events.len(), &lanes, &conditions, &loose, &state.unfolded, selected);
    if model.findings.all().iter().any(|finding| finding.time.is_some()) {
        rows.insert(events.len(), rows::Row::Findings);
    }
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
