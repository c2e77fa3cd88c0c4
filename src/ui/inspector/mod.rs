//! The inspector: shows the selection in numbers, and the axes and units of the file.

mod areas;
mod columns;
mod comparison;
mod composition;
mod convention;
mod details;
mod keys;
mod label;
mod label_measures;
mod motion_trail;
mod node;
mod packed;
mod questions;
mod recording;
mod recordings;
mod scene;
mod selected_key;
mod skeleton;
#[cfg(test)]
mod tests;

use bevy_egui::egui::{ScrollArea, Ui};

use super::Model;

pub(super) fn inspector_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(clip) = model.clip() else { return };
    let selected = model.selected().filter(|node| node.index() < clip.nodes.len());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        recordings::recordings_ui(ui, model);
        label::label_ui(ui, model);
        match selected {
            Some(node) => {
                node::node_ui(ui, model, clip, node);
                scene::scene_ui(ui, model, Some(node));
                let time = model.time();
                details::details_ui(ui, clip, node, time);
                keys::keys_ui(ui, model, clip, node);
                packed::packed_ui(ui, clip, node, time);
            }
            None => {
                if let Some(key) = model.selected_key() {
                    selected_key::selected_key_ui(ui, clip, key);
                }
                scene::scene_ui(ui, model, None);
                recording::recording_ui(ui, model, clip);
                composition::composition_ui(ui, model, clip);
                columns::columns_ui(ui, model, clip);
                skeleton::skeleton_ui(ui, clip, model);
            }
        }
        motion_trail::motion_trail_ui(ui, model);
        areas::areas_ui(ui, model);
        convention::convention_ui(ui, model, clip);
        ui.add_space(8.0);
    });
}
