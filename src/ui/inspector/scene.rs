//! The elements of the open scene, as editable fields.

use bevy::prelude::Entity;
use bevy_egui::egui::{
    Align, Button, DragValue, Id, Label, Layout, Response, RichText, TextEdit, Ui, WidgetInfo,
    WidgetType, collapsing_header::CollapsingState,
};
use glam::DVec3;

use crate::{
    session::{Command, Document, EditCommand, Panel, PanelCommand, SceneCommand},
    ui::{
        CommandSender, Model, display_text,
        icons::Icon,
        style::{ICON_BUTTON, Palette, small_font},
        widgets::{dim_text, heading, icon_button, table, with_action_tooltip},
    },
};
use mutoscope_core::clip::NodeId;
use mutoscope_minecraft::{
    Scene, TICKS_PER_SECOND,
    scene::{Element, ElementEdit, EntityFilter, SceneEdit, SceneElement},
};

const MAX_DELAY_S: f64 = 86_400.0;

pub(super) fn scene_ui(ui: &mut Ui, model: &Model<'_>, selected: Option<NodeId>) {
    let Some((open, scene)) = model.open().and_then(|open| Some((open, open.scene()?))) else {
        return;
    };
    let played = open.clip().procedural_as::<Scene>();
    let of_node = selected.and_then(|node| played?.element_index(node));
    if selected.is_some() && of_node.is_none() {
        return;
    }
    heading(ui, if of_node.is_some() { "Scene element" } else { "Scene" });
    let mut list = ElementList { recording: open.entity, commands: model.commands };
    for (index, element) in scene.elements().iter().enumerate() {
        if of_node.is_none_or(|only| only == index) {
            let issue = played.and_then(|played| element_message(played, index));
            ui.push_id(("element", index), |ui| {
                list.element_ui(ui, index, element, issue, of_node.is_some());
            });
        }
    }
    if of_node.is_none() {
        if scene.elements().is_empty() {
            let none = dim_text(ui, "No elements");
            ui.label(none);
        }
        buttons_ui(ui, open.entity, model);
    }
}

fn element_message(played: &Scene, index: usize) -> Option<&str> {
    let issue = played.element_diagnostics.iter().find(|issue| issue.element == index)?;
    Some(&issue.message)
}

fn buttons_ui(ui: &mut Ui, recording: Entity, model: &Model<'_>) {
    let Model { history, commands, .. } = model;
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let buttons = [
            ("Add recording…", Command::Scene(SceneCommand::ChooseRecordings), true),
            ("Save as…", Command::Panel(PanelCommand::Toggle(Panel::SAVE_SCENE)), true),
            ("Undo", Command::Edit(EditCommand::Undo), history.undo_name().is_some()),
            ("Redo", Command::Edit(EditCommand::Redo), history.redo_name().is_some()),
        ];
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, command, is_enabled) in buttons {
            let button = ui.add_enabled(is_enabled, Button::new(name).small());
            if with_action_tooltip(button, &command).clicked() {
                commands.send(command);
            }
        }
    });
    if history.is_unsaved(Document::Scene(recording)) {
        let color = Palette::for_visuals(ui.visuals()).accent;
        ui.label(RichText::new("\u{2022} Unsaved edits").font(small_font()).color(color));
    }
}

struct ElementList<'a> {
    recording: Entity,
    commands: &'a CommandSender,
}

