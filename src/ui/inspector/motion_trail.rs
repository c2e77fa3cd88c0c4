//! The settings of motion trails and ghosts, and the measured distance.

use bevy_egui::egui::{ComboBox, DragValue, Ui, WidgetInfo, WidgetType};

use crate::{
    session::{Command, Toggle, ViewCommand},
    ui::{
        Model, display_text,
        widgets::{copyable_value, dim_text, heading, table, with_action_tooltip},
    },
};
use bevy_mutoscope::{
    RecordingNode,
    stage::{Ghosts, MotionTrailSettings},
};
use mutoscope_core::{
    clip::{Clip, NodeId, Pose},
    measure::compare::joint_distance,
};

const MAX_WINDOW_S: f64 = 600.0;

pub(super) fn motion_trail_ui(ui: &mut Ui, model: &Model<'_>) {
    heading(ui, "Motion trail");
    let current = &model.view.motion_trail;
    let mut edited = current.clone();
    table("motion trail", 2).show(ui, |ui| {
        let trails = Command::Toggle(Toggle::TRAILS);
        let label = dim_text(ui, "Trails");
        ui.label(label);
        let is_on = ui.checkbox(&mut edited.trails, "coloured by speed");
        with_action_tooltip(is_on, &trails);
        ui.end_row();
        let label = dim_text(ui, "Ghosts");
        ui.label(label);
        ghosts_ui(ui, &mut edited.ghosts);
        ui.end_row();
        let label = dim_text(ui, "Window");
        ui.label(label);
        ui.horizontal(|ui| {
            seconds_ui(ui, "Seconds before", &mut edited.before, "− ");
            seconds_ui(ui, "Seconds after", &mut edited.after, "+ ");
        });
        ui.end_row();
    });
    pinned_ui(ui, model, &mut edited);
    if edited != *current {
        model.send(Command::View(ViewCommand::SetMotionTrail(edited)));
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
                *ghosts = Ghosts::EverySamples(Ghosts::DEFAULT_SAMPLES);
            }
            let keys = ui.selectable_value(ghosts, Ghosts::AtKeys, "at keys");
            keys.on_hover_text(
                "Shows ghosts at the keys of the selected node, or else of the root",
            );
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
    let field = DragValue::new(seconds).range(0.0..=MAX_WINDOW_S).speed(0.02).max_decimals(2);
    let field = ui.add(field.prefix(sign).suffix(" s")).on_hover_text(name);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
}

fn pinned_ui(ui: &mut Ui, model: &Model<'_>, edited: &mut MotionTrailSettings) {
    if edited.pinned.is_empty() {
        return;
    }
    let mut unpinned = None;
    ui.horizontal_wrapped(|ui| {
        let label = dim_text(ui, "Pinned:");
        ui.label(label);
        for &node in &edited.pinned {
            let Some(name) = node_label(model, node) else { continue };
            let button = ui.small_button(format!("{name}  ×"));
            if button.on_hover_text("Unpins the trail").clicked() {
                unpinned = Some(node);
            }
        }
    });
    edited.pinned.retain(|id| Some(*id) != unpinned);
}

fn node_label(model: &Model<'_>, node: RecordingNode) -> Option<String> {
    let open = model.recordings.iter().find(|one| one.entity == node.recording)?;
    let name = &open.clip().nodes.get(node.node.index())?.name;
    Some(match model.recordings.len() {
        1 => name.clone(),
        _ => format!("{} {name}", open.letter()),
    })
}

pub(super) fn node_motion_trail_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId) {
    ui.horizontal(|ui| {
        let settings = &model.view.motion_trail;
        let is_pinned = settings.pinned.contains(&model.node(id));
        let text = if is_pinned { "Unpin trail" } else { "Pin trail" };
        if ui.small_button(text).clicked() {
            let mut edited = MotionTrailSettings { trails: true, ..settings.clone() };
            match is_pinned {
                true => edited.pinned.retain(|pinned| *pinned != model.node(id)),
                false => edited.pinned.push(model.node(id)),
            }
            model.send(Command::View(ViewCommand::SetMotionTrail(edited)));
        }
        let measured_from = &model.view.measured_from;
        let is_origin = measured_from.contains(&model.node(id));
        let text = if is_origin { "Clear measurement" } else { "Measure from here" };
        let help = "Shows the distance to the node that you select next";
        if ui.small_button(text).on_hover_text(help).clicked() {
            let from = if is_origin { Vec::new() } else { vec![model.node(id)] };
            model.send(Command::View(ViewCommand::MeasureFrom(from)));
        }
        if let ([first], false) = (&measured_from[..], is_origin) {
            let help = "Shows the angle at this node, between the first node and the one that you \
                        select next";
            if ui.small_button("Angle here").on_hover_text(help).clicked() {
                let from = vec![*first, model.node(id)];
                model.send(Command::View(ViewCommand::MeasureFrom(from)));
            }
        }
    });
    let measured_from = model.measured_from();
    let Some(&from) = measured_from.last().filter(|_| !measured_from.contains(&id)) else { return };
    let Some(node) = clip.nodes.get(from.index()) else { return };
    heading(ui, &format!("From {}", node.name));
    if !model.panels.timeline.curves {
        let command = Command::Toggle(Toggle::CURVES);
        let help = "Shows the distance over time below the timeline";
        if ui.small_button("Show as a curve").on_hover_text(help).clicked() {
            model.send(command);
        }
    }
    match model.pose().and_then(|pose| joint_distance(pose, [from, id])) {
        None => {
            let hint = dim_text(ui, "One of the nodes is hidden now");
            ui.label(hint);
        }
        Some(separation) => {
            table("apart", 2).show(ui, |ui| {
                if let ([first, _], Some(pose)) = (&measured_from[..], model.pose()) {
                    angle_row_ui(ui, clip, pose, [*first, from, id]);
                }
                let label = dim_text(ui, "distance");
                ui.label(label);
                let distance = separation.distance;
                let shown = format!("{} m", display_text::format_fixed(distance, 4));
                copyable_value(ui, &shown, || distance.to_string());
                ui.end_row();
                let label = dim_text(ui, "turned by");
                ui.label(label).on_hover_text("The angle between the rotations of the two nodes");
                degrees_ui(ui, separation.angle.to_degrees());
            });
        }
    }
}

