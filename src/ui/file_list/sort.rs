//! By what the files are sorted, and which way round.

use bevy_egui::egui::{ComboBox, RichText, Ui, WidgetInfo, WidgetType, vec2};

use crate::{
    session::{Command, FileCommand, FileOrder, FileSort, Listing},
    ui::{Model, icons::Icon, style::small, widgets::icon_button},
};

/// The menu of orders and the button that turns them round; laid out from the right.
pub(super) fn sort_ui(ui: &mut Ui, model: &Model<'_>) {
    let now = model.files.sort;
    let (icon, help) = match (now.by, now.reversed) {
        (FileOrder::Listed, false) => (Icon::ArrowDown, "Last first"),
        (FileOrder::Listed, true) => (Icon::ArrowUp, "First first"),
        (_, false) => (Icon::ArrowDown, "Smallest first"),
        (_, true) => (Icon::ArrowUp, "Largest first"),
    };
    let turned = FileSort { reversed: !now.reversed, ..now };
    if icon_button(ui, icon, help, vec2(20.0, 24.0)).on_hover_text(help).clicked() {
        model.send(Command::File(FileCommand::Sort(turned)));
    }
    let chosen = RichText::new(name(now.by, model)).font(small());
    let shown = ComboBox::from_id_salt("sort").selected_text(chosen).width(84.0);
    let shown = shown.show_ui(ui, |ui| {
        ui.set_min_size(vec2(120.0, 0.0));
        for by in FileOrder::ALL {
            let item = ui.selectable_label(by == now.by, name(by, model));
            if item.on_hover_text(explanation(by)).clicked() && by != now.by {
                let sort = FileSort { by, reversed: false };
                model.send(Command::File(FileCommand::Sort(sort)));
            }
        }
    });
    let label = format!("Sort: {}", name(now.by, model).to_lowercase());
    shown.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
}

fn name(by: FileOrder, model: &Model<'_>) -> &'static str {
    match by {
        FileOrder::Listed if model.files.listing == Listing::Siblings => "Name",
        FileOrder::Listed => "As opened",
        FileOrder::Loss => "Loss",
        FileOrder::Jerk => "Jerk",
        FileOrder::Still => "Still",
        FileOrder::Clipped => "Clipped ends",
    }
}

fn explanation(by: FileOrder) -> &'static str {
    match by {
        FileOrder::Listed => "As the list was made",
        FileOrder::Loss => {
            "The share in which the wrists are lost; without hands, head and gaze or the root"
        }
        FileOrder::Jerk => "The root mean square of the jerk, filtered at 10 Hz",
        FileOrder::Still => "The longest time in which nothing moves at 1 cm/s or faster",
        FileOrder::Clipped => "How many ends cut a movement off: 10 cm/s or more there",
    }
}
