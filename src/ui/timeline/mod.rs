//! The timeline: ruler, range, lanes of signals, markers and keys. In curve mode, curves replace
//! the rows.
//!
//! A background task prepares the content once for each recording ([`PreparedTimeline`]). The time
//! axis and the density of keys are in [`mutoscope_view::timeline`].
//!
//! | module | purpose |
//! |---|---|
//! | `prepared` | the content that is prepared once for each recording |
//! | `state` | the state of the timeline |
//! | `layout` | the areas of the timeline |
//! | `ruler` | ticks at round times |
//! | `marks` | range, pointer and playhead over all rows |
//! | `navigate` | zooming and panning |
//! | `gestures`, `snapping` | drags, and the times that they snap to |
//! | `overview` | the whole recording, and the visible part of it |
//! | `rows` | decides which rows there are |
//! | `row`, `label` | one row and its label |
//! | `keys` | keys as shapes, or their density |
//! | `events` | markers |
//! | `gaps` | gaps that playback skips |
//! | `fixations`, `dwells` | fixations of a gaze and its dwells on areas of interest |
//! | `recording_bar`, `distances` | the bar of each recording, and distances from the compared one |
//! | `elements` | the elements of a scene, which can be dragged |
//! | `issues` | issues |
//! | `label_lane`, `label_rows` | labels as bars, and their arrangement in rows |
//! | `footage` | the reference video and its sound |
//! | `lanes`, `switches`, `signal_shape` | signals: booleans, texts and numbers |
//! | `cache` | caches rows while the axis is unchanged |

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
mod recording_bar;
mod row;
pub(super) mod rows;
mod ruler;
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
    elements::ElementDrag, gestures::DragZones, label_rows::LabelRows, layout::Areas, rows::Row,
    snapping::SnapContext,
};
use super::{
    CommandSender, Model, curves,
    display_text::Frames,
    style::{Palette, small_font},
};
use crate::session::{Command, ViewCommand};
use mutoscope_core::{clip::Clip, playback::Clock};
use mutoscope_view::timeline::{TimeAxis, TimeWindow};

pub(super) use dwells::DwellTotal;
pub(super) use gaps::skip_gaps;
pub use prepared::PreparedTimeline;
pub(super) use prepared::{TimelinePreparation, prepare_timelines};
pub(super) use state::TimelineState;

pub(super) fn timeline_ui(ui: &mut Ui, model: &Model<'_>, state: &mut TimelineState) {
    let Some(clip) = model.clip() else { return };
    state.set_options(model.panels.timeline);
    state.naming_rect = None;
    let clock = model.clock;
    let reference = model.for_recording(0);
    if state.revision != reference.revision() {
        state.end_drag(model.commands);
        let source = reference.open().map(|open| open.source);
        *state = state.for_another_reference(reference.revision(), source);
    }
    state.set_recordings(model.recordings);
    state.set_curves_recording(model.open());
    let palette = Palette::for_visuals(ui.visuals());
    let strip = if model.footage.is_open() { footage::STRIP_HEIGHT } else { 0.0 };
    let areas = Areas::new(ui.available_rect_before_wrap(), state.labels_width, strip);
    let axis = handle_input(ui, &reference, state, &areas);
    let frames = reference.clip().and_then(Frames::for_clip);
    let shown_frames = frames.filter(|_| state.options.frames);
    marks::paint_ruler(ui, &areas, &axis, clock, shown_frames, palette);
    marks::paint_background(ui.painter(), &areas, &axis, clock, palette);
    footage::strip_ui(ui, model, &areas.footage_row(), &axis, state);
    if state.options.curves {
        let body = labels_over_curves_ui(ui, model, state, &areas, &axis);
        curves_ui(ui, model, clip, state, &areas, body, &axis);
    } else {
        rows_ui(ui, model, state, &areas, &axis);
    }
    if let Some(width) = layout::labels_edge_ui(ui, &areas) {
        state.labels_width = width;
    }
    let over = ui.painter().with_clip_rect(areas.tracks.with_min_y(areas.ticks.top()));
    marks::paint_folds(&over, &areas, &axis, palette);
    marks::shade_outside_range(&over, &areas, &axis, clock, palette);
    let hovered = hovered_time(ui, state, &areas, &axis);
    model.send_all(hovered.map(|time| Command::View(ViewCommand::Hover(Some(time)))));
    let marked = hovered.or(model.hovered).filter(|_| state.drag.is_none());
    if let Some(time) = marked.filter(|time| axis.contains(*time)) {
        marks::paint_hover(&over, &areas, &axis, time, frames, palette);
    }
    marks::paint_playhead(&over, &areas, axis.x_at(clock.time()), palette);
    if let Some(snapped) = state.snapped {
        snapping::paint_snap_mark(&over, &areas, &axis, snapped, palette);
    }
    overview::paint_overview(ui, &reference, &areas, &axis, state);
    ui.advance_cursor_after_rect(areas.all);
}

