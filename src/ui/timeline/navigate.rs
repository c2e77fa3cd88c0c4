//! Zooms and pans the timeline.

use bevy_egui::egui::{PointerButton, Response, Ui};

use super::{gestures::DragSurfaces, layout::Areas};
use mutoscope_core::clip::Span;
use mutoscope_view::timeline::{TimeAxis, TimeWindow};

/// The scroll distance that zooms by a factor of e, in points.
pub(in crate::ui) const SCROLL_PER_ZOOM: f32 = 200.0;

/// Returns the window after scrolling.
///
/// Over rows and the ruler, Ctrl with the wheel and pinching zoom time, and the horizontal wheel
/// pans. Over the ruler, the vertical wheel also pans. Over curves, the vertical wheel zooms time.
/// Over curves with Ctrl or Shift, the window stays, because the curves handle the wheel.
pub(super) fn window_after_scroll(
    ui: &Ui,
    axis: &TimeAxis,
    limits: Span,
    areas: &Areas,
    over_curves: bool,
) -> TimeWindow {
    let window = axis.window();
    let Some(pointer) = ui.input(|input| input.pointer.hover_pos()) else { return window };
    if !ui.rect_contains_pointer(areas.tracks) {
        return window;
    }
    let (zoom, scroll) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta()));
    let is_modified = ui.input(|input| input.modifiers.command || input.modifiers.shift);
    let over_ruler = pointer.y < areas.body.top();
    let over_curves = over_curves && !over_ruler;
    if over_curves && is_modified {
        return window;
    }
    // Over rows, only the horizontal wheel pans, because the vertical wheel scrolls the rows.
    let points = if over_ruler && scroll.x == 0.0 { scroll.y } else { scroll.x };
    let by_wheel = if over_curves { (scroll.y / SCROLL_PER_ZOOM).exp() } else { 1.0 };
    let factor = f64::from(zoom * by_wheel);
    if factor != 1.0 {
        axis.zoomed(factor, pointer.x, limits)
    } else if points != 0.0 {
        axis.panned(-f64::from(points), limits)
    } else {
        window
    }
}

pub(super) fn window_after_pan(
    surfaces: &DragSurfaces,
    axis: &TimeAxis,
    limits: Span,
) -> Option<TimeWindow> {
    let both = [&surfaces.scrub, &surfaces.range];
    let is_dragged = |area: &&Response| {
        area.dragged_by(PointerButton::Middle) || area.dragged_by(PointerButton::Secondary)
    };
    let dragged = both.into_iter().find(is_dragged)?;
    Some(axis.panned(-f64::from(dragged.drag_delta().x), limits))
}
