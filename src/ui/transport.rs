//! The transport: play, step, go to a time, speed, looping, range.

use bevy_egui::egui::{
    self, Align, Button, DragValue, FontId, Layout, Popup, RichText, TextEdit, Ui, vec2,
};

use super::{
    CommandSender, Model, display_text,
    icons::Icon,
    style::Palette,
    widgets::{action_icon_button, dim_text, icon_button, with_action_tooltip},
};
use crate::session::{Command, PanelCommand, PlayheadCommand};
use mutoscope_core::playback::{Clock, Direction, SPEED_PRESETS, TimeCommand};

#[derive(Clone, Debug, Default)]
pub(super) struct TransportState {
    edited_time: Option<String>,
    wants_focus: bool,
}

impl TransportState {
    pub(super) fn edit_time(&mut self) {
        self.edited_time = Some(String::new());
        self.wants_focus = true;
    }
}

const MIN_WIDTH_FOR_SAMPLE: f32 = 860.0;
const MIN_WIDTH_FOR_PRESETS: f32 = 700.0;

pub(super) fn transport_ui(ui: &mut Ui, model: &Model<'_>, state: &mut TransportState) {
    let clock = model.clock;
    let width = ui.available_width();
    ui.horizontal_centered(|ui| {
        play_buttons_ui(ui, clock, model.commands);
        ui.add_space(6.0);
        time_ui(ui, clock, state, model.commands);
        if width >= MIN_WIDTH_FOR_SAMPLE {
            ui.add_space(8.0);
            sample_ui(ui, model);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            range_ui(ui, clock, model.commands);
            ui.separator();
            looping_ui(ui, clock, model.commands);
            speed_ui(ui, clock, width >= MIN_WIDTH_FOR_PRESETS, model.commands);
        });
    });
}

fn play_buttons_ui(ui: &mut Ui, clock: &Clock, commands: &CommandSender) {
    ui.spacing_mut().item_spacing.x = 2.0;
    let step = |direction| Command::Time(TimeCommand::Step(direction));
    action_icon_button(ui, Icon::Start, Command::Time(TimeCommand::ToStart), commands);
    action_icon_button(ui, Icon::Previous, step(Direction::Backward), commands);
    play_button_ui(ui, clock, commands);
    action_icon_button(ui, Icon::Next, step(Direction::Forward), commands);
    action_icon_button(ui, Icon::End, Command::Time(TimeCommand::ToEnd), commands);
    ui.spacing_mut().item_spacing.x = 6.0;
}

fn play_button_ui(ui: &mut Ui, clock: &Clock, commands: &CommandSender) {
    let (icon, label) =
        if clock.is_playing() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let command = Command::Time(TimeCommand::TogglePlay);
    let button = icon_button(ui, icon, label, vec2(36.0, 26.0));
    if with_action_tooltip(button, &command).clicked() {
        commands.send(command);
    }
}

fn time_ui(ui: &mut Ui, clock: &Clock, state: &mut TransportState, commands: &CommandSender) {
    let font = FontId::monospace(14.0);
    let time = display_text::format_clock_time(clock.time());
    let glyph = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let size = vec2(glyph * time.len().max(9) as f32 + 12.0, 24.0);
    match &mut state.edited_time {
        None => {
            let text = RichText::new(&time).font(font.clone());
            let button = Button::new(text).min_size(size).frame_when_inactive(false);
            let response = ui.add(button);
            response.widget_info(|| {
                let label = format!("Time {time}");
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label)
            });
            if with_action_tooltip(response, &Command::Panel(PanelCommand::EditTime)).clicked() {
                state.edit_time();
                ui.ctx().request_repaint();
            }
        }
        Some(text) => {
            if state.wants_focus {
                text.clone_from(&time);
            }
            let edit = TextEdit::singleline(text).font(font.clone()).desired_width(size.x);
            let response =
                ui.add(edit).on_hover_text("Type seconds or mm:ss.mmm, then press Enter");
            if std::mem::take(&mut state.wants_focus) {
                response.request_focus();
                select_all(ui, response.id, text.chars().count());
            } else if response.lost_focus() || !response.has_focus() {
                if ui.input(|input| input.key_pressed(egui::Key::Enter))
                    && let Some(time) = display_text::parse_time(text)
                {
                    commands.send(Command::Time(TimeCommand::Seek(time)));
                }
                state.edited_time = None;
            }
        }
    }
    let end = format!("/ {}", display_text::format_clock_time(clock.span().end()));
    let end = RichText::new(end).font(font).color(Palette::for_visuals(ui.visuals()).dim);
    ui.label(end).on_hover_text("The end of the recording");
}

