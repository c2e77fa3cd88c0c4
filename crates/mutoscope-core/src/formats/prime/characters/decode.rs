//! Decodes one animation of an archive or of a character set as a recording.

use std::collections::HashSet;

use super::{
    ChosenAnimation, FileKind, Library, OpenedAnimation, Selection, SelectionError,
    SkeletonPreference, open,
};
use crate::{
    clip::{Clip, Variants},
    diagnostics::{Error, SourceLocation},
    formats::{
        ReadOptions, SourceFile,
        prime::{
            archive::{ArchiveResources, LooseFiles, Resources},
            codes,
        },
    },
    io::bytes::Sidecars,
    skeleton_file::LoadedSkeleton,
};

impl Library {
    /// Reads an archive or a character set from a file with this name.
    ///
    /// # Errors
    /// Fails for other kinds of file, and if [`Self::from_archive`] or [`Self::from_ancs`] fails.
    pub fn decode(bytes: &[u8], kind: FileKind, name: &str) -> Result<Self, Error> {
        match kind {
            FileKind::Archive => Self::from_archive(bytes),
            FileKind::Characters => Self::from_ancs(bytes, name),
            FileKind::Part(_) => Err(kind.not_a_recording_error()),
        }
    }

    /// Calls `then` with the resources that the characters refer to. For an archive, they come from
    /// the archive's `bytes`, otherwise from `sidecars`.
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

    /// Opens the first of the `chosen` animations that can be opened. Its diagnostics begin with
    /// those of the library, followed by the skipped animations and the reason for each.
    ///
    /// # Errors
    /// If none of them can be opened.
    pub fn open_first(
        &self,
        chosen: &[ChosenAnimation<'_>],
        resources: &dyn Resources,
        options: &ReadOptions,
        preference: SkeletonPreference,
    ) -> Result<OpenedAnimation, Error> {
        let (mut skipped, mut last) = (self.diagnostics.clone(), None);
        for one in chosen {
            match open(one, resources, options, preference) {
                Ok(mut opened) => {
                    skipped.extend(std::mem::take(&mut opened.clip.diagnostics));
                    opened.clip.diagnostics = skipped;
                    return Ok(opened);
                }
                Err(error) => {
                    let message = format!("{:?}: {}; skipped", one.name, error.message());
                    skipped
                        .warning(codes::ANIMATION_SKIPPED, error.location().clone(), message)
                        .with("animation", one.name);
                    last = last.or(Some(error));
                }
            }
        }
        Err(last.unwrap_or_else(|| selection_error(&SelectionError::Empty)))
    }
}

pub(in crate::formats::prime) fn decode_clip(
    bytes: &[u8],
    kind: FileKind,
    file: &SourceFile<'_>,
    options: &ReadOptions,
) -> Result<Clip, Error> {
    let library = Library::decode(bytes, kind, "")?;
    let selection = Selection {
        animation: options.variant(Variants::ANIMATION).map(str::to_owned),
        character: options.variant(Variants::CHARACTER).map(str::to_owned),
    };
    let chosen = library.select(&selection).map_err(|error| selection_error(&error))?;
    let with_model = ReadOptions { with_model: true, ..options.clone() };
    let mut opened = library.with_resources(bytes, file.sidecars, |resources| {
        library.open_first(&chosen, resources, &with_model, SkeletonPreference::Own)
    })?;
    report_unused_skeleton(&mut opened.clip, options.given_skeleton());
    opened.clip.variants.extend(library.variant_choices(&opened));
    Ok(opened.clip)
}

fn report_unused_skeleton(clip: &mut Clip, given: Option<&LoadedSkeleton>) {
    let Some(given) = given else { return };
    let used = clip.skeleton.attached().map(|attached| attached.name.clone());
    if let Some(used) = used.filter(|used| *used != given.name) {
        let message =
            format!("using the character's own skeleton {used} instead of {}", given.name);
        clip.diagnostics.info(codes::SKELETON_UNUSED, SourceLocation::File, message);
    }
}

fn selection_error(error: &SelectionError) -> Error {
    Error::unsupported(SourceLocation::File, error.to_string())
}

impl Library {
    fn variant_choices(&self, opened: &OpenedAnimation) -> Vec<Variants> {
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
        let animation = variants_from_names(Variants::ANIMATION, animations, &opened.clip.name);
        let character = variants_from_names(
            Variants::CHARACTER,
            characters,
            opened.character.as_deref().unwrap_or_default(),
        );
        [animation, character].into_iter().filter(|one| !one.names.is_empty()).collect()
    }
}

fn variants_from_names<'a>(
    label: &'static str,
    mut names: Vec<&'a str>,
    current: &'a str,
) -> Variants {
    let mut known = HashSet::new();
    if !names.is_empty() && !names.contains(&current) {
        names.push(current);
    }
    names.retain(|name| known.insert(*name));
    let current = names.iter().position(|name| *name == current).unwrap_or_default();
    Variants::detected(label, names, current)
}
