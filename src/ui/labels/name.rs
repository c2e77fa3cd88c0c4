//! The field for the name of a label.

use bevy_egui::egui::{
    Align2, Area, Button, Context, Id, Key, Order, Pos2, Rect, TextEdit, Ui, WidgetInfo,
    WidgetType, pos2,
    text::{CCursor, CCursorRange},
    vec2,
};

use crate::{
    session::{Command, EditedLabels, LabelCommand, Naming},
    ui::{
        Model, display_text,
        style::{Palette, floating_frame},
        widgets::{dim_text, limit_width},
    },
};

const MAX_OFFERED_NAMES: usize = 6;

#[derive(Clone, Debug, Default)]
pub(in crate::ui) struct NameState {
    text: String,
    naming: Option<Naming>,
}

const FIELD_HEIGHT: f32 = 92.0;
const FIELD_GAP: f32 = 5.0;
const FIELD_WIDTH: f32 = 320.0;

pub(in crate::ui) fn name_ui(
    ctx: &Context,
    model: &Model<'_>,
    state: &mut NameState,
    viewport: Rect,
    label: Option<Rect>,
) {
    let model = model.for_edited_labels();
    let naming = model.labels().and_then(|labels| Some((labels, labels.naming()?)));
    let Some((labels, naming)) = naming else {
        *state = NameState::default();
        return;
    };
    let is_new = state.naming != Some(naming);
    if is_new {
        *state = NameState { text: current_name(labels, naming), naming: Some(naming) };
    }
    let (position, pivot) = field_position(ctx.content_rect(), viewport, label);
    let area = Area::new(Id::new("label name")).order(Order::Foreground).pivot(pivot);
    area.fixed_pos(position).show(ctx, |ui| {
        floating_frame(Palette::for_visuals(ui.visuals())).show(ui, |ui| {
            ui.set_width(limit_width(FIELD_WIDTH, viewport.width() - 60.0));
            heading_ui(ui, labels, naming);
            field_ui(ui, &model, labels, state, is_new);
            names_ui(ui, &model, labels);
        });
    });
}

fn field_position(window: Rect, viewport: Rect, label: Option<Rect>) -> (Pos2, Align2) {
    let Some(label) = label else {
        return (viewport.left_bottom() + vec2(14.0, -14.0), Align2::LEFT_BOTTOM);
    };
    let rightmost = (window.right() - FIELD_WIDTH - 40.0).max(window.left());
    let left = label.left().clamp(window.left(), rightmost);
    match label.bottom() + FIELD_GAP + FIELD_HEIGHT <= window.bottom() {
        true => (pos2(left, label.bottom() + FIELD_GAP), Align2::LEFT_TOP),
        false => (pos2(left, label.top() - FIELD_GAP), Align2::LEFT_BOTTOM),
    }
}

fn current_name(labels: &EditedLabels, naming: Naming) -> String {
    match naming {
        Naming::New { .. } => String::new(),
        Naming::Label(index) => {
            labels.labels().get(index).map(|label| label.label.clone()).unwrap_or_default()
        }
    }
}

fn heading_ui(ui: &mut Ui, labels: &EditedLabels, naming: Naming) {
    let text = match naming {
        Naming::New { start, end } => {
            format!(
                "Label from {} to {}",
                display_text::format_exact_time(start),
                display_text::format_exact_time(end)
            )
        }
        Naming::Label(index) => {
            let name = labels.labels().get(index).map_or("", |label| &label.label);
            format!("Rename {name}")
        }
    };
    let text = dim_text(ui, text);
    ui.label(text);
}

