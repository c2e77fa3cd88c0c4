//! Archives and sets of characters as recordings: one of their animations.

use std::collections::HashSet;

use super::{
    Chosen, FileKind, Library, OpenOptions, Opened, Playback, Selection, SelectionError, open,
};
use crate::{
    clip::{Clip, Variants},
    diagnostics::{Error, SourceLocation},
    formats::{
        DecodeContext,
        prime::{
            CHARACTER, Game,
            archive::{ArchiveResources, LooseFiles, Resources},
        },
    },
    io::bytes::Sidecars,
    rig::Rig,
};

impl Library {
    /// Reads an archive or a set of characters, whose file has this name.
    ///
    /// # Errors
    /// As [`Self::of_archive`] and [`Self::of_ancs`]; and for other files.
    pub fn decode(bytes: &[u8], kind: FileKind, name: &str) -> Result<Self, Error> {
        match kind {
            FileKind::Archive => Self::of_archive(bytes),
            FileKind::Characters => Self::of_ancs(bytes, name),
            FileKind::Part(_) => Err(kind.refusal()),
        }
    }

    /// Hands out the resources that its characters name: those of its archive, whose bytes are
    /// `bytes`, or else those among `sidecars`.
    pub fn with_resources<T>(
        &self,
        bytes: &[u8],
        sidecars: &dyn Sidecars,
        then: impl FnOnce(&dyn Resources) -> T,
    ) -> T {
        match &self.archive {
            Some(archive) => then(&ArchiveResources { archive, bytes }),
            None => then(&LooseFiles::new(sidecars)),
        }
    }

    /// Opens the animation that `chosen` names: of several, the first that can be opened. Its notices
    /// begin with those of the library, and with which were skipped and why.
    ///
    /// # Errors
    /// If none can.
    pub fn open_first(
        &self,
        chosen: &[Chosen<'_>],
        resources: &dyn Resources,
        options: &OpenOptions<'_>,
    ) -> Result<Opened, Error> {
        let (mut skipped, mut last) = (self.notices.clone(), None);
        for one in chosen {
            match open(one, resources, options) {
                Ok(mut opened) => {
                    skipped.extend(std::mem::take(&mut opened.clip.notices));
                    opened.clip.notices = skipped;
                    return Ok(opened);
                }
                Err(error) => {
                    let message = format!("{:?}: {}; skipped", one.name, error.message());
                    skipped.warning(error.place().clone(), message);
                    last = last.or(Some(error));
                }
            }
        }
        Err(last.unwrap_or_else(|| unsupported(&SelectionError::Empty)))
    }
}

/// Decodes an animation of an archive or of a set of characters: the one that the context names, or
/// the first.
pub(in crate::formats::prime) fn decode_clip(
    bytes: &[u8],
    kind: FileKind,
    game: Option<Game>,
    context: &DecodeContext<'_>,
) -> Result<Clip, Error> {
    let library = Library::decode(bytes, kind, "")?;
    let selection = Selection {
        animation: context.variant(Variants::ANIMATION).map(str::to_owned),
        character: context.variant(CHARACTER).map(str::to_owned),
    };
    let chosen = library.select(&selection).map_err(|error| unsupported(&error))?;
    let options = OpenOptions {
        assumptions: context.assumptions,
        rig: context.rig,
        // It may only be the one that is kept in the folder of the archive.
        prefers_own_rig: true,
        game,
        with_model: true,
        playback: playback(context),
    };
    let mut opened = library.with_resources(bytes, context.sidecars, |resources| {
        library.open_first(&chosen, resources, &options)
    })?;
    report_rig(&mut opened.clip, context.rig);
    opened.clip.variants.extend(library.variants(&opened));
    Ok(opened.clip)
}

/// The clips of a composed animation that play.
fn playback(context: &DecodeContext<'_>) -> Playback {
    match context.variant(Variants::CLIP) {
        Some(name) => Playback::of_name(name),
        None if context.plays_all_clips => Playback::All,
        None => Playback::First,
    }
}

/// Says if a skeleton that was given is not the one that the animation is on.
fn report_rig(clip: &mut Clip, given: Option<&Rig>) {
    let Some(given) = given else { return };
    let used = clip.skeleton.attached().map(|attached| attached.name.clone());
    if let Some(used) = used.filter(|used| *used != given.name) {
        let message =
            format!("using the character's own skeleton, {used}; {} is not used", given.name);
        clip.notices.info(SourceLocation::File, message);
    }
}

fn unsupported(error: &SelectionError) -> Error {
    Error::unsupported(SourceLocation::File, error.to_string())
}

impl Library {
    /// The choices besides the opened animation: characters, and the animations of its own
    /// character.
    fn variants(&self, opened: &Opened) -> Vec<Variants> {
        let character = opened.character.as_deref().and_then(|name| self.character(name));
        let animations: Vec<&str> = match character {
            Some((_, character)) if !character.animations.is_empty() => {
                character.animations.iter().map(|local| local.name.as_str()).collect()
            }
            _ => {
                let all = self.sets.iter().flat_map(|set| &set.ancs.animations);
                all.map(|animation| animation.name.as_str()).collect()
            }
        };
        let characters: Vec<&str> = self.characters().map(|(_, one)| one.name.as_str()).collect();
        let animation = variants(Variants::ANIMATION, animations, &opened.clip.name);
        let character =
            variants(CHARACTER, characters, opened.character.as_deref().unwrap_or_default());
        [animation, character].into_iter().filter(|one| !one.names.is_empty()).collect()
    }
}

/// A choice among `names`, each once, with the current one.
fn variants<'a>(label: &'static str, mut names: Vec<&'a str>, current: &'a str) -> Variants {
    let mut known = HashSet::new();
    if !names.is_empty() && !names.contains(&current) {
        names.push(current);
    }
    names.retain(|name| known.insert(*name));
    let current = names.iter().position(|name| *name == current).unwrap_or_default();
    Variants::found(label, names, current)
}
