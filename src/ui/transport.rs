//! The transport: play, step, go to a time, speed, looping, range.

use bevy_egui::egui::{
    self, Align, Button, DragValue, FontId, Layout, Popup, RichText, TextEdit, Ui, vec2,
};

use super::{
    CommandSender, Model,
    display_text::{self, Frames},
    icons::Icon,
    style::Palette,
    widgets::{action_icon_button, dim_text, icon_button, with_action_tooltip},
};
use crate::session::{Command, PanelCommand, PlayheadCommand};
use bevy_mutoscope::{RecordingNode, Revision};
use mutoscope_core::{
    clip::Owner,
    playback::{Clock, Direction, SPEED_PRESETS, TimeCommand},
};

#[derive(Clone, Debug, Default)]
pub(super) struct TransportState {
    edited_time: Option<String>,
    wants_focus: bool,
    selected_keys: SelectedKeys,
}

/// The times of the keys of the selected node, in seconds of its clip, ascending. They are kept
/// between frames, because collecting them takes long for large recordings.
#[derive(Clone, Debug, Default)]
struct SelectedKeys {
    node: Option<RecordingNode>,
    revision: Option<Revision>,
    times: Vec<f64>,
}

impl SelectedKeys {
    fn update(&mut self, model: &Model<'_>) {
        let (node, revision) = (model.view.selected, model.revision());
        if (self.node, self.revision) != (node, revision) {
            let times = model.clip().zip(model.selected());
            let times = times.map(|(clip, node)| clip.key_times_of(Owner::Node(node)));
            *self = Self { node, revision, times: times.unwrap_or_default() };
        }
    }
}

impl TransportState {
    pub(super) fn edit_time(&mut self) {
        self.edited_time = Some(String::new());
        self.wants_focus = true;
    }
}

/// The widths from which parts of the transport are shown, in points. In a narrow window, menus and
/// keys still reach them.
const MIN_WIDTH_FOR_DETAILS: f32 = 920.0;
const MIN_WIDTH_FOR_RANGE_TIMES: f32 = 860.0;
const MIN_WIDTH_FOR_PRESETS: f32 = 700.0;
const MIN_WIDTH_FOR_END: f32 = 620.0;
const MIN_WIDTH_FOR_SPEED: f32 = 530.0;
const MIN_WIDTH_FOR_LOOPING: f32 = 460.0;
const MIN_WIDTH_FOR_RANGE: f32 = 370.0;

/// The additional width of In and Out with their times, in points.
const RANGE_TIMES_WIDTH: f32 = 150.0;

pub(super) fn transport_ui(ui: &mut Ui, model: &Model<'_>, state: &mut TransportState) {
    let clock = model.clock;
    let width = ui.available_width();
    ui.horizontal_centered(|ui| {
        play_buttons_ui(ui, clock, model.commands);
        ui.add_space(6.0);
        let moments = Moments::new(model);
        time_ui(ui, clock, moments, state, model.commands);
        if width >= MIN_WIDTH_FOR_END {
            end_ui(ui, moments.format_end(clock.span().end()));
        }
        let range_width = if clock.range().is_some() { RANGE_TIMES_WIDTH } else { 0.0 };
        if width >= MIN_WIDTH_FOR_DETAILS + range_width {
            ui.add_space(8.0);
            details_ui(ui, model, moments, &mut state.selected_keys);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if width >= MIN_WIDTH_FOR_RANGE {
                range_ui(ui, clock, width >= MIN_WIDTH_FOR_RANGE_TIMES, model.commands);
            }
            if width >= MIN_WIDTH_FOR_LOOPING {
                ui.separator();
                looping_ui(ui, clock, model.commands);
            }
            if width >= MIN_WIDTH_FOR_SPEED {
                speed_ui(ui, clock, width >= MIN_WIDTH_FOR_PRESETS, model.commands);
            }
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

/// How the clock names a moment: by its time, or by its frame if the user chose frames and the
/// recording has them.
#[derive(Clone, Copy)]
struct Moments {
    frames: Option<Frames>,
    shows_frames: bool,
}

impl Moments {
    fn new(model: &Model<'_>) -> Self {
        let frames = model.for_recording(0).clip().and_then(Frames::for_clip);
        Self { frames, shows_frames: model.panels.timeline.frames && frames.is_some() }
    }

    fn format(self, time: f64) -> String {
        match self.frames.filter(|_| self.shows_frames) {
            Some(frames) => frames.format_at(time),
            None => display_text::format_clock_time(time),
        }
    }

    /// Formats the end of the recording, which follows a moment.
    fn format_end(self, time: f64) -> String {
        match self.frames.filter(|_| self.shows_frames) {
            Some(frames) => frames.format_number(time),
            None => display_text::format_clock_time(time),
        }
    }

    /// Formats the moment in the way that the clock does not use. `None` if there is only one way.
    fn format_other(self, time: f64) -> Option<String> {
        let other = Self { shows_frames: !self.shows_frames, ..self };
        self.frames.map(|_| other.format(time))
    }

    /// Parses a time or a frame. A number without a unit is a frame if the clock shows frames,
    /// otherwise seconds.
    fn parse(self, text: &str) -> Option<f64> {
        let frame = || self.frames?.parse(text);
        let time = || display_text::parse_time(text);
        if self.shows_frames { frame().or_else(time) } else { time().or_else(frame) }
    }
}

fn time_ui(
    ui: &mut Ui,
    clock: &Clock,
    moments: Moments,
    state: &mut TransportState,
    commands: &CommandSender,
) {
    let font = FontId::monospace(14.0);
    let time = moments.format(clock.time());
    let glyph = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    // Reserve the width of the last frame with a decimal, so that a running clock keeps its width.
    let longest = moments.format(clock.span().end()).len().max(7) + 2;
    let size = vec2(glyph * longest as f32 + 12.0, 24.0);
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
                ui.add(edit).on_hover_text("Type seconds, mm:ss.mmm or a frame such as 12 f");
            if std::mem::take(&mut state.wants_focus) {
                response.request_focus();
                select_all(ui, response.id, text.chars().count());
            } else if response.lost_focus() || !response.has_focus() {
                if ui.input(|input| input.key_pressed(egui::Key::Enter))
                    && let Some(time) = moments.parse(text)
                {
                    commands.send(Command::Time(TimeCommand::Seek(time)));
                }
                state.edited_time = None;
            }
        }
    }
}

fn end_ui(ui: &mut Ui, end: String) {
    let text = dim_text(ui, format!("/ {end}")).font(FontId::monospace(14.0));
    ui.label(text).on_hover_text("The end of the recording");
}

fn select_all(ui: &Ui, id: egui::Id, length: usize) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::default(), CCursor::new(length));
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), id);
}

