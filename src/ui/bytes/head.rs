//! Above the rows: which key is selected, where the file has it, and what it has there.

use bevy_egui::egui::{Align, FontId, Label, Layout, RichText, Ui};

use crate::{
    clip::{Clip, KeyId},
    listing::{Listing, bits_of},
    ui::{
        Model,
        icons::Icon,
        style::{ICON_BUTTON, Palette},
        widgets::{copyable, dim, icon_button},
        words,
    },
    viewer::{Command, Toggle},
};

pub(super) fn head_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    key: Option<KeyId>,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Close, "Close the bytes", ICON_BUTTON).clicked() {
                commands.push(Command::Toggle(Toggle::Bytes));
            }
            if let Some(listing) = model.listed.listing() {
                let facts = dim(ui, facts(listing)).small();
                ui.label(facts);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let Some(key) = key else {
                    let hint = dim(ui, "Select a key, or click on one here");
                    ui.add(Label::new(hint).truncate());
                    return;
                };
                let accent = Palette::of(ui.visuals()).accent;
                ui.add(Label::new(RichText::new(name(clip, key)).color(accent)).truncate());
            });
        });
    });
    ui.horizontal(|ui| {
        let Some(key) = key else {
            // The rows stay where they are when a key is selected.
            let legend = dim(ui, "Shaded: keys, each apart from its neighbours").small();
            ui.label(legend);
            return;
        };
        let place = clip.track(key.track).source.key(key.index);
        let place_text = place.to_string();
        copyable(ui, &place_text, || place_text.clone());
        let listing = model.listed.listing();
        if let Some(bits) = listing.and_then(|listing| bits_of(listing.content(), &place)) {
            let text = RichText::new(&bits).font(FontId::monospace(11.0));
            let label = ui.add(Label::new(text).truncate());
            label.on_hover_text("Its bits, least significant first, as the file is read");
        }
        if let Some(code) = clip.track(key.track).source.code(key.index) {
            let integers: Vec<_> = code.integers.iter().map(ToString::to_string).collect();
            let integers = dim(ui, format!("= {}", integers.join(", ")));
            ui.add(Label::new(integers).truncate());
        }
    });
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
    let size = listing.content().len();
    match (listing.text(), listing.is_unpacked()) {
        (Some(_), _) => {
            let rows = listing.row_count().saturating_sub(1);
            let (line, _) = listing.text().map_or((0, true), |text| text.line_of(rows));
            format!("{} lines", words::count(line as usize))
        }
        (None, true) => format!("{} bytes, unpacked", words::count(size)),
        (None, false) => format!("{} bytes", words::count(size)),
    }
}
