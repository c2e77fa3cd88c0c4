//! The skeleton: the rest pose of the recording and its origin.

use bevy_egui::egui::{ComboBox, Label, RichText, Ui, WidgetInfo, WidgetType};

use crate::{
    session::{Command, Panel, PanelCommand, SkeletonCommand},
    ui::{
        CommandSender, Model,
        skeleton::fit_text,
        style::Palette,
        widgets::{dim, heading, with_action_tooltip},
        words,
    },
};
use mutoscope_core::{
    clip::{Clip, Node, NodeKind, Skeleton},
    formats::format,
    read::Retarget,
    retarget::Retargeting,
};

/// The name of the skeleton, and buttons for another.
pub(super) fn skeleton_ui(ui: &mut Ui, clip: &Clip, model: &Model<'_>) {
    heading(ui, "Skeleton");
    let buttons: &[(&str, Command)] = match &clip.skeleton {
        Skeleton::Own if clip.is_nowhere() => {
            ui.label(RichText::new("None").color(Palette::of(ui.visuals()).warning));
            &[("Attach a skeleton…", Command::Skeleton(SkeletonCommand::Choose))]
        }
        Skeleton::Own | Skeleton::WithModel(_) => {
            ui.label("As defined");
            &[("Attach another…", Command::Skeleton(SkeletonCommand::Choose))]
        }
        Skeleton::Unplaced(offsets) => {
            let joints = clip.nodes.iter().filter(|node| node.kind == NodeKind::Joint).count();
            let placeholders = words::count(offsets.len());
            let text = format!(
                "Placeholder offsets for {placeholders} of {} joints",
                words::count(joints)
            );
            ui.label(RichText::new(text).color(Palette::of(ui.visuals()).warning));
            let why = "The file has their rotations only. Attach a skeleton with the same names.";
            let why = dim(ui, why);
            ui.add(Label::new(why).wrap());
            &[("Attach a skeleton…", Command::Skeleton(SkeletonCommand::Choose))]
        }
        Skeleton::Attached(attached) => {
            ui.add(Label::new(&attached.name).truncate());
            let fit = dim(ui, fit_text(clip, attached));
            ui.add(Label::new(fit).wrap());
            &[
                ("Node mapping", Command::Panel(PanelCommand::Toggle(Panel::NODE_MAPPING))),
                ("Attach another…", Command::Skeleton(SkeletonCommand::Choose)),
                ("Detach", Command::Skeleton(SkeletonCommand::Detach)),
            ]
        }
    };
    buttons_ui(ui, buttons, model.commands);
    if may_be_of_a_body(clip) {
        let player =
            [("Minecraft player", Command::Skeleton(SkeletonCommand::AttachBuiltIn("minecraft")))];
        buttons_ui(ui, &player, model.commands);
    }
    if clip.skeleton.attached().is_none() {
        let takes = dim(ui, format!("{}; or drop it here", taken(clip))).small();
        ui.label(takes);
    } else if is_chosen(clip, model) {
        matching_ui(ui, clip, model);
    }
}

/// Whether the recording may be of a body: it has many joints on no other skeleton, and not those of hands (`left/Wrist`).
fn may_be_of_a_body(clip: &Clip) -> bool {
    /// Hips, head, and three joints of each limb.
    const LEAST: usize = 14;
    let is_of_body = |node: &Node| node.kind == NodeKind::Joint && !node.name.contains('/');
    clip.skeleton.attached().is_none()
        && clip.nodes.iter().filter(|node| is_of_body(node)).count() >= LEAST
}

/// Whether the recording is on the skeleton that the user attached, not on one of its folder or of an example.
fn is_chosen(clip: &Clip, model: &Model<'_>) -> bool {
    let name = clip.skeleton.attached().map(|attached| &attached.name);
    name.is_some() && name == model.files.rig.as_ref().map(|file| &file.rig.name)
}

/// The skeletons that the recording goes on.
fn taken(clip: &Clip) -> String {
    match format(clip.format).and_then(|format| format.rig) {
        Some(kind) => words::skeletons(kind).to_owned(),
        // By the bones.
        None => "A glTF, VRM or FBX character".to_owned(),
    }
}

fn buttons_ui(ui: &mut Ui, buttons: &[(&str, Command)], commands: &CommandSender) {
    ui.horizontal_wrapped(|ui| {
        for (name, command) in buttons {
            if with_action_tooltip(ui.button(*name), command).clicked() {
                commands.send(command.clone());
            }
        }
    });
}

/// How the skeleton's nodes are matched, and the map of bones.
fn matching_ui(ui: &mut Ui, clip: &Clip, model: &Model<'_>) {
    let chosen = model.files.retarget.as_ref();
    ui.horizontal(|ui| {
        let name = dim(ui, "Matched by");
        ui.label(name);
        let text = matching_text(chosen);
        let menu = ComboBox::from_id_salt("matching").selected_text(text).width(140.0);
        let menu = menu.show_ui(ui, |ui| {
            for option in [None, Some(Retarget::Off), Some(Retarget::Auto)] {
                let is_it = option.as_ref() == chosen;
                if ui.selectable_label(is_it, matching_text(option.as_ref())).clicked() && !is_it {
                    model.send(Command::Skeleton(SkeletonCommand::Retarget(option)));
                }
            }
        });
        let label = format!("Matched by: {text}");
        menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
    });
    if clip.procedural_as::<Retargeting>().is_some() {
        let buttons = [
            ("Save map", Command::Skeleton(SkeletonCommand::SaveMap)),
            ("Open map…", Command::Skeleton(SkeletonCommand::ChooseMap)),
        ];
        buttons_ui(ui, &buttons, model.commands);
    }
}

fn matching_text(retarget: Option<&Retarget>) -> &'static str {
    match retarget {
        None => "names, else bones",
        Some(Retarget::Off) => "names of nodes",
        Some(Retarget::Auto) => "bones",
        Some(Retarget::Map(_)) => "a map of bones",
    }
}
