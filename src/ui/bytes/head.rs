//! Above the rows: which key is selected, where the file has it, and what it has there.

use bevy_egui::egui::{Align, FontId, Label, Layout, RichText, Ui};

use crate::{
    session::{Command, Panel, PanelCommand},
    ui::{
        Model,
        icons::Icon,
        style::{ICON_BUTTON, Palette},
        widgets::{copyable, dim, icon_button},
        words,
    },
};
use mutoscope_core::{
    clip::{Clip, KeyId},
    diagnostics::SourceLocation,
    measure::listing::Listing,
};

/// The head, over the width that `ui` has. `focus` is highlighted in place of the key.
pub(super) fn head_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    key: Option<KeyId>,
    focus: Option<&SourceLocation>,
) {
    let key = key.filter(|_| focus.is_none());
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Close, "Close the bytes", ICON_BUTTON).clicked() {
                model.send(Command::Panel(PanelCommand::Toggle(Panel::BYTES)));
            }
            if let Some(listing) = model.listed.listing() {
                let facts = dim(ui, facts(listing)).small();
                ui.label(facts);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let title = match (key, focus) {
                    (Some(key), _) => {
                        let accent = Palette::of(ui.visuals()).accent;
                        RichText::new(name(clip, key)).color(accent)
                    }
                    (None, Some(_)) => dim(ui, "Place of the issue in the file"),
                    (None, None) => dim(ui, "Select a key, or click on one here"),
                };
                ui.add(Label::new(title).truncate());
            });
        });
    });
    ui.horizontal(|ui| match (key, focus) {
        (Some(key), _) => place_ui(ui, model, clip, key),
        (None, Some(place)) => {
            copyable(ui, &place.to_string(), || place.to_string());
        }
        (None, None) => {
            // The rows stay where they are when a key is selected.
            let legend = dim(ui, "Keys are shaded alternately").small();
            ui.label(legend);
        }
    });
}

/// Where the file has a key; its bits and integers, if it is packed in such.
fn place_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, key: KeyId) {
    let source = &clip.track(key.track).source;
    let place = source.key(key.index);
    copyable(ui, &place.to_string(), || place.to_string());
    let listing = model.listed.listing();
    if let Some(bits) = listing.and_then(|listing| listing.bits_of(&place)) {
        let text = RichText::new(&bits).font(FontId::monospace(11.0));
        let label = ui.add(Label::new(text).truncate());
        label.on_hover_text("Its bits, least significant first");
    }
    if let Some(code) = source.code(key.index) {
        let integers: Vec<_> = code.integers.iter().map(ToString::to_string).collect();
        let integers = dim(ui, format!("= {}", integers.join(", ")));
        let label = ui.add(Label::new(integers).truncate());
        label.on_hover_text("The decoded integers, with deltas summed");
    }
}

/// `left/Wrist.position.x, key 17 of 241`.
pub(super) fn name(clip: &Clip, key: KeyId) -> String {
    let track = clip.track(key.track);
    let name = match clip.owner_name(track.owner) {
        "" => track.property.clone(),
        owner => format!("{owner}.{}", track.property),
    };
    let (number, count) = (key.index + 1, track.curve.key_count());
    format!("{name}, key {} of {}", words::count(number), words::count(count))
}

/// How much is listed, and of what.
fn facts(listing: &Listing) -> String {
    let size = listing.size();
    match (listing.text(), listing.is_unpacked()) {
        (Some(_), _) => {
            let rows = listing.row_count().saturating_sub(1);
            let (line, _) = listing.text().map_or((0, true), |text| text.line_of(rows));
            format!("{} lines", words::count(line as usize))
        }
        (None, true) => format!("{} bytes, decompressed", words::count(size)),
        (None, false) => format!("{} bytes", words::count(size)),
    }
}
