//! The sheet of keys and mouse gestures.

use bevy_egui::egui::{Context, FontId, Modal, RichText, ScrollArea, Ui};

use super::{
    style::Palette,
    widgets::{heading, keys_text, table},
};
use crate::session::{ACTIONS, Action, Command, Panel, Section};

/// What the mouse does, where.
const GESTURES: [(&str, &[(&str, &str)]); 2] = [
    (
        "Mouse in the viewport",
        &[
            ("Orbit", "Left drag"),
            ("Pan", "Middle drag"),
            ("Zoom", "Wheel"),
            ("Fly", "Hold right + WASD, Q, E"),
            ("Select a node", "Click"),
            ("Frame a node", "Double click"),
        ],
    ),
    (
        "Mouse on the timeline",
        &[
            ("Go to a time", "Click or drag"),
            ("Go to a sample", "Shift + drag"),
            ("Set the range", "Drag above the ticks"),
            ("Zoom", "Ctrl + wheel, pinch"),
            ("Pan", "Middle drag, Shift + wheel"),
            ("Fit timeline", "Double click"),
        ],
    ),
];

/// The width of one column.
const COLUMN: f32 = 330.0;

/// The sheet over everything; a click beside it closes it.
pub(super) fn help_ui(ctx: &Context, commands: &mut Vec<Command>) {
    let modal = Modal::new("help".into()).show(ctx, |ui| {
        let screen = ui.ctx().content_rect();
        let columns = ((screen.width() - 60.0) / COLUMN).floor().clamp(1.0, 3.0) as usize;
        ui.set_width(columns as f32 * COLUMN);
        ui.horizontal(|ui| {
            ui.label(RichText::new("Keyboard shortcuts").heading());
            let hint = RichText::new("F1 or Esc closes this");
            ui.label(hint.color(Palette::of(ui.visuals()).dim));
        });
        let height = screen.height() - 110.0;
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        area.show(ui, |ui| {
            columns_ui(ui, columns);
        });
    });
    if modal.should_close() {
        commands.push(Command::TogglePanel(Panel::HELP));
    }
}

/// Sections so that columns are about equally long: the view has one for itself.
fn columns_ui(ui: &mut Ui, columns: usize) {
    let sections = |ui: &mut Ui, sections: &[Section]| {
        sections.iter().for_each(|section| section_ui(ui, *section));
    };
    let parts: [&dyn Fn(&mut Ui); 3] = [
        &|ui| sections(ui, &[Section::Playback, Section::Range, Section::Compare]),
        &|ui| sections(ui, &[Section::View]),
        &|ui| {
            sections(ui, &[Section::File, Section::Window]);
            for (name, gestures) in GESTURES {
                gestures_ui(ui, name, gestures);
            }
        },
    ];
    ui.columns(columns, |uis| {
        for (index, part) in parts.iter().enumerate() {
            part(&mut uis[index % columns]);
        }
    });
}

fn section_ui(ui: &mut Ui, section: Section) {
    heading(ui, section.name());
    let of_section = ACTIONS.iter().filter(|action| action.section == section);
    let with_keys = of_section.map(|action: &Action| (action.name, keys_text(ui.ctx(), action)));
    let lines: Vec<_> = with_keys.collect();
    lines_ui(ui, section.name(), lines.iter().map(|(name, keys)| (*name, keys.as_str())));
}

fn gestures_ui(ui: &mut Ui, name: &str, gestures: &[(&str, &str)]) {
    heading(ui, name);
    lines_ui(ui, name, gestures.iter().copied());
}

fn lines_ui<'a>(ui: &mut Ui, id: &str, lines: impl Iterator<Item = (&'a str, &'a str)>) {
    let palette = Palette::of(ui.visuals());
    table(id, 2).min_col_width(150.0).show(ui, |ui| {
        for (name, keys) in lines {
            let keys = if keys.is_empty() { "in the menu" } else { keys };
            let keys = RichText::new(keys).font(FontId::monospace(11.0)).color(palette.accent);
            ui.label(name);
            ui.label(keys);
            ui.end_row();
        }
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;

    #[test]
    fn every_action_stands_on_the_sheet() {
        let harness = Harness::builder()
            .with_size([1280.0, 900.0])
            .build_ui(|ui| help_ui(ui.ctx(), &mut Vec::new()));
        for action in ACTIONS {
            assert!(harness.query_all_by_label(action.name).next().is_some(), "{}", action.name);
        }
        for (_, gestures) in GESTURES {
            for (what, how) in gestures {
                assert!(harness.query_all_by_label(what).next().is_some(), "{what}");
                assert!(harness.query_all_by_label(how).next().is_some(), "{how}");
            }
        }
    }
}
