//! The dialog for exporting labels.

use std::path::{Path, PathBuf};

use bevy_egui::egui::{Rect, Ui, Window, vec2};

use crate::{
    session::{Command, LabelCommand, Panel, PanelCommand},
    ui::{Model, display_text, path_field::PathField, widgets::dim_text},
};
use mutoscope_study::labels::LabelFormat;

#[derive(Clone, Debug)]
pub(in crate::ui) struct ExportLabelsState {
    format: LabelFormat,
    path: PathField,
}

impl Default for ExportLabelsState {
    fn default() -> Self {
        Self { format: LabelFormat::Eaf, path: PathField::default() }
    }
}

impl ExportLabelsState {
    pub(in crate::ui) fn focus_path(&mut self) {
        self.path.focus();
    }
}

pub(in crate::ui) fn export_labels_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut ExportLabelsState,
    viewport: Rect,
) {
    let model = model.for_edited_labels();
    let Some((open, labels)) = model.open().and_then(|open| Some((open, open.labels()?))) else {
        return;
    };
    let mut is_open = true;
    Window::new("Export labels")
        .open(&mut is_open)
        .default_pos(viewport.left_top() + vec2(24.0, 24.0))
        .default_width(420.0)
        .resizable(false)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            format_ui(ui, state);
            let proposed = proposed_path(&open.source.output_base_path(), state.format);
            let is_entered = state.path.ui(ui, "export labels to", proposed.clone());
            let path = state.path.path(proposed);
            // A typed extension selects the format.
            state.format = LabelFormat::from_path(&path).unwrap_or(state.format);
            let count = display_text::format_counted(labels.labels().len(), "label", "labels");
            let count = dim_text(ui, format!("{count} of {}", open.source.name()));
            ui.label(count);
            ui.add_space(4.0);
            if ui.button("Export labels").clicked() || is_entered {
                model.send(Command::Label(LabelCommand::Export { path, replaces: false }));
            }
        });
    if !is_open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::EXPORT_LABELS)));
    }
}

fn format_ui(ui: &mut Ui, state: &mut ExportLabelsState) {
    ui.horizontal(|ui| {
        let name = dim_text(ui, "As");
        ui.label(name);
        for (format, name) in [
            (LabelFormat::Csv, "CSV"),
            (LabelFormat::Eaf, "ELAN (.eaf)"),
            (LabelFormat::TextGrid, "Praat (.TextGrid)"),
        ] {
            if ui.selectable_label(state.format == format, name).clicked() {
                state.format = format;
                state.path.typed = None;
            }
        }
    });
}

fn proposed_path(recording: &Path, format: LabelFormat) -> PathBuf {
    let mut name = recording.file_stem().unwrap_or_default().to_owned();
    name.push(if format == LabelFormat::Csv { ".labels." } else { "." });
    name.push(format.extension());
    recording.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    #[test]
    fn labels_are_exported_next_to_the_recording() {
        let mut fixture = PanelFixture::<ExportLabelsState>::with_two_hands();
        fixture.labels_mut().add(1.0, 2.0, "reach");
        let mut dialog = show(fixture, [700.0, 400.0], |ui, model, state| {
            let viewport = ui.max_rect();
            export_labels_ui(ui, model, state, viewport);
        });
        dialog.run();
        for (format, path) in [
            ("ELAN (.eaf)", "takes/first.eaf"),
            ("Praat (.TextGrid)", "takes/first.TextGrid"),
            ("CSV", "takes/first.labels.csv"),
        ] {
            dialog.get_by_label(format).click();
            dialog.run();
            dialog.get_by_role_and_label(Role::Button, "Export labels").click();
            dialog.run();
            let expected = LabelCommand::Export { path: path.into(), replaces: false };
            assert_eq!(dialog.state_mut().take_commands(), [Command::Label(expected)]);
        }
    }
}
