//! Archives and character sets of Metroid Prime: files that hold many named recordings.

use std::{collections::HashSet, io};

use super::{AnimationChoice, Input, InputError, Reader, Source, TrackedSidecars};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::{
        self, Failure, NamedAnimation, extension_of,
        prime::{
            archive::Resources,
            characters::{
                FileKind, Library, OpenOptions, OpenedAnimation, Playback, Selection,
                check_archive, check_library, check_resource,
            },
        },
    },
    io::bytes::FileContent,
    skeleton_file::{LoadedSkeleton, SkeletonKind, check_match},
};

fn to_selection(AnimationChoice { animation, character, .. }: &AnimationChoice) -> Selection {
    Selection { animation: animation.clone(), character: character.clone() }
}

/// Returns the kind of the archive, resource or character set in these bytes. `None` if the file is
/// of another kind, or if `reader` requests another format.
pub fn library_kind(source: &Source, bytes: &[u8], reader: &Reader) -> Option<FileKind> {
    let is_allowed = reader.format.is_none_or(|format| format == FormatId::PRIME);
    is_allowed.then(|| FileKind::detect(bytes, extension_of(&source.file_name()))).flatten()
}

/// Reads the table of an archive, or a character set.
///
/// # Errors
/// Fails if the file is rejected.
pub fn read_library(source: &Source, bytes: &[u8], kind: FileKind) -> Result<Library, Error> {
    Library::decode(bytes, kind, &source.file_name())
}

/// Returns the names of the animations of an archive or a character set, without duplicates. Empty
/// if the file is rejected.
pub fn animation_names(source: &Source, bytes: &[u8], kind: FileKind) -> Vec<String> {
    read_library(source, bytes, kind).map(|library| unique_names(&library)).unwrap_or_default()
}

fn unique_names(library: &Library) -> Vec<String> {
    let all = library.sets.iter().flat_map(|set| &set.ancs.animations);
    let mut known = HashSet::new();
    let names = all.map(|animation| animation.name.as_str()).filter(|name| known.insert(*name));
    names.map(ToOwned::to_owned).collect()
}

/// Returns the animations of an archive or a character set, without duplicate names. Empty for a
/// single resource.
///
/// # Errors
/// Fails if the file is rejected.
pub fn list_animations(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    reader: &Reader,
) -> Result<Vec<NamedAnimation>, InputError> {
    if matches!(kind, FileKind::Part(_)) {
        return Ok(Vec::new());
    }
    let library = read_library(source, bytes, kind)
        .map_err(|error| to_input_error(error, Diagnostics::new()))?;
    let options = OpenOptions {
        assumptions: reader.assumptions.for_format(FormatId::PRIME),
        ..OpenOptions::default()
    };
    let duration = |name: &str, resources: &dyn Resources| {
        let selection = Selection { animation: Some(name.to_owned()), character: None };
        let chosen = library.select(&selection).ok()?;
        let opened = library.open_first(&chosen, resources, &options).ok()?;
        Some(opened.clip.span.duration)
    };
    Ok(library.with_resources(bytes, &*source.sidecars(), |resources| {
        let named = unique_names(&library).into_iter().map(|name| {
            let duration = duration(&name, resources);
            NamedAnimation { name, duration }
        });
        named.collect()
    }))
}

/// Opens a recording of an archive or a character set.
pub fn open_input(source: &Source, bytes: &[u8], kind: FileKind, reader: &Reader) -> Input {
    let (name, sidecars) = (source.to_string(), TrackedSidecars::for_source(source));
    let opened = open_animation(source, &sidecars, bytes, kind, reader);
    let sidecars = sidecars.into_paths();
    match opened {
        Ok(OpenedAnimation { clip, character, .. }) => {
            Input { name, result: Ok(clip), sidecars, character }
        }
        Err(error) => Input { name, result: Err(error), sidecars, character: None },
    }
}