impl ElementList<'_> {
    fn element_ui(
        &mut self,
        ui: &mut Ui,
        index: usize,
        element: &SceneElement,
        issue: Option<&str>,
        is_only: bool,
    ) {
        let id = ui.id().with((self.recording, "open", is_only));
        let state = CollapsingState::load_with_default_open(ui.ctx(), id, is_only);
        let header = state.show_header(ui, |ui| self.header_ui(ui, index, element));
        header.body(|ui| match &element.content {
            Ok(content) => self.content_ui(ui, index, content),
            Err(_) => {
                let text = dim_text(ui, "The element stays in the file unchanged");
                ui.label(text);
            }
        });
        let error = element.content.as_ref().err().map(|error| error.message.as_str()).or(issue);
        if let Some(error) = error {
            let color = Palette::for_visuals(ui.visuals()).error;
            ui.add(Label::new(RichText::new(error).font(small_font()).color(color)).wrap());
        }
    }

    fn header_ui(&mut self, ui: &mut Ui, index: usize, element: &SceneElement) {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let label = format!("Remove {}", element.name);
            let remove = icon_button(ui, Icon::Close, &label, ICON_BUTTON);
            if remove.on_hover_text(&label).clicked() {
                self.edit(SceneEdit::Remove(index));
            }
            let start = dim_text(ui, describe_start(element));
            ui.label(start.font(small_font()));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(&element.name).truncate());
                let content = element.content.as_ref().ok();
                if let Some(name) = content.and_then(|content| content.player_name.as_deref()) {
                    let name = dim_text(ui, name);
                    ui.add(Label::new(name.font(small_font())).truncate());
                }
            });
        });
    }

    fn content_ui(&mut self, ui: &mut Ui, index: usize, element: &Element) {
        let Element { timing, transformation, .. } = element;
        table("element", 2).show(ui, |ui| {
            row(ui, "Delay", "Hides the element until then", |ui| {
                let edit = self.seconds_ui(ui, "Delay", timing.start_delay);
                self.change(index, edit.map(ElementEdit::StartDelay));
            });
            row(ui, "Wait", "Keeps the element at its start before it plays", |ui| {
                let edit = self.seconds_ui(ui, "Wait at the start", timing.wait_on_start);
                self.change(index, edit.map(ElementEdit::WaitOnStart));
            });
            row(ui, "At the end", "Keeps the element at its end before it loops or ends", |ui| {
                let edit = self.seconds_ui(ui, "Wait at the end", timing.wait_on_end);
                self.change(index, edit.map(ElementEdit::WaitOnEnd));
            });
            row(ui, "Offset", "The offset in blocks", |ui| {
                let edit = self.offset_ui(ui, transformation.offset);
                self.change(index, edit.map(ElementEdit::Offset));
            });
            row(ui, "Rotation", "Rotates about the centre, clockwise seen from above", |ui| {
                let mut degrees = transformation.rotation;
                let field = DragValue::new(&mut degrees).speed(0.5).max_decimals(3).suffix("°");
                let edit = self.number_ui(ui, "Rotation", field);
                self.change(index, edit.then_some(ElementEdit::Rotation(degrees)));
            });
            row(ui, "Loop", "Plays again and again, including the delay and the waits", |ui| {
                let mut loops = timing.loops;
                let is_toggled = checkbox_ui(ui, "Loop", &mut loops);
                self.change(index, is_toggled.then_some(ElementEdit::Loops(loops)));
            });
            row(ui, "Stays", "Keeps the element at its end until the scene ends", |ui| {
                let mut waits = timing.waits_for_parent_end;
                let is_toggled = checkbox_ui(ui, "Stays", &mut waits);
                let edit = is_toggled.then_some(ElementEdit::WaitsForParentEnd(waits));
                self.change(index, edit);
            });
            row(ui, "Player", "The name of the player", |ui| {
                let hint = if element.is_scene { "as recorded" } else { "the recorded one" };
                let name = element.player_name.as_deref();
                let edit = text_ui(ui, "Player name", hint, name, |_| true);
                self.change(index, edit.map(ElementEdit::PlayerName));
            });
            row(ui, "Entities", "A filter such as @mobs;-minecraft:cow", |ui| {
                let filter = element.entity_filter.as_deref();
                let is_filter = |text: &str| EntityFilter::parse(text).is_some();
                let edit = text_ui(ui, "Entity filter", "all", filter, is_filter);
                self.change(index, edit.map(ElementEdit::EntityFilter));
            });
        });
    }

    fn seconds_ui(&mut self, ui: &mut Ui, name: &str, seconds: f64) -> Option<f64> {
        let mut edited = seconds;
        let field =
            DragValue::new(&mut edited).range(0.0..=MAX_DELAY_S).speed(0.02).max_decimals(3);
        let field = field.suffix(" s").update_while_editing(false);
        let response = self.field_ui(ui, name, field);
        let ticks =
            dim_text(ui, display_text::format_counted(to_ticks(edited) as usize, "tick", "ticks"));
        ui.label(ticks.font(small_font()));
        if response.dragged() {
            edited = to_ticks(edited) / TICKS_PER_SECOND;
        }
        (response.changed() && edited != seconds).then_some(edited)
    }

    fn offset_ui(&mut self, ui: &mut Ui, offset: DVec3) -> Option<DVec3> {
        let mut edited = offset;
        let mut has_changed = false;
        ui.spacing_mut().interact_size.x = 48.0;
        for (name, value) in ["X", "Y", "Z"].into_iter().zip(edited.as_mut()) {
            let field = DragValue::new(value).speed(0.05).max_decimals(3);
            has_changed |= self.number_ui(ui, &format!("Offset {name}"), field);
        }
        (has_changed && edited != offset).then_some(edited)
    }

    fn number_ui(&mut self, ui: &mut Ui, name: &str, field: DragValue<'_>) -> bool {
        self.field_ui(ui, name, field.update_while_editing(false)).changed()
    }

    fn field_ui(&mut self, ui: &mut Ui, name: &str, field: DragValue<'_>) -> Response {
        let response = ui.add(field);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
        response.on_hover_text(name)
    }

    fn change(&mut self, index: usize, edit: Option<ElementEdit>) {
        if let Some(edit) = edit {
            self.edit(SceneEdit::Change(index, edit));
        }
    }

    fn edit(&mut self, edit: SceneEdit) {
        self.commands.send(Command::Scene(SceneCommand::Edit(self.recording, edit)));
    }
}

fn row(ui: &mut Ui, name: &str, help: &str, contents: impl FnOnce(&mut Ui)) {
    let name = dim_text(ui, name);
    ui.label(name).on_hover_text(help);
    ui.horizontal(contents);
    ui.end_row();
}

