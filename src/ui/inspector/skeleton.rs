//! The skeleton: the rest pose of the recording and its origin.

use bevy_egui::egui::{Label, RichText, Ui};

use crate::{
    session::{Command, Panel, PanelCommand, SkeletonCommand},
    ui::{
        CommandSender,
        skeleton::fit_text,
        style::Palette,
        widgets::{dim, heading, with_action_tooltip},
        words,
    },
};
use mutoscope_core::{
    clip::{Clip, NodeKind, Skeleton},
    formats::format,
};

/// The name of the skeleton, and buttons for another, if the format takes skeletons.
pub(super) fn skeleton_ui(ui: &mut Ui, clip: &Clip, commands: &CommandSender) {
    let Some(kind) = format(clip.format).and_then(|format| format.rig) else { return };
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
    ui.horizontal(|ui| {
        for (name, command) in buttons {
            if with_action_tooltip(ui.button(*name), command).clicked() {
                commands.send(command.clone());
            }
        }
    });
    if clip.skeleton.attached().is_none() {
        let takes = dim(ui, format!("{kind}: or drop it here")).small();
        ui.label(takes);
    }
}
