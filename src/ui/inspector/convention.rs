//! Axes, units and rotation rule, their origins, and the alternatives.

use bevy_egui::egui::{Button, ComboBox, Ui, WidgetInfo, WidgetType, vec2};

use crate::{
    recording::Recording,
    session::{Command, ConventionCommand, FileCommand, Panel, PanelCommand},
    ui::{
        CommandSender, Model,
        style::Palette,
        widgets::{chip, dim, heading, table, with_action_tooltip},
        words,
    },
};
use mutoscope_core::{
    clip::{
        Assumption, Clip, Handedness, InterpolationOverride, Origin, RotationRule, Stated, Up,
        Variants,
    },
    formats::{self, Format},
};

/// The lengths of units that are offered: millimetre, centimetre, inch, foot, metre.
const LENGTHS: [f64; 5] = [0.001, 0.01, 0.0254, 0.3048, 1.0];

/// The units of time that are offered, in seconds: a second, and frames.
const TIMES: [f64; 5] = [1.0, 1.0 / 24.0, 1.0 / 25.0, 1.0 / 30.0, 1.0 / 60.0];

/// More variants than this are chosen from a list.
const MOST_BUTTONS: usize = 4;

/// The current variant, and a button for the list of all.
fn list_button(ui: &mut Ui, variants: &Variants, commands: &CommandSender) {
    ui.label(&variants.names[variants.current]);
    ui.add_space(6.0);
    let command = Command::Panel(PanelCommand::Toggle(Panel::ANIMATIONS));
    let text = format!("Choose of {}…", words::count(variants.names.len()));
    if with_action_tooltip(ui.small_button(text), &command).clicked() {
        commands.send(command);
    }
}

/// The switch between what a file can be read as, or what of it can be read.
fn variants_ui(ui: &mut Ui, variants: &Variants, commands: &CommandSender) {
    let label = variants.label;
    let choose = |name: Option<&String>| {
        Command::File(FileCommand::ChooseVariant { label: label.to_owned(), name: name.cloned() })
    };
    ui.horizontal_wrapped(|ui| {
        let label = dim(ui, label);
        ui.label(label);
        ui.spacing_mut().item_spacing.x = 2.0;
        if variants.names.len() > MOST_BUTTONS {
            list_button(ui, variants, commands);
            return;
        }
        for (index, name) in variants.names.iter().enumerate() {
            let is_current = index == variants.current;
            let button = ui.add(Button::new(name).selected(is_current).small());
            let help = "Reloads the file as this variant";
            if button.on_hover_text(help).clicked() && !is_current {
                commands.send(choose(Some(name)));
            }
        }
    });
    ui.horizontal(|ui| {
        let palette = Palette::of(ui.visuals());
        if variants.is_chosen {
            chip(ui, "set by you", palette.text);
            if ui.small_button("Detect again").clicked() {
                commands.send(choose(None));
            }
        } else {
            let help = "Not declared by the file; this format fits best";
            chip(ui, "recognised", palette.dim).on_hover_text(help);
        }
    });
    ui.add_space(2.0);
}

/// The convention of the file: handedness, up axis, units and, where it matters, the rule for rotations, each
/// with its origin. Values that the file does not declare can be changed.
pub(super) fn convention_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    heading(ui, "Axes and units");
    for variants in &clip.variants {
        variants_ui(ui, variants, model.commands);
    }
    let convention = &clip.convention;
    let rotates = clip.has_ways_to_rotate();
    let is_of_table = is_of_table(clip);
    table("convention", 3).show(ui, |ui| {
        let hands = [Handedness::Left, Handedness::Right];
        let axes =
            Choice { name: "Axes", options: &hands, text: hand_text, make: Assumption::Handedness };
        axes.show(ui, convention.handedness, is_of_table, model.commands);
        let up =
            Choice { name: "Up", options: &[Up::Y, Up::Z], text: up_text, make: Assumption::Up };
        up.show(ui, convention.up, is_of_table, model.commands);
        let unit = Choice {
            name: "Unit",
            options: &LENGTHS,
            text: unit_text,
            make: Assumption::MetresPerUnit,
        };
        if !is_of_table {
            unit.show(ui, convention.metres_per_unit, false, model.commands);
        }
        if let Some(frames) = words::Frames::of(clip) {
            let name = dim(ui, "Time");
            ui.label(name);
            ui.label(frames.to_string());
            origin_ui(ui, Origin::Declared);
            ui.end_row();
        }
        if let Some(seconds) = convention.seconds_per_unit {
            let time = Choice {
                name: "Time",
                options: &TIMES,
                text: time_text,
                make: Assumption::SecondsPerUnit,
            };
            time.show(ui, seconds, false, model.commands);
        }
        if rotates {
            let name = dim(ui, "Rotation");
            ui.label(name);
            ui.label(rule_name(convention.rotation.value).to_lowercase());
            origin_ui(ui, convention.rotation.origin);
            ui.end_row();
        }
    });
    if rotates {
        ui.add_space(4.0);
        rule_ui(ui, convention.rotation.value, model.commands);
    }
    usual_ui(ui, clip, model.commands);
    sampling_ui(
        ui,
        model.recording().map(Recording::interpolation).unwrap_or_default(),
        clip,
        model.commands,
    );
}

/// Whether axes and unit are chosen for the columns of this file, rather than for all of its format.
fn is_of_table(clip: &Clip) -> bool {
    clip.columns().is_some_and(|columns| !columns.choices.is_empty())
}