/// Shows the angle at the middle node.
fn angle_row_ui(ui: &mut Ui, clip: &Clip, pose: &Pose, nodes: [NodeId; 3]) {
    let [first, middle, last] = nodes.map(|node| pose[node].world.translation);
    let label = dim_text(ui, "angle");
    let names = nodes.map(|node| clip.nodes[node].name.as_str());
    ui.label(label).on_hover_text(names.join(", "));
    degrees_ui(ui, (first - middle).angle_between(last - middle).to_degrees());
}

fn degrees_ui(ui: &mut Ui, degrees: f64) {
    let shown = format!("{}°", display_text::format_fixed(degrees, 2));
    copyable_value(ui, &shown, || degrees.to_string());
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    #[test]
    fn trail_checkbox_and_unpin_button_send_commands() {
        let mut fixture = PanelFixture::<()>::with_two_hands();
        let [wrist, tip] = ["left/Wrist", "left/IndexTip"].map(|name| fixture.node(name));
        fixture.view.motion_trail.pinned = vec![wrist, tip];
        let mut panel = show(fixture, [300.0, 300.0], |ui, model, ()| {
            motion_trail_ui(ui, model);
        });
        panel.get_by_label("coloured by speed").click();
        panel.run();
        let [Command::View(ViewCommand::SetMotionTrail(settings))] =
            &panel.state_mut().take_commands()[..]
        else {
            panic!()
        };
        assert!(settings.trails && settings.pinned == [wrist, tip]);
        panel.get_by_label("left/Wrist  ×").click();
        panel.run();
        let commands = panel.state_mut().take_commands();
        let [Command::View(ViewCommand::SetMotionTrail(settings))] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert_eq!(settings.pinned, [tip]);
    }

    #[test]
    fn distance_of_two_joints_is_shown() {
        let mut fixture = PanelFixture::<()>::with_two_hands();
        let [wrist, tip] = ["left/Wrist", "left/IndexTip"].map(|name| fixture.node(name));
        fixture.view.selected = Some(tip);
        fixture.view.measured_from = vec![wrist];
        let expected = {
            let nodes = &fixture.reference().recording.pose().nodes;
            let position = |node: RecordingNode| nodes[node.node.index()].world.translation;
            position(wrist).distance(position(tip))
        };
        let mut panel = show(fixture, [300.0, 300.0], |ui, model, ()| {
            let selected = model.selected().unwrap();
            node_motion_trail_ui(ui, model, model.clip().unwrap(), selected);
        });
        assert!(panel.query_by_label(&format!("{expected:.4} m")).is_some(), "{expected}");
        panel.get_by_label("Measure from here").click();
        panel.run();
        assert_eq!(
            panel.state_mut().take_commands(),
            [Command::View(ViewCommand::MeasureFrom(vec![tip]))]
        );
        panel.get_by_label("Angle here").click();
        panel.run();
        assert_eq!(
            panel.state_mut().take_commands(),
            [Command::View(ViewCommand::MeasureFrom(vec![wrist, tip]))]
        );
        let [metacarpal, middle] =
            ["left/IndexMetacarpal", "left/IndexKnuckle"].map(|name| panel.state().node(name));
        let fixture = panel.state_mut();
        fixture.view.measured_from = vec![metacarpal, middle];
        let expected = {
            let nodes = &fixture.reference().recording.pose().nodes;
            let position = |node: RecordingNode| nodes[node.node.index()].world.translation;
            let [a, b] = [metacarpal, tip].map(|node| position(node) - position(middle));
            (a.dot(b) / (a.length() * b.length())).acos().to_degrees()
        };
        panel.run();
        assert!(panel.query_by_label(&format!("{expected:.2}°")).is_some(), "{expected}");
    }
}
