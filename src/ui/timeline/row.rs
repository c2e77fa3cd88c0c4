//! Shows one row of the timeline: its label and its content.

use bevy_egui::egui::{
    Align2, Color32, Painter, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    PreparedTimeline, TimelineState, events, issues, keys, label,
    lanes::{Lane, TextSpan},
    rows::{Row, owner_side},
    signal_shape::{COLUMN_WIDTH, ClippedSpan, SignalShape},
};
use crate::ui::{
    Model, display_text,
    style::{Palette, small_font, snap_to_pixel},
};
use mutoscope_core::{
    clip::{Clip, Owner, SignalKind},
    diagnostics::Severity,
};
use mutoscope_view::timeline::{ItemKind, TimeAxis};

pub(super) const ROW_HEIGHT: f32 = 18.0;

pub(super) struct RowRects {
    pub(super) label: Rect,
    pub(super) track: Rect,
}

pub(super) fn row_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: Row,
    rects: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some((clip, prepared)) = model.clip().zip(model.timeline()) else { return };
    let Some(rows) = model.open().and_then(|open| state.rows.get_mut(&open.entity)) else { return };
    label::label_ui(ui, model, prepared, row, rects.label, rows);
    let color = row_color(ui, model, clip, prepared, row);
    match row {
        Row::Events(kind) => {
            let row = prepared.event_row(kind);
            events::events_ui(ui, model, row, rects.track, axis);
        }
        Row::Recording | Row::Distance | Row::Element(_) | Row::Labels(_) | Row::LabelDraft => {}
        Row::Issues => {
            if let Some(clicked) = issues::issues_ui(ui, model, rects.track, axis) {
                state.clicked_location = clicked.key.is_none().then(|| clicked.location.clone());
            }
        }
        Row::Signal(index) => {
            let signal = &clip.signals[index];
            match &prepared.lanes[index] {
                Lane::Switch(spans) => {
                    paint_spans(ui, spans, Bar::for_signal(signal.kind), rects.track, axis, color);
                }
                Lane::Texts(held) => paint_texts(ui, held, rects.track, axis),
                Lane::Values => {
                    let shape = rows.cache.signal_shape(clip, index, axis);
                    paint_signal(ui, &shape, rects.track);
                }
                Lane::Empty => {}
            }
        }
        Row::Flag(index) => {
            let spans = &prepared.conditions[index].spans;
            paint_spans(ui, spans, Bar::Action, rects.track, axis, color);
        }
        Row::Keys(id) => {
            if let ItemKind::Node(node) = prepared.keys.tree().item(id).kind
                && let Some(spans) = prepared.presences.get(&node)
            {
                paint_spans(ui, spans, Bar::Presence, rects.track, axis, color);
            }
            let density = rows.cache.density(clip, &prepared.keys, id, axis);
            keys::keys_ui(ui, model, &density, rects.track, axis, color);
        }
    }
    line_ui(ui, rects);
}

pub(super) fn line_ui(ui: &Ui, rects: &RowRects) {
    let painter = ui.painter();
    let line = Stroke::new(1.0, Palette::for_visuals(ui.visuals()).line.gamma_multiply(0.5));
    let bottom = snap_to_pixel(painter, rects.track.bottom() - 1.0);
    painter.hline(rects.label.left()..=rects.track.right(), bottom, line);
}

