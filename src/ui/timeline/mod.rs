//! The timeline: ruler, range, lanes of signals, markers, and keys; or curves below the ruler.
//!
//! Its content is prepared once for each recording, on a task ([`PreparedTimeline`]);
//! [`mutoscope_core::measure::timeline`] has the time axis and the density of keys.
//!
//! | module | what it does |
//! |---|---|
//! | `prepared` | the content that is prepared once for each recording |
//! | `state` | the state of the timeline |
//! | `layout` | the parts of the timeline |
//! | `ruler` | ticks at round times |
//! | `marks` | range, pointer and playhead over all rows |
//! | `navigate` | zooming and panning |
//! | `gestures`, `snapping` | drags, and snapping |
//! | `overview` | the whole recording, and which part of it is shown |
//! | `rows` | which rows there are |
//! | `row`, `label` | painting one row and its label |
//! | `keys` | keys as shapes, or how dense they are |
//! | `events` | markers |
//! | `gaps` | gaps that playback skips |
//! | `fixations`, `dwells` | fixations of a gaze and its dwells on areas of interest, as rows |
//! | `shift`, `distances` | the bar of each recording; distances from the compared recording |
//! | `elements` | the elements of a scene, to be dragged |
//! | `issues` | issues |
//! | `label_lane`, `label_rows` | labels as bars, to be played and dragged; in which row each is |
//! | `footage` | the reference video: its bar and its sound |
//! | `lanes` | signals: `switches`, text, how numbers `run` |
//! | `cache` | cached rows, kept while the axis is unchanged |

mod cache;
mod distances;
mod dwells;
mod elements;
mod events;
mod fixations;
mod footage;
mod gaps;
pub(super) mod gestures;
mod issues;
mod keys;
mod label;
mod label_lane;
mod label_rows;
mod lanes;
mod layout;
mod marks;
pub(super) mod navigate;
mod overview;
mod prepared;
mod row;
pub(super) mod rows;
mod ruler;
mod shift;
mod signal_shape;
mod snapping;
mod state;
mod switches;
#[cfg(test)]
mod tests;

use bevy_egui::egui::{
    self, Align2, Rect, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2,
    scroll_area::ScrollSource,
};

use self::{
    elements::ElementHold, gestures::Zones, label_rows::LabelRows, layout::Areas, rows::Row,
    snapping::Magnets,
};
use super::{
    CommandSender, Model, curves,
    style::{Palette, small},
    words::Frames,
};
use crate::session::{Command, ViewCommand};
use mutoscope_core::{
    clip::Clip,
    measure::timeline::{TimeAxis, Window},
    playback::Clock,
};

pub(super) use dwells::Total as DwellTotal;
pub(super) use gaps::skip_gaps;
pub use prepared::PreparedTimeline;
pub(super) use prepared::{Preparing, prepare};
pub(super) use state::TimelineState;

