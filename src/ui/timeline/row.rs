//! One row of the timeline: its label and its content.

use bevy_egui::egui::{
    Align2, Color32, Painter, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    PreparedTimeline, TimelineState, events, issues, keys, label,
    lanes::{Held, Lane},
    rows::{Row, side_of},
    signal_shape::{Beyond, STEP, SignalShape},
};
use crate::ui::{
    Model,
    style::{Palette, crisp, small},
    words,
};
use mutoscope_core::{
    clip::{Clip, Owner, SignalKind},
    diagnostics::Severity,
    measure::timeline::{Kind, TimeAxis},
};

/// The height of a row.
pub(super) const HEIGHT: f32 = 18.0;

/// Where a row is.
pub(super) struct RowRects {
    pub(super) label: Rect,
    pub(super) track: Rect,
}

/// One row.
pub(super) fn row_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: Row,
    place: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some((clip, prepared)) = model.clip().zip(model.timeline()) else { return };
    let Some(rows) = model.open().and_then(|open| state.rows.get_mut(&open.entity)) else { return };
    label::label_ui(ui, model, prepared, row, place.label, rows);
    let color = row_color(ui, model, clip, prepared, row);
    match row {
        Row::Events(kind) => {
            let row = prepared.event_row(kind);
            events::events_ui(ui, model, row, place.track, axis);
        }
        Row::Recording | Row::Distance | Row::Element(_) | Row::Labels(_) | Row::LabelDraft => {}
        Row::Issues => {
            if let Some(clicked) = issues::issues_ui(ui, model, place.track, axis) {
                state.place = clicked.key.is_none().then(|| clicked.place.clone());
            }
        }
        Row::Signal(index) => {
            let signal = &clip.signals[index];
            match &prepared.lanes[index] {
                Lane::On(spans) => {
                    paint_spans(ui, spans, Bar::of(signal.kind), place.track, axis, color);
                }
                Lane::Words(held) => paint_words(ui, held, place.track, axis),
                Lane::Signal => {
                    let run = rows.cache.run(clip, index, axis);
                    paint_run(ui, &run, place.track);
                }
                Lane::Silent => {}
            }
        }
        Row::Flag(index) => {
            let spans = &prepared.conditions[index].spans;
            paint_spans(ui, spans, Bar::Deed, place.track, axis, color);
        }
        Row::Keys(id) => {
            if let Kind::Node(node) = prepared.keys.tree().item(id).kind
                && let Some(spans) = prepared.presences.get(&node)
            {
                paint_spans(ui, spans, Bar::Presence, place.track, axis, color);
            }
            let density = rows.cache.density(clip, &prepared.keys, id, axis);
            keys::keys_ui(ui, model, &density, place.track, axis, color);
        }
    }
    line_ui(ui, place);
}

/// The line below a row.
pub(super) fn line_ui(ui: &Ui, place: &RowRects) {
    let painter = ui.painter();
    let line = Stroke::new(1.0, Palette::of(ui.visuals()).line.gamma_multiply(0.5));
    let bottom = crisp(painter, place.track.bottom() - 1.0);
    painter.hline(place.label.left()..=place.track.right(), bottom, line);
}

/// The colour of a row: its side's, or the accent if it is selected.
fn row_color(
    ui: &Ui,
    model: &Model<'_>,
    clip: &Clip,
    prepared: &PreparedTimeline,
    row: Row,
) -> Color32 {
    let palette = Palette::of(ui.visuals());
    match row {
        Row::Signal(index) => {
            let owner = clip.track(clip.signals[index].track).owner;
            palette.side(side_of(clip, owner))
        }
        Row::Recording
        | Row::Distance
        | Row::Element(_)
        | Row::Labels(_)
        | Row::LabelDraft
        | Row::Events(_)
        | Row::Issues
        | Row::Flag(_) => palette.neutral,
        Row::Keys(id) => match prepared.keys.tree().item(id).kind {
            Kind::Node(node) if model.selected() == Some(node) => palette.accent,
            Kind::Node(node) | Kind::Curves(node) => palette.side(clip.nodes[node].side),
            Kind::Group(group) => palette.side(side_of(clip, Owner::Group(group))),
            Kind::Track(track) => palette.side(side_of(clip, clip.track(track).owner)),
        },
    }
}

/// The meaning of bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bar {
    /// Presence: keys are painted over it.
    Presence,
    /// Tracking.
    Tracked,
    /// An action.
    Deed,
}

impl Bar {
    fn of(kind: SignalKind) -> Self {
        match kind {
            SignalKind::Tracked => Self::Tracked,
            SignalKind::Pinch | SignalKind::Attribute => Self::Deed,
        }
    }
}