/// Returns the clip time under the pointer. Returns `None` during a drag, because the hovered time
/// would follow the drag.
fn hovered_time(ui: &Ui, state: &TimelineState, areas: &Areas, axis: &TimeAxis) -> Option<f64> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    let drags_element = state.element_drag.as_ref().is_some_and(ElementDrag::is_dragged);
    let drags_bar = drags_element || state.label_drag.is_some();
    let is_free = state.drag.is_none() && state.overview_drag.is_none() && !drags_bar;
    (is_free && ui.rect_contains_pointer(areas.scrub_rect())).then(|| axis.time_at(pointer.x))
}

fn handle_input(ui: &Ui, model: &Model<'_>, state: &mut TimelineState, areas: &Areas) -> TimeAxis {
    let clock = model.clock;
    let all = TimeWindow::around(clock.span());
    let limits = state.time_limits(clock.span());
    let before = state.window.unwrap_or(all).clamped_to(limits);
    let folds = state.folds(model.timeline());
    let axis = |window| TimeAxis::folded(window, areas.x.min, areas.x.max, folds.clone());
    let shown = axis(before);
    let mut window = navigate::window_after_scroll(ui, &shown, limits, areas, state.options.curves);

    let zones = DragZones { range: areas.range, scrub: areas.scrub_rect() };
    let responses = drag_surfaces(ui, &zones, clock);
    if let Some(panned) = navigate::window_after_pan(&responses, &axis(window), limits) {
        window = panned;
    }
    if responses.is_reset_requested() {
        window = all;
        state.curves.show_all();
    }
    if let Some(requested) = state.take_requested_window(clock) {
        window = requested;
    }
    if let Some(dragged) = overview::overview_ui(ui, model, areas, &shown, state) {
        window = dragged.clamped_to(clock.span());
    }
    let shown_frames = model.clip().and_then(Frames::for_clip);
    let shown_frames = shown_frames.filter(|_| state.options.frames);
    let modifiers = ui.input(|input| input.modifiers);
    let snap_context =
        SnapContext::new(&shown, model, shown_frames, state.options.snapping, modifiers);
    state.snapped = gestures::drag(ui, &responses, &snap_context, &mut state.drag);
    if window == before && state.overview_drag.is_none() {
        window = state.window_following_playhead(&shown, clock, limits);
    }
    let is_visible = axis(window).contains(clock.time());
    state.playhead = Some((clock.time(), is_visible));
    state.window = (window != all).then_some(window);
    axis(window)
}

fn curves_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    state: &mut TimelineState,
    areas: &Areas,
    body: Rect,
    axis: &TimeAxis,
) {
    let corner = Rect::from_min_max(areas.all.min, pos2(areas.x.min - 6.0, areas.footage.top()));
    let frames = state.options.frames;
    curves::toolbar_ui(ui, model, clip, &mut state.curves, frames, corner);
    let rects = curves::CurvesLayout { body, x: areas.x };
    let clip_commands = CommandSender::default();
    let own = Model { commands: &clip_commands, ..*model };
    curves::curves_ui(ui, &own, clip, &mut state.curves, &rects, &model.to_clip_axis(axis));
    model.send_in_clip_time(clip_commands.take_commands());
}

const MAX_LABELS_SHARE: f32 = 0.4;

fn labels_over_curves_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut TimelineState,
    areas: &Areas,
    axis: &TimeAxis,
) -> Rect {
    let mut rows = Vec::new();
    for model in model.models() {
        rows.extend(label_rows(&model, state).into_iter().map(|row| (model.focus, row)));
    }
    let max_rows = (MAX_LABELS_SHARE * areas.body.height() / row::ROW_HEIGHT).floor().max(1.0);
    let height = max_rows.min(rows.len() as f32) * row::ROW_HEIGHT;
    let (labels, rest) = areas.body.split_top_bottom_at_y(areas.body.top() + height);
    if !rows.is_empty() {
        scroll_rows_ui(ui, model, state, areas, labels, axis, &rows);
    }
    rest
}

/// Adds the two areas in which the user can drag. They must be added before the rows, so that
/// widgets in the rows get the pointer first.
fn drag_surfaces(ui: &Ui, zones: &DragZones, clock: &Clock) -> gestures::DragSurfaces {
    let scrub = ui.interact(zones.scrub, ui.id().with("scrub"), Sense::click_and_drag());
    scrub.widget_info(|| WidgetInfo::slider(true, clock.time(), "Timeline"));
    let range = ui.interact(zones.range, ui.id().with("range"), Sense::click_and_drag());
    range.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Range strip"));
    let range = match clock.range() {
        None => range.on_hover_text("Drag to set the range"),
        // Show no tooltip, because it would cover the handles of the range.
        Some(_) => range,
    };
    gestures::DragSurfaces { scrub, range }
}

/// The delay before the message appears, in seconds. The rows usually appear within a few frames,
/// and the message would only flicker.
const WAIT_MESSAGE_DELAY_S: f64 = 0.2;

