//! Shows above the rows which key is selected, and where and how the file stores it.

use bevy_egui::egui::{Align, FontId, Label, Layout, RichText, Ui};

use crate::{
    session::{Command, Panel, PanelCommand},
    ui::{
        Model, display_text,
        icons::Icon,
        style::{ICON_BUTTON, Palette},
        widgets::{copyable_value, dim_text, icon_button},
    },
};
use mutoscope_core::{
    clip::{Clip, KeyId},
    diagnostics::SourceLocation,
};
use mutoscope_view::listing::Listing;

pub(super) fn header_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    key: Option<KeyId>,
    highlighted: Option<&SourceLocation>,
) {
    let key = key.filter(|_| highlighted.is_none());
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Close, "Close the bytes", ICON_BUTTON).clicked() {
                model.send(Command::Panel(PanelCommand::Toggle(Panel::BYTES)));
            }
            if let Some(listing) = model.listed.listing() {
                let size = dim_text(ui, size_text(listing)).small();
                ui.label(size);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let title = match (key, highlighted) {
                    (Some(key), _) => {
                        let accent = Palette::for_visuals(ui.visuals()).accent;
                        RichText::new(key_name(clip, key)).color(accent)
                    }
                    (None, Some(_)) => dim_text(ui, "Location of the issue in the file"),
                    (None, None) => dim_text(ui, "Select a key, or click on one here"),
                };
                ui.add(Label::new(title).truncate());
            });
        });
    });
    ui.horizontal(|ui| match (key, highlighted) {
        (Some(key), _) => location_ui(ui, model, clip, key),
        (None, Some(location)) => {
            copyable_value(ui, &location.to_string(), || location.to_string());
        }
        (None, None) => {
            // Fill the line with a legend, so that the rows do not move when a key is selected.
            let legend = dim_text(ui, "Keys are shaded alternately").small();
            ui.label(legend);
        }
    });
}

fn location_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, key: KeyId) {
    let source = &clip.track(key.track).source;
    let location = source.key_location(key.index);
    copyable_value(ui, &location.to_string(), || location.to_string());
    let listing = model.listed.listing();
    if let Some(bits) = listing.and_then(|listing| listing.location_bits(&location)) {
        let text = RichText::new(&bits).font(FontId::monospace(11.0));
        let label = ui.add(Label::new(text).truncate());
        label.on_hover_text("The bits of the key, least significant first");
    }
    if let Some(code) = source.quantized_key(key.index) {
        let integers: Vec<_> = code.integers.iter().map(ToString::to_string).collect();
        let integers = dim_text(ui, format!("= {}", integers.join(", ")));
        let label = ui.add(Label::new(integers).truncate());
        label.on_hover_text("The decoded integers, with deltas summed");
    }
}

/// Returns for example `left/Wrist.position.x, key 17 of 241`.
pub(super) fn key_name(clip: &Clip, key: KeyId) -> String {
    let track = clip.track(key.track);
    let name = match clip.owner_name(track.owner) {
        "" => track.property.clone(),
        owner => format!("{owner}.{}", track.property),
    };
    let (number, count) = (key.index + 1, track.curve.key_count());
    format!(
        "{name}, key {} of {}",
        display_text::format_count(number),
        display_text::format_count(count)
    )
}

fn size_text(listing: &Listing) -> String {
    let size = listing.size();
    match (listing.text_rows(), listing.is_unpacked()) {
        (Some(_), _) => {
            let rows = listing.row_count().saturating_sub(1);
            let (line, _) = listing.text_rows().map_or((0, true), |text| text.line_of_row(rows));
            display_text::format_counted(line as usize, "line", "lines")
        }
        (None, true) => {
            format!("{}, decompressed", display_text::format_counted(size, "byte", "bytes"))
        }
        (None, false) => display_text::format_counted(size, "byte", "bytes"),
    }
}
