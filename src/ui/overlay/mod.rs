//! Overlays of the viewport: names, axes, badges; and picking joints.

mod axis_cross;
mod badges;
mod measure;
mod names;
mod nowhere;
mod picking;

use bevy_egui::egui::{Rect, Ui};

use super::Model;

/// All overlays. Without `chrome` only those of the motion itself.
pub(super) fn overlay_ui(ui: &mut Ui, model: &Model<'_>, viewport: Rect, chrome: bool) {
    let Some(clip) = model.clip() else { return };
    let hovered = picking::pick_ui(ui, model, viewport);
    let painter = ui.painter().with_clip_rect(viewport);
    names::paint(&painter, model, viewport, hovered);
    measure::paint(ui, &painter, model, viewport);
    if chrome {
        axis_cross::paint(&painter, model, viewport);
        badges::badges_ui(ui, model, clip, viewport);
        nowhere::nowhere_ui(ui, clip, viewport, model.commands);
    }
}
