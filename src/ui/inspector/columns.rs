//! Shows how the columns of a table were read, and the alternatives.

use bevy_egui::egui::{Align, ComboBox, Label, Layout, Ui, WidgetInfo, WidgetType};

use super::questions::questions_ui;
use crate::{
    session::{ColumnsCommand, Command, Panel, PanelCommand},
    ui::{
        CommandSender, Model, display_text,
        style::Palette,
        widgets::{chip, dim_text, heading, table, with_action_tooltip},
    },
};
use mutoscope_core::clip::{ChoiceOrigin, Clip, ColumnUses, MappingChoice};
use mutoscope_logs::MappingChange;

const VALUE_WIDTH: f32 = 128.0;

pub(super) fn columns_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    let Some(columns) = clip.columns().filter(|columns| !columns.choices.is_empty()) else {
        return;
    };
    heading(ui, if columns.shape == "messages" { "Log" } else { "Columns" });
    let summary = dim_text(ui, summarize_columns(columns));
    ui.label(summary);
    questions_ui(ui, columns, model.commands);
    table("columns", 3).show(ui, |ui| {
        for choice in &columns.choices {
            choice_ui(ui, choice, model.commands);
        }
    });
    for fact in columns.assumed.iter().filter(|fact| fact.fact == "frame") {
        let text = dim_text(ui, format!("Relative to {:?}: {}", fact.value, fact.why)).small();
        ui.add(Label::new(text).wrap());
    }
    buttons_ui(ui, columns, model.commands);
}

fn summarize_columns(columns: &ColumnUses) -> String {
    if columns.shape == "messages" {
        return display_text::format_counted(columns.used.len(), "topic", "topics");
    }
    // Add the time column, because `used` and `ignored` do not include it.
    let all = 1 + columns.used.len() + columns.ignored.len();
    let unused = match columns.ignored.len() {
        0 => "all used".to_owned(),
        count => format!("{} not used", display_text::format_count(count)),
    };
    let row_meaning = match columns.shape {
        "long" => "a row for each node and time",
        _ => "a row for each time",
    };
    format!("{} columns, {unused}; {row_meaning}", display_text::format_count(all))
}

fn choice_ui(ui: &mut Ui, choice: &MappingChoice, commands: &CommandSender) {
    let name = dim_text(ui, choice.label);
    ui.label(name);
    let value = &choice.value;
    if choice.options.len() < 2 {
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.set_max_width(VALUE_WIDTH);
            ui.add(Label::new(value).truncate());
        });
    } else {
        let menu = ComboBox::from_id_salt(choice.key).selected_text(value).width(VALUE_WIDTH);
        let menu = menu.truncate().show_ui(ui, |ui| {
            for option in &choice.options {
                let is_current = option.text == *value;
                let text = match option.note {
                    "" => option.text.clone(),
                    note => format!("{} ({note})", option.text),
                };
                if ui.selectable_label(is_current, text).clicked() && !is_current {
                    let (key, toml) = (choice.key.to_owned(), option.toml.clone());
                    let change = MappingChange::Set { key, toml };
                    commands.send(Command::Columns(ColumnsCommand::Change(change)));
                }
            }
        });
        let label = format!("{}: {value}", choice.label);
        menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
    }
    origin_ui(ui, choice);
    ui.end_row();
}

fn origin_ui(ui: &mut Ui, choice: &MappingChoice) {
    let palette = Palette::for_visuals(ui.visuals());
    let (text, color, help) = match choice.origin {
        ChoiceOrigin::Stated => ("declared", palette.text, "Stated by the file"),
        ChoiceOrigin::Recognised => {
            ("recognised", palette.dim, "Recognised by the name of the column")
        }
        ChoiceOrigin::Ambiguous => ("fits twice", palette.warning, "Several columns fit"),
        ChoiceOrigin::Assumed => ("assumed", palette.dim, "Not stated by the file"),
        ChoiceOrigin::Chosen => ("set by you", palette.accent, "Chosen here, or in a mapping file"),
    };
    let help = match &*choice.why {
        "" => help.to_owned(),
        why => format!("{help}: {why}"),
    };
    chip(ui, text, color).on_hover_text(help);
}

