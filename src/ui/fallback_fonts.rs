//! Loads fonts for characters that egui's fonts do not have, such as Chinese and Japanese names, when
//! an open recording or a listed file needs them. The desktop program searches the fonts of the
//! system, and a page loads fonts from its server.

#[cfg(target_family = "wasm")]
mod page_fonts;
#[cfg(not(target_family = "wasm"))]
mod system_fonts;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{FontData, FontDefinitions, FontFamily, FontId},
};

use super::fonts;
use crate::session::{Files, Job, Jobs, Source};
use bevy_mutoscope::{Recording, Revision};
use mutoscope_core::clip::Clip;

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
            fonts: fonts::at_start(),
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
        #[cfg(not(target_family = "wasm"))]
        fallback.search.start(&jobs, (), move |_| system_fonts::search(characters));
        #[cfg(target_family = "wasm")]
        fallback.search.start_here(&jobs, (), move |_| page_fonts::load(characters));
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
