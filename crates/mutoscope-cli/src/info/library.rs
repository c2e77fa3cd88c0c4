//! Prints the contents of an archive or a set of characters.

use std::io::{self, Write};

use serde::Serialize;

use super::object::{DiagnosticInfo, diagnostic_info};
use crate::json;
use mutoscope_core::{
    clip::FormatId,
    diagnostics::escape_control_chars,
    diagnostics::format_count,
    formats::prime::{
        archive::{ArchiveEntry, AssetId, ResourceType},
        characters::{Animation, Character, Library, LibrarySet, LocalAnimation},
    },
};

const MAX_LISTED_ANIMATIONS: usize = 1000;

#[derive(Serialize)]
struct LibraryInfo<'a> {
    path: &'a str,
    format: &'static str,
    version: String,
    resources: Vec<ResourceInfo<'a>>,
    characters: Vec<CharacterInfo<'a>>,
    animations: Vec<AnimationInfo<'a>>,
    notices: Vec<DiagnosticInfo<'a>>,
}

#[derive(Serialize)]
struct ResourceInfo<'a> {
    r#type: ResourceType,
    id: Option<AssetId>,
    name: Option<&'a str>,
    size: Option<u64>,
}

#[derive(Serialize)]
struct CharacterInfo<'a> {
    set: Option<AssetId>,
    index: u32,
    name: &'a str,
    model: Option<AssetId>,
    skin: Option<AssetId>,
    rig: Option<AssetId>,
    animations: Vec<LocalAnimationInfo<'a>>,
}

#[derive(Serialize)]
struct LocalAnimationInfo<'a> {
    local: u32,
    index: Option<usize>,
    name: &'a str,
}

#[derive(Serialize)]
struct AnimationInfo<'a> {
    set: Option<AssetId>,
    index: usize,
    name: &'a str,
    kind: &'static str,
    clips: Vec<Option<AssetId>>,
}

pub(super) fn print_json(
    path: &str,
    library: &Library,
    bytes: &[u8],
    out: &mut impl Write,
) -> io::Result<()> {
    let entries = library.archive.iter().flat_map(|archive| &archive.entries);
    let name = |entry: &ArchiveEntry| library.archive.as_ref()?.name_of(entry);
    let resource = |entry| resource(entry, name(entry), bytes);
    let info = LibraryInfo {
        path,
        format: FormatId::PRIME.as_str(),
        version: library.version(),
        resources: entries.map(resource).collect(),
        characters: library.characters().map(|(set, one)| character(set, one)).collect(),
        animations: library.sets.iter().flat_map(animations).collect(),
        notices: library.diagnostics.iter().map(diagnostic_info).collect(),
    };
    json::write_line(out, &info)
}

fn resource<'a>(entry: &ArchiveEntry, name: Option<&'a str>, bytes: &[u8]) -> ResourceInfo<'a> {
    ResourceInfo {
        r#type: entry.kind,
        id: AssetId::new(entry.id),
        name,
        size: entry.unpacked_size(bytes),
    }
}

fn character<'a>(set: &'a LibrarySet, character: &'a Character) -> CharacterInfo<'a> {
    let local = |(k, local): (usize, &'a LocalAnimation)| LocalAnimationInfo {
        local: local.local,
        index: set.ancs.index_in_set(character, k),
        name: &local.name,
    };
    CharacterInfo {
        set: set.id,
        index: character.id,
        name: &character.name,
        model: character.model,
        skin: character.skin,
        rig: character.skeleton,
        animations: character.animations.iter().enumerate().map(local).collect(),
    }
}

fn animations<'a>(set: &'a LibrarySet) -> impl Iterator<Item = AnimationInfo<'a>> {
    let info = |(index, animation): (usize, &'a Animation)| AnimationInfo {
        set: set.id,
        index,
        name: &animation.name,
        kind: animation.tree.kind().json_name(),
        clips: animation.tree.leaves().map(|leaf| leaf.animation).collect(),
    };
    set.ancs.animations.iter().enumerate().map(info)
}

pub(super) fn print_text(path: &str, library: &Library, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", escape_control_chars(path))?;
    let line = |out: &mut dyn Write, label: &str, text: String| {
        writeln!(out, "  {label:<11} {}", escape_control_chars(&text))
    };
    line(out, "format", format!("Metroid Prime {}", library.version()))?;
    if let Some(archive) = &library.archive {
        line(out, "resources", archive.entries.len().to_string())?;
    }
    let (characters, sets) = (library.characters().count(), library.sets.len());
    line(
        out,
        "contents",
        format!("{} in {}", format_count(characters, "character"), format_count(sets, "set")),
    )?;
    for (set, character) in library.characters() {
        let id = set.id.map_or_else(|| "-".to_owned(), |id| id.to_string());
        let count = character.animations.len();
        let text = format!(
            "{:?} ({id}/{}): {}",
            character.name,
            character.id,
            format_count(count, "animation")
        );
        line(out, "character", text)?;
        for (k, local) in character.animations.iter().enumerate().take(MAX_LISTED_ANIMATIONS) {
            line(out, "", animation_text(set, character, k, local))?;
        }
        if count > MAX_LISTED_ANIMATIONS {
            line(out, "", format!("and {} more", count - MAX_LISTED_ANIMATIONS))?;
        }
    }
    line(out, "issues", super::summary::severity_counts(&library.diagnostics))
}

fn animation_text(
    set: &LibrarySet,
    character: &Character,
    k: usize,
    local: &LocalAnimation,
) -> String {
    let index = set.ancs.index_in_set(character, k);
    let animation = index.and_then(|index| set.ancs.animations.get(index));
    match animation.map(|animation| animation.tree.kind().json_name()) {
        Some("play") => local.name.clone(),
        Some(kind) => format!("{} ({kind})", local.name),
        None => format!("{} (not in the set)", local.name),
    }
}
