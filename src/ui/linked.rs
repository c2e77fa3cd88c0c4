//! Asking before files are opened that a link names.

use bevy_egui::egui::{Context, Id, Label, Modal, RichText, ScrollArea};

use super::{Model, widgets::width_within};
use crate::session::{Command, FileCommand};
use mutoscope_core::read::path_text;

/// The width of the question, in points.
const WIDTH: f32 = 460.0;

/// The question, while there is one.
pub(super) fn linked_ui(ctx: &Context, model: &Model<'_>) {
    let Some(asked) = &model.panels.would_open else { return };
    let modal = Modal::new(Id::new("open linked files")).show(ctx, |ui| {
        ui.set_width(width_within(WIDTH, ctx.content_rect().width() - 60.0));
        let (heading, what) = match asked.unknown.len() {
            1 => (
                "Open the file of a link?",
                "A link asks for this file, which was not open lately:",
            ),
            _ => (
                "Open the files of a link?",
                "A link asks for these files, which were not open lately:",
            ),
        };
        ui.label(RichText::new(heading).heading());
        ui.add(Label::new(what).wrap());
        ScrollArea::vertical().max_height(160.0).show(ui, |ui| {
            for path in &asked.unknown {
                ui.add(Label::new(RichText::new(path_text(path)).monospace()).wrap());
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
        ui::testing::{Desk, show},
    };

    #[test]
    fn files_are_named_and_the_answer_is_a_command() {
        for (label, expected) in
            [("Open", FileCommand::AllowLinked), ("Do not open", FileCommand::RefuseLinked)]
        {
            let mut desk = Desk::<()>::default();
            desk.panels.would_open = Some(LinkedFiles {
                files: vec!["/takes/a.bin".into()],
                unknown: vec!["/takes/a.bin".into()],
                view: SavedView::default(),
            });
            let mut question =
                show(desk, [700.0, 400.0], |ui, model, ()| linked_ui(ui.ctx(), model));
            question.run();
            question.get_by_label("/takes/a.bin");
            question.get_by_label(label).click();
            question.run();
            assert_eq!(question.state_mut().take_commands(), [Command::File(expected)], "{label}");
        }
    }
}