/// The switch between the format's own interpolation and simpler ones.
fn sampling_ui(ui: &mut Ui, current: InterpolationOverride, clip: &Clip, commands: &CommandSender) {
    heading(ui, "Interpolation");
    let format = formats::format(clip.format);
    if clip.has_ways_to_sample() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for sampling in InterpolationOverride::ALL {
                let is_current = sampling == current;
                let button = ui.add(Button::new(sampling_name(sampling)).selected(is_current));
                let help = sampling_help(sampling, format);
                if button.on_hover_text(help).clicked() && !is_current {
                    commands
                        .send(Command::Convention(ConventionCommand::SetInterpolation(sampling)));
                }
            }
        });
    }
    let help = dim(ui, sampling_help(current, format)).small();
    ui.label(help);
}

fn sampling_name(sampling: InterpolationOverride) -> &'static str {
    match sampling {
        InterpolationOverride::AsDefined => "As defined",
        InterpolationOverride::Nearest => "Nearest",
        InterpolationOverride::Linear => "Linear",
    }
}

fn sampling_help(sampling: InterpolationOverride, format: Option<&Format>) -> String {
    match sampling {
        InterpolationOverride::AsDefined => format
            .map_or_else(String::new, |format| format!("{}: {}", format.name, format.between_keys)),
        InterpolationOverride::Nearest => {
            "The value of the nearest key, without interpolation".to_owned()
        }
        InterpolationOverride::Linear => {
            "Linear between keys, to compare the curves with".to_owned()
        }
    }
}

/// A fact, and its options.
struct Choice<'a, T> {
    name: &'static str,
    options: &'a [T],
    text: fn(T) -> String,
    make: fn(T) -> Assumption,
}

impl<T: Copy + PartialEq> Choice<'_, T> {
    /// A row: name, value, origin. The value is a menu, unless the file declares it, or it follows from others.
    fn show(&self, ui: &mut Ui, fact: Stated<T>, follows: bool, commands: &CommandSender) {
        let name = dim(ui, self.name);
        ui.label(name);
        let value = (self.text)(fact.value);
        if fact.origin == Origin::Declared || follows {
            ui.label(value);
        } else {
            let menu = ComboBox::from_id_salt(self.name).selected_text(&value).width(118.0);
            let menu = menu.show_ui(ui, |ui| {
                for &option in self.options {
                    let is_it = option == fact.value;
                    if ui.selectable_label(is_it, (self.text)(option)).clicked() && !is_it {
                        commands.send(Command::Convention(ConventionCommand::Assume((self.make)(
                            option,
                        ))));
                    }
                }
            });
            let label = format!("{}: {value}", self.name);
            menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
        }
        origin_ui(ui, fact.origin);
        ui.end_row();
    }
}

fn hand_text(handedness: Handedness) -> String {
    match handedness {
        Handedness::Left => "left-handed",
        Handedness::Right => "right-handed",
    }
    .to_owned()
}

fn up_text(up: Up) -> String {
    match up {
        Up::Y => "Y up",
        Up::Z => "Z up",
    }
    .to_owned()
}

fn unit_text(metres: f64) -> String {
    format!("1 unit = {}", words::length(metres))
}

fn time_text(seconds: f64) -> String {
    if seconds == 1.0 {
        return "seconds".to_owned();
    }
    format!("frames, {} fps", words::trimmed(1.0 / seconds, 3))
}

fn origin_ui(ui: &mut Ui, origin: Origin) {
    let palette = Palette::of(ui.visuals());
    let (text, color, help) = match origin {
        Origin::Declared => ("declared", palette.text, "Declared by the file"),
        Origin::Assumed => {
            ("assumed", palette.dim, "Not declared by the file; the format's default")
        }
        Origin::Chosen => {
            ("set by you", palette.accent, "Not declared by the file; set by you for this format")
        }
    };
    chip(ui, text, color).on_hover_text(help);
}

/// The switch between the rules for rotations.
fn rule_ui(ui: &mut Ui, current: RotationRule, commands: &CommandSender) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let width = 0.5 * ui.available_width() - 1.0;
        for rule in [RotationRule::Continuous, RotationRule::AsAuthored] {
            let button = Button::new(rule_name(rule)).selected(rule == current);
            let response = ui.add_sized(vec2(width.min(120.0), 22.0), button);
            if response.on_hover_text(rule_help(rule)).clicked() && rule != current {
                commands.send(Command::Convention(ConventionCommand::Assume(
                    Assumption::Rotation(rule),
                )));
            }
        }
    });
    let help = dim(ui, rule_help(current)).small();
    ui.label(help);
}

/// The way back, where something was chosen.
fn usual_ui(ui: &mut Ui, clip: &Clip, commands: &CommandSender) {
    let is_chosen = match is_of_table(clip) {
        true => clip.convention.rotation.origin == Origin::Chosen,
        false => !clip.convention.names_of(Origin::Chosen).is_empty(),
    };
    if !is_chosen {
        return;
    }
    ui.add_space(4.0);
    let help =
        "Resets your choice, which holds for all recordings of this format, in later runs too";
    if ui.button("Format default").on_hover_text(help).clicked() {
        commands.send(Command::Convention(ConventionCommand::Reset));
    }
}

fn rule_name(rule: RotationRule) -> &'static str {
    match rule {
        RotationRule::Continuous => "Continuous",
        RotationRule::AsAuthored => "As authored",
    }
}

fn rule_help(rule: RotationRule) -> &'static str {
    match rule {
        RotationRule::Continuous => "Rotations take the shortest path between keys",
        RotationRule::AsAuthored => {
            "Rotations as the authoring program plays them, with flips and long paths"
        }
    }
}