/// Shows the current time in the unit that the clock does not use, and the number of the last key.
fn details_ui(ui: &mut Ui, model: &Model<'_>, moments: Moments, selected: &mut SelectedKeys) {
    let mut show = |text: String, help: &str| {
        let text = dim_text(ui, text).font(FontId::monospace(12.0));
        ui.label(text).on_hover_text(help);
        ui.add_space(8.0);
    };
    if let Some(other) = moments.format_other(model.clock.time()) {
        show(other, "The same moment. Ctrl+T shows frames or seconds in the clock");
    }
    selected.update(model);
    let (times, help) = match model.selected() {
        Some(_) => (&*selected.times, "The last key of the selected node, and how many it has"),
        None => (model.sample_times(), "The last key of any node, and how many there are"),
    };
    let reached = times.partition_point(|&time| time <= model.time());
    let all = display_text::format_count(times.len());
    let reached = display_text::format_count(reached);
    show(format!("key {reached:>width$} / {all}", width = all.len()), help);
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
    if presets {
        let speed_label = dim_text(ui, "Speed");
        ui.label(speed_label).labelled_by(response.id);
    }
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

fn range_ui(ui: &mut Ui, clock: &Clock, shows_times: bool, commands: &CommandSender) {
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
                let time = display_text::format_clock_time(time);
                let text = if shows_times { format!("{name} {time}") } else { name.to_owned() };
                RichText::new(text)
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
    fn clock_shows_and_accepts_frames() {
        let mut fixture = PanelFixture::with_clip(crate::ui::testing::a_day());
        fixture.panels.timeline.frames = true;
        fixture.apply(TimeCommand::Seek(0.65));
        let mut transport = show(fixture, [1280.0, 40.0], transport_ui);
        assert!(transport.query_by_label("00:00.650").is_some(), "the time is beside the clock");
        transport.get_by_label("Time tick 13").click();
        transport.run();
        transport.event(egui::Event::Text("30".to_owned()));
        transport.key_press(egui::Key::Enter);
        transport.run();
        let sought = Command::Time(TimeCommand::Seek(1.5));
        assert_eq!(transport.state_mut().take_commands(), [sought]);
    }

    #[test]
    fn keys_of_the_selected_node_are_counted() {
        let mut fixture = PanelFixture::with_two_hands();
        fixture.apply(TimeCommand::Seek(1.0));
        let times = fixture.clip().key_times_of(Owner::Node(fixture.node("camera").node));
        fixture.view.selected = Some(fixture.node("camera"));
        let transport = show(fixture, [1280.0, 40.0], transport_ui);
        let reached = times.iter().filter(|time| **time <= 1.0).count();
        let text = format!("key {reached:>3} / {}", times.len());
        assert!(transport.query_by_label(&text).is_some(), "{text}");
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
