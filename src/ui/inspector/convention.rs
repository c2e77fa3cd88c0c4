//! The axes, units and rotation rule, their origins, and the alternatives.

use bevy_egui::egui::{Button, ComboBox, Ui, WidgetInfo, WidgetType, vec2};

use crate::{
    session::{Command, ConventionCommand, Panel, PanelCommand},
    ui::{
        CommandSender, Model, display_text,
        style::Palette,
        widgets::{chip, dim_text, heading, table, with_action_tooltip},
    },
};
use bevy_mutoscope::Recording;
use mutoscope_core::{
    clip::{
        Assumption, Clip, FactOrigin, Handedness, InterpolationOverride, RotationRule, Stated,
        UpAxis, Variants,
    },
    formats::Format,
};

const LENGTH_UNITS_M: [f64; 5] = [0.001, 0.01, 0.0254, 0.3048, 1.0];

const TIME_UNITS_S: [f64; 5] = [1.0, 1.0 / 24.0, 1.0 / 25.0, 1.0 / 30.0, 1.0 / 60.0];

const MAX_VARIANT_BUTTONS: usize = 4;

fn variant_list_button(ui: &mut Ui, variants: &Variants, commands: &CommandSender) {
    ui.label(&variants.names[variants.current]);
    ui.add_space(6.0);
    let command = Command::Panel(PanelCommand::Toggle(Panel::ANIMATIONS));
    let text = format!("Choose of {}…", display_text::format_count(variants.names.len()));
    if with_action_tooltip(ui.small_button(text), &command).clicked() {
        commands.send(command);
    }
}

fn variants_ui(ui: &mut Ui, model: &Model<'_>, variants: &Variants) {
    ui.horizontal_wrapped(|ui| {
        let label = dim_text(ui, variants.label);
        ui.label(label);
        ui.spacing_mut().item_spacing.x = 2.0;
        if variants.names.len() > MAX_VARIANT_BUTTONS {
            variant_list_button(ui, variants, model.commands);
            return;
        }
        for (index, name) in variants.names.iter().enumerate() {
            let is_current = index == variants.current;
            let button = ui.add(Button::new(name).selected(is_current).small());
            let help = "Reloads the file as this variant";
            if button.on_hover_text(help).clicked() && !is_current {
                model.send(model.choose_variant(variants.label, Some(name)));
            }
        }
    });
    ui.horizontal(|ui| {
        let palette = Palette::for_visuals(ui.visuals());
        if variants.is_chosen {
            chip(ui, "set by you", palette.text);
            if ui.small_button("Detect again").clicked() {
                model.send(model.choose_variant(variants.label, None));
            }
        } else {
            let help = "Not declared by the file; this format fits best";
            chip(ui, "recognised", palette.dim).on_hover_text(help);
        }
    });
    ui.add_space(2.0);
}

pub(super) fn convention_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    heading(ui, "Axes and units");
    for variants in &clip.variants {
        variants_ui(ui, model, variants);
    }
    let convention = &clip.convention;
    let depends_on_rule = clip.depends_on_rotation_rule();
    let is_set_for_table = is_set_for_table(clip);
    table("convention", 3).show(ui, |ui| {
        let hands = [Handedness::Left, Handedness::Right];
        let axes = Choice {
            name: "Axes",
            options: &hands,
            text: handedness_label,
            to_assumption: Assumption::Handedness,
        };
        axes.show(ui, convention.handedness, is_set_for_table, model.commands);
        let up = Choice {
            name: "Up",
            options: &[UpAxis::Y, UpAxis::Z],
            text: up_axis_label,
            to_assumption: Assumption::Up,
        };
        up.show(ui, convention.up, is_set_for_table, model.commands);
        let unit = Choice {
            name: "Unit",
            options: &LENGTH_UNITS_M,
            text: length_unit_label,
            to_assumption: Assumption::MetresPerUnit,
        };
        if !is_set_for_table {
            unit.show(ui, convention.metres_per_unit, false, model.commands);
        }
        if let Some(frames) = display_text::Frames::for_clip(clip) {
            let name = dim_text(ui, "Time");
            ui.label(name);
            ui.label(frames.to_string());
            origin_ui(ui, FactOrigin::Declared);
            ui.end_row();
        }
        if let Some(seconds) = convention.seconds_per_unit {
            let time = Choice {
                name: "Time",
                options: &TIME_UNITS_S,
                text: time_unit_label,
                to_assumption: Assumption::SecondsPerUnit,
            };
            time.show(ui, seconds, false, model.commands);
        }
        if depends_on_rule {
            let name = dim_text(ui, "Rotation");
            ui.label(name);
            ui.label(rule_name(convention.rotation.value).to_lowercase());
            origin_ui(ui, convention.rotation.origin);
            ui.end_row();
        }
    });
    if depends_on_rule {
        ui.add_space(4.0);
        rule_ui(ui, convention.rotation.value, model.commands);
    }
    reset_ui(ui, clip, model.commands);
    interpolation_ui(
        ui,
        model.recording().map(Recording::interpolation).unwrap_or_default(),
        clip,
        model.commands,
    );
}

