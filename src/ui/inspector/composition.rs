//! The composition of an animation: a tree of clips, each of which the user can play alone.

use bevy_egui::egui::{Align, Button, Layout, Ui};

use crate::ui::{
    Model, display_text,
    style::ROW_HEIGHT,
    widgets::{dim_text, heading},
};
use mutoscope_core::clip::{Clip, CompositionKind, CompositionPart, Variants};

const MAX_LINES: usize = 200;

const INDENT_WIDTH: f32 = 12.0;

const MAX_INDENT_LEVELS: usize = 8;

pub(super) fn composition_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    if clip.composition.is_empty() {
        return;
    }
    heading(ui, "Composition");
    let clips = clip.variants.iter().find(|variants| variants.label == Variants::CLIP);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, part) in clip.composition.iter().take(MAX_LINES).enumerate() {
            let name = if index == 0 { Variants::ALL_CLIPS } else { &part.name };
            // Only the whole animation and single clips can be played.
            let chosen = clips.filter(|_| index == 0 || part.kind == CompositionKind::Clip);
            let chosen = chosen.filter(|clips| clips.names.iter().any(|known| known == name));
            let is_current = chosen.is_some_and(|clips| clips.names[clips.current] == name);
            if part_ui(ui, part, chosen.is_some(), is_current) && !is_current {
                model.send(model.choose_variant(Variants::CLIP, Some(name)));
            }
        }
        if let Some(more) = clip.composition.len().checked_sub(MAX_LINES + 1) {
            let more = dim_text(ui, format!("and {} more", display_text::format_count(more + 1)));
            ui.label(more);
        }
    });
}

fn part_ui(ui: &mut Ui, part: &CompositionPart, can_choose: bool, is_current: bool) -> bool {
    let mut clicked = false;
    ui.horizontal(|ui| {
        ui.set_min_height(ROW_HEIGHT);
        ui.add_space(part.depth.min(MAX_INDENT_LEVELS) as f32 * INDENT_WIDTH);
        let text = match part.kind {
            CompositionKind::Clip => part.name.clone(),
            kind => kind_name(kind).to_owned(),
        };
        if can_choose {
            let button = Button::selectable(is_current, text).truncate();
            clicked = ui.add(button).on_hover_text(part_help(part)).clicked();
        } else {
            let text = dim_text(ui, text);
            ui.label(text).on_hover_text(part_help(part));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let detail = dim_text(ui, describe_part(part));
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

fn describe_part(part: &CompositionPart) -> String {
    let share =
        part.share.map(|share| format!("{} %", display_text::format_decimal(100.0 * share, 1)));
    let start = (part.start != 0.0)
        .then(|| format!("from {} s", display_text::format_decimal(part.start, 3)));
    let is_silent = part.kind == CompositionKind::Clip && !part.is_current;
    let silent = is_silent.then(|| "not playing".to_owned());
    [share, start, silent].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn part_help(part: &CompositionPart) -> String {
    match part.kind {
        CompositionKind::Clip if part.source.is_empty() => "No file for this clip".to_owned(),
        CompositionKind::Clip => format!("{}; click to play it alone", part.source),
        CompositionKind::Blend => "Both at once, each at its own speed".to_owned(),
        CompositionKind::PhaseBlend => "Both at once, stretched to one length".to_owned(),
        CompositionKind::Random => {
            "The game chooses one clip; here the first possible clip plays".to_owned()
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
    use crate::session::{Command, FileCommand};
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::{ReadOptions, decode};

    #[test]
    fn tree_shows_shares_and_plays_the_clicked_clip() {
        let bytes = include_bytes!("../../../tests/data/prime-characters/warden_mp1.pak");
        let options = ReadOptions { plays_all_clips: true, ..ReadOptions::default() }
            .with_variant(Variants::ANIMATION, "B_walk_attack");
        let clip = decode(bytes, &options).unwrap();
        let fixture: PanelFixture<()> = PanelFixture::with_clip(clip);
        let mut tree = show(fixture, [320.0, 200.0], |ui, model, ()| {
            composition_ui(ui, model, model.clip().unwrap());
        });
        tree.run();
        for text in ["Blend", "walk", "75 %", "attack", "25 %"] {
            assert!(tree.query_by_label(text).is_some(), "{text}");
        }
        tree.get_by_label("Blend").click();
        tree.run();
        assert_eq!(tree.state_mut().take_commands(), [], "the whole blend already plays");
        tree.get_by_label("attack").click();
        tree.run();
        let recording = tree.state_mut().reference().entity;
        let (label, name) = ("Clip".to_owned(), Some("attack".to_owned()));
        let expected = FileCommand::ChooseVariant { recording, label, name };
        assert_eq!(tree.state_mut().take_commands(), [Command::File(expected)]);
    }
}