fn checkbox_ui(ui: &mut Ui, name: &str, value: &mut bool) -> bool {
    let response = ui.checkbox(value, "");
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, *value, name));
    response.changed()
}

fn to_ticks(seconds: f64) -> f64 {
    (seconds * TICKS_PER_SECOND).round()
}

fn describe_start(element: &SceneElement) -> String {
    let Ok(Element { timing, .. }) = &element.content else { return "cannot be read".to_owned() };
    match timing.start_delay + timing.wait_on_start {
        0.0 => "from the start".to_owned(),
        start => format!("from {} s", display_text::format_decimal(start, 3)),
    }
}

/// Shows an optional text. Returns the new text when the field loses the keyboard; an empty text is
/// `None`.
fn text_ui(
    ui: &mut Ui,
    name: &str,
    hint: &str,
    current: Option<&str>,
    is_valid: impl Fn(&str) -> bool,
) -> Option<Option<String>> {
    let typed_id = Id::new((ui.id(), name));
    let typed = ui.data(|data| data.get_temp::<String>(typed_id));
    let mut text = typed.clone().unwrap_or_else(|| current.unwrap_or_default().to_owned());
    let color = (!is_valid(&text)).then(|| Palette::for_visuals(ui.visuals()).error);
    let field = ui.add(
        TextEdit::singleline(&mut text).hint_text(hint).desired_width(150.0).text_color_opt(color),
    );
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, name));
    if field.changed() {
        ui.data_mut(|data| data.insert_temp(typed_id, text.clone()));
    }
    if !field.lost_focus() {
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(typed_id));
    let edited = Some(text).filter(|text| !text.is_empty());
    (typed.is_some() && edited.as_deref() != current).then_some(edited)
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::Role;
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    fn list(selected: Option<&str>) -> Harness<'static, PanelFixture<()>> {
        let mut fixture = PanelFixture::with_scene();
        fixture.view.selected = selected.map(|name| fixture.node(name));
        let mut list = show(fixture, [290.0, 500.0], |ui, model, ()| {
            scene_ui(ui, model, model.selected());
        });
        list.run();
        list
    }

    fn edits(list: &mut Harness<'_, PanelFixture<()>>) -> Vec<SceneEdit> {
        let commands = list.state_mut().take_commands().into_iter();
        let edits = commands.filter_map(|command| match command {
            Command::Scene(SceneCommand::Edit(_, edit)) => Some(edit),
            _ => None,
        });
        edits.collect()
    }

    #[test]
    fn elements_are_listed_and_removed() {
        let mut list = list(None);
        for text in ["Scene", "p", "q", "r", "from the start"] {
            assert!(list.query_all_by_label(text).next().is_some(), "{text}");
        }
        assert_eq!(list.state_mut().take_commands(), [], "showing the panel sends no commands");
        list.get_by_label("Remove q").click();
        list.run();
        assert_eq!(edits(&mut list), [SceneEdit::Remove(1)]);
        list.get_by_label("Add recording…").click();
        list.run();
        let expected = Command::Scene(SceneCommand::ChooseRecordings);
        assert_eq!(list.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn element_of_the_selected_node_is_edited() {
        let mut list = list(Some("q/player"));
        assert!(list.query_by_label("Remove p").is_none());
        list.get_by_role_and_label(Role::CheckBox, "Loop").click();
        list.run();
        let change = |edit| vec![SceneEdit::Change(1, edit)];
        assert_eq!(edits(&mut list), change(ElementEdit::Loops(true)));
        let delay = list.get_by_role_and_label(Role::SpinButton, "Delay").rect().center();
        list.hover_at(delay);
        list.drag_at(delay);
        list.step();
        list.hover_at(delay + bevy_egui::egui::vec2(40.0, 0.0));
        list.step();
        let edits_so_far = edits(&mut list);
        let Some(SceneEdit::Change(1, ElementEdit::StartDelay(seconds))) = edits_so_far.last()
        else {
            panic!("{edits_so_far:?}")
        };
        assert!(*seconds > 0.0 && to_ticks(*seconds) == seconds * TICKS_PER_SECOND, "{seconds}");
        list.drop_at(delay);
        list.run();
        list.state_mut().take_commands();
        list.get_by_label("Entity filter").focus();
        list.run();
        list.get_by_label("Entity filter").type_text("@mobs");
        list.run();
        assert_eq!(edits(&mut list), [], "nothing is sent while typing");
        list.key_press(bevy_egui::egui::Key::Enter);
        list.run();
        let filter = Some("@mobs".to_owned());
        assert_eq!(edits(&mut list), change(ElementEdit::EntityFilter(filter)));
    }

    #[test]
    fn recordings_on_their_own_have_no_elements() {
        let fixture = PanelFixture::<()>::with_clip(crate::ui::testing::a_day());
        let list = show(fixture, [290.0, 500.0], |ui, model, ()| {
            scene_ui(ui, model, None);
        });
        assert!(list.query_by_label("Scene").is_none());
    }
}
