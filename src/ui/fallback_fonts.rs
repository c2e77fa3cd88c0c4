//! Loads fonts of the system for characters that egui's fonts do not have, such as Chinese and
//! Japanese names. The fonts are searched only when an open recording or a listed file needs them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use ab_glyph::{Font as _, FontRef};
use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{FontData, FontDefinitions, FontFamily, FontId},
};
use fontdb::{Database, Style, Weight};

use super::fonts;
use crate::session::{Files, Job, Jobs, Source};
use bevy_mutoscope::{Recording, Revision};
use mutoscope_core::clip::Clip;

/// The largest number of fonts that are added for the characters of one recording. Each font takes
/// up to 20 MB of memory.
const MAX_FONTS: usize = 3;

#[derive(Resource)]
pub(super) struct FallbackFonts {
    fonts: FontDefinitions,
    /// The clips and the number of listed files whose characters were searched. If they are still
    /// the same, nothing needs to be done.
    scanned: (Vec<Revision>, usize),
    /// The characters for which fonts were searched.
    searched: BTreeSet<char>,
    search: Job<(), BTreeMap<String, FontData>>,
}

impl Default for FallbackFonts {
    fn default() -> Self {
        Self {
            fonts: fonts::for_window(),
            scanned: Default::default(),
            searched: BTreeSet::new(),
            search: Job::default(),
        }
    }
}

pub(super) fn load_fallback_fonts(
    mut fallback: ResMut<FallbackFonts>,
    mut contexts: EguiContexts,
    recordings: Query<(&Recording, &Source)>,
    files: Res<Files>,
    jobs: Res<Jobs>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let fallback = fallback.bypass_change_detection();
    if let Some((_, found)) = fallback.search.poll() {
        match found {
            Ok(found) => {
                for (name, data) in found {
                    for family in [FontFamily::Proportional, FontFamily::Monospace] {
                        fallback.fonts.families.entry(family).or_default().push(name.clone());
                    }
                    fallback.fonts.font_data.insert(name, Arc::new(data));
                }
                ctx.set_fonts(fallback.fonts.clone());
                ctx.request_repaint();
            }
            Err(crashed) => error!("searching fonts: {crashed}"),
        }
    }
    let revisions: Vec<_> = recordings.iter().map(|(open, _)| open.revision()).collect();
    let state = (revisions, files.listed.len());
    if fallback.scanned == state || fallback.search.is_running() {
        return Ok(());
    }
    fallback.scanned = state;
    let mut characters = BTreeSet::new();
    for (recording, source) in &recordings {
        add_characters(&mut characters, recording.clip());
        characters.extend(source.name().chars());
    }
    characters.extend(files.listed.iter().flat_map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.chars().collect::<Vec<_>>()
    }));
    let font = FontId::proportional(13.0);
    characters.retain(|character| {
        !character.is_ascii()
            && !fallback.searched.contains(character)
            && !ctx.fonts_mut(|fonts| fonts.has_glyph(&font, *character))
    });
    if !characters.is_empty() {
        fallback.searched.extend(&characters);
        fallback.search.start(&jobs, (), move |_| {
            let mut fonts = Database::new();
            fonts.load_system_fonts();
            find_fonts(&fonts, characters)
        });
    }
    Ok(())
}

fn add_characters(characters: &mut BTreeSet<char>, clip: &Clip) {
    let names = clip.nodes.iter().map(|node| &node.name).chain(&clip.groups);
    characters.extend(names.flat_map(|name| name.chars()));
    for event in &clip.events {
        characters.extend(event.name.chars());
        if let Some(value) = &event.value {
            characters.extend(value.to_text().chars());
        }
    }
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