fn select_all(ui: &Ui, id: egui::Id, length: usize) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::default(), CCursor::new(length));
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), id);
}

fn sample_ui(ui: &mut Ui, model: &Model<'_>) {
    let times = model.sample_times();
    let reached = times.partition_point(|&time| time <= model.clock.time());
    let all = display_text::format_count(times.len());
    let text = format!(
        "sample {:>width$} / {all}",
        display_text::format_count(reached),
        width = all.len()
    );
    let text = dim_text(ui, text).font(FontId::monospace(12.0));
    ui.label(text).on_hover_text("Counts the recording's own samples, not screen frames");
}

fn speed_ui(ui: &mut Ui, clock: &Clock, presets: bool, commands: &CommandSender) {
    if presets {
        let button = icon_button(ui, Icon::ChevronDown, "Speeds", vec2(18.0, 22.0));
        Popup::menu(&button).show(|ui| speed_menu_ui(ui, clock, commands));
    }
    let fastest = SPEED_PRESETS[SPEED_PRESETS.len() - 1];
    let mut speed = clock.speed();
    let field = DragValue::new(&mut speed)
        .speed(0.01)
        .range(-fastest..=fastest)
        .custom_formatter(|value, _| display_text::format_speed(value))
        .custom_parser(|text| text.trim().trim_end_matches(['×', 'x']).trim().parse().ok());
    let response = ui.add_sized([58.0, 22.0], field).on_hover_text(
        "Drag to change the speed, or click to type it. A negative speed plays backwards",
    );
    if response.changed() {
        commands.send(Command::Time(TimeCommand::SetSpeed(speed)));
    }
    let speed_label = dim_text(ui, "Speed");
    ui.label(speed_label).labelled_by(response.id);
}

fn speed_menu_ui(ui: &mut Ui, clock: &Clock, commands: &CommandSender) {
    let direction = clock.speed().signum();
    for preset in SPEED_PRESETS.map(|preset| preset * direction) {
        let is_current = clock.speed() == preset;
        if ui.add(Button::new(display_text::format_speed(preset)).selected(is_current)).clicked() {
            commands.send(Command::Time(TimeCommand::SetSpeed(preset)));
        }
    }
    ui.separator();
    if ui.add(Button::new("Backwards").selected(direction < 0.0)).clicked() {
        commands.send(Command::Time(TimeCommand::SetSpeed(-clock.speed())));
    }
}

fn looping_ui(ui: &mut Ui, clock: &Clock, commands: &CommandSender) {
    let command = Command::Time(TimeCommand::CycleLooping);
    let button = Button::new(display_text::looping_label(clock.looping()));
    let response = ui.add_sized([84.0, 22.0], button);
    if with_action_tooltip(response, &command).clicked() {
        commands.send(command);
    }
}

