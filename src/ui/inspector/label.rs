//! The selected label: its name, tier, times and measures.

use bevy::prelude::Entity;
use bevy_egui::egui::{Button, Id, TextEdit, Ui, WidgetInfo, WidgetType};

use super::label_measures::measures_ui;
use crate::{
    session::{Command, LabelCommand},
    ui::{
        Model, display_text,
        widgets::{dim_text, heading, table, with_action_tooltip},
    },
};
use mutoscope_study::labels::Label;

pub(super) fn label_ui(ui: &mut Ui, model: &Model<'_>) {
    let model = model.for_edited_labels();
    let Some((open, labels)) = model.open().and_then(|open| Some((open, open.labels()?))) else {
        return;
    };
    let Some((index, label)) = labels.selected() else { return };
    heading(ui, "Label");
    let field = Fields { recording: open.entity, index, version: labels.version() };
    if let Some(to) = field.ui(ui, label) {
        let recording = open.entity;
        model.send(Command::Label(LabelCommand::Change { recording, label: index, to }));
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, command) in [("Rename…", LabelCommand::Rename), ("Remove", LabelCommand::Remove)]
        {
            let command = Command::Label(command);
            let button = ui.add(Button::new(name).small());
            if with_action_tooltip(button, &command).clicked() {
                model.send(command);
            }
        }
    });
    measures_ui(ui, labels.measures());
}

struct Fields {
    recording: Entity,
    index: usize,
    /// The version of the labels. It is part of the field ids, so that typed text does not move to
    /// another label when the labels change.
    version: u64,
}

impl Fields {
    fn ui(&self, ui: &mut Ui, label: &Label) -> Option<Label> {
        let mut to = None;
        table("label", 2).show(ui, |ui| {
            if let Some(name) = self.row_ui(ui, "Name", &label.label) {
                to = Some(Label { label: name, ..label.clone() }).filter(|it| !it.label.is_empty());
            }
            let tier = label.tier.as_deref().unwrap_or_default();
            if let Some(tier) = self.row_ui(ui, "Tier", tier) {
                let tier = Some(tier).filter(|tier| !tier.is_empty());
                to = Some(Label { tier, ..label.clone() });
            }
            let start = self.row_ui(ui, "Start", &display_text::format_exact_time(label.start));
            if let Some(start) = start.and_then(|text| parse_label_time(&text)) {
                to = Some(Label { start, end: label.end.max(start), ..label.clone() });
            }
            let end = self.row_ui(ui, "End", &display_text::format_exact_time(label.end));
            if let Some(end) = end.and_then(|text| parse_label_time(&text)) {
                to = Some(Label { end, start: label.start.min(end), ..label.clone() });
            }
            let name = dim_text(ui, "Duration");
            ui.label(name);
            ui.label(display_text::format_duration(label.end - label.start));
            ui.end_row();
        });
        to
    }

    fn row_ui(&self, ui: &mut Ui, name: &str, value: &str) -> Option<String> {
        let label = dim_text(ui, name);
        ui.label(label);
        let id = Id::new((self.recording, self.index, self.version, name));
        let kept = ui.data(|data| data.get_temp::<String>(id));
        let mut text = kept.unwrap_or_else(|| value.to_owned());
        let edit = TextEdit::singleline(&mut text).id(id.with("field"));
        let field = ui.add(edit.desired_width(f32::INFINITY));
        field.widget_info(|| {
            WidgetInfo::labeled(WidgetType::TextEdit, true, format!("{name} of the label"))
        });
        ui.end_row();
        if field.has_focus() {
            ui.data_mut(|data| data.insert_temp(id, text));
            return None;
        }
        ui.data_mut(|data| data.remove::<String>(id));
        (field.lost_focus() && text.trim() != value).then(|| text.trim().to_owned())
    }
}

fn parse_label_time(text: &str) -> Option<f64> {
    display_text::parse_time(&text.replace(' ', ""))
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Event, Key, Modifiers};
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    fn type_into_field(field: &str, typed: &str) -> Vec<Command> {
        let mut fixture = PanelFixture::<()>::with_two_hands();
        fixture.labels_mut().add(1.0, 2.5, "reach");
        let mut panel = show(fixture, [290.0, 500.0], |ui, model, ()| label_ui(ui, model));
        panel.run();
        panel.get_by_label(field).focus();
        panel.run();
        panel.key_press_modifiers(Modifiers::COMMAND, Key::A);
        panel.event(Event::Text(typed.to_owned()));
        panel.run();
        assert_eq!(panel.state_mut().take_commands(), [], "nothing is sent while typing");
        panel.key_press(Key::Enter);
        panel.run();
        panel.state_mut().take_commands()
    }

    fn changed(to: Label) -> Vec<Command> {
        let recording = PanelFixture::<()>::with_two_hands().recordings[0].entity;
        vec![Command::Label(LabelCommand::Change { recording, label: 0, to })]
    }

    #[test]
    fn typed_fields_change_the_label() {
        let label = Label { start: 1.0, end: 2.5, label: "reach".to_owned(), tier: None };
        let grasp = Label { label: "grasp".to_owned(), ..label.clone() };
        assert_eq!(type_into_field("Name of the label", "grasp"), changed(grasp));
        let tier = Some("right".to_owned());
        assert_eq!(
            type_into_field("Tier of the label", "right"),
            changed(Label { tier, ..label.clone() })
        );
        assert_eq!(
            type_into_field("Start of the label", "0:01.5"),
            changed(Label { start: 1.5, ..label.clone() })
        );
        assert_eq!(
            type_into_field("End of the label", "0.5"),
            changed(Label { start: 0.5, end: 0.5, ..label })
        );
        assert_eq!(type_into_field("End of the label", "soon"), []);
    }
}
