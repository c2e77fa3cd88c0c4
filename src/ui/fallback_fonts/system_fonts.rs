//! Searches the fonts of the system.

use std::collections::{BTreeMap, BTreeSet};

use ab_glyph::{Font as _, FontRef};
use bevy_egui::egui::FontData;
use fontdb::{Database, Style, Weight};

/// The largest number of fonts that are added for the characters of one recording. Each font takes
/// up to 20 MB of memory.
const MAX_FONTS: usize = 3;

/// Searches the fonts of the system for `characters`.
pub(super) fn search(characters: BTreeSet<char>) -> BTreeMap<String, FontData> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    find_fonts(&fonts, characters)
}

/// Returns the fonts that have the most of the missing characters.
fn find_fonts(fonts: &Database, mut missing: BTreeSet<char>) -> BTreeMap<String, FontData> {
    let mut found = BTreeMap::new();
    while !missing.is_empty() && found.len() < MAX_FONTS {
        let coverage = |face: &fontdb::FaceInfo| {
            let covered = covered_characters(fonts, face.id, &missing).len();
            let is_regular = face.style == Style::Normal && face.weight == Weight::NORMAL;
            (covered, is_regular)
        };
        let best = fonts.faces().map(|face| (coverage(face), face)).max_by_key(|(key, _)| *key);
        let Some(((1.., _), face)) = best else { break };
        for character in covered_characters(fonts, face.id, &missing) {
            missing.remove(&character);
        }
        let data = fonts.with_face_data(face.id, |data, index| FontData {
            index,
            ..FontData::from_owned(data.to_vec())
        });
        found.extend(data.map(|data| (face.post_script_name.clone(), data)));
    }
    found
}

/// Returns the characters for which the font has an outline. Fonts of coloured emoji have images
/// instead, which egui cannot draw.
fn covered_characters(fonts: &Database, id: fontdb::ID, characters: &BTreeSet<char>) -> Vec<char> {
    let covered = fonts.with_face_data(id, |data, index| {
        let Ok(font) = FontRef::try_from_slice_and_index(data, index) else { return Vec::new() };
        let has_outline = |character: &char| {
            let glyph = font.glyph_id(*character);
            glyph.0 != 0 && font.outline(glyph).is_some()
        };
        characters.iter().copied().filter(has_outline).collect()
    });
    covered.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};

    use super::*;

    #[test]
    fn fonts_with_the_missing_characters_are_found() {
        let mut fonts = Database::new();
        fonts.load_font_data(UBUNTU_LIGHT.to_vec());
        fonts.load_font_data(HACK_REGULAR.to_vec());
        let found = |characters: &[char]| {
            find_fonts(&fonts, characters.iter().copied().collect()).into_keys().collect::<Vec<_>>()
        };
        assert_eq!(found(&['←']), ["Hack-Regular"], "Ubuntu has no arrows");
        assert_eq!(found(&['漢']), [""; 0], "neither font has Chinese characters");
        assert_eq!(found(&[]), [""; 0]);
    }
}