/// The timeline, over all the room that `ui` has.
pub(super) fn timeline_ui(ui: &mut Ui, model: &Model<'_>, state: &mut TimelineState) {
    let Some(clip) = model.clip() else { return };
    state.set_options(model.panels.timeline);
    state.named = None;
    let clock = model.clock;
    let reference = model.looking_at(0);
    if state.revision != reference.revision() {
        state.end_drag(model.commands);
        let source = reference.open().map(|open| open.source);
        *state = state.for_another_reference(reference.revision(), source);
    }
    state.look_at(model.recordings);
    state.look_at_curves_of(model.open());
    let palette = Palette::of(ui.visuals());
    let strip = if model.footage.is_open() { footage::HEIGHT } else { 0.0 };
    let areas = Areas::within(ui.available_rect_before_wrap(), state.labels_width, strip);
    let axis = steer(ui, &reference, state, &areas);
    let frames = reference.clip().and_then(Frames::of);
    let counted = frames.filter(|_| state.options.frames);
    marks::paint_ruler(ui, &areas, &axis, clock, counted, palette);
    marks::paint_ground(ui.painter(), &areas, &axis, clock, palette);
    footage::strip_ui(ui, model, &areas.strip(), &axis, state);
    if state.options.curves {
        let body = labels_over_curves_ui(ui, model, state, &areas, &axis);
        curves_ui(ui, model, clip, state, (&areas, body), &axis);
    } else {
        rows_ui(ui, model, state, &areas, &axis);
    }
    if let Some(width) = layout::labels_edge_ui(ui, &areas) {
        state.labels_width = width;
    }
    let over = ui.painter().with_clip_rect(areas.tracks.with_min_y(areas.ticks.top()));
    marks::paint_folds(&over, &areas, &axis, palette);
    marks::paint_outside_of_range(&over, &areas, &axis, clock, palette);
    let hovered = hovered_time(ui, state, &areas, &axis);
    model.send_all(hovered.map(|time| Command::View(ViewCommand::Hover(Some(time)))));
    let marked = hovered.or(model.hovered).filter(|_| state.drag.is_none());
    if let Some(time) = marked.filter(|time| axis.shows(*time)) {
        marks::paint_hover(&over, &areas, &axis, time, frames, palette);
    }
    marks::paint_playhead(&over, &areas, axis.x_at(clock.time()), palette);
    if let Some(snapped) = state.snapped {
        snapping::paint(&over, &areas, &axis, snapped, palette);
    }
    overview::paint(ui, &reference, &areas, &axis, state);
    ui.advance_cursor_after_rect(areas.all);
}

/// The time that the pointer is over, unless it drags something.
fn hovered_time(ui: &Ui, state: &TimelineState, areas: &Areas, axis: &TimeAxis) -> Option<f64> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    let drags_element = state.element.as_ref().is_some_and(ElementHold::is_dragged);
    let drags_bar = drags_element || state.label.is_some();
    let is_free = state.drag.is_none() && state.overview.is_none() && !drags_bar;
    (is_free && ui.rect_contains_pointer(areas.scrub())).then(|| axis.time_at(pointer.x))
}

/// Handles pointer and wheel; returns the visible times.
fn steer(ui: &Ui, model: &Model<'_>, state: &mut TimelineState, areas: &Areas) -> TimeAxis {
    let clock = model.clock;
    let all = Window::all_of(clock.span());
    let roam = state.roam(clock.span());
    let before = state.window.unwrap_or(all).within(roam);
    let folds = state.folded(model.timeline());
    let axis = |window| TimeAxis::folded(window, areas.x.min, areas.x.max, folds.clone());
    let shown = axis(before);
    let mut window = navigate::by_wheel(ui, &shown, roam, areas, state.options.curves);

    let zones = Zones { range: areas.range, scrub: areas.scrub() };
    let responses = surfaces(ui, &zones, clock);
    if let Some(panned) = navigate::by_dragging(&responses, &axis(window), roam) {
        window = panned;
    }
    if responses.shows_all() {
        window = all;
        state.curves.show_all();
    }
    if let Some(asked) = state.asked_window(clock) {
        window = asked;
    }
    if let Some(pulled) = overview::overview_ui(ui, model, areas, &shown, state) {
        window = pulled.within(clock.span());
    }
    let counted = model.clip().and_then(Frames::of);
    let counted = counted.filter(|_| state.options.frames);
    let modifiers = ui.input(|input| input.modifiers);
    let magnets = Magnets::new(&shown, model, counted, state.options.snapping, modifiers);
    state.snapped = gestures::drag(ui, &responses, &magnets, &mut state.drag);
    if window == before && state.overview.is_none() {
        window = state.following(&shown, clock, roam);
    }
    let is_seen = axis(window).shows(clock.time());
    state.playhead = Some((clock.time(), is_seen));
    state.window = (window != all).then_some(window);
    axis(window)
}

