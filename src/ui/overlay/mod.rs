//! Overlays of the viewport: names, axes, badges; and picking joints.

mod axis_cross;
mod badges;
mod measure;
mod names;
mod nowhere;
mod picking;

use bevy_egui::egui::{Rect, Ui};

use super::Model;
use crate::session::Command;

/// All overlays. Without `chrome` only those of the motion itself.
pub(super) fn overlay_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    picture: Rect,
    chrome: bool,
    commands: &mut Vec<Command>,
) {
    let Some(clip) = model.clip() else { return };
    let hovered = picking::pick_ui(ui, model, picture, commands);
    let painter = ui.painter().with_clip_rect(picture);
    names::paint(&painter, model, picture, hovered);
    measure::paint(ui, &painter, model, picture);
    if chrome {
        axis_cross::paint(&painter, model, picture);
        badges::badges_ui(ui, model, clip, picture);
        nowhere::nowhere_ui(ui, clip, picture, commands);
    }
}
