//! The menu that sorts the list of files.

use bevy_egui::egui::{ComboBox, RichText, Ui, WidgetInfo, WidgetType, vec2};

use crate::{
    session::{Command, FileCommand, FileOrder, FileSort, ListOrigin},
    ui::{Model, icons::Icon, style::small_font, widgets::icon_button},
};

pub(super) fn sort_ui(ui: &mut Ui, model: &Model<'_>) {
    let now = model.files.sort;
    let (icon, help) = match (now.by, now.reversed) {
        (FileOrder::Listed, false) => (Icon::ArrowDown, "Reverse order"),
        (FileOrder::Listed, true) => (Icon::ArrowUp, "Original order"),
        (FileOrder::Name, false) => (Icon::ArrowDown, "Z first"),
        (FileOrder::Name, true) => (Icon::ArrowUp, "A first"),
        (FileOrder::Modified, false) => (Icon::ArrowDown, "Oldest first"),
        (FileOrder::Modified, true) => (Icon::ArrowUp, "Newest first"),
        (_, false) => (Icon::ArrowDown, "Smallest first"),
        (_, true) => (Icon::ArrowUp, "Largest first"),
    };
    let toggled = FileSort { reversed: !now.reversed, ..now };
    if icon_button(ui, icon, help, vec2(20.0, 24.0)).on_hover_text(help).clicked() {
        model.send(Command::File(FileCommand::Sort(toggled)));
    }
    let chosen = RichText::new(order_name(now.by, model)).font(small_font());
    let shown = ComboBox::from_id_salt("sort").selected_text(chosen).width(84.0);
    let shown = shown.show_ui(ui, |ui| {
        ui.set_min_size(vec2(120.0, 0.0));
        for by in FileOrder::ALL {
            let item = ui.selectable_label(by == now.by, order_name(by, model));
            if item.on_hover_text(explanation(by)).clicked() && by != now.by {
                let sort = FileSort { by, reversed: false };
                model.send(Command::File(FileCommand::Sort(sort)));
            }
        }
    });
    let label = format!("Sort: {}", order_name(now.by, model).to_lowercase());
    shown.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
}

fn order_name(by: FileOrder, model: &Model<'_>) -> &'static str {
    match by {
        FileOrder::Listed if model.files.list_origin == ListOrigin::Siblings => "In the folder",
        FileOrder::Listed => "As opened",
        FileOrder::Name => "Name",
        FileOrder::Modified => "Date",
        FileOrder::Duration => "Duration",
        FileOrder::Size => "Size",
        FileOrder::Issues => "Issues",
        FileOrder::Loss => "Lost tracking",
        FileOrder::Jerk => "Shakiness",
        FileOrder::Still => "Without motion",
        FileOrder::Clipped => "Cut-off motion",
    }
}

fn explanation(by: FileOrder) -> &'static str {
    match by {
        FileOrder::Listed => "Original order",
        FileOrder::Name => "The names, with numbers in order",
        FileOrder::Modified => "When the file was written",
        FileOrder::Duration => "The duration of the recording",
        FileOrder::Size => "The size of the file",
        FileOrder::Issues => "The number of errors, then of warnings",
        FileOrder::Loss => {
            "How much of the time the wrists are not tracked. Without hands: the head and gaze, or else the root"
        }
        FileOrder::Jerk => "The RMS of the jerk in m/s³, filtered at 10 Hz",
        FileOrder::Still => "The longest time in which everything moves slower than 1 cm/s",
        FileOrder::Clipped => {
            "The number of ends that cut off a movement, with a speed of 10 cm/s or more"
        }
    }
}