fn row_color(
    ui: &Ui,
    model: &Model<'_>,
    clip: &Clip,
    prepared: &PreparedTimeline,
    row: Row,
) -> Color32 {
    let palette = Palette::for_visuals(ui.visuals());
    match row {
        Row::Signal(index) => {
            let owner = clip.track(clip.signals[index].track).owner;
            palette.side_color(owner_side(clip, owner))
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
            ItemKind::Node(node) if model.selected() == Some(node) => palette.accent,
            ItemKind::Node(node) | ItemKind::Curves(node) => {
                palette.side_color(clip.nodes[node].side)
            }
            ItemKind::Group(group) => palette.side_color(owner_side(clip, Owner::Group(group))),
            ItemKind::Track(track) => palette.side_color(owner_side(clip, clip.track(track).owner)),
        },
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bar {
    /// A bar that shows when the node is present. Keys are painted on top of it.
    Presence,
    /// The tracking of a hand.
    Tracked,
    /// An action or another attribute.
    Action,
}

impl Bar {
    fn for_signal(kind: SignalKind) -> Self {
        match kind {
            SignalKind::Tracked => Self::Tracked,
            SignalKind::Pinch | SignalKind::Attribute => Self::Action,
        }
    }
}

fn paint_spans(
    ui: &Ui,
    spans: &[(f64, f64)],
    bar: Bar,
    track: Rect,
    axis: &TimeAxis,
    color: Color32,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    // Paint presence and tracking fainter than actions.
    let (fill, inset) = match bar {
        Bar::Presence => (palette.tint(color, 0.14), 1.0),
        Bar::Tracked => (palette.tint(color, 0.30), 2.0),
        Bar::Action => (palette.tint(color, 0.85), 4.0),
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
            let position = shown.left_center() + vec2(6.0, 0.0);
            painter.text(position, Align2::LEFT_CENTER, "tracked", small_font(), palette.text);
        }
    }
}

fn paint_texts(ui: &Ui, held: &[TextSpan], track: Rect, axis: &TimeAxis) {
    let palette = Palette::for_visuals(ui.visuals());
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
            let position = shown.left_center() + vec2(5.0, 0.0);
            let inside = painter.with_clip_rect(shown.intersect(painter.clip_rect()));
            inside.text(position, Align2::LEFT_CENTER, &held.text, small_font(), palette.text);
        }
    }
}

fn paint_signal(ui: &Ui, shape: &SignalShape, track: Rect) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    let x_at = |column: usize| track.left() + column as f32 * COLUMN_WIDTH;
    match shape {
        SignalShape::Colors(colors) => {
            for (column, color) in colors.iter().enumerate() {
                let x = x_at(column)..=x_at(column) + COLUMN_WIDTH;
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
                let points = heights.columns.iter().enumerate().map(|(column, values)| {
                    pos2(x_at(column), low + (high - low) * values[component])
                });
                painter.add(Shape::line(points.collect(), Stroke::new(1.0, color)));
            }
            for clipped in &heights.clipped {
                let x = x_at(clipped.from)..=x_at(clipped.to);
                clipped_span_ui(ui, clipped, Rect::from_x_y_ranges(x, track.y_range()), &painter);
            }
        }
    }
}

fn clipped_span_ui(ui: &Ui, clipped: &ClippedSpan, stretch: Rect, painter: &Painter) {
    let color = Palette::for_visuals(ui.visuals()).severity_color(Severity::Warning);
    let (edge, inwards) =
        if clipped.is_above { (stretch.top(), 1.0) } else { (stretch.bottom() - 1.0, -1.0) };
    painter.hline(stretch.x_range(), edge + inwards, Stroke::new(2.0, color));
    let tip = pos2(stretch.center().x, edge);
    let arrow = [vec2(0.0, 0.0), vec2(4.0, 6.0 * inwards), vec2(-4.0, 6.0 * inwards)];
    let arrow = arrow.map(|corner| tip + corner).to_vec();
    painter.add(Shape::convex_polygon(arrow, color, Stroke::NONE));
    let id = ui.id().with(("beyond", clipped.extreme.to_bits(), clipped.from));
    let response = ui.interact(stretch.expand2(vec2(4.0, 0.0)), id, Sense::hover());
    let side = if clipped.is_above { "up" } else { "down" };
    let text = format!(
        "Extends {side} to {}, outside the drawn range",
        display_text::format_decimal(clipped.extreme, 3)
    );
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, text.as_str()));
    response.on_hover_text(text);
}
