//! The sheet of keyboard shortcuts and mouse gestures.

use bevy_egui::egui::{Context, FontId, Modal, RichText, ScrollArea, Ui};

use super::{
    CommandSender,
    style::Palette,
    widgets::{heading, keys_text, table},
};
use crate::session::{ACTIONS, Action, Command, Panel, PanelCommand, Section};

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
            ("Play a label", "Click it"),
            ("Rename a label", "Double click it"),
            ("Change a label", "Drag it or its ends"),
        ],
    ),
];

const COLUMN_WIDTH: f32 = 330.0;

pub(super) fn help_ui(ctx: &Context, commands: &CommandSender) {
    let modal = Modal::new("help".into()).show(ctx, |ui| {
        let screen = ui.ctx().content_rect();
        let columns = ((screen.width() - 60.0) / COLUMN_WIDTH).floor().clamp(1.0, 3.0) as usize;
        ui.set_width(columns as f32 * COLUMN_WIDTH);
        ui.horizontal(|ui| {
            ui.label(RichText::new("Keyboard shortcuts").heading());
            let hint = RichText::new("Press F1 or Esc to close");
            ui.label(hint.color(Palette::for_visuals(ui.visuals()).dim));
        });
        let height = screen.height() - 110.0;
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        area.show(ui, |ui| {
            columns_ui(ui, columns);
        });
    });
    if modal.should_close() {
        commands.send(Command::Panel(PanelCommand::Toggle(Panel::HELP)));
    }
}

fn columns_ui(ui: &mut Ui, columns: usize) {
    let sections = |ui: &mut Ui, sections: &[Section]| {
        sections.iter().for_each(|section| section_ui(ui, *section));
    };
    let parts: [&dyn Fn(&mut Ui); 3] = [
        &|ui| sections(ui, &[Section::Playback, Section::Range, Section::Compare, Section::Scene]),
        &|ui| sections(ui, &[Section::View, Section::Timeline]),
        &|ui| {
            sections(ui, &[Section::File, Section::Labels, Section::Window]);
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
    let actions = ACTIONS.iter().filter(|action| action.section == section);
    let with_keys = actions.map(|action: &Action| (action.name, keys_text(ui.ctx(), action)));
    let lines: Vec<_> = with_keys.collect();
    lines_ui(ui, section.name(), lines.iter().map(|(name, keys)| (*name, keys.as_str())));
}

fn gestures_ui(ui: &mut Ui, name: &str, gestures: &[(&str, &str)]) {
    heading(ui, name);
    lines_ui(ui, name, gestures.iter().copied());
}

fn lines_ui<'a>(ui: &mut Ui, id: &str, lines: impl Iterator<Item = (&'a str, &'a str)>) {
    let palette = Palette::for_visuals(ui.visuals());
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
    use bevy_egui::egui::os::OperatingSystem;
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;

    fn keys_page() -> String {
        let mut page = String::from("# Keys and mouse gestures\n");
        let mut section = |name: &str, lines: &[(String, String)]| {
            page += &format!("\n## {name}\n\n| action | keys |\n|---|---|\n");
            for (name, keys) in lines {
                page += &format!("| {name} | {keys} |\n");
            }
        };
        let ctx = Context::default();
        ctx.set_os(OperatingSystem::Nix);
        for section_id in Section::ALL {
            let actions = ACTIONS.iter().filter(|action| action.section == section_id);
            let line = |action: &Action| {
                let help = if action.help.is_empty() { "" } else { ": " };
                let keys = match keys_text(&ctx, action) {
                    keys if keys.is_empty() => "in the menu".to_owned(),
                    keys => format!("`{}`", keys.replace(" or ", "` or `")),
                };
                (format!("{}{help}{}", action.name, action.help), keys)
            };
            section(section_id.name(), &actions.map(line).collect::<Vec<_>>());
        }
        for (name, gestures) in GESTURES {
            let line =
                |(action, gesture): &(&str, &str)| ((*action).to_owned(), (*gesture).to_owned());
            section(name, &gestures.iter().map(line).collect::<Vec<_>>());
        }
        page
    }

    #[test]
    fn docs_list_the_same_keys_as_the_actions() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keys.md");
        if std::env::var_os("MUTOSCOPE_UPDATE_DOCS").is_some() {
            std::fs::write(path, keys_page()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            written == keys_page(),
            "docs/keys.md differs from the table of actions: run the test with \
             MUTOSCOPE_UPDATE_DOCS=1\n{}",
            keys_page()
        );
    }

    #[test]
    fn every_action_is_on_the_sheet() {
        let harness = Harness::builder()
            .with_size([1280.0, 900.0])
            .build_ui(|ui| help_ui(ui.ctx(), &CommandSender::default()));
        for action in ACTIONS {
            assert!(harness.query_all_by_label(action.name).next().is_some(), "{}", action.name);
        }
        for (_, gestures) in GESTURES {
            for (action, gesture) in gestures {
                assert!(harness.query_all_by_label(action).next().is_some(), "{action}");
                assert!(harness.query_all_by_label(gesture).next().is_some(), "{gesture}");
            }
        }
    }
}