fn range_ui(ui: &mut Ui, clock: &Clock, commands: &CommandSender) {
    let range = clock.range();
    if range.is_some() {
        let command = Command::Time(TimeCommand::SetRange(None));
        action_icon_button(ui, Icon::Close, command, commands);
    }
    let ends = [
        ("Out", range.map(|range| range.end()), Command::Playhead(PlayheadCommand::SetOutPoint)),
        ("In", range.map(|range| range.start()), Command::Playhead(PlayheadCommand::SetInPoint)),
    ];
    for (name, time, command) in ends {
        let text = match time {
            Some(time) => {
                RichText::new(format!("{name} {}", display_text::format_clock_time(time)))
                    .font(FontId::monospace(12.0))
                    .color(Palette::for_visuals(ui.visuals()).accent)
            }
            None => RichText::new(name),
        };
        let response = ui.add(Button::new(text).min_size(vec2(36.0, 22.0)));
        if with_action_tooltip(response, &command).clicked() {
            commands.send(command);
        }
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::playback::{Looping, TimeRange};

    fn transport() -> Harness<'static, PanelFixture<TransportState>> {
        // The menu needs this height.
        show(PanelFixture::with_two_hands(), [1280.0, 500.0], transport_ui)
    }

    #[test]
    fn buttons_send_their_commands() {
        let cases = [
            ("Go to start", Command::Time(TimeCommand::ToStart)),
            ("Previous sample", Command::Time(TimeCommand::Step(Direction::Backward))),
            ("Play", Command::Time(TimeCommand::TogglePlay)),
            ("Next sample", Command::Time(TimeCommand::Step(Direction::Forward))),
            ("Go to end", Command::Time(TimeCommand::ToEnd)),
            ("Loop all", Command::Time(TimeCommand::CycleLooping)),
            ("In", Command::Playhead(PlayheadCommand::SetInPoint)),
            ("Out", Command::Playhead(PlayheadCommand::SetOutPoint)),
        ];
        for (label, command) in cases {
            let mut transport = transport();
            transport.get_by_label(label).click();
            transport.run();
            assert_eq!(transport.state_mut().take_commands(), [command], "{label}");
        }
    }

    #[test]
    fn enter_seeks_to_the_typed_time() {
        let mut transport = transport();
        transport.get_by_label("Time 00:00.000").click();
        transport.run();
        transport.event(egui::Event::Text("0:01.5".to_owned()));
        transport.key_press(egui::Key::Enter);
        transport.run();
        let sought = Command::Time(TimeCommand::Seek(1.5));
        assert_eq!(transport.state_mut().take_commands(), [sought]);
        assert!(transport.query_by_label("Time 00:01.500").is_some());
    }

    #[test]
    fn escape_cancels_time_entry() {
        let mut transport = transport();
        transport.state_mut().state.edit_time();
        transport.run();
        transport.event(egui::Event::Text("2".to_owned()));
        transport.key_press(egui::Key::Escape);
        transport.run();
        assert_eq!(transport.state_mut().take_commands(), []);
        assert!(transport.query_by_label("Time 00:00.000").is_some());
    }

    #[test]
    fn range_is_shown_and_cleared() {
        let mut fixture = PanelFixture::with_two_hands();
        fixture.apply(TimeCommand::SetRange(Some(TimeRange::new(1.0, 2.5))));
        let mut transport = show(fixture, [1280.0, 40.0], transport_ui);
        assert!(transport.query_by_label("In 00:01.000").is_some());
        assert!(transport.query_by_label("Out 00:02.500").is_some());
        assert!(transport.query_by_label(display_text::looping_label(Looping::Range)).is_some());
        transport.get_by_label("Clear range").click();
        transport.run();
        assert_eq!(transport.state().clock.range(), None);
    }

    #[test]
    fn speed_menu_sets_speed_and_direction() {
        let mut transport = transport();
        transport.get_by_label("Speeds").click();
        transport.run();
        transport.get_by_label("0.25×").click();
        transport.run();
        assert_eq!(transport.state().clock.speed(), 0.25);
        transport.get_by_label("Speeds").click();
        transport.run();
        transport.get_by_label("Backwards").click();
        transport.run();
        assert_eq!(transport.state().clock.speed(), -0.25);
    }
}
