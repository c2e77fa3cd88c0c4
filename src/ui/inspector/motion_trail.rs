//! Motion trails, ghosts, and the measured distance.

use bevy_egui::egui::{ComboBox, DragValue, Ui, WidgetInfo, WidgetType};

use crate::{
    recording::RecordingNode,
    session::{Command, Toggle, ViewCommand},
    stage::{Ghosts, MotionTrailSettings},
    ui::{
        Model,
        widgets::{copyable, dim, heading, table, with_action_tooltip},
        words,
    },
};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::joint_distance,
};

/// The longest window to either side, in seconds.
const LONGEST: f64 = 600.0;

/// The settings of motion trails and ghosts. Every change gives a command with all of them.
pub(super) fn motion_trail_ui(ui: &mut Ui, model: &Model<'_>) {
    heading(ui, "Motion trail");
    let current = &model.view.motion_trail;
    let mut wanted = current.clone();
    table("motion trail", 2).show(ui, |ui| {
        let trails = Command::Toggle(Toggle::Trails);
        let label = dim(ui, "Trails");
        ui.label(label);
        let is_on = ui.checkbox(&mut wanted.trails, "coloured by speed");
        with_action_tooltip(is_on, &trails);
        ui.end_row();
        let label = dim(ui, "Ghosts");
        ui.label(label);
        ghosts_ui(ui, &mut wanted.ghosts);
        ui.end_row();
        let label = dim(ui, "Window");
        ui.label(label);
        ui.horizontal(|ui| {
            seconds_ui(ui, "Seconds before", &mut wanted.before, "− ");
            seconds_ui(ui, "Seconds after", &mut wanted.after, "+ ");
        });
        ui.end_row();
    });
    pinned_ui(ui, model, &mut wanted);
    if wanted != *current {
        model.send(Command::View(ViewCommand::SetMotionTrail(wanted)));
    }
}

fn ghosts_ui(ui: &mut Ui, ghosts: &mut Ghosts) {
    let (text, label) = match *ghosts {
        Ghosts::Off => ("none", "Ghosts: none"),
        Ghosts::EverySamples(_) => ("every …", "Ghosts: every N samples"),
        Ghosts::AtKeys => ("at keys", "Ghosts: at keys"),
    };
    ui.horizontal(|ui| {
        let menu = ComboBox::from_id_salt("ghosts").selected_text(text).width(84.0);
        let menu = menu.show_ui(ui, |ui| {
            ui.selectable_value(ghosts, Ghosts::Off, "none");
            let is_every = matches!(ghosts, Ghosts::EverySamples(_));
            if ui.selectable_label(is_every, "every N samples").clicked() && !is_every {
                *ghosts = Ghosts::EverySamples(Ghosts::USUAL_SAMPLES);
            }
            let keys = ui.selectable_value(ghosts, Ghosts::AtKeys, "at keys");
            keys.on_hover_text("Of the selected node, otherwise of the root");
        });
        menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, label));
        if let Ghosts::EverySamples(count) = ghosts {
            let field =
                ui.add(DragValue::new(count).range(1..=100_000).speed(0.1).suffix(" samples"));
            field.widget_info(|| {
                WidgetInfo::labeled(WidgetType::DragValue, true, "Samples between ghosts")
            });
        }
    });
}

fn seconds_ui(ui: &mut Ui, name: &str, seconds: &mut f64, sign: &str) {
    let field = DragValue::new(seconds).range(0.0..=LONGEST).speed(0.02).max_decimals(2);
    let field = ui.add(field.prefix(sign).suffix(" s")).on_hover_text(name);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
}

/// The joints that keep their trails whatever is selected; a click lets one go.
fn pinned_ui(ui: &mut Ui, model: &Model<'_>, wanted: &mut MotionTrailSettings) {
    if wanted.pinned.is_empty() {
        return;
    }
    let mut unpinned = None;
    ui.horizontal_wrapped(|ui| {
        let label = dim(ui, "Pinned:");
        ui.label(label);
        for &of in &wanted.pinned {
            let Some(name) = name_of(model, of) else { continue };
            let button = ui.small_button(format!("{name}  ×"));
            if button.on_hover_text("Unpin trail").clicked() {
                unpinned = Some(of);
            }
        }
    });
    wanted.pinned.retain(|id| Some(*id) != unpinned);
}

