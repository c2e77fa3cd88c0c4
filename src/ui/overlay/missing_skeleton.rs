//! The hints that are shown if the nodes of a recording have no positions, or if a character has no
//! motion.

use bevy_egui::egui::{Align2, Area, Id, Label, Order, Rect, RichText, Ui, vec2};

use crate::{
    session::{Command, SkeletonCommand, Toggle},
    ui::{
        CommandSender, display_text,
        style::{Palette, floating_frame},
        widgets::{dim_text, limit_width, with_action_tooltip},
    },
};
use mutoscope_core::clip::Clip;

pub(super) fn missing_skeleton_ui(ui: &Ui, clip: &Clip, viewport: Rect, commands: &CommandSender) {
    let kind = crate::registry().format(clip.format).and_then(|format| format.skeleton_kind);
    let Some(kind) = kind.filter(|_| clip.needs_skeleton()) else { return };
    Area::new(Id::new("missing skeleton"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(viewport.center())
        .constrain(false)
        .show(ui.ctx(), |ui| {
            floating_frame(Palette::for_visuals(ui.visuals())).show(ui, |ui| {
                ui.set_width(limit_width(300.0, viewport.width() - 40.0));
                ui.label(RichText::new("No skeleton").heading());
                let why = format!(
                    "{}: the file has no positions for them. Drop their skeleton ({}) onto this \
                     window, or attach it.",
                    clip.subject,
                    display_text::skeleton_file_types(kind)
                );
                let why = dim_text(ui, why);
                ui.add(Label::new(why).wrap());
                ui.add_space(4.0);
                ui.horizontal(|ui| {
                    let buttons = [
                        ("Attach a skeleton…", Command::Skeleton(SkeletonCommand::Choose)),
                        ("Show curves", Command::Toggle(Toggle::CURVES)),
                    ];
                    for (name, command) in buttons {
                        if with_action_tooltip(ui.button(name), &command).clicked() {
                            commands.send(command);
                        }
                    }
                });
            });
        });
}

/// Tells the user what to do with a character that is shown in its rest pose.
pub(super) fn missing_motion_ui(ui: &Ui, clip: &Clip, viewport: Rect) {
    if !clip.tracks.is_empty() || clip.procedural.is_some() || clip.nodes.is_empty() {
        return;
    }
    Area::new(Id::new("missing motion"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(viewport.center_bottom() - vec2(0.0, 16.0))
        .constrain(false)
        .show(ui.ctx(), |ui| {
            floating_frame(Palette::for_visuals(ui.visuals())).show(ui, |ui| {
                ui.set_max_width(limit_width(520.0, viewport.width() - 40.0));
                let text = "The file has no motion. Drop a recording onto the window to play it on \
                            this character.";
                ui.add(Label::new(text).wrap());
            });
        });
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::{
        Model,
        testing::{PanelFixture, show},
    };
    use mutoscope_core::{
        formats::{ReadOptions, decode},
        io::bytes::NoSidecars,
    };

    fn panel(ui: &mut Ui, model: &Model<'_>, (): &mut ()) {
        let clip = model.clip().unwrap();
        missing_skeleton_ui(ui, clip, ui.max_rect(), model.commands);
    }

    const WALK: &[u8] = include_bytes!("../../../assets/prime/walk.ANIM");

    #[test]
    fn missing_skeleton_is_explained() {
        let clip = decode(WALK, &ReadOptions::default()).unwrap();
        let mut shown = show(PanelFixture::<()>::with_clip(clip), [600.0, 400.0], panel);
        assert!(shown.query_by_label("No skeleton").is_some());
        shown.get_by_label("Attach a skeleton…").click();
        shown.run();
        assert_eq!(shown.state_mut().take_commands(), [Command::Skeleton(SkeletonCommand::Choose)]);
    }

    #[test]
    fn no_hint_on_a_skeleton() {
        let rig = mutoscope_core::Registry::default()
            .decode_skeleton(include_bytes!("../../../assets/prime/walk.CINF"), "rig", &NoSidecars)
            .unwrap();
        let clip = decode(WALK, &ReadOptions::default().with_skeleton(rig.clone())).unwrap();
        let shown = show(PanelFixture::<()>::with_clip(clip), [600.0, 400.0], panel);
        assert!(shown.query_by_label("Attach a skeleton…").is_none());
    }
}