fn is_set_for_table(clip: &Clip) -> bool {
    clip.columns().is_some_and(|columns| !columns.choices.is_empty())
}

fn interpolation_ui(
    ui: &mut Ui,
    current: InterpolationOverride,
    clip: &Clip,
    commands: &CommandSender,
) {
    heading(ui, "Interpolation");
    let format = crate::registry().format(clip.format);
    if clip.supports_interpolation_override() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for interpolation in InterpolationOverride::ALL {
                let is_current = interpolation == current;
                let button =
                    ui.add(Button::new(interpolation_name(interpolation)).selected(is_current));
                let help = interpolation_help(interpolation, format);
                if button.on_hover_text(help).clicked() && !is_current {
                    commands.send(Command::Convention(ConventionCommand::SetInterpolation(
                        interpolation,
                    )));
                }
            }
        });
    }
    let help = dim_text(ui, interpolation_help(current, format)).small();
    ui.label(help);
}

fn interpolation_name(interpolation: InterpolationOverride) -> &'static str {
    match interpolation {
        InterpolationOverride::AsDefined => "As defined",
        InterpolationOverride::Nearest => "Nearest",
        InterpolationOverride::Linear => "Linear",
    }
}

fn interpolation_help(interpolation: InterpolationOverride, format: Option<&Format>) -> String {
    match interpolation {
        InterpolationOverride::AsDefined => format
            .map_or_else(String::new, |format| format!("{}: {}", format.name, format.between_keys)),
        InterpolationOverride::Nearest => {
            "The value of the nearest key, without interpolation".to_owned()
        }
        InterpolationOverride::Linear => {
            "Linear between keys, for comparison with the curves".to_owned()
        }
    }
}

struct Choice<'a, T> {
    name: &'static str,
    options: &'a [T],
    text: fn(T) -> String,
    to_assumption: fn(T) -> Assumption,
}

impl<T: Copy + PartialEq> Choice<'_, T> {
    /// Shows a row with name, value and origin. The value is a menu, unless the file declares the
    /// fact, or `is_fixed` is set because other settings determine it.
    fn show(&self, ui: &mut Ui, fact: Stated<T>, is_fixed: bool, commands: &CommandSender) {
        let name = dim_text(ui, self.name);
        ui.label(name);
        let value = (self.text)(fact.value);
        if fact.origin == FactOrigin::Declared || is_fixed {
            ui.label(value);
        } else {
            let menu = ComboBox::from_id_salt(self.name).selected_text(&value).width(118.0);
            let menu = menu.show_ui(ui, |ui| {
                for &option in self.options {
                    let is_current = option == fact.value;
                    if ui.selectable_label(is_current, (self.text)(option)).clicked() && !is_current
                    {
                        commands.send(Command::Convention(ConventionCommand::Assume((self
                            .to_assumption)(
                            option
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

fn handedness_label(handedness: Handedness) -> String {
    match handedness {
        Handedness::Left => "left-handed",
        Handedness::Right => "right-handed",
    }
    .to_owned()
}

fn up_axis_label(up: UpAxis) -> String {
    match up {
        UpAxis::Y => "Y up",
        UpAxis::Z => "Z up",
    }
    .to_owned()
}

fn length_unit_label(metres: f64) -> String {
    format!("1 unit = {}", display_text::format_length(metres))
}

fn time_unit_label(seconds: f64) -> String {
    if seconds == 1.0 {
        return "seconds".to_owned();
    }
    format!("frames, {} fps", display_text::format_decimal(1.0 / seconds, 3))
}

fn origin_ui(ui: &mut Ui, origin: FactOrigin) {
    let palette = Palette::for_visuals(ui.visuals());
    let (text, color, help) = match origin {
        FactOrigin::Declared => ("declared", palette.text, "Declared by the file"),
        FactOrigin::Assumed => {
            ("assumed", palette.dim, "Not declared by the file; the format's default")
        }
        FactOrigin::Chosen => {
            ("set by you", palette.accent, "Not declared by the file; set by you for this format")
        }
    };
    chip(ui, text, color).on_hover_text(help);
}

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
    let help = dim_text(ui, rule_help(current)).small();
    ui.label(help);
}

fn reset_ui(ui: &mut Ui, clip: &Clip, commands: &CommandSender) {
    let is_chosen = match is_set_for_table(clip) {
        true => clip.convention.rotation.origin == FactOrigin::Chosen,
        false => !clip.convention.fact_names(FactOrigin::Chosen).is_empty(),
    };
    if !is_chosen {
        return;
    }
    ui.add_space(4.0);
    let help = "Resets your choice for all recordings of this format, including later runs";
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
            "Rotations play as in the authoring program, with flips and long paths"
        }
    }
}
