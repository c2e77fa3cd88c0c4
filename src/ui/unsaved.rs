//! Asks before unsaved edits are lost, and before a file is replaced.

use std::path::{Path, PathBuf};

use bevy_egui::egui::{Context, Id, Label, Modal, RichText, Ui};

use super::{Model, widgets::limit_width};
use crate::session::{
    Command, Document, EditCommand, FileCommand, Panel, PanelCommand, SceneCommand,
};

const WIDTH: f32 = 420.0;

pub(super) fn unsaved_ui(ctx: &Context, model: &Model<'_>) {
    let Some(command) = &model.pending.discard else { return };
    let lost = &model.pending.lost;
    let export = model.exports.running().filter(|_| **command == Command::CloseWindow);
    if lost.is_empty() && export.is_none() {
        // The export that the question was about has ended.
        model.send(Command::Edit(EditCommand::Discard));
        return;
    }
    let is_scene = |document: &&Document| matches!(document, Document::Scene(_));
    let modal = Modal::new(Id::new("unsaved edits")).show(ctx, |ui| {
        ui.set_width(limit_width(WIDTH, ctx.content_rect().width() - 60.0));
        let heading = if lost.is_empty() { "An export is running" } else { "Unsaved edits" };
        ui.label(RichText::new(heading).heading());
        let action = match **command {
            Command::CloseWindow => "Closing the window",
            Command::File(FileCommand::Close(_))
            | Command::Compare(_)
            | Command::File(FileCommand::ShowGallery) => "Closing the recording",
            _ => "Opening another file",
        };
        if !lost.is_empty() {
            let names = lost_names(model, lost).join(", ");
            ui.add(Label::new(format!("{action} discards edits of {names}.")).wrap());
        }
        if let Some((path, _)) = export {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text =
                format!("{action} stops the export and deletes what it has written of {name}.");
            ui.add(Label::new(text).wrap());
        }
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            if lost.iter().any(|document| !is_scene(&document)) {
                save_ui(ui, model);
            }
            if lost.iter().any(|document| is_scene(&document)) {
                save_scene_ui(ui, model, command);
            }
            let [discard, keep] = match lost.is_empty() {
                true => ["Stop export and close", "Keep open"],
                false => ["Discard edits", "Keep editing"],
            };
            if ui.button(discard).clicked() {
                model.send(Command::Edit(EditCommand::Discard));
            }
            if ui.button(keep).clicked() {
                model.send(Command::Edit(EditCommand::KeepOpen));
            }
        });
    });
    if modal.should_close() {
        model.send(Command::Edit(EditCommand::KeepOpen));
    }
}

/// Returns what the user edited, such as `the labels of take.bin`, in alphabetical order.
fn lost_names(model: &Model<'_>, lost: &[Document]) -> Vec<String> {
    let source = |recording| {
        let open = model.recordings.iter().find(|open| open.entity == recording);
        open.map_or_else(String::new, |open| open.source.name())
    };
    let mut names: Vec<String> = lost
        .iter()
        .map(|document| match *document {
            Document::Labels(recording) => format!("the labels of {}", source(recording)),
            Document::Scene(recording) => source(recording),
            Document::Columns(table) => format!("the column mapping of {}", source(table)),
            Document::FrameRate(recording) => format!("the frame rate of {}", source(recording)),
            Document::Checks(recording) => {
                format!("the muted checks of {}", source(recording))
            }
            Document::Areas => "the areas of interest".to_owned(),
            Document::Fit => "the bone map".to_owned(),
            Document::Assumptions(_) => "axes and units".to_owned(),
        })
        .collect();
    names.sort();
    names
}

fn save_ui(ui: &mut Ui, model: &Model<'_>) {
    let button =
        ui.button("Save").on_hover_text("Saves the edits next to their recordings, then continues");
    if button.clicked() {
        model.send(Command::Edit(EditCommand::SaveAndContinue));
    }
}

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

fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "mcmocap_rec")
}

pub(super) fn replace_ui(ctx: &Context, model: &Model<'_>) {
    let Some((_, question)) = &model.pending.replacement else { return };
    let modal = Modal::new(Id::new("replace file")).show(ctx, |ui| {
        ui.set_width(limit_width(WIDTH, ctx.content_rect().width() - 60.0));
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
        ui::testing::{PanelFixture, show},
    };

    #[test]
    fn closing_with_edits_asks_to_save() {
        let mut fixture = PanelFixture::<()>::with_two_hands();
        fixture.pending.discard = Some(Box::new(Command::CloseWindow));
        fixture.pending.lost = vec![Document::Labels(fixture.reference().entity), Document::Areas];
        let mut question = show(fixture, [700.0, 400.0], |ui, model, ()| {
            unsaved_ui(ui.ctx(), model);
        });
        question.run();
        assert!(question.query_by_label("Save scene as…").is_none());
        let text = "the areas of interest, the labels of first.bin";
        question.get_by_label_contains(text);
        question.get_by_label("Save").click();
        question.run();
        let expected = Command::Edit(EditCommand::SaveAndContinue);
        assert_eq!(question.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn replacing_a_file_asks_first() {
        let mut fixture = PanelFixture::<()>::with_two_hands();
        let save = Command::Label(LabelCommand::Save { replaces: true });
        fixture.pending.replacement = Some((Box::new(save), "It exists. Replace it?".to_owned()));
        let mut question = show(fixture, [700.0, 400.0], |ui, model, ()| {
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
