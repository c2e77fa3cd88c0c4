//! Scrolls the rows.
//!
//! The position is an `f64` in rows. egui scrolls in points as `f32`, which cannot represent each
//! row of a file of hundreds of megabytes.

use bevy_egui::egui::{Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use crate::ui::style::Palette;

const BAR_WIDTH: f32 = 8.0;
const MIN_HANDLE_HEIGHT: f32 = 24.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Scroll {
    /// The row at the top. The fraction is the part of it that is hidden.
    top: f64,
    pending_row: Option<usize>,
}

impl Scroll {
    pub(super) fn reveal(&mut self, row: usize) {
        self.pending_row = Some(row);
    }

    pub(super) fn top(&self) -> (usize, f32) {
        (self.top as usize, self.top.fract() as f32)
    }

    pub(super) fn scroll_ui(&mut self, ui: &Ui, area: Rect, count: usize, height: f32) -> Rect {
        let visible_rows = f64::from(area.height() / height);
        let max_top = (count as f64 - visible_rows.floor()).max(0.0);
        if let Some(row) = self.pending_row.take() {
            self.scroll_to(row as f64, visible_rows);
        }
        if ui.rect_contains_pointer(area) {
            let wheel = ui.input(|input| input.smooth_scroll_delta().y);
            self.top -= f64::from(wheel / height);
        }
        let (rest, bar) = area.split_left_right_at_x(area.right() - BAR_WIDTH);
        if max_top > 0.0 {
            self.bar_ui(ui, bar, (visible_rows / count as f64) as f32, max_top);
        }
        self.top = self.top.clamp(0.0, max_top);
        rest
    }

    fn scroll_to(&mut self, row: f64, visible_rows: f64) {
        let is_visible = row >= self.top + 1.0 && row < self.top + visible_rows - 2.0;
        if !is_visible {
            self.top = row - (visible_rows / 3.0).floor();
        }
    }

    fn bar_ui(&mut self, ui: &Ui, bar: Rect, visible_part: f32, max_top: f64) {
        let response = ui.interact(bar, ui.id().with("bytes bar"), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::ScrollBar, true, "Rows"));
        let length =
            (visible_part * bar.height()).clamp(MIN_HANDLE_HEIGHT.min(bar.height()), bar.height());
        let travel = f64::from((bar.height() - length).max(1.0));
        if let (true, Some(pointer)) =
            (response.dragged() || response.clicked(), response.interact_pointer_pos())
        {
            // Keep the middle of the handle under the pointer.
            let at = f64::from(pointer.y - bar.top() - length / 2.0);
            self.top = (at / travel).clamp(0.0, 1.0) * max_top;
        }
        let y = bar.top() + (self.top.clamp(0.0, max_top) / max_top * travel) as f32;
        let palette = Palette::for_visuals(ui.visuals());
        let handle = Rect::from_min_size(pos2(bar.left() + 2.0, y), vec2(BAR_WIDTH - 2.0, length));
        let color =
            if response.hovered() || response.dragged() { palette.dim } else { palette.line };
        ui.painter().rect_filled(handle, 3.0, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_scroll_into_view_only_if_needed() {
        let mut scroll = Scroll { top: 100.0, pending_row: None };
        scroll.scroll_to(110.0, 20.0);
        assert_eq!(scroll.top, 100.0);
        scroll.scroll_to(4_000_000_000.0, 20.0);
        assert_eq!(scroll.top, 4_000_000_000.0 - 6.0);
        scroll.scroll_to(3.0, 20.0);
        assert_eq!(scroll.top, -3.0, "the layout clamps the result");
    }
}
