//! The selected label: its name, tier and times, and its measures.

use bevy::prelude::Entity;
use bevy_egui::egui::{Button, Id, TextEdit, Ui, WidgetInfo, WidgetType};

use super::label_measures::measures_ui;
use crate::{
    session::{Command, LabelCommand},
    ui::{
        Model,
        widgets::{dim, heading, table, with_action_tooltip},
        words,
    },
};
use mutoscope_study::labels::Label;

/// The selected label, if there is one.
pub(super) fn label_ui(ui: &mut Ui, model: &Model<'_>) {
    let model = model.looking_at_labels();
    let Some((open, labels)) = model.open().and_then(|open| Some((open, open.labels?))) else {
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

/// The fields of a label.
struct Fields {
    recording: Entity,
    index: usize,
    /// The version of the labels, so that no text is kept for another label.
    version: u64,
}

impl Fields {
    /// The fields; the label as it is to be, once something was typed.
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
            let start = self.row_ui(ui, "Start", &words::exact_time(label.start));
            if let Some(start) = start.and_then(|text| time(&text)) {
                to = Some(Label { start, end: label.end.max(start), ..label.clone() });
            }
            let end = self.row_ui(ui, "End", &words::exact_time(label.end));
            if let Some(end) = end.and_then(|text| time(&text)) {
                to = Some(Label { end, start: label.start.min(end), ..label.clone() });
            }
            let name = dim(ui, "Duration");
            ui.label(name);
            ui.label(words::duration(label.end - label.start));
            ui.end_row();
        });
        to
    }

    /// A field with its name; the text, once the keyboard leaves it with another one.
    fn row_ui(&self, ui: &mut Ui, name: &str, value: &str) -> Option<String> {
        let label = dim(ui, name);
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

/// The time that was typed; `00:03.217 25` as it is shown, too.
fn time(text: &str) -> Option<f64> {
    words::parse_time(&text.replace(' ', ""))
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Event, Key, Modifiers};
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{Desk, show};

    fn given(field: &str, typed: &str) -> Vec<Command> {
        let mut desk = Desk::<()>::with_two_hands();
        desk.labels_mut().add(1.0, 2.5, "reach");
        let mut panel = show(desk, [290.0, 500.0], |ui, model, ()| label_ui(ui, model));
        panel.run();
        panel.get_by_label(field).focus();
        panel.run();
        panel.key_press_modifiers(Modifiers::COMMAND, Key::A);
        panel.event(Event::Text(typed.to_owned()));
        panel.run();
        assert_eq!(panel.state_mut().take_commands(), [], "not while it is typed");
        panel.key_press(Key::Enter);
        panel.run();
        panel.state_mut().take_commands()
    }

    fn changed(to: Label) -> Vec<Command> {
        let recording = Desk::<()>::with_two_hands().recordings[0].entity;
        vec![Command::Label(LabelCommand::Change { recording, label: 0, to })]
    }

    #[test]
    fn name_tier_and_times_are_typed() {
        let label = Label { start: 1.0, end: 2.5, label: "reach".to_owned(), tier: None };
        let grasp = Label { label: "grasp".to_owned(), ..label.clone() };
        assert_eq!(given("Name of the label", "grasp"), changed(grasp));
        let tier = Some("right".to_owned());
        assert_eq!(given("Tier of the label", "right"), changed(Label { tier, ..label.clone() }));
        assert_eq!(
            given("Start of the label", "0:01.5"),
            changed(Label { start: 1.5, ..label.clone() })
        );
        assert_eq!(
            given("End of the label", "0.5"),
            changed(Label { start: 0.5, end: 0.5, ..label })
        );
        assert_eq!(given("End of the label", "soon"), []);
    }
}