fn open_animation(
    source: &Source,
    sidecars: &TrackedSidecars,
    bytes: &[u8],
    kind: FileKind,
    reader: &Reader,
) -> Result<OpenedAnimation, InputError> {
    if matches!(kind, FileKind::Part(_)) && !reader.animation.is_empty() {
        return Err(InputError::not_a_library());
    }
    let library = read_library(source, bytes, kind)
        .map_err(|error| to_input_error(error, Diagnostics::new()))?;
    let chosen = library.select(&to_selection(&reader.animation)).map_err(|error| {
        match reader.animation.is_empty() {
            // The user chose neither an animation nor a character, so the error is about the file
            // and not about the choice.
            true => {
                let error = Error::unsupported(SourceLocation::File, error.to_string());
                to_input_error(error, library.diagnostics.clone())
            }
            false => InputError::WrongUsage(error.to_string()),
        }
    })?;
    let skeleton =
        replacement_skeleton(reader).map_err(|error| to_input_error(error, Diagnostics::new()))?;
    let options = OpenOptions {
        assumptions: reader.assumptions.for_format(FormatId::PRIME),
        rig: skeleton,
        with_model: reader.with_model,
        playback: reader.animation.clip.as_deref().map(Playback::from_name).unwrap_or_default(),
        ..OpenOptions::default()
    };
    let mut opened = library
        .with_resources(bytes, sidecars, |resources| {
            library.open_first(&chosen, resources, &options)
        })
        .map_err(|error| to_input_error(error, library.diagnostics.clone()))?;
    if !reader.allows_unmatched_rig && reader.rig.is_some() {
        check_match(&opened.clip)
            .map_err(|error| to_input_error(error, opened.clip.diagnostics.clone()))?;
    }
    report_default_choice(&mut opened.clip, reader);
    Ok(opened)
}

fn report_default_choice(clip: &mut Clip, reader: &Reader) {
    if reader.animation.animation.is_none() {
        let message =
            format!("using the animation {:?}. Choose another with --animation", clip.name);
        clip.diagnostics.info(crate::diagnostics::Code::PENDING, SourceLocation::File, message);
    }
}

fn replacement_skeleton(reader: &Reader) -> Result<Option<&LoadedSkeleton>, Error> {
    let format = formats::format(FormatId::PRIME);
    match (&reader.rig, format) {
        (Some(skeleton), Some(format)) if !format.supports_skeleton(skeleton.kind) => {
            Err(format.unsupported_skeleton_error(skeleton.kind))
        }
        (skeleton, _) => Ok(skeleton.as_ref()),
    }
}

fn to_input_error(error: Error, diagnostics: Diagnostics) -> InputError {
    InputError::from_failure(Failure { format: Some(FormatId::PRIME), error, diagnostics })
}

/// Checks a file of this kind and returns all diagnostics.
///
/// # Errors
/// Fails if the file is rejected. The failure contains the diagnostics up to that point.
pub fn check_file(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    skeleton: Option<&LoadedSkeleton>,
) -> Result<Diagnostics, Failure> {
    let to_failure =
        |error, diagnostics| Failure { format: Some(FormatId::PRIME), error, diagnostics };
    if let FileKind::Part(part) = kind {
        let mut diagnostics = Diagnostics::new();
        let skeleton = skeleton.filter(|skeleton| skeleton.kind == SkeletonKind::CINF);
        return match check_resource(part, bytes, skeleton, &mut diagnostics) {
            Ok(()) => Ok(diagnostics),
            Err(error) => Err(to_failure(error, diagnostics)),
        };
    }
    let library =
        read_library(source, bytes, kind).map_err(|error| to_failure(error, Diagnostics::new()))?;
    Ok(match kind {
        FileKind::Archive => check_archive(&library, bytes),
        _ => library.with_resources(bytes, &*source.sidecars(), |resources| {
            check_library(&library, resources)
        }),
    })
}

/// Returns the bytes and the kind of a file that was read. `None` if reading failed or if
/// [`library_kind`] returns `None`.
pub fn library_content<'a>(
    source: &Source,
    file: &'a io::Result<FileContent>,
    reader: &Reader,
) -> Option<(&'a [u8], FileKind)> {
    let bytes = file.as_ref().ok()?.in_memory()?;
    Some((bytes, library_kind(source, bytes, reader)?))
}
