//! Overlays of the viewport: names, axes and badges. Also picks joints.

mod axis_cross;
mod badges;
mod measure;
mod missing_skeleton;
mod names;
mod picking;

use bevy_egui::egui::{Rect, Ui};

use super::{Model, style::Palette};

/// Without `with_chrome`, shows only the overlays that belong to the motion.
pub(super) fn overlay_ui(ui: &mut Ui, model: &Model<'_>, viewport: Rect, with_chrome: bool) {
    let Some(clip) = model.clip() else { return };
    let hovered = picking::pick_ui(ui, model, viewport);
    let painter = ui.painter().with_clip_rect(viewport);
    let palette = Palette::for_visuals(ui.visuals());
    names::paint_names(&painter, palette, model, viewport, hovered);
    measure::paint_measurement(ui, &painter, model, viewport);
    if with_chrome {
        axis_cross::paint_axis_cross(&painter, palette, model, viewport);
        badges::badges_ui(ui, model, clip, viewport);
        missing_skeleton::missing_skeleton_ui(ui, clip, viewport, model.commands);
        missing_skeleton::missing_motion_ui(ui, clip, viewport);
    }
}