/// Curves, with their switches next to the ruler.
fn curves_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    state: &mut TimelineState,
    (areas, body): (&Areas, Rect),
    axis: &TimeAxis,
) {
    let corner = Rect::from_min_max(areas.all.min, pos2(areas.x.min - 6.0, areas.footage.top()));
    let frames = state.options.frames;
    curves::toolbar_ui(ui, model, clip, &mut state.curves, frames, corner);
    let place = curves::PaneRects { body, x: areas.x };
    let own_times = CommandSender::default();
    let own = Model { commands: &own_times, ..*model };
    curves::curves_ui(ui, &own, clip, &mut state.curves, &place, &model.axis(axis));
    model.send_on_clock(own_times.take());
}

/// The most of the room for curves that labels take.
const LABELS_OVER_CURVES: f32 = 0.4;

/// The rows of labels above curves, which scroll where there are many; the room that is left.
fn labels_over_curves_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut TimelineState,
    areas: &Areas,
    axis: &TimeAxis,
) -> Rect {
    let mut rows = Vec::new();
    for model in model.each() {
        rows.extend(label_rows(&model, state).into_iter().map(|row| (model.focus, row)));
    }
    let most = (LABELS_OVER_CURVES * areas.body.height() / row::HEIGHT).floor().max(1.0);
    let height = most.min(rows.len() as f32) * row::HEIGHT;
    let (labels, rest) = areas.body.split_top_bottom_at_y(areas.body.top() + height);
    if !rows.is_empty() {
        scroll_rows_ui(ui, model, state, (areas, labels), axis, &rows);
    }
    rest
}

/// The two surfaces that can be dragged on, below everything that is in rows.
fn surfaces(ui: &Ui, zones: &Zones, clock: &Clock) -> gestures::Surfaces {
    let scrub = ui.interact(zones.scrub, ui.id().with("scrub"), Sense::click_and_drag());
    scrub.widget_info(|| WidgetInfo::slider(true, clock.time(), "Timeline"));
    let range = ui.interact(zones.range, ui.id().with("range"), Sense::click_and_drag());
    range.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Range strip"));
    let range = match clock.range() {
        None => range.on_hover_text("Drag to set the range"),
        // The draggable ends are visible now; a tooltip would cover them.
        Some(_) => range,
    };
    gestures::Surfaces { scrub, range }
}

/// How long rows are waited for before a message says so, in seconds.
const PATIENCE: f64 = 0.2;

/// Shows that rows are being prepared, unless they come at once.
fn wait_ui(ui: &Ui, state: &mut TimelineState, areas: &Areas) {
    let now = ui.ctx().time();
    let since = *state.waits_since.get_or_insert(now);
    if now - since > PATIENCE {
        let rows = areas.tracks.with_min_y(areas.body.top());
        let color = Palette::of(ui.visuals()).dim;
        ui.painter().text(rows.center(), Align2::CENTER_CENTER, "Indexing keys…", small(), color);
    }
    // A window at rest would not notice that they came.
    ui.ctx().request_repaint_after(std::time::Duration::from_millis(50));
}

/// The rows of all recordings, each with the index of the recording that it is of; nothing while the
/// keys of the only recording have not been looked through.
fn all_rows(model: &Model<'_>, state: &mut TimelineState) -> Option<Vec<(usize, Row)>> {
    let mut rows = Vec::new();
    let has_several = model.recordings.len() > 1;
    for model in model.each() {
        let Some(open) = model.open() else { continue };
        let of = model.focus;
        if has_several {
            rows.push((of, Row::Recording));
        }
        if open.comparing.is_some() {
            rows.push((of, Row::Distance));
        }
        if has_several && state.collapsed.contains(&open.entity) {
            continue;
        }
        let labels = label_rows(&model, state);
        let has_labels = !labels.is_empty();
        rows.extend(labels.into_iter().map(|row| (of, row)));
        let elements = open.scene.map_or(0, |scene| scene.elements().len());
        rows.extend((0..elements).map(|index| (of, Row::Element(index))));
        let Some(prepared) = model.timeline() else {
            if has_several || elements > 0 || has_labels {
                continue;
            }
            return None;
        };
        let Some(own) = state.rows.get_mut(&open.entity) else { continue };
        own.fold_rows(prepared);
        let mut of_recording = rows::rows(prepared, &own.open, model.selected());
        if model.all_issues().iter().any(|issue| issue.time.is_some()) {
            of_recording.insert(prepared.event_rows().len(), Row::Issues);
        }
        rows.extend(of_recording.into_iter().map(|row| (of, row)));
    }
    Some(rows)
}

