//! The visible rows.
//!
//! Counted in rows and in double precision: points of a file of hundreds of megabytes are more than
//! single precision, in which egui scrolls, can tell apart.

use bevy_egui::egui::{Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use crate::ui::style::Palette;

/// The width of the bar.
const BAR: f32 = 8.0;
/// The least height of its handle.
const HANDLE: f32 = 24.0;

/// The visible rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Scroll {
    /// The row at the top, and how much of it is above.
    top: f64,
    /// The row to bring into sight.
    reveals: Option<usize>,
}

impl Scroll {
    /// Scrolls `row` into view, if it is not.
    pub(super) fn reveal(&mut self, row: usize) {
        self.reveals = Some(row);
    }

    /// The row at the top, and the part of it that is above the edge.
    pub(super) fn top(&self) -> (usize, f32) {
        (self.top as usize, self.top.fract() as f32)
    }

    /// Lets wheel and bar scroll `count` rows of `height` each within `area`, and returns the area without
    /// the bar.
    pub(super) fn scroll_ui(&mut self, ui: &Ui, area: Rect, count: usize, height: f32) -> Rect {
        let seen = f64::from(area.height() / height);
        let most = (count as f64 - seen.floor()).max(0.0);
        if let Some(row) = self.reveals.take() {
            self.show(row as f64, seen);
        }
        if ui.rect_contains_pointer(area) {
            let wheel = ui.input(|input| input.smooth_scroll_delta().y);
            self.top -= f64::from(wheel / height);
        }
        let (rest, bar) = area.split_left_right_at_x(area.right() - BAR);
        if most > 0.0 {
            self.bar_ui(ui, bar, (seen / count as f64) as f32, most);
        }
        self.top = self.top.clamp(0.0, most);
        rest
    }

    /// Moves as little as it takes to see `row` amid others.
    fn show(&mut self, row: f64, seen: f64) {
        let is_seen = row >= self.top + 1.0 && row < self.top + seen - 2.0;
        if !is_seen {
            self.top = row - (seen / 3.0).floor();
        }
    }

    /// The bar: its handle shows which `part` is seen, and is dragged.
    fn bar_ui(&mut self, ui: &Ui, bar: Rect, part: f32, most: f64) {
        let response = ui.interact(bar, ui.id().with("bytes bar"), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::ScrollBar, true, "Rows"));
        let length = (part * bar.height()).clamp(HANDLE.min(bar.height()), bar.height());
        let way = f64::from((bar.height() - length).max(1.0));
        if let (true, Some(pointer)) =
            (response.dragged() || response.clicked(), response.interact_pointer_pos())
        {
            // The middle of the handle goes where the pointer is.
            let at = f64::from(pointer.y - bar.top() - length / 2.0);
            self.top = (at / way).clamp(0.0, 1.0) * most;
        }
        let y = bar.top() + (self.top.clamp(0.0, most) / most * way) as f32;
        let palette = Palette::of(ui.visuals());
        let handle = Rect::from_min_size(pos2(bar.left() + 2.0, y), vec2(BAR - 2.0, length));
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
        let mut scroll = Scroll { top: 100.0, reveals: None };
        scroll.show(110.0, 20.0);
        assert_eq!(scroll.top, 100.0);
        scroll.show(4_000_000_000.0, 20.0);
        assert_eq!(scroll.top, 4_000_000_000.0 - 6.0);
        scroll.show(3.0, 20.0);
        assert_eq!(scroll.top, -3.0, "clamped where it is laid out");
    }
}
