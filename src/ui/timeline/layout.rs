//! The parts of the timeline, and the edge of the labels, which can be dragged.

use bevy_egui::egui::{CursorIcon, Rangef, Rect, Sense, Stroke, Ui, WidgetInfo, WidgetType};

use super::row::RowRects;
use crate::ui::style::{Palette, crisp};

/// The width of the column of labels, and how narrow and wide it may be dragged.
pub(super) const LABELS_WIDTH: f32 = 168.0;
const LABELS_NARROWEST: f32 = 90.0;
const LABELS_WIDEST: f32 = 420.0;
/// The height of the strip for the range, at the top of the ruler.
const RANGE_HEIGHT: f32 = 12.0;
/// The height of the ticks below it.
const TICKS_HEIGHT: f32 = 22.0;
/// The height of the overview, at the bottom.
const OVERVIEW_HEIGHT: f32 = 16.0;
/// The room above it.
const OVERVIEW_MARGIN: f32 = 4.0;
/// The room for the scroll bar.
const RIGHT_MARGIN: f32 = 12.0;
/// How near the edge of the labels it is taken hold of, in points.
const REACH: f32 = 3.0;

/// The parts of the timeline.
pub(super) struct Areas {
    pub(super) all: Rect,
    pub(super) range: Rect,
    pub(super) ticks: Rect,
    /// The reference footage with its label, if there is any.
    pub(super) footage: Rect,
    /// Rows with their labels.
    pub(super) body: Rect,
    /// Rows without their labels, and all above them.
    pub(super) tracks: Rect,
    pub(super) x: Rangef,
    /// The whole recording.
    pub(super) overview: Rect,
}

impl Areas {
    /// The parts of `all`, with a column of labels so wide and a strip for footage so high.
    pub(super) fn within(all: Rect, labels_width: f32, footage: f32) -> Self {
        let left = all.left() + labels_width.min(0.6 * all.width());
        let x = Rangef::new(left, (all.right() - RIGHT_MARGIN).max(left + 1.0));
        let (ruler, rest) = all.split_top_bottom_at_y(all.top() + RANGE_HEIGHT + TICKS_HEIGHT);
        let (footage, rest) = rest.split_top_bottom_at_y(rest.top() + footage);
        let body = rest
            .with_max_y((rest.bottom() - OVERVIEW_HEIGHT - 2.0 * OVERVIEW_MARGIN).max(rest.top()));
        let bottom = body.bottom() + OVERVIEW_MARGIN;
        let overview = Rect::from_x_y_ranges(x, bottom..=bottom + OVERVIEW_HEIGHT);
        let ruler = Rect::from_x_y_ranges(x, ruler.y_range());
        let (range, ticks) = ruler.split_top_bottom_at_y(all.top() + RANGE_HEIGHT);
        let tracks = Rect::from_x_y_ranges(x, all.top()..=body.bottom());
        Self { all, range, ticks, footage, body, tracks, x, overview }
    }

    /// Label and bar of the reference footage.
    pub(super) fn strip(&self) -> RowRects {
        RowRects {
            label: self.footage.with_max_x(self.x.min - 6.0),
            track: Rect::from_x_y_ranges(self.x, self.footage.y_range()),
        }
    }

    /// Where dragging moves the playhead.
    pub(super) fn scrub(&self) -> Rect {
        self.tracks.with_min_y(self.ticks.top())
    }
}

/// The edge between labels and rows; a width that is dragged to.
pub(super) fn labels_edge_ui(ui: &Ui, areas: &Areas) -> Option<f32> {
    let x = areas.x.min - 5.0;
    let rect = Rect::from_x_y_ranges(x - REACH..=x + REACH, areas.body.y_range());
    let response = ui.interact(rect, ui.id().with("labels"), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Width of the labels"));
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let painter = ui.painter();
        let color = Palette::of(ui.visuals()).dim;
        painter.vline(crisp(painter, x), areas.body.y_range(), Stroke::new(1.0, color));
    }
    let pointer = response.interact_pointer_pos().filter(|_| response.dragged())?;
    let width = pointer.x + 5.0 - areas.all.left();
    Some(width.clamp(LABELS_NARROWEST, LABELS_WIDEST))
}
