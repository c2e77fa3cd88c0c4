//! Asks before opening the files that a link names.

use bevy_egui::egui::{Context, Id, Label, Modal, RichText, ScrollArea};

use super::{Model, widgets::limit_width};
use crate::session::{Command, FileCommand};
use mutoscope_core::read::format_path;

const WIDTH: f32 = 460.0;

pub(super) fn linked_ui(ctx: &Context, model: &Model<'_>) {
    let Some(linked) = &model.panels.pending_link else { return };
    let modal = Modal::new(Id::new("open linked files")).show(ctx, |ui| {
        ui.set_width(limit_width(WIDTH, ctx.content_rect().width() - 60.0));
        let (heading, explanation) = match linked.unknown.len() {
            1 => (
                "Open a linked file?",
                "A link wants to open this file, which you have not used recently:",
            ),
            _ => (
                "Open linked files?",
                "A link wants to open these files, which you have not used recently:",
            ),
        };
        ui.label(RichText::new(heading).heading());
        ui.add(Label::new(explanation).wrap());
        ScrollArea::vertical().max_height(160.0).show(ui, |ui| {
            for path in &linked.unknown {
                ui.add(Label::new(RichText::new(format_path(path)).monospace()).wrap());
            }
        });
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            if ui.button("Open").clicked() {
                model.send(Command::File(FileCommand::AllowLinked));
            }
            if ui.button("Do not open").clicked() {
                model.send(Command::File(FileCommand::RefuseLinked));
            }
        });
    });
    if modal.should_close() {
        model.send(Command::File(FileCommand::RefuseLinked));
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::{
        session::{LinkedFiles, SavedView},
        ui::testing::{PanelFixture, show},
    };

    #[test]
    fn dialog_lists_files_and_sends_the_answer() {
        for (label, expected) in
            [("Open", FileCommand::AllowLinked), ("Do not open", FileCommand::RefuseLinked)]
        {
            let mut fixture = PanelFixture::<()>::default();
            fixture.panels.pending_link = Some(LinkedFiles {
                files: vec!["/takes/a.bin".into()],
                unknown: vec!["/takes/a.bin".into()],
                view: SavedView::default(),
            });
            let mut question =
                show(fixture, [700.0, 400.0], |ui, model, ()| linked_ui(ui.ctx(), model));
            question.run();
            question.get_by_label("/takes/a.bin");
            question.get_by_label(label).click();
            question.run();
            assert_eq!(question.state_mut().take_commands(), [Command::File(expected)], "{label}");
        }
    }
}