fn field_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    labels: &EditedLabels,
    state: &mut NameState,
    is_new: bool,
) {
    let hint = match labels.last_name() {
        "" => "Name",
        last => last,
    };
    let end = state.text.chars().count();
    ui.horizontal(|ui| {
        let room = ui.available_width() - 64.0;
        let field = TextEdit::singleline(&mut state.text).id(Id::new("name of the label"));
        let mut shown = field.hint_text(hint).desired_width(room).show(ui);
        let field = &shown.response;
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Name of the label"));
        if is_new {
            field.request_focus();
            let all = CCursorRange::two(CCursor::new(0), CCursor::new(end));
            shown.state.cursor.set_char_range(Some(all));
            shown.state.store(ui.ctx(), field.id);
        }
        let (enter, escape) =
            ui.input(|input| (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape)));
        let is_entered = field.lost_focus() && enter;
        let is_nameless = state.text.trim().is_empty() && labels.last_name().is_empty();
        let button = ui.add_enabled(!is_nameless, Button::new("Label"));
        if button
            .on_hover_text("Names the label (Enter). Without a name, the last name is used")
            .clicked()
            || is_entered
        {
            model.send(Command::Label(LabelCommand::Name(state.text.clone())));
        } else if escape {
            model.send(Command::Label(LabelCommand::CancelNaming));
        }
    });
}

fn names_ui(ui: &mut Ui, model: &Model<'_>, labels: &EditedLabels) {
    let names = labels.names();
    if names.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for name in names.into_iter().take(MAX_OFFERED_NAMES) {
            let button = ui.add(Button::new(name).small().truncate());
            if button.clicked() {
                model.send(Command::Label(LabelCommand::Name(name.to_owned())));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::Event;
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    fn show_field(naming: Naming) -> Harness<'static, PanelFixture<NameState>> {
        let mut fixture = PanelFixture::<NameState>::with_two_hands();
        fixture.labels_mut().add(1.0, 2.0, "reach");
        fixture.labels_mut().add(3.0, 4.0, "grasp");
        fixture.labels_mut().set_naming(Some(naming));
        let mut field = show(fixture, [700.0, 400.0], |ui, model, state| {
            let viewport = ui.max_rect();
            name_ui(ui.ctx(), model, state, viewport, None);
        });
        field.run();
        field
    }

    #[test]
    fn field_is_next_to_the_label_and_within_the_window() {
        let window = Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 720.0));
        let viewport = window.with_max_y(500.0);
        let label = |x: f32, y: f32| Some(Rect::from_min_size(pos2(x, y), vec2(80.0, 15.0)));
        let field_position = |label| field_position(window, viewport, label);
        assert_eq!(field_position(label(400.0, 560.0)), (pos2(400.0, 580.0), Align2::LEFT_TOP));
        assert_eq!(field_position(label(400.0, 660.0)), (pos2(400.0, 655.0), Align2::LEFT_BOTTOM));
        let (at_the_right, _) = field_position(label(1270.0, 560.0));
        assert!(at_the_right.x + FIELD_WIDTH < window.right());
        assert_eq!(field_position(None), (pos2(14.0, 486.0), Align2::LEFT_BOTTOM));
    }

    #[test]
    fn enter_applies_the_typed_name() {
        let mut field = show_field(Naming::New { start: 5.0, end: 6.0 });
        field.event(Event::Text("turn".to_owned()));
        field.run();
        field.key_press(Key::Enter);
        field.run();
        let expected = Command::Label(LabelCommand::Name("turn".to_owned()));
        assert_eq!(field.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn typing_replaces_the_name_of_a_label() {
        let mut field = show_field(Naming::Label(0));
        field.event(Event::Text("touch".to_owned()));
        field.run();
        field.key_press(Key::Enter);
        field.run();
        let expected = Command::Label(LabelCommand::Name("touch".to_owned()));
        assert_eq!(field.state_mut().take_commands(), [expected]);
    }

    #[test]
    fn known_names_are_offered_and_escape_keeps_the_label_unnamed() {
        let mut field = show_field(Naming::New { start: 5.0, end: 6.0 });
        field.get_by_label("reach").click();
        field.run();
        let expected = Command::Label(LabelCommand::Name("reach".to_owned()));
        assert_eq!(field.state_mut().take_commands(), [expected]);
        field.key_press(Key::Escape);
        field.run();
        let expected = Command::Label(LabelCommand::CancelNaming);
        assert_eq!(field.state_mut().take_commands(), [expected]);
    }
}