fn wait_ui(ui: &Ui, state: &mut TimelineState, areas: &Areas) {
    let now = ui.ctx().time();
    let since = *state.waiting_since.get_or_insert(now);
    if now - since > WAIT_MESSAGE_DELAY_S {
        let rows = areas.tracks.with_min_y(areas.body.top());
        let color = Palette::for_visuals(ui.visuals()).dim;
        ui.painter().text(
            rows.center(),
            Align2::CENTER_CENTER,
            "Indexing keys…",
            small_font(),
            color,
        );
    }
    // Request another frame, because an idle window would not notice that the rows are ready.
    ui.ctx().request_repaint_after(std::time::Duration::from_millis(50));
}

/// Returns the rows of all recordings, each with the index of its recording. Returns `None` if
/// there is nothing to show except keys that are still being indexed.
fn all_rows(model: &Model<'_>, state: &mut TimelineState) -> Option<Vec<(usize, Row)>> {
    let mut rows = Vec::new();
    let has_several = model.recordings.len() > 1;
    for model in model.models() {
        let Some(open) = model.open() else { continue };
        let recording_index = model.focus;
        if has_several {
            rows.push((recording_index, Row::Recording));
        }
        if open.comparing().is_some() {
            rows.push((recording_index, Row::Distance));
        }
        if has_several && state.collapsed.contains(&open.entity) {
            continue;
        }
        let labels = label_rows(&model, state);
        let has_labels = !labels.is_empty();
        rows.extend(labels.into_iter().map(|row| (recording_index, row)));
        let elements = open.scene().map_or(0, |scene| scene.elements().len());
        rows.extend((0..elements).map(|index| (recording_index, Row::Element(index))));
        let Some(prepared) = model.timeline() else {
            if has_several || elements > 0 || has_labels {
                continue;
            }
            return None;
        };
        let Some(own) = state.rows.get_mut(&open.entity) else { continue };
        own.apply_next_fold(prepared);
        let mut of_recording = rows::build_rows(prepared, &own.expanded, model.selected());
        if model.all_issues().iter().any(|issue| issue.time.is_some()) {
            of_recording.insert(prepared.event_rows().len(), Row::Issues);
        }
        rows.extend(of_recording.into_iter().map(|row| (recording_index, row)));
    }
    Some(rows)
}

fn label_rows(model: &Model<'_>, state: &mut TimelineState) -> Vec<Row> {
    let Some((open, labels)) = model.open().and_then(|open| Some((open, open.labels()?))) else {
        return Vec::new();
    };
    let known: &mut LabelRows = state.label_rows.entry(open.entity).or_default();
    known.update(labels.labels(), labels.version());
    let mut rows: Vec<Row> = (0..known.rows.len()).map(Row::Labels).collect();
    rows.extend(label_lane::draft_times(labels, model.time()).map(|_| Row::LabelDraft));
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
    scroll_rows_ui(ui, model, state, areas, areas.body, axis, &rows);
}

fn scroll_rows_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut TimelineState,
    areas: &Areas,
    body: Rect,
    axis: &TimeAxis,
    rows: &[(usize, Row)],
) {
    let each: Vec<_> = model.models().map(|model| (model, model.to_clip_axis(axis))).collect();
    for (model, axis) in &each {
        if let Some(own) = model.open().and_then(|open| state.rows.get_mut(&open.entity)) {
            own.cache.set_axis(axis);
        }
    }
    let mut body = ui.new_child(egui::UiBuilder::new().max_rect(body));
    let area = ScrollArea::vertical().auto_shrink(false).scroll_source(ScrollSource {
        drag: egui::scroll_area::DragScroll::Never,
        ..ScrollSource::ALL
    });
    area.show_viewport(&mut body, |ui, viewport| {
        ui.set_height(rows.len() as f32 * row::ROW_HEIGHT);
        let first = (viewport.top() / row::ROW_HEIGHT).floor().max(0.0) as usize;
        let top = ui.max_rect().top();
        let visible = (viewport.height() / row::ROW_HEIGHT).ceil() as usize + 1;
        for (index, &(recording_index, row)) in rows.iter().enumerate().skip(first).take(visible) {
            let y = top + index as f32 * row::ROW_HEIGHT;
            let all = Rect::from_x_y_ranges(areas.body.x_range(), y..=y + row::ROW_HEIGHT);
            let rects = row::RowRects {
                label: all.with_max_x(areas.x.min - 6.0),
                track: Rect::from_x_y_ranges(areas.x, all.y_range()),
            };
            let (model, own_axis) = &each[recording_index];
            ui.push_id(recording_index, |ui| match row {
                Row::Recording => recording_bar::recording_bar_ui(ui, model, &rects, axis, state),
                Row::Distance => distances::distances_ui(ui, model, &rects, axis),
                Row::Element(index) => {
                    elements::element_ui(ui, model, index, &rects, own_axis, state);
                }
                Row::Labels(index) => {
                    label_lane::labels_ui(ui, model, index, &rects, axis, own_axis, state);
                }
                Row::LabelDraft => {
                    label_lane::draft_ui(ui, model, &rects, own_axis, state);
                }
                row => row::row_ui(ui, model, row, &rects, own_axis, state),
            });
        }
    });
}
