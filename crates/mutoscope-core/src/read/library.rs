//! Archives and sets of characters of Metroid Prime: files that hold many recordings, by name.

use std::{collections::HashSet, io};

use super::{AnimationChoice, Input, InputError, NotedSidecars, Reader, Source};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices, SourceLocation},
    formats::{
        self, Failure, NamedAnimation, extension_of,
        prime::{
            archive::Resources,
            characters::{
                FileKind, Library, OpenOptions, Opened, Playback, Selection, check_archive,
                check_library, check_resource,
            },
        },
    },
    io::bytes::FileContent,
    rig::{Rig, RigKind, check_match},
};

fn selection(AnimationChoice { animation, character, .. }: &AnimationChoice) -> Selection {
    Selection { animation: animation.clone(), character: character.clone() }
}

/// The kind of file that `bytes` are, unless another format is asked for.
pub fn kind_of(source: &Source, bytes: &[u8], reader: &Reader) -> Option<FileKind> {
    let may_be = reader.format.is_none_or(|format| format == FormatId::PRIME);
    may_be.then(|| FileKind::of(bytes, extension_of(&source.file_name()))).flatten()
}

/// Reads the table of an archive, or a set of characters.
///
/// # Errors
/// If it is refused.
pub fn library(source: &Source, bytes: &[u8], kind: FileKind) -> Result<Library, Error> {
    Library::decode(bytes, kind, &source.file_name())
}

/// The names of the animations of an archive or of a set of characters, each once; none if it is refused.
pub fn animation_names(source: &Source, bytes: &[u8], kind: FileKind) -> Vec<String> {
    library(source, bytes, kind).map(|library| names_of(&library)).unwrap_or_default()
}

/// The names of all animations, each once.
fn names_of(library: &Library) -> Vec<String> {
    let all = library.sets.iter().flat_map(|set| &set.ancs.animations);
    let mut known = HashSet::new();
    let names = all.map(|animation| animation.name.as_str()).filter(|name| known.insert(*name));
    names.map(ToOwned::to_owned).collect()
}

/// The animations of an archive or of a set of characters, each name once; none of a part of one.
///
/// # Errors
/// If it is refused.
pub fn animations(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    reader: &Reader,
) -> Result<Vec<NamedAnimation>, InputError> {
    if matches!(kind, FileKind::Part(_)) {
        return Ok(Vec::new());
    }
    let library = library(source, bytes, kind).map_err(|error| failure(error, Notices::new()))?;
    let options = OpenOptions {
        assumptions: reader.assumptions.of(FormatId::PRIME),
        ..OpenOptions::default()
    };
    let duration = |name: &str, resources: &dyn Resources| {
        let selection = Selection { animation: Some(name.to_owned()), character: None };
        let chosen = library.select(&selection).ok()?;
        let opened = library.open_first(&chosen, resources, &options).ok()?;
        Some(opened.clip.span.duration)
    };
    Ok(library.with_resources(bytes, &*source.sidecars(), |resources| {
        let named = names_of(&library).into_iter().map(|name| {
            let duration = duration(&name, resources);
            NamedAnimation { name, duration }
        });
        named.collect()
    }))
}

/// Opens a recording of an archive or of a set of characters.
pub fn open_input(source: &Source, bytes: &[u8], kind: FileKind, reader: &Reader) -> Input {
    let (name, sidecars) = (source.to_string(), NotedSidecars::of(source));
    let opened = opened(source, &sidecars, (bytes, kind), reader);
    let sidecars = sidecars.into_paths();
    match opened {
        Ok(Opened { clip, character, .. }) => Input { name, result: Ok(clip), sidecars, character },
        Err(error) => Input { name, result: Err(error), sidecars, character: None },
    }
}

fn opened(
    source: &Source,
    sidecars: &NotedSidecars,
    (bytes, kind): (&[u8], FileKind),
    reader: &Reader,
) -> Result<Opened, InputError> {
    if matches!(kind, FileKind::Part(_)) && !reader.animation.is_empty() {
        return Err(InputError::not_a_library());
    }
    let library = library(source, bytes, kind).map_err(|error| failure(error, Notices::new()))?;
    let chosen = library.select(&selection(&reader.animation)).map_err(|error| {
        match reader.animation.is_empty() {
            // No unknown name was requested.
            true => {
                let error = Error::unsupported(SourceLocation::File, error.to_string());
                failure(error, library.notices.clone())
            }
            false => InputError::WrongUsage(error.to_string()),
        }
    })?;
    let rig = rig_for(reader).map_err(|error| failure(error, Notices::new()))?;
    let options = OpenOptions {
        assumptions: reader.assumptions.of(FormatId::PRIME),
        rig,
        with_model: reader.with_model,
        playback: reader.animation.clip.as_deref().map(Playback::of_name).unwrap_or_default(),
        ..OpenOptions::default()
    };
    let mut opened = library
        .with_resources(bytes, sidecars, |resources| {
            library.open_first(&chosen, resources, &options)
        })
        .map_err(|error| failure(error, library.notices.clone()))?;
    if !reader.allows_unmatched_rig && reader.rig.is_some() {
        check_match(&opened.clip).map_err(|error| failure(error, opened.clip.notices.clone()))?;
    }
    note_choice(&mut opened.clip, reader);
    Ok(opened)
}

fn note_choice(clip: &mut Clip, reader: &Reader) {
    if reader.animation.animation.is_none() {
        let message = format!("using the animation {:?}. --animation takes another", clip.name);
        clip.notices.info(SourceLocation::File, message);
    }
}

/// The skeleton that is to be used in place of characters' own.
fn rig_for(reader: &Reader) -> Result<Option<&Rig>, Error> {
    let format = formats::format(FormatId::PRIME);
    match (&reader.rig, format) {
        (Some(rig), Some(format)) if !format.takes(rig.kind) => Err(format.refusal(rig.kind)),
        (rig, _) => Ok(rig.as_ref()),
    }
}

fn failure(error: Error, notices: Notices) -> InputError {
    InputError::of_recording(Failure { format: Some(FormatId::PRIME), error, notices })
}

/// All issues in such a file.
///
/// # Errors
/// If it is rejected: with the notices before that.
pub fn check(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    rig: Option<&Rig>,
) -> Result<Notices, Failure> {
    let refused = |error, notices| Failure { format: Some(FormatId::PRIME), error, notices };
    if let FileKind::Part(part) = kind {
        let mut notices = Notices::new();
        let rig = rig.filter(|rig| rig.kind == RigKind::CINF);
        return match check_resource(part, bytes, rig, &mut notices) {
            Ok(()) => Ok(notices),
            Err(error) => Err(refused(error, notices)),
        };
    }
    let library = library(source, bytes, kind).map_err(|error| refused(error, Notices::new()))?;
    Ok(match kind {
        FileKind::Archive => check_archive(&library, bytes),
        _ => library.with_resources(bytes, &*source.sidecars(), |resources| {
            check_library(&library, resources)
        }),
    })
}

/// The bytes and the kind of a file that was read, unless it could not be, is no file of a game, or
/// another format is asked for.
pub fn of_read<'a>(
    source: &Source,
    file: &'a io::Result<FileContent>,
    reader: &Reader,
) -> Option<(&'a [u8], FileKind)> {
    let bytes = file.as_ref().ok()?.in_memory()?;
    Some((bytes, kind_of(source, bytes, reader)?))
}
