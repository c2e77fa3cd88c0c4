//! How the file's numbers are understood, and how that is known.

use bevy_egui::egui::{Button, Ui, vec2};

use crate::{
    clip::{Clip, Convention, Handedness, Layout, Origin, RotationRule, Up},
    formats::Layouts,
    ui::{
        style::Palette,
        widgets::{chip, dim, heading, table},
        words,
    },
    viewer::Command,
};

/// The layout that was read, handedness, up, unit and rotation rule, each with its origin.
pub(super) fn truth_ui(ui: &mut Ui, clip: &Clip, commands: &mut Vec<Command>) {
    heading(ui, "How its numbers are understood");
    if let (Some(layout), Some(layouts)) = (clip.layout, &clip.format.format().layouts) {
        layout_ui(ui, layout, layouts, commands);
    }
    convention_ui(ui, &clip.convention, commands);
}

/// The switch between the layouts of a format whose files do not say in which they are.
fn layout_ui(ui: &mut Ui, layout: Layout, layouts: &Layouts, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let what = dim(ui, layouts.what);
        ui.label(what);
        ui.spacing_mut().item_spacing.x = 2.0;
        for (index, name) in layouts.names.iter().enumerate() {
            let is_current = index == layout.index;
            let button = ui.add(Button::new(*name).selected(is_current).small());
            let help = "Reads the file anew, in this layout and no other";
            if button.on_hover_text(help).clicked() && !is_current {
                commands.push(Command::ReadInLayout(Some(index)));
            }
        }
    });
    ui.horizontal(|ui| {
        let palette = Palette::of(ui.visuals());
        if layout.is_chosen {
            chip(ui, "chosen", palette.text).on_hover_text("You said so");
            if ui.small_button("Find out again").clicked() {
                commands.push(Command::ReadInLayout(None));
            }
        } else {
            let help = "The file does not say; this is the layout that fits best";
            chip(ui, "recognised", palette.dim).on_hover_text(help);
        }
    });
    ui.add_space(2.0);
}

fn convention_ui(ui: &mut Ui, convention: &Convention, commands: &mut Vec<Command>) {
    let handedness = match convention.handedness.value {
        Handedness::Left => "left-handed",
        Handedness::Right => "right-handed",
    };
    let up = match convention.up.value {
        Up::Y => "Y up",
        Up::Z => "Z up",
    };
    let unit = format!("1 unit = {}", words::length(convention.metres_per_unit.value));
    let facts = [
        ("Axes", handedness.to_owned(), convention.handedness.origin),
        ("Up", up.to_owned(), convention.up.origin),
        ("Unit", unit, convention.metres_per_unit.origin),
        (
            "Rotation",
            rule_name(convention.rotation.value).to_lowercase(),
            convention.rotation.origin,
        ),
    ];
    table("truth", 3).show(ui, |ui| {
        for (name, value, origin) in facts {
            let name = dim(ui, name);
            ui.label(name);
            ui.label(value);
            origin_ui(ui, origin);
            ui.end_row();
        }
    });
    ui.add_space(4.0);
    rule_ui(ui, convention.rotation.value, commands);
}

fn origin_ui(ui: &mut Ui, origin: Origin) {
    let palette = Palette::of(ui.visuals());
    let (text, color, help) = match origin {
        Origin::Declared => ("declared", palette.text, "The file says so"),
        Origin::Assumed => {
            ("assumed", palette.dim, "The file does not say; it is so for the format")
        }
    };
    chip(ui, text, color).on_hover_text(help);
}

/// The switch between the rules for rotations.
fn rule_ui(ui: &mut Ui, current: RotationRule, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let width = 0.5 * ui.available_width() - 1.0;
        for rule in [RotationRule::Continuous, RotationRule::Faithful] {
            let button = Button::new(rule_name(rule)).selected(rule == current);
            let response = ui.add_sized(vec2(width.min(120.0), 22.0), button);
            if response.on_hover_text(rule_help(rule)).clicked() && rule != current {
                commands.push(Command::SetRotationRule(rule));
            }
        }
    });
    let help = dim(ui, rule_help(current)).small();
    ui.label(help);
}

fn rule_name(rule: RotationRule) -> &'static str {
    match rule {
        RotationRule::Continuous => "Continuous",
        RotationRule::Faithful => "Faithful",
    }
}

fn rule_help(rule: RotationRule) -> &'static str {
    match rule {
        RotationRule::Continuous => "Rotations turn the short way from key to key",
        RotationRule::Faithful => {
            "Components run as they stand, as the recording program itself plays them: flips show"
        }
    }
}
