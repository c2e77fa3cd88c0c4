//! The composition of an animation: a tree of clips, each of which can be chosen.

use bevy_egui::egui::{Align, Button, Layout, Ui};

use crate::{
    session::{Command, FileCommand},
    ui::{
        CommandSender,
        style::ROW_HEIGHT,
        widgets::{dim, heading},
        words,
    },
};
use mutoscope_core::clip::{Clip, CompositionKind, CompositionPart, Variants};

/// How many lines a tree may take: those of the games are short.
const MOST_LINES: usize = 200;

/// How far each level is moved to the right, in points.
const INDENT: f32 = 12.0;

/// How many levels move to the right.
const MOST_LEVELS: usize = 8;

/// The tree, if the animation is composed of several clips.
pub(super) fn composition_ui(ui: &mut Ui, clip: &Clip, commands: &CommandSender) {
    if clip.composition.is_empty() {
        return;
    }
    heading(ui, "Composition");
    let clips = clip.variants.iter().find(|variants| variants.label == Variants::CLIP);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, part) in clip.composition.iter().take(MOST_LINES).enumerate() {
            let name = if index == 0 { Variants::ALL_CLIPS } else { &part.name };
            // Parts other than the whole and clips cannot be played alone.
            let chosen = clips.filter(|_| index == 0 || part.kind == CompositionKind::Clip);
            let chosen = chosen.filter(|clips| clips.names.iter().any(|known| known == name));
            let is_current = chosen.is_some_and(|clips| clips.names[clips.current] == name);
            if part_ui(ui, part, chosen.is_some(), is_current) && !is_current {
                let (label, name) = (Variants::CLIP.to_owned(), Some(name.to_owned()));
                commands.send(Command::File(FileCommand::ChooseVariant { label, name }));
            }
        }
        if let Some(more) = clip.composition.len().checked_sub(MOST_LINES + 1) {
            let more = dim(ui, format!("and {} more", words::count(more + 1)));
            ui.label(more);
        }
    });
}

/// A line of the tree; returns whether it was clicked.
fn part_ui(ui: &mut Ui, part: &CompositionPart, can_choose: bool, is_current: bool) -> bool {
    let mut clicked = false;
    ui.horizontal(|ui| {
        ui.set_min_height(ROW_HEIGHT);
        ui.add_space(part.depth.min(MOST_LEVELS) as f32 * INDENT);
        let text = match part.kind {
            CompositionKind::Clip => part.name.clone(),
            kind => kind_name(kind).to_owned(),
        };
        if can_choose {
            let button = Button::selectable(is_current, text).truncate();
            clicked = ui.add(button).on_hover_text(help(part)).clicked();
        } else {
            let text = dim(ui, text);
            ui.label(text).on_hover_text(help(part));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let detail = dim(ui, detail(part));
            ui.label(detail);
        });
    });
    clicked
}

fn kind_name(kind: CompositionKind) -> &'static str {
    match kind {
        CompositionKind::Clip => "Clip",
        CompositionKind::Blend => "Blend",
        CompositionKind::PhaseBlend => "Phase blend",
        CompositionKind::Random => "Random choice",
        CompositionKind::Sequence => "Sequence",
    }
}

/// Its share, where it begins, and whether it plays: `75 %, from 0.5 s, not playing`.
fn detail(part: &CompositionPart) -> String {
    let share = part.share.map(|share| format!("{} %", words::trimmed(100.0 * share, 1)));
    let start = (part.start != 0.0).then(|| format!("from {} s", words::trimmed(part.start, 3)));
    let is_silent = part.kind == CompositionKind::Clip && !part.is_shown;
    let silent = is_silent.then(|| "not playing".to_owned());
    [share, start, silent].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn help(part: &CompositionPart) -> String {
    match part.kind {
        CompositionKind::Clip if part.source.is_empty() => "No file for this clip".to_owned(),
        CompositionKind::Clip => format!("{}; click to play it alone", part.source),
        CompositionKind::Blend => "Both at once, each at its own speed".to_owned(),
        CompositionKind::PhaseBlend => "Both at once, stretched to one length".to_owned(),
        CompositionKind::Random => {
            "The game chooses one; here the first possible one plays".to_owned()
        }
        CompositionKind::Sequence => {
            "One after the other, without the game's transitions".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{Desk, show};
    use mutoscope_core::{
        clip::VariantChoice,
        formats::{DecodeRequest, decode},
    };

    #[test]
    fn the_tree_shows_shares_and_a_click_plays_one_clip() {
        let bytes = include_bytes!("../../../tests/data/prime-characters/warden_mp1.pak");
        let (label, name) = (Variants::ANIMATION.to_owned(), "B_walk_attack".to_owned());
        let request = DecodeRequest { plays_all_clips: true, ..DecodeRequest::default() };
        let clip = decode(bytes, &request.variants(&[VariantChoice { label, name }])).unwrap();
        let desk: Desk<()> = Desk::with(clip);
        let mut tree = show(desk, [320.0, 200.0], |ui, model, ()| {
            composition_ui(ui, model.clip().unwrap(), model.commands);
        });
        tree.run();
        for text in ["Blend", "walk", "75 %", "attack", "25 %"] {
            assert!(tree.query_by_label(text).is_some(), "{text}");
        }
        tree.get_by_label("Blend").click();
        tree.run();
        assert_eq!(tree.state_mut().take_commands(), [], "all of it plays");
        tree.get_by_label("attack").click();
        tree.run();
        let (label, name) = ("Clip".to_owned(), Some("attack".to_owned()));
        assert_eq!(
            tree.state_mut().take_commands(),
            [Command::File(FileCommand::ChooseVariant { label, name })]
        );
    }
}
