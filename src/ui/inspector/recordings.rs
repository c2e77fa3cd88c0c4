//! The compared recordings: for each, its name, its visibility, and its comparison with the base
//! recording.

use bevy_egui::egui::{Label, RichText, Ui};

use super::comparison::comparison_ui;
use crate::{
    session::{Command, FileCommand, ViewCommand},
    ui::{
        Model,
        icons::Icon,
        style::{ICON_BUTTON, Palette},
        widgets::{heading, icon_button},
    },
};

pub(super) fn recordings_ui(ui: &mut Ui, model: &Model<'_>) {
    for model in model.models().skip(1) {
        ui.push_id(("recording", model.focus), |ui| {
            recording_ui(ui, &model);
            ui.add_space(4.0);
            ui.separator();
        });
    }
}

fn recording_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(open) = model.open() else { return };
    heading(ui, &format!("Recording {}", open.letter()));
    ui.horizontal(|ui| {
        let color = Palette::for_visuals(ui.visuals()).recording_color(model.focus);
        let room = ui.available_width() - 2.0 * (ICON_BUTTON.x + 8.0);
        ui.scope(|ui| {
            ui.set_max_width(room.max(0.0));
            ui.add(Label::new(RichText::new(open.source.name()).color(color)).truncate());
        });
        let (icon, verb) =
            if open.is_visible { (Icon::Eye, "Hide") } else { (Icon::EyeClosed, "Show") };
        let label = format!("{verb} recording {}", open.letter());
        if icon_button(ui, icon, &label, ICON_BUTTON).on_hover_text(&label).clicked() {
            model.send(Command::View(ViewCommand::ToggleRecording(open.entity)));
        }
        let label = format!("Close recording {}", open.letter());
        if icon_button(ui, Icon::Close, &label, ICON_BUTTON).on_hover_text(&label).clicked() {
            model.send(Command::File(FileCommand::Close(open.entity)));
        }
    });
    comparison_ui(ui, model);
}