/// The name of a node, with the letter of its recording where there are several.
fn name_of(model: &Model<'_>, of: RecordingNode) -> Option<String> {
    let open = model.recordings.iter().find(|one| one.entity == of.recording)?;
    let name = &open.clip().nodes.get(of.node.index())?.name;
    Some(match model.recordings.len() {
        1 => name.clone(),
        _ => format!("{} {name}", open.letter()),
    })
}

/// Buttons that pin the trail of a node and measure from it, and how far it is from what is measured
/// from.
pub(super) fn node_motion_trail_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId) {
    ui.horizontal(|ui| {
        let settings = &model.view.motion_trail;
        let is_pinned = settings.pinned.contains(&model.node(id));
        let text = if is_pinned { "Unpin trail" } else { "Pin trail" };
        if ui.small_button(text).clicked() {
            let mut wanted = MotionTrailSettings { trails: true, ..settings.clone() };
            match is_pinned {
                true => wanted.pinned.retain(|pinned| *pinned != model.node(id)),
                false => wanted.pinned.push(model.node(id)),
            }
            model.send(Command::View(ViewCommand::SetMotionTrail(wanted)));
        }
        let is_origin = model.view.measured_from == Some(model.node(id));
        let text = if is_origin { "Clear measurement" } else { "Measure from here" };
        if ui
            .small_button(text)
            .on_hover_text("Shows the distance to the node that you select next")
            .clicked()
        {
            model.send(Command::View(ViewCommand::MeasureFrom(
                (!is_origin).then(|| model.node(id)),
            )));
        }
    });
    let Some(from) = model.measured_from().filter(|from| *from != id) else { return };
    let Some(node) = clip.nodes.get(from.index()) else { return };
    heading(ui, &format!("From {}", node.name));
    match model.pose().and_then(|pose| joint_distance(pose, [from, id])) {
        None => {
            let nothing = dim(ui, "One of them is hidden now");
            ui.label(nothing);
        }
        Some(apart) => {
            table("apart", 2).show(ui, |ui| {
                let label = dim(ui, "distance");
                ui.label(label);
                let distance = format!("{} m", words::fixed(apart.distance, 4));
                copyable(ui, &distance, || apart.distance.to_string());
                ui.end_row();
                let label = dim(ui, "angle");
                ui.label(label);
                let degrees = apart.angle.to_degrees();
                copyable(ui, &format!("{}°", words::fixed(degrees, 2)), || degrees.to_string());
                ui.end_row();
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{Desk, show};

    #[test]
    fn trail_checkbox_and_unpin_button_give_commands() {
        let mut desk = Desk::<()>::with_two_hands();
        let [wrist, tip] = ["left/Wrist", "left/IndexTip"].map(|name| desk.node(name));
        desk.view.motion_trail.pinned = vec![wrist, tip];
        let mut panel = show(desk, [300.0, 300.0], |ui, model, ()| {
            motion_trail_ui(ui, model);
        });
        panel.get_by_label("coloured by speed").click();
        panel.run();
        let [Command::View(ViewCommand::SetMotionTrail(asked))] =
            &panel.state_mut().take_commands()[..]
        else {
            panic!()
        };
        assert!(asked.trails && asked.pinned == [wrist, tip]);
        panel.get_by_label("left/Wrist  ×").click();
        panel.run();
        let commands = panel.state_mut().take_commands();
        let [Command::View(ViewCommand::SetMotionTrail(asked))] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert_eq!(asked.pinned, [tip]);
    }

    #[test]
    fn distance_of_two_joints_is_shown() {
        let mut desk = Desk::<()>::with_two_hands();
        let [wrist, tip] = ["left/Wrist", "left/IndexTip"].map(|name| desk.node(name));
        desk.view.selected = Some(tip);
        desk.view.measured_from = Some(wrist);
        let expected = {
            let nodes = &desk.reference().recording.pose().nodes;
            let place = |of: RecordingNode| nodes[of.node.index()].world.translation;
            place(wrist).distance(place(tip))
        };
        let mut panel = show(desk, [300.0, 300.0], |ui, model, ()| {
            let selected = model.selected().unwrap();
            node_motion_trail_ui(ui, model, model.clip().unwrap(), selected);
        });
        assert!(panel.query_by_label(&format!("{expected:.4} m")).is_some(), "{expected}");
        panel.get_by_label("Measure from here").click();
        panel.run();
        assert_eq!(
            panel.state_mut().take_commands(),
            [Command::View(ViewCommand::MeasureFrom(Some(tip)))]
        );
    }
}
