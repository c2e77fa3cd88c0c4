//! The fonts of a page, which are downloaded with it: without egui's emojis, which weigh 0.4 MB there.

use std::sync::Arc;

use bevy_egui::egui::{FontData, FontDefinitions, FontFamily};
use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};

/// egui's own fonts for text.
pub(super) fn for_text() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [("Hack", HACK_REGULAR), ("Ubuntu-Light", UBUNTU_LIGHT)] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    for (family, names) in [
        (FontFamily::Monospace, ["Hack", "Ubuntu-Light"]),
        (FontFamily::Proportional, ["Ubuntu-Light", "Hack"]),
    ] {
        fonts.families.insert(family, names.map(str::to_owned).into());
    }
    fonts
}

#[cfg(test)]
mod tests {
    use ab_glyph::{Font as _, FontRef};

    use super::*;

    /// Everything that people read, with ⏎ for line breaks.
    const STRINGS: &str = include_str!("../../docs/strings.md");

    #[test]
    fn fonts_have_every_character_of_the_interface() {
        let fonts = for_text();
        let faces: Vec<_> = fonts.families[&FontFamily::Proportional]
            .iter()
            .map(|name| FontRef::try_from_slice(&fonts.font_data[name].font).unwrap())
            .collect();
        let is_missing = |one: char| faces.iter().all(|face| face.glyph_id(one).0 == 0);
        let is_drawn = |one: char| !one.is_control() && one != '⏎';
        let missing: String =
            STRINGS.chars().filter(|&one| is_drawn(one) && is_missing(one)).collect();
        // What stands for a character that no font has.
        assert_eq!(missing, "\u{fffd}");
    }
}