fn buttons_ui(ui: &mut Ui, columns: &ColumnUses, commands: &CommandSender) {
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let mut button = |name: &str, command: Command| {
            if with_action_tooltip(ui.button(name), &command).clicked() {
                commands.send(command);
            }
        };
        if columns.shape != "messages" {
            button("All columns…", Command::Panel(PanelCommand::Toggle(Panel::COLUMNS)));
        }
        button("Save mapping", Command::Columns(ColumnsCommand::Save));
        let is_changed = columns.mapping_file.as_ref().is_some_and(|file| !file.is_sidecar);
        if is_changed {
            button("Undo changes", Command::Columns(ColumnsCommand::Reset));
        }
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::formats::{MappingFile, ReadOptions, decode};

    fn clip(text: &str, columns: Option<&MappingFile>) -> Clip {
        let columns = columns.cloned();
        let options = ReadOptions { columns, ..ReadOptions::from(crate::registry()) };
        decode(text.as_bytes(), &options).unwrap()
    }

    fn inspector(clip: Clip) -> Harness<'static, PanelFixture<()>> {
        let mut shown = show(PanelFixture::with_clip(clip), [300.0, 1100.0], |ui, model, ()| {
            columns_ui(ui, model, model.clip().unwrap());
        });
        shown.run();
        shown
    }

    /// A table with two clocks, three angles without a stated order, and no units.
    const AMBIGUOUS_TABLE: &str = "unix_time,ovr_time,head_x,head_y,head_z,head_rx,head_ry,head_rz\n\
                           0,7,0,1.6,0,0,90,0\n1,8,0,1.7,0,0,90,10\n";

    #[test]
    fn assumed_facts_can_be_changed() {
        let mut shown = inspector(clip(AMBIGUOUS_TABLE, None));
        for label in [
            "Time: ovr_time",
            "Time unit: seconds",
            "Axes: right up back",
            "Unit: m",
            "Three angles: Ry · Rx · Rz",
            "Angles: degrees",
        ] {
            assert!(shown.query_by_label(label).is_some(), "{label}");
        }
        assert_eq!(shown.query_all_by_label("assumed").count(), 5);
        assert_eq!(shown.query_all_by_label("fits twice").count(), 1);
        let mut choose = |menu: &str, option: &str| {
            shown.get_by_label(menu).click();
            shown.run();
            shown.get_by_label(option).click();
            shown.run();
            shown.state_mut().take_commands()
        };
        let set = |key: &str, toml: &str| {
            let (key, toml) = (key.to_owned(), toml.to_owned());
            [Command::Columns(ColumnsCommand::Change(MappingChange::Set { key, toml }))]
        };
        let axes = set("space.axes", r#"["right", "up", "forward"]"#);
        assert_eq!(choose("Axes: right up back", "right up forward (Unity)"), axes);
        let time = set("time.column", r#""unix_time""#);
        assert_eq!(choose("Time: ovr_time", "unix_time (fits too)"), time);
        let vector = set("space.euler", r#""vector""#);
        assert_eq!(choose("Three angles: Ry · Rx · Rz", "rotation vector (OpenCV)"), vector);
        shown.get_by_label("Save mapping").click();
        shown.run();
        assert_eq!(shown.state_mut().take_commands(), [Command::Columns(ColumnsCommand::Save)]);
        assert!(shown.query_by_label("Undo changes").is_none());
    }

    #[test]
    fn chosen_facts_can_be_undone_and_stated_ones_not_changed() {
        let text = "[space]\nunit = \"cm\"\n".to_owned();
        let mapping = MappingFile { format: mutoscope_logs::FORMAT_ID, name: "m".to_owned(), text };
        let text = "time [ms],head_x,head_y,head_z\n0,0,1.6,0\n1,0,1.7,0\n";
        let mut shown = inspector(clip(text, Some(&mapping)));
        assert!(shown.query_by_label("Unit: cm").is_some());
        assert!(shown.query_by_label("set by you").is_some());
        assert!(
            shown.query_by_label("milliseconds").is_some()
                && shown.query_by_label("declared").is_some()
        );
        shown.get_by_label("Undo changes").click();
        shown.run();
        assert_eq!(shown.state_mut().take_commands(), [Command::Columns(ColumnsCommand::Reset)]);
    }
}
