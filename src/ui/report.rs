//! The dialog that writes a report of the open recordings.

use std::path::PathBuf;

use bevy_egui::egui::{Label, Rect, Spinner, Ui, Window, vec2};

use super::{Model, display_text, path_field::PathField, widgets::dim_text};
use crate::session::{Command, Panel, PanelCommand, ReportCommand, Source};

#[derive(Clone, Debug, Default)]
pub(super) struct ReportState {
    path: PathField,
}

impl ReportState {
    pub(super) fn focus_path(&mut self) {
        self.path.focus();
    }
}

pub(super) fn report_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ReportState, picture: Rect) {
    if model.clip().is_none() {
        return;
    }
    let mut is_open = true;
    Window::new("Report")
        .open(&mut is_open)
        .default_pos(picture.left_top() + vec2(24.0, 24.0))
        .default_width(420.0)
        .resizable(false)
        .collapsible(false)
        .show(ui.ctx(), |ui| match model.reports.running() {
            Some(path) => {
                ui.ctx().request_repaint_after_secs(0.1);
                ui.horizontal(|ui| {
                    ui.add(Spinner::new().size(14.0));
                    ui.add(Label::new(format!("Writing {}", path.display())).truncate());
                });
            }
            None => choices_ui(ui, model, state),
        });
    if !is_open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::REPORT)));
    }
}

fn choices_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ReportState) {
    let proposed = propose_path(model);
    let is_entered = state.path.ui(ui, "report to", proposed.clone());
    let labels = model.models().filter_map(|one| one.labels().map(|labels| labels.labels().len()));
    let (recordings, labels) = (model.recordings.len(), labels.sum());
    let summary = format!(
        "A web page in one file: {} and {}",
        display_text::format_counted(recordings, "recording", "recordings"),
        display_text::format_counted(labels, "label", "labels"),
    );
    let summary = dim_text(ui, summary);
    ui.add(Label::new(summary).wrap());
    ui.add_space(4.0);
    if ui.button("Write report").clicked() || is_entered {
        let path = state.path.path(proposed);
        model.send(Command::Report(ReportCommand { path, replaces: false }));
    }
}

fn propose_path(model: &Model<'_>) -> PathBuf {
    let current = model.reference_source();
    let beside = current.map_or_else(|| "recording".into(), Source::output_base_path);
    let mut name = beside.file_stem().unwrap_or_default().to_owned();
    name.push("-report.html");
    beside.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    #[test]
    fn proposed_report_is_next_to_the_recording() {
        let mut fixture = PanelFixture::<ReportState>::with_two_hands();
        fixture.labels_mut().add(1.0, 2.0, "reach");
        let mut dialog = show(fixture, [700.0, 400.0], |ui, model, state| {
            let picture = ui.max_rect();
            report_ui(ui, model, state, picture);
        });
        dialog.run();
        dialog.get_by_label("A web page in one file: 1 recording and 1 label");
        dialog.get_by_role_and_label(Role::Button, "Write report").click();
        dialog.run();
        let path = "takes/first-report.html".into();
        let expected = Command::Report(ReportCommand { path, replaces: false });
        assert_eq!(dialog.state_mut().take_commands(), [expected]);
    }
}
