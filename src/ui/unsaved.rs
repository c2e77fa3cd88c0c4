//! Asking before unsaved edits are lost, and before a file is replaced.

use std::path::{Path, PathBuf};

use bevy_egui::egui::{Context, Id, Label, Modal, RichText, Ui};

use super::{Model, widgets::width_within};
use crate::session::{
    Command, EditCommand, EditedLabels, EditedScene, FileCommand, OpenRecording, Panel,
    PanelCommand, SceneCommand,
};

/// The width of a question, in points.
const WIDTH: f32 = 420.0;

/// The question before unsaved edits are lost, while there is one.
pub(super) fn unsaved_ui(ctx: &Context, model: &Model<'_>) {
    let Some(command) = &model.panels.would_discard else { return };
    let changed: Vec<&OpenRecording<'_>> =
        model.recordings.iter().filter(|one| one.is_changed()).collect();
    let names: Vec<String> = changed.iter().map(|one| one.source.name()).collect();
    let modal = Modal::new(Id::new("unsaved edits")).show(ctx, |ui| {
        ui.set_width(width_within(WIDTH, ctx.content_rect().width() - 60.0));
        ui.label(RichText::new("Unsaved edits").heading());
        let what = match **command {
            Command::CloseWindow => "Closing the window",
            Command::File(FileCommand::Close(_))
            | Command::Compare(_)
            | Command::File(FileCommand::ShowGallery) => "Closing it",
            _ => "Opening another file",
        };
        let text = format!("{what} discards the edits of {}.", names.join(", "));
        ui.add(Label::new(text).wrap());
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            if changed.iter().any(|one| one.labels.is_some_and(EditedLabels::is_changed)) {
                save_labels_ui(ui, model);
            }
            if changed.iter().any(|one| one.scene.is_some_and(EditedScene::is_changed)) {
                save_scene_ui(ui, model, command);
            }
            if ui.button("Discard edits").clicked() {
                model.send(Command::Edit(EditCommand::Discard));
            }
            if ui.button("Keep editing").clicked() {
                model.send(Command::Edit(EditCommand::KeepOpen));
            }
        });
    });
    if modal.should_close() {
        model.send(Command::Edit(EditCommand::KeepOpen));
    }
}

fn save_labels_ui(ui: &mut Ui, model: &Model<'_>) {
    let button = ui.button("Save labels").on_hover_text("Beside their recordings; then goes on");
    if button.clicked() {
        model.send(Command::Edit(EditCommand::SaveAndContinue));
    }
}

/// The choices for a scene: saving it, and adding what would be opened.
fn save_scene_ui(ui: &mut Ui, model: &Model<'_>, command: &Command) {
    if ui.button("Save scene as…").clicked() {
        model.send(Command::Edit(EditCommand::KeepOpen));
        if !model.panels.is_open(Panel::SAVE_SCENE) {
            model.send(Command::Panel(PanelCommand::Toggle(Panel::SAVE_SCENE)));
        }
    }
    if let Command::File(FileCommand::Open(paths)) = command
        && paths.iter().all(|path: &PathBuf| is_recording(path))
        && ui.button("Add to scene").clicked()
    {
        model.send(Command::Edit(EditCommand::KeepOpen));
        model.send(Command::Scene(SceneCommand::AddRecordings(paths.clone())));
    }
}

/// Whether a file is a recording that a scene may play.
fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "mcmocap_rec")
}

/// The question before a file is replaced, while there is one.
pub(super) fn replace_ui(ctx: &Context, model: &Model<'_>) {
    let Some((_, question)) = &model.panels.would_replace else { return };
    let modal = Modal::new(Id::new("replace file")).show(ctx, |ui| {
        ui.set_width(width_within(WIDTH, ctx.content_rect().width() - 60.0));
        ui.label(RichText::new("Replace file").heading());
        ui.add(Label::new(question).wrap());
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            if ui.button("Replace").clicked() {
                model.send(Command::Edit(EditCommand::Replace));
            }
            if ui.button("Keep it").clicked() {
                model.send(Command::Edit(EditCommand::KeepFile));
            }
        });
    });
    if modal.should_close() {
        model.send(Command::Edit(EditCommand::KeepFile));
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::{
        session::LabelCommand,
        ui::testing::{Desk, show},
    };

    #[test]
    fn losing_edits_of_labels_is_asked_about() {
        let mut desk = Desk::<()>::with_two_hands();
        desk.labels_mut().add(1.0, 2.0, "reach");
        desk.panels.would_discard = Some(Box::new(Command::CloseWindow));
        let mut question = show(desk, [700.0, 400.0], |ui, model, ()| {
            unsaved_ui(ui.ctx(), model);
        });
        question.run();
        assert!(question.query_by_label("Save scene as…").is_none());
        question.get_by_label("Save labels").click();
        question.run();
        let expected = Command::Edit(EditCommand::SaveAndContinue);
        assert_eq!(question.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn replacing_a_file_is_asked_about() {
        let mut desk = Desk::<()>::with_two_hands();
        let save = Command::Label(LabelCommand::Save { replaces: true });
        desk.panels.would_replace = Some((Box::new(save), "It exists. Replace it?".to_owned()));
        let mut question = show(desk, [700.0, 400.0], |ui, model, ()| {
            replace_ui(ui.ctx(), model);
        });
        question.run();
        for (label, expected) in
            [("Replace", EditCommand::Replace), ("Keep it", EditCommand::KeepFile)]
        {
            question.get_by_label(label).click();
            question.run();
            let commands = question.state_mut().take_commands();
            assert_eq!(commands, [Command::Edit(expected)], "{label}");
        }
    }
}
