//! The skeleton of the recording, and its origin.

use bevy_egui::egui::{ComboBox, Label, RichText, Ui, WidgetInfo, WidgetType};

use crate::{
    session::{Command, Panel, PanelCommand, SkeletonCommand},
    ui::{
        CommandSender, Model, display_text,
        skeleton::summarize_mapping,
        style::Palette,
        widgets::{dim_text, heading, with_action_tooltip},
    },
};
use mutoscope_core::{
    clip::{Clip, Node, NodeKind, Skeleton},
    formats::Fit,
    retarget::Retargeting,
};

pub(super) fn skeleton_ui(ui: &mut Ui, clip: &Clip, model: &Model<'_>) {
    heading(ui, "Skeleton");
    let buttons: &[(&str, Command)] = match &clip.skeleton {
        Skeleton::Own if clip.needs_skeleton() => {
            ui.label(RichText::new("None").color(Palette::for_visuals(ui.visuals()).warning));
            &[("Attach a skeleton…", Command::Skeleton(SkeletonCommand::Choose))]
        }
        Skeleton::Own | Skeleton::WithModel(_) => {
            ui.label("As defined");
            &[("Attach another…", Command::Skeleton(SkeletonCommand::Choose))]
        }
        Skeleton::WithoutOffsets(offsets) => {
            let joints = clip.nodes.iter().filter(|node| node.kind == NodeKind::Joint).count();
            let placeholders = display_text::format_count(offsets.len());
            let text = format!(
                "Placeholder offsets for {placeholders} of {} joints",
                display_text::format_count(joints)
            );
            ui.label(RichText::new(text).color(Palette::for_visuals(ui.visuals()).warning));
            let why = "The file has rotations only. Attach a skeleton with the same node names.";
            let why = dim_text(ui, why);
            ui.add(Label::new(why).wrap());
            &[("Attach a skeleton…", Command::Skeleton(SkeletonCommand::Choose))]
        }
        Skeleton::Attached(attached) => {
            ui.add(Label::new(&attached.name).truncate());
            let fit = dim_text(ui, summarize_mapping(clip, attached));
            ui.add(Label::new(fit).wrap());
            &[
                ("Node mapping", Command::Panel(PanelCommand::Toggle(Panel::NODE_MAPPING))),
                ("Attach another…", Command::Skeleton(SkeletonCommand::Choose)),
                ("Detach", Command::Skeleton(SkeletonCommand::Detach)),
            ]
        }
    };
    buttons_ui(ui, buttons, model.commands);
    if may_show_body(clip) {
        let player =
            [("Minecraft player", Command::Skeleton(SkeletonCommand::AttachBuiltIn("minecraft")))];
        buttons_ui(ui, &player, model.commands);
    }
    if clip.skeleton.attached().is_none() {
        let hint = dim_text(ui, format!("{}; or drop it here", accepted_skeletons(clip))).small();
        ui.label(hint);
    } else if is_attached_by_user(clip, model) {
        matching_ui(ui, clip, model);
    }
}

fn may_show_body(clip: &Clip) -> bool {
    /// The fewest joints of a body: hips, head, and three joints of each limb.
    const MIN_BODY_JOINTS: usize = 14;
    let is_body_joint = |node: &Node| node.kind == NodeKind::Joint && !node.name.contains('/');
    clip.skeleton.attached().is_none()
        && clip.nodes.iter().filter(|node| is_body_joint(node)).count() >= MIN_BODY_JOINTS
}

fn is_attached_by_user(clip: &Clip, model: &Model<'_>) -> bool {
    let name = clip.skeleton.attached().map(|attached| &attached.name);
    name.is_some() && name == model.files.skeleton.as_ref().map(|file| &file.skeleton.name)
}

fn accepted_skeletons(clip: &Clip) -> String {
    match crate::registry().format(clip.format).and_then(|format| format.skeleton_kind) {
        Some(kind) => display_text::skeleton_file_types(kind).to_owned(),
        // The format has no skeleton files of its own, so the recording is retargeted to a
        // character.
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

fn matching_ui(ui: &mut Ui, clip: &Clip, model: &Model<'_>) {
    let chosen = &model.files.options.fit;
    ui.horizontal(|ui| {
        let name = dim_text(ui, "Matched by");
        ui.label(name);
        let text = matching_label(chosen);
        let menu = ComboBox::from_id_salt("matching").selected_text(text).width(140.0);
        let menu = menu.show_ui(ui, |ui| {
            for option in [Fit::Automatic, Fit::ByName, Fit::ByBones] {
                let is_current = option == *chosen;
                if ui.selectable_label(is_current, matching_label(&option)).clicked() && !is_current
                {
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

fn matching_label(fit: &Fit) -> &'static str {
    match fit {
        Fit::Automatic => "names, else bones",
        Fit::ByName => "node names",
        Fit::ByBones => "bones",
        Fit::Map(_) => "a bone map",
    }
}
