//! Divides the timeline into areas, and handles dragging the edge of the column of labels.

use bevy_egui::egui::{CursorIcon, Rangef, Rect, Sense, Stroke, Ui, WidgetInfo, WidgetType};

use super::row::RowRects;
use crate::ui::style::{Palette, snap_to_pixel};

/// All sizes are in points.
pub(super) const LABELS_WIDTH: f32 = 168.0;
const MIN_LABELS_WIDTH: f32 = 90.0;
const MAX_LABELS_WIDTH: f32 = 420.0;
const RANGE_HEIGHT: f32 = 12.0;
const TICKS_HEIGHT: f32 = 22.0;
const OVERVIEW_HEIGHT: f32 = 16.0;
const OVERVIEW_MARGIN: f32 = 4.0;
const RIGHT_MARGIN: f32 = 12.0;
const GRAB_RADIUS: f32 = 3.0;

pub(super) struct Areas {
    pub(super) all: Rect,
    pub(super) range: Rect,
    pub(super) ticks: Rect,
    pub(super) footage: Rect,
    pub(super) body: Rect,
    pub(super) tracks: Rect,
    pub(super) x: Rangef,
    pub(super) overview: Rect,
}

impl Areas {
    pub(super) fn new(all: Rect, labels_width: f32, footage: f32) -> Self {
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

    pub(super) fn footage_row(&self) -> RowRects {
        RowRects {
            label: self.footage.with_max_x(self.x.min - 6.0),
            track: Rect::from_x_y_ranges(self.x, self.footage.y_range()),
        }
    }

    pub(super) fn scrub_rect(&self) -> Rect {
        self.tracks.with_min_y(self.ticks.top())
    }
}

pub(super) fn labels_edge_ui(ui: &Ui, areas: &Areas) -> Option<f32> {
    let x = areas.x.min - 5.0;
    let rect = Rect::from_x_y_ranges(x - GRAB_RADIUS..=x + GRAB_RADIUS, areas.body.y_range());
    let response = ui.interact(rect, ui.id().with("labels"), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Width of the labels"));
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let painter = ui.painter();
        let color = Palette::for_visuals(ui.visuals()).dim;
        painter.vline(snap_to_pixel(painter, x), areas.body.y_range(), Stroke::new(1.0, color));
    }
    let pointer = response.interact_pointer_pos().filter(|_| response.dragged())?;
    let width = pointer.x + 5.0 - areas.all.left();
    Some(width.clamp(MIN_LABELS_WIDTH, MAX_LABELS_WIDTH))
}
