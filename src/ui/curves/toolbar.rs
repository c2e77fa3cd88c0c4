//! Shows the owner of the curves and the toggles of the view, in the corner next to the ruler.

use bevy_egui::egui::{
    Align, Button, Label, Layout, Rect, Response, RichText, Ui, UiBuilder, vec2,
};

use super::CurvesState;
use crate::{
    session::{Command, TimelineCommand, Toggle},
    ui::{
        Model, display_text,
        style::{Palette, small_font},
        widgets::with_action_tooltip,
    },
};
use mutoscope_core::clip::{Clip, Owner};

pub(in crate::ui) fn toolbar_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    state: &mut CurvesState,
    counts_frames: bool,
    rect: Rect,
) {
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)));
    ui.spacing_mut().item_spacing = vec2(4.0, 1.0);
    ui.spacing_mut().button_padding = vec2(5.0, 0.0);
    ui.spacing_mut().interact_size.y = 16.0;
    ui.horizontal(|ui| owner_ui(ui, model, clip, state));
    ui.horizontal(|ui| {
        let fit = small_button(ui, "Fit", false);
        if with_action_tooltip(fit, &Command::Timeline(TimelineCommand::FitCurves)).clicked() {
            model.send(Command::Timeline(TimelineCommand::FitCurves));
        }
        let switches = [
            ("Normalise", state.normalised, Toggle::NORMALISED_CURVES),
            ("Frames", counts_frames, Toggle::FRAMES),
        ];
        for (name, is_on, toggle) in switches {
            if toggle == Toggle::FRAMES && clip.rate_hz.is_none() {
                continue;
            }
            let button = small_button(ui, name, is_on);
            if with_action_tooltip(button, &Command::Toggle(toggle)).clicked() {
                model.send(Command::Toggle(toggle));
            }
        }
    });
}

fn small_button(ui: &mut Ui, name: &str, is_on: bool) -> Response {
    ui.add(Button::new(RichText::new(name).font(small_font())).selected(is_on))
}

fn owner_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, state: &mut CurvesState) {
    let palette = Palette::for_visuals(ui.visuals());
    let selected = model.selected().map(Owner::Node);
    let owners = state.owners(clip, model.selected());
    let Some(&owner) = owners.iter().find(|owner| selected.is_none_or(|it| it == **owner)) else {
        return;
    };
    let name = match owner {
        Owner::Node(node) => display_text::short_name(&clip.nodes[node], &clip.groups),
        Owner::Group(_) => clip.owner_name(owner),
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let is_pinned = state.pinned.contains(&owner);
        let pin = small_button(ui, "Pin", is_pinned);
        let pin = pin.on_hover_text("Keeps these curves when the selection changes");
        if pin.clicked() {
            if is_pinned {
                state.pinned.retain(|pinned| *pinned != owner);
            } else {
                state.pinned.push(owner);
            }
        }
        let command = Command::Toggle(Toggle::VELOCITY);
        let button = small_button(ui, "Velocity", state.shows_kinematics);
        if with_action_tooltip(button, &command).clicked() {
            model.send(command);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let color = if selected == Some(owner) { palette.accent } else { palette.text };
            let name = Label::new(RichText::new(name).font(small_font()).color(color)).truncate();
            ui.add(name).on_hover_text(clip.owner_name(owner));
        });
    });
}