/// Paints when something holds, with the word for it where there is room.
fn paint_spans(
    ui: &Ui,
    spans: &[(f64, f64)],
    bar: Bar,
    track: Rect,
    axis: &TimeAxis,
    color: Color32,
) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    // States of the whole hand are fainter than its actions.
    let (fill, inset) = match bar {
        Bar::Presence => (palette.tint(color, 0.14), 1.0),
        Bar::Tracked => (palette.tint(color, 0.30), 2.0),
        Bar::Deed => (palette.tint(color, 0.85), 4.0),
    };
    let first = spans.partition_point(|&(_, end)| end < axis.start);
    let mut last_right = f32::NEG_INFINITY;
    for &(start, end) in spans[first..].iter().take_while(|(start, _)| *start <= axis.end()) {
        let (left, right) = (axis.x_at(start), axis.x_at(end));
        let right = right.max(left + 1.5);
        if right - last_right < 0.5 {
            continue;
        }
        last_right = right;
        let rect = Rect::from_x_y_ranges(left..=right, track.y_range()).shrink2(vec2(0.0, inset));
        painter.rect_filled(rect, 2.0, fill);
        let shown = rect.intersect(track);
        if bar == Bar::Tracked && shown.width() > 52.0 {
            let place = shown.left_center() + vec2(6.0, 0.0);
            painter.text(place, Align2::LEFT_CENTER, "tracked", small(), palette.text);
        }
    }
}

/// Paints which words hold when, the words where there is room.
fn paint_words(ui: &Ui, held: &[Held], track: Rect, axis: &TimeAxis) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    let first = held.partition_point(|held| held.end < axis.start);
    let mut last_right = f32::NEG_INFINITY;
    for held in held[first..].iter().take_while(|held| held.start <= axis.end()) {
        let (left, right) = (axis.x_at(held.start), axis.x_at(held.end));
        let right = right.max(left + 1.5);
        if right - last_right < 0.5 {
            continue;
        }
        last_right = right;
        let rect = Rect::from_x_y_ranges(left..=right - 1.0, track.y_range());
        let rect = rect.shrink2(vec2(0.0, 2.0));
        painter.rect_filled(rect, 2.0, palette.tint(palette.neutral, 0.30));
        let shown = rect.intersect(track);
        if shown.width() > 14.0 {
            let place = shown.left_center() + vec2(5.0, 0.0);
            let inside = painter.with_clip_rect(shown.intersect(painter.clip_rect()));
            inside.text(place, Align2::LEFT_CENTER, &held.text, small(), palette.text);
        }
    }
}

/// Paints how numbers run: components as lines, colours as such.
fn paint_run(ui: &Ui, run: &SignalShape, track: Rect) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    let x_at = |place: usize| track.left() + place as f32 * STEP;
    match run {
        SignalShape::Colors(colors) => {
            for (place, color) in colors.iter().enumerate() {
                let x = x_at(place)..=x_at(place) + STEP;
                let rect = Rect::from_x_y_ranges(x, track.y_range()).shrink2(vec2(0.0, 3.0));
                painter.rect_filled(rect, 0.0, *color);
            }
        }
        SignalShape::Heights(heights) => {
            let (low, high) = (track.bottom() - 3.0, track.top() + 3.0);
            for component in 0..heights.components {
                let color = match (heights.components, component) {
                    (1, _) => palette.neutral,
                    (_, axis) => palette.axes.get(axis).copied().unwrap_or(palette.neutral),
                };
                let points = heights.places.iter().enumerate().map(|(place, values)| {
                    pos2(x_at(place), low + (high - low) * values[component])
                });
                painter.add(Shape::line(points.collect(), Stroke::new(1.0, color)));
            }
            for beyond in &heights.beyond {
                let x = x_at(beyond.from)..=x_at(beyond.to);
                beyond_ui(ui, beyond, Rect::from_x_y_ranges(x, track.y_range()), &painter);
            }
        }
    }
}

/// Says at the edge that numbers go beyond it there, and how far.
fn beyond_ui(ui: &Ui, beyond: &Beyond, stretch: Rect, painter: &Painter) {
    let color = Palette::of(ui.visuals()).severity(Severity::Warning);
    let (edge, inwards) =
        if beyond.is_above { (stretch.top(), 1.0) } else { (stretch.bottom() - 1.0, -1.0) };
    painter.hline(stretch.x_range(), edge + inwards, Stroke::new(2.0, color));
    let tip = pos2(stretch.center().x, edge);
    let arrow = [vec2(0.0, 0.0), vec2(4.0, 6.0 * inwards), vec2(-4.0, 6.0 * inwards)];
    let arrow = arrow.map(|corner| tip + corner).to_vec();
    painter.add(Shape::convex_polygon(arrow, color, Stroke::NONE));
    let id = ui.id().with(("beyond", beyond.farthest.to_bits(), beyond.from));
    let response = ui.interact(stretch.expand2(vec2(4.0, 0.0)), id, Sense::hover());
    let side = if beyond.is_above { "up" } else { "down" };
    let text = format!(
        "Extends {side} to {}, outside the drawn range",
        words::trimmed(beyond.farthest, 3)
    );
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, text.as_str()));
    response.on_hover_text(text);
}
