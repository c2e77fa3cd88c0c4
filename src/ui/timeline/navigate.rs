//! Zooming and panning.

use bevy_egui::egui::{PointerButton, Response, Ui};

use super::{gestures::Surfaces, layout::Areas};
use mutoscope_core::{
    clip::Span,
    measure::timeline::{TimeAxis, Window},
};

/// How far the wheel is turned to zoom by e, in points.
pub(in crate::ui) const SCROLL_PER_ZOOM: f32 = 200.0;

/// The window after input from the wheel. Over rows, it zooms with Ctrl, as pinching does, and else
/// pans. Over curves the wheel zooms time; with Ctrl or Shift it is left to the curves.
pub(super) fn by_wheel(
    ui: &Ui,
    axis: &TimeAxis,
    roam: Span,
    areas: &Areas,
    over_curves: bool,
) -> Window {
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
    // Over rows the vertical wheel belongs to them.
    let points = if over_ruler && scroll.x == 0.0 { scroll.y } else { scroll.x };
    let by_wheel = if over_curves { (scroll.y / SCROLL_PER_ZOOM).exp() } else { 1.0 };
    let factor = f64::from(zoom * by_wheel);
    if factor != 1.0 {
        axis.zoomed(factor, pointer.x, roam)
    } else if points != 0.0 {
        axis.panned(-f64::from(points), roam)
    } else {
        window
    }
}

/// The window after dragging with the middle or the right button, if anything is dragged.
pub(super) fn by_dragging(surfaces: &Surfaces, axis: &TimeAxis, roam: Span) -> Option<Window> {
    let both = [&surfaces.scrub, &surfaces.range];
    let is_dragged = |area: &&Response| {
        area.dragged_by(PointerButton::Middle) || area.dragged_by(PointerButton::Secondary)
    };
    let dragged = both.into_iter().find(is_dragged)?;
    Some(axis.panned(-f64::from(dragged.drag_delta().x), roam))
}
