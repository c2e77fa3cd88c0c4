//! The inspector: what is selected in numbers, and what the file's numbers mean.

mod counterpart;
mod details;
mod keys;
mod node;
mod packed;
mod recording;
mod selected_key;
mod skeleton;
#[cfg(test)]
mod tests;
mod travel;
mod truth;

use bevy_egui::egui::{ScrollArea, Ui};

use super::Model;
use crate::session::Command;

/// The inspector, over all the room that `ui` has.
pub(super) fn inspector_ui(ui: &mut Ui, model: &Model<'_>, commands: &mut Vec<Command>) {
    let Some(clip) = model.player.clip() else { return };
    let selected = model.view.selected.filter(|node| node.index() < clip.nodes.len());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        counterpart::counterpart_ui(ui, model, clip, commands);
        match selected {
            Some(node) => {
                node::node_ui(ui, model, clip, node, commands);
                let time = model.player.clock().time();
                details::details_ui(ui, clip, node, time);
                keys::keys_ui(ui, clip, node, time, model.hovered, commands);
                packed::packed_ui(ui, clip, node, time);
            }
            None => {
                if let Some(key) = model.view.selected_key {
                    selected_key::selected_key_ui(ui, clip, key);
                }
                recording::recording_ui(ui, model, clip);
                skeleton::skeleton_ui(ui, clip, commands);
            }
        }
        travel::travel_ui(ui, model, clip, commands);
        truth::truth_ui(ui, model, clip, commands);
        ui.add_space(8.0);
    });
}