/// The rows of the labels of a recording, and that of a label that is begun.
fn label_rows(model: &Model<'_>, state: &mut TimelineState) -> Vec<Row> {
    let Some((open, labels)) = model.open().and_then(|open| Some((open, open.labels?))) else {
        return Vec::new();
    };
    let known: &mut LabelRows = state.label_rows.entry(open.entity).or_default();
    known.look_at(labels.labels(), labels.version());
    let mut rows: Vec<Row> = (0..known.rows.len()).map(Row::Labels).collect();
    rows.extend(label_lane::draft(labels, model.time()).map(|_| Row::LabelDraft));
    rows
}

fn rows_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut TimelineState,
    areas: &Areas,
    axis: &TimeAxis,
) {
    let Some(rows) = all_rows(model, state) else { return wait_ui(ui, state, areas) };
    scroll_rows_ui(ui, model, state, (areas, areas.body), axis, &rows);
}

/// Rows in a part of the timeline, each with the index of the recording that it is of.
fn scroll_rows_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut TimelineState,
    (areas, body): (&Areas, Rect),
    axis: &TimeAxis,
    rows: &[(usize, Row)],
) {
    let each: Vec<_> = model.each().map(|model| (model, model.axis(axis))).collect();
    for (model, axis) in &each {
        if let Some(own) = model.open().and_then(|open| state.rows.get_mut(&open.entity)) {
            own.cache.aim_at(axis);
        }
    }
    let mut body = ui.new_child(egui::UiBuilder::new().max_rect(body));
    let area = ScrollArea::vertical().auto_shrink(false).scroll_source(ScrollSource {
        drag: egui::scroll_area::DragScroll::Never,
        ..ScrollSource::ALL
    });
    area.show_viewport(&mut body, |ui, viewport| {
        ui.set_height(rows.len() as f32 * row::HEIGHT);
        let first = (viewport.top() / row::HEIGHT).floor().max(0.0) as usize;
        let top = ui.max_rect().top();
        let visible = (viewport.height() / row::HEIGHT).ceil() as usize + 1;
        for (index, &(of, row)) in rows.iter().enumerate().skip(first).take(visible) {
            let y = top + index as f32 * row::HEIGHT;
            let all = Rect::from_x_y_ranges(areas.body.x_range(), y..=y + row::HEIGHT);
            let place = row::RowRects {
                label: all.with_max_x(areas.x.min - 6.0),
                track: Rect::from_x_y_ranges(areas.x, all.y_range()),
            };
            let (model, own_axis) = &each[of];
            ui.push_id(of, |ui| match row {
                Row::Recording => shift::bar_ui(ui, model, &place, axis, state),
                Row::Distance => distances::distances_ui(ui, model, &place, axis),
                Row::Element(index) => {
                    elements::element_ui(ui, model, index, &place, own_axis, state);
                }
                Row::Labels(index) => {
                    label_lane::labels_ui(ui, model, index, &place, [axis, own_axis], state);
                }
                Row::LabelDraft => {
                    label_lane::draft_ui(ui, model, &place, own_axis, state);
                }
                row => row::row_ui(ui, model, row, &place, own_axis, state),
            });
        }
    });
}
