//! The dialog that saves a scene.

use std::path::{Path, PathBuf};

use bevy_egui::egui::{Label, Rect, RichText, Ui, Window, vec2};

use super::{
    CommandSender, Model,
    path_field::PathField,
    style::{Palette, small_font},
    widgets::dim_text,
};
use crate::session::{Command, EditedScene, Panel, PanelCommand, SceneCommand};

pub(super) fn save_scene_ui(ui: &mut Ui, model: &Model<'_>, field: &mut PathField, picture: Rect) {
    let Some((open, scene)) = model.open().and_then(|open| Some((open, open.scene()?))) else {
        return;
    };
    let mut is_open = true;
    Window::new("Save scene")
        .open(&mut is_open)
        .default_pos(picture.left_top() + vec2(24.0, 24.0))
        .default_width(420.0)
        .resizable(false)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            let proposed = propose_path(&open.source.output_base_path());
            let is_entered = field.ui(ui, "save scene to", proposed.clone());
            upgrades_ui(ui, scene);
            ui.add_space(4.0);
            match scene.question() {
                Some((path, question)) => question_ui(ui, path, question, model.commands),
                None => {
                    if ui.button("Save scene").clicked() || is_entered {
                        let path = field.path(proposed);
                        let save = SceneCommand::Save { path, replaces: false };
                        model.send(Command::Scene(save));
                    }
                    saved_ui(ui, scene);
                }
            }
        });
    if !is_open {
        if scene.question().is_some() {
            model.send(Command::Scene(SceneCommand::KeepFile));
        }
        model.send(Command::Panel(PanelCommand::Toggle(Panel::SAVE_SCENE)));
    }
}

/// Proposes a file name that differs from the original, so that saving does not replace the
/// original by accident.
fn propose_path(original: &Path) -> PathBuf {
    const SUFFIX: &str = "-edited";
    let stem = original.file_stem().unwrap_or_default().to_string_lossy();
    // Strip an earlier suffix, so that saving again proposes the same file. The dialog asks before
    // it replaces that file.
    let stem = stem.strip_suffix(SUFFIX).unwrap_or(&stem);
    original.with_file_name(format!("{stem}{SUFFIX}.mcmocap_scene"))
}

fn upgrades_ui(ui: &mut Ui, scene: &EditedScene) {
    for text in scene.upgrades() {
        let text = dim_text(ui, super::display_text::capitalised(text));
        ui.add(Label::new(text.font(small_font())).wrap());
    }
}

fn question_ui(ui: &mut Ui, path: &Path, question: &str, commands: &CommandSender) {
    let color = Palette::for_visuals(ui.visuals()).warning;
    ui.add(Label::new(RichText::new(question).color(color)).wrap());
    ui.horizontal(|ui| {
        if ui.button("Replace").clicked() {
            let save = SceneCommand::Save { path: path.to_owned(), replaces: true };
            commands.send(Command::Scene(save));
        }
        if ui.button("Keep it").clicked() {
            commands.send(Command::Scene(SceneCommand::KeepFile));
        }
    });
}

fn saved_ui(ui: &mut Ui, scene: &EditedScene) {
    let Some(saved) = scene.save_result() else { return };
    let palette = Palette::for_visuals(ui.visuals());
    ui.separator();
    let path = saved.path.display();
    match &saved.result {
        Ok(warnings) => {
            ui.add(Label::new(format!("Wrote {path}")).wrap());
            for warning in warnings {
                let text = RichText::new(super::display_text::capitalised(warning))
                    .font(small_font())
                    .color(palette.warning);
                ui.add(Label::new(text).wrap());
            }
        }
        Err(why) => {
            let text = format!("Nothing was written to {path}: {why}");
            ui.add(Label::new(RichText::new(text).color(palette.error)).wrap());
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::{
        session::{Document, EditCommand, FileCommand},
        ui::{
            testing::{PanelFixture, show},
            unsaved::unsaved_ui,
        },
    };

    #[test]
    fn proposed_name_is_not_the_original() {
        let name = |path: &str| propose_path(Path::new(path)).display().to_string();
        assert_eq!(name("scenes/one.mcmocap_scene"), "scenes/one-edited.mcmocap_scene");
        assert_eq!(name("scenes/one.txt"), "scenes/one-edited.mcmocap_scene");
        assert_eq!(name("one-edited.mcmocap_scene"), "one-edited.mcmocap_scene");
    }

    #[test]
    fn scene_is_saved_next_to_the_original() {
        let fixture = PanelFixture::<PathField>::with_scene();
        let mut dialog = show(fixture, [700.0, 400.0], |ui, model, state| {
            let picture = ui.max_rect();
            save_scene_ui(ui, model, state, picture);
        });
        dialog.run();
        dialog.get_by_role_and_label(Role::Button, "Save scene").click();
        dialog.run();
        let path = "scenes/trio-edited.mcmocap_scene".into();
        let expected = Command::Scene(SceneCommand::Save { path, replaces: false });
        assert_eq!(dialog.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn closing_with_an_edited_scene_asks_to_save() {
        let mut fixture = PanelFixture::<()>::with_scene();
        fixture.pending.lost = vec![Document::Scene(fixture.reference().entity)];
        fixture.pending.discard = Some(Box::new(Command::CloseWindow));
        let mut question = show(fixture, [700.0, 400.0], |ui, model, ()| {
            unsaved_ui(ui.ctx(), model);
        });
        question.run();
        for (label, expected) in
            [("Discard edits", EditCommand::Discard), ("Keep editing", EditCommand::KeepOpen)]
        {
            question.get_by_label(label).click();
            question.run();
            let commands = question.state_mut().take_commands();
            assert_eq!(commands, [Command::Edit(expected)], "{label}");
        }
        assert!(question.query_by_label("Add to scene").is_none());
        assert!(question.query_by_label("Save").is_none());
        let paths = vec![PathBuf::from("walk.mcmocap_rec")];
        let open = Command::File(FileCommand::Open(paths.clone()));
        question.state_mut().pending.discard = Some(Box::new(open));
        question.run();
        question.get_by_label("Add to scene").click();
        question.run();
        let added = [
            Command::Edit(EditCommand::KeepOpen),
            Command::Scene(SceneCommand::AddRecordings(paths)),
        ];
        assert_eq!(question.state_mut().take_commands(), added);
    }
}
